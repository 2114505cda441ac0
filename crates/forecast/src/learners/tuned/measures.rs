//! Errors of forecasts.

use super::{TuneLoss, TuneMetrics};

/// Sums over the steps of windows.
#[derive(Clone, Debug, Default)]
pub(super) struct Measures {
    steps: f64,
    absolute: f64,
    squared: f64,
    /// Number of steps whose actual value is not 0.
    relative_steps: f64,
    relative: f64,
    symmetric: f64,
    size: f64,
    quantile: f64,
}

impl Measures {
    /// Adds a step; `quantile_loss` is the mean of [`quantile_loss`] over the levels.
    pub(super) fn add(&mut self, actual: f64, mean: f64, quantile_loss: f64) {
        let missed = (actual - mean).abs();
        self.steps += 1.0;
        self.absolute += missed;
        self.squared += missed * missed;
        if actual != 0.0 {
            self.relative_steps += 1.0;
            self.relative += missed / actual.abs();
        }
        let size = actual.abs() + mean.abs();
        self.symmetric += if size > 0.0 { 2.0 * missed / size } else { 0.0 };
        self.size += actual.abs();
        self.quantile += quantile_loss;
    }

    pub(super) fn metrics(&self) -> TuneMetrics {
        let part = |sum: f64, of: f64| (of > 0.0).then(|| sum / of).filter(|part| part.is_finite());
        TuneMetrics {
            mae: part(self.absolute, self.steps),
            mse: part(self.squared, self.steps),
            rmse: part(self.squared, self.steps).map(f64::sqrt),
            mape: part(100.0 * self.relative, self.relative_steps),
            smape: part(100.0 * self.symmetric, self.steps),
            wql: part(self.quantile, self.size),
        }
    }
}

/// Twice the pinball loss, so that at the level 0.5 it is the absolute error.
pub(super) fn quantile_loss(actual: f64, quantile: f64, level: f64) -> f64 {
    let missed = actual - quantile;
    2.0 * (level * missed).max((level - 1.0) * missed)
}

/// The loss of one step; the combination minimises its sum. The weighted quantile loss is replaced by the absolute
/// error, because quantiles follow the centre and both become small together.
pub(super) fn loss_of(loss: TuneLoss, actual: f64, mean: f64) -> f64 {
    let missed = (actual - mean).abs();
    match loss {
        TuneLoss::Mae | TuneLoss::Wql => missed,
        TuneLoss::Mse | TuneLoss::Rmse => missed * missed,
        TuneLoss::Mape if actual == 0.0 => 0.0,
        TuneLoss::Mape => missed / actual.abs(),
        TuneLoss::Smape if missed == 0.0 => 0.0,
        TuneLoss::Smape => missed / (actual.abs() + mean.abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_are_those_of_their_definitions() {
        let mut measures = Measures::default();
        assert_eq!(measures.metrics(), TuneMetrics::default());
        for (actual, mean) in [(10.0, 8.0), (0.0, 1.0), (-4.0, -4.0)] {
            measures.add(actual, mean, quantile_loss(actual, mean, 0.5));
        }
        let found = measures.metrics();
        let close = |found: Option<f64>, expected: f64| (found.expect("defined") - expected).abs() < 1e-12;
        assert!(close(found.mae, 1.0) && close(found.mse, 5.0 / 3.0));
        assert!(close(found.rmse, (5.0_f64 / 3.0).sqrt()) && close(found.mape, 10.0));
        assert!(close(found.smape, 100.0 * (4.0 / 18.0 + 2.0) / 3.0) && close(found.wql, 3.0 / 14.0));
    }

    #[test]
    fn zeros_have_no_percentage_and_do_no_harm() {
        let mut measures = Measures::default();
        measures.add(0.0, 0.0, 0.0);
        let found = measures.metrics();
        assert_eq!((found.mape, found.wql, found.smape), (None, None, Some(0.0)));
        assert_eq!(loss_of(TuneLoss::Mape, 0.0, 3.0), 0.0);
        assert_eq!(loss_of(TuneLoss::Smape, 0.0, 0.0), 0.0);
    }
}
