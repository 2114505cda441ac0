//! CSV files, good and bad.

use std::fmt::Write;
use std::sync::atomic::AtomicBool;

use crate::support::{Folder, options_for, read_bytes, read_with, rows};
use proptest::prelude::*;
use tabcast_table::{
    ContentError, FileFormat, Kind, Limits, Panel, ReadError, ReadOptions, dataset_hash, read_panel,
};

const DAY: i64 = 86_400_000_000;

fn read(text: &str) -> Result<Panel, Box<ContentError>> {
    read_bytes(text.as_bytes(), FileFormat::Csv)
}

/// Code, status, column, row, item and count of an error.
type Refusal = (&'static str, u16, Option<String>, Option<u64>, Option<String>, Option<u64>);

fn refused(text: &str) -> Refusal {
    let error = *read(text).unwrap_err();
    (error.code, error.kind.status(), error.column, error.row, error.item, error.count)
}

#[test]
fn rows_in_any_order_become_sorted_series() {
    let panel =
        read("item_id,timestamp,target\nb,2026-01-02,4\na,2026-01-01,1\nb,2026-01-01,3\na,2026-01-02,2.5\n")
            .unwrap();
    assert_eq!(panel.ids.iter().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!((panel.offsets.as_slice(), panel.rows), ([0, 2, 4].as_slice(), 4));
    assert_eq!(panel.targets, [1.0, 2.5, 3.0, 4.0]);
    assert_eq!(panel.timestamps[1] - panel.timestamps[0], DAY);
    assert!(panel.warnings.is_empty());
}

#[test]
fn dialects_give_the_same_panel() {
    let plain = "item_id,timestamp,target\na,2026-01-01,1\na,2026-01-02,2\n";
    let expected = rows(&read(plain).unwrap());
    for text in [
        plain.replace(',', ";"),
        plain.replace(',', "\t"),
        plain.replace(',', "|"),
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        plain.trim_end().to_owned(),
        plain.trim_end().replace('\n', "\r\n"),
        plain.replace('\n', "\n\n"),
        format!("\n{plain}"),
        "target;x,y; timestamp ;item_id;note\n1;;2026-01-01;a;\n2;\"q;\"\"\n\";2026-01-02;a;\"\"\n"
            .to_owned(),
        "\"item_id\",\"timestamp\",\"target\"\n\"a\",\"2026-01-01\",\"1\"\na,\"2026-01-02 00:00:00\", 2.0 \n"
            .to_owned(),
        "item_id,timestamp,target\na,1767225600,1e0\na,1767312000000,+2\n".to_owned(),
    ] {
        assert_eq!(rows(&read(&text).unwrap_or_else(|error| panic!("{text}: {error}"))), expected, "{text}");
    }
}

#[test]
fn words_for_missing_values_are_null_and_numbers_are_exact() {
    let mut text = String::from("item_id,timestamp,target\n");
    let missing = ["", "NA", "N/A", "n/a", "NaN", "nan", "null", "NULL", "None", "-", "#N/A", "<NA>", " "];
    let numbers = [
        "0.1",
        "-0.30000000000000004",
        "1e-320",
        "123456789012345678",
        "1.7976931348623157e308",
        "5.",
        ".5",
        "-7",
        "1E5",
        "9007199254740993",
    ];
    for (day, cell) in missing.iter().chain(&numbers).enumerate() {
        writeln!(text, "a,{},{cell}", 1_600_000_000 + day * 86_400).unwrap();
    }
    let panel = read(&text).unwrap();
    assert!(panel.targets[..missing.len()].iter().all(|value| value.is_nan()));
    for (value, text) in panel.targets[missing.len()..].iter().zip(numbers) {
        assert_eq!(value.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
    }
}

#[test]
fn offsets_are_normalised_and_mixed_ones_are_counted() {
    let text = "item_id,timestamp,target\na,2026-03-28T00:00:00+01:00,1\na,2026-03-29T00:00:00+01:00,2\na,2026-03-30T00:00:00+02:00,3\n";
    let panel = read(text).unwrap();
    assert_eq!(panel.timestamps[2] - panel.timestamps[1], 23 * 3_600_000_000);
    assert_eq!((&*panel.warnings[0].code, panel.warnings[0].count), ("mixed_time_zones", 1));
    assert!(read(&text.replace("+02:00", "+01:00")).unwrap().warnings.is_empty());
    let panel = read(&text.replace("+01:00", "")).unwrap();
    assert_eq!(panel.warnings[0].count, 1);
}

#[test]
fn item_ids_survive_byte_for_byte() {
    let long = "x".repeat(10_240);
    let ids = [
        "__proto__",
        "../../x",
        "=cmd()",
        "😀",
        " lead",
        "trail ",
        "a,b",
        "a\"b",
        "a\nb",
        "a\r\nb",
        "\"",
        "NA",
        "001",
        "a\u{301}",
        &long,
    ];
    let mut text = String::from("item_id,timestamp,target\n");
    for id in ids {
        for day in 1..=2 {
            writeln!(text, "\"{}\",2026-01-0{day},1", id.replace('"', "\"\"")).unwrap();
        }
    }
    let panel = read(&text).unwrap();
    let mut expected = ids.to_vec();
    expected.sort_unstable();
    assert_eq!(panel.ids.iter().collect::<Vec<_>>(), expected);
    // Equal bytes are an equal id only where the cell is the same: here the quoted id contains the delimiter.
    let panel = read("item_id,timestamp,target\n\"a,2026-01-01\",2026-01-01,5\n\"a,2026-01-01\",2026-01-02,5\na,2026-01-01,5\na,2026-01-02,5\n").unwrap();
    assert_eq!(panel.ids.iter().collect::<Vec<_>>(), ["a", "a,2026-01-01"]);
}

#[test]
fn wrong_cells_are_counted_and_the_first_is_named() {
    let head = "item_id,timestamp,target\na,2026-01-01,1\n\na,2026-01-02,2\n";
    let row =
        |code, column: &str, row, count| (code, 422, Some(column.to_owned()), Some(row), None, Some(count));
    assert_eq!(
        refused(&format!("{head}a,03/04/2026,1\na,soon,1\n")),
        row("unparseable_timestamp", "timestamp", 3, 2)
    );
    assert_eq!(refused(&format!("{head}a,,1\n")), row("unparseable_timestamp", "timestamp", 3, 1));
    assert_eq!(refused(&format!("{head}a,0000-01-01,1\n")), row("unparseable_timestamp", "timestamp", 3, 1));
    assert_eq!(
        refused(&format!("{head}a,2026-01-03,\"1,234.5\"\na,2026-01-04,x\n")),
        row("non_numeric_target", "target", 3, 2)
    );
    for infinite in ["1e400", "inf", "-Infinity", "INF"] {
        assert_eq!(
            refused(&format!("{head}a,2026-01-03,{infinite}\n")),
            row("non_finite_target", "target", 3, 1)
        );
    }
    assert_eq!(
        refused(&format!("{head},2026-01-03,1\n\"\",2026-01-03,1\n")),
        row("missing_item_id", "item_id", 3, 2)
    );
    let (code, status, _, at, _, count) = refused(&format!("{head}a,2026-01-03\na,2026-01-03,1,9\na,x\n"));
    assert_eq!((code, status, at, count), ("ragged_row", 422, Some(3), Some(3)));
    let error = read(&format!("{head}a,2026-01-03,\"1,234.5\"\n")).unwrap_err();
    assert!(
        error.message.contains("'1,234.5' in data row 3")
            && error.suggestion.unwrap().contains("decimal point")
    );
}

#[test]
fn wrong_series_are_named() {
    let item = |code, column: &str, item: &str, count| {
        (code, 422, Some(column.to_owned()), None, Some(item.to_owned()), Some(count))
    };
    let head = "item_id,timestamp,target\na,2026-01-01,1\na,2026-01-02,2\n";
    assert_eq!(refused(&format!("{head}b,2026-01-01,1\n")), item("too_few_observations", "target", "b", 1));
    assert_eq!(
        refused(&format!("{head}b,2026-01-01,1\nb,2026-01-02,\n")),
        item("too_few_observations", "target", "b", 1)
    );
    assert_eq!(
        refused(&format!("{head}b,2026-01-01,\nb,2026-01-02,NA\n")),
        item("all_null_target", "target", "b", 1)
    );
    assert_eq!(
        refused(&format!("{head}a,2026-01-01T00:00:00Z,\na,2026-01-02,3\n")),
        item("duplicate_rows", "timestamp", "a", 2)
    );
    let error =
        read(&format!("{head}b,2026-03-01 05:00,1\nb,2026-02-01,1\nb,2026-03-01 05:00,1\n")).unwrap_err();
    assert!(error.message.contains("the first of them 'b' at 2026-03-01 05:00:00"), "{}", error.message);
    for stamp in ["01.01.2020", "01/31/2026", "31/12/25"] {
        let error = read(&format!("{head}b,{stamp},1\n")).unwrap_err();
        assert!(error.message.contains(&format!("'{stamp}' in data row 3")), "{}", error.message);
        assert!(error.suggestion.unwrap().contains("2026-01-31"));
    }
    let many = (0..9).fold(String::new(), |text, item| format!("{text}s{item},2026-01-01,1\n"));
    let error = read(&format!("{head}{many}")).unwrap_err();
    assert_eq!(error.count, Some(9));
    assert!(
        error.message.contains("'s0', 's1', 's2', 's3', 's4'") && !error.message.contains("s5"),
        "{}",
        error.message
    );
}

#[test]
fn files_that_are_no_table_are_refused() {
    for (bytes, code, status) in [
        (&b""[..], "empty_file", 400),
        (b"\xef\xbb\xbf \n\n", "empty_file", 400),
        (b"item_id,timestamp,target\n", "no_rows", 400),
        (b"item_id,timestamp,target", "no_rows", 400),
        (b"item_id,timestamp,target\n\n\r\n", "no_rows", 400),
        (b"item_id,timestamp,target\na,2026-01-01,1\nb\0,2026-01-01,1\n", "nul_bytes", 415),
        (b"item_id,timestamp,target\0\na,2026-01-01,1\n", "nul_bytes", 415),
        (b"\xff\xfei\0t\0", "unsupported_encoding", 415),
        (b"item_id,timestamp,target\nM\xfcnchen,2026-01-01,1\n", "unsupported_encoding", 415),
        (b"item_id,timestamp,target,gr\xf6\xdfe\na,2026-01-01,1,1\n", "unsupported_encoding", 415),
        (b"PAR1\x15\x04", "format_mismatch", 415),
        (b"PK\x03\x04zip", "format_mismatch", 415),
        (b"\x1f\x8b\x08gzip", "format_mismatch", 415),
        (b"item_id,timestamp\na,2026-01-01\n", "missing_column", 422),
        (b"item_id,timestamp,target,target\na,2026-01-01,1,1\n", "duplicate_column", 422),
        (b"item_id,timestamp,target\na,2026-01-01,1\n\"a,2026-01-02,1\n", "ragged_row", 422),
    ] {
        let error = read_bytes(bytes, FileFormat::Csv).unwrap_err();
        assert_eq!(
            (error.code, error.kind.status()),
            (code, status),
            "{:?}: {error}",
            String::from_utf8_lossy(bytes)
        );
        assert!(status != 415 || error.suggestion.is_some(), "{error}");
    }
    let error = read("id,ts,target\na,2026-01-01,1\n").unwrap_err();
    assert_eq!(error.column.as_deref(), Some("item_id"));
    assert!(error.message.contains("'id', 'ts', 'target'"), "{}", error.message);
    assert!(error.suggestion.unwrap().contains("Set item_id_column"));
    let error = read("item_id,timestamp,sales\na,2026-01-01,1\n").unwrap_err();
    assert!(error.suggestion.unwrap().contains("Set target_column"));
    assert_eq!(
        read_bytes(b"item_id,timestamp,target\na,2026-01-01,1\nM\xfc,2026-01-01,1\n", FileFormat::Csv)
            .unwrap_err()
            .row,
        Some(2)
    );
}

#[test]
fn quotes_and_line_ends_that_cannot_be_meant_are_named() {
    let head = "item_id,timestamp,target\n";
    for cell in ["\"a\"b", "\"a\" ", "\"a\"\"\"b\"c"] {
        assert_eq!(
            refused(&format!("{head}a,2026-01-01,1\n{cell},2026-01-02,2\n")),
            ("ragged_row", 422, Some("item_id".into()), Some(2), None, None)
        );
    }
    let (code, _, column, row, ..) = refused(&format!("{head}a,\"2026-01-01\"x,1\n"));
    assert_eq!((code, column.as_deref(), row), ("ragged_row", Some("timestamp"), Some(1)));
    assert_eq!(refused("\"item_id\"x,timestamp,target\na,2026-01-01,1\n").0, "ragged_row");
    let message = |text: &str| read(text).unwrap_err().message;
    assert!(message("\"item_id,timestamp,target\na,2026-01-01,1\n").contains("never closed"));
    let carriage_returns = format!("{head}a,2026-01-01,1\na,2026-01-02,1\n").replace('\n', "\r");
    assert_eq!(refused(&carriage_returns).0, "unsupported_encoding");
    assert!(message(&carriage_returns).contains("carriage return"));
}

#[test]
fn long_cells_are_cut_in_messages() {
    let long = "x".repeat(30_000);
    let items = (0..9).fold(String::new(), |text, item| format!("{text}{item}{long},2026-01-01,1\n"));
    let error = read(&format!("item_id,timestamp,target\n{items}")).unwrap_err();
    assert_eq!(error.item.as_deref().map(|item| item.chars().count()), Some(41));
    assert!(error.message.len() < 400 && error.message.contains('…'), "{}", error.message);
    let error = read(&format!("{long},timestamp,target\na,2026-01-01,1\n")).unwrap_err();
    assert_eq!(error.code, "missing_column");
    assert!(error.message.len() < 400, "{}", error.message.len());
}

#[test]
fn a_run_of_equal_rows_ends_the_read() {
    let rows = "a,2026-01-01,1\n".repeat(20_000);
    let (code, _, column, row, item, count) = refused(&format!("item_id,timestamp,target\n{rows}"));
    assert_eq!((code, column.as_deref(), item.as_deref()), ("duplicate_rows", Some("timestamp"), Some("a")));
    assert_eq!((row, count), (None, None));
}

#[test]
fn limits_hold_while_reading() {
    let folder = Folder::new();
    let path = folder.path("input");
    let read = |text: &str, limits: Limits| {
        std::fs::write(&path, text).unwrap();
        read_with(&path, FileFormat::Csv, limits, 2).map_err(|error| (error.code, error.kind, error.row))
    };
    let limits = Limits { max_rows: 4, max_columns: 4, max_series: 2, max_cell_chars: 30, stop_after: None };
    let head = "item_id,timestamp,target\na,2026-01-01,1\na,2026-01-02,2\n";
    assert!(read(&format!("{head}b,2026-01-01,1\nb,2026-01-02,2\n"), limits).is_ok());
    assert_eq!(
        read(&format!("{head}{head}").replacen("item_id,timestamp,target\n", "", 1), limits),
        Err(("missing_column", Kind::Content, None))
    );
    assert_eq!(
        read(&format!("{head}b,2026-01-01,1\nb,2026-01-02,2\nb,2026-01-03,2\n"), limits),
        Err(("too_many_rows", Kind::TooLarge, None))
    );
    assert_eq!(
        read(&format!("{head}b,2026-01-01,1\nc,2026-01-02,2\n"), limits),
        Err(("too_many_series", Kind::TooLarge, None))
    );
    assert_eq!(
        read("item_id,timestamp,target,x,y\n", limits),
        Err(("too_many_columns", Kind::TooLarge, None))
    );
    assert_eq!(
        read(&format!("{head}{},2026-01-01,1\n", "é".repeat(31)), limits),
        Err(("cell_too_long", Kind::Content, Some(3)))
    );
    assert!(matches!(
        read(&format!("{head}{},2026-01-01,1\n", "é".repeat(30)), limits),
        Err(("too_few_observations", ..))
    ));
    assert_eq!(
        read(&format!("{head}\"{}\",2026-01-01,1\n", "y\n".repeat(600_000)), Limits::default()),
        Err(("cell_too_long", Kind::Content, Some(3)))
    );
    assert_eq!(
        read(&format!("{head}a,2026-01-03,{}", "9".repeat(1 << 20)), Limits::default()),
        Err(("cell_too_long", Kind::Content, Some(3)))
    );
    assert_eq!(
        read(&format!("item_id,timestamp,target{}\na,2026-01-01,1\n", ",x".repeat(600)), Limits::default()),
        Err(("too_many_columns", Kind::TooLarge, None))
    );
}

/// Several blocks of rows with quoted line ends, so that blocks are cut in the presence of quotes.
fn large(rows: usize, quoted: bool) -> String {
    let mut text = String::from("item_id,timestamp,target,note\n");
    for row in 0..rows {
        let (item, second) = (row % 101, 1_600_000_000 + row / 101 * 3600);
        let note = if quoted && row % 7 == 0 { "\"a \"\"note\"\",\nof two lines\"" } else { "plain" };
        writeln!(text, "item {item},{second},{}.{},{note}", row % 1000, row % 10).unwrap();
    }
    text
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new();
    for quoted in [false, true] {
        let path = folder.path("large");
        let mut text = large(150_000, quoted);
        std::fs::write(&path, &text).unwrap();
        let one = read_with(&path, FileFormat::Csv, Limits::default(), 1).unwrap();
        assert_eq!((one.rows, one.len()), (150_000, 101));
        for threads in [2, 5] {
            assert_eq!(read_with(&path, FileFormat::Csv, Limits::default(), threads).unwrap(), one);
        }
        let capped = Limits { max_rows: 100_000, ..Limits::default() };
        text.insert(text.len() - 1, '\0');
        std::fs::write(&path, &text).unwrap();
        for threads in [1, 2, 5] {
            assert_eq!(read_with(&path, FileFormat::Csv, capped, threads).unwrap_err().code, "too_many_rows");
            assert_eq!(
                read_with(&path, FileFormat::Csv, Limits::default(), threads).unwrap_err().code,
                "nul_bytes"
            );
        }
        std::fs::write(&path, large(150_000, quoted).replace("plain\nitem 5,", "plain\nitem 5,x")).unwrap();
        let errors: Vec<_> = [1, 2, 5]
            .map(|threads| read_with(&path, FileFormat::Csv, Limits::default(), threads).unwrap_err())
            .into();
        assert_eq!(errors[0].code, "unparseable_timestamp");
        assert!(errors[0].count > Some(1000) && errors.iter().all(|error| *error == errors[0]), "{errors:?}");
    }
}

#[test]
fn a_set_flag_cancels() {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, large(10, false)).unwrap();
    let cancel = AtomicBool::new(true);
    let options = ReadOptions { threads: 1, ..options_for(vec![path], FileFormat::Csv, &cancel) };
    assert!(matches!(read_panel(&options), Err(ReadError::Cancelled)));
    let missing = ReadOptions { paths: vec![folder.path("missing")], ..options };
    assert!(matches!(read_panel(&missing), Err(ReadError::Io(_))));
}

#[test]
fn equal_data_has_an_equal_hash() {
    let hash = |text: &str| dataset_hash(&read(text).unwrap());
    let one = hash(
        "item_id,timestamp,target\na,2026-01-01,1.50\na,2026-01-02,0\nb,2026-01-01,2\nb,2026-01-02,\nb,2026-01-03,3\n",
    );
    assert_eq!(one.len(), 64);
    assert_eq!(
        hash(
            "target;timestamp;item_id\n3;20260103;b\n-0;2026-01-02T00:00:00Z;a\n1.5e0;2026/01/01;a\nNA;2026-01-02;b\n2.0;1767225600;b\n"
        ),
        one
    );
    for other in [
        "item_id,timestamp,target\na,2026-01-01,1.5\na,2026-01-02,0\nb,2026-01-01,2\nb,2026-01-02,0\nb,2026-01-03,3\n",
        "item_id,timestamp,target\na,2026-01-01,1.5\na,2026-01-02,0\nc,2026-01-01,2\nc,2026-01-02,\nc,2026-01-03,3\n",
        "item_id,timestamp,target\na,2026-01-01,1.5\na,2026-01-02,0\nb,2026-01-01,2\nb,2026-01-02,\nb,2026-01-04,3\n",
    ] {
        assert_ne!(hash(other), one);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_text_makes_it_panic(body in "(item_id,timestamp,target\r?\n)?([ab\",;\n\r0-9.\\-TeE \
        é]|2026-01-0[1-9]|\"\"){0,120}") {
        let _ = read(&body);
    }

    #[test]
    fn quoted_cells_read_back(ids in proptest::collection::btree_set("[a-c\",;\n\r é]{1,8}", 1..6), delimiter in 0..4_usize) {
        let delimiter = [',', ';', '\t', '|'][delimiter];
        let mut text = format!("item_id{delimiter}timestamp{delimiter}target\r\n");
        for day in 1..=3 {
            for id in &ids {
                write!(text, "\"{}\"{delimiter}2026-01-0{day}{delimiter}{day}\r\n", id.replace('"', "\"\"")).unwrap();
            }
        }
        let panel = read(&text).unwrap();
        prop_assert_eq!(panel.ids.iter().collect::<Vec<_>>(), ids.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert!(panel.targets.chunks(3).all(|targets| targets == [1.0, 2.0, 3.0]));
    }
}
