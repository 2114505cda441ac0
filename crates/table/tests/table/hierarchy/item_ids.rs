//! Item ids beside the hierarchy, and as a level of it.

use super::{columns, ids, long_table, read, read_limited, read_parts, two};
use crate::support::parquet::{Values, file, text as texts_of};
use crate::support::rows;
use parquet::file::properties::WriterProperties;
use tabcast_table::{Columns, ContentError, FileFormat, Limits, Panel};

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
