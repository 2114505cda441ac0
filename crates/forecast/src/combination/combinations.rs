//! What the backtests of a sample of series teach about all series.

use serde::{Deserialize, Serialize};

use crate::backtest::{Backtest, Window};
use crate::combination::blend_weights::BlendWeights;
use crate::combination::leaderboard::{Leaderboard, score};
use crate::combination::weighted_forecast::combine_means;
use crate::combination::weights::Weights;
use crate::history::class::Class;
use crate::intervals::calibration::{Calibration, Outcome};
use crate::learners::blended::SEASONAL;
use crate::run::plan::Plan;

/// What is learned about one class of series.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ClassCombination {
    pub(crate) weights: Weights,
    pub(crate) blend: BlendWeights,
    pub(crate) calibration: Calibration,
    /// None where nothing was backtested.
    pub(crate) leaderboard: Option<Leaderboard>,
}

/// Everything that is learned before the forecasts are made, by class.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Combinations {
    classes: Vec<ClassCombination>,
}

impl Combinations {
    /// Learns from the backtests in the order of the series, so that sums do not depend on the number of threads.
    pub(crate) fn learn(backtests: &[Backtest], plan: &Plan) -> Self {
        let classes = Class::ALL
            .iter()
            .map(|&class| {
                let windows: Vec<&Window> = backtests
                    .iter()
                    .filter(|backtest| backtest.class == class)
                    .flat_map(|backtest| &backtest.windows)
                    .collect();
                learn_class(class, &windows, plan)
            })
            .collect();
        Self { classes }
    }

    pub(crate) fn of(&self, class: Class) -> &ClassCombination {
        &self.classes[class as usize]
    }
}

fn learn_class(class: Class, windows: &[&Window], plan: &Plan) -> ClassCombination {
    let count = plan.preset.members(class).len();
    // A cancelled run has no use for sums over a million outcomes, which take their time.
    let windows = if plan.is_cancelled() { &[] } else { windows };
    // Where most values are zero, scaled absolute errors would choose the member that forecasts zero, so intermittent
    // series keep their prior weights.
    let judged = if class == Class::Intermittent { &[] } else { windows };
    let weights = Weights::learn(judged, count, plan.preset, &plan.cancel);
    let locals: Vec<Vec<f64>> =
        windows.iter().map(|window| local_means(window, class, plan, &weights)).collect();
    let blend = BlendWeights::learn(
        windows,
        &locals,
        class == Class::Intermittent && are_mostly_zero(windows),
        if plan.is_high_frequency() { plan.season } else { 1 },
        &plan.cancel,
    );
    let outcomes = |windows: &[&Window]| -> Vec<Outcome> {
        windows
            .iter()
            .take_while(|_| !plan.is_cancelled())
            .flat_map(|window| outcomes_of(window, &window.weights(class, plan, &weights), &blend))
            .collect()
    };
    let widening = usual_widening(class, &blend, plan);
    let calibrate = |windows: &[&Window]| {
        let learned = Calibration::learn(widening, &outcomes(windows), windows.len());
        if plan.is_high_frequency() { learned.widening() } else { learned }
    };
    let leaderboard = (!windows.is_empty()).then(|| {
        // Each half is judged with the calibration of the other half, so coverage is not measured on the windows it was
        // fitted to.
        let even: Vec<&Window> = windows.iter().copied().step_by(2).collect();
        let odd: Vec<&Window> = windows.iter().copied().skip(1).step_by(2).collect();
        let (from_odd, from_even) = (calibrate(&odd), calibrate(&even));
        let halves = [(from_odd, even), (from_even, odd)];
        score(class, &halves, &weights, &blend, plan)
    });
    ClassCombination { calibration: calibrate(windows), weights, blend, leaderboard }
}

/// The usual widening of a class. The spread of the seasonal regression was measured, so its share needs none.
fn usual_widening(class: Class, blend: &BlendWeights, plan: &Plan) -> (f64, f64) {
    let (inner, outer) = class.usual_widening(&plan.periods);
    let estimated = 1.0 - blend.of_members(plan.horizon)[SEASONAL];
    (1.0 + (inner - 1.0) * estimated, 1.0 + (outer - 1.0) * estimated)
}

/// Whether most of the actual values are zero.
fn are_mostly_zero(windows: &[&Window]) -> bool {
    let actual = || windows.iter().flat_map(|window| &window.actual);
    2 * actual().filter(|value| **value == 0.0).count() > actual().count()
}

/// The combined forecast of the local members for a window; empty if none applied.
fn local_means(window: &Window, class: Class, plan: &Plan, weights: &Weights) -> Vec<f64> {
    let weights = window.weights(class, plan, weights);
    let forecasts = window.weighted_forecasts(&weights);
    if forecasts.is_empty() || window.blended.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut scratch = Vec::with_capacity(forecasts.len());
    (0..window.actual.len()).map(|step| combine_means(&forecasts, step, &mut scratch)).collect()
}

fn outcomes_of(window: &Window, weights: &[f64], blend: &BlendWeights) -> Vec<Outcome> {
    let combined = window.combined_forecast(weights, blend);
    if combined.is_empty() {
        return Vec::new();
    }
    let mut scratch = Vec::new();
    window
        .actual
        .iter()
        .enumerate()
        .map(|(step, &actual)| Outcome { step, band: combined.band(step, &mut scratch), actual })
        // Closed days have no uncertainty and say nothing about the other days.
        .filter(|Outcome { band, actual, .. }| band.low < band.high || *actual != band.centre)
        .collect()
}
