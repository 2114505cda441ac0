//! Initial values of the coefficients.

use tabcast_statistics::solve_positive_definite;

use super::conditional::dot;
use super::order::{Arma, MOST_TOGETHER, Order};

/// The roots of the initial model lie outside a circle of this radius.
const START_RADIUS: f64 = 1.02;

/// The errors of a long autoregression, which stand in for those of the model in its first regression.
///
/// Source: Hannan and Rissanen, Recursive estimation of mixed autoregressive-moving average order, Biometrika 69
/// (1982). Products of seasonal and other factors are left to the search that starts here.
#[derive(Debug)]
pub(super) struct Start {
    series: Vec<f64>,
    errors: Vec<f64>,
    season: usize,
    /// The first step that has an error.
    first: usize,
}

impl Start {
    /// Fits the long autoregression, by the Durbin-Levinson recursion.
    pub(super) fn new(series: &[f64], season: usize) -> Self {
        let length = series.len();
        let wanted = (10.0 * (length as f64).log10()) as usize;
        let order = wanted.max(if season > 1 { season + 4 } else { 0 }).min(length / 4);
        let covariances: Vec<f64> = (0..=order).map(|lag| dot(series, &series[lag..])).collect();
        let mut coefficients: Vec<f64> = Vec::with_capacity(order);
        let mut variance = covariances[0];
        for lag in 1..=order {
            if variance <= 1e-12 * covariances[0] {
                break;
            }
            let known: f64 =
                coefficients.iter().zip(covariances[1..lag].iter().rev()).map(|(c, g)| c * g).sum();
            let partial = (covariances[lag] - known) / variance;
            let before = coefficients.clone();
            for (coefficient, mirrored) in coefficients.iter_mut().zip(before.iter().rev()) {
                *coefficient -= partial * mirrored;
            }
            coefficients.push(partial);
            variance *= 1.0 - partial * partial;
        }
        let first = coefficients.len();
        let mut errors = series.to_vec();
        for (index, coefficient) in coefficients.iter().enumerate() {
            let lag = index + 1;
            for (error, past) in errors[lag..].iter_mut().zip(series) {
                *error -= coefficient * past;
            }
        }
        errors[..first].fill(0.0);
        Self { series: series.to_vec(), errors, season, first }
    }

    /// The regression of the series on its own lags and those of the errors, moved inside the admissible region; none
    /// if there are too few values.
    pub(super) fn model(&self, order: Order) -> Option<Arma> {
        let count = order.len();
        let mut columns: [(&[f64], usize); MOST_TOGETHER] = [(&[], 0); MOST_TOGETHER];
        let terms = [
            (&self.series, order.p, 1),
            (&self.series, order.seasonal_p, self.season),
            (&self.errors, order.q, 1),
            (&self.errors, order.seasonal_q, self.season),
        ];
        let lags = terms
            .iter()
            .flat_map(|&(source, terms, step)| (1..=terms).map(move |term| (source.as_slice(), term * step)));
        for (column, lag) in columns.iter_mut().zip(lags) {
            *column = lag;
        }
        let longest = columns.iter().map(|(_, lag)| *lag).max().unwrap_or(0);
        let start = self.first.max(longest);
        let length = self.series.len();
        if length < start + 2 * count {
            return None;
        }
        let mut normal = [0.0; MOST_TOGETHER * MOST_TOGETHER];
        let mut right = [0.0; MOST_TOGETHER];
        let column = |index: usize| {
            let (source, lag): (&[f64], usize) = columns[index];
            &source[start - lag..length - lag]
        };
        for row in 0..count {
            right[row] = dot(column(row), &self.series[start..]);
            for other in 0..=row {
                normal[row * count + other] = dot(column(row), column(other));
            }
            normal[row * count + row] *= 1.0 + 1e-6;
        }
        if !solve_positive_definite(&mut normal[..count * count], &mut right[..count]) {
            return None;
        }
        let mut arma = Arma::white(order, self.season);
        arma.coefficients[..count].copy_from_slice(&right[..count]);
        for _ in 0..20 {
            if arma.has_roots_beyond(START_RADIUS) {
                return Some(arma);
            }
            shrink(&mut arma);
        }
        None
    }
}

/// Moves all roots outwards.
fn shrink(arma: &mut Arma) {
    let Order { p, seasonal_p, q, seasonal_q, .. } = arma.order;
    let mut place = 0;
    for terms in [p, seasonal_p, q, seasonal_q] {
        let mut power = 1.0;
        for coefficient in &mut arma.coefficients[place..place + terms] {
            power *= 0.85;
            *coefficient *= power;
        }
        place += terms;
    }
}
