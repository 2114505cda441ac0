//! All columns of a table.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use crate::support::Folder;
use crate::support::biff;
use crate::support::parquet::{Values, file, text as texts};
use crate::support::workbook::{Cell, text, xlsx};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tabcast_table::{
    Compression, ContentError, FileFormat, Frame, FrameColumn, FrameOptions, Limits, ReadError, TextColumn,
    frame_hash, read_frame,
};

fn read_files(
    files: &[&[u8]],
    format: FileFormat,
    change: impl FnOnce(&mut FrameOptions),
) -> Result<Frame, Box<ContentError>> {
    let folder = Folder::new();
    let cancel = AtomicBool::new(false);
    let mut options = FrameOptions {
        paths: (0..files.len()).map(|index| folder.path(&format!("input-{index}"))).collect(),
        format,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    };
    for (path, bytes) in options.paths.iter().zip(files) {
        std::fs::write(path, bytes).unwrap();
    }
    change(&mut options);
    match read_frame(&options) {
        Ok(frame) => Ok(frame),
        Err(ReadError::Content(error)) => Err(error),
        Err(error) => panic!("{error}"),
    }
}

fn csv(content: &str) -> Result<Frame, Box<ContentError>> {
    read_files(&[content.as_bytes()], FileFormat::Csv, |_| {})
}

fn jsonl(content: &str) -> Result<Frame, Box<ContentError>> {
    read_files(&[content.as_bytes()], FileFormat::Jsonl, |_| {})
}

/// Cells as texts: numbers in their shortest form, nothing where there is no value.
fn cells(frame: &Frame, name: &str) -> Vec<String> {
    match &frame.columns[frame.position(name).unwrap()] {
        FrameColumn::Numbers(numbers) => {
            let print = |number: &f64| if number.is_nan() { String::new() } else { number.to_string() };
            numbers.iter().map(print).collect()
        }
        FrameColumn::Texts(column) => {
            (0..frame.rows).map(|row| column.get(row).unwrap_or_default().to_owned()).collect()
        }
    }
}

fn is_numbers(frame: &Frame, name: &str) -> bool {
    matches!(frame.columns[frame.position(name).unwrap()], FrameColumn::Numbers(_))
}

/// One column under a header, with a column of 1 beside it so that an empty cell is no blank line.
fn column(cells: &[&str]) -> Frame {
    let rows: String = cells.iter().flat_map(|cell| [*cell, ",1\n"]).collect();
    csv(&format!("x,one\n{rows}")).unwrap()
}

#[test]
fn a_column_of_numbers_takes_words_for_missing_values() {
    let frame =
        column(&["1", "", "NA", "n/a", "NaN", "null", "none", "-", "?", "-2.50", "1e3", "inf", " 7 "]);
    assert!(is_numbers(&frame, "x"));
    assert_eq!(cells(&frame, "x"), ["1", "", "", "", "", "", "", "", "", "-2.5", "1000", "", "7"]);
    assert_eq!(frame.rows, 13);
}

#[test]
fn among_texts_some_of_these_words_are_levels() {
    let frame = column(&["red", "", "NA", "NaN", "null", "none", "-", "?", "None", "inf"]);
    assert_eq!(cells(&frame, "x"), ["red", "", "", "", "", "none", "-", "?", "None", "inf"]);
    let frame = column(&["?", "none", ""]);
    assert_eq!(cells(&frame, "x"), ["?", "none", ""]);
    let frame = column(&["", "NA", ""]);
    assert!(is_numbers(&frame, "x"));
}

#[test]
fn texts_beside_numbers_are_kept_byte_for_byte() {
    let frame = column(&["1.0", "1", "1.50", "1e3", "007", "-0", "0.0000001", "100000000000000000000"]);
    assert_eq!(
        cells(&frame, "x"),
        ["1.0", "1", "1.50", "1e3", "007", "-0", "0.0000001", "100000000000000000000"]
    );
    let FrameColumn::Texts(column) = &frame.columns[0] else { panic!() };
    assert_eq!(column.texts.len(), 8);
    assert_eq!(column.codes, [0, 1, 2, 3, 4, 5, 6, 7]);
    assert!(is_numbers(&frame, "one"));
}

#[test]
fn digits_that_are_a_code_are_texts() {
    for code in ["007", "+49", "-01", "9007199254740993", "12345678901234567890", "00.5"] {
        let frame = column(&[code, "12"]);
        assert_eq!(cells(&frame, "x"), [code, "12"], "{code}");
        assert!(!is_numbers(&frame, "x"), "{code}");
    }
    for number in ["0.5", "+0.5", "9007199254740992", "0", "-0.25", "1E-7", "0.12345678901234567890"] {
        assert!(is_numbers(&column(&[number, "12"]), "x"), "{number}");
    }
}

#[test]
fn a_later_text_changes_how_earlier_blocks_are_kept() {
    // More than one block of half a megabyte for each of several threads; the text comes last.
    let mut table = String::from("a,b,c\n");
    for row in 0..60_000 {
        writeln!(table, "{}.0,{row}.50,{}", row % 100, row % 7).unwrap();
    }
    table.push_str("last,1,x\n");
    let frames: Vec<Frame> = [1, 2, 5]
        .map(|threads| {
            read_files(&[table.as_bytes()], FileFormat::Csv, |options| options.threads = threads).unwrap()
        })
        .to_vec();
    assert_eq!(&cells(&frames[0], "a")[..2], ["0.0", "1.0"]);
    assert_eq!(cells(&frames[0], "a")[60_000], "last");
    assert_eq!(&cells(&frames[0], "b")[..2], ["0.5", "1.5"]);
    assert_eq!(&cells(&frames[0], "c")[..8], ["0", "1", "2", "3", "4", "5", "6", "0"]);
    for frame in &frames {
        assert_eq!(frame_hash(frame), frame_hash(&frames[0]));
        assert_eq!(frame.names, frames[0].names);
    }
}

#[test]
fn typed_cells_mean_what_their_text_would() {
    let expected = csv("n,long,flag,day,time,single,mixed\n\
        1,9007199254740993,true,2026-01-31,2026-01-31 13:45:00,0.1,2.5\n\
        ,2,false,2026-02-01,2026-02-01,-3,x\n")
    .unwrap();
    let json = r#"{"n":1.0,"long":9007199254740993,"flag":true,"day":"2026-01-31","time":"2026-01-31 13:45:00","single":0.1,"mixed":2.50}
        {"long":2,"flag":false,"day":"2026-02-01","time":"2026-02-01","single":-3,"mixed":"x"}"#;
    let schema = "message m { optional double n; required int64 long; required boolean flag; required int32 day (DATE); \
        required int64 time (TIMESTAMP_MILLIS); required float single; required binary mixed (UTF8); }";
    let (day, noon) = (20_484_i64, 13 * 3_600_000 + 45 * 60_000);
    let columns = vec![
        (Values::Double(vec![1.0]), Some(vec![1, 0])),
        (Values::Int64(vec![9_007_199_254_740_993, 2]), None),
        (Values::Boolean(vec![true, false]), None),
        (Values::Int32(vec![day as i32, day as i32 + 1]), None),
        (Values::Int64(vec![day * 86_400_000 + noon, (day + 1) * 86_400_000]), None),
        (Values::Float(vec![0.1, -3.0]), None),
        (texts(&["2.5", "x"]), None),
    ];
    let parquet = file(schema, vec![columns], WriterProperties::builder().build());
    let header = ["n", "long", "flag", "day", "time", "single", "mixed"].map(text).to_vec();
    let rows = vec![
        header,
        vec![
            Cell::Number(1.0),
            text("9007199254740993"),
            Cell::Boolean(true),
            Cell::Date(46_053.0),
            Cell::Date(46_053.0 + 13.75 / 24.0),
            Cell::Number(0.1),
            Cell::Number(2.5),
        ],
        vec![
            Cell::Empty,
            Cell::Number(2.0),
            Cell::Boolean(false),
            Cell::Date(46_054.0),
            Cell::Date(46_054.0),
            Cell::Number(-3.0),
            text("x"),
        ],
    ];
    let sheets = [("Data", rows)];
    for (bytes, format) in [
        (json.as_bytes().to_vec(), FileFormat::Jsonl),
        (parquet, FileFormat::Parquet),
        (xlsx(&sheets), FileFormat::Xlsx),
        (biff::xls(&sheets), FileFormat::Xls),
    ] {
        let frame = read_files(&[&bytes], format, |_| {}).unwrap();
        for name in &expected.names {
            assert_eq!(cells(&frame, name), cells(&expected, name), "{format:?} {name}");
            assert_eq!(is_numbers(&frame, name), is_numbers(&expected, name), "{format:?} {name}");
        }
        assert_eq!(frame_hash(&frame), frame_hash(&expected), "{format:?}");
    }
}

#[test]
fn columns_without_a_name_are_called_by_their_place() {
    let frame = csv(",a,,b,\n0,1,x,2,\n1,3,,4,\n").unwrap();
    assert_eq!(frame.names, ["column_1", "a", "column_3", "b"]);
    assert_eq!(cells(&frame, "column_3"), ["x", ""]);
}

#[test]
fn keys_of_later_objects_are_columns_too() {
    let frame = jsonl("{\"a\":1}\n{\"b\":\"x\",\"a\":2}\n{\"b\":null}\n").unwrap();
    assert_eq!(frame.names, ["a", "b"]);
    assert_eq!(cells(&frame, "a"), ["1", "2", ""]);
    assert_eq!(cells(&frame, "b"), ["", "x", ""]);
    let twice = jsonl("{\"a\":1,\"a\":2}\n{\"a\":3,\"a\":null}\n").unwrap();
    assert_eq!(cells(&twice, "a"), ["2", ""]);
}

#[test]
fn several_files_are_one_table() {
    let files: [&[u8]; 2] = [b"a,b\n1,x\n2,y\n", b"b,a\nz,3\nx,4\n"];
    let frame = read_files(&files, FileFormat::Csv, |_| {}).unwrap();
    assert_eq!(cells(&frame, "a"), ["1", "2", "3", "4"]);
    assert_eq!(cells(&frame, "b"), ["x", "y", "z", "x"]);
    let files: [&[u8]; 2] = [b"{\"a\":1,\"b\":\"x\"}\n", b"{\"c\":\"y\",\"a\":\"z\"}\n{\"b\":\"w\"}\n"];
    let frame = read_files(&files, FileFormat::Jsonl, |_| {}).unwrap();
    assert_eq!(frame.names, ["a", "b", "c"]);
    assert_eq!(cells(&frame, "a"), ["1", "z", ""]);
    assert_eq!(cells(&frame, "b"), ["x", "", "w"]);
    assert_eq!(cells(&frame, "c"), ["", "y", ""]);
    let files: [&[u8]; 2] = [b"a,b\n1,x\n", b"b,c\nz,3\n"];
    let error = read_files(&files, FileFormat::Csv, |_| {}).unwrap_err();
    assert_eq!(error.code, "schema_mismatch");
    let files: [&[u8]; 2] = [b"a,b\n1,x\n", b"a,b\n2\n"];
    let error = read_files(&files, FileFormat::Csv, |_| {}).unwrap_err();
    assert_eq!((error.code, error.row), ("ragged_row", Some(2)));
}

#[test]
fn packed_text_is_unpacked() {
    let packed = zstd::encode_all(&b"a,b\n1,x\n"[..], 1).unwrap();
    let frame =
        read_files(&[&packed], FileFormat::Csv, |options| options.compression = Some(Compression::Zstd))
            .unwrap();
    assert_eq!(frame_hash(&frame), frame_hash(&csv("a,b\n1,x\n").unwrap()));
}

#[test]
fn the_hash_depends_on_names_cells_and_their_order() {
    let all = ["a,b\n1,x\n", "a,c\n1,x\n", "a,b\n2,x\n", "a,b\n1,y\n", "b,a\nx,1\n", "a,b\n1,x\n1,x\n"];
    let hashes: std::collections::HashSet<String> =
        all.iter().map(|table| frame_hash(&csv(table).unwrap())).collect();
    assert_eq!(hashes.len(), all.len());
    assert_eq!(frame_hash(&csv("a\n0\n").unwrap()), frame_hash(&csv("a\n-0.0\n").unwrap()));
}

#[test]
fn what_is_wrong_with_a_table_is_told() {
    for (content, code, status, row) in [
        ("", "empty_file", 400, None),
        ("\n \n", "empty_file", 400, None),
        ("a,b\n", "no_rows", 400, None),
        ("a,b,a\n1,2,3\n", "duplicate_column", 422, None),
        (",column_1\n1,2\n", "duplicate_column", 422, None),
        ("a,b\n1,2\n3\n", "ragged_row", 422, Some(2)),
        ("a,b\n1,2\n\n3,4,5\n", "ragged_row", 422, Some(2)),
        ("a,b\n1,\"2\n", "ragged_row", 422, Some(1)),
        ("a,b\n1,\"2\"3\n", "ragged_row", 422, Some(1)),
        ("a,b\n1,2\n\0,4\n", "nul_bytes", 415, Some(2)),
        ("PAR1aaaaPAR1", "format_mismatch", 415, None),
        ("a,b\n1,2\n3,4\n5,6\n7,8\n", "too_many_rows", 413, None),
        ("a,b,c,d,e\n1,2,3,4,5\n", "too_many_columns", 413, None),
        ("a,b\n1,123456789\n", "cell_too_long", 422, Some(1)),
    ] {
        let limits = Limits { max_rows: 3, max_columns: 4, max_cell_chars: 8, ..Limits::default() };
        let error = read_files(&[content.as_bytes()], FileFormat::Csv, |options| options.limits = limits)
            .unwrap_err();
        assert_eq!((error.code, error.kind.status(), error.row), (code, status, row), "{content:?}");
        assert!(error.suggestion.is_some(), "{code}");
    }
    for (content, code) in [
        ("{\"a\":1}\n{\"a\":[1]}\n", "nested_column"),
        ("[1]\n", "format_mismatch"),
        ("{\"a\":1", "corrupt_file"),
        ("  ", "empty_file"),
        ("{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1}", "too_many_columns"),
        ("{\"a\":1}\n{\"b\":1,\"c\":1,\"d\":1,\"e\":1}\n", "too_many_columns"),
        ("{\"a\":1}\n{}\n{}\n{}\n", "too_many_rows"),
        ("{\"a\":\"x\\u0000\"}\n", "nul_bytes"),
        ("{\"column_2\":1,\"\":2}\n", "duplicate_column"),
    ] {
        let limits = Limits { max_rows: 3, max_columns: 4, ..Limits::default() };
        let error = read_files(&[content.as_bytes()], FileFormat::Jsonl, |options| options.limits = limits)
            .unwrap_err();
        assert_eq!(error.code, code, "{content:?}");
    }
    let error = read_files(&[b"[]"], FileFormat::Json, |_| {}).unwrap_err();
    assert_eq!(error.code, "no_rows");
    assert_eq!(error.suggestion.as_deref(), Some("Send a file with a header and rows of data."));
}

#[test]
fn a_parquet_column_that_is_no_plain_value_is_refused() {
    let plain =
        |schema: &str, values| file(schema, vec![vec![(values, None)]], WriterProperties::builder().build());
    for (bytes, code) in [
        (
            plain("message m { required binary a (UTF8); }", Values::Text(vec![vec![0xff]])),
            "unsupported_encoding",
        ),
        (plain("message m { required binary a (UTF8); }", Values::Text(vec![b"a\0".to_vec()])), "nul_bytes"),
        (
            plain("message m { required binary a (UTF8); }", Values::Text(vec![vec![b'x'; 40_000]])),
            "cell_too_long",
        ),
    ] {
        let error = read_files(&[&bytes], FileFormat::Parquet, |_| {}).unwrap_err();
        assert_eq!((error.code, error.column.as_deref()), (code, Some("a")));
        assert!(code == "cell_too_long" || error.message.contains("column 'a'"), "{error}");
        let suggestion = error.suggestion.unwrap();
        assert!(!suggestion.contains("CSV"), "{suggestion}");
    }
    let sound = plain("message m { required double a; }", Values::Double(vec![1.0; 100]));
    for end in [4, 20, sound.len() - 9, sound.len() - 1] {
        let error = read_files(&[&sound[..end]], FileFormat::Parquet, |_| {}).unwrap_err();
        assert_eq!(error.code, "corrupt_file", "{end}");
    }
}

#[test]
fn parquet_columns_without_values_times_of_the_day_and_halves_are_read() {
    let schema = "message m { required int32 one; optional int32 null (UNKNOWN); required int64 micros (TIME(MICROS,true)); \
        required int32 millis (TIME(MILLIS,true)); optional int64 nanos (TIME(NANOS,false)); optional fixed_len_byte_array(2) half (FLOAT16); }";
    let halves: Vec<Vec<u8>> =
        [0x3e00_u16, 0xc000, 0x0001, 0x7e00].iter().map(|bits| bits.to_le_bytes().to_vec()).collect();
    let columns = vec![
        (Values::Int32(vec![1; 5]), None),
        (Values::Int32(vec![]), Some(vec![0; 5])),
        (Values::Int64(vec![0, 1, 1_500_000, 86_399_999_999, 60_000_000]), None),
        (Values::Int32(vec![0, 1_500, 60_000, 1, 86_399_999]), None),
        (Values::Int64(vec![2_500_000_000]), Some(vec![0, 1, 0, 0, 0])),
        (Values::Fixed(halves), Some(vec![1, 1, 1, 1, 0])),
    ];
    let bytes = file(schema, vec![columns], WriterProperties::builder().build());
    let frame = read_files(&[&bytes], FileFormat::Parquet, |_| {}).unwrap();
    assert!(frame.unreadable.is_empty());
    assert!(frame.names.iter().all(|name| is_numbers(&frame, name)));
    assert_eq!(cells(&frame, "one"), ["1"; 5]);
    assert_eq!(cells(&frame, "null"), [""; 5]);
    assert_eq!(cells(&frame, "micros"), ["0", "0.000001", "1.5", "86399.999999", "60"]);
    assert_eq!(cells(&frame, "millis"), ["0", "1.5", "60", "0.001", "86399.999"]);
    assert_eq!(cells(&frame, "nanos"), ["", "2.5", "", "", ""]);
    assert_eq!(cells(&frame, "half"), ["1.5", "-2", "0.00000005960464477539063", "", ""]);
}

#[test]
fn a_parquet_column_of_another_type_is_there_without_values() {
    let schema = "message m { required int32 one; required fixed_len_byte_array(3) bytes; \
        required group nested { required int32 x; required int32 y; } required int32 two; }";
    let columns = || {
        vec![
            (Values::Int32(vec![1, 2]), None),
            (Values::Fixed(vec![b"abc".to_vec(), b"def".to_vec()]), None),
            (Values::Int32(vec![3, 4]), None),
            (Values::Int32(vec![5, 6]), None),
            (Values::Int32(vec![7, 8]), None),
        ]
    };
    let bytes = file(schema, vec![columns()], WriterProperties::builder().build());
    for files in [vec![&bytes[..]], vec![&bytes[..], &bytes[..]]] {
        let frame = read_files(&files, FileFormat::Parquet, |_| {}).unwrap();
        assert_eq!(frame.names, ["one", "bytes", "nested", "two"]);
        let expected: Vec<String> = ["7", "8"].repeat(files.len()).into_iter().map(str::to_owned).collect();
        assert_eq!(cells(&frame, "two"), expected);
        assert!(cells(&frame, "bytes").iter().chain(&cells(&frame, "nested")).all(String::is_empty));
        let seen: Vec<_> = frame
            .unreadable
            .iter()
            .map(|other| (other.column, other.error.code, other.error.kind.status()))
            .collect();
        assert_eq!(seen, [(1, "unsupported_type", 415), (2, "nested_column", 415)]);
        assert!(frame.unreadable[0].error.message.contains("'bytes'"), "{}", frame.unreadable[0].error);
    }
}

#[test]
fn json_under_the_name_of_a_csv_is_told() {
    for content in [
        "[{\"a\": 1, \"b\": 2}, {\"a\": 3, \"b\": 4}]",
        "\u{feff} [\n  {\n    \"a\": 1\n  }\n]\n",
        "{\"a\":1}\n{\"a\":2}\n",
    ] {
        let error = csv(content).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("format_mismatch", 415), "{content}");
        assert!(error.message.contains("JSON"), "{error}");
        assert!(error.suggestion.unwrap().contains("json"));
    }
    assert_eq!(csv("[a],{b}\n1,2\n").unwrap().names, ["[a]", "{b}"]);
}

#[test]
fn names_of_columns_are_bounded() {
    let (longest, longer) = ("ä".repeat(1_000), "ä".repeat(1_001));
    assert_eq!(csv(&format!("{longest},b\n1,2\n")).unwrap().names[0], longest);
    let parquet = |name: &str| {
        let schema = format!("message m {{ required int32 {name}; }}");
        file(&schema, vec![vec![(Values::Int32(vec![1]), None)]], WriterProperties::builder().build())
    };
    for (bytes, format) in [
        (format!("{longer},b\n1,2\n").into_bytes(), FileFormat::Csv),
        (format!("{{\"a\":1}}\n{{\"{longer}\":1}}\n").into_bytes(), FileFormat::Jsonl),
        (format!("[{{\"{longer}\":1}}]").into_bytes(), FileFormat::Json),
        (parquet(&longer), FileFormat::Parquet),
        (xlsx(&[("Data", vec![vec![text(&longer)], vec![Cell::Number(1.0)]])]), FileFormat::Xlsx),
    ] {
        let error = read_files(&[&bytes], format, |_| {}).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("column_name_too_long", 422), "{format:?}");
        assert!(error.message.len() < 200 && error.column.is_some_and(|column| column.len() < 100));
        assert!(error.suggestion.is_some());
    }
}

#[test]
fn a_few_bytes_a_row_cannot_ask_for_all_memory() {
    // Half a million objects without a cell in a table of 600 columns.
    let mut table: String =
        format!("{{{}}}\n", (0..600).map(|key| format!("\"{key}\":1")).collect::<Vec<_>>().join(","));
    table.push_str(&"{}\n".repeat(500_000));
    let limits = Limits { max_columns: 1_000, ..Limits::default() };
    let error =
        read_files(&[table.as_bytes()], FileFormat::Jsonl, |options| options.limits = limits).unwrap_err();
    assert_eq!((error.code, error.kind.status()), ("too_many_rows", 413));
    assert!(error.message.contains("250000000 cells"), "{error}");
}

#[test]
fn a_cancelled_read_says_so() {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, "a\n1\n").unwrap();
    let cancel = AtomicBool::new(true);
    let options = FrameOptions {
        paths: vec![path],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    };
    assert!(matches!(read_frame(&options), Err(ReadError::Cancelled)));
}

/// A text that no reader takes for something else, a number, or nothing.
fn cell() -> impl Strategy<Value = Option<Result<f64, String>>> {
    proptest::option::of(prop_oneof![
        (-100_000_i32..100_000).prop_map(|cents| Ok(f64::from(cents) / 100.0)),
        any::<f64>()
            .prop_filter("finite and not the other zero", |value| value.is_finite() && *value != 0.0)
            .prop_map(Ok),
        "[a-zé ,\"]{1,4}".prop_map(Err),
        Just(Err("007".to_owned())),
        Just(Err("?".to_owned())),
    ])
}

fn written(cell: Option<&Result<f64, String>>) -> String {
    match cell {
        None => String::new(),
        Some(Ok(number)) => number.to_string(),
        Some(Err(text)) => text.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_format_gives_the_same_frame(
        rows in proptest::collection::vec((cell(), proptest::option::of(-1e6_f64..1e6)), 1..40),
    ) {
        let mut text_csv = String::from("x,y,one\n");
        let mut text_json = Vec::new();
        let mut sheet = vec![["x", "y", "one"].map(text).to_vec()];
        for (x, y) in &rows {
            let y_text = y.map_or_else(String::new, |y| y.to_string());
            writeln!(text_csv, "\"{}\",{y_text},1", written(x.as_ref()).replace('"', "\"\"")).unwrap();
            let x_json = match x {
                None => "null".to_owned(),
                Some(Ok(number)) => number.to_string(),
                Some(Err(text)) => serde_json::to_string(text).unwrap(),
            };
            let y_json = y.map_or_else(|| "null".to_owned(), |y| y.to_string());
            text_json.push(format!("{{\"x\":{x_json},\"y\":{y_json},\"one\":1}}"));
            sheet.push(vec![
                match x {
                    None => Cell::Empty,
                    Some(Ok(number)) => Cell::Number(*number),
                    Some(Err(value)) => text(value),
                },
                y.map_or(Cell::Empty, Cell::Number),
                Cell::Number(1.0),
            ]);
        }
        let known = |has: Vec<bool>| Some(has.into_iter().map(i16::from).collect::<Vec<_>>());
        let parquet = file(
            "message m { optional binary x (UTF8); optional double y; required int32 one; }",
            vec![vec![
                (
                    Values::Text(rows.iter().filter(|row| row.0.is_some()).map(|row| written(row.0.as_ref()).into_bytes()).collect()),
                    known(rows.iter().map(|row| row.0.is_some()).collect()),
                ),
                (
                    Values::Double(rows.iter().filter_map(|row| row.1).collect()),
                    known(rows.iter().map(|row| row.1.is_some()).collect()),
                ),
                (Values::Int32(vec![1; rows.len()]), None),
            ]],
            WriterProperties::builder().build(),
        );
        let expected = csv(&text_csv).unwrap();
        let sheets = [("Data", sheet)];
        for (format, bytes) in [
            (FileFormat::Json, format!("[{}]", text_json.join(",")).into_bytes()),
            (FileFormat::Jsonl, text_json.join("\n").into_bytes()),
            (FileFormat::Parquet, parquet),
            (FileFormat::Xlsx, xlsx(&sheets)),
            (FileFormat::Xls, biff::xls(&sheets)),
        ] {
            let frame = read_files(&[&bytes], format, |_| {}).unwrap();
            prop_assert_eq!(cells(&frame, "x"), cells(&expected, "x"), "{:?}", format);
            prop_assert_eq!(cells(&frame, "y"), cells(&expected, "y"), "{:?}", format);
            prop_assert_eq!(frame_hash(&frame), frame_hash(&expected), "{:?}", format);
        }
        if let FrameColumn::Texts(column) = &expected.columns[0] {
            prop_assert!(column.codes.iter().all(|code| *code == TextColumn::MISSING || (*code as usize) < column.texts.len()));
        }
    }

    #[test]
    fn bytes_of_strangers_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400), format in 0..6_usize) {
        let formats = [
            FileFormat::Csv, FileFormat::Json, FileFormat::Jsonl, FileFormat::Parquet, FileFormat::Xls, FileFormat::Xlsx,
        ];
        if let Err(error) = read_files(&[&bytes], formats[format], |_| {}) {
            prop_assert!(error.suggestion.is_some(), "{}", error);
        }
    }
}

#[test]
fn a_first_row_that_begins_beside_the_header_is_no_panic() {
    let beside = vec![Cell::Empty, Cell::Empty, Cell::Number(7.0)];
    let table = |rows: Vec<Vec<Cell>>| {
        let rows = [vec![text("a")]].into_iter().chain(rows).collect();
        read_files(&[&xlsx(&[("Data", rows)])], FileFormat::Xlsx, |_| {})
    };
    let frame = table(vec![beside.clone(), vec![Cell::Number(1.0)], beside.clone(), vec![Cell::Number(2.0)]])
        .unwrap();
    assert_eq!(cells(&frame, "a"), ["1", "2"]);
    assert_eq!(table(vec![beside]).unwrap_err().code, "no_rows");
}
