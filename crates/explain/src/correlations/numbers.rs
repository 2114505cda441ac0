//! Correlations of two numeric columns.

use super::association::{Association, Method, correlation_p_value};
use super::column::{Cells, Column};

pub(super) fn pearson(a: &Column<'_>, b: &Column<'_>) -> Option<Association> {
    let (Cells::Numbers(x), Cells::Numbers(y)) = (&a.cells, &b.cells) else { return None };
    if a.present() == x.len() && b.present() == y.len() {
        return association(Method::Pearson, x, y);
    }
    let (x, y) = complete_pairs(x, y);
    association(Method::Pearson, &x, &y)
}

/// The values of the rows in which both are finite.
pub(crate) fn complete_pairs(x: &[f64], y: &[f64]) -> (Vec<f64>, Vec<f64>) {
    x.iter().zip(y).filter(|(x, y)| x.is_finite() && y.is_finite()).unzip()
}

pub(super) fn spearman(a: &Column<'_>, b: &Column<'_>) -> Option<Association> {
    let (Cells::Numbers(x), Cells::Numbers(y)) = (&a.cells, &b.cells) else { return None };
    association(Method::Spearman, &ranks(a, x, b), &ranks(b, y, a))
}

fn association(method: Method, x: &[f64], y: &[f64]) -> Option<Association> {
    let value = correlation(x, y)?;
    Some(Association { method, value, n: x.len(), p_value: correlation_p_value(value, x.len()) })
}

/// Ranks among the rows with both values, in the order of the rows; equal values share their mean rank.
fn ranks(column: &Column<'_>, values: &[f64], other: &Column<'_>) -> Vec<f64> {
    let is_whole = other.present() == values.len();
    let mut ranks = vec![f64::NAN; values.len()];
    let mut below = 0;
    for group in column.order.chunk_by(|&a, &b| values[a as usize] == values[b as usize]) {
        let count = if is_whole { group.len() } else { group.iter().filter(|&&row| other.has(row)).count() };
        let rank = below as f64 + 0.5 * (count as f64 + 1.0);
        for &row in group {
            if is_whole || other.has(row) {
                ranks[row as usize] = rank;
            }
        }
        below += count;
    }
    if below < ranks.len() {
        ranks.retain(|rank| !rank.is_nan());
    }
    ranks
}

/// Pearson's r of finite numbers, exactly 1 for a column with itself; None if one is constant.
pub(crate) fn correlation(x: &[f64], y: &[f64]) -> Option<f64> {
    let (x, y) = (Centre::of(x)?, Centre::of(y)?);
    let (mut products, mut x_squares, mut y_squares) = ([0.0; 4], [0.0; 4], [0.0; 4]);
    let mut add = |lane: usize, a: f64, b: f64| {
        products[lane] += a * b;
        x_squares[lane] += a * a;
        y_squares[lane] += b * b;
    };
    let (x_fours, x_rest) = x.values.as_chunks::<4>();
    let (y_fours, y_rest) = y.values.as_chunks::<4>();
    for (fours, other) in x_fours.iter().zip(y_fours) {
        for lane in 0..4 {
            add(lane, x.deviation(fours[lane]), y.deviation(other[lane]));
        }
    }
    for (&a, &b) in x_rest.iter().zip(y_rest) {
        add(0, x.deviation(a), y.deviation(b));
    }
    let sum = |lanes: [f64; 4]| lanes.iter().sum::<f64>();
    let scale = (sum(x_squares) * sum(y_squares)).sqrt();
    (scale > 0.0).then(|| (sum(products) / scale).clamp(-1.0, 1.0))
}

/// The mean of numbers, and a power of two that scales them to about 1, so that no square overflows.
#[derive(Debug)]
pub(crate) struct Centre<'a> {
    values: &'a [f64],
    scale: f64,
    mean: f64,
}

impl<'a> Centre<'a> {
    /// None if all values are equal.
    pub(crate) fn of(values: &'a [f64]) -> Option<Self> {
        let (mut least, mut most) = ([f64::INFINITY; 4], [f64::NEG_INFINITY; 4]);
        let (fours, rest) = values.as_chunks::<4>();
        for four in fours {
            for lane in 0..4 {
                least[lane] = if four[lane] < least[lane] { four[lane] } else { least[lane] };
                most[lane] = if four[lane] > most[lane] { four[lane] } else { most[lane] };
            }
        }
        let least = rest.iter().chain(&least).fold(f64::INFINITY, |least, &value| least.min(value));
        let most = rest.iter().chain(&most).fold(f64::NEG_INFINITY, |most, &value| most.max(value));
        if least >= most {
            return None;
        }
        let exponent = least.abs().max(most.abs()).log2().floor().clamp(-1000.0, 1000.0);
        let mut centre = Self { values, scale: (-exponent).exp2(), mean: 0.0 };
        // The second round removes the rounding error of the mean, which matters if the mean is large relative to the
        // spread.
        for _ in 0..2 {
            centre.mean += centre.mean_deviation();
        }
        Some(centre)
    }

    /// The deviation from the mean, in units of 1 / `scale`.
    pub(crate) fn deviation(&self, value: f64) -> f64 {
        value * self.scale - self.mean
    }

    fn mean_deviation(&self) -> f64 {
        let mut sums = [0.0; 4];
        let (fours, rest) = self.values.as_chunks::<4>();
        for four in fours {
            for lane in 0..4 {
                sums[lane] += self.deviation(four[lane]);
            }
        }
        let rest: f64 = rest.iter().map(|&value| self.deviation(value)).sum();
        (sums.iter().sum::<f64>() + rest) / self.values.len() as f64
    }
}
