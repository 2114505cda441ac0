//! Columns by all their cells.

use tabcast_table::{ColumnType, FileFormat, Limits};

use super::{column, csv, daily, profile_with, series_of};

#[test]
fn every_column_is_counted_over_all_rows() {
    let profile = csv("date,text,number,flag,nothing,mixed,code\n\
        2026-01-01,b,1.50,true,,1,007\n\
        2026-01-02,a,-2,FALSE,NA,x,008\n\
        2026-01-03,a,none,,,-,007\n\
        2026-01-04,,1.5,true,,2,\n");
    let found: Vec<_> = profile
        .columns
        .iter()
        .map(|column| (column.name.as_str(), column.kind, column.nulls, column.distinct))
        .collect();
    assert_eq!(
        found,
        [
            ("date", ColumnType::Timestamp, 0, 4),
            ("text", ColumnType::Text, 1, 2),
            ("number", ColumnType::Number, 1, 2),
            ("flag", ColumnType::Boolean, 1, 2),
            ("nothing", ColumnType::Empty, 4, 0),
            ("mixed", ColumnType::Text, 0, 4),
            ("code", ColumnType::Text, 1, 2),
        ]
    );
    assert_eq!(column(&profile, "text").values, ["a", "b"]);
    assert_eq!(column(&profile, "number").values, ["1.5", "-2"]);
    assert_eq!(column(&profile, "mixed").values, ["1", "x", "-", "2"]);
    assert_eq!(column(&profile, "code").values, ["007", "008"]);
    let number = column(&profile, "number");
    assert_eq!((number.min, number.max), (Some(-2.0), Some(1.5)));
    assert_eq!(column(&profile, "mixed").min, None);
}

#[test]
fn values_are_counted_to_their_caps() {
    let many = daily("date,y,few,some,many", 12_000, |row| {
        format!("{},v{},v{},v{row}", row % 90, row % 1_000, row % 1_001)
    });
    let profile = csv(&many);
    let [few, some, many] = ["few", "some", "many"].map(|name| column(&profile, name));
    assert_eq!((few.distinct, few.values.len()), (1_000, 200));
    assert_eq!(few.values[..2], ["v0", "v1"]);
    assert_eq!((some.distinct, some.values.len()), (1_001, 0));
    assert_eq!((many.distinct, many.values.len()), (10_000, 0));
    let long = "x".repeat(101);
    let profile =
        csv(&daily("date,y,note", 3, |row| format!("{row},{}", if row == 1 { &long } else { "short" })));
    assert_eq!(column(&profile, "note").distinct, 2);
    assert_eq!(column(&profile, "note").values, ["short"]);
}

#[test]
fn wide_tables_list_what_fits_into_a_message() {
    let names: Vec<String> = (0..498).map(|column| format!("c{column}")).collect();
    let long = "x".repeat(90);
    let text = daily(&format!("date,y,{}", names.join(",")), 300, |row| {
        let cells: Vec<String> =
            (0..498).map(|column| format!("{long}{}", row * (column % 7 + 1) % 250)).collect();
        format!("{},{}", row % 7, cells.join(","))
    });
    let profile = csv(&text);
    assert_eq!(profile.columns.len(), 500);
    let listed: usize = profile.columns.iter().flat_map(|column| &column.values).map(String::len).sum();
    assert!((1..=256 * 1024).contains(&listed), "{listed}");
    assert_eq!(series_of(&profile).total_rows, 300);
    let limits = Limits { max_columns: 499, ..Limits::default() };
    let refused = profile_with(&[text.as_bytes()], FileFormat::Csv, 2, |options| options.limits = limits);
    assert_eq!(refused.unwrap_err().code, "too_many_columns");
}

#[test]
fn typed_formats_say_the_same_as_text() {
    let lines: Vec<String> = (0..40)
        .map(|row| {
            let (store, date) = (row / 20, super::day(row % 20));
            let price = if row % 3 == 0 { "null".to_owned() } else { format!("{}.5", row % 4) };
            format!(
                r#"{{"store":{store},"date":"{date}","sales":{},"price":{price},"open":{}}}"#,
                row % 7,
                row % 2 == 0
            )
        })
        .collect();
    let rows = (0..40).map(|row| {
        let price = if row % 3 == 0 { String::new() } else { format!("{}.5", row % 4) };
        format!("{},{},{},{price},{}", row / 20, super::day(row % 20), row % 7, row % 2 == 0)
    });
    let text = format!("store,date,sales,price,open\n{}\n", rows.collect::<Vec<_>>().join("\n"));
    let expected = csv(&text);
    let array = format!("[{}]", lines.join(","));
    for (bytes, format) in [(array, FileFormat::Json), (lines.join("\n"), FileFormat::Jsonl)] {
        let found = profile_with(&[bytes.as_bytes()], format, 2, |_| {}).unwrap();
        assert_eq!(found, expected, "{format:?}");
    }
    assert_eq!(expected.roles.item_id.as_deref(), Some("store"));
    let half = text.lines().collect::<Vec<_>>();
    let head = half[0];
    let halves = [&half[1..21], &half[21..]].map(|rows| format!("{head}\n{}\n", rows.join("\n")));
    let halves: Vec<&[u8]> = halves.iter().map(String::as_bytes).collect();
    assert_eq!(profile_with(&halves, FileFormat::Csv, 2, |_| {}).unwrap(), expected);
}

#[test]
fn keys_that_come_late_are_missing_before() {
    let lines = (0..30).map(|row| {
        let late = if row < 20 { String::new() } else { format!(r#","late":{row}"#) };
        format!(r#"{{"date":"{}","y":{}{late}}}"#, super::day(row), row % 5)
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let profile = profile_with(&[text.as_bytes()], FileFormat::Jsonl, 2, |_| {}).unwrap();
    let late = column(&profile, "late");
    assert_eq!((late.nulls, late.distinct, late.min), (20, 10, Some(20.0)));
}
