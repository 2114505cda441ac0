//! Builds the report of a run: metrics of the predictions, and their explanation.

use tabcast_table::{FrameColumn, Warning, shorten};

use crate::loss::SMALLEST;
use crate::metrics::{calibration_curve, confusion, intervals, metrics};
use crate::plan::Plan;
use crate::prediction::Predicted;
use crate::report::{
    CalibrationReport, CellReport, ClassReport, ColumnReport, ConfusionReport, Counts, CurvePoint,
    ExplanationReport, FeatureShare, MemberReport, MetricReport, Report, ResidualPoint, ResidualReport,
    SplitReport, WorstRow,
};
use crate::timers::Timers;
use crate::{InferenceMode, ProblemType, Target};

const MODEL_NAME: &str = "tabular-balanced";
/// Number of features listed; the rest is one entry.
const FEATURES: usize = 50;
const REST: &str = "__other__";
/// Number of classes in the confusion matrix.
const CLASSES: usize = 20;
/// Number of points in the residual plot.
const POINTS: usize = 500;
const WORST_ROWS: usize = 10;
const CELLS: usize = 5;

/// Builds the report; the caller adds the timers at the end. `probability_columns` are the columns of the table with
/// the probabilities of the classes, in their order.
pub(crate) fn report(
    plan: &Plan,
    predicted: &Predicted,
    train_ratio: f64,
    probability_columns: &[String],
    timers: &mut Timers,
) -> Report {
    timers.time("evaluate", || {
        let target = plan.labels.target.select(&predicted.evaluated);
        let is_test = plan.mode == InferenceMode::TrainEvaluate;
        Report {
            v: 1,
            problem_type: plan.labels.problem.name(),
            inference_mode: plan.mode.name(),
            model_name: MODEL_NAME,
            label: plan.frame.names[plan.labels.column].clone(),
            counts: Counts {
                num_samples: plan.frame.rows,
                labeled: plan.labels.labelled.len(),
                unlabeled: plan.labels.unlabelled.len(),
                predicted: if is_test { plan.test.len() } else { plan.labels.unlabelled.len() },
                training: plan.training.len(),
                test: plan.test.len(),
            },
            split: SplitReport {
                kind: plan.split_kind().name(),
                train_ratio: if is_test { train_ratio } else { 1.0 },
                folds: predicted.folds,
                repeats: predicted.repeats,
                seed: plan.seed.to_string(),
            },
            classes: classes(plan, probability_columns),
            columns: columns(plan),
            leaderboard: predicted
                .leaderboard
                .iter()
                .map(|&(member, loss, weight, seconds)| MemberReport { member, loss, weight, seconds })
                .collect(),
            loss_name: if matches!(target, Target::Classes { .. }) { "log_loss" } else { "rmse" },
            evaluated_on: if is_test { "test" } else { "cross_validation" },
            evaluated_rows: predicted.evaluated.len(),
            metrics: measures(plan, predicted, &target),
            calibration: calibration(predicted, &target),
            confusion: confusion_of(plan, predicted, &target),
            residuals: residuals(predicted, &target),
            importance: importance(plan, predicted),
            explanation: ExplanationReport {
                exact_share: predicted.exact_share,
                surrogate_fidelity: predicted.surrogate_fidelity,
                max_additivity_error: predicted.max_additivity_error,
            },
            worst_rows: worst_rows(plan, predicted, &target),
            warnings: warnings(plan, predicted),
            timings: std::collections::BTreeMap::new(),
            dataset_hash: plan.hash.clone(),
            engine_version: env!("CARGO_PKG_VERSION"),
        }
    })
}

fn warnings(plan: &Plan, predicted: &Predicted) -> Vec<Warning> {
    let listed = |code: &'static str, what: &str, names: &[&str]| {
        (!names.is_empty()).then(|| Warning {
            code: code.into(),
            message: format!("{what} {}", names.join(", ")),
            count: names.len() as u64,
        })
    };
    let mut warnings = plan.warnings.clone();
    warnings.extend(listed("members_left_out", "There was no time for", &predicted.left_out));
    warnings.extend(predicted.warnings.iter().cloned());
    warnings.extend(listed("steps_left_out", "There was no time for", &predicted.steps_left_out));
    warnings.extend(listed("members_not_finite", "No finite predictions came from", &predicted.not_finite));
    warnings
}

fn classes(plan: &Plan, probability_columns: &[String]) -> Option<Vec<ClassReport>> {
    let Target::Classes { labels, classes } = &plan.labels.target else { return None };
    let mut rows = vec![0; *classes];
    for &label in labels {
        rows[label as usize] += 1;
    }
    let named = plan.labels.classes.iter().cloned().zip(probability_columns.iter().cloned());
    Some(named.zip(rows).map(|((label, column), rows)| ClassReport { label, rows, column }).collect())
}

fn columns(plan: &Plan) -> Vec<ColumnReport> {
    plan.decisions
        .iter()
        .map(|decision| ColumnReport {
            name: decision.name.clone(),
            role: decision.role.name(),
            distinct: decision.distinct,
            missing: decision.missing,
            notes: decision.notes.clone(),
        })
        .collect()
}

fn measures(plan: &Plan, predicted: &Predicted, target: &Target) -> Vec<MetricReport> {
    if target.is_empty() {
        return Vec::new();
    }
    let ones = vec![1.0; target.len()];
    let ours = metrics(target, &predicted.predictions);
    let bounds = intervals(ours.as_ref(), target.outputs(), plan.seed);
    let other = |predictions: Option<&Vec<f64>>| {
        predictions.map(|predictions| metrics(target, predictions).measure(&ones)).unwrap_or_default()
    };
    let (baseline, linear) = (other(Some(&predicted.baseline)), other(predicted.linear.as_ref()));
    let mut measures: Vec<MetricReport> = ours
        .measure(&ones)
        .into_iter()
        .enumerate()
        .map(|(at, (name, value))| {
            // Samples with repeated rows look worse calibrated than the rows are, so this metric has no bootstrap
            // interval.
            let has_interval = value.is_some() && name != "calibration_error";
            let interval = match value {
                // If all rows are right, or all wrong, bootstrap samples do not show the uncertainty.
                Some(share) if name == "accuracy" => Some(wilson(share, target.len())),
                _ => bounds.get(at).copied().flatten().filter(|_| has_interval),
            };
            MetricReport {
                name,
                value,
                low: interval.map(|(low, _)| low),
                high: interval.map(|(_, high)| high),
                baseline: baseline.get(at).and_then(|named| named.1),
                linear: linear.get(at).and_then(|named| named.1),
            }
        })
        .collect();
    if let (ProblemType::Quantile, Target::Values(values), Some(quantiles)) =
        (plan.labels.problem, target, &predicted.evaluated_quantiles)
    {
        measures.push(MetricReport {
            name: "pinball",
            value: Some(crate::intervals::pinball(values, quantiles)),
            low: None,
            high: None,
            baseline: None,
            linear: None,
        });
    }
    measures
}

/// The 95 % interval of a share of `rows` (Wilson, *Probable inference, the law of succession, and statistical
/// inference*, 1927).
fn wilson(share: f64, rows: usize) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let rows = rows as f64;
    let square = Z * Z / rows;
    let middle = share + square / 2.0;
    let half = Z * (share * (1.0 - share) / rows + square / (4.0 * rows)).sqrt();
    // Rounding must not exclude the share at either end.
    let low = ((middle - half) / (1.0 + square)).clamp(0.0, share);
    let high = ((middle + half) / (1.0 + square)).clamp(share, 1.0);
    (low, high)
}

fn calibration(predicted: &Predicted, target: &Target) -> Option<CalibrationReport> {
    let Target::Classes { labels, classes } = target else { return None };
    let tried = predicted.calibration.as_ref();
    let curve = calibration_curve(labels, *classes, &predicted.predictions)
        .into_iter()
        .map(|(predicted, observed, rows)| CurvePoint { predicted, observed, rows })
        .collect();
    Some(CalibrationReport {
        method: tried.filter(|tried| tried.temperature != 1.0).map(|_| "temperature"),
        before: tried.map(|tried| tried.before),
        after: tried.map(|tried| tried.after),
        curve,
    })
}

fn confusion_of(plan: &Plan, predicted: &Predicted, target: &Target) -> Option<ConfusionReport> {
    let Target::Classes { labels, classes } = target else { return None };
    let mut names: Vec<String> = plan.labels.classes.iter().take(CLASSES).cloned().collect();
    if *classes > CLASSES {
        names.push(REST.to_owned());
    }
    Some(ConfusionReport {
        labels: names,
        counts: confusion(labels, *classes, &predicted.predictions, CLASSES),
    })
}

fn residuals(predicted: &Predicted, target: &Target) -> Option<ResidualReport> {
    let (Target::Values(values), Some(quantiles)) = (target, &predicted.evaluated_quantiles) else {
        return None;
    };
    let rows = values.len().max(1) as f64;
    let bands = || values.iter().zip(quantiles.chunks_exact(3));
    let step = values.len().div_ceil(POINTS).max(1);
    Some(ResidualReport {
        points: (0..values.len())
            .step_by(step)
            .map(|row| ResidualPoint { predicted: predicted.predictions[row], actual: values[row] })
            .collect(),
        coverage_80: bands().filter(|(value, band)| (band[0]..=band[2]).contains(value)).count() as f64
            / rows,
        width_80: bands().map(|(_, band)| band[2] - band[0]).sum::<f64>() / rows,
    })
}

/// Columns by share, descending.
fn ranked(plan: &Plan, predicted: &Predicted) -> Vec<(usize, f64)> {
    let is_feature = |&(column, _): &(usize, f64)| plan.decisions[column].role.is_feature();
    let mut ranked: Vec<(usize, f64)> =
        predicted.importance.iter().copied().enumerate().filter(is_feature).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

fn importance(plan: &Plan, predicted: &Predicted) -> Vec<FeatureShare> {
    let ranked = ranked(plan, predicted);
    let whole: f64 = ranked.iter().map(|(_, share)| share).sum();
    if whole <= 0.0 {
        return Vec::new();
    }
    let mut shares: Vec<FeatureShare> = ranked
        .iter()
        .take(FEATURES)
        .map(|&(column, share)| FeatureShare {
            feature: plan.frame.names[column].clone(),
            share: share / whole,
        })
        .collect();
    if ranked.len() > FEATURES {
        let rest = ranked[FEATURES..].iter().map(|(_, share)| share / whole).sum();
        shares.push(FeatureShare { feature: REST.to_owned(), share: rest });
    }
    shares
}

fn worst_rows(plan: &Plan, predicted: &Predicted, target: &Target) -> Vec<WorstRow> {
    let outputs = target.outputs();
    let loss = |row: usize| match target {
        Target::Classes { labels, .. } => {
            -predicted.predictions[row * outputs + labels[row] as usize].max(SMALLEST).ln()
        }
        Target::Values(values) => (values[row] - predicted.predictions[row]).abs(),
    };
    let mut losses: Vec<(usize, f64)> = (0..target.len()).map(|row| (row, loss(row))).collect();
    losses.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let shown: Vec<usize> =
        ranked(plan, predicted).into_iter().take(CELLS).map(|(column, _)| column).collect();
    losses
        .into_iter()
        .take(WORST_ROWS)
        .map(|(row, loss)| {
            let place = predicted.evaluated[row] as usize;
            let of = plan.labels.labelled[place] as usize;
            WorstRow {
                row_index: of as u64,
                actual: plan.labels.text(place),
                prediction: match target {
                    Target::Classes { classes, .. } => {
                        let p = &predicted.predictions[row * classes..][..*classes];
                        plan.labels.classes[crate::metrics::most_likely(p) as usize].clone()
                    }
                    Target::Values(_) => predicted.predictions[row].to_string(),
                },
                loss,
                cells: shown
                    .iter()
                    .map(|&column| CellReport {
                        column: plan.frame.names[column].clone(),
                        value: cell(&plan.frame.columns[column], of),
                    })
                    .collect(),
            }
        })
        .collect()
}

/// A cell as messages show it.
fn cell(column: &FrameColumn, row: usize) -> String {
    match column {
        FrameColumn::Numbers(values) if values[row].is_nan() => String::new(),
        FrameColumn::Numbers(values) => values[row].to_string(),
        FrameColumn::Texts(texts) => {
            texts.get(row).map(|text| shorten(text).into_owned()).unwrap_or_default()
        }
    }
}
