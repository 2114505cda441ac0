//! The likelihood of a given order.

use super::differencing::Differencing;
use super::exact::Problem;
use super::order::{Arma, MOST_TOGETHER, Order};
use super::search::{RADIUS, Scope, Search};
use super::whitening::Whitening;
use crate::likelihood::{FixedForm, Likelihood};

struct Fixed {
    order: Order,
    regular: usize,
    seasonal: usize,
    season: usize,
}

pub(crate) fn find(name: &str, season: usize) -> Option<Box<dyn FixedForm>> {
    let name = name.strip_prefix("ARIMA(")?;
    let (orders, constant) = match name.strip_suffix('c') {
        Some(orders) => (orders, true),
        None => (name, false),
    };
    let orders: Option<Vec<usize>> =
        orders.strip_suffix(')')?.replace(")(", ",").split(',').map(|part| part.parse().ok()).collect();
    let [p, regular, q, seasonal_p, seasonal, seasonal_q] = orders?[..] else { return None };
    let order = Order { p, seasonal_p, q, seasonal_q, constant };
    Some(Box::new(Fixed { order, regular, seasonal, season }))
}

impl Fixed {
    /// The differenced series and a column of ones.
    fn differenced(&self, values: &[f64]) -> Option<(Vec<f64>, Vec<f64>)> {
        let differencing = Differencing::new(self.regular, self.seasonal, self.season);
        if values.len() <= differencing.length {
            return None;
        }
        let differenced = differencing.apply(values);
        let ones = vec![1.0; differenced.len()];
        Some((differenced, ones))
    }
}

impl FixedForm for Fixed {
    /// The optimum may have roots too near the unit circle for forecasts; a search then discards the order.
    fn optimum(&self, values: &[f64]) -> Option<f64> {
        let (differenced, ones) = self.differenced(values)?;
        let columns: [&[f64]; 1] = [&ones];
        let constant = self.order.constant;
        let problem = Problem { values: &differenced, columns: &columns[..usize::from(constant)] };
        let scope = Scope {
            season: self.season,
            with_constant: constant,
            without_constant: !constant,
            regressors: 0,
            length: values.len(),
        };
        let mut whitening = Whitening::default();
        let start = Search::new(&differenced, scope, &mut whitening).conditional_estimate(self.order, None);
        problem.maximise(&start, &mut whitening).map(|estimate| estimate.log_likelihood)
    }

    fn at(&self, values: &[f64], parameters: &[f64], _: f64) -> Option<Likelihood> {
        let (differenced, ones) = self.differenced(values)?;
        let columns: [&[f64]; 1] = [&ones];
        let problem = Problem { values: &differenced, columns: &columns[..usize::from(self.order.constant)] };
        let mut arma = Arma::white(self.order, self.season);
        let count = self.order.len();
        if count != parameters.len() || count > MOST_TOGETHER {
            return None;
        }
        arma.coefficients[..count].copy_from_slice(parameters);
        let value = problem.evaluate(&arma, &mut Whitening::default())?.log_likelihood;
        Some(Likelihood { value, admissible: arma.has_roots_beyond(RADIUS) })
    }
}
