//! What is known of a file before its rows are read.

use std::fmt::Write;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tabcast_table::{
    Columns, ContentError, FileFormat, Limits, ReadError, ReadOptions, check_columns, read_panel,
};
use tempfile::TempDir;

/// What the header alone says, and what the whole file says.
fn both(path: &Path, format: FileFormat, limits: Limits) -> [Option<ContentError>; 2] {
    let cancel = AtomicBool::new(false);
    let options = ReadOptions {
        paths: vec![path.to_owned()],
        format,
        compression: None,
        sheet: None,
        columns: Columns::default(),
        date_order: None,
        limits,
        scratch: None,
        threads: 2,
        cancel: &cancel,
    };
    [check_columns(&options), read_panel(&options).map(drop)].map(|outcome| match outcome {
        Ok(()) => None,
        Err(ReadError::Content(error)) => Some(*error),
        Err(error) => panic!("{error}"),
    })
}

fn both_of(bytes: &[u8], format: FileFormat) -> [Option<ContentError>; 2] {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("input");
    std::fs::write(&path, bytes).unwrap();
    both(&path, format, Limits { max_columns: 10, ..Limits::default() })
}

#[test]
fn what_stands_before_the_rows_is_refused_with_the_error_of_a_full_read() {
    let rows = "a,2026-01-01,1\na,2026-01-02,2\n";
    let header = "item_id,timestamp,target";
    for (text, code) in [
        (String::new(), "empty_file"),
        ("\n \n".to_owned(), "empty_file"),
        (header.to_owned(), "no_rows"),
        (format!("id,timestamp,target\n{rows}"), "missing_column"),
        (format!("item_id;timestamp;sales\n{rows}"), "missing_column"),
        (format!("{header},target\n{rows}"), "duplicate_column"),
        (format!("{header}{}\n{rows}", ",x".repeat(8)), "too_many_columns"),
        (format!("{header},{}\n{rows}", "x".repeat(40_000)), "cell_too_long"),
        (format!("{header},\0\n{rows}"), "nul_bytes"),
        (format!("\"{header}\n{rows}"), "ragged_row"),
        (format!("\"item_id\"x,timestamp,target\n{rows}"), "ragged_row"),
        (format!("{header}\n{rows}").replace('\n', "\r"), "unsupported_encoding"),
        (format!("PAR1{header}\n{rows}"), "format_mismatch"),
        (format!("PK\u{3}\u{4}{header}\n{rows}"), "format_mismatch"),
    ] {
        let [before, whole] = both_of(text.as_bytes(), FileFormat::Csv);
        assert_eq!(before.as_ref().map(|error| error.code), Some(code), "{text:.80}");
        assert_eq!(before, whole, "{text:.80}");
    }
    for bytes in [&b"\xff\xfei\0t\0"[..], b"item_id,timestamp,target,\xe9\na,2026-01-01,1,\n"] {
        let [before, whole] = both_of(bytes, FileFormat::Csv);
        assert_eq!(before.as_ref().map(|error| error.code), Some("unsupported_encoding"));
        assert_eq!(before, whole);
    }
}

#[test]
fn rows_are_not_looked_at() {
    let mut text = String::from("\u{feff}target;note;timestamp;item_id\n1;;someday;a\n2;;2026-01-02\n");
    for row in 0..100_000 {
        writeln!(text, "{row};\0;;").unwrap();
    }
    let [before, whole] = both_of(text.as_bytes(), FileFormat::Csv);
    assert_eq!(before, None);
    assert!(whole.is_some());
}

#[test]
fn a_parquet_footer_tells_columns_types_and_damage() {
    let folder = TempDir::new().unwrap();
    let written = |name: &str, schema: &str| {
        let path = folder.path().join(name);
        write_parquet(&path, schema);
        path
    };
    let columns = |item_id: &str, timestamp: &str, target: &str| {
        format!(
            "message rows {{ required binary {item_id} (UTF8); required binary {timestamp} (UTF8); {target} }}"
        )
    };
    let number = "required double target;";
    // The stamps are no stamps, which only a full read can see.
    let sound = written("sound", &columns("item_id", "timestamp", number));
    let [before, whole] = both(&sound, FileFormat::Parquet, Limits::default());
    assert_eq!(before, None);
    assert_eq!(whole.unwrap().code, "unparseable_timestamp");

    for (name, schema, code, column) in [
        ("missing", columns("id", "timestamp", number), "missing_column", "item_id"),
        ("renamed", columns("item_id", "timestamp", "required double sales;"), "missing_column", "target"),
        (
            "nested",
            columns("item_id", "timestamp", "required group target { required double value; }"),
            "nested_column",
            "target",
        ),
    ] {
        let [before, whole] = both(&written(name, &schema), FileFormat::Parquet, Limits::default());
        let error = before.clone().unwrap();
        assert_eq!((error.code, error.column.as_deref()), (code, Some(column)));
        assert_eq!(before, whole);
    }
    let limits = Limits { max_columns: 2, ..Limits::default() };
    assert_eq!(
        both(&sound, FileFormat::Parquet, limits).map(|error| error.unwrap().code),
        ["too_many_columns"; 2]
    );
    let limits = Limits { max_rows: 1, ..Limits::default() };
    assert_eq!(
        both(&sound, FileFormat::Parquet, limits).map(|error| error.unwrap().code),
        ["too_many_rows"; 2]
    );

    let bytes = std::fs::read(&sound).unwrap();
    for (bytes, code) in
        [(&bytes[..bytes.len() - 9], "corrupt_file"), (b"item_id,timestamp", "format_mismatch")]
    {
        let [before, whole] = both_of(bytes, FileFormat::Parquet);
        assert_eq!(before.as_ref().map(|error| error.code), Some(code));
        assert_eq!(before, whole);
    }
}

/// Two rows of text, text and a number in each leaf of the schema.
fn write_parquet(path: &Path, schema: &str) {
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(File::create(path).unwrap(), schema, Arc::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    for text in ["a", "someday"] {
        let mut column = group.next_column().unwrap().unwrap();
        let cells = [ByteArray::from(text), ByteArray::from(text)];
        column.typed::<ByteArrayType>().write_batch(&cells, None, None).unwrap();
        column.close().unwrap();
    }
    let mut column = group.next_column().unwrap().unwrap();
    column.typed::<DoubleType>().write_batch(&[1.0, 2.0], None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.close().unwrap();
}
