//! Columns of Parquet files whose values cannot be read.

use std::fs;
use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tabcast_table::FileFormat;
use tabcast_tabular::{Config, Control, Failure, Options, Profile, check};
use tempfile::TempDir;

use crate::support::{dice, options};

const ROWS: usize = 60;

/// A number, two columns of bytes of which the first cannot be read, and a label.
fn file() -> Vec<u8> {
    let schema =
        "message m { required double x; required fixed_len_byte_array(2) key; required binary y (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).expect("a schema"));
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Arc::default()).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let numbers: Vec<f64> = (0..ROWS).map(|row| dice(row, 1) as f64).collect();
    let mut column = group.next_column().expect("a column").expect("the first");
    column.typed::<DoubleType>().write_batch(&numbers, None, None).expect("values");
    column.close().expect("an end");
    let keys: Vec<FixedLenByteArray> =
        (0..ROWS).map(|row| ByteArray::from(vec![0xff, row as u8]).into()).collect();
    let mut column = group.next_column().expect("a column").expect("the second");
    column.typed::<FixedLenByteArrayType>().write_batch(&keys, None, None).expect("values");
    column.close().expect("an end");
    let labels: Vec<ByteArray> =
        numbers.iter().map(|x| ByteArray::from(if *x > 500.0 { "yes" } else { "no" })).collect();
    let mut column = group.next_column().expect("a column").expect("the third");
    column.typed::<ByteArrayType>().write_batch(&labels, None, None).expect("values");
    column.close().expect("an end");
    group.close().expect("an end");
    writer.into_inner().expect("bytes")
}

fn checked(change: impl FnOnce(&mut Options)) -> Result<(Profile, Vec<tabcast_table::Warning>), Failure> {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("table.parquet");
    fs::write(&path, file()).expect("a file");
    let mut options =
        Options { input_paths: vec![path], format: FileFormat::Parquet, ..options("classification", "y") };
    change(&mut options);
    check(&Config::resolve(options)?, &Control::new())
}

#[test]
fn a_column_that_cannot_be_read_is_left_out_with_a_warning() {
    let (profile, warnings) = checked(|_| {}).expect("a table");
    assert_eq!((profile.rows, profile.columns), (ROWS, 3));
    let codes: Vec<_> = warnings.iter().map(|warning| (&*warning.code, warning.count)).collect();
    assert!(codes.contains(&("unreadable_columns", 1)), "{warnings:?}");
    assert!(!codes.iter().any(|(code, _)| *code == "dropped_columns"), "{warnings:?}");
    assert!(warnings.iter().any(|warning| warning.message.contains("'key'")), "{warnings:?}");
}

#[test]
fn a_label_or_a_time_that_cannot_be_read_is_refused() {
    let label = checked(|options| options.label_column = "key".to_owned());
    let time = checked(|options| options.time_column = Some(" key".to_owned()));
    for refused in [label, time] {
        let Err(Failure::Content(error)) = refused else { panic!("no refusal") };
        assert_eq!(
            (error.code, error.kind.status(), error.column.as_deref()),
            ("unsupported_type", 415, Some("key"))
        );
        assert!(error.suggestion.is_some());
    }
}
