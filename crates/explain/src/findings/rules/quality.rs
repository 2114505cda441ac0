//! Problems of the data themselves.

use serde::Serialize;

use crate::findings::decomposition::Decomposition;

/// Too few steps to know the series well.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ShortHistory {
    /// Steps of the history.
    pub steps: usize,
    /// Number of seasonal cycles; None without a season.
    pub seasons: Option<f64>,
}

const SHORT: usize = 30;
const SHORT_SEASONS: f64 = 2.0;

pub(crate) fn short_history(of: &Decomposition) -> Option<ShortHistory> {
    let seasons = (of.season_length > 1).then(|| of.steps as f64 / of.season_length as f64);
    let short = of.steps < SHORT || seasons.is_some_and(|seasons| seasons < SHORT_SEASONS);
    short.then_some(ShortHistory { steps: of.steps, seasons })
}

/// How severe missing values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Grade {
    /// Up to 10 %.
    Note,
    /// Up to 30 %.
    Caveat,
    /// Above 30 %.
    Severe,
}

/// Steps without an observation, and duplicate rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Missing {
    /// Number of steps without an observation.
    pub missing: usize,
    /// Number of rows replaced by another one on the same step.
    pub duplicates: usize,
    /// Missing steps as a share of the history.
    pub share: f64,
    /// Severity by the share.
    pub grade: Grade,
}

pub(crate) fn missing_share(of: &Decomposition) -> f64 {
    (of.counts.missing as f64 / of.steps as f64).min(1.0)
}

pub(crate) fn missing(of: &Decomposition) -> Option<Missing> {
    let share = missing_share(of);
    let grade = if share > 0.3 {
        Grade::Severe
    } else if share > 0.1 {
        Grade::Caveat
    } else {
        Grade::Note
    };
    let counts = of.counts;
    (share > 0.01 || counts.duplicates as f64 > 0.01 * of.steps as f64).then_some(Missing {
        missing: counts.missing,
        duplicates: counts.duplicates,
        share,
        grade,
    })
}

/// The last values are all equal.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Constant {
    /// Number of steps with this value, up to the last one.
    pub steps: usize,
    /// The first of these steps.
    pub since: usize,
    /// The value.
    pub value: f64,
    /// Whether the history has no other value.
    pub whole: bool,
}

const LEAST_CONSTANT: usize = 5;

pub(crate) fn constant(of: &Decomposition) -> Option<Constant> {
    let values = &of.values;
    let value = *values.last()?;
    let steps = values.iter().rev().take_while(|other| **other == value).count();
    let demands = of.observed().filter(|value| *value != 0.0).count().max(1);
    // Waiting this long for a demand has a probability below 1 %.
    let usual = if of.intermittent { 4.6 * of.observed().count() as f64 / demands as f64 } else { 0.0 };
    let found = steps >= LEAST_CONSTANT && 5 * steps >= values.len() && steps as f64 >= usual;
    found.then(|| Constant {
        steps,
        since: of.start + values.len() - steps,
        value: value * of.scale,
        whole: steps == values.len(),
    })
}

/// Values below zero.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Negatives {
    /// Number of negative values.
    pub count: usize,
    /// Number of examined steps with an observation.
    pub observed: usize,
    /// Negative values as a share of these.
    pub share: f64,
}

pub(crate) fn negatives(of: &Decomposition) -> Option<Negatives> {
    let (count, observed) = (of.observed().filter(|value| *value < 0.0).count(), of.observed().count());
    (count > 0).then(|| Negatives { count, observed, share: count as f64 / observed as f64 })
}

/// The series ends before others do.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StaleEnd {
    /// The last observed step.
    pub last: usize,
    /// Number of steps from there to the newest of the panel.
    pub steps: usize,
}

const STALE: usize = 2;

pub(crate) fn stale_end(of: &Decomposition, newest: usize) -> Option<StaleEnd> {
    let last = of.start + of.values.len() - 1;
    let steps = newest.saturating_sub(last);
    (steps > STALE).then_some(StaleEnd { last, steps })
}
