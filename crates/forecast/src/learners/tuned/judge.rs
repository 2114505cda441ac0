//! Judges the members on held-back horizons, and learns weights and calibration from that.

use std::ops::Range;

use rayon::prelude::*;
use tabcast_statistics::normal_quantile;

use super::heads::{Heads, NAMES, Said};
use super::measures::{Measures, loss_of, quantile_loss};
use super::model::{MemberWeights, combined};
use super::{TuneLoss, TuneMetrics};
use crate::history::History;
use crate::history::class::Class;
use crate::intervals::calibration::{Calibration, Outcome};
use crate::intervals::guard::Guard;
use crate::run::plan::Plan;
use crate::run::timers::Timers;

/// Levels over which the weighted quantile loss is averaged.
pub(super) const LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// Prior weights of the members, in the order of [`NAMES`].
const PRIOR: MemberWeights = [0.4, 0.2, 0.25, 0.15];
/// With this many windows, learned and prior weights count equally.
const PRIOR_WINDOWS: f64 = 20.0;
/// Rounds of greedy selection.
const ROUNDS: usize = 16;
/// Weights below this are dropped to save time.
const LEAST: f64 = 0.04;
/// Widening of the members' intervals before anything is measured.
const WIDENING: (f64, f64) = (1.2, 1.35);
/// A window needs at least this many values before it.
const SHORTEST_PAST: usize = 6;
/// The latest window takes at most this fraction of a history.
const HELD_BACK: usize = 4;

/// A held-back stretch of a series, with the members' forecasts of it.
#[derive(Debug)]
pub(super) struct Judged {
    /// Index of the series among the training series.
    pub(super) series: usize,
    /// Number of the window from the end, 0 for the last.
    pub(super) turn: usize,
    pub(super) held_back: Range<usize>,
    pub(super) actual: Vec<f64>,
    said: Said,
    non_negative: bool,
}

/// The windows of a history of the given length, latest first: whole horizons, except that the latest is shorter if the
/// history is short.
pub(super) fn windows(length: usize, horizon: usize, count: usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut end = length;
    for turn in 0..count {
        let held_back = if turn == 0 { horizon.min(end / HELD_BACK) } else { horizon };
        let Some(start) = end.checked_sub(held_back).filter(|&start| start >= SHORTEST_PAST && held_back > 0)
        else {
            break;
        };
        if turn > 0 && (end - start) * HELD_BACK > end {
            break;
        }
        found.push(start..end);
        end = start;
    }
    found
}

/// Forecasts the windows of the chosen training series with heads that have not seen them.
pub(super) fn judge(
    training_series: &[History],
    chosen: &[usize],
    count: usize,
    heads: &Heads,
    plan: &Plan,
    done: &(dyn Fn() + Sync),
) -> Vec<Judged> {
    let of = |&series: &usize| -> Vec<Judged> {
        let history = &training_series[series];
        let windows = windows(history.values.len(), plan.horizon, count).into_iter().enumerate();
        let judged = windows.filter_map(|(turn, held_back)| {
            let past = &history.values[..held_back.start];
            if plan.is_cancelled() || !Class::of(past, plan.season, &plan.periods).has_models() {
                return None;
            }
            // Covariates after the end of the history are unknown.
            let plan = &Plan { horizon: held_back.len(), ..plan.clone() };
            let guard = Guard::new(past, plan);
            let said = heads.forecasts(history, past.len(), Some(series), plan, &guard, &Timers::default());
            let non_negative = past.iter().all(|value| *value >= 0.0);
            let actual = history.values[held_back.clone()].to_vec();
            Some(Judged { series, turn, held_back, actual, said, non_negative })
        });
        let judged = judged.collect();
        done();
        judged
    };
    chosen.par_iter().flat_map_iter(of).collect()
}

/// Member weights and the calibration of their combination.
#[derive(Debug)]
pub(super) struct Verdict {
    pub(super) weights: MemberWeights,
    pub(super) calibration: Calibration,
}

impl Verdict {
    /// Chooses weights by greedy selection with replacement (Caruana et al., 2004) on the loss, shrunk towards the
    /// prior when there are few windows, then calibrates the combination.
    pub(super) fn learn(judged: &[&Judged], loss: TuneLoss) -> Self {
        let weights = weights(judged, loss);
        let outcomes: Vec<Outcome> = judged
            .iter()
            .flat_map(|window| {
                let combined = combined(&window.said, &weights);
                let mut scratch = Vec::new();
                let outcomes: Vec<Outcome> = window
                    .actual
                    .iter()
                    .enumerate()
                    .take_while(|_| !combined.is_empty())
                    .map(|(step, &actual)| Outcome { step, band: combined.band(step, &mut scratch), actual })
                    .collect();
                outcomes
            })
            .collect();
        Self { weights, calibration: Calibration::learn(WIDENING, &outcomes, judged.len()) }
    }

    fn measure(&self, window: &Judged, measures: &mut Measures) {
        let combined = combined(&window.said, &self.weights);
        if combined.is_empty() {
            return;
        }
        let floor = if window.non_negative { 0.0 } else { f64::NEG_INFINITY };
        let mut scratch = Vec::new();
        for (step, &actual) in window.actual.iter().enumerate() {
            let band = combined.band(step, &mut scratch);
            let mean = combined.mean(step, &mut scratch).max(floor);
            let missed = LEVELS.iter().map(|&level| {
                let quantile = self.calibration.quantile(step, normal_quantile(level), band).max(floor);
                quantile_loss(actual, quantile, level) / LEVELS.len() as f64
            });
            measures.add(actual, mean, missed.sum());
        }
    }
}

/// Errors of the combination. Each half of the series uses the weights and calibration learned on the other half, so
/// nothing is measured on the windows that it was learned from.
pub(super) fn metrics(judged: &[&Judged], loss: TuneLoss) -> TuneMetrics {
    let half = |odd: usize| -> Vec<&Judged> {
        judged.iter().copied().filter(|window| window.series % 2 == odd).collect()
    };
    let (even, odd) = (half(0), half(1));
    let mut measures = Measures::default();
    for (learned, measured) in [(&odd, &even), (&even, &odd)] {
        let verdict = Verdict::learn(learned, loss);
        for window in measured {
            verdict.measure(window, &mut measures);
        }
    }
    measures.metrics()
}

fn weights(judged: &[&Judged], loss: TuneLoss) -> MemberWeights {
    let mut prior = PRIOR;
    if !judged.is_empty() {
        for (member, weight) in prior.iter_mut().enumerate() {
            // A member without a backtest must not forecast.
            if judged.iter().all(|window| window.said[member].is_none()) {
                *weight = 0.0;
            }
        }
    }
    let error = |weights: &MemberWeights| -> f64 {
        let errors: Vec<f64> = judged
            .par_iter()
            .map(|window| {
                let combined = combined(&window.said, weights);
                if combined.is_empty() {
                    return 0.0;
                }
                let mut scratch = Vec::new();
                let steps = window.actual.iter().enumerate();
                steps.map(|(step, &actual)| loss_of(loss, actual, combined.mean(step, &mut scratch))).sum()
            })
            .collect();
        errors.iter().sum()
    };
    let mut chosen: MemberWeights = [0.0; NAMES.len()];
    for _ in 0..if judged.is_empty() { 0 } else { ROUNDS } {
        let next = (0..NAMES.len())
            .filter(|&member| prior[member] > 0.0)
            .map(|member| {
                let mut with = chosen;
                with[member] += 1.0;
                (member, error(&with))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((member, _)) = next {
            chosen[member] += 1.0;
        }
    }
    let trust = judged.len() as f64 / (judged.len() as f64 + PRIOR_WINDOWS);
    normalise(&mut chosen);
    normalise(&mut prior);
    let mut weights = chosen;
    for (weight, prior) in weights.iter_mut().zip(prior) {
        *weight = trust * *weight + (1.0 - trust) * prior;
        if *weight < LEAST {
            *weight = 0.0;
        }
    }
    normalise(&mut weights);
    weights
}

fn normalise(weights: &mut MemberWeights) {
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        for weight in weights {
            *weight /= total;
        }
    }
}
