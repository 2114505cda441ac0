//! Timestamps that are finer than a microsecond, or less than a second apart.

use std::sync::atomic::AtomicBool;

use tabcast_table::{CheckName, CheckStatus, FileFormat, InspectOptions, find_frequency, inspect};

use crate::support::parquet::{self, Values};
use crate::support::workbook::{Cell, text, xlsx};
use crate::support::{Folder, options_for, read_bytes};

const START: i64 = 1_704_067_200;

/// Four rows of one item that are so many nanoseconds apart, in each format that has such stamps.
fn files(apart: i64) -> Vec<(&'static str, FileFormat, Vec<u8>)> {
    let stamps: Vec<i64> = (0..4).map(|row| START * 1_000_000_000 + row * apart + 1).collect();
    let iso = |nanos: &i64| {
        format!("2024-01-01T00:00:{:02}.{:09}Z", nanos / 1_000_000_000 - START, nanos % 1_000_000_000)
    };
    let rows = |stamp: &dyn Fn(&i64) -> String| -> Vec<String> { stamps.iter().map(stamp).collect() };
    let csv = |cells: Vec<String>| {
        let rows = cells.iter().enumerate().map(|(row, cell)| format!("a,{cell},{row}\n"));
        format!("item_id,timestamp,target\n{}", rows.collect::<String>()).into_bytes()
    };
    let json = |quote: &str, cells: Vec<String>| {
        let rows = cells.iter().enumerate();
        let rows = rows.map(|(row, cell)| {
            format!(r#"{{"item_id":"a","timestamp":{quote}{cell}{quote},"target":{row}}}"#)
        });
        rows.collect::<Vec<_>>()
    };
    let typed = |timestamp: &str, values: Values| {
        let items = parquet::text(&["a", "a", "a", "a"]);
        let types = ["binary item_id (UTF8)", timestamp, "double target"];
        parquet::table(types, [items, values, Values::Double(vec![0.0, 1.0, 2.0, 3.0])])
    };
    let sheet = |cells: Vec<String>| {
        let header = ["item_id", "timestamp", "target"].map(text).to_vec();
        let rows = cells.iter().map(|cell| vec![text("a"), text(cell), Cell::Number(1.0)]);
        xlsx(&[("data", std::iter::once(header).chain(rows).collect())])
    };
    let day = |nanos: &i64| (nanos.cast_unsigned() - 1_704_067_200_000_000_000, 2_460_311);
    let iso_text = rows(&iso);
    let texts: Vec<&str> = iso_text.iter().map(String::as_str).collect();
    vec![
        ("nine digits in CSV", FileFormat::Csv, csv(rows(&iso))),
        ("nanoseconds since 1970 in CSV", FileFormat::Csv, csv(rows(&ToString::to_string))),
        (
            "nine digits in JSON",
            FileFormat::Json,
            format!("[{}]", json("\"", rows(&iso)).join(",")).into_bytes(),
        ),
        (
            "nanoseconds since 1970 in JSONL",
            FileFormat::Jsonl,
            json("", rows(&ToString::to_string)).join("\n").into_bytes(),
        ),
        ("nine digits in a workbook", FileFormat::Xlsx, sheet(rows(&iso))),
        (
            "TIMESTAMP(NANOS)",
            FileFormat::Parquet,
            typed("int64 timestamp (TIMESTAMP(NANOS,true))", Values::Int64(stamps.clone())),
        ),
        ("plain INT64", FileFormat::Parquet, typed("int64 timestamp", Values::Int64(stamps.clone()))),
        (
            "INT96",
            FileFormat::Parquet,
            typed("int96 timestamp", Values::Int96(stamps.iter().map(day).collect())),
        ),
        (
            "nine digits in Parquet",
            FileFormat::Parquet,
            typed("binary timestamp (UTF8)", parquet::text(&texts)),
        ),
    ]
}

#[test]
fn rows_that_differ_below_the_microsecond_are_no_duplicates() {
    for (what, format, bytes) in files(250) {
        let error = read_bytes(&bytes, format).expect_err(what);
        assert_eq!(error.code, "timestamps_too_fine", "{what}: {error}");
        assert_eq!(
            (error.column.as_deref(), error.row, error.count),
            (Some("timestamp"), Some(1), Some(3)),
            "{what}"
        );
        assert!(error.message.contains("finer than a microsecond"), "{what}: {error}");
        assert!(error.message.contains("0001"), "{what} names the first one: {error}");
        assert!(error.suggestion.as_ref().is_some_and(|text| text.contains("each second")), "{what}");
    }
}

#[test]
fn thousands_of_rows_within_a_microsecond_are_no_duplicates_either() {
    let rows = (0..10_000).map(|row| format!("a,2024-01-01T00:00:00.0000{:05},1\n", row / 20));
    let csv = format!("item_id,timestamp,target\n{}", rows.collect::<String>());
    let error = read_bytes(csv.as_bytes(), FileFormat::Csv).expect_err("too fine");
    assert_eq!(error.code, "timestamps_too_fine", "{error}");
    assert!(error.message.contains("ore than 4096 rows"), "{error}");
}

#[test]
fn stamps_with_nanoseconds_that_are_seconds_apart_are_read_to_the_microsecond() {
    for (what, format, bytes) in files(10_000_000_000) {
        let panel = read_bytes(&bytes, format).unwrap_or_else(|error| panic!("{what}: {error}"));
        let expected: Vec<i64> = (0..4).map(|row| (START + row * 10) * 1_000_000).collect();
        assert_eq!(panel.timestamps, expected, "{what}");
        let found = find_frequency(None, "timestamp", &panel.timestamps, &panel.offsets).expect(what);
        assert_eq!(found.frequency.alias(), "10s", "{what}");
    }
}

#[test]
fn rows_less_than_a_second_apart_have_no_step() {
    for (what, format, bytes) in files(100_000_000) {
        let panel = read_bytes(&bytes, format).unwrap_or_else(|error| panic!("{what}: {error}"));
        for given in [None, Some("s"), Some("D")] {
            let given = given.map(|alias| tabcast_calendar::Frequency::parse(alias).expect("an alias"));
            let error =
                find_frequency(given, "timestamp", &panel.timestamps, &panel.offsets).expect_err(what);
            assert_eq!(error.code, "timestamps_too_fine", "{what}: {error}");
            assert_eq!(
                error.message,
                "Most timestamps are 0.1 s after the one before, and the shortest step is one second"
            );
        }
    }
}

#[test]
fn true_duplicates_are_still_called_so() {
    let csv = "item_id,timestamp,target\na,2024-01-01T00:00:00.123456,1\na,2024-01-01T00:00:00.1234560,2\n";
    assert_eq!(read_bytes(csv.as_bytes(), FileFormat::Csv).expect_err("twice").code, "duplicate_rows");
}

#[test]
fn an_inspection_says_that_timestamps_are_too_fine() {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    for (what, format, bytes) in files(250).into_iter().chain(files(100_000_000)) {
        let path = folder.path("input");
        std::fs::write(&path, bytes).unwrap();
        let options = InspectOptions { read: options_for(vec![path], format, &cancel), frequency: None };
        let inspection = inspect(&options).unwrap();
        let failed = inspection.checks.iter().filter(|check| check.status == CheckStatus::Failed);
        let failed: Vec<CheckName> = failed.map(|check| check.name).collect();
        assert!(failed.contains(&CheckName::Timestamps), "{what}: {failed:?}");
        assert!(!failed.contains(&CheckName::Duplicates), "{what}: {failed:?}");
    }
}
