//! What the test files of this crate share: options with defaults, a run in a temporary folder, the table as rows.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use tabcast_forecast::{Config, Control, Failure, Options, Output, Summary, run};
use tabcast_table::{TableFormat, convert_parquet};
use tempfile::TempDir;

/// Options for a file, on as many threads as the tests have cores anywhere.
pub(crate) fn options(input: &Path) -> Options {
    Options { threads: 2, ..Options::new(input, 6) }
}

/// Numbers between 0 and 1 that look random and are the same everywhere, from a congruential generator.
pub(crate) fn uniform() -> impl FnMut() -> f64 {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1_u32 << 24)
    }
}

/// A value by its name in documents.
pub(crate) fn named<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_value(name.into()).expect(name)
}

/// A finished run and its files.
pub(crate) struct Finished {
    /// Keeps the files until the test is done with them.
    folder: TempDir,
    pub(crate) summary: Summary,
    pub(crate) csv: String,
    pub(crate) parquet: PathBuf,
    pub(crate) report: serde_json::Value,
    pub(crate) findings: serde_json::Value,
}

impl Finished {
    /// A file of the analyses, if there is one.
    pub(crate) fn analysis(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.folder.path().join("analyses").join(name)).ok()
    }

    /// A file of the analyses that is JSON.
    pub(crate) fn document(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&self.analysis(name).expect(name)).expect("an analysis is JSON")
    }
}

pub(crate) fn forecast(options: Options) -> Result<Finished, Failure> {
    let folder = TempDir::new().expect("a temporary folder");
    let parquet = folder.path().join("forecast.parquet");
    let csv_path = folder.path().join("forecast.csv");
    let output = Output {
        parquet_path: parquet.clone(),
        csv_path: csv_path.clone(),
        max_csv_bytes: 100_000_000,
        report_path: folder.path().join("report.json"),
        findings_path: Some(folder.path().join("findings.json")),
        analyses_dir: Some(folder.path().join("analyses")),
    };
    fs::create_dir(folder.path().join("analyses")).expect("a folder for the analyses");
    let summary = run(&Config::resolve(options)?, &output, &Control::new())?;
    let csv = fs::read_to_string(&csv_path).expect("the CSV was written");
    let json = |name: &str| {
        let bytes = fs::read(folder.path().join(name)).expect(name);
        serde_json::from_slice(&bytes).expect("it is JSON")
    };
    let (report, findings) = (json("report.json"), json("findings.json"));
    Ok(Finished { folder, summary, csv, parquet, report, findings })
}

/// One row of the forecast table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Row {
    pub(crate) item: String,
    pub(crate) timestamp: String,
    pub(crate) mean: f64,
    pub(crate) quantiles: Vec<f64>,
}

/// Rows of a forecast CSV; the item id is the only cell that may be quoted.
pub(crate) fn rows(csv: &str) -> Vec<Row> {
    csv.lines().skip(1).map(row).collect()
}

fn row(line: &str) -> Row {
    let (item, rest) = if let Some(quoted) = line.strip_prefix('"') {
        let end = quoted.find("\",").expect("a closing quote");
        (quoted[..end].replace("\"\"", "\""), &quoted[end + 2..])
    } else {
        let (item, rest) = line.split_once(',').expect("more than one column");
        (item.to_owned(), rest)
    };
    let (timestamp, numbers) = rest.split_once(',').expect("more than two columns");
    let mut numbers = numbers.split(',').map(|cell| cell.parse::<f64>().expect("a number"));
    let mean = numbers.next().expect("a mean");
    Row { item, timestamp: timestamp.to_owned(), mean, quantiles: numbers.collect() }
}

/// What holds for every forecast of anything.
pub(crate) fn check_invariants(name: &str, finished: &Finished) {
    let table = rows(&finished.csv);
    assert_eq!(table.len() as u64, finished.summary.rows, "{name}: rows");
    let nine_levels =
        finished.csv.starts_with("item_id,timestamp,mean,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9\n");
    for row in &table {
        assert!(row.mean.is_finite() && row.quantiles.iter().all(|q| q.is_finite()), "{name}: {row:?}");
        assert!(row.quantiles.is_sorted(), "{name}: quantiles do not ascend: {row:?}");
        if nine_levels {
            assert!(
                row.quantiles[0] <= row.mean && row.mean <= row.quantiles[8],
                "{name}: mean outside: {row:?}"
            );
        }
    }
    let copy = finished.parquet.with_extension("csv.copy");
    convert_parquet(&finished.parquet, &copy, TableFormat::Csv, &AtomicBool::new(false))
        .expect("the Parquet file converts");
    let copied = fs::read_to_string(copy).expect("the converted CSV");
    assert_eq!(copied, finished.csv, "{name}: CSV and Parquet differ");
}
