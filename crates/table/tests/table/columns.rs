//! Some columns of a table, read for what they are wanted for.

use std::sync::atomic::AtomicBool;

use crate::support::Folder;
use tabcast_calendar::parse_timestamp;
use tabcast_table::{
    FileFormat, FrameOptions, Limits, ReadError, TableColumn, TextColumn, Wanted, WantedColumn,
    WantedColumns, WrongCells, column_names, read_columns, write_plain_parquet,
};

const TABLE: &str = "\
id,when,value,note,other
007,2024-01-01T00:00:00+01:00,1.50,true,x
7,20240102,NA,,y
 a,soon,-inf,2.50,z
,,many,NA,
";

fn wanted() -> Vec<(String, Wanted)> {
    let wanted = [
        ("value", Wanted::Target),
        ("id", Wanted::Names),
        ("absent", Wanted::Values),
        ("when", Wanted::Times),
        ("note", Wanted::Values),
    ];
    wanted.map(|(name, wanted)| (name.to_owned(), wanted)).into()
}

fn options<'a>(folder: &Folder, format: FileFormat, cancel: &'a AtomicBool) -> FrameOptions<'a> {
    FrameOptions {
        paths: vec![folder.path("input")],
        format,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel,
    }
}

fn read(content: &[u8], format: FileFormat, wanted: &[(String, Wanted)]) -> WantedColumns {
    let folder = Folder::new();
    std::fs::write(folder.path("input"), content).unwrap();
    read_columns(&options(&folder, format, &AtomicBool::new(false)), wanted).unwrap()
}

fn at(text: &str) -> i64 {
    parse_timestamp(text.as_bytes()).unwrap().micros
}

fn texts(column: &TextColumn) -> Vec<Option<&str>> {
    (0..column.codes.len()).map(|row| column.get(row)).collect()
}

#[test]
fn cells_are_read_for_what_their_column_is_wanted_for() {
    let table = read(TABLE.as_bytes(), FileFormat::Csv, &wanted());
    assert_eq!((table.rows, table.names.len()), (4, 5));
    let [target, names, absent, times, values] = table.columns.as_slice() else { panic!("five columns") };
    let Some(WantedColumn::Target(numbers, wrong)) = target else { panic!("{target:?}") };
    assert_eq!(numbers[0], 1.5);
    assert!(numbers[1..].iter().all(|number| number.is_nan()));
    assert_eq!(wrong.rows.iter().map(|(row, _)| *row).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(wrong.texts.iter().map(|text| &**text).collect::<Vec<_>>(), ["-inf", "many"]);
    let Some(WantedColumn::Texts(names)) = names else { panic!("{names:?}") };
    assert_eq!(texts(names), [Some("007"), Some("7"), Some(" a"), None]);
    assert_eq!(*absent, None);
    let Some(WantedColumn::Times(stamps, wrong)) = times else { panic!("{times:?}") };
    assert_eq!(stamps[..2], [at("2023-12-31 23:00"), at("2024-01-02")]);
    assert_eq!(wrong.rows.iter().map(|(row, _)| *row).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(wrong.texts[0].as_ref(), "soon");
    let Some(WantedColumn::Numbers(numbers)) = values else { panic!("{values:?}") };
    assert_eq!((numbers[0], numbers[2]), (1.0, 2.5));
    assert!(numbers[1].is_nan() && numbers[3].is_nan());
    assert_eq!(table.warnings.iter().map(|warning| &*warning.code).collect::<Vec<_>>(), ["mixed_time_zones"]);
}

#[test]
fn a_column_with_a_text_has_its_numbers_as_texts() {
    let wanted = [("note".to_owned(), Wanted::Values)];
    let table = read(b"note\n1.50\nNA\nx\n\n", FileFormat::Csv, &wanted);
    let Some(WantedColumn::Texts(column)) = &table.columns[0] else { panic!("{:?}", table.columns) };
    assert_eq!(texts(column), [Some("1.5"), Some("NA"), Some("x")]);
}

#[test]
fn every_format_says_the_same() {
    let json =
        br#"[{"id":"007","when":"2024-01-01","value":1.5,"note":true},{"id":7,"when":20240102,"value":null},
        {"id":" a","when":"soon","value":"-inf","note":2.5},{"value":"many","note":"NA"}]"#;
    let csv = TABLE.replace("T00:00:00+01:00", "");
    let csv = read(csv.as_bytes(), FileFormat::Csv, &wanted());
    let json = read(json, FileFormat::Json, &wanted());
    assert_eq!(format!("{:?}", csv.columns), format!("{:?}", json.columns));
}

#[test]
fn what_is_written_plainly_is_read_back_and_as_large_as_its_contents() {
    let folder = Folder::new();
    let rows = 100_000;
    let texts = TextColumn { codes: vec![0; rows], texts: vec!["a".into()] };
    let table = [
        ("id".to_owned(), TableColumn::Texts(texts)),
        ("when".to_owned(), TableColumn::Times(vec![at("2024-01-01"); rows])),
        ("value".to_owned(), TableColumn::Numbers(vec![0.0; rows])),
    ];
    let cancel = AtomicBool::new(false);
    let written = write_plain_parquet(&folder.path("input"), &table, &cancel).unwrap();
    assert!(written.bytes >= 16 * rows as u64, "{} bytes", written.bytes);
    let wanted = [("when".to_owned(), Wanted::Times), ("value".to_owned(), Wanted::Target)];
    let read = read_columns(&options(&folder, FileFormat::Parquet, &cancel), &wanted).unwrap();
    let Some(WantedColumn::Times(times, wrong)) = &read.columns[0] else { panic!("no times") };
    assert!(times.iter().all(|time| *time == at("2024-01-01")) && wrong.rows.is_empty());
    assert_eq!(read.columns[1], Some(WantedColumn::Target(vec![0.0; rows], WrongCells::default())));
}

#[test]
fn names_need_no_row_and_a_cancelled_read_ends() {
    let folder = Folder::new();
    std::fs::write(folder.path("input"), TABLE).unwrap();
    let cancel = AtomicBool::new(false);
    let names = column_names(&options(&folder, FileFormat::Csv, &cancel)).unwrap();
    assert_eq!(names, ["id", "when", "value", "note", "other"]);
    let cancel = AtomicBool::new(true);
    let read = read_columns(&options(&folder, FileFormat::Csv, &cancel), &wanted());
    assert!(matches!(read, Err(ReadError::Cancelled)));
}
