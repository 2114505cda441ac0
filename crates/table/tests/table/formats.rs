//! One table, whatever it is written as.

use std::fmt::Write;

use crate::support::parquet::{Values, file};
use crate::support::workbook::{Cell, text, xlsx};
use crate::support::{biff, read_files, rows};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tabcast_calendar::write_pandas;
use tabcast_table::{CovariateValues, FileFormat, Panel, dataset_hash};

const DAY: i64 = 86_400_000_000;
/// 2026-01-01 as microseconds and as a spreadsheet's day.
const START: i64 = 1_767_225_600_000_000;
const START_DAY: f64 = 46_023.0;

/// Item, quarter hours since the start, target, number, category.
type Row = (u8, i64, Option<f64>, Option<f64>, Option<String>);

fn stamp(quarters: i64) -> String {
    let mut text = Vec::new();
    write_pandas(START + quarters * DAY / 96, &mut text);
    String::from_utf8(text).unwrap()
}

fn serial(quarters: i64) -> f64 {
    START_DAY + quarters as f64 / 96.0
}

fn csv(table: &[Row]) -> String {
    let mut out = String::from("item_id,timestamp,target,ignored,price,kind\n");
    for (item, quarters, target, price, kind) in table {
        let number = |value: &Option<f64>| value.map_or_else(String::new, |value| value.to_string());
        let kind = kind.as_deref().unwrap_or_default();
        writeln!(out, "item {item},{},{},x,{},{kind}", stamp(*quarters), number(target), number(price))
            .unwrap();
    }
    out
}

/// `null`, no key at all and an empty text are one.
fn objects(table: &[Row]) -> Vec<String> {
    let object = |(item, quarters, target, price, kind): &Row| {
        let target = target.map_or_else(|| "null".to_owned(), |value| value.to_string());
        let price = price.map_or_else(String::new, |value| format!(r#","price": {value}"#));
        let kind = kind.as_ref().map_or_else(String::new, |kind| format!("{kind:?}"));
        let kind = if kind.is_empty() { "\"\"".to_owned() } else { kind };
        let ignored = r#""ignored":{"a":[1,{"b":null}]}"#;
        format!(
            r#"{{"target":{target},{ignored},"kind":{kind},"timestamp":"{}","item_id":"item {item}"{price}}}"#,
            stamp(*quarters)
        )
    };
    table.iter().map(object).collect()
}

fn cells(table: &[Row]) -> Vec<Vec<Cell>> {
    let header = ["item_id", "timestamp", "target", "ignored", "price", "kind"].map(text).to_vec();
    let number = |value: &Option<f64>| value.map_or(Cell::Empty, Cell::Number);
    let row = |(item, quarters, target, price, kind): &Row| {
        let kind = kind.as_deref().map_or(Cell::Empty, text);
        // Some programs write dates as texts.
        let time = if quarters % 2 == 0 { Cell::Date(serial(*quarters)) } else { text(&stamp(*quarters)) };
        vec![text(&format!("item {item}")), time, number(target), Cell::Boolean(true), number(price), kind]
    };
    std::iter::once(header).chain(table.iter().map(row)).collect()
}

fn parquet(table: &[Row]) -> Vec<u8> {
    let schema = "message m { required binary item_id (UTF8); required int64 timestamp (TIMESTAMP_MICROS); \
        optional double target; optional double price; optional binary kind (UTF8); }";
    let levels = |known: Vec<bool>| Some(known.into_iter().map(i16::from).collect::<Vec<_>>());
    let item = |row: &Row| format!("item {}", row.0).into_bytes();
    let known = |row: &Row| row.4.clone().map(String::into_bytes);
    let columns = vec![
        (Values::Text(table.iter().map(item).collect()), None),
        (Values::Int64(table.iter().map(|row| START + row.1 * DAY / 96).collect()), None),
        (
            Values::Double(table.iter().filter_map(|row| row.2).collect()),
            levels(table.iter().map(|row| row.2.is_some()).collect()),
        ),
        (
            Values::Double(table.iter().filter_map(|row| row.3).collect()),
            levels(table.iter().map(|row| row.3.is_some()).collect()),
        ),
        (
            Values::Text(table.iter().filter_map(known).collect()),
            levels(table.iter().map(|row| row.4.is_some()).collect()),
        ),
    ];
    file(schema, vec![columns], WriterProperties::builder().build())
}

fn read(bytes: &[u8], format: FileFormat) -> Panel {
    let covariates = vec!["price".to_owned(), "kind".to_owned()];
    read_files(&[bytes], format, |options| options.columns.covariates = covariates).unwrap()
}

/// Numbers with few and with all digits, large and small.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-100_000_i32..100_000).prop_map(|cents| f64::from(cents) / 100.0),
        any::<f64>().prop_filter("finite, and whole numbers apart from their sign", |value| {
            value.is_finite() && *value != 0.0 && (value.abs() < 1e15 || value.abs() > 1e17)
        }),
        -1e15..1e15,
    ]
}

fn table() -> impl Strategy<Value = Vec<Row>> {
    let cells = (proptest::option::of(number()), proptest::option::of(number()), "[a-z]{0,3}");
    proptest::collection::vec((0..3_u8, cells), 12..40).prop_map(|rows| {
        let mut table: Vec<Row> = (rows.into_iter().zip(0_i64..))
            .map(|((item, (target, price, kind)), step)| {
                (item, step, target, price, Some(kind).filter(|kind| !kind.is_empty()))
            })
            .collect();
        // Every item has its two values, and the columns have one each.
        for item in 0..3 {
            let step = table.len() as i64;
            table.push((item, step, Some(1.0), Some(0.1), Some("q".to_owned())));
            table.push((item, step + 3, Some(-2.5), None, None));
        }
        table
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_format_gives_the_same_panel(table in table()) {
        let expected = read(csv(&table).as_bytes(), FileFormat::Csv);
        let objects = objects(&table);
        let sheets = [("Data", cells(&table))];
        for (format, bytes) in [
            (FileFormat::Json, format!("\n[{}]\n", objects.join(" ,\n")).into_bytes()),
            (FileFormat::Jsonl, format!("{}\n\n", objects.join("\r\n")).into_bytes()),
            (FileFormat::Xlsx, xlsx(&sheets)),
            (FileFormat::Xls, biff::xls(&sheets)),
            (FileFormat::Parquet, parquet(&table)),
        ] {
            let panel = read(&bytes, format);
            prop_assert_eq!(rows(&panel), rows(&expected), "{:?}", format);
            prop_assert_eq!(dataset_hash(&panel), dataset_hash(&expected), "{:?}", format);
            prop_assert_eq!(panel.covariates.len(), 2);
            let CovariateValues::Categories { names, .. } = &panel.covariates[1].values else {
                panic!("{:?}", panel.covariates[1])
            };
            prop_assert!(names.contains(&"q".to_owned()));
        }
    }
}
