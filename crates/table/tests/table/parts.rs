//! Several files as one table.

use crate::support::parquet::{Values, file, text};
use crate::support::workbook::{texts, xlsx};
use crate::support::{read_bytes, read_files, rows};
use parquet::file::properties::WriterProperties;
use tabcast_table::{ContentError, FileFormat, Panel, dataset_hash};

const HEADER: &str = "item_id,timestamp,target\n";

fn read(files: &[&str]) -> Result<Panel, Box<ContentError>> {
    let files: Vec<&[u8]> = files.iter().map(|file| file.as_bytes()).collect();
    read_files(&files, FileFormat::Csv, |_| {})
}

#[test]
fn files_are_read_in_their_order_as_one() {
    let first = format!("{HEADER}b,2026-01-03,3\na,2026-01-01,1\n");
    // Another delimiter and another order of columns are the same columns.
    let second = "target;timestamp;item_id\n2;2026-01-02;a\n4;2026-01-04;b\n";
    let whole = format!("{HEADER}b,2026-01-03,3\na,2026-01-01,1\na,2026-01-02,2\nb,2026-01-04,4\n");
    let expected = read_bytes(whole.as_bytes(), FileFormat::Csv).unwrap();
    let panel = read(&[&first, second]).unwrap();
    assert_eq!(rows(&panel), rows(&expected));
    assert_eq!(dataset_hash(&panel), dataset_hash(&expected));

    let object = |item: &str, day: u8| {
        format!("{{\"item_id\":\"{item}\",\"timestamp\":\"2026-01-0{day}\",\"target\":{day}}}\n")
    };
    let lines = [object("b", 3) + &object("a", 1), object("a", 2) + &object("b", 4)];
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    assert_eq!(rows(&read_files(&lines, FileFormat::Jsonl, |_| {}).unwrap()), rows(&expected));

    let row = |item: &'static str, day: &'static str, target: &'static str| [item, day, target];
    let sheet = |cells: &[[&str; 3]]| {
        let mut table: Vec<&[&str]> = vec![&["item_id", "timestamp", "target"]];
        table.extend(cells.iter().map(<[&str; 3]>::as_slice));
        xlsx(&[("Sheet1", texts(&table))])
    };
    let sheets = [
        sheet(&[row("b", "2026-01-03", "3"), row("a", "2026-01-01", "1")]),
        sheet(&[row("a", "2026-01-02", "2"), row("b", "2026-01-04", "4")]),
    ];
    let sheets: Vec<&[u8]> = sheets.iter().map(Vec::as_slice).collect();
    assert_eq!(rows(&read_files(&sheets, FileFormat::Xlsx, |_| {}).unwrap()), rows(&expected));

    let group = |ids: &[&str], stamps: &[&str], targets: Vec<f64>| {
        let schema = "message m { required binary item_id (UTF8); required binary timestamp (UTF8); required double \
            target; }";
        let columns = vec![(text(ids), None), (text(stamps), None), (Values::Double(targets), None)];
        file(schema, vec![columns], WriterProperties::builder().build())
    };
    let groups = [
        group(&["b", "a"], &["2026-01-03", "2026-01-01"], vec![3.0, 1.0]),
        group(&["a", "b"], &["2026-01-02", "2026-01-04"], vec![2.0, 4.0]),
    ];
    let groups: Vec<&[u8]> = groups.iter().map(Vec::as_slice).collect();
    assert_eq!(rows(&read_files(&groups, FileFormat::Parquet, |_| {}).unwrap()), rows(&expected));
    let few = read_files(&groups, FileFormat::Parquet, |options| options.limits.max_rows = 3).unwrap_err();
    assert_eq!((few.code, few.message.contains("more than 3 rows")), ("too_many_rows", true), "{few}");
}

#[test]
fn rows_are_numbered_and_counted_through() {
    let file = |rows: &str| format!("{HEADER}{rows}");
    let first = file("a,2026-01-01,1\na,2026-01-02,2\n");
    let wrong = file("a,2026-01-03,3\na,someday,4\n");
    let error = read(&[&first, &wrong]).unwrap_err();
    assert_eq!((error.code, error.row, error.count), ("unparseable_timestamp", Some(4), Some(1)));
    let error = read(&[&wrong, &first, &wrong]).unwrap_err();
    assert_eq!((error.row, error.count), (Some(2), Some(2)));
    let broken = file("a,2026-01-03,\"4\n");
    let error = read(&[&first, &broken, &wrong]).unwrap_err();
    assert_eq!((error.code, error.row), ("ragged_row", Some(3)), "what ends the read first is told: {error}");
    let files = [first.as_bytes(), first.as_bytes()];
    let few = read_files(&files, FileFormat::Csv, |options| options.limits.max_rows = 3).unwrap_err();
    assert_eq!(few.code, "too_many_rows");
}

#[test]
fn files_with_other_columns_are_named() {
    let rows = "a,2026-01-01,1\na,2026-01-02,2\n";
    let first = format!("{HEADER}{rows}");
    let missing = format!("id,timestamp,target\n{rows}");
    let error = read(&[&first, &first, &missing]).unwrap_err();
    assert_eq!((error.code, error.kind.status()), ("schema_mismatch", 422));
    assert!(error.message.starts_with("File 3: There is no column 'item_id'"), "{error}");
    let added = "item_id,timestamp,target,price\na,2026-01-03,3,1\n";
    let error = read(&[&first, added]).unwrap_err();
    assert_eq!(error.code, "schema_mismatch");
    assert!(error.message.contains("File 2") && error.message.contains("adds 'price'"), "{error}");
    let error = read(&[added, &first]).unwrap_err();
    assert!(error.message.contains("File 2") && error.message.contains("lacks 'price'"), "{error}");
    let error = read(&[&missing, &first]).unwrap_err();
    assert_eq!(error.code, "missing_column", "the first file is held against the request");
    let error = read(&[&first, ""]).unwrap_err();
    assert_eq!((error.code, error.message.as_str()), ("empty_file", "File 2: The file is empty"));
}
