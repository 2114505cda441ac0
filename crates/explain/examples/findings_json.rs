//! Findings of planted series as JSON, one alone and twelve together: `cargo run --release --example findings_json`.
//! `test/fixtures/findings.json` is what it wrote.

use tabcast_explain::findings::{Panel, Series};

#[path = "../tests/planted/mod.rs"]
#[expect(dead_code, reason = "scores are for tests and another example")]
mod planted;

fn main() {
    let planted = planted::planted(1, 12);
    let ids: Vec<String> = (0..planted.len()).map(|index| format!("item {index}")).collect();
    let series: Vec<(&str, Series<'_>)> =
        ids.iter().zip(&planted).map(|(id, planted)| (id.as_str(), planted.series())).collect();
    let json = |series: &[(&str, Series<'_>)]| {
        let mut panel = Panel::default();
        panel.add(series);
        serde_json::to_value(panel.finish()).expect("numbers and texts")
    };
    let both = serde_json::json!({ "single": json(&series[3..4]), "panel": json(&series) });
    println!("{both:#}");
}
