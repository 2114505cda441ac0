//! Compares the likelihood of one form at its optimum with that at parameters from elsewhere.
//!
//! Each line of the file is `form;season;parameters;values`, the last two comma-separated; see
//! `tabcast_models::likelihood::compare` for names and parameters. Prints a line of JSON for each of them: whether
//! the search fits the form, whether the given parameters are admissible, and the difference of the log-likelihoods,
//! the optimum's less theirs (null when one of them has none).
//!
//! `cargo run --release -p tabcast-models --example likelihood -- FILE`

use std::env;
use std::error::Error;
use std::fs;

use tabcast_models::likelihood::compare;

fn numbers(text: &str) -> Result<Vec<f64>, Box<dyn Error>> {
    Ok(text.split(',').filter(|part| !part.is_empty()).map(str::parse).collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: FILE")?;
    for line in fs::read_to_string(path)?.lines() {
        let [form, season, parameters, values] = line.split(';').collect::<Vec<_>>()[..] else {
            return Err("a line is form;season;parameters;values".into());
        };
        let found = compare(form, season.parse()?, &numbers(values)?, &numbers(parameters)?)
            .ok_or_else(|| format!("no form {form}"))?;
        let admissible = found.given.is_some_and(|given| given.admissible);
        let gain = found.optimum.zip(found.given).map(|(own, given)| own - given.value);
        println!(
            r#"{{"form": "{form}", "fitted": {}, "admissible": {admissible}, "gain": {}}}"#,
            found.optimum.is_some(),
            gain.map_or_else(|| "null".into(), |gain| format!("{gain:.6}")),
        );
    }
    Ok(())
}
