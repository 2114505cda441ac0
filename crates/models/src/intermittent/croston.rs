//! Croston's method with the Syntetos-Boylan approximation.
//!
//! At each demand `y`, `q` steps after the previous one,
//!
//! ```text
//! z = z + alpha·(y - z)      size
//! x = x + alpha·(q - x)      interval
//! rate = (1 - alpha/2) · z / x
//! ```
//!
//! The factor corrects the bias that arises because the mean of `1/x` is above one over the mean of `x`.
//!
//! Sources: Croston, Forecasting and stock control for intermittent demands, Operational Research Quarterly 23 (1972);
//! Syntetos and Boylan, The accuracy of intermittent demand estimates, International Journal of Forecasting 21 (2005).
//!
//! Differences from the sources: those in `mod.rs`; a series whose demand has stopped is refused; and a series without
//! any zero has no such bias, so the factor is 1.

use super::history::History;
use super::smoother::Smoother;
use super::{RateFit, SMOOTHING, squared_errors};
use crate::{Fit, Model, Series, Unfit};

/// The registry entry.
pub(crate) struct Croston;

impl Model for Croston {
    fn name(&self) -> &'static str {
        "croston_sba"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let history = History::of(series.values)?;
        if has_stopped(series.values) {
            return Err(Unfit { reason: "demand has stopped, and this rate only changes with demand" });
        }
        let continuous = history.is_continuous(series.len());
        let mut best: Option<(f64, Ratio, Vec<f64>)> = None;
        for alpha in SMOOTHING {
            let factor = if continuous { 1.0 } else { 1.0 - 0.5 * alpha };
            let mut ratio = Ratio { size: Smoother::new(alpha), interval: Smoother::new(alpha), factor };
            let fitted = ratio.run(series.values);
            let error = squared_errors(series.values, &fitted);
            if best.as_ref().is_none_or(|(lowest, ..)| error < *lowest) {
                best = Some((error, ratio, fitted));
            }
        }
        let Some((_, ratio, fitted)) = best else {
            return Err(Unfit { reason: "the demand is too large to square" });
        };
        Ok(Box::new(RateFit::new(ratio.rate(), 1.0 / ratio.interval.level.max(1.0), &history, fitted)))
    }
}

/// Whether the last demand was much longer ago than any interval between two demands. The rate would stay what it was,
/// however long ago that is (Teunter, Syntetos and Babai, Intermittent demand: linking forecasting to inventory
/// obsolescence, EJOR 214 (2011)).
fn has_stopped(values: &[f64]) -> bool {
    const LEAST: usize = 10;
    const TIMES: usize = 4;
    let (mut longest, mut since) = (0, 0);
    for &value in values {
        since += 1;
        if value > 0.0 {
            longest = since.max(longest);
            since = 0;
        }
    }
    longest > 0 && since >= LEAST && since > TIMES * longest
}

/// Smoothed size over smoothed interval.
struct Ratio {
    size: Smoother,
    interval: Smoother,
    factor: f64,
}

impl Ratio {
    fn rate(&self) -> f64 {
        if self.size.started() { self.factor * self.size.level / self.interval.level } else { 0.0 }
    }

    /// Runs over the series and returns the rate before each step, NaN before the first demand.
    fn run(&mut self, values: &[f64]) -> Vec<f64> {
        let mut since = 0.0;
        values
            .iter()
            .map(|&value| {
                let rate = if self.size.started() { self.rate() } else { f64::NAN };
                since += 1.0;
                if value > 0.0 {
                    self.size.observe(value);
                    self.interval.observe(since);
                    since = 0.0;
                }
                rate
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn demand_that_has_stopped_has_no_rate() {
        let mut values = vec![100.0; 150];
        values.extend([0.0; 300]);
        assert!(Croston.fit(&Series::without_season(&values)).is_err());
        assert!(Croston.fit(&Series::without_season(&values[..155])).is_ok());
        let rare: Vec<f64> = (0..100).map(|step| if step % 30 == 0 { 4.0 } else { 0.0 }).collect();
        assert!(Croston.fit(&Series::without_season(&rare)).is_ok());
    }

    /// statsforecast 2.1.1, `CrostonSBA()`, which smooths with .1 from the first size and the first interval.
    #[test]
    fn recursion_agrees_with_statsforecast_at_its_parameters() {
        let values = [
            0.0, 0.0, 3.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 1.0,
            0.0,
        ];
        let mut ratio = Ratio {
            size: Smoother::from_first(0.1, 3.0),
            interval: Smoother::from_first(0.1, 3.0),
            factor: 0.95,
        };
        let fitted = ratio.run(&values);
        let expected = [
            (3, 0.95),
            (5, 0.917_241_379_310_344_8),
            (8, 0.953_264_604_810_996_5),
            (12, 0.889_897_316_992_382_7),
            (13, 0.892_030_811_827_766_3),
            (16, 0.965_174_455_718_613_8),
            (19, 0.896_954_784_804_675_9),
        ];
        for (step, expected) in expected {
            assert!((fitted[step] - expected).abs() < 1e-14, "step {step}: {}", fitted[step]);
        }
        assert!((ratio.rate() - 0.896_954_784_804_675_9).abs() < 1e-14);
    }
}
