//! Sheets of both kinds of workbook.

use crate::support::workbook::{Cell, archive, entries, entry, text, texts, xlsx};
use crate::support::{biff, read_bytes, read_files, rows};
use tabcast_table::{ContentError, CovariateValues, FileFormat, Panel};

type Sheets<'a> = [(&'a str, Vec<Vec<Cell>>)];

const BOTH: [FileFormat; 2] = [FileFormat::Xlsx, FileFormat::Xls];

fn workbook(sheets: &Sheets, format: FileFormat) -> Vec<u8> {
    if format == FileFormat::Xls { biff::xls(sheets) } else { xlsx(sheets) }
}

/// The table in the first sheet of a workbook of either kind, which must say the same.
fn read(cells: &[Vec<Cell>]) -> Result<Panel, Box<ContentError>> {
    let [new, old] = BOTH.map(|format| read_bytes(&workbook(&[("Data", cells.to_vec())], format), format));
    match (&new, &old) {
        (Ok(new), Ok(old)) => assert_eq!(rows(new), rows(old)),
        (Err(new), Err(old)) => assert_eq!(new, old),
        _ => panic!("{new:?} {old:?}"),
    }
    new
}

fn header() -> Vec<Cell> {
    ["item_id", "timestamp", "target"].map(text).to_vec()
}

fn table(more: Vec<Vec<Cell>>) -> Vec<Vec<Cell>> {
    let mut cells = vec![header()];
    for day in [46_023.0, 46_024.0] {
        cells.push(vec![text("a"), Cell::Date(day), Cell::Number(day)]);
    }
    cells.extend(more);
    cells
}

#[test]
fn cells_mean_what_they_show() {
    let day = |time: &str| text(&format!("2026-01-{time}"));
    let panel = read(&[
        // A title's empty rows, and cells that only have a look, are no rows.
        vec![Cell::Empty],
        header(),
        vec![Cell::Number(7.0), Cell::Date(46_023.541_666_666_664), Cell::Number(0.1)],
        vec![],
        vec![text("7"), day("01 14:00"), Cell::Formula(Some(2.5))],
        vec![Cell::Number(7.0), day("01 15:00"), Cell::Formula(None)],
        vec![Cell::Number(7.0), day("01 16:00"), Cell::Error("#N/A")],
        vec![Cell::Number(7.0), day("01 17:00"), text("-3.5")],
        vec![Cell::Number(7.0), day("01 18:00")],
        vec![text("x & <y>"), Cell::Number(20_260_101.0), Cell::Number(1e300)],
        vec![Cell::Inline("x & <y>".to_owned()), Cell::Number(1_767_312_000.0), Cell::Number(-0.5)],
        vec![],
    ])
    .unwrap();
    let expected = read_bytes(
        b"item_id,timestamp,target\n7,2026-01-01 13:00,0.1\n7,2026-01-01 14:00,2.5\n7,2026-01-01 15:00,\n\
          7,2026-01-01 16:00,\n7,2026-01-01 17:00,-3.5\n7,2026-01-01 18:00,\nx & <y>,2026-01-01,1e300\nx & <y>,2026-01-02,-0.5\n",
        FileFormat::Csv,
    )
    .unwrap();
    assert_eq!(rows(&panel), rows(&expected));
}

#[test]
fn wrong_cells_are_counted_and_named() {
    for (row, code) in [
        (vec![Cell::Empty, Cell::Date(46_025.0), Cell::Number(1.0)], "missing_item_id"),
        (vec![text("a"), Cell::Empty, Cell::Number(1.0)], "unparseable_timestamp"),
        (vec![text("a"), text("someday"), Cell::Number(1.0)], "unparseable_timestamp"),
        (vec![text("a"), Cell::Date(-1.0), Cell::Number(1.0)], "timestamp_out_of_range"),
        (vec![text("a"), Cell::Date(3e6), Cell::Number(1.0)], "timestamp_out_of_range"),
        (vec![text("a"), Cell::Date(46_025.0), Cell::Error("#DIV/0!")], "non_numeric_target"),
        (vec![text("a"), Cell::Date(46_025.0), Cell::Boolean(true)], "non_numeric_target"),
        (vec![text("a"), Cell::Date(46_025.0), Cell::Date(46_025.0)], "non_numeric_target"),
        (vec![text("a"), Cell::Date(46_025.0), text("1e999")], "non_finite_target"),
    ] {
        let error = read(&table(vec![row])).unwrap_err();
        assert_eq!((error.code, error.row, error.kind.status()), (code, Some(3), 422));
    }
    let shown =
        read(&table(vec![vec![text("a"), Cell::Date(46_025.0), Cell::Error("#DIV/0!")]])).unwrap_err();
    assert!(shown.message.contains("#DIV/0!"), "{shown}");
}

#[test]
fn covariates_are_taken_from_named_columns() {
    let mut cells = table(vec![vec![text("a"), Cell::Date(46_025.0), Cell::Number(3.0)]]);
    for (row, cell) in
        cells.iter_mut().zip([text("promo"), Cell::Boolean(true), Cell::Boolean(false), Cell::Empty])
    {
        row.push(cell);
    }
    for (row, cell) in
        cells.iter_mut().zip([text("day"), Cell::Date(46_023.0), Cell::Date(46_024.25), Cell::Error("#N/A")])
    {
        row.push(cell);
    }
    for format in BOTH {
        let covariates = ["promo", "day"].map(str::to_owned).to_vec();
        let bytes = workbook(&[("Data", cells.clone())], format);
        let panel = read_files(&[&bytes], format, |options| options.columns.covariates = covariates).unwrap();
        assert!(
            matches!(&panel.covariates[0].values, CovariateValues::Numbers(values) if values[..2] == [1.0, 0.0] && values[2].is_nan())
        );
        let CovariateValues::Categories { names, .. } = &panel.covariates[1].values else { panic!() };
        assert_eq!(names, &["#N/A", "2026-01-01", "2026-01-02 06:00:00"]);
    }
}

#[test]
fn a_sheet_is_the_first_or_the_one_that_is_named() {
    let other = texts(&[&["item_id", "timestamp", "target"], &["b", "2026", "1"], &["b", "2027", "2"]]);
    let sheets = [("Jan & Feb", table(vec![])), ("Märch", other)];
    for (format, sheets) in [
        (FileFormat::Xlsx, &sheets),
        // The names that the test writes into old workbooks are ASCII.
        (FileFormat::Xls, &[("Jan & Feb", sheets[0].1.clone()), ("March", sheets[1].1.clone())]),
    ] {
        let bytes = workbook(sheets, format);
        let read = |sheet: Option<&str>| {
            read_files(&[&bytes], format, |options| options.sheet = sheet.map(str::to_owned))
        };
        let id = |panel: Result<Panel, _>| panel.unwrap().ids.get(0).to_owned();
        assert_eq!(id(read(None)), "a");
        assert_eq!(id(read(Some("Jan & Feb"))), "a");
        assert_eq!(id(read(Some(sheets[1].0))), "b");
        let error = read(Some("june")).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("missing_sheet", 422));
        assert!(error.message.contains("'Jan & Feb', '"), "{error}");
    }
}

#[test]
fn sheets_that_are_no_table_are_refused() {
    let code = |cells: &[Vec<Cell>]| read(cells).unwrap_err().code;
    assert_eq!(code(&[]), "empty_file");
    assert_eq!(code(&[header()]), "no_rows");
    assert_eq!(code(&texts(&[&["id", "timestamp", "target"], &["a", "2026", "1"]])), "missing_column");
    assert_eq!(
        code(&texts(&[&["item_id", "timestamp", "target", "target"], &["a", "2026", "1", "2"]])),
        "duplicate_column"
    );
    let bytes = xlsx(&[("Data", table(vec![]))]);
    let narrow = read_files(&[&bytes], FileFormat::Xlsx, |options| options.limits.max_columns = 2);
    assert_eq!(narrow.unwrap_err().code, "too_many_columns");
    let short = read_files(&[&bytes], FileFormat::Xlsx, |options| options.limits.max_rows = 1);
    assert_eq!(short.unwrap_err().code, "too_many_rows");
    let long = table(vec![vec![text(&"x".repeat(40)), Cell::Date(46_025.0), Cell::Number(1.0)]]);
    let long = read_files(&[&xlsx(&[("Data", long)])], FileFormat::Xlsx, |options| {
        options.limits.max_cell_chars = 30;
    });
    let error = long.unwrap_err();
    assert_eq!((error.code, error.row), ("cell_too_long", Some(3)));
}

#[test]
fn files_under_the_wrong_name_are_told_the_right_one() {
    let new = xlsx(&[("Data", table(vec![]))]);
    let old = biff::xls(&[("Data", table(vec![]))]);
    for (bytes, format, name) in [
        (new.as_slice(), FileFormat::Csv, ".xlsx"),
        (&old, FileFormat::Csv, ".xls,"),
        (&new, FileFormat::Xls, ".xlsx"),
        (&old, FileFormat::Xlsx, ".xls."),
        (&new, FileFormat::Json, ".xlsx"),
        (b"item_id,timestamp,target\n", FileFormat::Xlsx, "by what it is"),
        (b"item_id,timestamp,target\n", FileFormat::Xls, "by what it is"),
    ] {
        let error = read_bytes(bytes, format).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("format_mismatch", 415), "{error}");
        assert!(error.suggestion.as_ref().is_some_and(|text| text.contains(name)), "{error:?}");
    }
}

#[test]
fn the_date_system_of_the_workbook_counts() {
    let mut entries = entries(&[("Data", table(vec![]))]);
    let workbook = entry(&mut entries, "xl/workbook.xml");
    let text = String::from_utf8(workbook.clone())
        .unwrap()
        .replace("<sheets>", r#"<workbookPr date1904="1"/><sheets>"#);
    *workbook = text.into_bytes();
    let later = read_bytes(&archive(&entries), FileFormat::Xlsx).unwrap();
    let usual = read(&table(vec![])).unwrap();
    let days = |panel: &Panel| panel.timestamps[0] / 86_400_000_000;
    assert_eq!(days(&later) - days(&usual), 1_462);
}
