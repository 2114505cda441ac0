use std::fmt::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use tabcast_calendar::parse_timestamp;
use tabcast_preparation::{
    Aggregate, AnomalyHandling, Failure, MissingHandling, Request, RowFilter, Summary, check_header, prepare,
};
use tabcast_table::{
    Columns, ContentError, FileFormat, Frame, FrameColumn, FrameOptions, Limits, read_frame,
};

/// A request over a CSV file that does nothing yet.
pub(crate) fn request(path: &std::path::Path) -> Request {
    Request {
        input_paths: vec![path.join("input.csv")],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        columns: Columns::default(),
        hierarchy: None,
        freq: None,
        limits: Limits::default(),
        threads: 2,
        filters: Vec::new(),
        series_columns: None,
        step: None,
        aggregate: Aggregate::Sum,
        across: None,
        missing: MissingHandling::None,
        anomalies: AnomalyHandling::None,
        output: path.join("prepared.parquet"),
    }
}

/// What came of a table.
pub(crate) struct Prepared {
    pub(crate) summary: Summary,
    pub(crate) frame: Frame,
    pub(crate) bytes: Vec<u8>,
}

/// Prepares a CSV table as `change` asks for.
pub(crate) fn prepared(csv: &str, change: impl FnOnce(&mut Request)) -> Result<Prepared, Failure> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("input.csv"), csv).expect("a file");
    let mut request = request(folder.path());
    change(&mut request);
    let path = request.output.clone();
    let cancel = AtomicBool::new(false);
    let summary = prepare(&request.resolve(&cancel)?)?;
    let bytes = std::fs::read(&path).expect("a prepared file");
    Ok(Prepared { summary, frame: frame(path), bytes })
}

fn frame(path: PathBuf) -> Frame {
    let cancel = AtomicBool::new(false);
    let options = FrameOptions {
        paths: vec![path],
        format: FileFormat::Parquet,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 1,
        cancel: &cancel,
    };
    read_frame(&options).expect("a table")
}

/// The same where it must go well.
pub(crate) fn good(csv: &str, change: impl FnOnce(&mut Request)) -> Prepared {
    prepared(csv, change).unwrap_or_else(|failure| panic!("{failure:?}"))
}

/// The same where the data or the preparation must be at fault.
pub(crate) fn refused(csv: &str, change: impl FnOnce(&mut Request)) -> ContentError {
    match prepared(csv, change) {
        Err(Failure::Content(error)) => *error,
        Err(failure) => panic!("{failure:?}"),
        Ok(prepared) => panic!("{:?}", prepared.summary),
    }
}

/// What a look at the header alone says.
pub(crate) fn header(csv: &str, change: impl FnOnce(&mut Request)) -> Result<(), Failure> {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("input.csv"), csv).expect("a file");
    let mut request = request(folder.path());
    change(&mut request);
    let cancel = AtomicBool::new(false);
    check_header(&request.resolve(&cancel)?)
}

impl Prepared {
    /// Rows as `id time target`, an empty target for a missing one.
    pub(crate) fn lines(&self) -> Vec<String> {
        let columns = ["item_id", "timestamp", "target"];
        (0..self.frame.rows)
            .map(|row| columns.map(|name| self.cell(name, row)).join(" ").trim_end().to_owned())
            .collect()
    }

    /// A cell as text, empty where it is missing.
    pub(crate) fn cell(&self, column: &str, row: usize) -> String {
        let place = self.frame.position(column).unwrap_or_else(|| panic!("no column {column}"));
        match &self.frame.columns[place] {
            FrameColumn::Numbers(numbers) if numbers[row].is_nan() => String::new(),
            FrameColumn::Numbers(numbers) => numbers[row].to_string(),
            FrameColumn::Texts(texts) => texts.get(row).unwrap_or_default().to_owned(),
        }
    }

    pub(crate) fn column(&self, column: &str) -> Vec<String> {
        (0..self.frame.rows).map(|row| self.cell(column, row)).collect()
    }
}

/// A filter as requests have it.
pub(crate) fn filter(column: &str, op: &str, values: &[&str]) -> RowFilter {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    RowFilter { column: column.to_owned(), op: named(op), values }
}

/// A value by its name in requests.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_value(name.into()).expect(name)
}

/// Daily rows of one series, `a`, from a day on; an empty text is a missing value.
pub(crate) fn daily(from: &str, values: &[&str]) -> String {
    let start = parse_timestamp(from.as_bytes()).expect("a day").micros;
    let mut csv = "item_id,timestamp,target\n".to_owned();
    for (day, value) in values.iter().enumerate() {
        writeln!(csv, "a,{},{value}", date(start + day as i64 * 86_400_000_000)).expect("text");
    }
    csv
}

/// The day of a stamp.
pub(crate) fn date(stamp: i64) -> String {
    let mut text = Vec::new();
    tabcast_calendar::write_pandas(stamp, &mut text);
    String::from_utf8_lossy(&text[..10]).into_owned()
}
