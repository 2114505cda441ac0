//! The composites are the same from every format.

use std::fmt::Write as _;

use super::{
    Row, TABLE, cells, columns, csv, expected, gzip, ids, objects, parquet, read, read_limited, read_parts,
    two, usual,
};
use crate::support::parquet::{Values, file, text as texts_of};
use crate::support::workbook::xlsx;
use crate::support::{biff, read_files, rows};
use parquet::file::properties::WriterProperties;
use tabcast_table::{Compression, FileFormat, Limits, dataset_hash};

#[test]
fn every_format_gives_the_panel_of_the_composites() {
    let expected = expected(&TABLE);
    assert_eq!(ids(&expected), ["CA/1/coffee, black", "CA/1/tea", "TX/10/Früchte \"rot\" 🍓", "TX/2/tea"]);
    let (first, second) = TABLE.split_at(4);
    let split =
        |write: &dyn Fn(&[Row]) -> Vec<u8>| vec![vec![write(&TABLE)], vec![write(first), write(second)]];
    let lines = |table: &[Row]| objects(table).join("\n").into_bytes();
    let array = |table: &[Row]| format!("[{}]", objects(table).join(",")).into_bytes();
    for (format, files) in [
        (FileFormat::Csv, split(&|table| csv(table).into_bytes())),
        (FileFormat::Csv, split(&|table| csv(table).replace('\n', "\r\n").into_bytes())),
        (FileFormat::Csv, split(&|table| csv(table).replace(",CA,", ",\"CA\",").into_bytes())),
        (FileFormat::Jsonl, split(&lines)),
        (FileFormat::Json, split(&array)),
        (FileFormat::Xlsx, split(&|table| xlsx(&[("Data", cells(table))]))),
        // The texts of old workbooks in these tests are ASCII.
        (FileFormat::Parquet, split(&parquet)),
    ] {
        for files in files {
            let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
            let panel = read_parts(&files, format, &usual()).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(rows(&panel), rows(&expected), "{format:?}");
            assert_eq!(dataset_hash(&panel), dataset_hash(&expected));
            let codes: Vec<_> =
                panel.warnings.iter().map(|warning| (&*warning.code, warning.count)).collect();
            assert_eq!(codes, [("crossed_hierarchy", 1)], "tea is under CA/1 and TX/2");
        }
    }
    for (format, bytes) in [
        (FileFormat::Csv, csv(&TABLE).into_bytes()),
        (FileFormat::Json, array(&TABLE)),
        (FileFormat::Jsonl, lines(&TABLE)),
    ] {
        let panel = read_files(&[&gzip(&bytes)], format, |options| {
            options.columns = usual();
            options.compression = Some(Compression::Gzip);
        });
        assert_eq!(rows(&panel.unwrap()), rows(&expected));
    }
    let ascii = TABLE.map(|(state, store, item, day, target)| {
        (state, store, if item.is_ascii() { item } else { "fruit" }, day, target)
    });
    let old = biff::xls(&[("Data", cells(&ascii))]);
    assert_eq!(rows(&read_parts(&[&old], FileFormat::Xls, &usual()).unwrap()), rows(&self::expected(&ascii)));
}

#[test]
fn values_survive_byte_for_byte() {
    let long = "ä".repeat(5_120);
    let values = [
        "__proto__",
        "../x",
        "=cmd()",
        "🍓",
        " lead",
        "trail ",
        "a,b",
        "a\"b",
        "a\nb",
        "007",
        "1e3",
        "NaN",
        "null",
        "total",
        "a\rb",
        "'",
        "\"",
        "\"\"",
        &long,
    ];
    let mut text = String::from("top,timestamp,target,leaf\n");
    for (place, top) in values.iter().enumerate() {
        for (other, leaf) in values.iter().enumerate() {
            for day in 1..=2 {
                let cell = |value: &str, quote: bool| {
                    let must = value.contains([',', '"', '\n', '\r']);
                    let escaped = value.replace('"', "\"\"");
                    if must || quote { format!("\"{escaped}\"") } else { value.to_owned() }
                };
                // Equal cells are quoted here and plain there.
                let (top, leaf) = (cell(top, day == 1), cell(leaf, (place + other) % 2 == 0));
                writeln!(text, "{top},2026-01-0{day},{place},{leaf}").unwrap();
            }
        }
    }
    let separator = " ➜ ";
    let panel = read(&text, &columns(&["top", "leaf"], separator, "Σ")).unwrap();
    let mut composites: Vec<String> = values
        .iter()
        .flat_map(|top| values.iter().map(move |leaf| format!("{top}{separator}{leaf}")))
        .collect();
    composites.sort();
    assert_eq!(ids(&panel), composites);
    assert!(panel.offsets.windows(2).all(|ends| ends[1] - ends[0] == 2));
    assert_eq!(panel.warnings[0].count, values.len() as u64);
    for text in [text.replace('\n', "\r\n").replace("a\r\nb", "a\nb"), format!("\u{feff}{text}")] {
        assert_eq!(rows(&read(&text, &columns(&["top", "leaf"], separator, "Σ")).unwrap()), rows(&panel));
    }
    // A prefix of another value, as compared in place, is another value.
    let text =
        "a,b,timestamp,target\nx,y,1999,1\nxy,y,1999,1\nx,y,2000,2\nx,yy,1999,1\nxy,y,2000,2\nx,yy,2000,2\n";
    assert_eq!(ids(&read(text, &columns(&["a", "b"], "/", "t")).unwrap()), ["x/y", "x/yy", "xy/y"]);
    let one = columns(&["a"], "/", "t");
    assert_eq!(read(text, &one).unwrap_err().code, "duplicate_rows");
    assert_eq!(ids(&read("a,timestamp,target\nx,1999,1\nx,2000,1\n", &one).unwrap()), ["x"]);
}

#[test]
fn numbers_are_printed_like_item_ids() {
    let lines = r#"{"state":true,"store":1,"item":12345678901234567890,"timestamp":1999,"target":1}
{"state":true,"store":1.0,"item":12345678901234567890,"timestamp":2000,"target":1}
{"state":true,"store":2.5,"item":"NaN","timestamp":1999,"target":1}
{"state":true,"store":2.5,"item":"NaN","timestamp":2000,"target":1}"#;
    let panel = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &usual()).unwrap();
    assert_eq!(ids(&panel), ["true/1/12345678901234567890", "true/2.5/NaN"]);
    let schema = "message m { required int32 state (INTEGER(32,false)); required float store; required double item; \
        required int64 timestamp; required int64 target; }";
    let group = vec![
        (Values::Int32(vec![-1, -1, 7, 7]), None),
        (Values::Float(vec![0.5, 0.5, 2.0, 2.0]), None),
        (Values::Double(vec![1e21, 1e21, -0.1, -0.1]), None),
        (Values::Int64(vec![1999, 2000, 1999, 2000]), None),
        (Values::Int64(vec![1, 2, 3, 4]), None),
    ];
    let bytes = file(schema, vec![group], WriterProperties::builder().build());
    let panel = read_parts(&[&bytes], FileFormat::Parquet, &usual()).unwrap();
    assert_eq!(ids(&panel), ["4294967295/0.5/1000000000000000000000", "7/2/-0.1"]);
}

#[test]
fn parquet_cells_that_are_no_text_are_refused() {
    let schema = "message m { required binary top; required binary leaf; required int32 timestamp; required double \
        target; }";
    let table = |tops: Vec<Vec<u8>>| {
        let rows = tops.len();
        let group = vec![
            (Values::Text(tops), None),
            (Values::Text(vec![b"b".to_vec(); rows]), None),
            (Values::Int32((1..=rows as i32).map(|year| 1_900 + year).collect()), None),
            (Values::Double(vec![1.0; rows]), None),
        ];
        file(schema, vec![group], WriterProperties::builder().build())
    };
    let code = |tops: Vec<Vec<u8>>| {
        let limits = Limits { max_cell_chars: 8, ..Limits::default() };
        let error = read_limited(&[&table(tops)], FileFormat::Parquet, &two(), limits).unwrap_err();
        (error.code, error.row)
    };
    assert_eq!(code(vec![b"a".to_vec(), b"\xff".to_vec()]), ("unsupported_encoding", Some(2)));
    assert_eq!(code(vec![b"a".to_vec(), b"a".to_vec(), b"123456789".to_vec()]), ("cell_too_long", Some(3)));
    let flags = "message m { required boolean top; required binary leaf; required int32 timestamp; required double \
        target; }";
    let group = vec![
        (Values::Boolean(vec![true]), None),
        (texts_of(&["b"]), None),
        (Values::Int32(vec![1999]), None),
        (Values::Double(vec![1.0]), None),
    ];
    let bytes = file(flags, vec![group], WriterProperties::builder().build());
    let error = read_parts(&[&bytes], FileFormat::Parquet, &two()).unwrap_err();
    assert_eq!((error.code, error.column.as_deref()), ("unsupported_type", Some("top")));
}

#[test]
fn a_long_parquet_file_is_read_in_stretches() {
    let rows = 150_000_usize;
    let schema = "message m { required binary item_id (UTF8); required int32 top; required binary leaf (UTF8); \
        required int64 timestamp; required double target; }";
    let table = |last: &str| {
        let path = |row: usize| (row % 4, row % 120);
        let mut items: Vec<Vec<u8>> = (0..rows).map(|row| format!("i{}", row % 120).into_bytes()).collect();
        items[rows - 1] = last.as_bytes().to_vec();
        let group = |range: std::ops::Range<usize>| {
            vec![
                (Values::Text(items[range.clone()].to_vec()), None),
                (Values::Int32(range.clone().map(|row| path(row).0 as i32).collect()), None),
                (
                    Values::Text(
                        range.clone().map(|row| format!("leaf {}", path(row).1).into_bytes()).collect(),
                    ),
                    None,
                ),
                (Values::Int64(range.clone().map(|row| 1_000_000_000 + row as i64).collect()), None),
                (Values::Double(range.map(|row| row as f64).collect()), None),
            ]
        };
        file(schema, vec![group(0..70_000), group(70_000..rows)], WriterProperties::builder().build())
    };
    let panel = read_parts(&[&table("i119")], FileFormat::Parquet, &two()).unwrap();
    assert_eq!((panel.len(), panel.rows, panel.ids.get(0)), (120, rows, "0/leaf 0"));
    assert_eq!(panel.series(0).1[..3], [0.0, 120.0, 240.0]);
    let error = read_parts(&[&table("i7")], FileFormat::Parquet, &two()).unwrap_err();
    assert!(
        error.message.ends_with("'i119' with '3/leaf 119'; 'i7' with '3/leaf 119', '3/leaf 7'"),
        "{error}"
    );
    assert_eq!(error.count, Some(2));
}
