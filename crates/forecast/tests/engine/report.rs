//! `report.json`.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Finished, forecast, named, options, uniform};

/// Quarterly series of `length` values with a trend, a year of their own and noise.
fn panel(folder: &TempDir, series: usize, length: usize) -> PathBuf {
    let mut text = String::from("item_id,timestamp,target\n");
    let mut noise = uniform();
    for id in 0..series {
        for step in 0..length {
            let value = 50.0 + id as f64 + 0.3 * step as f64 + ((step % 4 * (id % 5)) as f64) + 3.0 * noise();
            writeln!(text, "s{id:03},{}-{:02}-01,{value}", 1990 + step / 4, step % 4 * 3 + 1)
                .expect("a string takes everything");
        }
    }
    let path = folder.path().join("panel.csv");
    fs::write(&path, text).expect("the panel is written");
    path
}

fn run(preset: &str, series: usize, length: usize) -> Finished {
    let folder = TempDir::new().expect("a folder");
    let mut options = options(&panel(&folder, series, length));
    options.preset = named(preset);
    forecast(options).expect("a forecast")
}

#[test]
fn seeds_are_reported_where_a_network_was_learned_and_every_member_with_its_weight() {
    let drawn = json!([{ "class": "short_season", "member": "pooled_network", "seeds": [1, 2, 3] }]);
    for (preset, series, seeds) in
        [("best", 32, &drawn), ("best", 5, &json!([])), ("balanced", 32, &json!([]))]
    {
        let report = run(preset, series, 84).report;
        assert_eq!(&report["seeds"], seeds, "{preset}, {series}");
        let class = &report["classes"][0];
        let scores = class["leaderboard"]["scores"].as_array().expect("scores");
        check_scores(scores, class["members"].as_array().expect("members"));
        if preset == "best" {
            let network = scores.iter().find(|score| score["model"] == "pooled_network");
            assert_eq!(network.expect("listed")["windows"] == 0, series == 5);
        }
        check_baseline(&class["leaderboard"]);
    }
    assert!(run("fast", 5, 44).report["classes"][0].get("leaderboard").is_none());
}

/// The baseline is measured on the windows of the combination, as the member of the same rule is where there is one.
fn check_baseline(leaderboard: &Value) {
    let scores = leaderboard["scores"].as_array().expect("scores");
    let of = |name: &str| scores.iter().find(|score| score["model"] == name);
    let baseline = &leaderboard["baseline"];
    assert_eq!(baseline["windows"], of("combination").expect("listed")["windows"]);
    if let Some(member) = of("seasonal_naive") {
        for measure in ["mase", "smape", "wql", "coverage_80", "coverage_95"] {
            assert_eq!(baseline[measure], member[measure], "{measure}");
        }
    }
    let count = |key: &str| baseline[key].as_u64().expect("a count");
    assert!(count("combination_better") + count("baseline_better") <= count("windows"), "{baseline}");
    assert!(count("combination_better") > 0, "{baseline}");
}

/// Members without a window have a weight and no measures; the combination has measures and no weight.
fn check_scores(scores: &[Value], members: &[Value]) {
    let (combination, rows): (Vec<&Value>, Vec<&Value>) =
        scores.iter().partition(|score| score["model"] == "combination");
    let sorted = |names: Vec<&Value>| {
        let mut names: Vec<&str> = names.into_iter().filter_map(Value::as_str).collect();
        names.sort_unstable();
        names.join(", ")
    };
    assert_eq!(sorted(rows.iter().map(|row| &row["model"]).collect()), sorted(members.iter().collect()));
    assert!(combination.len() == 1 && combination[0]["weight"].is_null());
    let sum: f64 = rows.iter().map(|row| row["weight"].as_f64().expect("a weight")).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{sum}");
    for score in scores {
        for measure in ["mase", "smape", "wql", "coverage_80", "coverage_95"] {
            assert_eq!(score.get(measure).expect("a field").is_null(), score["windows"] == 0, "{score}");
        }
    }
    let errors: Vec<f64> = scores.iter().filter_map(|score| score["mase"].as_f64()).collect();
    assert!(errors.is_sorted());
    assert!(scores[errors.len()..].iter().all(|score| score["mase"].is_null()));
}

#[test]
fn notes_count_in_the_singular_and_the_plural() {
    let folder = TempDir::new().expect("a folder");
    let path = panel(&folder, 1, 44);
    let text = fs::read_to_string(&path).expect("the panel");
    for (missing, note) in [
        (
            1,
            "1 missing step inside series was filled from the same position of the seasons around it, or linearly. \
             If nothing happened then, such as on a day that is closed, send preparation={\"missing\": \"zero\"}.",
        ),
        (
            2,
            "2 missing steps inside series were filled from the same position of the seasons around them, or \
             linearly. If nothing happened then, such as on days that are closed, send \
             preparation={\"missing\": \"zero\"}.",
        ),
    ] {
        let lines = text.lines().enumerate().filter(|(line, _)| !(20..20 + missing).contains(line));
        let lines: Vec<&str> = lines.map(|(_, line)| line).collect();
        fs::write(&path, lines.join("\n")).expect("the panel is written");
        let mut options = options(&path);
        options.freq = Some("QS".to_owned());
        let report = forecast(options).expect("a forecast").report;
        let quality = &report["data_quality"];
        assert_eq!(quality["counts"]["gaps_filled"], missing);
        assert!(quality["notes"].as_array().expect("notes").contains(&json!(note)), "{quality}");
    }
}
