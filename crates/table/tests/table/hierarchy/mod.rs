//! Series that the columns of a hierarchy identify, good and bad.

mod formats;
mod inspection;
mod item_ids;
mod refusals;

use std::fmt::Write as _;
use std::io::Write as _;

use crate::support::parquet::{Values, file, text as texts_of};
use crate::support::workbook::{Cell, text};
use crate::support::{read_bytes, read_files, rows};
use flate2::write::GzEncoder;
use parquet::file::properties::WriterProperties;
use tabcast_table::{Columns, ContentError, FileFormat, HierarchyColumns, Limits, Panel};

const LEVELS: [&str; 3] = ["state", "store", "item"];

fn columns(levels: &[&str], separator: &str, total_label: &str) -> Columns {
    let hierarchy = HierarchyColumns {
        columns: levels.iter().map(|name| (*name).to_owned()).collect(),
        separator: separator.to_owned(),
        total_label: total_label.to_owned(),
    };
    Columns { hierarchy: Some(hierarchy), ..Columns::default() }
}

fn usual() -> Columns {
    columns(&LEVELS, "/", "total")
}

/// Reads files with columns, with one thread and with several, which must say the same.
fn read_parts(files: &[&[u8]], format: FileFormat, columns: &Columns) -> Result<Panel, Box<ContentError>> {
    read_limited(files, format, columns, Limits::default())
}

fn read_limited(
    files: &[&[u8]],
    format: FileFormat,
    columns: &Columns,
    limits: Limits,
) -> Result<Panel, Box<ContentError>> {
    let [one, two, four] = [1, 2, 4].map(|threads| {
        read_files(files, format, |options| {
            options.columns = columns.clone();
            options.threads = threads;
            options.limits = limits;
        })
    });
    for other in [two, four] {
        match (&one, &other) {
            (Ok(one), Ok(other)) => {
                assert_eq!(rows(one), rows(other));
                assert_eq!((&one.offsets, &one.warnings), (&other.offsets, &other.warnings));
            }
            (one, other) => assert_eq!(one.as_ref().err(), other.as_ref().err()),
        }
    }
    one
}

fn read(csv: &str, columns: &Columns) -> Result<Panel, Box<ContentError>> {
    read_parts(&[csv.as_bytes()], FileFormat::Csv, columns)
}

fn ids(panel: &Panel) -> Vec<&str> {
    panel.ids.iter().collect()
}

/// Code, column, row and count of an error.
type Refusal = (&'static str, Option<String>, Option<u64>, Option<u64>);

fn refusal(outcome: Result<Panel, Box<ContentError>>) -> Refusal {
    let error = *outcome.unwrap_err();
    assert_eq!(error.kind.status(), 422, "{error}");
    assert!(error.suggestion.is_some(), "{error}");
    (error.code, error.column, error.row, error.count)
}

fn refused(code: &'static str, column: &str, row: u64, count: u64) -> Refusal {
    (code, Some(column.to_owned()), Some(row), Some(count))
}

/// State, store, item, day, target.
type Row<'a> = (&'a str, &'a str, &'a str, u8, f64);

const TABLE: [Row<'static>; 10] = [
    ("TX", "2", "tea", 1, 1.0),
    ("CA", "1", "tea", 1, 2.0),
    ("CA", "1", "coffee, black", 1, 3.0),
    ("CA", "1", "coffee, black", 2, 4.0),
    ("CA", "1", "tea", 2, 5.0),
    ("TX", "2", "tea", 2, 6.0),
    ("TX", "10", "Früchte \"rot\" 🍓", 1, 7.0),
    ("TX", "10", "Früchte \"rot\" 🍓", 2, 8.0),
    ("CA", "1", "tea", 3, 9.0),
    ("CA", "1", "coffee, black", 3, 10.0),
];

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// The levels in another order than theirs, with other columns between them.
fn csv(table: &[Row]) -> String {
    let mut out = String::from("item,timestamp,note,state,target,store\n");
    for (state, store, item, day, target) in table {
        writeln!(out, "{},2026-01-{day:02},\"x, y\",{state},{target},{store}", quoted(item)).unwrap();
    }
    out
}

fn objects(table: &[Row]) -> Vec<String> {
    let object = |(state, store, item, day, target): &Row| {
        format!(
            r#"{{"store":{store},"item":{item:?},"target":{target},"timestamp":"2026-01-{day:02}","x":[{{}}],"state":"{state}"}}"#
        )
    };
    table.iter().map(object).collect()
}

fn cells(table: &[Row]) -> Vec<Vec<Cell>> {
    let header = ["store", "timestamp", "item", "target", "state"].map(text).to_vec();
    let row = |(state, store, item, day, target): &Row| {
        let store = Cell::Number(store.parse().unwrap());
        vec![store, text(&format!("2026-01-{day:02}")), text(item), Cell::Number(*target), text(state)]
    };
    std::iter::once(header).chain(table.iter().map(row)).collect()
}

/// Two row groups; stores are integers.
fn parquet(table: &[Row]) -> Vec<u8> {
    let schema = "message m { required int64 store; required double target; optional binary item (UTF8); \
        required binary timestamp (UTF8); required binary state (UTF8); }";
    let group = |table: &[Row]| {
        let stamps: Vec<String> = table.iter().map(|row| format!("2026-01-{:02}", row.3)).collect();
        vec![
            (Values::Int64(table.iter().map(|row| row.1.parse().unwrap()).collect()), None),
            (Values::Double(table.iter().map(|row| row.4).collect()), None),
            (texts_of(&table.iter().map(|row| row.2).collect::<Vec<_>>()), Some(vec![1; table.len()])),
            (texts_of(&stamps.iter().map(String::as_str).collect::<Vec<_>>()), None),
            (texts_of(&table.iter().map(|row| row.0).collect::<Vec<_>>()), None),
        ]
    };
    let (first, second) = table.split_at(table.len() / 2);
    file(schema, vec![group(first), group(second)], WriterProperties::builder().build())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What a file with the composites in its item id column gives.
fn expected(table: &[Row]) -> Panel {
    let mut out = String::from("item_id,timestamp,target\n");
    for (state, store, item, day, target) in table {
        writeln!(out, "{},2026-01-{day:02},{target}", quoted(&format!("{state}/{store}/{item}"))).unwrap();
    }
    read_bytes(out.as_bytes(), FileFormat::Csv).unwrap()
}

/// Rows of (item id, path) over many blocks, each path with its own stamps.
fn long_table(rows: usize, item: impl Fn(usize) -> String, path: impl Fn(usize) -> [usize; 2]) -> String {
    let mut text = String::from("item_id,timestamp,target,top,leaf\n");
    for row in 0..rows {
        let [top, leaf] = path(row);
        writeln!(text, "{},{},1.5,top-{top},leaf-{leaf}", item(row), 1_000_000_000 + row).unwrap();
    }
    text
}

fn two() -> Columns {
    columns(&["top", "leaf"], "/", "total")
}
