//! Chooses the number of Fourier terms for each season.

use tabcast_statistics::solve_positive_definite;

use super::conditional::{Conditional, dot};
use super::order::{Arma, Order};
use super::regression::Wave;
use super::search::corrected_criterion;

/// The most harmonics of one season.
const MOST: usize = 20;
/// The order of the autoregression assumed for the errors during the choice.
const ERROR_ORDER: usize = 3;
/// The choice uses at most this many values, and at most this many columns.
const LONGEST: usize = 1_500;
/// Each harmonic needs at least this many observations.
const OBSERVATIONS: usize = 8;
/// Mean lengths of calendar seasons whose length is rounded to whole steps: weeks and days of a year.
const ROUNDED: [(usize, f64); 2] = [(52, 365.25 / 7.0), (365, 365.25)];

/// The sine and cosine of each harmonic, by season, without frequencies that a shorter season already has.
fn harmonics(periods: &[usize], length: usize) -> Vec<Vec<[Wave; 2]>> {
    let mut known: Vec<f64> = Vec::new();
    let mut all = Vec::with_capacity(periods.len());
    for &period in periods {
        let cycle =
            ROUNDED.iter().find(|(whole, _)| *whole == period).map_or(period as f64, |(_, cycle)| *cycle);
        let most = MOST.min(period / 2).min(length / OBSERVATIONS / periods.len());
        let mut waves = Vec::with_capacity(most);
        for harmonic in 1..=most {
            let frequency = harmonic as f64 / cycle;
            if known.iter().any(|other| (other - frequency).abs() < 1e-9) {
                continue;
            }
            known.push(frequency);
            waves.push([true, false].map(|is_sine| Wave { frequency, is_sine }));
        }
        all.push(waves);
    }
    all
}

/// The terms that lower the corrected Akaike criterion of a regression whose errors follow an autoregression. The
/// criterion is compared over the number of harmonics of one season at a time, with all terms of the others present.
pub(super) fn choose(values: &[f64], periods: &[usize]) -> Vec<Wave> {
    let values_offset = values.len().saturating_sub(LONGEST);
    let recent = &values[values_offset..];
    let seasons = harmonics(periods, recent.len());
    if seasons.iter().all(Vec::is_empty) {
        return Vec::new();
    }
    let all: Vec<Wave> = seasons.iter().flatten().flatten().copied().collect();
    let column =
        |wave: &Wave| -> Vec<f64> { (values_offset..values.len()).map(|step| wave.at(step)).collect() };
    let mut columns: Vec<Vec<f64>> = vec![vec![1.0; recent.len()]];
    let half = recent.len() as f64 / 2.0;
    columns.push((0..recent.len()).map(|step| step as f64 / half - 1.0).collect());
    columns.extend(all.iter().map(column));
    columns.push(recent.to_vec());
    let Some(filtered) = whiten(columns) else { return Vec::new() };
    let count = filtered[0].len();
    let gram = Gram::new(&filtered);
    let mut chosen = Vec::new();
    let mut first = 2;
    for season in &seasons {
        let own = first..first + 2 * season.len();
        // The columns of the other seasons come first; those of this season are then added one harmonic at a time.
        let mut sequence: Vec<usize> = (0..2 + all.len()).filter(|index| !own.contains(index)).collect();
        let before = sequence.len();
        sequence.extend(own.clone());
        let sums = gram.nested_sums(&sequence);
        let criterion = |harmonics: usize| {
            let used = before + 2 * harmonics;
            let variance = sums.get(used).map_or(f64::INFINITY, |sum| sum.max(1e-300) / count as f64);
            corrected_criterion(-0.5 * count as f64 * variance.ln(), used + 1, count)
        };
        let best = (0..=season.len()).min_by(|a, b| criterion(*a).total_cmp(&criterion(*b))).unwrap_or(0);
        chosen.extend(season[..best].iter().flatten().copied());
        first = own.end;
    }
    chosen
}

/// Filters all columns by the autoregression of the errors of an ordinary regression of the last column.
fn whiten(columns: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let last = columns.len() - 1;
    let length = columns[0].len();
    let mut normal = vec![0.0; last * last];
    let mut coefficients = vec![0.0; last];
    for row in 0..last {
        coefficients[row] = dot(&columns[row], &columns[last]);
        for other in 0..=row {
            normal[row * last + other] = dot(&columns[row], &columns[other]);
        }
        normal[row * (last + 1)] *= 1.0 + 1e-9;
    }
    if !solve_positive_definite(&mut normal, &mut coefficients) {
        return None;
    }
    let mut errors = columns[last].clone();
    for (column, coefficient) in columns.iter().zip(&coefficients) {
        for (error, x) in errors.iter_mut().zip(column) {
            *error -= coefficient * x;
        }
    }
    let p = ERROR_ORDER.min(length / 10);
    let order = Order { p, seasonal_p: 0, q: 0, seasonal_q: 0, constant: false };
    let errors = Conditional::default().improve(&errors, Arma::white(order, 1));
    let filter = |column: Vec<f64>| -> Vec<f64> {
        let past = |step: usize| -> f64 {
            errors.ar().iter().enumerate().map(|(index, c)| c * column[step - 1 - index]).sum()
        };
        (p..length).map(|step| column[step] - past(step)).collect()
    };
    Some(columns.into_iter().map(filter).collect())
}

/// Inner products of columns; the last column is regressed on the others.
struct Gram {
    size: usize,
    products: Vec<f64>,
}

impl Gram {
    fn new(columns: &[Vec<f64>]) -> Self {
        let size = columns.len();
        let mut products = vec![0.0; size * size];
        for row in 0..size {
            for other in 0..=row {
                let product = dot(&columns[row], &columns[other]);
                products[row * size + other] = product;
                products[other * size + row] = product;
            }
        }
        Self { size, products }
    }

    /// The residual sums of squares after regressing on none, the first, the first two, ... of the columns. A column
    /// that is a combination of earlier ones changes nothing.
    fn nested_sums(&self, sequence: &[usize]) -> Vec<f64> {
        let at = |row: usize, column: usize| self.products[row * self.size + column];
        let target = self.size - 1;
        let places: Vec<usize> = sequence.iter().copied().chain([target]).collect();
        let count = places.len();
        // The rows of the Cholesky factor; the last one belongs to the target.
        let mut factor = vec![0.0; count * count];
        for row in 0..count {
            for column in 0..row {
                let known = dot(&factor[row * count..][..column], &factor[column * count..][..column]);
                let pivot = factor[column * count + column];
                let rest = at(places[row], places[column]) - known;
                factor[row * count + column] = if pivot > 0.0 { rest / pivot } else { 0.0 };
            }
            let own = at(places[row], places[row]);
            let explained = dot(&factor[row * count..][..row], &factor[row * count..][..row]);
            let rest = own - explained;
            factor[row * count + row] = if rest > 1e-10 * own { rest.sqrt() } else { 0.0 };
        }
        let last = &factor[(count - 1) * count..][..count - 1];
        let mut sums = vec![at(target, target)];
        for part in last {
            sums.push(sums[sums.len() - 1] - part * part);
        }
        sums
    }
}
