//! Types of columns, and other formats than CSV.

use std::io::Write as _;

use super::{Case, check, good, good_rows, halves, lines, not_passed, replaced, with};
use crate::support::parquet::{Values, file, text};
use crate::support::workbook::{texts, xlsx};
use flate2::write::GzEncoder;
use parquet::file::properties::WriterProperties;
use tabcast_table::{ColumnType, Columns, Compression, FileFormat, Limits};

#[test]
fn every_column_has_a_type_and_its_nulls_and_the_schema_a_fingerprint() {
    let text = "item_id,timestamp,target,flag,when,code,mixed,empty,mostly\n\
        a,20260101,1,true,2026-01-01,1,1,,x\na,20260102,2,False,NA,NA,b,,NA\na,20260103,,TRUE,2026-01-03,2,2026-01-01,,\n";
    let found = Case::csv(text).inspect().unwrap();
    let types: Vec<(&str, &str, u64)> =
        found.columns.iter().map(|column| (column.name.as_str(), column.kind.name(), column.nulls)).collect();
    assert_eq!(
        types,
        [
            ("item_id", "text", 0),
            ("timestamp", "timestamp", 0),
            ("target", "number", 1),
            ("flag", "boolean", 0),
            ("when", "timestamp", 1),
            ("code", "number", 1),
            ("mixed", "text", 0),
            ("empty", "empty", 3),
            ("mostly", "text", 1),
        ]
    );
    assert_eq!(found.schema_fingerprint.len(), 64);
    let print = |text: &str| Case::csv(text).inspect().unwrap().schema_fingerprint;
    let other_rows = "target,item_id,timestamp\n2.5,x,2026-01-01\n,x,2026-01-02\n7,x,2026-01-03\n";
    assert_eq!(print(&good()), print(other_rows), "order and rows do not matter");
    assert_ne!(print(&good()), print(&good().replace("target", "target,more").replace(",1", ",1,1")));
    assert_ne!(print(&good()), print(&replaced(1, "a,2026-01-01,text")));
}

#[test]
fn parquet_columns_are_told_by_what_the_file_says_of_them() {
    let bytes = file(
        "message m { required binary item_id (UTF8); required int32 timestamp (DATE); optional double target; \
         optional boolean flag; required int64 at (TIMESTAMP_MILLIS); optional binary note (UTF8); \
         required fixed_len_byte_array(2) raw; repeated binary list (UTF8); }",
        vec![vec![
            (text(&["a", "a"]), None),
            (Values::Int32(vec![20_000, 20_001]), None),
            (Values::Double(vec![1.0]), Some(vec![1, 0])),
            (Values::Boolean(vec![]), Some(vec![0, 0])),
            (Values::Int64(vec![0, 1]), None),
            (text(&["2026-01-01"]), Some(vec![1, 0])),
            (Values::Fixed(vec![b"xy".to_vec(), b"xy".to_vec()]), None),
            (text(&["x", "y"]), Some(vec![1, 1])),
        ]],
        WriterProperties::builder().build(),
    );
    let found = Case { bytes: &bytes, format: FileFormat::Parquet, ..Case::csv("") }.inspect().unwrap();
    let types: Vec<(ColumnType, u64)> =
        found.columns.iter().map(|column| (column.kind, column.nulls)).collect();
    assert_eq!(
        types,
        [
            (ColumnType::Text, 0),
            (ColumnType::Timestamp, 0),
            (ColumnType::Number, 1),
            (ColumnType::Boolean, 2),
            (ColumnType::Timestamp, 0),
            (ColumnType::Timestamp, 1),
            (ColumnType::Other, 0),
            (ColumnType::Other, 0),
        ]
    );
    assert_eq!(not_passed(&found), [("nulls", "warning"), ("min_history", "failed")]);
    let columns = Columns { target: "flag".into(), ..Columns::default() };
    let case = Case { bytes: &bytes, format: FileFormat::Parquet, columns, ..Case::csv("") };
    let found = case.inspect().unwrap();
    assert_eq!(not_passed(&found), [("numeric_target", "failed")]);
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn packed_text_json_and_sheets_in_one_file_or_two_are_inspected_as_the_csv_is() {
    for text in [
        good(),
        with(&["c,2026-01-06,1", "a,2026-01-03,9"]),
        replaced(24, "b,someday,4"),
        replaced(30, "b,2026-01-10,"),
        with(&["a,x,1", ",2026-01-21,many"]),
    ] {
        let expected = Case::csv(&text).inspect().unwrap();
        let same = |case: Case, what: &str| {
            let found = case.inspect().unwrap();
            assert_eq!(found, expected, "{what}: {text}");
            assert_eq!(found.is_valid(), case.is_taken(), "{what}: {text}");
        };
        let packed = gzip(text.as_bytes());
        same(Case { bytes: &packed, compression: Some(Compression::Gzip), ..Case::csv("") }, "gzip");
        let objects = lines(&text);
        same(Case { format: FileFormat::Jsonl, ..Case::csv(&objects) }, "jsonl");
        let packed = zstd::encode_all(objects.as_bytes(), 1).unwrap();
        let compression = Some(Compression::Zstd);
        same(Case { bytes: &packed, format: FileFormat::Jsonl, compression, ..Case::csv("") }, "jsonl.zst");
        let array = format!("[{}]", objects.trim().replace('\n', ","));
        same(Case { format: FileFormat::Json, ..Case::csv(&array) }, "json");
        let cells: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
        let workbook = xlsx(&[("Sheet1", texts(&cells))]);
        same(Case { bytes: &workbook, format: FileFormat::Xlsx, ..Case::csv("") }, "xlsx");

        let [first, second] = halves(&text, 23);
        let turned = second.replace(',', ";");
        same(Case { more: &[turned.as_bytes()], ..Case::csv(&first) }, "two files");
        let packed = [gzip(first.as_bytes()), gzip(second.as_bytes())];
        let compression = Some(Compression::Gzip);
        same(Case { bytes: &packed[0], more: &[&packed[1]], compression, ..Case::csv("") }, "two packed");
        let (first, second) = (lines(&first), lines(&second));
        let format = FileFormat::Jsonl;
        same(Case { more: &[second.as_bytes()], format, ..Case::csv(&first) }, "two of jsonl");
    }
}

#[test]
fn files_with_other_columns_fail_the_check_of_columns() {
    let good = good();
    for second in
        ["item_id,timestamp,sales\na,2026-01-21,1\n", "item_id,timestamp,target,price\na,2026-01-21,1,1\n"]
    {
        let case = Case { more: &[second.as_bytes()], ..Case::csv(&good) };
        let found = case.inspect().unwrap();
        assert_eq!(not_passed(&found), [("required_columns", "failed")]);
        assert!(check(&found, "required_columns").message.contains("File 2"), "{found:?}");
        assert_eq!(found.columns.len(), 3, "the columns of the first file are told");
        assert!(found.truncated && !case.is_taken());
    }
    let error = Case { more: &[b"PAR1"], ..Case::csv(&good) }.inspect().unwrap_err();
    assert_eq!((error.code, error.message.starts_with("File 2: ")), ("format_mismatch", true));
    let error = Case { more: &[good.as_bytes()], ..Case::csv("") }.inspect().unwrap_err();
    assert_eq!((error.code, error.message.starts_with("File 1: ")), ("empty_file", true));
    // A column that is a number in one file and a text in the other is a text.
    let texts = "item_id,timestamp,target\na,2026-01-21,many\n";
    let found = Case { more: &[texts.as_bytes()], ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(found.columns[2].kind, ColumnType::Text);
    assert_eq!(check(&found, "numeric_target").sample_rows, [41]);
}

#[test]
fn a_row_cap_counts_over_all_files_of_every_format() {
    let good = good();
    let [first, second] = halves(&good, 25);
    let [first_lines, second_lines] = [lines(&first), lines(&second)];
    let sheet = |text: &str| {
        let cells: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let cells: Vec<&[&str]> = cells.iter().map(Vec::as_slice).collect();
        xlsx(&[("Sheet1", texts(&cells))])
    };
    let sheets = [sheet(&first), sheet(&second)];
    let group = |rows: std::ops::Range<usize>| {
        let all = good_rows();
        let cell = |place: usize| {
            let cells: Vec<&str> =
                all[rows.clone()].iter().filter_map(|row| row.split(',').nth(place)).collect();
            (text(&cells), None)
        };
        vec![cell(0), cell(1), cell(2)]
    };
    let schema = "message m { required binary item_id (UTF8); required binary timestamp (UTF8); required binary \
        target (UTF8); }";
    let parquet = |groups| file(schema, groups, WriterProperties::builder().build());
    let parquets = [parquet(vec![group(0..9), group(9..25)]), parquet(vec![group(25..30), group(30..40)])];
    for (format, files) in [
        (FileFormat::Csv, [first.as_bytes(), second.as_bytes()]),
        (FileFormat::Jsonl, [first_lines.as_bytes(), second_lines.as_bytes()]),
        (FileFormat::Xlsx, [&sheets[0], &sheets[1]]),
        (FileFormat::Parquet, [&parquets[0], &parquets[1]]),
    ] {
        for (cap, rows) in [(1, 1), (24, 24), (25, 25), (26, 26), (39, 39), (40, 40), (41, 40)] {
            for threads in [1, 3] {
                let limits = Limits { stop_after: Some(cap), max_rows: cap, ..Limits::default() };
                let case =
                    Case { bytes: files[0], more: &files[1..], format, limits, threads, ..Case::csv("") };
                let found = case.inspect().unwrap();
                assert_eq!((found.rows, found.truncated), (Some(rows), rows < 40), "{format:?} {cap}");
                assert_eq!(found.items, Some(rows.div_ceil(20)), "{format:?} {cap}");
            }
        }
    }
}

#[test]
fn columns_of_json_are_the_keys_of_its_objects() {
    let object = |day: u32, more: &str| {
        format!("{{\"item_id\":7,\"timestamp\":\"2026-01-{day:02}\",\"target\":{day}.5{more}}}\n")
    };
    let mut text =
        object(1, ",\"flag\":true,\"list\":[1,{\"a\":2}],\"when\":\"2026-01-01\",\"twice\":1,\"twice\":2");
    text.push_str(&object(2, ",\"late\":null,\"flag\":null,\"list\":3"));
    for day in 3..=9 {
        text.push_str(&object(day, ""));
    }
    let case = Case { format: FileFormat::Jsonl, ..Case::csv(&text) };
    let found = case.inspect().unwrap();
    let types: Vec<(&str, ColumnType, u64)> =
        found.columns.iter().map(|column| (column.name.as_str(), column.kind, column.nulls)).collect();
    assert_eq!(
        types,
        [
            ("item_id", ColumnType::Number, 0),
            ("timestamp", ColumnType::Timestamp, 0),
            ("target", ColumnType::Number, 0),
            ("flag", ColumnType::Boolean, 8),
            ("list", ColumnType::Other, 7),
            ("when", ColumnType::Timestamp, 8),
            ("twice", ColumnType::Number, 8),
            ("late", ColumnType::Empty, 9),
        ]
    );
    assert!(found.is_valid() && case.is_taken());
    let columns = Columns { covariates: vec!["list".into()], ..Columns::default() };
    let found = Case { columns, ..case }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "failed")]);
    for (text, format, code) in [
        ("", FileFormat::Jsonl, "empty_file"),
        ("[]", FileFormat::Json, "no_rows"),
        ("{\"item_id\":1}", FileFormat::Json, "format_mismatch"),
        ("[1,2]", FileFormat::Jsonl, "format_mismatch"),
        ("{\"item_id\":1}\n{\"item_id\"", FileFormat::Jsonl, "corrupt_file"),
        ("[{\"item_id\":1},{\"item_id\"", FileFormat::Json, "corrupt_file"),
    ] {
        let case = Case { format, ..Case::csv(text) };
        assert_eq!(case.inspect().unwrap_err().code, code, "{text}");
    }
    let missing = Case { format: FileFormat::Jsonl, ..Case::csv("{\"item_id\":1}\n{\"other\":1}\n") };
    assert_eq!(not_passed(&missing.inspect().unwrap()), [("required_columns", "failed")]);
    let huge = format!("{}{}", object(1, ""), object(2, "").replace("2.5", "1e999"));
    let huge = Case { format: FileFormat::Jsonl, ..Case::csv(&huge) }.inspect().unwrap();
    assert_eq!(not_passed(&huge)[0], ("numeric_target", "failed"));
}
