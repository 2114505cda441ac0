//! Scores of the members and of their combination in the backtest.

use serde::{Deserialize, Serialize};
use tabcast_models::Forecast;
use tabcast_statistics::normal_quantile;

use crate::backtest::Window;
use crate::combination::blend_weights::BlendWeights;
use crate::combination::weights::Weights;
use crate::history::class::Class;
use crate::intervals::calibration::Calibration;
use crate::learners::blended;
use crate::run::plan::Plan;

/// Levels over which the weighted quantile loss is averaged.
const LEVELS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/// The name of the combination in the leaderboard.
const COMBINATION: &str = "combination";
/// Levels that bound the central 80 % and 95 % intervals.
const BANDS: [[f64; 2]; 2] = [[0.1, 0.9], [0.025, 0.975]];

/// Accuracy over the windows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Measures {
    /// Mean absolute scaled error.
    pub(crate) mase: Option<f64>,
    /// Symmetric mean absolute percentage error, percent.
    pub(crate) smape: Option<f64>,
    /// Weighted quantile loss over the levels 0.1 to 0.9.
    pub(crate) wql: Option<f64>,
    /// Share of outcomes inside the central 80 % interval, 0 to 1.
    pub(crate) coverage_80: Option<f64>,
    pub(crate) coverage_95: Option<f64>,
}

/// Scores of one method over all windows of a class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Score {
    /// Registry name, or `combination`.
    pub(crate) model: String,
    /// Mean weight in the combination, 0 to 1; the weights of all members sum to 1. None for the combination itself.
    pub(crate) weight: Option<f64>,
    /// All fields are None for a method that could forecast no window.
    #[serde(flatten)]
    pub(crate) measures: Measures,
    /// Windows that the method could forecast.
    pub(crate) windows: usize,
}

/// Scores of a class, sorted by scaled error; members without one come last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Leaderboard {
    pub(crate) windows: usize,
    pub(crate) scores: Vec<Score>,
    pub(crate) baseline: Baseline,
}

impl Leaderboard {
    /// The scores of the combination.
    pub(crate) fn combined(&self) -> Option<&Measures> {
        self.scores.iter().find(|score| score.model == COMBINATION).map(|score| &score.measures)
    }
}

/// The seasonal naive forecast, or the last value where there is no season, on the windows that the combination could
/// forecast.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "whose windows they are")]
pub(crate) struct Baseline {
    #[serde(flatten)]
    pub(crate) measures: Measures,
    pub(crate) windows: usize,
    /// Windows in which the combination has the smaller absolute error.
    pub(crate) combination_better: usize,
    /// Windows in which the baseline has the smaller absolute error; the two tie in the rest.
    pub(crate) baseline_better: usize,
}

/// Running sums over windows.
#[derive(Debug, Default)]
struct Sums {
    windows: usize,
    steps: f64,
    scaled: f64,
    symmetric: f64,
    loss: f64,
    size: f64,
    inside: [f64; 2],
}

impl Sums {
    /// Adds a window and returns its scaled error; `mean` and `quantile` give the forecast of a step.
    fn add(
        &mut self,
        window: &Window,
        mean: impl Fn(usize) -> f64,
        quantile: impl Fn(usize, f64) -> f64,
    ) -> f64 {
        let steps = window.actual.len() as f64;
        let mut scaled = 0.0;
        self.windows += 1;
        for (step, &actual) in window.actual.iter().enumerate() {
            let mean = mean(step);
            scaled += (actual - mean).abs() / window.scale / steps;
            let size = actual.abs() + mean.abs();
            self.symmetric += if size > 0.0 { 200.0 * (actual - mean).abs() / size / steps } else { 0.0 };
            for level in LEVELS {
                let miss = actual - quantile(step, level);
                self.loss += 2.0 * (level * miss).max((level - 1.0) * miss) / LEVELS.len() as f64;
            }
            self.size += actual.abs();
            for (inside, [low, high]) in self.inside.iter_mut().zip(BANDS) {
                let is_inside = actual >= quantile(step, low) && actual <= quantile(step, high);
                *inside += f64::from(u8::from(is_inside));
            }
            self.steps += 1.0;
        }
        self.scaled += scaled;
        scaled
    }

    fn add_forecast(&mut self, window: &Window, forecast: &Forecast) -> f64 {
        self.add(window, |step| forecast.mean[step], |step, level| forecast.quantile(step, level))
    }

    fn score(&self, model: &str, weight: Option<f64>) -> Score {
        Score { model: model.to_owned(), weight, measures: self.measures(), windows: self.windows }
    }

    fn measures(&self) -> Measures {
        if self.windows == 0 {
            return Measures::default();
        }
        let windows = self.windows as f64;
        let steps = self.steps.max(1.0);
        Measures {
            mase: Some(self.scaled / windows),
            smape: Some(self.symmetric / windows),
            wql: Some(if self.size > 0.0 { self.loss / self.size } else { 0.0 }),
            coverage_80: Some(self.inside[0] / steps),
            coverage_95: Some(self.inside[1] / steps),
        }
    }
}

/// Scores every member and the combination. The two halves of the windows each come with their own calibration.
pub(crate) fn score(
    class: Class,
    halves: &[(Calibration, Vec<&Window>)],
    weights: &Weights,
    blend: &BlendWeights,
    plan: &Plan,
) -> Leaderboard {
    let names = plan.preset.members(class);
    let mut members: Vec<Sums> = names.iter().map(|_| Sums::default()).collect();
    let mut globals: [Sums; blended::BLENDED] = Default::default();
    let mut combination = Sums::default();
    let (mut naive, mut baseline) = (Sums::default(), Baseline::default());
    let mut mean_weights = vec![0.0; names.len()];
    for (calibration, windows) in halves {
        for window in windows.iter().take_while(|_| !plan.is_cancelled()) {
            let all = window.members.iter().zip(&mut members);
            for (member, sums) in all.chain(window.blended.iter().zip(&mut globals)) {
                if let Some(forecast) = member {
                    sums.add_forecast(window, forecast);
                }
            }
            let of_window = window.weights(class, plan, weights);
            for (sum, weight) in mean_weights.iter_mut().zip(&of_window) {
                *sum += weight;
            }
            let combined = window.combined_forecast(&of_window, blend);
            if combined.is_empty() {
                continue;
            }
            let floor = if window.non_negative { 0.0 } else { f64::NEG_INFINITY };
            let quantile = |step, level| {
                let band = combined.band(step, &mut Vec::new());
                combined.quantile(class, calibration, step, (level, normal_quantile(level)), band).max(floor)
            };
            let mean = |step| combined.mean(step, &mut Vec::new()).max(floor);
            let error = combination.add(window, mean, quantile);
            if let Some(forecast) = &window.naive {
                let other = naive.add_forecast(window, forecast);
                baseline.combination_better += usize::from(error < other);
                baseline.baseline_better += usize::from(other < error);
            }
        }
    }
    let count: usize = halves.iter().map(|(_, windows)| windows.len()).sum();
    let shares = blend.of_members(plan.horizon);
    let rest = 1.0 - shares.iter().sum::<f64>();
    let mut scores: Vec<Score> = names
        .iter()
        .zip(&members)
        .zip(mean_weights)
        .map(|((name, sums), weight)| sums.score(name, Some(rest * weight / count.max(1) as f64)))
        .collect();
    let judged = blended::names(plan.preset).into_iter().zip(&globals).zip(shares);
    scores.extend(
        judged
            .filter(|((_, sums), _)| sums.windows > 0)
            .map(|((name, sums), share)| sums.score(name, Some(share))),
    );
    scores.push(combination.score(COMBINATION, None));
    let error = |score: &Score| score.measures.mase.unwrap_or(f64::INFINITY);
    scores.sort_by(|a, b| error(a).total_cmp(&error(b)));
    baseline.measures = naive.measures();
    baseline.windows = naive.windows;
    Leaderboard { windows: count, scores, baseline }
}
