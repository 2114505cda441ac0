//! The effects of regressors such as promotions and prices on a series.

use tabcast_statistics::{factorise_positive_definite, solve_factorised};

use super::robust::centre_and_spread;

/// Maximum number of columns, which must also be at most a tenth of the number of values.
const MOST: usize = 32;
const VALUES_A_COLUMN: usize = 10;
/// As a fraction of a column's sum of squares.
const RIDGE: f64 = 1e-3;
/// Values beyond this many deviations are excluded from the next fit; then the number of fits.
const WILD: f64 = 4.0;
const FITS: usize = 5;

/// Columns with mean 0 and variance 1.
#[derive(Debug)]
pub(super) struct Regressors(Vec<Vec<f64>>);

impl Regressors {
    /// Keeps the columns that vary and are always known.
    pub(super) fn new(columns: impl Iterator<Item = Vec<f64>>) -> Self {
        Self(columns.filter_map(standardised).collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The effect of the columns on `rest`, by least squares with a slight ridge over the observed values, without wild
    /// ones.
    pub(super) fn effect(&self, rest: &[f64], is_observed: &[bool], room: &mut Vec<f64>) -> Vec<f64> {
        let columns = self.strongest(rest);
        let mut effect = vec![0.0; rest.len()];
        let mut used: Vec<usize> = (0..rest.len()).filter(|&at| is_observed[at]).collect();
        for _ in 0..FITS {
            let Some((constant, slopes)) = fit(&columns, rest, &used) else { break };
            for (at, effect) in effect.iter_mut().enumerate() {
                *effect = columns.iter().zip(&slopes).map(|(column, slope)| slope * column[at]).sum();
            }
            let left: Vec<f64> = (0..rest.len()).map(|at| rest[at] - effect[at] - constant).collect();
            let (centre, spread) = centre_and_spread(&left, room);
            let distance = |at: usize| (left[at] - centre).abs();
            // A wild value attracts the effect of its regressor, so that ordinary values look wild in the opposite
            // direction; the wildest are therefore excluded first.
            let largest = used.iter().map(|&at| distance(at)).fold(0.0, f64::max);
            let limit = (WILD * spread).max(0.5 * largest);
            let usual = |at: &usize| is_observed[*at] && distance(*at) <= limit;
            let next: Vec<usize> = (0..rest.len()).filter(usual).collect();
            if next == used || 2 * next.len() < rest.len() {
                break;
            }
            used = next;
        }
        effect
    }

    /// The columns that are most strongly related to `rest`, in their order.
    fn strongest(&self, rest: &[f64]) -> Vec<&[f64]> {
        let most = MOST.min(rest.len() / VALUES_A_COLUMN);
        let product = |column: &Vec<f64>| column.iter().zip(rest).map(|(x, y)| x * y).sum::<f64>().abs();
        let products: Vec<f64> = self.0.iter().map(product).collect();
        let mut order: Vec<usize> = (0..products.len()).collect();
        order.sort_by(|&left, &right| products[right].total_cmp(&products[left]));
        order.truncate(most);
        order.sort_unstable();
        order.into_iter().map(|place| self.0[place].as_slice()).collect()
    }
}

fn standardised(mut column: Vec<f64>) -> Option<Vec<f64>> {
    let n = column.len() as f64;
    let largest = column.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if largest == 0.0 || !column.iter().all(|value| value.is_finite()) {
        return None;
    }
    for value in &mut column {
        *value /= largest;
    }
    let mean = column.iter().sum::<f64>() / n;
    let deviation = (column.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / n).sqrt();
    (deviation > 1e-9).then(|| column.iter().map(|value| (value - mean) / deviation).collect())
}

/// A constant and one slope per column, fitted to some of the values; None if they are not determined.
fn fit(columns: &[&[f64]], rest: &[f64], used: &[usize]) -> Option<(f64, Vec<f64>)> {
    let (width, n) = (columns.len(), used.len() as f64);
    if width == 0 || used.len() <= width + 1 {
        return None;
    }
    let mean = |values: &[f64]| used.iter().map(|&at| values[at]).sum::<f64>() / n;
    let means: Vec<f64> = columns.iter().map(|column| mean(column)).collect();
    let level = mean(rest);
    let mut products = vec![0.0; width * width];
    let mut slopes = vec![0.0; width];
    for &at in used {
        for left in 0..width {
            let x = columns[left][at] - means[left];
            slopes[left] += x * (rest[at] - level);
            for right in 0..=left {
                products[left * width + right] += x * (columns[right][at] - means[right]);
            }
        }
    }
    for left in 0..width {
        for right in left + 1..width {
            products[left * width + right] = products[right * width + left];
        }
        products[left * width + left] += RIDGE * n;
    }
    if !factorise_positive_definite(&mut products, width) {
        return None;
    }
    solve_factorised(&products, &mut slopes);
    let constant = level - means.iter().zip(&slopes).map(|(mean, slope)| mean * slope).sum::<f64>();
    Some((constant, slopes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effects_are_found_beside_a_wild_value() {
        let flag: Vec<f64> = (0..100).map(|at| f64::from(u8::from(at % 7 == 2))).collect();
        let mut rest: Vec<f64> =
            flag.iter().enumerate().map(|(at, flag)| 30.0 * flag + (at * at % 11) as f64 / 11.0).collect();
        rest[44] += 500.0;
        let regressors = Regressors::new([flag.clone(), vec![3.0; 100], vec![f64::NAN; 100]].into_iter());
        assert_eq!(regressors.0.len(), 1);
        let effect = regressors.effect(&rest, &[true; 100], &mut Vec::new());
        assert!((effect[2] - effect[3] - 30.0).abs() < 0.5, "{} {}", effect[2], effect[3]);
        assert!(effect.iter().sum::<f64>().abs() < 1e-9);
    }
}
