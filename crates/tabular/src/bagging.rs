//! Bags the members over folds: each predicts the rows that a fold holds back, and the wanted rows.

use std::time::Instant;

use rayon::prelude::*;
use tabcast_statistics::random;
use tabcast_table::Frame;
use tabcast_trees::TreesError;

use crate::encode::Encoder;
use crate::importance::{Contributions, contributions};
use crate::split::Fold;
use crate::{ColumnDecision, Control, Failure, Fitted, Learner, Lesson, Matrix, Target, View};

/// Cheap members first, so that there is an answer early on any budget.
const VIEWS: [View; 3] = [View::Dense, View::Sets, View::Statistics];
/// With more rows per fold, members learn one after the other: each uses all threads, and memory only suffices for one.
const MANY_ROWS: usize = 50_000;
/// Number of rows predicted between two looks at the clock.
const STRETCH: usize = 4_096;
/// Share of the remaining time that the remaining folds may be expected to take.
const CAUTION: f64 = 0.8;

/// Everything that members learn from.
pub(crate) struct Task<'a> {
    pub(crate) frame: &'a Frame,
    pub(crate) decisions: &'a [ColumnDecision],
    /// Rows of the frame with a label.
    pub(crate) labelled: &'a [u32],
    /// Their labels.
    pub(crate) target: &'a Target,
    /// Folds, as indices into the labelled rows.
    pub(crate) folds: &'a [Fold],
    /// Number of folds that together hold every row back once.
    pub(crate) folds_a_repeat: usize,
    /// Rows of the frame to predict.
    pub(crate) wanted: &'a [u32],
    pub(crate) seed: u64,
    pub(crate) deadline: Option<Instant>,
    pub(crate) control: &'a Control,
}

/// The results of a member over all folds.
#[derive(Debug)]
pub(crate) struct MemberResult {
    pub(crate) name: &'static str,
    pub(crate) seconds: f64,
    /// Mean predictions of the held-back rows, in the order of [`Bag::held_back`].
    pub(crate) held_back: Vec<f64>,
    /// Mean predictions of the wanted rows.
    pub(crate) wanted: Vec<f64>,
    /// For values: the predictions of each fold of the first repeat.
    pub(crate) wanted_by_fold: Vec<Vec<f64>>,
    /// None: the member is no sum of trees.
    pub(crate) contributions: Option<Result<Contributions, TreesError>>,
}

/// All members that have held back the same rows.
#[derive(Debug)]
pub(crate) struct Bag {
    pub(crate) members: Vec<MemberResult>,
    /// Indices into the labelled rows, ascending.
    pub(crate) held_back: Vec<u32>,
    /// The fold of the first repeat for each of them.
    pub(crate) fold_of: Vec<u32>,
    /// Number of folds that were learned.
    pub(crate) folds: usize,
    /// Members for which there was no time; members that do not apply to the task are not listed.
    pub(crate) left_out: Vec<&'static str>,
}

/// The result of one member on one fold.
struct Outcome {
    seconds: f64,
    validation: Vec<f64>,
    wanted: Vec<f64>,
    contributions: Option<Result<Contributions, TreesError>>,
}

/// The answer of a member that was asked to learn one fold.
enum Answer {
    Learned(Outcome),
    /// Unfinished when the time was over.
    NoTime,
    /// The member does not suit this task: too many rows or classes, or values that it cannot use.
    DoesNotApply,
}

/// Fits every member on every fold, as far as there is time: at least one member on one fold, or none at all.
pub(crate) fn bag(task: &Task<'_>, members: &[Box<dyn Learner>]) -> Result<Bag, Failure> {
    let mut outcomes: Vec<Vec<Option<Outcome>>> = members.iter().map(|_| Vec::new()).collect();
    let mut active = vec![true; members.len()];
    let mut applies = vec![true; members.len()];
    for (at, fold) in task.folds.iter().enumerate() {
        let began = Instant::now();
        let mut results: Vec<Answer> = members.iter().map(|_| Answer::NoTime).collect();
        let is_large = fold.training.len() > MANY_ROWS;
        for views in VIEWS.chunks(if is_large { 1 } else { VIEWS.len() }) {
            let mut wanted: Vec<_> = results
                .iter_mut()
                .zip(members)
                .enumerate()
                .filter(|(member, (_, learner))| active[*member] && views.contains(&learner.view()))
                .map(|(_, (result, learner))| (result, learner.as_ref()))
                .collect();
            if !wanted.is_empty() && !task.is_over() {
                let encoded = Encoded::all(task, fold, views, random::bits(task.seed, at as u64));
                let run = |(result, learner): &mut (&mut Answer, &dyn Learner)| {
                    if let Some(encoded) = encoded.iter().find(|encoded| encoded.view == learner.view()) {
                        **result = encoded.fit(task, *learner);
                    }
                    task.control.units_done(1);
                };
                if is_large {
                    wanted.iter_mut().for_each(run);
                } else {
                    wanted.par_iter_mut().for_each(run);
                }
            }
            if task.control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
        }
        for (member, result) in results.into_iter().enumerate() {
            applies[member] &= !matches!(result, Answer::DoesNotApply);
            let outcome = if let Answer::Learned(outcome) = result { Some(outcome) } else { None };
            active[member] &= outcome.is_some();
            outcomes[member].push(outcome);
        }
        if at == 0 {
            task.plan(&mut active, &outcomes, began);
        }
        if task.is_over() || !active.contains(&true) {
            break;
        }
    }
    Ok(task.gather(members, &applies, outcomes))
}

impl Task<'_> {
    /// Whether the run was cancelled or the learning time is over.
    pub(crate) fn is_over(&self) -> bool {
        self.control.is_cancelled() || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Leaves out the last members if the remaining folds would take longer than the remaining time, judging by the
    /// first fold.
    fn plan(&self, active: &mut [bool], outcomes: &[Vec<Option<Outcome>>], began: Instant) {
        let Some(deadline) = self.deadline else { return };
        let took = began.elapsed().as_secs_f64();
        let left = deadline.saturating_duration_since(Instant::now()).as_secs_f64() * CAUTION;
        let seconds =
            |member: usize| outcomes[member][0].as_ref().map_or(0.0, |outcome: &Outcome| outcome.seconds);
        let whole: f64 = (0..active.len()).map(seconds).sum();
        let mut share = 0.0;
        for (member, is_active) in active.iter_mut().enumerate() {
            share += seconds(member) / whole.max(f64::MIN_POSITIVE);
            *is_active &= took * share * (self.folds.len() - 1) as f64 <= left;
        }
    }

    /// Collects the folds of the member with the most folds, and all members that have these.
    fn gather(
        &self,
        members: &[Box<dyn Learner>],
        applies: &[bool],
        outcomes: Vec<Vec<Option<Outcome>>>,
    ) -> Bag {
        let done = |of: &[Option<Outcome>]| of.iter().take_while(|outcome| outcome.is_some()).count();
        let folds = outcomes.iter().map(|of| done(of)).max().unwrap_or_default();
        // Rows of an unfinished repeat would count differently from the others.
        let folds = if folds > self.folds_a_repeat { folds - folds % self.folds_a_repeat } else { folds };
        let first = folds.min(self.folds_a_repeat);
        let mut fold_at = vec![u32::MAX; self.labelled.len()];
        for (at, fold) in self.folds[..first].iter().enumerate() {
            for &row in &fold.validation {
                fold_at[row as usize] = at as u32;
            }
        }
        let held_back: Vec<u32> =
            (0..self.labelled.len() as u32).filter(|&row| fold_at[row as usize] != u32::MAX).collect();
        let (mut kept, mut left_out) = (Vec::new(), Vec::new());
        for ((learner, &applies), of) in members.iter().zip(applies).zip(outcomes) {
            if folds == 0 || done(&of) < folds {
                left_out.extend(applies.then(|| learner.name()));
            } else {
                kept.push(self.member(
                    learner.name(),
                    of.into_iter().flatten().take(folds).collect(),
                    &held_back,
                ));
            }
        }
        let fold_of = held_back.iter().map(|&row| fold_at[row as usize]).collect();
        Bag { members: kept, held_back, fold_of, folds, left_out }
    }

    fn member(&self, name: &'static str, outcomes: Vec<Outcome>, held_back: &[u32]) -> MemberResult {
        let outputs = self.target.outputs();
        let mut sums = vec![0.0; self.labelled.len() * outputs];
        let mut counts = vec![0.0; self.labelled.len()];
        let mut wanted = vec![0.0; self.wanted.len() * outputs];
        let mut wanted_by_fold = Vec::new();
        let mut contributions: Option<Result<Contributions, TreesError>> = None;
        let (folds, mut seconds) = (outcomes.len(), 0.0);
        for (at, (outcome, fold)) in outcomes.into_iter().zip(self.folds).enumerate() {
            seconds += outcome.seconds;
            for (&row, values) in fold.validation.iter().zip(outcome.validation.chunks_exact(outputs)) {
                let sum = &mut sums[row as usize * outputs..][..outputs];
                sum.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
                counts[row as usize] += 1.0;
            }
            wanted.iter_mut().zip(&outcome.wanted).for_each(|(sum, value)| *sum += value / folds as f64);
            if at < self.folds_a_repeat && matches!(self.target, Target::Values(_)) {
                wanted_by_fold.push(outcome.wanted);
            }
            contributions = match (contributions, outcome.contributions) {
                (Some(Ok(all)), Some(Ok(more))) => Some(Ok(all.and(more))),
                (Some(Err(error)), _) | (_, Some(Err(error))) => Some(Err(error)),
                (all, more) => all.or(more),
            };
        }
        let mean = |&row: &u32| {
            let (row, counts) = (row as usize, &counts);
            sums[row * outputs..][..outputs].iter().map(move |sum| sum / counts[row])
        };
        let held_back = held_back.iter().flat_map(mean).collect();
        MemberResult { name, seconds, held_back, wanted, wanted_by_fold, contributions }
    }
}

/// One fold, encoded for one view.
struct Encoded {
    view: View,
    training: Matrix,
    target: Target,
    validation: Matrix,
    validation_target: Target,
    wanted: Matrix,
    seed: u64,
}

impl Encoded {
    fn all(task: &Task<'_>, fold: &Fold, views: &[View], seed: u64) -> Vec<Self> {
        let rows = |places: &[u32]| -> Vec<u32> {
            places.iter().map(|&place| task.labelled[place as usize]).collect()
        };
        let (target, validation) = (task.target.select(&fold.training), rows(&fold.validation));
        Encoder::fit_views(views, task.frame, task.decisions, &rows(&fold.training), &target, seed)
            .into_par_iter()
            .map(|(encoder, training)| Self {
                view: encoder.view(),
                validation: encoder.transform(task.frame, &validation),
                wanted: encoder.transform(task.frame, task.wanted),
                validation_target: task.target.select(&fold.validation),
                training,
                target: target.clone(),
                seed,
            })
            .collect()
    }

    fn fit(&self, task: &Task<'_>, learner: &dyn Learner) -> Answer {
        let began = Instant::now();
        let lesson = Lesson {
            training: &self.training,
            target: &self.target,
            validation: &self.validation,
            validation_target: &self.validation_target,
            seed: self.seed,
        };
        let Some(fitted) = learner.fit(&lesson, &|| task.is_over()) else {
            return if task.is_over() { Answer::NoTime } else { Answer::DoesNotApply };
        };
        let seconds = began.elapsed().as_secs_f64();
        let (Some(validation), Some(wanted)) =
            (predict(task, &*fitted, &self.validation), predict(task, &*fitted, &self.wanted))
        else {
            return Answer::NoTime;
        };
        let trees = fitted.trees().filter(|_| !task.is_over());
        Answer::Learned(Outcome {
            seconds,
            validation,
            wanted,
            contributions: trees
                .and_then(|trees| contributions(trees, &self.validation, task.frame.names.len()).transpose()),
        })
    }
}

/// Predicts in stretches, because there may be far more rows than a member learned from; none if the time is over
/// before the end.
fn predict(task: &Task<'_>, fitted: &dyn Fitted, rows: &Matrix) -> Option<Vec<f64>> {
    let mut out = Vec::with_capacity(rows.rows * task.target.outputs());
    for first in (0..rows.rows).step_by(STRETCH) {
        if task.is_over() {
            return None;
        }
        out.extend(fitted.predict(&rows.stretch(first..rows.rows.min(first + STRETCH))));
    }
    Some(out)
}
