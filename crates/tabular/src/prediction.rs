//! Learning and predicting: members, weights, calibration, intervals and importance.

use std::time::Instant;

use tabcast_table::Warning;

use crate::bagging::{Bag, MemberResult, Task, bag};
use crate::calibration::{self, Calibration, calibrate};
use crate::encode::Encoder;
use crate::importance::Contributions;
use crate::intervals::{Errors, moved, quantiles};
use crate::loss::loss;
use crate::members::{Facts, LINEAR, members};
use crate::options::Extent;
use crate::plan::Plan;
use crate::selection::{blend, select};
use crate::stages;
use crate::surrogate::distil;
use crate::timers::Timers;
use crate::{Config, Control, Failure, Matrix, ProblemType, Target, View, quantile_trees};

/// The results of learning and predicting.
#[derive(Debug, Default)]
pub(crate) struct Predicted {
    /// Probabilities or values of the wanted rows.
    pub(crate) wanted: Vec<f64>,
    /// Three quantiles per wanted row, for a regression.
    pub(crate) quantiles: Option<Vec<f64>>,
    /// Evaluated rows, as indices into the labelled rows.
    pub(crate) evaluated: Vec<u32>,
    /// Their predictions, then those of the baseline and of the linear member.
    pub(crate) predictions: Vec<f64>,
    pub(crate) baseline: Vec<f64>,
    pub(crate) linear: Option<Vec<f64>>,
    /// Labelled rows that folds held back and that are not evaluated, as indices, with the predictions of models that
    /// did not see them; only if predictions are explained.
    pub(crate) held_back: (Vec<u32>, Vec<f64>),
    /// Quantiles of the evaluated rows, for a regression.
    pub(crate) evaluated_quantiles: Option<Vec<f64>>,
    pub(crate) leaderboard: Vec<(&'static str, f64, f64, f64)>,
    pub(crate) calibration: Option<Calibration>,
    /// Shares of the columns of the table.
    pub(crate) importance: Vec<f64>,
    pub(crate) exact_share: f64,
    pub(crate) surrogate_fidelity: Option<f64>,
    pub(crate) max_additivity_error: f64,
    pub(crate) left_out: Vec<&'static str>,
    /// Warnings about parts that could not be learned.
    pub(crate) warnings: Vec<Warning>,
    /// Other steps for which there was no time.
    pub(crate) steps_left_out: Vec<&'static str>,
    /// Members whose predictions or losses are not finite.
    pub(crate) not_finite: Vec<&'static str>,
    pub(crate) folds: usize,
    pub(crate) repeats: usize,
}

impl Predicted {
    /// Checks that every number that is written or measured is finite.
    fn check(self) -> Result<Self, Failure> {
        let parts: [(&str, &[f64]); 5] = [
            ("a prediction", &self.wanted),
            ("a prediction of a row that is evaluated", &self.predictions),
            ("a prediction of the baseline", &self.baseline),
            ("a quantile", self.quantiles.as_deref().unwrap_or_default()),
            (
                "a quantile of a row that is evaluated",
                self.evaluated_quantiles.as_deref().unwrap_or_default(),
            ),
        ];
        for (what, values) in parts {
            if values.iter().any(|value| !value.is_finite()) {
                return Err(Failure::Invalid(format!("{what} is not a finite number")));
            }
        }
        Ok(self)
    }
}

pub(crate) fn predict(
    plan: &Plan,
    config: &Config,
    control: &Control,
    deadline: Option<Instant>,
    timers: &mut Timers,
) -> Result<Predicted, Failure> {
    let (mut folds, folds_a_repeat) = plan.folds(config);
    let classes = matches!(plan.labels.target, Target::Classes { .. }).then(|| plan.labels.target.outputs());
    let mut learners = members(&Facts { rows: folds[0].training.len(), classes });
    match config.extent {
        Extent::Single => {
            folds.truncate(1);
            learners.truncate(1);
        }
        Extent::Bagged => learners.truncate(1),
        Extent::SecondKind => learners.truncate(2),
        _ => {}
    }
    let wanted = plan.wanted();
    let task = Task {
        frame: &plan.frame,
        decisions: &plan.decisions,
        labelled: &plan.labels.labelled,
        target: &plan.labels.target,
        folds: &folds,
        folds_a_repeat: folds_a_repeat.min(folds.len()),
        wanted: &wanted,
        seed: plan.seed,
        deadline,
        control,
    };
    control.enter_units(stages::FIT, learners.len() * folds.len());
    let mut bag = timers.time("fit", || bag(&task, &learners))?;
    control.enter(stages::COMBINE);
    let not_finite = drop_not_finite(&plan.labels.target, &mut bag);
    if bag.members.is_empty() {
        bag = guess(&task, bag.left_out);
    }
    let predicted = timers.time("combine", || combine(plan, config, &task, bag))?;
    Predicted { not_finite, ..predicted }.check()
}

/// Removes members that cannot have a weight, and returns their names.
fn drop_not_finite(target: &Target, bag: &mut Bag) -> Vec<&'static str> {
    let target = target.select(&bag.held_back);
    let is_finite = |member: &MemberResult| {
        let by_fold = member.wanted_by_fold.iter().flatten();
        member.held_back.iter().chain(&member.wanted).chain(by_fold).all(|value| value.is_finite())
            && loss(&target, &member.held_back).is_finite()
    };
    let (kept, dropped): (Vec<_>, Vec<_>) = std::mem::take(&mut bag.members).into_iter().partition(is_finite);
    bag.members = kept;
    dropped.iter().map(|member| member.name).collect()
}

/// The name of the fallback without members.
const BASELINE: &str = "baseline";

/// The fallback if there was no time for any member: the shares of the classes, or the mean.
fn guess(task: &Task<'_>, left_out: Vec<&'static str>) -> Bag {
    let training = task.target.select(&task.folds[0].training);
    let row = base_rate(&training);
    let held_back = task.folds[0].validation.clone();
    let member = MemberResult {
        name: BASELINE,
        seconds: 0.0,
        held_back: row.repeat(held_back.len()),
        wanted: row.repeat(task.wanted.len()),
        wanted_by_fold: vec![row.repeat(task.wanted.len())],
        contributions: None,
    };
    let fold_of = vec![0; held_back.len()];
    Bag { members: vec![member], held_back, fold_of, folds: 1, left_out }
}

fn base_rate(target: &Target) -> Vec<f64> {
    let rows = target.len().max(1) as f64;
    match target {
        Target::Classes { labels, classes } => {
            let mut shares = vec![0.0; *classes];
            for &label in labels {
                shares[label as usize] += 1.0 / rows;
            }
            shares
        }
        Target::Values(values) => vec![values.iter().sum::<f64>() / rows],
    }
}

fn combine(plan: &Plan, config: &Config, task: &Task<'_>, bag: Bag) -> Result<Predicted, Failure> {
    let target = plan.labels.target.select(&bag.held_back);
    let held_back: Vec<&[f64]> = bag.members.iter().map(|member| member.held_back.as_slice()).collect();
    let weights = weigh(&target, &held_back, plan, config)?;
    let mut blended = blend(&weights, &held_back);
    let mut wanted =
        blend(&weights, &bag.members.iter().map(|member| member.wanted.as_slice()).collect::<Vec<_>>());
    let is_calibrated = matches!(target, Target::Classes { .. }) && config.extent >= Extent::Calibrated;
    let calibration = if is_calibrated { calibrate(&target, &blended, plan.seed) } else { None };
    if matches!(target, Target::Classes { .. }) {
        let temperature = calibration.as_ref().map_or(1.0, |calibration| calibration.temperature);
        blended = calibration::apply(temperature, &blended, target.outputs());
        wanted = calibration::apply(temperature, &wanted, target.outputs());
    }
    let mut steps_left_out = Vec::new();
    let mut explained = explain(plan, task, &bag, &weights, &blended, &mut steps_left_out);
    let is_evaluated_apart = !plan.test.is_empty();
    let evaluated = if is_evaluated_apart { plan.test.clone() } else { bag.held_back.clone() };
    let (mut quantiles_wanted, mut evaluated_quantiles) = (None, None);
    if let Target::Values(labels) = &target {
        let (ours, own, warning) =
            intervals(plan, task, &bag, (&weights, &blended), labels, &mut steps_left_out);
        explained.warnings.extend(warning);
        if plan.labels.problem == ProblemType::Quantile {
            wanted = ours.chunks_exact(3).map(|row| row[1]).collect();
            blended = own.chunks_exact(3).map(|row| row[1]).collect();
        }
        evaluated_quantiles = Some(if is_evaluated_apart { ours.clone() } else { own });
        quantiles_wanted = Some(ours);
    }
    let linear = bag.members.iter().find(|member| member.name == LINEAR);
    let (predictions, held_back) = match (is_evaluated_apart, &config.explain) {
        (true, Some(_)) => (wanted.clone(), (bag.held_back.clone(), blended)),
        (true, None) => (wanted.clone(), Default::default()),
        (false, _) => (blended, Default::default()),
    };
    Ok(Predicted {
        predictions,
        held_back,
        linear: linear
            .map(|member| if is_evaluated_apart { member.wanted.clone() } else { member.held_back.clone() }),
        baseline: base_rate(&plan.labels.target.select(&plan.training)).repeat(evaluated.len()),
        wanted,
        quantiles: quantiles_wanted,
        evaluated,
        evaluated_quantiles,
        leaderboard: leaderboard(&target, &bag.members, &weights),
        calibration,
        importance: explained.shares,
        exact_share: explained.exact_share,
        surrogate_fidelity: explained.fidelity,
        max_additivity_error: explained.max_additivity_error,
        left_out: bag.left_out,
        warnings: explained.warnings,
        steps_left_out,
        not_finite: Vec::new(),
        folds: task.folds_a_repeat.min(bag.folds),
        repeats: (bag.folds / task.folds_a_repeat).max(1),
    })
}

/// The weights of the members, which sum to 1.
fn weigh(target: &Target, held_back: &[&[f64]], plan: &Plan, config: &Config) -> Result<Vec<f64>, Failure> {
    if config.extent < Extent::Weighted {
        return Ok(vec![1.0 / held_back.len() as f64; held_back.len()]);
    }
    let weights = select(target, held_back, plan.seed)
        .ok_or_else(|| Failure::Invalid("no member has a finite loss".to_owned()))?;
    let whole: f64 = weights.iter().sum();
    if (whole - 1.0).abs() > 1e-9 {
        return Err(Failure::Invalid(format!("the weights of the members sum to {whole}, not to 1")));
    }
    Ok(weights)
}

/// Name, loss, weight and seconds of each member, the best one first.
fn leaderboard(
    target: &Target,
    members: &[MemberResult],
    weights: &[f64],
) -> Vec<(&'static str, f64, f64, f64)> {
    let mut leaderboard: Vec<_> = members
        .iter()
        .zip(weights)
        .map(|(member, &weight)| (member.name, loss(target, &member.held_back), weight, member.seconds))
        .collect();
    leaderboard.sort_by(|a, b| a.1.total_cmp(&b.1));
    leaderboard
}

struct Explained {
    shares: Vec<f64>,
    exact_share: f64,
    fidelity: Option<f64>,
    max_additivity_error: f64,
    warnings: Vec<Warning>,
}

/// Importance of the columns: exact for each member that is a sum of trees; through surrogate trees for all others
/// together.
fn explain(
    plan: &Plan,
    task: &Task<'_>,
    bag: &Bag,
    weights: &[f64],
    blended: &[f64],
    steps_left_out: &mut Vec<&'static str>,
) -> Explained {
    let columns = plan.frame.names.len();
    let mut out = Explained {
        shares: vec![0.0; columns],
        exact_share: 0.0,
        fidelity: None,
        max_additivity_error: 0.0,
        warnings: Vec::new(),
    };
    let mut faults = Vec::new();
    let mut add = |share: f64, contributions: &Contributions| {
        out.shares.iter_mut().zip(contributions.shares()).for_each(|(sum, more)| *sum += share * more);
        out.max_additivity_error = out.max_additivity_error.max(contributions.max_additivity_error);
    };
    let mut rest = vec![0.0; blended.len()];
    let mut rest_weight = 0.0;
    for (member, &weight) in bag.members.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
        if let Some(Ok(contributions)) = &member.contributions {
            add(weight, contributions);
            out.exact_share += weight;
        } else {
            if let Some(Err(error)) = &member.contributions {
                faults.push(error.to_string());
            }
            rest.iter_mut().zip(&member.held_back).for_each(|(sum, value)| *sum += weight * value);
            rest_weight += weight;
        }
    }
    // A guess depends on no column.
    let is_guess = bag.members.iter().all(|member| member.name == BASELINE);
    if rest_weight > 0.0 && !is_guess && task.is_over() {
        steps_left_out.push("the importance of columns to members that are no trees");
    } else if rest_weight > 0.0 && !is_guess {
        for value in &mut rest {
            *value /= rest_weight;
        }
        let rows: Vec<u32> = bag.held_back.iter().map(|&place| task.labelled[place as usize]).collect();
        let target = task.target.select(&bag.held_back);
        // The matrix from the fit, in which the statistics of a row do not contain the row's own label.
        let (_, matrix) = Encoder::fit(View::Sets, task.frame, task.decisions, &rows, &target, task.seed);
        let is_probability = matches!(target, Target::Classes { .. });
        match distil(&matrix, &rest, is_probability, columns) {
            Ok(Some(surrogate)) => {
                add(rest_weight, &surrogate.contributions);
                out.fidelity = Some(surrogate.fidelity);
            }
            Ok(None) => faults.push("no trees follow the rest of it".to_owned()),
            Err(error) => faults.push(error.to_string()),
        }
    }
    let is_empty = out.shares.iter().all(|&share| share == 0.0);
    if is_empty {
        faults.truncate(1);
    }
    let exact = 100.0 * out.exact_share;
    out.warnings.extend(faults.iter().map(|fault| incomplete_importance(is_empty, exact, fault)));
    out
}

fn incomplete_importance(is_empty: bool, exact_percent: f64, fault: &str) -> Warning {
    let message = if is_empty {
        "There is no importance of columns: no trees were found that follow the model".to_owned()
    } else {
        format!("The importance of columns covers {exact_percent:.0} % of the model exactly: {fault}")
    };
    Warning { code: "importance_incomplete".into(), message, count: 1 }
}

/// Quantiles of the wanted rows, and of the held-back ones. If the time is over, all errors share one spread.
fn intervals(
    plan: &Plan,
    task: &Task<'_>,
    bag: &Bag,
    (weights, blended): (&[f64], &[f64]),
    labels: &[f64],
    steps_left_out: &mut Vec<&'static str>,
) -> (Vec<f64>, Vec<f64>, Option<Warning>) {
    let rows: Vec<u32> = bag.held_back.iter().map(|&place| task.labelled[place as usize]).collect();
    let target = task.target.select(&bag.held_back);
    let (matrix, wanted) = if task.is_over() {
        steps_left_out.push("intervals that are wide where errors are large");
        let without_columns = |rows: usize| Matrix { rows, ..Matrix::default() };
        (without_columns(rows.len()), without_columns(task.wanted.len()))
    } else {
        let (encoder, matrix) =
            Encoder::fit(View::Sets, task.frame, task.decisions, &rows, &target, task.seed);
        (matrix, encoder.transform(task.frame, task.wanted))
    };
    let residuals: Vec<f64> = labels.iter().zip(blended).map(|(label, value)| label - value).collect();
    let errors = Errors { residuals: &residuals, fold_of: &bag.fold_of, rows: &matrix, seed: plan.seed };
    let folds = bag.members[0].wanted_by_fold.len();
    let by_fold: Vec<Vec<f64>> = (0..folds)
        .map(|fold| {
            let of: Vec<&[f64]> =
                bag.members.iter().map(|member| member.wanted_by_fold[fold].as_slice()).collect();
            blend(weights, &of)
        })
        .collect();
    let ours = quantiles(&errors, &wanted, &by_fold);
    // Held-back rows have one prediction: that of the models that did not see them.
    let own = quantiles(
        &Errors { fold_of: &vec![0; residuals.len()], ..errors },
        &matrix,
        std::slice::from_ref(&blended.to_vec()),
    );
    if plan.labels.problem != ProblemType::Quantile {
        return (ours, own, None);
    }
    let Target::Values(all) = task.target else { unreachable!("quantiles are those of values") };
    let folds = task.folds_a_repeat.min(bag.folds);
    let learned = match quantile_trees::learn(task, all, &bag.held_back, folds) {
        Ok(Some(learned)) => learned,
        Ok(None) => {
            steps_left_out.push("trees that learn quantiles");
            return (ours, own, None);
        }
        Err(error) => {
            let message = format!(
                "The quantiles rest on the errors of the predictions alone; trees gave none: {error}"
            );
            return (ours, own, Some(Warning { code: "quantile_trees_failed".into(), message, count: 1 }));
        }
    };
    let mean =
        |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| f64::midpoint(*a, *b)).collect::<Vec<f64>>();
    let held_back = mean(&own, &learned.held_back);
    (
        moved(labels, &held_back, mean(&ours, &learned.wanted)),
        moved(labels, &held_back, held_back.clone()),
        None,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_is_not_finite_is_not_written_wherever_it_stands() {
        let good = || Predicted {
            wanted: vec![1.0, 2.0],
            quantiles: Some(vec![0.5; 6]),
            predictions: vec![1.0, 2.0],
            baseline: vec![1.5, 1.5],
            evaluated_quantiles: Some(vec![0.5; 6]),
            ..Predicted::default()
        };
        assert!(good().check().is_ok());
        let changes: [fn(&mut Predicted, f64); 5] = [
            |bad, value| bad.wanted[1] = value,
            |bad, value| bad.quantiles = Some(vec![0.5, value, 0.5]),
            |bad, value| bad.predictions[0] = value,
            |bad, value| bad.baseline[0] = value,
            |bad, value| bad.evaluated_quantiles = Some(vec![value]),
        ];
        for value in [f64::NAN, f64::INFINITY] {
            for change in changes {
                let mut bad = good();
                change(&mut bad, value);
                assert!(matches!(bad.check(), Err(Failure::Invalid(_))));
            }
        }
    }

    #[test]
    fn a_member_with_an_infinite_loss_is_named_and_taken_out() {
        let member = |name, value: f64| MemberResult {
            name,
            seconds: 0.0,
            held_back: vec![value; 2],
            wanted: vec![0.0],
            wanted_by_fold: Vec::new(),
            contributions: None,
        };
        let mut bag = Bag {
            members: vec![member("good", 1.0), member("nan", f64::NAN), member("far", 1e200)],
            held_back: vec![0, 2],
            fold_of: vec![0, 0],
            folds: 1,
            left_out: Vec::new(),
        };
        let target = Target::Values(vec![1.0, 2.0, 3.0]);
        assert_eq!(drop_not_finite(&target, &mut bag), ["nan", "far"]);
        assert_eq!(bag.members.iter().map(|member| member.name).collect::<Vec<_>>(), ["good"]);
    }
}
