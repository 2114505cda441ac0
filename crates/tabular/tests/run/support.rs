//! Small tables, written, run and read again.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use tabcast_tabular::{Config, Control, Extent, Failure, Options, Output, Report, Summary, check, run};
use tempfile::TempDir;

/// What a run left.
pub(crate) struct Finished {
    pub(crate) summary: Summary,
    /// Cells of the CSV, the header first.
    pub(crate) rows: Vec<Vec<String>>,
    /// What the analyses wrote, by name.
    pub(crate) analyses: BTreeMap<String, String>,
}

impl Finished {
    pub(crate) fn report(&self) -> &Report {
        &self.summary.report
    }

    /// The cells of a column below its header.
    pub(crate) fn column(&self, name: &str) -> Vec<&str> {
        let at = self.rows[0].iter().position(|header| header == name);
        let at = at.unwrap_or_else(|| panic!("no column {name} in {:?}", self.rows[0]));
        self.rows[1..].iter().map(|row| row[at].as_str()).collect()
    }

    /// `analyses.json`.
    pub(crate) fn document(&self) -> Value {
        serde_json::from_str(&self.analyses["analyses.json"]).expect("a document")
    }

    /// The message and count of a warning, where it was given.
    pub(crate) fn warning(&self, code: &str) -> Option<(&str, u64)> {
        let found = self.report().warnings.iter().find(|warning| warning.code == code)?;
        Some((found.message.as_str(), found.count))
    }

    pub(crate) fn numbers(&self, name: &str) -> Vec<f64> {
        self.column(name).into_iter().map(|cell| cell.parse().expect("a number")).collect()
    }
}

/// Everything about a job on this CSV, quick where only the frame around the learning matters.
pub(crate) fn options(task: &str, label: &str) -> Options {
    Options { threads: 2, extent: Extent::Single, ..Options::new("table.csv", task, label) }
}

pub(crate) fn finish(csv: &str, options: Options) -> Result<Finished, Failure> {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("table.csv");
    fs::write(&path, csv).expect("a file");
    let output = Output {
        parquet_path: folder.path().join("predictions.parquet"),
        csv_path: folder.path().join("predictions.csv"),
        max_csv_bytes: 1 << 24,
        metrics_path: folder.path().join("metrics.json"),
        report_path: folder.path().join("report.json"),
        analyses_dir: Some(folder.path().join("explainability")),
    };
    fs::create_dir(folder.path().join("explainability")).expect("a folder");
    let config = Config::resolve(Options { input_paths: vec![path], ..options })?;
    let summary = run(&config, &output, &Control::new())?;
    for written in [&output.parquet_path, &output.metrics_path, &output.report_path] {
        assert!(fs::metadata(written).is_ok_and(|file| file.len() > 0), "{}", written.display());
    }
    let text = fs::read_to_string(&output.csv_path).expect("the predictions");
    let rows = text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect();
    let entries = fs::read_dir(folder.path().join("explainability")).expect("a folder");
    let analyses = entries
        .map(|entry| {
            let entry = entry.expect("an entry");
            let text = fs::read_to_string(entry.path()).expect("a file");
            (entry.file_name().to_string_lossy().into_owned(), text)
        })
        .collect();
    Ok(Finished { summary, rows, analyses })
}

/// The code, status and suggestion of the content error that both `check` and `run` end with.
pub(crate) fn refusal(csv: &str, options: Options) -> (&'static str, u16, String) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("table.csv");
    fs::write(&path, csv).expect("a file");
    let config = Config::resolve(Options { input_paths: vec![path], ..options.clone() }).expect("options");
    let seen = |failure: Failure| match failure {
        Failure::Content(error) => (error.code, error.kind.status(), error.suggestion.unwrap_or_default()),
        other => panic!("{other}"),
    };
    let checked = check(&config, &Control::new()).map_err(seen).expect_err("a refusal by the check");
    let ran = finish(csv, options).map_err(seen).err().expect("a refusal by the run");
    assert_eq!(checked, ran);
    checked
}

/// What a content error says.
pub(crate) fn complaint(csv: &str, options: Options) -> String {
    match finish(csv, options) {
        Err(Failure::Content(error)) => error.message,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no failure"),
    }
}

/// A CSV of these columns, each a function of the row.
pub(crate) fn table(rows: usize, columns: &[(&str, &dyn Fn(usize) -> String)]) -> String {
    let mut csv = columns.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(",");
    csv.push('\n');
    for row in 0..rows {
        let cells: Vec<String> = columns.iter().map(|(_, cell)| cell(row)).collect();
        writeln!(csv, "{}", cells.join(",")).expect("text");
    }
    csv
}

/// Numbers that look drawn at random, 0 to 999.
pub(crate) fn dice(row: usize, stream: usize) -> usize {
    let mut mixed =
        (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ (stream as u64 * 0xd134_2543_de82_ef95);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((mixed ^ (mixed >> 31)) % 1_000) as usize
}
