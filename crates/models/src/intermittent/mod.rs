//! Intermittent demand: series that are zero in most steps.
//!
//! All three models forecast a rate, the mean demand of a step, which is the same for every step ahead:
//!
//! - `croston_sba`: smoothed size of demands over smoothed interval between them, less a bias (`croston.rs`);
//! - `tsb`: smoothed size times smoothed probability of demand (`tsb.rs`), which falls while there is no demand;
//! - `adida`: simple smoothing of sums over buckets as long as the mean interval (`adida.rs`).
//!
//! The distribution around the rate is that of [`Shape::Demand`](crate::Shape::Demand): zero in most steps, and
//! log-normal sizes in the others, in multiples of the unit of the history. The variance around each forecast size is
//! that of the sizes in the history.
//!
//! Differences from the sources, in all three: smoothed values have no separate start, because their weights are
//! normalised (see [`Smoother`]); smoothing parameters come from a small grid, by the squared one-step error of the
//! rate.

mod adida;
mod croston;
mod history;
mod smoother;
mod tsb;

use self::history::History;
use crate::{Fit, Forecast, Shape};

pub(crate) use self::adida::Adida;
pub(crate) use self::croston::Croston;
pub(crate) use self::tsb::TeunterSyntetosBabai;

/// The smoothing parameters that are tried: demand is too noisy to tell more of them apart, and above .3 a forecast
/// follows single demands.
const SMOOTHING: [f64; 5] = [0.03, 0.06, 0.1, 0.2, 0.3];

/// A constant rate of demand.
struct RateFit {
    rate: f64,
    sd: f64,
    shape: Shape,
    fitted: Vec<f64>,
}

impl RateFit {
    /// The distribution of a rate, if a share `occurrence` of all steps has demand.
    fn new(rate: f64, occurrence: f64, history: &History, fitted: Vec<f64>) -> Self {
        if rate <= 0.0 || occurrence <= 0.0 {
            return Self { rate: 0.0, sd: 0.0, shape: Shape::Normal, fitted };
        }
        let occurrence = occurrence.min(1.0);
        let size = rate / occurrence;
        let variance = occurrence * (history.size_variance() + size * size) - rate * rate;
        let shape = Shape::Demand { occurrence, unit: history.unit() };
        Self { rate, sd: variance.max(0.0).sqrt(), shape, fitted }
    }
}

impl Fit for RateFit {
    fn forecast(&self, horizon: usize) -> Forecast {
        Forecast { mean: vec![self.rate; horizon], sd: vec![self.sd; horizon], shape: self.shape.clone() }
    }

    fn fitted(&self) -> &[f64] {
        &self.fitted
    }
}

/// The sum of squared one-step errors where there is a forecast.
fn squared_errors(values: &[f64], fitted: &[f64]) -> f64 {
    let errors = values.iter().zip(fitted).map(|(value, forecast)| value - forecast);
    errors.filter(|error| !error.is_nan()).map(|error| error * error).sum()
}

#[cfg(test)]
mod tests {
    use crate::{Series, find};

    #[test]
    fn a_series_without_demand_has_a_rate_of_zero() {
        for model in ["croston_sba", "tsb", "adida"] {
            let fit =
                find(model).expect("registered").fit(&Series::without_season(&[0.0; 20])).expect("fits");
            assert_eq!((fit.forecast(2).mean, fit.forecast(2).quantile(1, 0.95)), (vec![0.0; 2], 0.0));
        }
    }

    #[test]
    fn negative_demand_is_refused() {
        for model in ["croston_sba", "tsb", "adida"] {
            let model = find(model).expect("registered");
            assert!(model.fit(&Series::without_season(&[0.0, 3.0, -1.0, 2.0])).is_err());
        }
    }

    /// Three units every fourth step: the rate is 3/4, quantiles are whole units, and most steps are zero.
    #[test]
    fn quantiles_are_zero_or_whole_units() {
        let values: Vec<f64> = (0..80).map(|t| if t % 4 == 3 { 3.0 } else { 0.0 }).collect();
        for model in ["croston_sba", "tsb", "adida"] {
            let fit = find(model).expect("registered").fit(&Series::without_season(&values)).expect("fits");
            let forecast = fit.forecast(1);
            assert!((forecast.mean[0] - 0.75).abs() < 0.15, "{model}: {:?}", forecast.mean);
            assert_eq!((forecast.quantile(0, 0.5), forecast.quantile(0, 0.9)), (0.0, 3.0), "{model}");
        }
    }
}
