//! Normal equations: sums of products, all that a linear model needs to know of its rows.

use tabcast_statistics::solve_positive_definite;

/// Sums over rows whose last value is the constant 1.
#[derive(Clone, Debug)]
pub(super) struct Normal {
    width: usize,
    rows: f64,
    /// Products of features, the lower triangle row by row.
    products: Vec<f64>,
    /// Products of features with the target.
    right: Vec<f64>,
    /// Sum of squared targets.
    squares: f64,
}

impl Normal {
    /// The sums of no rows.
    pub(super) fn new(width: usize) -> Self {
        Self { width, rows: 0.0, products: vec![0.0; width * width], right: vec![0.0; width], squares: 0.0 }
    }

    pub(super) fn add(&mut self, row: &[f64], target: f64) {
        self.rows += 1.0;
        self.squares += target * target;
        for (place, &value) in row.iter().enumerate() {
            // Flags are often 0, so skipping zeros saves time.
            if value != 0.0 {
                self.right[place] += value * target;
                let sums = &mut self.products[place * self.width..][..=place];
                sums.iter_mut().zip(row).for_each(|(sum, other)| *sum += value * other);
            }
        }
    }

    /// The sums of both sets of rows.
    pub(super) fn join(&mut self, other: &Self) {
        self.rows += other.rows;
        self.squares += other.squares;
        self.products.iter_mut().zip(&other.products).for_each(|(sum, more)| *sum += more);
        self.right.iter_mut().zip(&other.right).for_each(|(sum, more)| *sum += more);
    }

    /// The coefficients that minimise the squared error plus the penalty, which is `penalty` times the number of rows
    /// times the squared coefficients without the constant's.
    pub(super) fn solve(&self, penalty: f64) -> Option<Vec<f64>> {
        let mut matrix = self.products.clone();
        let constant = self.width - 1;
        for place in 0..constant {
            matrix[place * self.width + place] += penalty * self.rows;
        }
        let mut coefficients = self.right.clone();
        solve_positive_definite(&mut matrix, &mut coefficients).then_some(coefficients)
    }

    /// The squared error of coefficients on these rows.
    pub(super) fn squared_error(&self, coefficients: &[f64]) -> f64 {
        let mut error = self.squares;
        for (place, &factor) in coefficients.iter().enumerate() {
            let sums = &self.products[place * self.width..][..place];
            let below: f64 = sums.iter().zip(coefficients).map(|(sum, other)| sum * other).sum();
            error += factor * (2.0 * below + factor * self.products[place * self.width + place]);
            error -= 2.0 * factor * self.right[place];
        }
        error
    }
}
