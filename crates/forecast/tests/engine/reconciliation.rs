//! Forecasts of hierarchies: which rows there are, that they add up as they are written, and what becomes of series that do
//! not fit together.

use std::fmt::Write as _;
use std::path::PathBuf;

use tabcast_forecast::{Failure, Options, ReconciliationOptions};
use tempfile::TempDir;

use crate::support::{Finished, check_invariants, forecast, options, rows, uniform};

const METHODS: [(&str, &str, &str); 8] = [
    ("bottom_up", "wls_struct", "forecast_proportions"),
    ("top_down", "wls_struct", "proportions_of_historical_totals"),
    ("top_down", "wls_struct", "average_historical_proportions"),
    ("top_down", "wls_struct", "forecast_proportions"),
    ("min_trace", "ols", "forecast_proportions"),
    ("min_trace", "wls_struct", "forecast_proportions"),
    ("min_trace", "wls_var", "forecast_proportions"),
    ("min_trace", "shrink", "forecast_proportions"),
];

fn with(method: (&str, &str, &str)) -> ReconciliationOptions {
    ReconciliationOptions {
        method: method.0.to_owned(),
        weights: method.1.to_owned(),
        top_down_method: method.2.to_owned(),
        ..ReconciliationOptions::default()
    }
}

/// A file in a folder of its own.
struct Dataset {
    _folder: TempDir,
    path: PathBuf,
}

fn write(text: &str) -> Dataset {
    let folder = TempDir::new().expect("a temporary folder");
    let path = folder.path().join("data.csv");
    std::fs::write(&path, text).expect("the file is written");
    Dataset { _folder: folder, path }
}

/// The first of month `index`, from January 2015 on.
fn month(index: usize) -> String {
    format!("{}-{:02}-01", 2015 + index / 12, index % 12 + 1)
}

/// Monthly sales of 2 regions with 2 and 3 shops, as `region,shop,timestamp,target`.
fn shops(months: usize) -> String {
    let mut random = uniform();
    let mut text = "region,shop,timestamp,target\n".to_owned();
    for (region, shop, level) in [
        ("north", "a", 40.0),
        ("north", "b", 90.0),
        ("south", "a", 15.0),
        ("south", "c", 60.0),
        ("south", "d", 25.0),
    ] {
        for index in 0..months {
            let season = 1.0 + 0.3 * (index as f64 * std::f64::consts::TAU / 12.0).sin();
            let value = level * season * (1.0 + index as f64 / 200.0) + 5.0 * random();
            writeln!(text, "{region},{shop},{},{value:.2}", month(index)).expect("a string takes it");
        }
    }
    text
}

fn columns() -> Vec<String> {
    vec!["region".to_owned(), "shop".to_owned()]
}

fn run(
    text: &str,
    reconciliation: ReconciliationOptions,
    change: impl FnOnce(&mut Options),
) -> Result<Finished, Failure> {
    let dataset = write(text);
    let mut options = Options { reconciliation: Some(reconciliation), ..options(&dataset.path) };
    change(&mut options);
    forecast(options)
}

/// The code of the content error that a run ends with.
fn refused(text: &str, reconciliation: ReconciliationOptions, preset: &str) -> (&'static str, String) {
    match run(text, reconciliation, |options| preset.clone_into(&mut options.preset)) {
        Err(Failure::Content(error)) => (error.code, error.message.clone()),
        Err(other) => panic!("expected a content error, got {other}"),
        Ok(_) => panic!("expected a content error, got a forecast"),
    }
}

/// The mean column as it stands in the file: item, timestamp and the decimal number without its point.
fn means(csv: &str, exponent: i32) -> Vec<(String, String, i128)> {
    csv.lines()
        .skip(1)
        .map(|line| {
            let cells: Vec<&str> = line.splitn(4, ',').collect();
            (cells[0].to_owned(), cells[1].to_owned(), decimal(cells[2], exponent))
        })
        .collect()
}

/// A decimal as a multiple of a power of ten, from its digits.
fn decimal(text: &str, exponent: i32) -> i128 {
    let (number, shift) = text
        .split_once(['e', 'E'])
        .map_or((text, 0), |(number, power)| (number, power.parse::<i32>().expect("a power")));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().expect("digits");
    let power = shift - fraction.len() as i32 - exponent;
    if power >= 0 {
        digits * 10_i128.pow(power.unsigned_abs())
    } else {
        let divisor = 10_i128.pow(power.unsigned_abs());
        assert_eq!(digits % divisor, 0, "{text} does not lie on the grid of 10^{exponent}");
        digits / divisor
    }
}

/// Every mean of a sum is the sum of the means below it, digit by digit.
fn check_sums(finished: &Finished, total: &str, separator: &str) {
    let largest = rows(&finished.csv).iter().map(|row| row.mean.abs()).fold(0.0, f64::max);
    let exponent = largest.log10().floor() as i32 - 14;
    let means = means(&finished.csv, exponent);
    let level = |id: &str| if id == total { 0 } else { id.split(separator).count() };
    let deepest = means.iter().map(|(id, ..)| level(id)).max().expect("rows");
    for (id, stamp, mean) in &means {
        let depth = level(id);
        if depth == deepest {
            continue;
        }
        let below = means.iter().filter(|(other, time, _)| {
            time == stamp
                && level(other) == depth + 1
                && (id == total || other.starts_with(&format!("{id}{separator}")))
        });
        assert_eq!(below.map(|(.., mean)| mean).sum::<i128>(), *mean, "{id} at {stamp}");
    }
}

#[test]
fn every_node_is_forecast_and_every_method_adds_up_to_the_last_digit() {
    let text = shops(60);
    for method in METHODS {
        for preset in ["fast", "balanced"] {
            let name = format!("{method:?} {preset}");
            let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(method) };
            let finished = run(&text, wanted, |options| options.preset = preset.to_owned()).expect(&name);
            check_invariants(&name, &finished);
            check_sums(&finished, "total", "/");
            let ids: Vec<String> =
                rows(&finished.csv).iter().step_by(6).map(|row| row.item.clone()).collect();
            let nodes = ["total", "north", "south", "north/a", "north/b", "south/a", "south/c", "south/d"];
            assert_eq!(ids, nodes, "{name}");
            assert!(
                rows(&finished.csv).iter().all(|row| row.mean >= 0.0 && row.quantiles[0] >= 0.0),
                "{name}"
            );
            assert_eq!((finished.summary.num_items, finished.summary.rows), (5, 48), "{name}");

            let summary = finished.summary.reconciliation.expect("a summary");
            assert_eq!(summary.method, method.0);
            assert_eq!(summary.weights.as_deref(), (method.0 == "min_trace").then_some(method.1));
            assert_eq!(summary.top_down_method.as_deref(), (method.0 == "top_down").then_some(method.2));
            let levels =
                [("total", 1), ("region", 2), ("shop", 5)].map(|(name, nodes)| (name.to_owned(), nodes));
            assert_eq!(summary.levels, levels, "{name}");
            assert_eq!((summary.num_series, summary.num_bottom), (8, 5), "{name}");
            let estimated = method.0 == "min_trace" && ["wls_var", "shrink"].contains(&method.1);
            assert_eq!(summary.residual_windows_used, u32::from(estimated), "{name}");
            assert_eq!(summary.shrinkage.is_some(), method.1 == "shrink", "{name}");
            assert!(summary.shrinkage.is_none_or(|share| (0.0..=1.0).contains(&share)), "{name}");
            assert!(summary.max_incoherence_before > 0.0, "{name}");
            assert_eq!(summary.max_incoherence_after, 0.0, "{name}");
            assert_eq!(summary.fallback, None, "{name}");
        }
    }
}

#[test]
fn item_ids_are_split_where_no_columns_are_named() {
    let text =
        shops(48).replace("region,shop,", "item_id,").replace("north,", "north|").replace("south,", "south|");
    let wanted = ReconciliationOptions {
        separator: "|".to_owned(),
        total_label: "all".to_owned(),
        ..ReconciliationOptions::default()
    };
    let by_id = run(&text, wanted.clone(), |_| ()).expect("a forecast");
    check_sums(&by_id, "all", "|");
    let levels: Vec<String> = by_id
        .summary
        .reconciliation
        .as_ref()
        .expect("a summary")
        .levels
        .iter()
        .map(|(name, _)| name.clone())
        .collect();
    assert_eq!(levels, ["all", "level_1", "level_2"]);
    let by_column = run(&shops(48), ReconciliationOptions { hierarchy_columns: columns(), ..wanted }, |_| ())
        .expect("a forecast");
    assert_eq!(by_id.csv, by_column.csv, "the same hierarchy, named in another way");
}

#[test]
fn the_files_do_not_depend_on_the_number_of_threads() {
    for method in METHODS {
        let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(method) };
        let one = run(&shops(40), wanted.clone(), |options| options.threads = 1).expect("a forecast");
        let three = run(&shops(40), wanted, |options| options.threads = 3).expect("a forecast");
        assert_eq!(one.csv, three.csv, "{method:?}");
        assert_eq!(one.summary.reconciliation, three.summary.reconciliation, "{method:?}");
    }
}

#[test]
fn the_forecast_of_a_sum_is_that_of_the_history_of_its_sum() {
    // Bottom-up leaves the bottom series as they are without a hierarchy.
    let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(METHODS[0]) };
    let finished = run(&shops(60), wanted, |options| options.preset = "fast".to_owned()).expect("a forecast");
    let flat =
        shops(60).replace("region,shop,", "item_id,").replace("north,", "north/").replace("south,", "south/");
    let dataset = write(&flat);
    let alone =
        forecast(Options { preset: "fast".to_owned(), ..options(&dataset.path) }).expect("a forecast");
    let bottom = &rows(&finished.csv)[18..];
    for (row, other) in bottom.iter().zip(rows(&alone.csv)) {
        assert_eq!((&row.item, &row.timestamp), (&other.item, &other.timestamp));
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-6 * b.abs().max(1.0);
        assert!(close(row.mean, other.mean), "{row:?} {other:?}");
        assert!(row.quantiles.iter().zip(&other.quantiles).all(|(a, b)| close(*a, *b)), "{row:?} {other:?}");
    }
}

#[test]
fn a_history_too_short_for_the_residual_windows_falls_back_and_says_so() {
    for weights in ["wls_var", "shrink"] {
        let wanted = ReconciliationOptions {
            hierarchy_columns: columns(),
            residual_windows: 5,
            ..with(("min_trace", weights, "forecast_proportions"))
        };
        let finished = run(&shops(30), wanted, |_| ()).expect("a forecast");
        let summary = finished.summary.reconciliation.as_ref().expect("a summary");
        let fallback = summary.fallback.as_ref().expect("a fallback");
        assert_eq!((fallback.from.as_str(), fallback.to.as_str()), (weights, "wls_struct"));
        assert!(fallback.reason.contains("needs 36 steps of history; there are 30"), "{}", fallback.reason);
        assert_eq!(summary.weights.as_deref(), Some("wls_struct"));
        assert_eq!(summary.residual_windows_used, 0);
        assert_eq!(summary.shrinkage, None);
        check_sums(&finished, "total", "/");
    }
}

#[test]
fn windows_that_fit_are_used() {
    for preset in ["fast", "balanced", "best"] {
        let wanted = ReconciliationOptions {
            hierarchy_columns: columns(),
            residual_windows: 3,
            ..with(("min_trace", "wls_var", "forecast_proportions"))
        };
        let finished =
            run(&shops(60), wanted, |options| options.preset = preset.to_owned()).expect("a forecast");
        let summary = finished.summary.reconciliation.as_ref().expect("a summary");
        assert_eq!((summary.residual_windows_used, &summary.fallback), (3, &None), "{preset}");
        check_sums(&finished, "total", "/");
    }
}

#[test]
fn a_small_file_that_asks_for_long_histories_of_many_sums_is_refused() {
    let below = "/a".repeat(19);
    let mut text = "item_id,timestamp,target\n".to_owned();
    for top in 0..28_000 {
        writeln!(text, "{top}{below},2000-01-01,1\n{top}{below},2000-01-02,2").expect("a string takes it");
    }
    writeln!(text, "late{below},2002-09-01,1\nlate{below},2002-09-02,2").expect("a string takes it");
    let (code, message) = refused(&text, ReconciliationOptions::default(), "fast");
    assert_eq!(code, "sums_too_long", "{message}");
}

/// Rows of one shop without those of some months.
fn without(text: &str, shop: &str, months: std::ops::Range<usize>) -> String {
    let gone: Vec<String> = months.map(month).collect();
    let keep =
        |line: &&str| !(line.starts_with(shop) && gone.iter().any(|month| line.contains(month.as_str())));
    text.split_inclusive('\n').filter(keep).collect()
}

#[test]
fn series_that_begin_or_end_apart_are_counted_and_forecast_for_the_same_steps() {
    let begins = without(&shops(60), "south,c", 0..30);
    let late = without(&begins, "north,a", 58..60);
    let over = without(&late, "south,d", 40..60);
    for method in METHODS {
        let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..with(method) };
        let finished = run(&over, wanted, |_| ()).expect("a forecast");
        check_invariants(&format!("{method:?}"), &finished);
        check_sums(&finished, "total", "/");
        let stamps: Vec<String> = rows(&finished.csv).iter().map(|row| row.timestamp.clone()).collect();
        for node in stamps.chunks(6) {
            assert_eq!(node, &stamps[..6], "all nodes have the steps of the series that goes on longest");
            assert_eq!(node[0], "2020-01-01 00:00:00");
        }
        let warned = |code: &str| {
            finished.summary.warnings.iter().find(|warning| warning.code == code).map(|warning| warning.count)
        };
        assert_eq!(warned("series_begin_late"), Some(1), "{:?}", finished.summary.warnings);
        assert_eq!(warned("series_end_late"), Some(1), "{:?}", finished.summary.warnings);
        assert_eq!(warned("series_over"), Some(1), "{:?}", finished.summary.warnings);
        if method.0 == "bottom_up" {
            let over = rows(&finished.csv)
                .into_iter()
                .filter(|row| row.item == "south/d")
                .map(|row| row.mean)
                .fold(0.0, f64::max);
            assert!(over < 5.0, "a shop that closed 20 months ago sells nothing: {over}");
        }
    }
}

#[test]
fn zeros_negatives_and_constants_add_up() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..40 {
        for (item, value) in [
            ("x/zero", 0.0),
            ("x/none", 0.0),
            ("y/constant", 7.25),
            ("y/negative", -3.0 - (index % 4) as f64),
            ("z/both", (index % 5) as f64 - 2.0),
        ] {
            writeln!(text, "{item},{},{value}", month(index)).expect("a string takes it");
        }
    }
    for method in METHODS {
        let finished = run(&text, with(method), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
        check_invariants(&format!("{method:?}"), &finished);
    }
}

#[test]
fn nothing_is_negative_where_nothing_was() {
    // The second shop takes all from the first, so that unrestricted least squares goes below zero.
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..48_usize {
        let falling = 100.0 - 2.0 * index as f64;
        writeln!(text, "a/falling,{},{}", month(index), falling.max(0.0)).expect("a string takes it");
        writeln!(text, "a/rising,{},{}", month(index), 2.0 * index as f64).expect("a string takes it");
        writeln!(text, "b/other,{},{}", month(index), index % 7).expect("a string takes it");
    }
    for method in METHODS {
        let finished = run(&text, with(method), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
        assert!(
            rows(&finished.csv).iter().all(|row| row.mean >= 0.0 && row.quantiles[0] >= 0.0),
            "{method:?}"
        );
    }
}

#[test]
fn every_scale_adds_up() {
    for scale in [1e-300, 1e-12, 1e-3, 1e9, 1e15, 1e200] {
        let mut text = "item_id,timestamp,target\n".to_owned();
        for index in 0..36 {
            for (item, level) in [("a/1", 3.0), ("a/2", 5.0), ("b/1", 11.0)] {
                let value = scale * (level + f64::from(index % 12) + f64::from(index) / 7.0);
                writeln!(text, "{item},{},{value:e}", month(index as usize)).expect("a string takes it");
            }
        }
        for method in METHODS {
            let finished = run(&text, with(method), |_| ()).expect("a forecast");
            check_sums(&finished, "total", "/");
            let summary = finished.summary.reconciliation.expect("a summary");
            assert_eq!(summary.warnings, Vec::<String>::new(), "{method:?} at {scale}");
        }
    }
}

#[test]
fn sums_that_no_number_holds_are_refused() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..30 {
        for item in ["a/1", "a/2"] {
            writeln!(text, "{item},{},{}e307", month(index), 10 + index % 3).expect("a string takes it");
        }
    }
    let (code, message) = refused(&text, ReconciliationOptions::default(), "balanced");
    assert_eq!(code, "sum_out_of_range", "{message}");
}

#[test]
fn ids_that_make_no_tree_are_named() {
    let series = |ids: &[&str]| {
        let mut text = "item_id,timestamp,target\n".to_owned();
        for id in ids {
            for index in 0..24 {
                writeln!(text, "{id},{},{index}", month(index)).expect("a string takes it");
            }
        }
        text
    };
    let default = ReconciliationOptions::default;
    for (ids, code, named) in [
        (vec!["a/b", "a/c", "d"], "hierarchy_depth", "'d'"),
        (vec!["a/b", "a/c", "a/b/c"], "hierarchy_depth", "'a/b/c'"),
        (vec!["a/b", "/c"], "missing_hierarchy_value", "'/c'"),
        (vec!["a/b", "total/c"], "total_label_taken", "'total/c'"),
        (vec!["total", "other"], "total_label_taken", "'total'"),
    ] {
        let (found, message) = refused(&series(&ids), default(), "balanced");
        assert_eq!(found, code, "{ids:?}: {message}");
        assert!(message.contains(named), "{ids:?}: {message}");
    }
    // One series alone has a total above it; so has a chain of one child after the other.
    for ids in [vec!["alone"], vec!["a/b/c/d"], vec!["a/b/c", "a/b/d"]] {
        let finished = run(&series(&ids), default(), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
    }
}

#[test]
fn series_beside_the_frequency_cannot_be_added_up() {
    let mut text =
        shops(40).replace("region,shop,", "item_id,").replace("north,", "north/").replace("south,", "south/");
    for day in 0..12 {
        writeln!(text, "north/odd,2015-03-{:02},{}", day + 1, day).expect("a string takes it");
    }
    let (code, message) = refused(&text, ReconciliationOptions::default(), "balanced");
    assert_eq!(code, "off_grid_series", "{message}");
    assert!(message.contains("'north/odd'"), "{message}");
}

#[test]
fn a_series_whose_steps_end_behind_those_of_the_latest_observation_ends_with_it() {
    // The last reading of `a` comes late and counts for the midnight after it; that of `b` comes later still, and counts for
    // the half past nine before it.
    let mut text = "item_id,timestamp,target\n".to_owned();
    for day in 1..=28 {
        let (first, second) = if day == 28 { ("13:00", "14:00") } else { ("00:00", "09:30") };
        writeln!(text, "a,2024-02-{day:02} {first}:00,{}", 10 + day % 7).expect("a string takes it");
        writeln!(text, "b,2024-02-{day:02} {second}:00,{}", 20 + day % 7).expect("a string takes it");
    }
    let finished = run(&text, with(METHODS[0]), |_| ()).expect("a forecast");
    check_sums(&finished, "total", "/");
    let warned = |code: &str| finished.summary.warnings.iter().any(|warning| warning.code == code);
    assert!(warned("steps_shifted") && !warned("series_over"), "{:?}", finished.summary.warnings);
}

/// Months of three series with values that a rule gives.
fn ledger(value: impl Fn(&str, usize) -> f64) -> String {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for id in ["a/rent", "a/tax", "b/rent"] {
        for index in 0..40 {
            writeln!(text, "{id},{},{:.3}", month(index), value(id, index)).expect("a string takes it");
        }
    }
    text
}

#[test]
fn costs_are_divided_from_the_top_like_sales() {
    let level = |id: &str| match id {
        "a/rent" => 1000.0,
        "a/tax" => 10.0,
        _ => 50.0,
    };
    let text = ledger(|id, index| -level(id) - (index % 3) as f64);
    for method in &METHODS[1..4] {
        let finished = run(&text, with(*method), |_| ()).expect("a forecast");
        check_sums(&finished, "total", "/");
        for row in rows(&finished.csv).iter().filter(|row| row.item.contains('/')) {
            let wanted = -level(&row.item) - 1.0;
            assert!((row.mean - wanted).abs() < 5.0, "{method:?} {row:?} {wanted}");
        }
        assert_eq!(finished.summary.reconciliation.expect("a summary").warnings, Vec::<String>::new());
    }
}

#[test]
fn a_share_of_the_other_sign_is_said() {
    let text = ledger(|id, index| if id == "a/tax" { -30.0 } else { 100.0 } + (index % 3) as f64);
    for method in &METHODS[1..3] {
        let finished = run(&text, with(*method), |_| ()).expect("a forecast");
        let warnings = finished.summary.reconciliation.expect("a summary").warnings;
        assert!(
            warnings.iter().any(|text| text.contains("another sign") && text.ends_with(": 1.")),
            "{warnings:?}"
        );
    }
}

#[test]
fn a_series_that_ended_long_ago_does_not_draw_the_others_down() {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for index in 0..60 {
        let stamp = 1_577_836_800 + index * 86_400;
        writeln!(text, "a/alive,{stamp},{}", 60 + index % 7).expect("a string takes it");
        if index < 3 {
            writeln!(text, "a/over,{},5", stamp - 10_000 * 86_400).expect("a string takes it");
        }
    }
    let finished = run(&text, ReconciliationOptions::default(), |_| ()).expect("a forecast");
    for row in rows(&finished.csv) {
        let wanted = if row.item == "a/over" { 0.0 } else { 63.0 };
        assert!((row.mean - wanted).abs() < 4.0, "{row:?}");
    }
    let codes: Vec<&str> = finished.summary.warnings.iter().map(|warning| warning.code).collect();
    assert!(codes.contains(&"series_over") && !codes.contains(&"series_begin_late"), "{codes:?}");
}

#[test]
fn a_week_of_days_may_be_late() {
    let days = |late: i64| {
        let mut text = "item_id,timestamp,target\n".to_owned();
        for (id, level, end) in [("a/x", 64, 60), ("a/y", 73, 60 - late), ("b/z", 83, 60)] {
            for index in 0..end {
                writeln!(text, "{id},{},{}", 1_577_836_800 + index * 86_400, level + index % 7)
                    .expect("a string takes it");
            }
        }
        text
    };
    for late in [1, 4, 7] {
        let finished = run(&days(late), ReconciliationOptions::default(), |_| ()).expect("a forecast");
        for row in rows(&finished.csv).iter().filter(|row| row.item == "a/y") {
            assert!((row.mean - 76.0).abs() < 5.0, "{late}: {row:?}");
        }
    }
}

#[test]
fn covariates_must_be_known_for_the_steps_that_are_forecast_of_all() {
    let mut text = "item_id,timestamp,target,promo\n".to_owned();
    for (id, end, rows) in [("a/x", 94, 100), ("a/y", 92, 98)] {
        for index in 0..rows {
            let promo = u8::from(index % 5 == 2);
            let target = if index < end { (100 + 50 * u32::from(promo)).to_string() } else { String::new() };
            writeln!(text, "{id},{},{target},{promo}", 1_577_836_800_i64 + index * 86_400)
                .expect("a string takes it");
        }
    }
    let with_promo = |options: &mut Options| options.columns.covariates = vec!["promo".to_owned()];
    match run(&text, ReconciliationOptions::default(), with_promo) {
        Err(Failure::Content(error)) => {
            assert_eq!(error.code, "partial_future_covariate", "{error:?}");
            assert!(error.message.contains("'a/y'"), "{}", error.message);
        }
        _ => panic!("two days of a/y are not known"),
    }
}

#[test]
fn covariates_reach_the_sums() {
    let mut random = uniform();
    let mut text = "region,shop,timestamp,target,visitors,holiday,weather\n".to_owned();
    for (region, shop) in [("north", "a"), ("north", "b"), ("south", "a")] {
        for index in 0..54 {
            let visitors = 20.0 + (80.0 * random()).floor();
            let holiday = u8::from(index % 9 == 0);
            let weather = if random() > 0.7 { "rain" } else { "sun" };
            let target = if index < 48 {
                format!("{:.2}", 3.0 * visitors + 50.0 * f64::from(holiday) + random())
            } else {
                String::new()
            };
            writeln!(text, "{region},{shop},{},{target},{visitors},{holiday},{weather}", month(index))
                .expect("a string takes it");
        }
    }
    let wanted = ReconciliationOptions { hierarchy_columns: columns(), ..ReconciliationOptions::default() };
    let covariates = ["visitors", "holiday", "weather"].map(str::to_owned).to_vec();
    let finished =
        run(&text, wanted.clone(), |options| options.columns.covariates = covariates).expect("a forecast");
    check_sums(&finished, "total", "/");
    let blind = run(&text, wanted, |_| ()).expect("a forecast");
    let width = |finished: &Finished| {
        let total = &rows(&finished.csv)[..6];
        total.iter().map(|row| row.quantiles[8] - row.quantiles[0]).sum::<f64>()
    };
    assert!(width(&finished) < 0.3 * width(&blind), "{} {}", width(&finished), width(&blind));
}

#[test]
fn covariates_of_series_with_other_times_of_day_count_as_well() {
    let mut random = uniform();
    let mut text = "item_id,timestamp,target,visitors\n".to_owned();
    for (item, time, level) in [("a", "00:00", 3.0), ("b", "09:30", 5.0)] {
        for day in 0..60 {
            let visitors = 20.0 + (80.0 * random()).floor();
            let target = if day < 54 { format!("{:.2}", level * visitors + random()) } else { String::new() };
            // June has 30 days, July more than are needed.
            let date = format!("2024-{:02}-{:02}", 6 + day / 30, 1 + day % 30);
            writeln!(text, "{item},{date} {time}:00,{target},{visitors}").expect("a string takes it");
        }
    }
    let covariates = vec!["visitors".to_owned()];
    let finished = run(&text, with(METHODS[0]), |options| options.columns.covariates = covariates);
    let finished = finished.expect("a forecast");
    check_sums(&finished, "total", "/");
    let blind = run(&text, with(METHODS[0]), |_| ()).expect("a forecast");
    for node in 0..3 {
        let width = |finished: &Finished| {
            let rows = &rows(&finished.csv)[6 * node..6 * node + 6];
            rows.iter().map(|row| row.quantiles[8] - row.quantiles[0]).sum::<f64>()
        };
        assert!(width(&finished) < 0.3 * width(&blind), "{} {}", width(&finished), width(&blind));
    }
}
