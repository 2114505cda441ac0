//! The method of Teunter, Syntetos and Babai.
//!
//! ```text
//! p = p + beta·(1 - p)  in a step with demand, p - beta·p in one without      probability
//! z = z + alpha·(y - z) in a step with demand                                size
//! rate = p·z
//! ```
//!
//! Unlike Croston's, this rate falls in every step without demand, so it notices when an article is no longer in
//! demand.
//!
//! Source: Teunter, Syntetos and Babai, Intermittent demand: linking forecasting to inventory obsolescence, European
//! Journal of Operational Research 214 (2011). Differences: those in `mod.rs`.

use super::history::History;
use super::smoother::Smoother;
use super::{RateFit, SMOOTHING};
use crate::{Fit, Model, Series, Unfit};

/// The registry entry.
pub(crate) struct TeunterSyntetosBabai;

impl Model for TeunterSyntetosBabai {
    fn name(&self) -> &'static str {
        "tsb"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let history = History::of(series.values)?;
        // Size and probability are independent, so each path is run once per parameter.
        let sizes = SMOOTHING.map(|alpha| size_path(series.values, Smoother::new(alpha)));
        let probabilities = SMOOTHING.map(|beta| probability_path(series.values, Smoother::new(beta)));
        let pairs = sizes.iter().flat_map(|size| probabilities.iter().map(move |chance| (size, chance)));
        let error = |pair: &(&Vec<f64>, &Vec<f64>)| -> f64 {
            let rates = pair.0.iter().zip(pair.1).skip(1).map(|(size, chance)| size * chance);
            series.values[1..].iter().zip(rates).map(|(value, rate)| (value - rate) * (value - rate)).sum()
        };
        let Some((size, chance)) = pairs.min_by(|a, b| error(a).total_cmp(&error(b))) else {
            return Err(Unfit { reason: "there is no smoothing parameter to try" });
        };
        let last = series.len();
        let mut fitted: Vec<f64> = size.iter().zip(chance).map(|(size, chance)| size * chance).collect();
        fitted.pop();
        fitted[0] = f64::NAN;
        Ok(Box::new(RateFit::new(size[last] * chance[last], chance[last], &history, fitted)))
    }
}

/// The smoothed size before each step and after the last one.
fn size_path(values: &[f64], mut size: Smoother) -> Vec<f64> {
    let mut path = Vec::with_capacity(values.len() + 1);
    path.push(size.level);
    for &value in values {
        if value > 0.0 {
            size.observe(value);
        }
        path.push(size.level);
    }
    path
}

/// The smoothed probability of demand before each step and after the last one.
fn probability_path(values: &[f64], mut chance: Smoother) -> Vec<f64> {
    let mut path = Vec::with_capacity(values.len() + 1);
    path.push(chance.level);
    for &value in values {
        chance.observe(if value > 0.0 { 1.0 } else { 0.0 });
        path.push(chance.level);
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    /// statsforecast 2.1.1, `TSB(alpha_d=0.2, alpha_p=0.1)`, which smooths from the first size and the first step.
    #[test]
    fn recursion_agrees_with_statsforecast_at_its_parameters() {
        let values = [
            0.0, 0.0, 3.0, 0.0, 1.0, 0.0, 0.0, 4.0, 0.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 5.0, 0.0, 0.0, 1.0,
            0.0,
        ];
        let sizes = size_path(&values, Smoother::from_first(0.2, 3.0));
        let chances = probability_path(&values, Smoother::from_first(0.1, 0.0));
        let expected = [
            (3, 0.3),
            (5, 0.470_6),
            (8, 0.668_013_12),
            (16, 0.978_039_588_004_498_2),
            (19, 0.870_969_856_514_719_4),
        ];
        for (step, expected) in expected {
            let rate = sizes[step] * chances[step];
            assert!((rate - expected).abs() < 1e-14, "step {step}: {rate}");
        }
    }
}
