//! How well the rules find what was planted: `cargo run --release --example findings_planted [count] [seed]`.

use tabcast_explain::findings::find;

#[path = "../tests/planted/mod.rs"]
mod planted;

fn main() {
    let mut arguments = std::env::args().skip(1).map(|text| text.parse::<u64>().expect("a number"));
    let count = arguments.next().unwrap_or(60) as usize;
    let seed = arguments.next().unwrap_or(1);
    let series: Vec<_> = planted::planted(seed, count)
        .into_iter()
        .map(|planted| {
            let found = find(&planted.series());
            (planted, found)
        })
        .collect();
    println!("{:16} {:>8} {:>8} {:>10} {:>8}", "rule", "planted", "stated", "precision", "recall");
    for (rule, score) in planted::score(&series) {
        let (planted, stated) = (score.planted, score.stated);
        println!("{rule:16} {planted:8} {stated:8} {:10.3} {:8.3}", score.precision(), score.recall());
    }
}
