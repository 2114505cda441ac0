//! Everything that is wrong with a dataset, check by check.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;

use flate2::write::GzEncoder;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tabcast_calendar::Frequency;
use tabcast_table::{
    Check, CheckStatus, ColumnType, Columns, Compression, ContentError, FileFormat, InspectOptions,
    Inspection, Limits, ReadError, ReadOptions, find_frequency, inspect, read_panel,
};

use crate::support::Folder;
use crate::support::parquet::{Values, file, text};
use crate::support::workbook::{texts, xlsx};

const HEAD: &str = "item_id,timestamp,target\n";
/// Daily rows of each of the items `a` and `b`: data rows 1 to 20 and 21 to 40.
const DAYS: usize = 20;

fn good_rows() -> Vec<String> {
    let row = |item: &str, day: usize| format!("{item},2026-01-{day:02},{}", day % 7);
    ["a", "b"].iter().flat_map(|item| (1..=DAYS).map(move |day| row(item, day))).collect()
}

struct Case<'a> {
    bytes: &'a [u8],
    /// The files behind the first.
    more: &'a [&'a [u8]],
    format: FileFormat,
    compression: Option<Compression>,
    columns: Columns,
    limits: Limits,
    freq: Option<&'a str>,
    threads: usize,
}

impl<'a> Case<'a> {
    fn csv(text: &'a str) -> Case<'a> {
        Case {
            bytes: text.as_bytes(),
            more: &[],
            format: FileFormat::Csv,
            compression: None,
            columns: Columns::default(),
            limits: Limits::default(),
            freq: None,
            threads: 2,
        }
    }

    fn inspect(&self) -> Result<Inspection, Box<ContentError>> {
        self.with_options(|options| {
            inspect(&InspectOptions {
                read: options,
                frequency: self.freq.map(|freq| Frequency::parse(freq).unwrap()),
            })
        })
    }

    fn with_options<T>(
        &self,
        work: impl FnOnce(ReadOptions) -> Result<T, ReadError>,
    ) -> Result<T, Box<ContentError>> {
        let folder = Folder::new();
        let paths =
            (0..=self.more.len()).map(|index| folder.path(&format!("input-{index}"))).collect::<Vec<_>>();
        for (path, bytes) in paths.iter().zip(std::iter::once(&self.bytes).chain(self.more)) {
            std::fs::write(path, bytes).unwrap();
        }
        let cancel = AtomicBool::new(false);
        let outcome = work(ReadOptions {
            paths,
            format: self.format,
            compression: self.compression,
            sheet: None,
            columns: self.columns.clone(),
            limits: self.limits,
            threads: self.threads,
            cancel: &cancel,
        });
        outcome.map_err(|error| match error {
            ReadError::Content(error) => error,
            error => panic!("{error}"),
        })
    }

    /// Whether a forecast would take the file, as far as the table is concerned.
    fn is_taken(&self) -> bool {
        let given = self.freq.map(|freq| Frequency::parse(freq).unwrap());
        let panel = self.with_options(|options| read_panel(&options));
        panel.is_ok_and(|panel| find_frequency(given, "timestamp", &panel.timestamps, &panel.offsets).is_ok())
    }
}

fn table(rows: &[String]) -> String {
    format!("{HEAD}{}\n", rows.join("\n"))
}

fn good() -> String {
    table(&good_rows())
}

/// The good table with one row replaced.
fn replaced(row: usize, by: &str) -> String {
    let mut rows = good_rows();
    by.clone_into(&mut rows[row - 1]);
    table(&rows)
}

/// The good table with more rows: data rows 41 and on.
fn with(more: &[&str]) -> String {
    let mut rows = good_rows();
    rows.extend(more.iter().map(|row| (*row).to_owned()));
    table(&rows)
}

fn check<'a>(found: &'a Inspection, name: &str) -> &'a Check {
    found.checks.iter().find(|check| check.name.name() == name).unwrap()
}

/// Names of the checks that did not pass.
fn not_passed(found: &Inspection) -> Vec<(&'static str, &'static str)> {
    let found = found.checks.iter().filter(|check| check.status != CheckStatus::Passed);
    found.map(|check| (check.name.name(), check.status.name())).collect()
}

#[test]
fn a_good_dataset_passes_every_check_and_has_its_figures() {
    let found = Case::csv(&good()).inspect().unwrap();
    let names: Vec<&str> = found.checks.iter().map(|check| check.name.name()).collect();
    let expected = [
        "required_columns",
        "nulls",
        "numeric_target",
        "duplicates",
        "timestamps",
        "min_history",
        "frequency",
        "volume",
    ];
    assert_eq!(names, expected);
    assert!(found.checks.iter().all(|check| check.count == 0 && check.sample_rows.is_empty()));
    assert!(found.is_valid() && !found.truncated && found.warnings.is_empty());
    assert_eq!((found.rows, found.items), (Some(40), Some(2)));
    assert_eq!((found.min_length, found.max_length), (Some(20), Some(20)));
    let day = 86_400_000_000;
    assert_eq!((found.start, found.end), (Some(20_454 * day), Some(20_473 * day)));
    assert_eq!(found.frequency.map(|frequency| frequency.alias()).as_deref(), Some("D"));
}

#[test]
fn each_fault_fails_its_check_alone_with_its_count_and_rows() {
    for (text, name, count, rows) in [
        (replaced(2, ",2026-01-02,2"), "nulls", 1, vec![2]),
        (with(&["c,2026-01-06,"]), "nulls", 1, vec![41]),
        (replaced(7, "a,2026-01-07,many"), "numeric_target", 1, vec![7]),
        (replaced(7, "a,2026-01-07,1e999"), "numeric_target", 1, vec![7]),
        (with(&["a,2026-01-03,9", "b,2026-01-03,9"]), "duplicates", 2, vec![41, 42]),
        (replaced(24, "b,someday,4"), "timestamps", 1, vec![24]),
        (replaced(24, "b,0000-01-01,4"), "timestamps", 1, vec![24]),
        (with(&["c,2026-01-06,1"]), "min_history", 1, vec![41]),
        (replaced(9, "a,2026-01-09"), "required_columns", 1, vec![9]),
        (replaced(9, "a,2026-01-09,4,5"), "required_columns", 1, vec![9]),
    ] {
        let found = Case::csv(&text).inspect().unwrap();
        let failed: Vec<&Check> =
            found.checks.iter().filter(|check| check.status == CheckStatus::Failed).collect();
        assert_eq!(failed.len(), 1, "{name}: {failed:?}");
        assert_eq!((failed[0].name.name(), failed[0].count), (name, count), "{text}");
        assert_eq!(failed[0].sample_rows, rows, "{text}");
        assert!(!failed[0].message.is_empty() && !Case::csv(&text).is_taken());
        assert_eq!(found.checks.len(), 8);
    }
    let irregular: Vec<String> =
        [1, 2, 4, 9, 11, 20].iter().map(|day| format!("a,2026-01-{day:02},1")).collect();
    let irregular = table(&irregular);
    let found = Case::csv(&irregular).inspect().unwrap();
    assert_eq!(not_passed(&found), [("frequency", "failed")]);
    assert_eq!(found.frequency, None);
    let good = good();
    let found = Case { freq: Some("W"), ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("frequency", "failed")]);
    assert!(check(&found, "frequency").message.contains("looks like freq D"), "{found:?}");
    let found = Case { freq: Some("D"), ..Case::csv(&good) }.inspect().unwrap();
    assert!(not_passed(&found).is_empty() && found.frequency.is_some());
    let limits = Limits { max_series: 1, ..Limits::default() };
    let found = Case { limits, ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("volume", "failed")]);
    let limits = Limits { max_rows: 4, ..Limits::default() };
    let found = Case { limits, ..Case::csv(&good) }.inspect().unwrap();
    assert_eq!(not_passed(&found), [("volume", "failed")]);
}

#[test]
fn all_faults_of_a_file_are_told_at_once() {
    let text = with(&[
        "c,2026-01-01,",
        "c,2026-01-02,",
        "a,2026-01-01,7",
        "a,2026-01-01,8",
        "d,2026-01-01,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        "a,x,1",
        ",2026-01-01,y",
    ]);
    for threads in [1, 3] {
        let found = Case { threads, ..Case::csv(&text) }.inspect().unwrap();
        let all: Vec<_> = ["nulls", "numeric_target", "duplicates", "timestamps", "min_history"].into();
        assert_eq!(not_passed(&found).iter().map(|(name, _)| *name).collect::<Vec<_>>(), all);
        let summary = |name| (check(&found, name).count, check(&found, name).sample_rows.clone());
        // One row without an id, and one item without a value.
        assert_eq!(summary("nulls"), (2, vec![41, 52]));
        assert_eq!(summary("numeric_target"), (1, vec![52]));
        assert_eq!(summary("duplicates"), (2, vec![43, 44]));
        assert_eq!(summary("timestamps"), (6, vec![46, 47, 48, 49, 50]));
        assert_eq!(summary("min_history"), (1, vec![45]));
        assert_eq!(found.frequency.map(|frequency| frequency.alias()).as_deref(), Some("D"));
        assert_eq!(found.rows, Some(52));
    }
}

#[test]
fn what_a_forecast_puts_up_with_is_a_warning() {
    let found = Case::csv(&replaced(3, "a,2026-01-03,")).inspect().unwrap();
    assert_eq!(not_passed(&found), [("nulls", "warning")]);
    assert_eq!(check(&found, "nulls").sample_rows, [3]);
    let found = Case::csv(&replaced(3, "a,2026-01-03T00:00:00Z,3")).inspect().unwrap();
    assert_eq!(not_passed(&found), [("timestamps", "warning")]);
    assert_eq!(found.warnings[0].code, "mixed_time_zones");
    let mut gap = String::from(HEAD);
    for day in (1..=20).filter(|day| *day != 7) {
        writeln!(gap, "a,2026-01-{day:02},1").unwrap();
    }
    let found = Case::csv(&gap).inspect().unwrap();
    assert_eq!(not_passed(&found), [("frequency", "warning")]);
    assert_eq!((check(&found, "frequency").count, &check(&found, "frequency").sample_rows), (1, &vec![7]));
    assert!(found.is_valid() && Case::csv(&gap).is_taken());
}

#[test]
fn columns_that_are_missing_are_all_named_and_the_others_still_told() {
    let text = "id,timestamp,sales\na,2026-01-01,1\n";
    let found = Case::csv(text).inspect().unwrap();
    assert_eq!(found.checks.len(), 1);
    let required = check(&found, "required_columns");
    assert_eq!((required.status, required.count), (CheckStatus::Failed, 2));
    assert!(required.message.contains("'item_id'") && required.message.contains("'target'"));
    assert_eq!((found.rows, found.items, found.columns.len()), (None, None, 3));
    let twice = good().replace("timestamp,target", "timestamp,target,target").replace("-01,", "-01,1,");
    assert_eq!(not_passed(&Case::csv(&twice).inspect().unwrap()), [("required_columns", "failed")]);
}

#[test]
fn known_covariates_must_be_there_and_be_of_use() {
    let mut text = String::from("item_id,timestamp,target,price,promo,nothing\n");
    for (row, line) in good_rows().iter().enumerate() {
        writeln!(text, "{line},{row}.5,{},", if row == 3 { "none" } else { "1" }).unwrap();
    }
    let with = |names: &[&str]| {
        let covariates = names.iter().map(|name| (*name).to_owned()).collect();
        Case { columns: Columns { covariates, ..Columns::default() }, ..Case::csv(&text) }
    };
    assert!(not_passed(&with(&["price"]).inspect().unwrap()).is_empty());
    let found = with(&["price", "nothing", "promo"]).inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "warning")]);
    let codes: Vec<&str> = found.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, ["unusable_covariate"]);
    let found = with(&["price", "weather"]).inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "failed")]);
    assert_eq!((found.rows, found.checks.len()), (Some(40), 8));
    assert!(check(&found, "required_columns").message.contains("'weather'"));
    assert!(!with(&["price", "weather"]).is_taken());
    assert!(!with(&["target"]).inspect().unwrap().is_valid());
}

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
fn a_row_cap_ends_the_read_at_that_very_row() {
    let mut long = String::from(HEAD);
    let items = 40_000;
    for item in 0..items {
        for day in 1..=3 {
            writeln!(long, "item {item:05},2026-01-{day:02},{day}").unwrap();
        }
    }
    long.push_str("bad row\n");
    for threads in [1, 3] {
        for (cap, truncated) in
            [(1, true), (9, true), (99_999, true), (3 * items, true), (3 * items + 1, false)]
        {
            let limits = Limits { stop_after: Some(cap), ..Limits::default() };
            let found = Case { limits, threads, ..Case::csv(&long) }.inspect().unwrap();
            assert_eq!((found.rows, found.truncated), (Some(cap), truncated), "{cap}");
            assert_eq!(found.items, Some(cap.min(3 * items).div_ceil(3)));
            let expected = if truncated { CheckStatus::Warning } else { CheckStatus::Passed };
            assert_eq!(check(&found, "volume").status, expected);
            assert_eq!(check(&found, "required_columns").count, u64::from(!truncated));
        }
    }
    let days: Vec<String> = (1..=9).map(|day| format!("2026-01-0{day}")).collect();
    let group = |range: std::ops::Range<usize>| {
        vec![
            (text(&vec!["a"; range.len()]), None),
            (text(&days[range.clone()].iter().map(String::as_str).collect::<Vec<_>>()), None),
            (Values::Double(range.map(|day| day as f64).collect()), None),
        ]
    };
    let bytes = file(
        "message m { required binary item_id; required binary timestamp; required double target; }",
        vec![group(0..4), group(4..6), group(6..9)],
        WriterProperties::builder().build(),
    );
    for (cap, rows) in [(None, 9), (Some(3), 3), (Some(5), 5), (Some(9), 9)] {
        let limits = Limits { stop_after: cap, max_rows: 9, ..Limits::default() };
        let case = Case { bytes: &bytes, format: FileFormat::Parquet, limits, ..Case::csv("") };
        let found = case.inspect().unwrap();
        assert_eq!((found.rows, found.truncated), (Some(rows), rows < 9));
        assert!(found.is_valid());
    }
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

#[test]
fn what_is_no_dataset_is_an_error_as_for_a_forecast() {
    for (bytes, code) in [
        (&b""[..], "empty_file"),
        (HEAD.as_bytes(), "no_rows"),
        (b"PAR1item_id,timestamp,target\n", "format_mismatch"),
        (b"item_id,timestamp,target\na,2026-01-01,\xe9\n", "unsupported_encoding"),
        (b"item_id,timestamp,target\na,2026-01-01,\0\n", "nul_bytes"),
    ] {
        let case = Case { bytes, ..Case::csv("") };
        assert_eq!(case.inspect().unwrap_err().code, code);
        assert!(!case.is_taken());
    }
    // A quote that is never closed ends the read, and what stands before it is told.
    let text = format!("{}a,\"2026-01-06,1\n", good());
    let found = Case::csv(&text).inspect().unwrap();
    assert_eq!(not_passed(&found), [("required_columns", "failed"), ("volume", "warning")]);
    assert_eq!((found.rows, found.items), (Some(40), Some(2)));
    let wide = Case { limits: Limits { max_columns: 2, ..Limits::default() }, ..Case::csv(&text) };
    assert_eq!(not_passed(&wide.inspect().unwrap()), [("volume", "failed")]);
}

/// The rows of a CSV as an object a line; what parses as a number is one, and an empty cell is left out.
fn lines(csv: &str) -> String {
    let mut rows = csv.lines();
    let names: Vec<&str> = rows.next().unwrap().split(',').collect();
    let cell = |(name, cell): (&&str, &str)| match cell.parse::<f64>() {
        _ if cell.is_empty() => None,
        Ok(number) if number.is_finite() => Some(format!("\"{name}\":{cell}")),
        _ => Some(format!("\"{name}\":\"{cell}\"")),
    };
    let object = |row: &str| {
        let cells: Vec<String> = names.iter().zip(row.split(',')).filter_map(cell).collect();
        format!("{{{}}}\n", cells.join(","))
    };
    rows.map(object).collect()
}

/// The rows of a CSV in two files, both with its header; the second begins behind data row `rows`.
fn halves(csv: &str, rows: usize) -> [String; 2] {
    let all: Vec<&str> = csv.lines().skip(1).collect();
    let (first, second) = all.split_at(rows);
    [first, second].map(|rows| format!("{HEAD}{}\n", rows.join("\n")))
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
    let schema = "message m { required binary item_id (UTF8); required binary timestamp (UTF8); required binary target (UTF8); }";
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_fails_no_check_is_what_a_forecast_takes(
        rows in proptest::collection::vec((
            proptest::sample::select(vec!["a", "a", "a", "b", "b", "c", ""]),
            0_usize..12,
            proptest::sample::select(vec!["1", "2.5", "-3", "7", "1", "", "x", "inf"]),
        ), 0..14),
        tidy in any::<bool>(),
        freq in proptest::sample::select(vec![None, Some("D"), Some("h")]),
        threads in 1_usize..3,
    ) {
        let mut text = String::from(HEAD);
        for (place, (item, day, target)) in rows.iter().enumerate() {
            let stamp = match day {
                11 if !tidy => "never".to_owned(),
                day => format!("2026-01-{:02}", if tidy { place + 1 } else { day + 1 }),
            };
            let target = if tidy && target.parse::<i64>().is_err() { "4" } else { target };
            writeln!(text, "{},{stamp},{target}", if tidy { "a" } else { item }).unwrap();
        }
        let agrees = |case: &Case| case.inspect().is_ok_and(|found| found.is_valid()) == case.is_taken();
        prop_assert!(agrees(&Case { freq, threads, ..Case::csv(&text) }), "{}", text);
        let objects = lines(&text);
        let format = FileFormat::Jsonl;
        prop_assert!(agrees(&Case { format, freq, threads, ..Case::csv(&objects) }), "{}", objects);
        let [first, second] = halves(&text, rows.len() / 2);
        prop_assert!(
            agrees(&Case { freq, threads, more: &[second.as_bytes()], ..Case::csv(&first) }),
            "{}{}", first, second
        );
    }
}
