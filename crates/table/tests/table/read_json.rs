//! JSON: arrays of objects, and an object a line.

use std::fmt::Write;

use crate::support::{read_bytes, read_files, rows};
use tabcast_table::{Columns, ContentError, CovariateValues, FileFormat, Panel};

fn array(objects: &[&str]) -> Result<Panel, Box<ContentError>> {
    read_bytes(format!("[{}]", objects.join(",")).as_bytes(), FileFormat::Json)
}

fn code(text: &str, format: FileFormat) -> (&'static str, u16) {
    let error = read_bytes(text.as_bytes(), format).unwrap_err();
    (error.code, error.kind.status())
}

const ROW: &str = r#"{"item_id":"a","timestamp":"2026-01-01","target":1}"#;
const NEXT: &str = r#"{"item_id":"a","timestamp":"2026-01-02","target":2}"#;

#[test]
fn cells_of_every_kind_mean_what_their_text_means() {
    let panel = array(&[
        r#"{"item_id":17,"timestamp":1767225600,"target":"1.5","more":[[],{"a":{}}]}"#,
        r#"{"item_id":17,"timestamp":"2026-01-01T02:00:00+01:00","target":-3e2}"#,
        r#"{"item_id":17,"timestamp":"2026-01-01 02:00:00","target":null}"#,
        r#"{"item_id":17,"timestamp":"2026-01-01 03:00:00","target":"N/A"}"#,
        r#"{"item_id":17,"timestamp":"2026-01-01 04:00:00"}"#,
        "{\"item_id\":\"\\u00e9\\\"\",\"timestamp\":20260101,\"target\":0.1}",
        "{\"target\":0.30000000000000004,\"item_id\":\"é\\\"\",\"timestamp\":\"2026\\/01\\/02\"}",
        r#"{"item_id":18446744073709551615,"timestamp":"2026-01","target":1,"target":2}"#,
        r#"{"item_id":18446744073709551615,"timestamp":"2026-02","target":12345678901234567890}"#,
    ])
    .unwrap();
    let expected = read_bytes(
        "item_id,timestamp,target\n17,1767225600,1.5\n17,2026-01-01T02:00:00+01:00,-300\n17,2026-01-01 02:00:00,\n\
         17,2026-01-01 03:00:00,\n17,2026-01-01 04:00:00,\n\"é\"\"\",2026-01-01,0.1\n\"é\"\"\",2026-01-02,0.30000000000000004\n\
         18446744073709551615,2026-01,2\n18446744073709551615,2026-02,12345678901234567890\n"
            .as_bytes(),
        FileFormat::Csv,
    )
    .unwrap();
    assert_eq!(rows(&panel), rows(&expected));
    assert_eq!(panel.warnings.iter().map(|warning| &*warning.code).collect::<Vec<_>>(), ["mixed_time_zones"]);
    let marked = format!("\u{feff} [{ROW},{NEXT}]");
    assert_eq!(read_bytes(marked.as_bytes(), FileFormat::Json).unwrap().rows, 2, "a byte order mark");
}

#[test]
fn covariates_are_numbers_booleans_or_categories() {
    let text = r#"[{"item_id":1,"timestamp":"2026-01-01","target":1,"open":true,"price":2,"kind":"x"},
        {"item_id":1,"timestamp":"2026-01-02","target":2,"open":false,"price":2.5,"kind":3},
        {"item_id":1,"timestamp":"2026-01-03","target":2,"kind":null}]"#;
    let covariates = ["open", "price", "kind"].map(str::to_owned).to_vec();
    let panel = read_files(&[text.as_bytes()], FileFormat::Json, |options| {
        options.columns.covariates = covariates;
    })
    .unwrap();
    let numbers = |index: usize| match &panel.covariates[index].values {
        CovariateValues::Numbers(values) => values.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(numbers(0)[..2], [1.0, 0.0]);
    assert_eq!(numbers(1)[..2], [2.0, 2.5]);
    assert!(numbers(0)[2].is_nan());
    assert!(
        matches!(&panel.covariates[2].values, CovariateValues::Categories { names, .. } if *names == ["3", "x"])
    );
}

#[test]
fn wrong_cells_are_counted_and_named() {
    let with = |cells: &str| format!("[{ROW},{NEXT},{{{cells}}}]");
    for (cells, expected, row) in [
        (r#""item_id":"","timestamp":"2026-01-03","target":1"#, "missing_item_id", Some(3)),
        (r#""timestamp":"2026-01-03","target":1"#, "missing_item_id", Some(3)),
        (r#""item_id":"a","target":1"#, "unparseable_timestamp", Some(3)),
        (r#""item_id":"a","timestamp":true,"target":1"#, "unparseable_timestamp", Some(3)),
        (r#""item_id":"a","timestamp":"2026-01-03","target":"1,5""#, "non_numeric_target", Some(3)),
        (r#""item_id":"a","timestamp":"2026-01-03","target":true"#, "non_numeric_target", Some(3)),
        (r#""item_id":"a","timestamp":"2026-01-03","target":"inf""#, "non_finite_target", Some(3)),
        (r#""item_id":"a","timestamp":"2026-01-03","target":1e400"#, "non_finite_target", Some(3)),
        (r#""item_id":"a","timestamp":["2026-01-03"],"target":1"#, "nested_column", Some(3)),
        (r#""item_id":"a","timestamp":"2026-01-03","target":{"v":1}"#, "nested_column", Some(3)),
        (r#""item_id":"a\u0000b","timestamp":"2026-01-03","target":1"#, "nul_bytes", Some(3)),
    ] {
        let text = with(cells);
        let error = read_bytes(text.as_bytes(), FileFormat::Json).unwrap_err();
        assert_eq!((error.code, error.row), (expected, row), "{cells}");
        let lines = text[1..text.len() - 1].replace("},{", "}\n{");
        let lined = read_bytes(lines.as_bytes(), FileFormat::Jsonl).unwrap_err();
        assert_eq!((lined.code, lined.row), (expected, row), "{cells}");
    }
}

#[test]
fn a_column_may_be_left_out_of_objects_but_not_of_all() {
    let missing = array(&[r#"{"item_id":"a","time":"2026-01-01","target":1}"#]).unwrap_err();
    assert_eq!(
        (missing.code, missing.column.as_deref(), missing.row),
        ("missing_column", Some("timestamp"), None)
    );
    assert!(missing.message.contains("'time'"), "{missing}");
    let mut text = String::from("[");
    for row in 0..3_000 {
        write!(text, r#"{{"item_id":"a","timestamp":{},"x":0}},"#, 1_700_000_000 + row).unwrap();
    }
    let late = format!("{text}{ROW}]");
    assert_eq!(
        code(&late, FileFormat::Json),
        ("missing_column", 422),
        "the first thousand objects are the header"
    );
    let twice = read_files(&[format!("[{ROW},{NEXT}]").as_bytes()], FileFormat::Json, |options| {
        options.columns = Columns { covariates: vec!["target".to_owned()], ..Columns::default() };
    });
    assert_eq!(twice.unwrap_err().code, "duplicate_column");
}

#[test]
fn text_that_is_no_table_is_refused() {
    for (text, format, expected) in [
        ("", FileFormat::Json, ("empty_file", 400)),
        (" \n\t", FileFormat::Json, ("empty_file", 400)),
        ("\n\n", FileFormat::Jsonl, ("empty_file", 400)),
        ("[]", FileFormat::Json, ("no_rows", 400)),
        (ROW, FileFormat::Json, ("format_mismatch", 415)),
        ("{\"data\":[]}", FileFormat::Json, ("format_mismatch", 415)),
        ("[1,2]", FileFormat::Json, ("format_mismatch", 415)),
        ("[[1],[2]]", FileFormat::Json, ("format_mismatch", 415)),
        ("7", FileFormat::Json, ("format_mismatch", 415)),
        ("[{}]", FileFormat::Jsonl, ("format_mismatch", 415)),
        ("item_id,timestamp,target\n", FileFormat::Json, ("corrupt_file", 415)),
        ("PAR1....", FileFormat::Json, ("format_mismatch", 415)),
        ("\u{1f}\u{8b}", FileFormat::Jsonl, ("corrupt_file", 415)),
    ] {
        assert_eq!(code(text, format), expected, "{text}");
    }
    for text in [
        format!("[{ROW},{NEXT}"),
        format!("[{ROW},{NEXT},]"),
        format!("[{ROW}{NEXT}]"),
        format!("[{ROW},{NEXT}] x"),
        ROW.replace(":1", ":NaN"),
        format!("[{ROW},{{\"item_id\":\"a"),
        format!("[{ROW},{{'item_id':1}}]"),
    ] {
        let format = if text.starts_with('[') { FileFormat::Json } else { FileFormat::Jsonl };
        assert_eq!(code(&text, format), ("corrupt_file", 415), "{text}");
    }
    let wide = b"\xff\xfe[\0]\0";
    assert_eq!(read_bytes(wide, FileFormat::Json).unwrap_err().code, "unsupported_encoding");
    let invalid = [b"[{\"item_id\":\"\xff\",".as_slice(), &ROW.as_bytes()[1..], b"]"].concat();
    assert_eq!(read_bytes(&invalid, FileFormat::Json).unwrap_err().code, "corrupt_file");
}

#[test]
fn what_a_parser_would_keep_is_bounded() {
    let deep = |depth: usize| format!("[{{\"x\":{}{}}},{ROW},{NEXT}]", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(code(&deep(10), FileFormat::Json).0, "missing_item_id");
    assert_eq!(code(&deep(1_000_000), FileFormat::Json), ("corrupt_file", 415));
    let long = |name: &str, length: usize| {
        format!(r#"[{{"{name}":"{}","timestamp":"2026-01-03","target":1}},{ROW},{NEXT}]"#, "é".repeat(length))
    };
    assert!(
        read_bytes(long("item_id", 32_768).as_bytes(), FileFormat::Json)
            .is_err_and(|error| error.code == "too_few_observations")
    );
    assert_eq!(code(&long("item_id", 32_769), FileFormat::Json), ("cell_too_long", 422));
    assert_eq!(code(&long("x", 300_000), FileFormat::Json), ("cell_too_long", 422));
    let digits = format!("[{{\"x\":{}}},{ROW}]", "1".repeat(2_000));
    assert_eq!(code(&digits, FileFormat::Json), ("corrupt_file", 415));
    let mut keys = String::from("[{");
    for key in 0..501 {
        write!(keys, "\"k{key}\":0,").unwrap();
    }
    assert_eq!(code(&format!("{keys}{},{NEXT}]", &ROW[1..]), FileFormat::Json), ("too_many_columns", 413));
    let few = |limit: u64| {
        let text = format!("[{ROW},{NEXT}]");
        read_files(&[text.as_bytes()], FileFormat::Json, |options| options.limits.max_rows = limit)
    };
    assert!(few(2).is_ok());
    assert_eq!(few(1).unwrap_err().code, "too_many_rows");
}
