//! Member weights: how much each member of a class counts.

use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::backtest::Window;
use crate::combination::weighted_median::weighted_median;
use crate::preset::Preset;

/// Members whose error exceeds the best one's by this factor are left out.
const WORST: f64 = 1.5;
/// The share of the final weights that always follows the prior of the series' features; weights that follow the
/// class's errors alone forecast worse.
const SUGGESTED: f64 = 0.5;
/// With this many windows, learned and prior weights count equally.
const PRIOR_WINDOWS: f64 = 20.0;
/// Members below this weight are dropped to save time.
const LEAST: f64 = 0.03;
/// Rounds of greedy selection.
const ROUNDS: usize = 30;

/// What the backtests of a class teach about its members.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Weights {
    /// Sums to 1.
    selected: Vec<f64>,
    /// Which members are not far worse than the best one.
    kept: Vec<bool>,
    /// Trust in the backtests: 0 without any, 1 when nothing else counts.
    trust: f64,
}

impl Weights {
    /// `Preset::Best` selects greedily with replacement (Caruana, Niculescu-Mizil, Crew and Ksikes, Ensemble selection
    /// from libraries of models, ICML 2004), the other presets weight by the inverse of squared errors (Bates and
    /// Granger, The combination of forecasts, 1969). Once `cancel` is set it returns early, with an arbitrary result.
    pub(crate) fn learn(windows: &[&Window], count: usize, preset: Preset, cancel: &AtomicBool) -> Self {
        if windows.is_empty() || count < 2 {
            return Self { selected: vec![0.0; count], kept: vec![true; count], trust: 0.0 };
        }
        let errors = Errors::of(windows, count, cancel);
        let means: Vec<f64> = (0..count).map(|member| errors.mean(member)).collect();
        let best = means.iter().copied().fold(f64::INFINITY, f64::min);
        let kept: Vec<bool> = means.iter().map(|&mean| mean <= WORST * best).collect();
        let mut selected = match preset {
            Preset::Best => errors.select_greedily(&kept, cancel),
            Preset::Fast | Preset::Balanced => means
                .iter()
                .zip(&kept)
                .map(|(mean, &kept)| match kept {
                    true if *mean > 0.0 => (best / mean).powi(2),
                    true => 1.0,
                    false => 0.0,
                })
                .collect(),
        };
        normalise(&mut selected);
        let trust = windows.len() as f64 / (windows.len() as f64 + PRIOR_WINDOWS);
        Self { selected, kept, trust }
    }

    /// The member weights for one series, which sum to 1, given the `prior` that its features suggest; members too
    /// light to be worth their time get zero.
    pub(crate) fn of(&self, prior: &[f64]) -> Vec<f64> {
        let kept: f64 = prior.iter().zip(&self.kept).filter(|(_, kept)| **kept).map(|(prior, _)| prior).sum();
        let mut weights: Vec<f64> = prior
            .iter()
            .zip(&self.kept)
            .zip(&self.selected)
            .map(|((prior, &is_kept), selected)| {
                let suggested = if is_kept { prior / kept } else { 0.0 };
                let learned = (1.0 - SUGGESTED) * selected + SUGGESTED * suggested;
                self.trust * learned + (1.0 - self.trust) * prior
            })
            .collect();
        let largest = weights.iter().copied().fold(0.0, f64::max);
        for weight in &mut weights {
            if *weight < LEAST.min(largest) {
                *weight = 0.0;
            }
        }
        normalise(&mut weights);
        weights
    }
}

fn normalise(weights: &mut [f64]) {
    let total: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= total;
    }
}

/// Signed scaled errors of all members in all windows, member by member.
struct Errors {
    members: Vec<Vec<f64>>,
    /// The weight of each error; every window counts the same, however long it is.
    shares: Vec<f64>,
}

impl Errors {
    fn of(windows: &[&Window], count: usize, cancel: &AtomicBool) -> Self {
        let mut errors = Self { members: vec![Vec::new(); count], shares: Vec::new() };
        for window in windows.iter().take_while(|_| !cancel.load(Ordering::Relaxed)) {
            let steps = window.actual.len();
            errors.shares.extend(std::iter::repeat_n((steps as f64 * windows.len() as f64).recip(), steps));
            for (step, actual) in window.actual.iter().enumerate() {
                let mut values: Vec<(f64, f64)> =
                    window.members.iter().flatten().map(|forecast| (forecast.mean[step], 1.0)).collect();
                // The stand-in neither rewards nor punishes a member for a series it does not apply to.
                let stand_in = if values.is_empty() { *actual } else { weighted_median(&mut values) };
                for (member, errors) in window.members.iter().zip(&mut errors.members) {
                    let mean = member.as_ref().map_or(stand_in, |forecast| forecast.mean[step]);
                    errors.push((mean - actual) / window.scale);
                }
            }
        }
        errors
    }

    fn mean(&self, member: usize) -> f64 {
        self.members[member].iter().zip(&self.shares).map(|(error, share)| error.abs() * share).sum()
    }

    /// How often each member is chosen when greedy selection repeatedly adds the one that most improves the mean of
    /// those chosen.
    fn select_greedily(&self, kept: &[bool], cancel: &AtomicBool) -> Vec<f64> {
        let mut chosen = vec![0.0; self.members.len()];
        let mut sum = vec![0.0; self.shares.len()];
        for round in 1..=ROUNDS {
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            let with = |member: usize| -> f64 {
                let errors = sum.iter().zip(&self.members[member]).zip(&self.shares);
                errors.map(|((sum, error), share)| (sum + error).abs() * share).sum::<f64>() / round as f64
            };
            let next = (0..self.members.len())
                .filter(|&member| kept[member])
                .min_by(|&a, &b| with(a).total_cmp(&with(b)))
                .unwrap_or_default();
            chosen[next] += 1.0;
            for (sum, error) in sum.iter_mut().zip(&self.members[next]) {
                *sum += error;
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use tabcast_models::{Forecast, Shape};

    use super::*;
    use crate::combination::features::FEATURES;
    use crate::learners::blended::BLENDED;

    static NEVER: AtomicBool = AtomicBool::new(false);

    /// Windows in which each member misses by its own bias.
    fn windows(count: usize, biases: &[f64]) -> Vec<Window> {
        let member =
            |bias: f64| Forecast { mean: vec![10.0 + bias; 4], sd: vec![1.0; 4], shape: Shape::Normal };
        (0..count)
            .map(|_| Window {
                held_back: 0..4,
                actual: vec![10.0; 4],
                scale: 1.0,
                features: [0.0; FEATURES],
                members: biases.iter().map(|&bias| Some(member(bias))).collect(),
                blended: [const { None }; BLENDED],
                naive: None,
                non_negative: true,
            })
            .collect()
    }

    fn weights(count: usize, biases: &[f64], preset: Preset) -> Vec<f64> {
        let windows = windows(count, biases);
        let even = vec![1.0 / biases.len() as f64; biases.len()];
        Weights::learn(&windows.iter().collect::<Vec<_>>(), biases.len(), preset, &NEVER).of(&even)
    }

    #[test]
    fn nothing_measured_leaves_what_the_features_suggest() {
        let suggested = Weights::learn(&[], 4, Preset::Balanced, &NEVER).of(&[0.4, 0.3, 0.29, 0.01]);
        assert!((suggested[0] - 0.4 / 0.99).abs() < 1e-12 && suggested[3] == 0.0, "{suggested:?}");
    }

    #[test]
    fn a_member_that_is_far_worse_is_left_out_when_many_windows_say_so() {
        for preset in [Preset::Balanced, Preset::Best] {
            let many = weights(4000, &[1.0, 1.1, 9.0], preset);
            assert_eq!(many[2], 0.0, "{preset:?}");
            assert!(many[0] >= many[1] && (many.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            assert!(weights(2, &[1.0, 1.1, 9.0], preset)[2] > 0.2, "two windows prove little");
        }
    }

    #[test]
    fn greedy_selection_joins_members_whose_errors_cancel() {
        let chosen = weights(4000, &[1.0, -1.0, 0.9, 0.95], Preset::Best);
        assert!(chosen[1] > chosen[0] && chosen[1] > chosen[3], "{chosen:?}");
    }
}
