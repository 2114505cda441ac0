//! One ridge regression: some phases of one day ahead.

use std::ops::Range;

use tabcast_statistics::{factorise_positive_definite, solve_factorised};

use super::features::{Features, WIDTH};
use crate::forecast::LEVELS;

/// Penalties as fractions of the total weight, largest first.
const PENALTIES: [f64; 8] = [3.0, 1.0, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001];
/// A penalty is at least this, divided by the number of days.
const LEAST_PENALTY: f64 = 2.0;
/// Number of folds, each of consecutive days.
const FOLDS: usize = 5;
/// The number of days after which a day counts half.
const HALF_LIFE: f64 = 90.0;
/// The regression needs this many days; with fewer, days less far ahead stand in.
const FEWEST: usize = 8;
/// Targets are clipped at this many usual sizes.
const FURTHEST: f64 = 8.0;
/// Earlier days know too little about the usual course.
const FIRST_DAYS: usize = 7;

/// The forecast of a block of phases, in deviations from the usual course.
pub(super) struct Block {
    /// One value for each phase.
    pub(super) centres: Vec<f64>,
    /// The mean of the held-back errors.
    pub(super) mean: f64,
    /// The quantiles of the held-back errors at [`LEVELS`].
    pub(super) quantiles: [f64; LEVELS.len()],
}

/// Regresses the phases, `ahead` days after each day, and forecasts them for the end of the series.
pub(super) fn regress(features: &Features<'_>, ahead: usize, phases: Range<usize>) -> Block {
    let days = features.days;
    let last = days.count - 1;
    let first = FIRST_DAYS.max(days.count / 8).min((days.count).saturating_sub(ahead + FEWEST + 2)).max(2);
    let judged =
        if first + ahead + FEWEST > days.count { last.saturating_sub(first + FEWEST).max(1) } else { ahead };
    let varying: Vec<usize> = phases.clone().filter(|&phase| days.last(phase).1 > 0.0).collect();
    let none = Block { centres: vec![0.0; phases.len()], mean: 0.0, quantiles: [0.0; LEVELS.len()] };
    if varying.is_empty() || first + judged > last {
        return none;
    }
    let table = Table::new(features, judged, first..days.count - judged, &varying);
    let Some((coefficients, errors)) = table.solve() else { return none };
    let mut row = Vec::with_capacity(WIDTH);
    let centres = phases.map(|phase| {
        row.clear();
        features.write(last, judged, phase, &mut row);
        row.iter().zip(&coefficients).map(|(value, coefficient)| value * coefficient).sum()
    });
    Block { centres: centres.collect(), mean: table.mean(&errors), quantiles: table.quantiles(errors) }
}

/// The rows of a regression, day by day.
struct Table {
    rows: Vec<f64>,
    targets: Vec<f64>,
    /// The weight of each day.
    weights: Vec<f64>,
    /// Rows of each day.
    each: usize,
}

/// Moments of the rows, or of some of them.
#[derive(Clone)]
struct Moments {
    matrix: [f64; WIDTH * WIDTH],
    right: [f64; WIDTH],
}

impl Table {
    fn new(features: &Features<'_>, ahead: usize, origins: Range<usize>, phases: &[usize]) -> Self {
        let end = origins.end;
        let mut rows = Vec::with_capacity(origins.len() * phases.len() * WIDTH);
        let mut targets = Vec::with_capacity(origins.len() * phases.len());
        let mut weights = Vec::with_capacity(origins.len());
        for day in origins {
            weights.push(0.5_f64.powf((end - 1 - day) as f64 / HALF_LIFE));
            for &phase in phases {
                features.write(day, ahead, phase, &mut rows);
                targets.push(features.target(day, ahead, phase));
            }
        }
        Self { rows, targets, weights, each: phases.len() }
    }

    /// The coefficients by all rows, and the error of each row by the rows of other folds; none if the rows are
    /// degenerate.
    fn solve(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let days = self.weights.len();
        let folds: Vec<Range<usize>> =
            (0..FOLDS).map(|fold| fold * days / FOLDS..(fold + 1) * days / FOLDS).collect();
        let parts: Vec<Moments> = folds.iter().map(|fold| self.moments(fold.clone())).collect();
        let whole = parts.iter().skip(1).fold(parts[0].clone(), |sum, part| sum.plus(part, 1.0));
        let total = self.weights.iter().sum::<f64>() * self.each as f64;
        // Features count alike, whatever their variance.
        let scale: Vec<f64> =
            (0..WIDTH).map(|at| whole.matrix[at * WIDTH + at].max(f64::MIN_POSITIVE) / total).collect();
        let rest: Vec<Moments> = parts.iter().map(|part| whole.plus(part, -1.0)).collect();
        let least = LEAST_PENALTY / days as f64;
        let mut candidates: Vec<(f64, Vec<f64>)> = Vec::with_capacity(PENALTIES.len());
        for penalty in PENALTIES {
            let penalty = penalty.max(least);
            if candidates.last().is_some_and(|(previous, _)| *previous == penalty) {
                break;
            }
            let mut errors = Vec::with_capacity(self.targets.len());
            for (fold, rest) in folds.iter().zip(&rest) {
                let coefficients = rest.solve(penalty * total, &scale)?;
                errors.extend(self.errors(fold.clone(), &coefficients));
            }
            candidates.push((penalty, errors));
        }
        let (penalty, errors) = candidates.swap_remove(self.choose(&candidates));
        Some((whole.solve(penalty * total, &scale)?, errors))
    }

    fn moments(&self, days: Range<usize>) -> Moments {
        let mut sums = Moments { matrix: [0.0; WIDTH * WIDTH], right: [0.0; WIDTH] };
        for day in days {
            let weight = self.weights[day];
            for row in day * self.each..(day + 1) * self.each {
                let values = &self.rows[row * WIDTH..][..WIDTH];
                let target = self.targets[row].clamp(-FURTHEST, FURTHEST) * weight;
                for (at, value) in values.iter().enumerate() {
                    sums.right[at] += value * target;
                    let weighted = value * weight;
                    let line = &mut sums.matrix[at * WIDTH..][..=at];
                    for (sum, other) in line.iter_mut().zip(values) {
                        *sum += weighted * other;
                    }
                }
            }
        }
        sums
    }

    fn errors(&self, days: Range<usize>, coefficients: &[f64]) -> impl Iterator<Item = f64> {
        let rows = days.start * self.each..days.end * self.each;
        rows.map(move |row| {
            let values = &self.rows[row * WIDTH..][..WIDTH];
            let expected: f64 = values.iter().zip(coefficients).map(|(value, weight)| value * weight).sum();
            self.targets[row] - expected
        })
    }

    /// The largest penalty whose error is not beyond one standard error of the least.
    fn choose(&self, candidates: &[(f64, Vec<f64>)]) -> usize {
        let by_day: Vec<Vec<f64>> = candidates
            .iter()
            .map(|(_, errors)| {
                errors
                    .chunks_exact(self.each)
                    .map(|day| day.iter().map(|error| error.abs()).sum::<f64>() / self.each as f64)
                    .collect()
            })
            .collect();
        let total: f64 = self.weights.iter().sum();
        let mean = |values: &mut dyn Iterator<Item = f64>| -> f64 {
            self.weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>() / total
        };
        let means: Vec<f64> = by_day.iter().map(|days| mean(&mut days.iter().copied())).collect();
        let best = (0..means.len()).min_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap_or(0);
        let is_close = |&candidate: &usize| {
            let gap = means[candidate] - means[best];
            let squares: f64 = self
                .weights
                .iter()
                .zip(by_day[candidate].iter().zip(&by_day[best]))
                .map(|(weight, (one, other))| (weight * (one - other - gap)).powi(2))
                .sum();
            gap <= squares.sqrt() / total
        };
        (0..means.len()).find(is_close).unwrap_or(best)
    }

    fn mean(&self, errors: &[f64]) -> f64 {
        let total = self.weights.iter().sum::<f64>() * self.each as f64;
        let days = errors.chunks_exact(self.each).zip(&self.weights);
        days.map(|(day, weight)| weight * day.iter().sum::<f64>()).sum::<f64>() / total
    }

    fn quantiles(&self, errors: Vec<f64>) -> [f64; LEVELS.len()] {
        let mut sorted: Vec<(f64, f64)> = errors
            .into_iter()
            .enumerate()
            .map(|(row, error)| (error, self.weights[row / self.each]))
            .collect();
        sorted.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let total: f64 = sorted.iter().map(|(_, weight)| weight).sum();
        let mut place = 0;
        let mut below = 0.0;
        LEVELS.map(|level| {
            let wanted = level * total;
            while place + 1 < sorted.len() && below + sorted[place].1 / 2.0 < wanted {
                below += sorted[place].1;
                place += 1;
            }
            if place == 0 {
                return sorted[0].0;
            }
            // Between the middles of two neighbours.
            let (one, other) = (sorted[place - 1], sorted[place]);
            let from = below - one.1 / 2.0;
            let gap = f64::midpoint(one.1, other.1);
            one.0 + (other.0 - one.0) * ((wanted - from) / gap).clamp(0.0, 1.0)
        })
    }
}

impl Moments {
    fn plus(&self, other: &Self, sign: f64) -> Self {
        let mut sum = self.clone();
        for (value, other) in sum.matrix.iter_mut().zip(&other.matrix) {
            *value += sign * other;
        }
        for (value, other) in sum.right.iter_mut().zip(&other.right) {
            *value += sign * other;
        }
        sum
    }

    fn solve(&self, penalty: f64, scale: &[f64]) -> Option<Vec<f64>> {
        let mut matrix = self.matrix;
        for (at, scale) in scale.iter().enumerate() {
            matrix[at * WIDTH + at] += penalty * scale;
        }
        let mut right = self.right.to_vec();
        factorise_positive_definite(&mut matrix, WIDTH).then(|| {
            solve_factorised(&matrix, &mut right);
            right
        })
    }
}
