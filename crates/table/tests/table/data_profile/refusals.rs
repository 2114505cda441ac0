//! Files that are no table, and tables without series.

use std::sync::atomic::AtomicBool;

use tabcast_table::{FileFormat, GivenRoles, Limits, ProfileOptions, ReadError, profile_data};

use super::{csv, daily, profile_with};
use crate::support::Folder;

#[test]
fn what_is_no_table_is_refused_as_by_every_reader() {
    let code = |bytes: &[u8], format| profile_with(&[bytes], format, 2, |_| {}).unwrap_err().code;
    assert_eq!(code(b"", FileFormat::Csv), "empty_file");
    assert_eq!(code(b"a,b\n", FileFormat::Csv), "no_rows");
    assert_eq!(code(b"PAR1PAR1", FileFormat::Csv), "format_mismatch");
    assert_eq!(code(b"a,b\n1\n", FileFormat::Csv), "ragged_row");
    assert_eq!(code(b"a,a\n1,2\n", FileFormat::Csv), "duplicate_column");
    assert_eq!(code(b"a\n\"1\n", FileFormat::Csv), "ragged_row");
    assert_eq!(code(b"PAR1", FileFormat::Parquet), "corrupt_file");
    assert_eq!(code(b"[1]", FileFormat::Json), "format_mismatch");
    let table = daily("date,y", 30, |row| row.to_string());
    let limits = Limits { max_rows: 29, ..Limits::default() };
    let refused = profile_with(&[table.as_bytes()], FileFormat::Csv, 2, |options| options.limits = limits);
    assert_eq!(refused.unwrap_err().code, "too_many_rows");
    let items = daily("date,item_id,y", 30, |row| format!("i{},{row}", row % 10));
    let limits = Limits { max_series: 9, ..Limits::default() };
    let refused = profile_with(&[items.as_bytes()], FileFormat::Csv, 2, |options| options.limits = limits);
    assert_eq!(refused.unwrap_err().code, "too_many_series");
}

#[test]
fn a_table_without_series_says_why_and_shows_its_columns() {
    for (table, columns, reason) in [
        ("2026-01-01,5\n2026-01-02,6\n2026-01-03,7\n".to_owned(), 2, "first row looks like data"),
        ("5\n6\n7\n".to_owned(), 1, "first row looks like data"),
        ("sales\n6\n7\n".to_owned(), 1, "one column"),
        ("name,sales\nx,6\ny,7\n".to_owned(), 2, "No column holds times"),
        ("date,sales\n31/12/25,6\n30/12/25,7\n".to_owned(), 2, "No column holds times"),
        ("date,name\n2026-01-01,x\n2026-01-02,y\n".to_owned(), 2, "No column holds numbers"),
        ("a,b\nx,x\ny,z\n".to_owned(), 2, "No column holds times that can be read. Write"),
        ("store,2026-01,2026-02,2026-03\na,1,2,3\nb,4,5,6\n".to_owned(), 4, "named by times"),
        ("date,sales\n2026-01-01,\n2026-01-02,\n".to_owned(), 2, "None of the 2 rows"),
        (
            "date,sales,x\n2026-01-01,1,1\n2026-01-01,2,1\n2026-01-01,3,1\n".to_owned(),
            3,
            "no column that tells series apart",
        ),
    ] {
        let profile = csv(&table);
        assert_eq!(profile.series, None, "{table}");
        assert_eq!(profile.columns.len(), columns);
        let unreadable = profile.unreadable.unwrap();
        assert!(unreadable.contains(reason), "{unreadable}");
        assert!(profile.columns.iter().all(|column| !column.is_static && !column.is_known_ahead));
    }
}

#[test]
fn wrong_cells_cost_their_rows() {
    let table = daily("date,sales", 40, |row| if row == 30 { "much".into() } else { row.to_string() });
    let profile = csv(&table.replace("2026-01-05", "some day"));
    let series = profile.series.unwrap();
    assert_eq!((series.total_rows, series.max_length), (40, 38));
    assert_eq!(profile.columns[1].kind.name(), "text");
}

#[test]
fn a_cancelled_profile_ends() {
    let folder = Folder::new();
    std::fs::write(folder.path("input"), daily("date,y", 10, |row| row.to_string())).unwrap();
    let cancel = AtomicBool::new(true);
    let options = ProfileOptions {
        paths: vec![folder.path("input")],
        format: FileFormat::Csv,
        compression: None,
        roles: GivenRoles::default(),
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    };
    assert!(matches!(profile_data(&options), Err(ReadError::Cancelled)));
}
