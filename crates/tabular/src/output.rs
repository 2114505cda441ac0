//! Writes the files of a run: the table of predictions, the metrics, the report.

use std::collections::{BTreeMap, HashSet};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabcast_table::{FrameColumn, TableColumn as Column, TextColumn, write_table_csv, write_table_parquet};

use crate::evaluation::report;
use crate::intervals::LEVELS;
use crate::metrics::most_likely;
use crate::plan::Plan;
use crate::prediction::Predicted;
use crate::report::Report;
use crate::timers::Timers;
use crate::{Config, Control, Failure, InferenceMode, Role, Target};

/// Where the files go.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[derive(ts_rs::TS)]
#[ts(rename = "TabularOutput")]
pub struct Output {
    /// The table as Parquet; always written.
    pub parquet_path: PathBuf,
    /// The table as CSV.
    pub csv_path: PathBuf,
    /// The CSV is abandoned, and its file removed, once it would exceed this size in bytes.
    pub max_csv_bytes: u64,
    /// The metrics as JSON; always written.
    pub metrics_path: PathBuf,
    /// The report as JSON; always written.
    pub report_path: PathBuf,
    /// An existing folder for the results of the analyses: `analyses.json` and one CSV each. None, or options without
    /// analyses: no analyses.
    pub analyses_dir: Option<PathBuf>,
}

/// Names of the engine's own columns.
const OWN: [&str; 8] = ["row_index", "split", "actual", "prediction", "confidence", "0.1", "0.5", "0.9"];

/// Writes all files; returns the report with its timings.
pub(crate) fn write(
    plan: &Plan,
    predicted: &Predicted,
    config: &Config,
    output: &Output,
    control: &Control,
    mut timers: Timers,
) -> Result<(Report, bool), Failure> {
    let table = timers.time("write", || table(plan, predicted));
    // The probabilities come last, one column per class.
    let probabilities: Vec<String> =
        table[table.len() - plan.labels.classes.len()..].iter().map(|(name, _)| name.clone()).collect();
    let mut report = report(plan, predicted, config.train_split_ratio, &probabilities, &mut timers);
    let csv_written = timers.time("write", || {
        write_table_parquet(&output.parquet_path, &table, control.cancel_flag())?;
        let csv = write_table_csv(&output.csv_path, &table, output.max_csv_bytes, control.cancel_flag())?;
        Ok::<bool, Failure>(csv.is_some())
    })?;
    report.timings = timers.seconds();
    write_json(&output.metrics_path, &metrics_file(&report))?;
    write_json(&output.report_path, &report)?;
    Ok((report, csv_written))
}

/// `metrics.json`: the machine-readable part of the report.
fn metrics_file(report: &Report) -> impl Serialize + '_ {
    #[derive(Serialize)]
    struct MetricsFile<'a> {
        problem_type: &'static str,
        inference_mode: &'static str,
        evaluated_on: &'static str,
        evaluated_rows: usize,
        metrics: BTreeMap<&'static str, Measure>,
        #[serde(skip_serializing_if = "Option::is_none")]
        coverage_80: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        width_80: Option<f64>,
        feature_importance: BTreeMap<&'a str, f64>,
    }
    #[derive(Serialize)]
    struct Measure {
        value: Option<f64>,
        low: Option<f64>,
        high: Option<f64>,
        baseline: Option<f64>,
        linear: Option<f64>,
    }
    let of = |metric: &crate::report::MetricReport| {
        let measure = Measure {
            value: metric.value,
            low: metric.low,
            high: metric.high,
            baseline: metric.baseline,
            linear: metric.linear,
        };
        (metric.name, measure)
    };
    MetricsFile {
        problem_type: report.problem_type,
        inference_mode: report.inference_mode,
        evaluated_on: report.evaluated_on,
        evaluated_rows: report.evaluated_rows,
        metrics: report.metrics.iter().map(of).collect(),
        coverage_80: report.residuals.as_ref().map(|residuals| residuals.coverage_80),
        width_80: report.residuals.as_ref().map(|residuals| residuals.width_80),
        feature_importance: report
            .importance
            .iter()
            .map(|share| (share.feature.as_str(), share.share))
            .collect(),
    }
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), Failure> {
    let failed = |source| Failure::Io { during: "writing the report", source };
    let mut file = BufWriter::new(File::create(path).map_err(failed)?);
    serde_json::to_writer(&mut file, value).map_err(|error| failed(error.into()))?;
    file.flush().map_err(failed)
}

/// The table of predictions in the order of the input: row, identifiers, split, actual value, prediction, then the
/// details of the prediction.
fn table(plan: &Plan, predicted: &Predicted) -> Vec<(String, Column)> {
    let rows = plan.wanted();
    let mut table =
        vec![("row_index".to_owned(), Column::Integers(rows.iter().map(|&row| u64::from(row)).collect()))];
    for (decision, column) in plan.decisions.iter().zip(&plan.frame.columns) {
        if decision.role == Role::Identifier {
            table.push((decision.name.clone(), select(column, &rows)));
        }
    }
    let split = if plan.mode == InferenceMode::TrainEvaluate { "test" } else { "unlabeled" };
    table.push(("split".to_owned(), constant(split, rows.len())));
    match &plan.labels.target {
        Target::Classes { labels, classes } => {
            let actual = |_: usize| plan.test.iter().map(|&place| labels[place as usize]).collect();
            table.push(("actual".to_owned(), class_column(plan, &actual, rows.len())));
            let chosen: Vec<u32> = predicted.wanted.chunks_exact(*classes).map(most_likely).collect();
            let confidence =
                predicted.wanted.chunks_exact(*classes).zip(&chosen).map(|(row, &class)| row[class as usize]);
            let confidence = Column::Numbers(confidence.collect());
            table.push(("prediction".to_owned(), class_column(plan, &|_| chosen.clone(), rows.len())));
            table.push(("confidence".to_owned(), confidence));
            for (class, label) in plan.labels.classes.iter().enumerate() {
                let of = predicted.wanted.iter().skip(class).step_by(*classes).copied().collect();
                table.push((format!("probability_{}", clean(label)), Column::Numbers(of)));
            }
        }
        Target::Values(values) => {
            let actual = match plan.mode {
                InferenceMode::TrainEvaluate => {
                    plan.test.iter().map(|&place| values[place as usize]).collect()
                }
                InferenceMode::TrainPredict => vec![f64::NAN; rows.len()],
            };
            table.push(("actual".to_owned(), Column::Numbers(actual)));
            table.push(("prediction".to_owned(), Column::Numbers(predicted.wanted.clone())));
            if let Some(quantiles) = &predicted.quantiles {
                for (at, level) in LEVELS.iter().enumerate() {
                    let of = quantiles.iter().skip(at).step_by(LEVELS.len()).copied().collect();
                    table.push((level.to_string(), Column::Numbers(of)));
                }
            }
        }
    }
    unique(table)
}

fn constant(text: &str, rows: usize) -> Column {
    Column::Texts(TextColumn { codes: vec![0; rows], texts: vec![text.into()] })
}

/// Labels of classes; as numbers if all of them are numbers.
fn class_column(plan: &Plan, of: &dyn Fn(usize) -> Vec<u32>, rows: usize) -> Column {
    let mut codes = of(rows);
    codes.resize(rows, TextColumn::MISSING);
    if let FrameColumn::Numbers(_) = plan.frame.columns[plan.labels.column] {
        let values: Vec<f64> =
            plan.labels.classes.iter().map(|label| label.parse().unwrap_or(f64::NAN)).collect();
        return Column::Numbers(
            codes.iter().map(|&code| values.get(code as usize).copied().unwrap_or(f64::NAN)).collect(),
        );
    }
    Column::Texts(TextColumn {
        codes,
        texts: plan.labels.classes.iter().map(|label| label.as_str().into()).collect(),
    })
}

/// The cells of an identifier. Non-negative whole numbers stay integers if none is missing; all other numbers are
/// doubles.
fn select(column: &FrameColumn, rows: &[u32]) -> Column {
    /// The first whole number that a double cannot distinguish from its neighbour.
    const END: f64 = 9_007_199_254_740_992.0;
    match column {
        FrameColumn::Numbers(values) => {
            let is_whole = |value: &f64| (0.0..END).contains(value) && value.fract() == 0.0;
            let chosen = rows.iter().map(|&row| values[row as usize]);
            // Decided over the whole column, so that the type does not depend on which rows are predicted.
            if values.iter().all(is_whole) {
                Column::Integers(chosen.map(|value| value as u64).collect())
            } else {
                Column::Numbers(chosen.collect())
            }
        }
        FrameColumn::Texts(texts) => Column::Texts(TextColumn {
            codes: rows.iter().map(|&row| texts.codes[row as usize]).collect(),
            texts: texts.texts.clone(),
        }),
    }
}

/// Makes column names single-line and free of delimiters.
fn clean(label: &str) -> String {
    label
        .chars()
        .map(|letter| if letter.is_control() || matches!(letter, ',' | '"' | ';') { '_' } else { letter })
        .collect()
}

/// Makes column names unique: the engine's own columns keep theirs, a column of the input or a further class gets a
/// number.
fn unique(table: Vec<(String, Column)>) -> Vec<(String, Column)> {
    let mut taken: HashSet<String> = OWN.iter().map(|&name| name.to_owned()).collect();
    let inputs = 1..table.iter().rposition(|(name, _)| name == OWN[1]).unwrap_or(1);
    table
        .into_iter()
        .enumerate()
        .map(|(at, (name, column))| {
            if !inputs.contains(&at) && OWN.contains(&name.as_str()) {
                return (name, column);
            }
            let mut free = name.clone();
            let mut number = 2;
            while !taken.insert(free.clone()) {
                free = format!("{name}_{number}");
                number += 1;
            }
            (free, column)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_from_zero_on_stay_whole() {
        let of = |values: &[f64]| select(&FrameColumn::Numbers(values.to_vec()), &[1, 2]);
        assert!(matches!(of(&[7.0, 1_000_001.0, 0.0]), Column::Integers(ids) if ids == [1_000_001, 0]));
        for other in [0.5, -1.0, f64::NAN, 9_007_199_254_740_992.0] {
            // The type depends on the column, not on the rows.
            assert!(matches!(of(&[other, 2.0, 3.0]), Column::Numbers(ids) if ids == [2.0, 3.0]));
        }
    }
}
