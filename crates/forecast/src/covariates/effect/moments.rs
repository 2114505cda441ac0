//! Sums of products over a stretch of rows, all that a regression needs. They can be added and subtracted.

use tabcast_statistics::solve_positive_definite;

/// A column of a regression: centred, with mean square 1; all zero where nothing changes.
pub(super) struct Regressor {
    pub(super) changes: Vec<f64>,
    /// The size of a unit change in the column's own units.
    pub(super) unit: f64,
}

impl Regressor {
    /// `changes` are centred and in units of `unit`.
    pub(super) fn new(mut changes: Vec<f64>, unit: f64) -> Self {
        let size = (dot(&changes, &changes) / changes.len().max(1) as f64).sqrt();
        if size == 0.0 {
            return Self { changes, unit: 1.0 };
        }
        for change in &mut changes {
            *change /= size;
        }
        Self { changes, unit: unit * size }
    }
}

/// Products of regressors and targets over a stretch.
pub(super) struct Moments {
    /// The lower triangle, row by row.
    products: Vec<f64>,
    with_targets: Vec<f64>,
    targets: f64,
}

impl Moments {
    pub(super) fn of(targets: &[f64], regressors: &[Regressor], stretch: std::ops::Range<usize>) -> Self {
        let order = regressors.len();
        let parts: Vec<&[f64]> =
            regressors.iter().map(|regressor| &regressor.changes[stretch.clone()]).collect();
        let targets = &targets[stretch];
        let mut products = vec![0.0; order * order];
        for row in 0..order {
            for other in 0..=row {
                products[row * order + other] = dot(parts[row], parts[other]);
            }
        }
        let with_targets = parts.iter().map(|part| dot(part, targets)).collect();
        Self { products, with_targets, targets: dot(targets, targets) }
    }

    /// Adds up the parts, of which there is at least one.
    pub(super) fn sum(parts: &[Self]) -> Self {
        let add = |of: &dyn Fn(&Self) -> &Vec<f64>| -> Vec<f64> {
            (0..of(&parts[0]).len()).map(|place| parts.iter().map(|part| of(part)[place]).sum()).collect()
        };
        Self {
            products: add(&|part| &part.products),
            with_targets: add(&|part| &part.with_targets),
            targets: parts.iter().map(|part| part.targets).sum(),
        }
    }

    pub(super) fn without(&self, part: &Self) -> Self {
        let less = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
        Self {
            products: less(&self.products, &part.products),
            with_targets: less(&self.with_targets, &part.with_targets),
            targets: self.targets - part.targets,
        }
    }

    /// Coefficients of the first `count` regressors under a penalty on their squares (Hoerl and Kennard, Ridge
    /// regression, Technometrics 12 (1970)).
    pub(super) fn solve(&self, count: usize, ridge: f64) -> Option<Vec<f64>> {
        let order = self.with_targets.len();
        let mut matrix = vec![0.0; count * count];
        for row in 0..count {
            let products = &self.products[row * order..=row * order + row];
            matrix[row * count..=row * count + row].copy_from_slice(products);
            matrix[row * count + row] += ridge;
        }
        let mut right = self.with_targets[..count].to_vec();
        solve_positive_definite(&mut matrix, &mut right).then_some(right)
    }

    /// The sum of squared targets.
    pub(super) fn targets(&self) -> f64 {
        self.targets
    }

    /// The sum of squared errors with these coefficients of the first regressors.
    pub(super) fn error(&self, coefficients: &[f64]) -> f64 {
        let order = self.with_targets.len();
        let mut squares = 0.0;
        for (row, b) in coefficients.iter().enumerate() {
            let products = &self.products[row * order..=row * order + row];
            squares += b * (2.0 * dot(&products[..row], &coefficients[..row]) + b * products[row]);
        }
        self.targets - 2.0 * dot(coefficients, &self.with_targets[..coefficients.len()]) + squares
    }
}

/// Uses four sums, which a processor can add in parallel.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours.remainder().iter().zip(others.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours.zip(others) {
        for ((sum, a), b) in sums.iter_mut().zip(a).zip(b) {
            *sum += a * b;
        }
    }
    sums.iter().sum::<f64>() + rest
}
