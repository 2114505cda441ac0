//! Each check: what fails it, what is a warning, and how much is counted.

use std::fmt::Write as _;

use super::{Case, HEAD, check, good, good_rows, halves, lines, not_passed, replaced, table, with};
use crate::support::parquet::{Values, file, text};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tabcast_table::{Check, CheckStatus, Columns, FileFormat, Limits};

#[test]
fn a_good_dataset_passes_every_check_and_has_its_figures() {
    let found = Case::csv(&good()).inspect().unwrap();
    let names: Vec<&str> = found.checks.iter().map(|check| check.name.name()).collect();
    let expected = [
        "required_columns",
        "nulls",
        "numeric_target",
        "duplicates",
        "timestamps",
        "min_history",
        "frequency",
        "volume",
    ];
    assert_eq!(names, expected);
    assert!(found.checks.iter().all(|check| check.count == 0 && check.sample_rows.is_empty()));
    assert!(found.is_valid() && !found.truncated && found.warnings.is_empty());
    assert_eq!((found.rows, found.items), (Some(40), Some(2)));
    assert_eq!((found.min_length, found.max_length), (Some(20), Some(20)));
    let day = 86_400_000_000;
    assert_eq!((found.start, found.end), (Some(20_454 * day), Some(20_473 * day)));
    assert_eq!(found.frequency.map(|frequency| frequency.alias()).as_deref(), Some("D"));
}

#[test]
fn each_fault_fails_its_check_alone_with_its_count_and_rows() {
    for (text, name, count, rows) in [
        (replaced(2, ",2026-01-02,2"), "nulls", 1, vec![2]),
        (with(&["c,2026-01-06,"]), "nulls", 1, vec![41]),
        (replaced(7, "a,2026-01-07,many"), "numeric_target", 1, vec![7]),
        (replaced(7, "a,2026-01-07,1e999"), "numeric_target", 1, vec![7]),
        (with(&["a,2026-01-03,9", "b,2026-01-03,9"]), "duplicates", 2, vec![41, 42]),
        (replaced(24, "b,someday,4"), "timestamps", 1, vec![24]),
        (replaced(24, "b,0000-01-01,4"), "timestamps", 1, vec![24]),
        (with(&["c,2026-01-06,1"]), "min_history", 1, vec![41]),
        (replaced(9, "a,2026-01-09"), "required_columns", 1, vec![9]),
        (replaced(9, "a,2026-01-09,4,5"), "required_columns", 1, vec![9]),
    ] {
        let found = Case::csv(&text).inspect().unwrap();
        let failed: Vec<&Check> =
            found.checks.iter().filter(|check| check.status == CheckStatus::Failed).collect();
        assert_eq!(failed.len(), 1, "{name}: {failed:?}");
        assert_eq!((failed[0].name.name(), failed[0].count), (name, count), "{text}");
        assert_eq!(failed[0].sample_rows, rows, "{text}");
        assert!(!failed[0].message.is_empty() && !Case::csv(&text).is_taken());
        assert_eq!(found.checks.len(), 8);
    }
    let irregular: Vec<String> =
        [1, 2, 4, 9, 11, 20].iter().map(|day| format!("a,2026-01-{day:02},1")).collect();
    let irregular = table(&irregular);
    let found = Case::csv(&irregular).inspect().unwrap();
    assert_eq!(not_passed(&found), [("frequency", "failed")]);
    assert_eq!(found.frequency, None);
    let good = good();
    let found = Case { freq: Some("W"), ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("frequency", "failed")]);
    assert!(check(&found, "frequency").message.contains("looks like freq D"), "{found:?}");
    let found = Case { freq: Some("D"), ..Case::csv(&good) }.inspect().unwrap();
    assert!(not_passed(&found).is_empty() && found.frequency.is_some());
    let limits = Limits { max_series: 1, ..Limits::default() };
    let found = Case { limits, ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("volume", "failed")]);
    let limits = Limits { max_rows: 4, ..Limits::default() };
    let found = Case { limits, ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("volume", "failed")]);
}

#[test]
fn all_faults_of_a_file_are_told_at_once() {
    let text = with(&[
        "c,2026-01-01,",
        "c,2026-01-02,",
        "a,2026-01-01,7",
        "a,2026-01-01,8",
        "d,2026-01-01,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        ",2026-01-01,y",
    ]);
    for threads in [1, 3] {
        let found = Case { threads, ..Case::csv(&text) }.inspect().unwrap();
        let all: Vec<_> = ["nulls", "numeric_target", "duplicates", "timestamps", "min_history"].into();
        assert_eq!(not_passed(&found).iter().map(|(name, _)| *name).collect::<Vec<_>>(), all);
        let summary = |name| (check(&found, name).count, check(&found, name).sample_rows.clone());
        // One row without an id, and one item without a value.
        assert_eq!(summary("nulls"), (2, vec![41, 52]));
        assert_eq!(summary("numeric_target"), (1, vec![52]));
        assert_eq!(summary("duplicates"), (2, vec![43, 44]));
        assert_eq!(summary("timestamps"), (6, vec![46, 47, 48, 49, 50]));
        assert_eq!(summary("min_history"), (1, vec![45]));
        assert_eq!(found.frequency.map(|frequency| frequency.alias()).as_deref(), Some("D"));
        assert_eq!(found.rows, Some(52));
    }
}

#[test]
fn what_a_forecast_puts_up_with_is_a_warning() {
    let found = Case::csv(&replaced(3, "a,2026-01-03,")).inspect().unwrap();
    assert_eq!(not_passed(&found), [("nulls", "warning")]);
    assert_eq!(check(&found, "nulls").sample_rows, [3]);
    let found = Case::csv(&replaced(3, "a,2026-01-03T00:00:00Z,3")).inspect().unwrap();
    assert_eq!(not_passed(&found), [("timestamps", "warning")]);
    assert_eq!(found.warnings[0].code, "mixed_time_zones");
    let mut gap = String::from(HEAD);
    for day in (1..=20).filter(|day| *day != 7) {
        writeln!(gap, "a,2026-01-{day:02},1").unwrap();
    }
    let found = Case::csv(&gap).inspect().unwrap();
    assert_eq!(not_passed(&found), [("frequency", "warning")]);
    assert_eq!((check(&found, "frequency").count, &check(&found, "frequency").sample_rows), (1, &vec![7]));
    assert!(found.is_valid() && Case::csv(&gap).is_taken());
}

#[test]
fn columns_that_are_missing_are_all_named_and_the_others_still_told() {
    let text = "id,timestamp,sales\na,2026-01-01,1\n";
    let found = Case::csv(text).inspect().unwrap();
    assert_eq!(found.checks.len(), 1);
    let required = check(&found, "required_columns");
    assert_eq!((required.status, required.count), (CheckStatus::Failed, 2));
    assert!(required.message.contains("'item_id'") && required.message.contains("'target'"));
    assert_eq!((found.rows, found.items, found.columns.len()), (None, None, 3));
    let twice = good().replace("timestamp,target", "timestamp,target,target").replace("-01,", "-01,1,");
    assert_eq!(not_passed(&Case::csv(&twice).inspect().unwrap()), [("required_columns", "failed")]);
}

#[test]
fn known_covariates_must_be_there_and_be_of_use() {
    let mut text = String::from("item_id,timestamp,target,price,promo,nothing\n");
    for (row, line) in good_rows().iter().enumerate() {
        writeln!(text, "{line},{row}.5,{},", if row == 3 { "none" } else { "1" }).unwrap();
    }
    let with = |names: &[&str]| {
        let covariates = names.iter().map(|name| (*name).to_owned()).collect();
        Case { columns: Columns { covariates, ..Columns::default() }, ..Case::csv(&text) }
    };
    assert!(not_passed(&with(&["price"]).inspect().unwrap()).is_empty());
    let found = with(&["price", "nothing", "promo"]).inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "warning")]);
    let codes: Vec<&str> = found.warnings.iter().map(|warning| &*warning.code).collect();
    assert_eq!(codes, ["unusable_covariate"]);
    let found = with(&["price", "weather"]).inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "failed")]);
    assert_eq!((found.rows, found.checks.len()), (Some(40), 8));
    assert!(check(&found, "required_columns").message.contains("'weather'"));
    assert!(!with(&["price", "weather"]).is_taken());
    assert!(!with(&["target"]).inspect().unwrap().is_valid());
}

#[test]
fn a_row_cap_ends_the_read_at_that_very_row() {
    let mut long = String::from(HEAD);
    let items = 40_000;
    for item in 0..items {
        for day in 1..=3 {
            writeln!(long, "item {item:05},2026-01-{day:02},{day}").unwrap();
        }
    }
    long.push_str("bad row\n");
    for threads in [1, 3] {
        for (cap, truncated) in
            [(1, true), (9, true), (99_999, true), (3 * items, true), (3 * items + 1, false)]
        {
            let limits = Limits { stop_after: Some(cap), ..Limits::default() };
            let found = Case { limits, threads, ..Case::csv(&long) }.inspect().unwrap();
            assert_eq!((found.rows, found.truncated), (Some(cap), truncated), "{cap}");
            assert_eq!(found.items, Some(cap.min(3 * items).div_ceil(3)));
            let expected = if truncated { CheckStatus::Warning } else { CheckStatus::Passed };
            assert_eq!(check(&found, "volume").status, expected);
            assert_eq!(check(&found, "required_columns").count, u64::from(!truncated));
        }
    }
    let days: Vec<String> = (1..=9).map(|day| format!("2026-01-0{day}")).collect();
    let group = |range: std::ops::Range<usize>| {
        vec![
            (text(&vec!["a"; range.len()]), None),
            (text(&days[range.clone()].iter().map(String::as_str).collect::<Vec<_>>()), None),
            (Values::Double(range.map(|day| day as f64).collect()), None),
        ]
    };
    let bytes = file(
        "message m { required binary item_id; required binary timestamp; required double target; }",
        vec![group(0..4), group(4..6), group(6..9)],
        WriterProperties::builder().build(),
    );
    for (cap, rows) in [(None, 9), (Some(3), 3), (Some(5), 5), (Some(9), 9)] {
        let limits = Limits { stop_after: cap, max_rows: 9, ..Limits::default() };
        let case = Case { bytes: &bytes, format: FileFormat::Parquet, limits, ..Case::csv("") };
        let found = case.inspect().unwrap();
        assert_eq!((found.rows, found.truncated), (Some(rows), rows < 9));
        assert!(found.is_valid());
    }
}

#[test]
fn what_is_no_dataset_is_an_error_as_for_a_forecast() {
    for (bytes, code) in [
        (&b""[..], "empty_file"),
        (HEAD.as_bytes(), "no_rows"),
        (b"PAR1item_id,timestamp,target\n", "format_mismatch"),
        (b"item_id,timestamp,target\na,2026-01-01,\xe9\n", "unsupported_encoding"),
        (b"item_id,timestamp,target\na,2026-01-01,\0\n", "nul_bytes"),
    ] {
        let case = Case { bytes, ..Case::csv("") };
        assert_eq!(case.inspect().unwrap_err().code, code);
        assert!(!case.is_taken());
    }
    // A quote that is never closed ends the read, and what stands before it is told.
    let text = format!("{}a,\"2026-01-06,1\n", good());
    let found = Case::csv(&text).inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "failed"), ("volume", "warning")]);
    assert_eq!((found.rows, found.items), (Some(40), Some(2)));
    let wide = Case { limits: Limits { max_columns: 2, ..Limits::default() }, ..Case::csv(&text) };
    assert_eq!(not_passed(&wide.inspect().unwrap()), [("volume", "failed")]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_fails_no_check_is_what_a_forecast_takes(
        rows in proptest::collection::vec((
            proptest::sample::select(vec!["a", "a", "a", "b", "b", "c", ""]),
            0_usize..12,
            proptest::sample::select(vec!["1", "2.5", "-3", "7", "1", "", "x", "inf"]),
        ), 0..14),
        tidy in any::<bool>(),
        freq in proptest::sample::select(vec![None, Some("D"), Some("h")]),
        threads in 1_usize..3,
    ) {
        let mut text = String::from(HEAD);
        for (place, (item, day, target)) in rows.iter().enumerate() {
            let stamp = match day {
                11 if !tidy => "never".to_owned(),
                day => format!("2026-01-{:02}", if tidy { place + 1 } else { day + 1 }),
            };
            let target = if tidy && target.parse::<i64>().is_err() { "4" } else { target };
            writeln!(text, "{},{stamp},{target}", if tidy { "a" } else { item }).unwrap();
        }
        let agrees = |case: &Case| case.inspect().is_ok_and(|found| found.is_valid()) == case.is_taken();
        prop_assert!(agrees(&Case { freq, threads, ..Case::csv(&text) }), "{}", text);
        let objects = lines(&text);
        let format = FileFormat::Jsonl;
        prop_assert!(agrees(&Case { format, freq, threads, ..Case::csv(&objects) }), "{}", objects);
        let [first, second] = halves(&text, rows.len() / 2);
        prop_assert!(
            agrees(&Case { freq, threads, more: &[second.as_bytes()], ..Case::csv(&first) }),
            "{}{}", first, second
        );
    }
}
