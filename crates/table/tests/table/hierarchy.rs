//! Series that the columns of a hierarchy identify, good and bad.

use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;

use crate::support::parquet::{Values, file, text as texts_of};
use crate::support::workbook::{Cell, text, texts, xlsx};
use crate::support::{Folder, biff, read_bytes, read_files, rows};
use flate2::write::GzEncoder;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tabcast_table::{
    CheckStatus, Columns, Compression, ContentError, FileFormat, HierarchyColumns, InspectOptions,
    Inspection, Limits, Panel, ReadOptions, dataset_hash, inspect,
};

const LEVELS: [&str; 3] = ["state", "store", "item"];

fn columns(levels: &[&str], separator: &str, total_label: &str) -> Columns {
    let hierarchy = HierarchyColumns {
        columns: levels.iter().map(|name| (*name).to_owned()).collect(),
        separator: separator.to_owned(),
        total_label: total_label.to_owned(),
    };
    Columns { hierarchy: Some(hierarchy), ..Columns::default() }
}

fn usual() -> Columns {
    columns(&LEVELS, "/", "total")
}

/// Reads files with columns, with one thread and with several, which must say the same.
fn read_parts(files: &[&[u8]], format: FileFormat, columns: &Columns) -> Result<Panel, Box<ContentError>> {
    read_limited(files, format, columns, Limits::default())
}

fn read_limited(
    files: &[&[u8]],
    format: FileFormat,
    columns: &Columns,
    limits: Limits,
) -> Result<Panel, Box<ContentError>> {
    let [one, two, four] = [1, 2, 4].map(|threads| {
        read_files(files, format, |options| {
            options.columns = columns.clone();
            options.threads = threads;
            options.limits = limits;
        })
    });
    for other in [two, four] {
        match (&one, &other) {
            (Ok(one), Ok(other)) => {
                assert_eq!(rows(one), rows(other));
                assert_eq!((&one.offsets, &one.warnings), (&other.offsets, &other.warnings));
            }
            (one, other) => assert_eq!(one.as_ref().err(), other.as_ref().err()),
        }
    }
    one
}

fn read(csv: &str, columns: &Columns) -> Result<Panel, Box<ContentError>> {
    read_parts(&[csv.as_bytes()], FileFormat::Csv, columns)
}

fn ids(panel: &Panel) -> Vec<&str> {
    panel.ids.iter().collect()
}

/// Code, column, row and count of an error.
type Refusal = (&'static str, Option<String>, Option<u64>, Option<u64>);

fn refusal(outcome: Result<Panel, Box<ContentError>>) -> Refusal {
    let error = *outcome.unwrap_err();
    assert_eq!(error.kind.status(), 422, "{error}");
    assert!(error.suggestion.is_some(), "{error}");
    (error.code, error.column, error.row, error.count)
}

fn refused(code: &'static str, column: &str, row: u64, count: u64) -> Refusal {
    (code, Some(column.to_owned()), Some(row), Some(count))
}

/// State, store, item, day, target.
type Row<'a> = (&'a str, &'a str, &'a str, u8, f64);

const TABLE: [Row<'static>; 10] = [
    ("TX", "2", "tea", 1, 1.0),
    ("CA", "1", "tea", 1, 2.0),
    ("CA", "1", "coffee, black", 1, 3.0),
    ("CA", "1", "coffee, black", 2, 4.0),
    ("CA", "1", "tea", 2, 5.0),
    ("TX", "2", "tea", 2, 6.0),
    ("TX", "10", "Früchte \"rot\" 🍓", 1, 7.0),
    ("TX", "10", "Früchte \"rot\" 🍓", 2, 8.0),
    ("CA", "1", "tea", 3, 9.0),
    ("CA", "1", "coffee, black", 3, 10.0),
];

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell.to_owned() }
}

/// The levels in another order than theirs, with other columns between them.
fn csv(table: &[Row]) -> String {
    let mut out = String::from("item,timestamp,note,state,target,store\n");
    for (state, store, item, day, target) in table {
        writeln!(out, "{},2026-01-{day:02},\"x, y\",{state},{target},{store}", quoted(item)).unwrap();
    }
    out
}

fn objects(table: &[Row]) -> Vec<String> {
    let object = |(state, store, item, day, target): &Row| {
        format!(
            r#"{{"store":{store},"item":{item:?},"target":{target},"timestamp":"2026-01-{day:02}","x":[{{}}],"state":"{state}"}}"#
        )
    };
    table.iter().map(object).collect()
}

fn cells(table: &[Row]) -> Vec<Vec<Cell>> {
    let header = ["store", "timestamp", "item", "target", "state"].map(text).to_vec();
    let row = |(state, store, item, day, target): &Row| {
        let store = Cell::Number(store.parse().unwrap());
        vec![store, text(&format!("2026-01-{day:02}")), text(item), Cell::Number(*target), text(state)]
    };
    std::iter::once(header).chain(table.iter().map(row)).collect()
}

/// Two row groups; stores are integers.
fn parquet(table: &[Row]) -> Vec<u8> {
    let schema = "message m { required int64 store; required double target; optional binary item (UTF8); \
        required binary timestamp (UTF8); required binary state (UTF8); }";
    let group = |table: &[Row]| {
        let stamps: Vec<String> = table.iter().map(|row| format!("2026-01-{:02}", row.3)).collect();
        vec![
            (Values::Int64(table.iter().map(|row| row.1.parse().unwrap()).collect()), None),
            (Values::Double(table.iter().map(|row| row.4).collect()), None),
            (texts_of(&table.iter().map(|row| row.2).collect::<Vec<_>>()), Some(vec![1; table.len()])),
            (texts_of(&stamps.iter().map(String::as_str).collect::<Vec<_>>()), None),
            (texts_of(&table.iter().map(|row| row.0).collect::<Vec<_>>()), None),
        ]
    };
    let (first, second) = table.split_at(table.len() / 2);
    file(schema, vec![group(first), group(second)], WriterProperties::builder().build())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What a file with the composites in its item id column gives.
fn expected(table: &[Row]) -> Panel {
    let mut out = String::from("item_id,timestamp,target\n");
    for (state, store, item, day, target) in table {
        writeln!(out, "{},2026-01-{day:02},{target}", quoted(&format!("{state}/{store}/{item}"))).unwrap();
    }
    read_bytes(out.as_bytes(), FileFormat::Csv).unwrap()
}

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
            let codes: Vec<_> = panel.warnings.iter().map(|warning| (warning.code, warning.count)).collect();
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

/// Rows of (item id, path) over many blocks, each path with its own stamps.
fn long_table(rows: usize, item: impl Fn(usize) -> String, path: impl Fn(usize) -> [usize; 2]) -> String {
    let mut text = String::from("item_id,timestamp,target,top,leaf\n");
    for row in 0..rows {
        let [top, leaf] = path(row);
        writeln!(text, "{},{},1.5,top-{top},leaf-{leaf}", item(row), 1_000_000_000 + row).unwrap();
    }
    text
}

fn two() -> Columns {
    columns(&["top", "leaf"], "/", "total")
}

#[test]
fn item_ids_beside_the_hierarchy_are_one_to_one_or_refused() {
    let path = |row: usize| [row % 7, row % 91];
    let good = long_table(60_000, |row| format!("id {}", row % 91), path);
    let panel = read(&good, &two()).unwrap();
    assert_eq!((panel.len(), panel.ids.get(0)), (91, "top-0/leaf-0"));
    assert!(panel.warnings.is_empty(), "91 leaves of 7 nest: {:?}", panel.warnings);
    // The last rows alone break the rule: one id of two series, and a second id of a series.
    let bad = |row: usize| match row {
        59_998 => "id 3".to_owned(),
        _ => format!("id {}", row % 91),
    };
    let error = read(&long_table(60_000, bad, path), &two()).unwrap_err();
    assert_eq!(
        (error.code, error.column.as_deref(), error.count),
        ("ambiguous_item_id", Some("item_id"), Some(2))
    );
    let (own, other) = (59_998 % 91, 59_998 % 7);
    assert_eq!(own, 29);
    assert!(
        error.message.ends_with(&format!(
            ": 'id {own}' with 'top-{other}/leaf-{own}'; 'id 3' with 'top-{other}/leaf-{own}', 'top-3/leaf-3'"
        )),
        "{error}"
    );
    assert_eq!(error.item.as_deref(), Some("id 29"));
    // One id for all, an id for every row, and the files of a table in which each alone is fine.
    let error = read(&long_table(2_000, |_| "x".to_owned(), path), &two()).unwrap_err();
    assert_eq!((error.code, error.count, error.item.as_deref()), ("ambiguous_item_id", Some(1), Some("x")));
    assert!(error.message.contains("'x' with 'top-0/leaf-0', 'top-0/leaf-14' and more"), "{error}");
    let error = read(&long_table(2_000, |row| row.to_string(), path), &two()).unwrap_err();
    assert_eq!((error.code, error.count), ("ambiguous_item_id", Some(2_000)));
    assert_eq!(error.message.matches("' with '").count(), 5, "{error}");
    assert!(error.message.ends_with("; and more"), "{error}");
    let part = |id: &str, day: u8| {
        format!(
            "item_id,top,leaf,timestamp,target\n{id},a,b,2026-01-0{day},1\n{id},a,b,2026-01-0{},2\n",
            day + 1
        )
    };
    let (first, second) = (part("x", 1), part("y", 3));
    let files = [first.as_bytes(), second.as_bytes()];
    let error = read_parts(&files, FileFormat::Csv, &two()).unwrap_err();
    assert_eq!((error.code, error.count), ("ambiguous_item_id", Some(2)));
    assert!(error.message.ends_with("'x' with 'a/b'; 'y' with 'a/b'"), "{error}");
    assert!(read_parts(&files[..1], FileFormat::Csv, &two()).is_ok());
}

#[test]
fn an_item_id_column_may_be_absent_named_otherwise_or_empty() {
    let rows = "a,b,2026-01-01,1\na,b,2026-01-02,2\n";
    let absent = format!("top,leaf,timestamp,target\n{rows}");
    let panel = read(&absent, &two()).unwrap();
    // An empty cell says nothing.
    let empty = "item_id,top,leaf,timestamp,target\n,a,b,2026-01-01,1\nx,a,b,2026-01-02,2\n";
    assert_eq!(self::rows(&read(empty, &two()).unwrap()), self::rows(&panel));
    let other = "id,top,leaf,timestamp,target\n1,a,b,2026-01-01,1\n2,a,b,2026-01-02,2\n";
    assert_eq!(self::rows(&read(other, &two()).unwrap()), self::rows(&panel));
    let named = Columns { item_id: "id".into(), ..two() };
    assert_eq!(read(other, &named).unwrap_err().code, "ambiguous_item_id");
    assert_eq!(read(other, &named).unwrap_err().column.as_deref(), Some("id"));
    let twice = "item_id,item_id,top,leaf,timestamp,target\n";
    let twice = format!("{twice}1,1,a,b,2026-01-01,1\n1,1,a,b,2026-01-02,2\n");
    assert_eq!(read(&twice, &two()).unwrap_err().code, "duplicate_column");
    // Objects need not all have the key, but it is a column only when the first thousand have it.
    let object = |id: Option<&str>, day: usize| {
        let id = id.map_or_else(String::new, |id| format!("\"item_id\":{id:?},"));
        format!("{{{id}\"top\":\"a\",\"leaf\":\"b\",\"target\":1,\"timestamp\":{}}}\n", 1_000_000_000 + day)
    };
    let lines = |id: &dyn Fn(usize) -> Option<&'static str>| -> String {
        (0..1_200).map(|row| object(id(row), row)).collect()
    };
    let read_lines = |text: String| read_parts(&[text.as_bytes()], FileFormat::Jsonl, &two());
    assert_eq!(read_lines(lines(&|row| Some("x").filter(|_| row % 2 == 1))).unwrap().rows, 1_200);
    let code = |outcome: Result<Panel, Box<ContentError>>| outcome.unwrap_err().code;
    assert_eq!(code(read_lines(lines(&|row| Some(if row == 900 { "y" } else { "x" })))), "ambiguous_item_id");
    let behind = |row| [None, Some("x"), Some("y")][if row < 1_000 { 0 } else { 1 + row % 2 }];
    assert!(read_lines(lines(&behind)).is_ok());
}

#[test]
fn the_item_id_may_be_a_level() {
    let text = "item,state,timestamp,target\ntea,CA,1999,1\ntea,CA,2000,2\nsoda,CA,1999,1\nsoda,CA,2000,2\n";
    let levels =
        |separator: &str| Columns { item_id: "item".into(), ..columns(&["state", "item"], separator, "t") };
    for separator in ["/", "::", "🍓🍓"] {
        let panel = read(text, &levels(separator)).unwrap();
        assert_eq!(ids(&panel), [format!("CA{separator}soda"), format!("CA{separator}tea")]);
    }
    let crossed = format!("{text}tea,TX,1999,1\ntea,TX,2000,2\n");
    let error = read(&crossed, &levels("::")).unwrap_err();
    assert_eq!(
        (error.code, error.column.as_deref(), error.count),
        ("ambiguous_item_id", Some("item"), Some(1))
    );
    assert!(error.message.ends_with("'tea' with 'CA::tea', 'TX::tea'"), "{error}");
    let top = Columns { item_id: "state".into(), ..columns(&["state", "item"], "/", "t") };
    let error = read(text, &top).unwrap_err();
    assert_eq!((error.item.as_deref(), error.count), (Some("CA"), Some(1)));
    let schema = "message m { required binary item (UTF8); required binary state (UTF8); \
        required int32 timestamp; required double target; }";
    let group = vec![
        (texts_of(&["tea", "tea"]), None),
        (texts_of(&["CA", "CA"]), None),
        (Values::Int32(vec![1999, 2000]), None),
        (Values::Double(vec![1.0, 2.0]), None),
    ];
    let bytes = file(schema, vec![group], WriterProperties::builder().build());
    assert_eq!(ids(&read_parts(&[&bytes], FileFormat::Parquet, &levels("/")).unwrap()), ["CA/tea"]);
    let line = r#"{"item":"tea","state":"CA","timestamp":1999,"target":1}"#;
    let lines = format!("{line}\n{}", line.replace("1999", "2000"));
    assert_eq!(ids(&read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &levels("/")).unwrap()), ["CA/tea"]);
}

#[test]
fn more_ids_than_series_may_be_end_the_read() {
    let limits = Limits { max_series: 90, ..Limits::default() };
    let read = |text: &str| {
        let error = read_limited(&[text.as_bytes()], FileFormat::Csv, &two(), limits).unwrap_err();
        (error.code, error.kind.status())
    };
    let path = |row: usize| [row % 7, row % 91];
    let one = |_: usize| [1, 1];
    assert_eq!(read(&long_table(20_000, |row| format!("id {}", row % 91), path)), ("too_many_series", 413));
    assert_eq!(read(&long_table(20_000, |row| row.to_string(), one)), ("too_many_series", 413));
    // Neither ids nor series are too many, but their pairs.
    let pairs = |row: usize| format!("id {}", row % 60);
    assert_eq!(read(&long_table(20_000, pairs, |row| [row % 7, row % 7])), ("too_many_series", 413));
    // What else is wrong may lie behind the end.
    let late = long_table(20_000, |row| row.to_string(), one) + "x,1,1,a/b,c\n";
    assert_eq!(read(&late), ("too_many_series", 413));
}

#[test]
fn missing_values_are_counted_and_named() {
    let good = csv(&TABLE);
    let line = |item: &str, state: &str, store: &str| format!("{item},2026-02-01,,{state},1,{store}\n");
    let bad = format!("{good}{}{}{}", line("a", "CA", ""), line("", "", "1"), line("\"\"", "CA", "1"));
    assert_eq!(refusal(read(&bad, &usual())), refused("missing_hierarchy_value", "store", 11, 3));
    let mut many = bad.clone();
    (0..6).for_each(|_| many += &line("", "CA", "1"));
    let error = read(&many, &usual()).unwrap_err();
    assert_eq!(error.count, Some(9));
    assert!(
        error.message.ends_with("data row 11 of column 'store'; data rows 11, 12, 13, 14, 15 and more"),
        "{error}"
    );
    // In the second of two files, and far behind the first block.
    let second = format!("{}{}", csv(&[]), line("a", "", "1"));
    let error = read_parts(&[good.as_bytes(), second.as_bytes()], FileFormat::Csv, &usual());
    assert_eq!(refusal(error), refused("missing_hierarchy_value", "state", 11, 1));
    let mut far = long_table(100_000, |_| String::new(), |row| [row % 3, row % 3]);
    far += "x,1,1,,leaf\nx,1,1,top,\n";
    assert_eq!(refusal(read(&far, &two())), refused("missing_hierarchy_value", "top", 100_001, 2));
    let lines = r#"{"state":"CA","store":1,"item":"x","timestamp":1999,"target":1}
{"state":"CA","item":"x","timestamp":2000,"target":1}
{"state":null,"store":1,"item":"x","timestamp":2001,"target":1}
{"state":"CA","store":1,"item":"","timestamp":2002,"target":1}"#;
    let outcome = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &usual());
    assert_eq!(refusal(outcome), refused("missing_hierarchy_value", "store", 2, 3));
    let mut table = cells(&TABLE[..2]);
    table.push(vec![Cell::Number(1.0), text("2026-02-01"), Cell::Empty, Cell::Number(1.0), text("CA")]);
    table.push(vec![Cell::Number(1.0), text("2026-02-01"), text("x"), Cell::Number(1.0)]);
    for (bytes, format) in [
        (xlsx(&[("Data", table.clone())]), FileFormat::Xlsx),
        (biff::xls(&[("Data", table)]), FileFormat::Xls),
    ] {
        let outcome = read_parts(&[&bytes], format, &usual());
        assert_eq!(refusal(outcome), refused("missing_hierarchy_value", "item", 3, 2));
    }
    let schema = "message m { required int32 timestamp; required double target; optional binary top (UTF8); \
        optional int32 leaf; }";
    let group = vec![
        (Values::Int32(vec![1999, 2000, 2001, 2002]), None),
        (Values::Double(vec![1.0; 4]), None),
        (texts_of(&["a", "", "a"]), Some(vec![1, 1, 1, 0])),
        (Values::Int32(vec![1, 1, 1]), Some(vec![1, 1, 0, 1])),
    ];
    let bytes = file(schema, vec![group], WriterProperties::builder().build());
    let outcome = read_parts(&[&bytes], FileFormat::Parquet, &two());
    assert_eq!(refusal(outcome), refused("missing_hierarchy_value", "top", 2, 3));
}

fn paths(paths: &[[&str; 2]]) -> String {
    let mut text = String::from("top,leaf,timestamp,target\n");
    for (row, [top, leaf]) in paths.iter().enumerate() {
        writeln!(text, "{},{},{},1", quoted(top), quoted(leaf), 1_000_000_000 + row).unwrap();
    }
    text
}

#[test]
fn separators_within_values_are_refused() {
    for (separator, top, leaf, column) in [
        ("/", "a/", "b", Some("top")),
        ("/", "a", "b/c", Some("leaf")),
        ("/", "a", "/", Some("leaf")),
        (" - ", "a - b", "c", Some("top")),
        (" - ", "a -", "c", Some("top")),
        (" - ", "a", "- c", None),
        ("::", "a::b", "c", Some("top")),
        // Joined to `a:::b`, which would come back as `a` and `:b`.
        ("::", "a:", "b", Some("top")),
        ("::", "a", ":b", None),
        ("::", "a", "b:", None),
        ("aa", "xa", "b", Some("top")),
        ("aa", "x", "ab", None),
        ("aa", "x", "baa", Some("leaf")),
        ("aa", "a", "b", Some("top")),
        ("aba", "xab", "c", Some("top")),
        ("aba", "xa", "c", None),
        ("abab", "xab", "c", Some("top")),
        ("➜➜", "x➜", "c", Some("top")),
    ] {
        let good = [["x", "y"], ["x", "y"]];
        let bad = [[top, leaf], [top, leaf], ["x", "y"], [top, leaf]];
        let outcome =
            read(&paths(&[good.as_slice(), &bad].concat()), &columns(&["top", "leaf"], separator, "t"));
        match column {
            Some(column) => {
                let error = outcome.as_ref().unwrap_err();
                assert!(error.message.ends_with("; data rows 3, 4, 6"), "{error}");
                assert_eq!(refusal(outcome), refused("separator_in_hierarchy", column, 3, 3), "{separator}");
            }
            None => assert!(ids(&outcome.unwrap()).contains(&format!("{top}{separator}{leaf}").as_str())),
        }
    }
    // Rows whose composites would be equal: the good one comes first, or last.
    for order in [[["x", "ab"], ["xa", "b"]], [["xa", "b"], ["x", "ab"]]] {
        let [first, second] = order;
        let row = if first[0] == "x" { 3 } else { 1 };
        let outcome = read(&paths(&[first, first, second, second]), &columns(&["top", "leaf"], "aa", "t"));
        assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "top", row, 2));
    }
    // Behind the first block, in every format.
    let mut far = long_table(80_000, |_| String::new(), |row| [row % 3, row % 3]);
    far += "x,1,1,a/b,leaf\n";
    assert_eq!(refusal(read(&far, &two())), refused("separator_in_hierarchy", "top", 80_001, 1));
    let lines = r#"{"state":"CA","store":"1/2","item":"x","timestamp":1999,"target":1}"#;
    let outcome = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &usual());
    assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "store", 1, 1));
    let sheet = texts(&[&["top", "leaf", "timestamp", "target"], &["a", "b/", "1999", "1"]]);
    let outcome = read_parts(&[&xlsx(&[("Data", sheet)])], FileFormat::Xlsx, &two());
    assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "leaf", 1, 1));
    // Numbers are printed first: the decimal point of 2.5 is a separator here.
    let schema = "message m { required double top; required int32 leaf; required int32 timestamp; required double target; }";
    let group = vec![
        (Values::Double(vec![2.0, 2.5]), None),
        (Values::Int32(vec![1, 1]), None),
        (Values::Int32(vec![1999, 2000]), None),
        (Values::Double(vec![1.0; 2]), None),
    ];
    let bytes = file(schema, vec![group], WriterProperties::builder().build());
    let outcome = read_parts(&[&bytes], FileFormat::Parquet, &columns(&["top", "leaf"], ".", "t"));
    assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "top", 2, 1));
}

#[test]
fn the_total_label_is_the_id_of_no_other_node() {
    for (label, top, leaf, column) in [
        ("total", "total", "b", Some("top")),
        ("total", "a", "total", None),
        ("total", "Total", "b", None),
        ("total", "total ", "b", None),
        ("total", "totals", "b", None),
        ("a/b", "a", "b", Some("leaf")),
        ("a/b", "a", "bc", None),
        ("a/b/", "a", "b", None),
        ("/", "a", "b", None),
        ("a/", "a", "b", None),
    ] {
        let table = paths(&[["x", "y"], ["x", "y"], [top, leaf], [top, leaf]]);
        let outcome = read(&table, &columns(&["top", "leaf"], "/", label));
        match column {
            Some(column) => {
                let error = outcome.as_ref().unwrap_err();
                assert!(error.message.contains(&format!("'{label}'")), "{error}");
                assert!(error.message.ends_with("; data rows 3, 4"), "{error}");
                assert_eq!(refusal(outcome), refused("total_label_taken", column, 3, 2), "{label}");
            }
            None => assert_eq!(outcome.unwrap().len(), 2, "{label} {top} {leaf}"),
        }
    }
    // A middle node of three, and every row of it.
    let table = "a,b,c,timestamp,target\nx,y,z,1999,1\nx,y,w,1999,1\nx,v,z,1999,1\n";
    let outcome = read(table, &columns(&["a", "b", "c"], "/", "x/y"));
    assert_eq!(refusal(outcome), refused("total_label_taken", "b", 1, 2));
    // `xa` and `aa` begin the id `xaaab`, but no node ends there.
    let table = paths(&[["x", "ab"], ["x", "ab"]]);
    assert_eq!(read(&table, &columns(&["top", "leaf"], "aa", "xa")).unwrap().len(), 1);
    let lines = r#"{"top":"total","leaf":1,"timestamp":1999,"target":1}"#;
    let outcome = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &two());
    assert_eq!(refusal(outcome), refused("total_label_taken", "top", 1, 1));
}

#[test]
fn columns_of_the_hierarchy_have_to_be_there_once_and_for_nothing_else() {
    let text = csv(&TABLE);
    let read = |columns: &Columns| {
        let error = *read(&text, columns).unwrap_err();
        (error.code, error.column.clone().unwrap_or_default(), error.suggestion.unwrap_or_default())
    };
    let (code, column, suggestion) = read(&columns(&["state", "stores", "item"], "/", "t"));
    assert_eq!((code, column.as_str()), ("missing_column", "stores"));
    assert_eq!(suggestion, "Correct hierarchy_columns; the closest column is 'store'.");
    let (code, _, suggestion) = read(&columns(&["region"], "/", "t"));
    assert_eq!(
        (code, suggestion.as_str()),
        ("missing_column", "Correct hierarchy_columns, or leave the column out there.")
    );
    for levels in [["state", "state"], ["state", "timestamp"], ["target", "state"]] {
        let (code, column, suggestion) = read(&columns(&levels, "/", "t"));
        assert_eq!(code, "duplicate_column");
        assert!(
            levels.contains(&column.as_str()) && suggestion.contains("hierarchy_columns"),
            "{suggestion}"
        );
    }
    let covariates = vec!["note".to_owned(), "item".to_owned()];
    let (code, column, _) = read(&Columns { covariates, ..usual() });
    assert_eq!((code, column.as_str()), ("duplicate_column", "item"));
    let many: Vec<String> = (0..21).map(|level| level.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let long = "x".repeat(17);
    for (levels, separator, label) in [
        (&[][..], "/", "t"),
        (&many, "/", "t"),
        (&LEVELS, "", "t"),
        (&LEVELS, &long, "t"),
        (&LEVELS, "\0", "t"),
        (&LEVELS, "/", ""),
    ] {
        let error = *self::read(&text, &columns(levels, separator, label)).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("invalid_hierarchy", 422), "{error}");
    }
    let missing = columns(&["state", "stores", "item"], "/", "t");
    for (bytes, format) in [
        (objects(&TABLE).join("\n").into_bytes(), FileFormat::Jsonl),
        (xlsx(&[("Data", cells(&TABLE))]), FileFormat::Xlsx),
        (parquet(&TABLE), FileFormat::Parquet),
    ] {
        let error = read_parts(&[&bytes], format, &missing).unwrap_err();
        assert_eq!((error.code, error.column.as_deref()), ("missing_column", Some("stores")));
        assert!(error.suggestion.is_some_and(|text| text.contains("closest column is 'store'")));
        for columns in [columns(&["state", "target"], "/", "t"), columns(&["item", "item"], "/", "t")] {
            assert_eq!(read_parts(&[&bytes], format, &columns).unwrap_err().code, "duplicate_column");
        }
    }
    // A later file without the column is a matter of the files.
    let second = "item,timestamp,note,state,target\nx,2026-01-01,,CA,1\n";
    let error = read_parts(&[text.as_bytes(), second.as_bytes()], FileFormat::Csv, &usual()).unwrap_err();
    assert_eq!(error.code, "schema_mismatch");
}

#[test]
fn parquet_cells_that_are_no_text_are_refused() {
    let schema = "message m { required binary top; required binary leaf; required int32 timestamp; required double target; }";
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
    let flags = "message m { required boolean top; required binary leaf; required int32 timestamp; required double target; }";
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

#[test]
fn crossed_columns_are_a_warning_with_the_count_of_values() {
    let crossed = |table: &[[&str; 3]]| {
        let mut text = String::from("a,b,c,timestamp,target\n");
        for [a, b, c] in table {
            for year in [1999, 2000] {
                writeln!(text, "{a},{b},{c},{year},1").unwrap();
            }
        }
        let panel = read(&text, &columns(&["a", "b", "c"], "--", "t")).unwrap();
        panel.warnings.first().map(|warning| (warning.code, warning.count, warning.message.clone()))
    };
    assert_eq!(crossed(&[["1", "x", "p"], ["1", "x", "q"], ["1", "y", "r"], ["2", "z", "s"]]), None);
    // The same value in columns of different depth is no crossing.
    assert_eq!(crossed(&[["1", "1", "1"], ["2", "2", "2"]]), None);
    let (code, count, message) =
        crossed(&[["1", "x", "p"], ["1", "y", "p"], ["2", "x", "p"], ["2", "x", "q"], ["3", "x", "q"]])
            .unwrap();
    assert_eq!((code, count), ("crossed_hierarchy", 3));
    assert!(
        message.starts_with(
            "3 values of the hierarchy stand below more than one parent, the first of them 'x' of column 'b'"
        ),
        "{message}"
    );
    // `1-!` sorts before `1--`, and `1` has its series as neighbours all the same.
    let (_, count, message) = crossed(&[["1", "x", "p"], ["1", "y", "q"], ["1-!", "x", "r"]]).unwrap();
    assert_eq!(count, 1, "{message}");
}

fn inspected(text: &str, columns: Columns) -> Inspection {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, text).unwrap();
    let cancel = AtomicBool::new(false);
    let options = ReadOptions {
        paths: vec![path],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        columns,
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    };
    inspect(&InspectOptions { read: options, frequency: None }).unwrap()
}

#[test]
fn an_inspection_reports_the_hierarchy_with_its_checks() {
    let good = {
        let mut text = String::from("top,leaf,timestamp,target\n");
        for leaf in 0..4 {
            (1..=20).for_each(|day| writeln!(text, "t{},l{leaf},2026-01-{day:02},1", leaf % 2).unwrap());
        }
        text
    };
    let found = inspected(&good, two());
    assert!(found.is_valid() && found.warnings.is_empty(), "{found:?}");
    assert_eq!((found.rows, found.items, found.columns.len()), (Some(80), Some(4), 4));
    let status = |found: &Inspection, name: &str| {
        let check = found.checks.iter().find(|check| check.name.name() == name).unwrap();
        (check.status, check.count, check.sample_rows.clone())
    };
    let bad =
        format!("{good},l1,2026-02-01,1\nt/1,l1,2026-02-01,1\ntotal,l9,2026-02-01,1\nt0,,2026-02-01,x\n");
    let found = inspected(&bad, two());
    assert_eq!(status(&found, "nulls"), (CheckStatus::Failed, 2, vec![81, 84]));
    assert_eq!(status(&found, "required_columns"), (CheckStatus::Failed, 2, vec![82, 83]));
    assert_eq!(status(&found, "numeric_target"), (CheckStatus::Failed, 1, vec![84]));
    assert_eq!((found.rows, found.items), (Some(84), Some(4)));
    let crossed = format!("{good}t1,l0,2026-01-01,1\nt1,l0,2026-01-02,1\n");
    let found = inspected(&crossed, two());
    assert_eq!(status(&found, "required_columns"), (CheckStatus::Warning, 1, vec![]));
    assert!(found.is_valid() && found.warnings[0].code == "crossed_hierarchy");
    let ids = good.replace("top,", "item_id,top,").replace("\nt", "\nx,t");
    let found = inspected(&ids, two());
    assert_eq!(status(&found, "required_columns"), (CheckStatus::Failed, 1, vec![]));
    assert_eq!((found.items, status(&found, "duplicates").0), (Some(4), CheckStatus::Passed));
    let found = inspected(&good, columns(&["top", "shop", "leaf", "leaf"], "/", "t"));
    assert_eq!((found.rows, status(&found, "required_columns")), (None, (CheckStatus::Failed, 2, vec![])));
    let found = inspected(&good, columns(&["top", "leaf"], "", "t"));
    assert_eq!(status(&found, "required_columns").0, CheckStatus::Failed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever is taken comes apart again, and nothing is refused that would.
    #[test]
    fn composites_come_apart_again(
        separator in "a|ab|aa|aba|::|/|ab:ab|-",
        table in proptest::collection::vec(proptest::collection::vec("[ab:/]{1,4}", 3), 1..6),
    ) {
        let mut text = String::from("x,y,z,timestamp,target\n");
        for (row, values) in table.iter().enumerate() {
            for copy in 0..2 {
                writeln!(text, "{},{}", values.join(","), format_args!("{},1", 1_000_000_000 + row * 2 + copy)).unwrap();
            }
        }
        let comes_apart = |values: &Vec<String>| {
            // From either place where a value ends, the separator is the first thing that is found.
            let joined = values.join(&separator);
            joined.split(separator.as_str()).map(str::to_owned).collect::<Vec<_>>() == *values
        };
        let is_good = table.iter().all(comes_apart);
        match read(&text, &columns(&["x", "y", "z"], &separator, "total")) {
            Ok(panel) => {
                prop_assert!(is_good);
                let mut distinct = table.clone();
                distinct.sort();
                distinct.dedup();
                let mut found: Vec<Vec<String>> =
                    panel.ids.iter().map(|id| id.split(separator.as_str()).map(str::to_owned).collect()).collect();
                found.sort();
                prop_assert_eq!(found, distinct);
            }
            Err(error) => {
                prop_assert_eq!(error.code, "separator_in_hierarchy");
                prop_assert!(!is_good);
                let first = table.iter().position(|values| !comes_apart(values)).unwrap() as u64 * 2 + 1;
                let count = table.iter().filter(|values| !comes_apart(values)).count() as u64 * 2;
                prop_assert_eq!((error.row, error.count), (Some(first), Some(count)));
            }
        }
    }
}
