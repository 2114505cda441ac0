//! Tables of any columns, written and read back.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::support::Folder;
use proptest::prelude::*;
use tabcast_table::{
    FileFormat, Frame, FrameColumn, FrameOptions, Limits, TableColumn, TableFormat, TextColumn, WriteError,
    convert_parquet, frame_hash, read_frame, write_table_csv, write_table_parquet,
};

static GO_ON: AtomicBool = AtomicBool::new(false);

fn texts(cells: &[Option<&str>]) -> TableColumn {
    let mut column = TextColumn::default();
    for cell in cells {
        let code = cell.map_or(TextColumn::MISSING, |text| {
            let known = column.texts.iter().position(|other| **other == *text);
            known.unwrap_or_else(|| {
                column.texts.push(text.into());
                column.texts.len() - 1
            }) as u32
        });
        column.codes.push(code);
    }
    TableColumn::Texts(column)
}

fn named(columns: Vec<TableColumn>) -> Vec<(String, TableColumn)> {
    let name = |place: usize| if place == 1 { "a \"b\", c".to_owned() } else { format!("c{place}") };
    columns.into_iter().enumerate().map(|(place, column)| (name(place), column)).collect()
}

fn read(path: &Path, format: FileFormat) -> Frame {
    let options = FrameOptions {
        paths: vec![path.to_owned()],
        format,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel: &GO_ON,
    };
    read_frame(&options).unwrap()
}

#[test]
fn a_table_is_plain_in_every_format() {
    let folder = Folder::new();
    let table = named(vec![
        TableColumn::Integers(vec![0, u64::MAX, 7]),
        TableColumn::Numbers(vec![1.0, f64::NAN, -0.25]),
        texts(&[Some("é, \"x\"\n"), None, Some("")]),
    ]);
    let csv = "c0,\"a \"\"b\"\", c\",c2\n0,1,\"é, \"\"x\"\"\n\"\n18446744073709551615,,\n7,-0.25,\n";
    let written = write_table_csv(&folder.path("csv"), &table, u64::MAX, &GO_ON).unwrap().unwrap();
    assert_eq!(std::fs::read_to_string(folder.path("csv")).unwrap(), csv);
    assert_eq!((written.bytes, written.rows), (csv.len() as u64, 3));
    let written = write_table_parquet(&folder.path("parquet"), &table, &GO_ON).unwrap();
    assert_eq!(written.rows, 3);
    let object = |row: &str| format!("{{\"c0\":{row}}}");
    let rows = [
        object("0,\"a \\\"b\\\", c\":1,\"c2\":\"é, \\\"x\\\"\\n\""),
        object("18446744073709551615,\"a \\\"b\\\", c\":null,\"c2\":null"),
        object("7,\"a \\\"b\\\", c\":-0.25,\"c2\":\"\""),
    ];
    for (format, expected) in [
        (TableFormat::Csv, csv.to_owned()),
        (TableFormat::Json, format!("[\n{}\n]\n", rows.join(",\n"))),
        (TableFormat::Jsonl, format!("{}\n", rows.join("\n"))),
    ] {
        let written = convert_parquet(&folder.path("parquet"), &folder.path("out"), format, &GO_ON).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path("out")).unwrap(), expected);
        assert_eq!((written.bytes, written.rows), (expected.len() as u64, 3));
    }
}

#[test]
fn a_row_without_a_value_is_a_row() {
    let folder = Folder::new();
    let table = vec![("only".to_owned(), TableColumn::Numbers(vec![1.0, f64::NAN, 2.0]))];
    write_table_csv(&folder.path("csv"), &table, u64::MAX, &GO_ON).unwrap().unwrap();
    assert_eq!(read(&folder.path("csv"), FileFormat::Csv).rows, 3);
}

#[test]
fn a_long_csv_is_given_up_and_a_cancelled_one_says_so() {
    let folder = Folder::new();
    let table =
        named(vec![TableColumn::Integers((0..100_000).collect()), TableColumn::Numbers(vec![0.5; 100_000])]);
    assert!(write_table_csv(&folder.path("csv"), &table, 1_000, &GO_ON).unwrap().is_none());
    assert!(!folder.path("csv").exists());
    let stop = AtomicBool::new(true);
    let csv = write_table_csv(&folder.path("csv"), &table, u64::MAX, &stop);
    assert!(matches!(csv, Err(WriteError::Cancelled)));
    let parquet = write_table_parquet(&folder.path("parquet"), &table, &stop);
    assert!(matches!(parquet, Err(WriteError::Cancelled)));
}

#[test]
fn columns_of_different_lengths_are_refused() {
    let folder = Folder::new();
    let table = named(vec![TableColumn::Integers(vec![1]), TableColumn::Numbers(vec![])]);
    assert!(matches!(write_table_csv(&folder.path("x"), &table, 1, &GO_ON), Err(WriteError::Invalid(_))));
    assert!(matches!(write_table_parquet(&folder.path("x"), &table, &GO_ON), Err(WriteError::Invalid(_))));
    assert!(matches!(write_table_csv(&folder.path("x"), &[], 1, &GO_ON), Err(WriteError::Invalid(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_is_written_reads_back(
        rows in proptest::collection::vec(
            (any::<f64>(), proptest::option::of("[a-z\",;\r\n é]{0,6}".prop_map(|text| format!("t{text}t")))), 1..60,
        ),
    ) {
        let folder = Folder::new();
        let numbers: Vec<f64> =
            rows.iter().map(|row| if row.0.is_finite() { row.0 + 0.0 } else { f64::NAN }).collect();
        let cells: Vec<Option<&str>> = rows.iter().map(|row| row.1.as_deref()).collect();
        let ids = (0..rows.len() as u64).collect();
        let table = named(vec![TableColumn::Integers(ids), TableColumn::Numbers(numbers.clone()), texts(&cells)]);
        write_table_csv(&folder.path("csv"), &table, u64::MAX, &GO_ON).unwrap().unwrap();
        write_table_parquet(&folder.path("parquet"), &table, &GO_ON).unwrap();
        let (csv, parquet) =
            (read(&folder.path("csv"), FileFormat::Csv), read(&folder.path("parquet"), FileFormat::Parquet));
        prop_assert_eq!(frame_hash(&csv), frame_hash(&parquet));
        let FrameColumn::Numbers(read) = &csv.columns[1] else { panic!() };
        for (read, written) in read.iter().zip(&numbers) {
            prop_assert!(read == written || (read.is_nan() && written.is_nan()), "{} {}", read, written);
        }
        if let FrameColumn::Texts(column) = &csv.columns[2] {
            for (row, cell) in cells.iter().enumerate() {
                prop_assert_eq!(column.get(row), *cell);
            }
        }
        convert_parquet(&folder.path("parquet"), &folder.path("out"), TableFormat::Csv, &GO_ON).unwrap();
        prop_assert_eq!(std::fs::read(folder.path("out")).unwrap(), std::fs::read(folder.path("csv")).unwrap());
    }
}
