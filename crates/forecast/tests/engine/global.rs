//! Trees of all series: they win where covariates decide, do no harm where nothing is shared, and take no part
//! otherwise.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use tabcast_forecast::Options;
use tempfile::TempDir;

use crate::support::{forecast, named, options, rows, uniform};

const HORIZON: usize = 14;
const DAYS: usize = 210;

/// A panel as a file, and what happens in the horizon, series by series.
struct Panel {
    _folder: TempDir,
    path: PathBuf,
    ahead: Vec<Vec<f64>>,
}

/// Writes series of `(covariates, value)` from `DAYS` or `length` steps on with targets left out for the horizon.
fn panel(
    header: &str,
    series: usize,
    length: usize,
    mut step: impl FnMut(usize, usize) -> (String, f64),
) -> Panel {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("panel.csv");
    let mut text = format!("item_id,timestamp,target{header}\n");
    let mut ahead = vec![Vec::new(); series];
    for (number, ahead) in ahead.iter_mut().enumerate() {
        for day in 0..length + HORIZON {
            let stamp = 1_577_836_800 + day as i64 * 86_400;
            let (covariates, value) = step(number, day);
            let target = if day < length { value.to_string() } else { String::new() };
            if day >= length {
                ahead.push(value);
            }
            writeln!(text, "s{number:03},{stamp},{target}{covariates}").expect("a string takes everything");
        }
    }
    fs::write(&path, text).expect("the panel is written");
    Panel { _folder: folder, path, ahead }
}

/// Shops that sell by weekday and size, nothing when closed, and in a campaign more the nearer the week-end is: no
/// sum of effects.
fn shops(series: usize) -> Panel {
    let mut draw = uniform();
    panel(",open,campaign,discount", series, DAYS, move |shop, day| {
        let size = 50.0 + 10.0 * shop as f64;
        let open = day % 7 != 6 && (day * 13 + shop * 5) % 41 != 0;
        let campaign = (day / 7 * 7 + shop / 3) % 5 < 2;
        let discount = if campaign { (day / 7 * 3 + shop) % 4 } else { 0 };
        let lift =
            if campaign { 1.2 + 0.1 * (day % 7) as f64 + 0.3 * (discount as f64).powi(2) } else { 1.0 };
        let value = size * (1.0 + 0.1 * (day % 7) as f64) * lift * (0.95 + 0.1 * draw());
        let value = if open { value } else { 0.0 };
        (format!(",{},{},{discount}", u8::from(open), u8::from(campaign)), value)
    })
}

/// Mean absolute error in parts of the mean value.
fn error(panel: &Panel, preset: &str, covariates: &[&str], global_member: bool) -> f64 {
    let finished = forecast(with(panel, preset, covariates, global_member)).expect("a forecast");
    let found = rows(&finished.csv);
    let actual: Vec<f64> = panel.ahead.iter().flatten().copied().collect();
    assert_eq!(found.len(), actual.len());
    let size: f64 = actual.iter().map(|value| value.abs()).sum();
    found.iter().zip(&actual).map(|(row, value)| (row.mean - value).abs()).sum::<f64>() / size
}

fn with(panel: &Panel, preset: &str, covariates: &[&str], global_member: bool) -> Options {
    let mut options =
        Options { prediction_length: HORIZON, preset: named(preset), global_member, ..options(&panel.path) };
    options.columns.covariates = covariates.iter().map(|&name| name.to_owned()).collect();
    options
}

const SHOPS: [&str; 3] = ["open", "campaign", "discount"];

#[test]
fn what_covariates_do_together_is_learned_from_all_series() {
    let panel = shops(30);
    for preset in ["balanced", "best"] {
        let (with, without) = (error(&panel, preset, &SHOPS, true), error(&panel, preset, &SHOPS, false));
        assert!(with < 0.7 * without, "{preset}: {with} and {without}");
    }
}

#[test]
fn series_that_share_nothing_are_not_harmed() {
    let mut draw = uniform();
    let mut level = 0.0;
    let walks = panel("", 40, 120, move |series, day| {
        level = if day == 0 { 200.0 } else { level + 10.0 * (draw() - 0.5) };
        (String::new(), level + 3.0 * ((day + series) % 7) as f64)
    });
    for preset in ["balanced", "best"] {
        let (with, without) = (error(&walks, preset, &[], true), error(&walks, preset, &[], false));
        assert!(with < 1.04 * without, "{preset}: {with} and {without}");
    }
}

#[test]
fn the_report_lists_the_members_and_what_they_were_learned_from() {
    let panel = shops(25);
    for (preset, global_member, expected) in
        [("best", true, 2), ("balanced", true, 1), ("fast", true, 0), ("best", false, 0)]
    {
        let report = forecast(with(&panel, preset, &SHOPS, global_member)).expect("a forecast").report;
        let members = report["classes"][0]["members"].as_array().expect("members");
        let global =
            members.iter().filter(|name| name.as_str().is_some_and(|name| name.starts_with("global_")));
        assert_eq!(global.count(), expected, "{preset}, {global_member}");
        assert_eq!(report["global"]["series"] == 25, expected > 0);
        assert_eq!(report["global"]["rows"].as_u64().is_some_and(|rows| rows > 1_000), expected > 0);
    }
}

#[test]
fn threads_change_nothing() {
    let panel = shops(12);
    let with_threads = |threads: usize| {
        let options = Options { threads, ..with(&panel, "best", &SHOPS, true) };
        forecast(options).expect("a forecast").csv
    };
    assert_eq!(with_threads(1), with_threads(3));
}

#[test]
fn short_and_constant_series_have_no_such_member_and_are_forecast() {
    let short = panel("", 30, 9, |series, day| (String::new(), ((series + day) * 7 % 11) as f64));
    let constant = panel("", 30, 60, |series, _| (String::new(), series as f64));
    for panel in [&short, &constant] {
        let finished = forecast(with(panel, "best", &[], true)).expect("a forecast");
        assert!(finished.report.get("global").is_none());
        assert_eq!(rows(&finished.csv).len(), 30 * HORIZON);
    }
}

#[test]
fn one_series_is_enough_to_learn_from() {
    let mut draw = uniform();
    let heated = panel(",temperature", 1, 600, move |_, day| {
        let temperature = 12.0 - 10.0 * (day as f64 / 58.1).cos() + 8.0 * (draw() - 0.5);
        let value = 100.0 + 4.0 * (15.0 - temperature).max(0.0) + 6.0 * (temperature - 18.0).max(0.0);
        (format!(",{temperature:.2}"), value + 4.0 * (draw() - 0.5))
    });
    let (with, without) =
        (error(&heated, "best", &["temperature"], true), error(&heated, "best", &["temperature"], false));
    assert!(with < 0.9 * without, "{with} and {without}");
}
