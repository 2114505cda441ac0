//! Forecast tables, written and read back.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::support::{Folder, read_with};
use proptest::prelude::*;
use tabcast_table::{
    Chunk, CsvWriter, FileFormat, Layout, Limits, ParquetWriter, Run, TableFormat, TimestampFormat,
    WriteError, convert_parquet,
};

fn layout(format: TimestampFormat) -> Layout {
    Layout {
        item_id: "item_id".into(),
        timestamp: "timestamp".into(),
        values: vec!["target".into(), "0.1".into()],
        timestamp_format: format,
    }
}

/// Items with two steps each.
struct Table {
    ids: Vec<String>,
    timestamps: Vec<i64>,
    mean: Vec<f64>,
    low: Vec<f64>,
}

impl Table {
    fn new(ids: &[&str], values: &[f64]) -> Table {
        let rows = ids.len() * 2;
        Table {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            timestamps: (0..rows)
                .map(|row| 1_767_225_600_000_000 + (row as i64 % 2) * 86_400_000_000)
                .collect(),
            mean: values.iter().copied().cycle().take(rows).collect(),
            low: (0..rows).map(|row| row as f64 - 0.5).collect(),
        }
    }

    /// Hands the rows over in chunks of `items` items.
    fn each_chunk(&self, items: usize, mut write: impl FnMut(&Chunk) -> Result<(), WriteError>) {
        for (index, ids) in self.ids.chunks(items).enumerate() {
            let rows = index * items * 2..index * items * 2 + ids.len() * 2;
            let runs: Vec<Run> = ids.iter().map(|id| Run { id, rows: 2 }).collect();
            let values = [&self.mean[rows.clone()], &self.low[rows.clone()]];
            write(&Chunk { runs: &runs, timestamps: &self.timestamps[rows], values: &values }).unwrap();
        }
    }

    fn csv(&self, path: &Path, format: TimestampFormat, items: usize) -> String {
        let mut writer = CsvWriter::create(path, &layout(format), u64::MAX).unwrap();
        self.each_chunk(items, |chunk| writer.write(chunk));
        let written = writer.finish().unwrap().unwrap();
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!((written.bytes, written.rows), (text.len() as u64, self.timestamps.len() as u64));
        text
    }

    fn parquet(&self, path: &Path, format: TimestampFormat, items: usize) -> Vec<u8> {
        let mut writer = ParquetWriter::create(path, &layout(format)).unwrap();
        self.each_chunk(items, |chunk| writer.write(chunk));
        let written = writer.finish().unwrap();
        let bytes = std::fs::read(path).unwrap();
        assert_eq!((written.bytes, written.rows), (bytes.len() as u64, self.timestamps.len() as u64));
        bytes
    }
}

#[test]
fn csv_is_plain_and_exact() {
    let folder = Folder::new();
    let table = Table::new(&["a", "b,\"c\"\nd"], &[1.0, -0.1, 1e300, f64::NAN]);
    assert_eq!(
        table.csv(&folder.path("pandas"), TimestampFormat::Pandas, 2),
        "item_id,timestamp,target,0.1\na,2026-01-01 00:00:00,1.0,-0.5\na,2026-01-02 00:00:00,-0.1,0.5\n\
         \"b,\"\"c\"\"\nd\",2026-01-01 00:00:00,1e+300,1.5\n\"b,\"\"c\"\"\nd\",2026-01-02 00:00:00,,2.5\n"
    );
    let iso = table.csv(&folder.path("iso"), TimestampFormat::Iso8601, 1);
    assert!(iso.contains("\na,2026-01-02T00:00:00+00:00,-0.1,0.5\n"), "{iso}");
}

#[test]
fn chunks_do_not_show_and_parquet_converts_to_the_same_csv() {
    let folder = Folder::new();
    let ids: Vec<String> = (0..20_000).map(|index| format!("item {index:05} é")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let values: Vec<f64> = (0..997).map(|index| f64::from(index).sqrt() - 9.0).collect();
    let table = Table::new(&ids, &values);
    for format in [TimestampFormat::Pandas, TimestampFormat::Iso8601] {
        let csv = table.csv(&folder.path("one.csv"), format, 20_000);
        assert_eq!(table.csv(&folder.path("many.csv"), format, 331), csv);
        let parquet = table.parquet(&folder.path("one.parquet"), format, 20_000);
        assert_eq!(table.parquet(&folder.path("many.parquet"), format, 331), parquet);
        let converted = folder.path("converted.csv");
        let written = convert_parquet(
            &folder.path("one.parquet"),
            &converted,
            TableFormat::Csv,
            &AtomicBool::new(false),
        )
        .unwrap();
        assert_eq!(std::fs::read_to_string(converted).unwrap(), csv);
        assert_eq!((written.bytes, written.rows), (csv.len() as u64, 40_000));
        let read = |name: &str, format| read_with(&folder.path(name), format, Limits::default(), 2).unwrap();
        assert_eq!(read("one.parquet", FileFormat::Parquet), read("one.csv", FileFormat::Csv));
    }
}

#[test]
fn row_groups_are_full_whatever_the_chunks() {
    let folder = Folder::new();
    let timestamps: Vec<i64> = (0..600_000).map(|row| row * 1_000_000).collect();
    let values: Vec<f64> = (0..600_000).map(f64::from).collect();
    let layout = Layout { values: vec!["target".into()], ..layout(TimestampFormat::Pandas) };
    let mut sizes = Vec::new();
    for rows in [600_000, 70_001] {
        let mut writer = ParquetWriter::create(&folder.path("long"), &layout).unwrap();
        for (timestamps, values) in timestamps.chunks(rows).zip(values.chunks(rows)) {
            let runs = [Run { id: "long", rows: timestamps.len() }];
            writer.write(&Chunk { runs: &runs, timestamps, values: &[values] }).unwrap();
        }
        sizes.push(writer.finish().unwrap());
    }
    assert_eq!(sizes[0], sizes[1]);
    let panel = read_with(&folder.path("long"), FileFormat::Parquet, Limits::default(), 2).unwrap();
    assert_eq!((panel.timestamps.into_vec(), panel.targets.into_vec()), (timestamps, values));
}

#[test]
fn parquet_converts_to_json_that_a_parser_reads_back() {
    let folder = Folder::new();
    let ids = ["a", "quote\" back\\ slash/", "tab\t line\n \r \u{1}\u{7f}", "é 🎈", "=1", "__proto__"];
    let numbers = [0.1, f64::NAN, -0.0, 1e300, 5e-324, 123_456_789.125];
    let table = Table::new(&ids, &numbers);
    let cancel = AtomicBool::new(false);
    for (times, first) in [
        (TimestampFormat::Pandas, "2026-01-01 00:00:00"),
        (TimestampFormat::Iso8601, "2026-01-01T00:00:00+00:00"),
    ] {
        let parquet = folder.path("table.parquet");
        table.parquet(&parquet, times, 2);
        let convert = |format| {
            let path = folder.path("table.out");
            let written = convert_parquet(&parquet, &path, format, &cancel).unwrap();
            let text = std::fs::read_to_string(path).unwrap();
            assert_eq!((written.bytes, written.rows), (text.len() as u64, 12));
            text
        };
        let array = convert(TableFormat::Json);
        let lines = convert(TableFormat::Jsonl);
        let parsed: Vec<serde_json::Value> = serde_json::from_str(&array).unwrap();
        let by_line: Vec<serde_json::Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(parsed, by_line);
        assert_eq!(parsed.len(), 12);
        assert_eq!(parsed[0]["timestamp"], first);
        assert!(
            lines.starts_with(&format!(r#"{{"item_id":"a","timestamp":"{first}","target":0.1,"0.1":-0.5}}"#))
        );
        for (row, object) in parsed.iter().enumerate() {
            assert_eq!(object["item_id"], ids[row / 2]);
            let target = object["target"].as_f64().unwrap_or(f64::NAN);
            assert_eq!(target.to_bits(), numbers[row % 6].to_bits(), "{object}");
            assert_eq!(object["0.1"].as_f64(), Some(table.low[row]));
        }
    }
    Table::new(&[], &[1.0]).parquet(&folder.path("empty"), TimestampFormat::Pandas, 1);
    for (format, text) in [(TableFormat::Json, "[]\n"), (TableFormat::Jsonl, "")] {
        convert_parquet(&folder.path("empty"), &folder.path("out"), format, &cancel).unwrap();
        assert_eq!(std::fs::read_to_string(folder.path("out")).unwrap(), text);
    }
}

#[test]
fn a_csv_above_its_limit_is_given_up_and_removed() {
    let folder = Folder::new();
    let path = folder.path("capped.csv");
    let table = Table::new(&["a", "b", "c"], &[1.0]);
    let size = table.csv(&path, TimestampFormat::Pandas, 1).len() as u64;
    for (limit, kept) in [(size, true), (size - 1, false), (3, false)] {
        let mut writer = CsvWriter::create(&path, &layout(TimestampFormat::Pandas), limit).unwrap();
        table.each_chunk(1, |chunk| writer.write(chunk));
        assert_eq!((writer.finish().unwrap().is_some(), path.exists()), (kept, kept), "{limit}");
    }
}

#[test]
fn what_does_not_fit_is_an_error() {
    let folder = Folder::new();
    let layout = layout(TimestampFormat::Pandas);
    let mut csv = CsvWriter::create(&folder.path("a.csv"), &layout, u64::MAX).unwrap();
    let mut parquet = ParquetWriter::create(&folder.path("a.parquet"), &layout).unwrap();
    let runs = [Run { id: "a", rows: 1 }];
    for values in [&[&[1.0][..]][..], &[&[1.0], &[1.0, 2.0]]] {
        let chunk = Chunk { runs: &runs, timestamps: &[0], values };
        assert!(matches!(csv.write(&chunk), Err(WriteError::Invalid(_))));
        assert!(matches!(parquet.write(&chunk), Err(WriteError::Invalid(_))));
    }
    assert!(matches!(CsvWriter::create(&folder.path("missing/a.csv"), &layout, 0), Err(WriteError::Io(_))));
    if Path::new("/dev/full").exists() {
        let full = CsvWriter::create(Path::new("/dev/full"), &layout, u64::MAX);
        assert!(matches!(full, Err(WriteError::Io(_))));
    }
    std::fs::write(folder.path("text"), "no Parquet at all").unwrap();
    let no_cancel = AtomicBool::new(false);
    assert!(matches!(
        convert_parquet(&folder.path("text"), &folder.path("out"), TableFormat::Csv, &no_cancel),
        Err(WriteError::Invalid(_))
    ));
    Table::new(&["a"], &[1.0]).parquet(&folder.path("good"), TimestampFormat::Pandas, 1);
    let cancel = AtomicBool::new(true);
    assert!(matches!(
        convert_parquet(&folder.path("good"), &folder.path("out"), TableFormat::Json, &cancel),
        Err(WriteError::Cancelled)
    ));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back_equal(
        ids in proptest::collection::btree_set("\\PC{1,6}|[\",;\n\r ='@+-]{1,6}|\\PC{0,3}[\t|]\\PC{0,3}", 1..8),
        values in proptest::collection::vec(any::<f64>().prop_filter("finite", |value| value.is_finite()), 1..9),
    ) {
        let folder = Folder::new();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let table = Table::new(&ids, &values);
        table.csv(&folder.path("csv"), TimestampFormat::Iso8601, 3);
        table.parquet(&folder.path("parquet"), TimestampFormat::Pandas, 3);
        for (name, format) in [("csv", FileFormat::Csv), ("parquet", FileFormat::Parquet)] {
            let panel = read_with(&folder.path(name), format, Limits::default(), 2).unwrap();
            prop_assert_eq!(panel.ids.iter().collect::<Vec<_>>(), ids.clone());
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            prop_assert_eq!(bits(&panel.targets), bits(&table.mean));
        }
    }
}
