//! The same mathematics with matrices, and random cases to compare it on.

use tabcast_reconcile::Tree;

use crate::double_double::DoubleDouble;

/// A small generator of numbers that only have to be varied (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Between 0 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    /// Nearly normal, of variance 1.
    pub(crate) fn bell(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }

    pub(crate) fn many(&mut self, count: usize, mut one: impl FnMut(&mut Self) -> f64) -> Vec<f64> {
        (0..count).map(|_| one(self)).collect()
    }
}

/// A tree of up to `most` nodes, with leaves at any depth and chains of single children.
pub(crate) fn random_tree(random: &mut Random, most: usize) -> Tree {
    let nodes = 1 + random.below(most);
    // Deep trees have parents among the latest nodes, flat ones among the first.
    let window = 1 + random.below(nodes);
    let flat = random.below(2) == 0;
    let parents: Vec<Option<usize>> = (0..nodes)
        .map(|node| {
            let reach = node.min(window);
            (node > 0).then(|| if flat { random.below(reach) } else { node - 1 - random.below(reach) })
        })
        .collect();
    Tree::from_parents(&parents).expect("parents stand before their children")
}

/// A matrix, row by row.
#[derive(Clone)]
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) values: Vec<f64>,
}

impl Matrix {
    pub(crate) fn zeros(rows: usize, columns: usize) -> Self {
        Self { rows, columns, values: vec![0.0; rows * columns] }
    }

    pub(crate) fn diagonal(values: &[f64]) -> Self {
        let mut matrix = Self::zeros(values.len(), values.len());
        for (at, &value) in values.iter().enumerate() {
            matrix.set(at, at, value);
        }
        matrix
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    pub(crate) fn set(&mut self, row: usize, column: usize, value: f64) {
        self.values[row * self.columns + column] = value;
    }

    pub(crate) fn transposed(&self) -> Self {
        let mut turned = Self::zeros(self.columns, self.rows);
        for row in 0..self.rows {
            for column in 0..self.columns {
                turned.set(column, row, self.at(row, column));
            }
        }
        turned
    }

    pub(crate) fn times(&self, other: &Self) -> Self {
        let mut product = Self::zeros(self.rows, other.columns);
        for row in 0..self.rows {
            for inner in 0..self.columns {
                let factor = self.at(row, inner);
                if factor != 0.0 {
                    for column in 0..other.columns {
                        product.values[row * other.columns + column] += factor * other.at(inner, column);
                    }
                }
            }
        }
        product
    }

    /// X with self X = right, by elimination with pivots.
    pub(crate) fn solve(&self, right: &Self) -> Self {
        let (mut left, mut right, order) = (self.clone(), right.clone(), self.rows);
        for column in 0..order {
            let pivot = (column..order)
                .max_by(|&one, &other| left.at(one, column).abs().total_cmp(&left.at(other, column).abs()))
                .expect("the column has rows");
            for at in 0..order {
                left.values.swap(column * order + at, pivot * order + at);
            }
            for at in 0..right.columns {
                right.values.swap(column * right.columns + at, pivot * right.columns + at);
            }
            for row in column + 1..order {
                let factor = left.at(row, column) / left.at(column, column);
                if factor != 0.0 {
                    for at in column..order {
                        left.values[row * order + at] -= factor * left.at(column, at);
                    }
                    for at in 0..right.columns {
                        right.values[row * right.columns + at] -= factor * right.at(column, at);
                    }
                }
            }
        }
        for row in (0..order).rev() {
            for at in 0..right.columns {
                let known: f64 =
                    (row + 1..order).map(|below| left.at(row, below) * right.at(below, at)).sum();
                let value = (right.at(row, at) - known) / left.at(row, row);
                right.set(row, at, value);
            }
        }
        right
    }
}

/// Generalised least squares under the constraints `C x = 0`, one for each parent: `y - W C' (C W C')^-1 C y` for every
/// column `y` of `base`. The solution of the system is refined with residuals of twice the digits, because the system
/// of a covariance of many magnitudes loses more digits than the methods under test.
pub(crate) fn project(tree: &Tree, covariance: &Matrix, base: &Matrix) -> Matrix {
    let inner: Vec<usize> = (0..tree.len()).filter(|&node| !tree.is_leaf(node)).collect();
    let mut constraints = Matrix::zeros(inner.len(), tree.len());
    for (row, &node) in inner.iter().enumerate() {
        constraints.set(row, node, 1.0);
        for child in (1..tree.len()).filter(|&child| tree.parent(child) == Some(node)) {
            constraints.set(row, child, -1.0);
        }
    }
    let turned = constraints.transposed();
    let system = constraints.times(&covariance.times(&turned));
    let right = Precise::from(base).times_left(&constraints);
    let taken = |multipliers: &Precise| multipliers.times_left(&turned).times_left(covariance);
    let mut multipliers = Precise::from(&Matrix::zeros(inner.len(), base.columns));
    for _ in 0..4 {
        let rest = right.less(&taken(&multipliers).times_left(&constraints)).rounded();
        multipliers = multipliers.less(&Precise::from(&system.solve(&rest)).negative());
    }
    Precise::from(base).less(&taken(&multipliers)).rounded()
}

/// A matrix of twice the digits.
struct Precise {
    rows: usize,
    columns: usize,
    values: Vec<DoubleDouble>,
}

impl From<&Matrix> for Precise {
    fn from(matrix: &Matrix) -> Self {
        let values = matrix.values.iter().map(|&value| value.into()).collect();
        Self { rows: matrix.rows, columns: matrix.columns, values }
    }
}

impl Precise {
    fn times_left(&self, factors: &Matrix) -> Self {
        let columns = self.columns;
        let mut values = vec![DoubleDouble::default(); factors.rows * columns];
        for row in 0..factors.rows {
            for inner in (0..self.rows).filter(|&inner| factors.at(row, inner) != 0.0) {
                for column in 0..columns {
                    let at = row * columns + column;
                    values[at] = values[at] + self.values[inner * columns + column] * factors.at(row, inner);
                }
            }
        }
        Self { rows: factors.rows, columns, values }
    }

    fn less(&self, other: &Self) -> Self {
        let values = self.values.iter().zip(&other.values).map(|(&one, &other)| one - other).collect();
        Self { values, ..*self }
    }

    fn negative(&self) -> Self {
        let values = self.values.iter().map(|&value| value * -1.0).collect();
        Self { values, ..*self }
    }

    fn rounded(&self) -> Matrix {
        let values = self.values.iter().map(|value| value.rounded()).collect();
        Matrix { rows: self.rows, columns: self.columns, values }
    }
}

/// A shrunk covariance of residuals, nodes x columns with NaN: the mean squares, and beside the diagonal the products
/// of the errors, each node's scaled up to all columns, times 1 - intensity. `intensity` none: by the definition of
/// Schäfer and Strimmer, one pair of nodes after the other.
pub(crate) fn shrunk_covariance(residuals: &[f64], columns: usize) -> (Matrix, f64) {
    let nodes = residuals.len() / columns;
    let row = |node: usize| &residuals[node * columns..][..columns];
    let known = |node: usize| row(node).iter().filter(|error| !error.is_nan()).count() as f64;
    let square = |node: usize| {
        row(node).iter().filter(|error| !error.is_nan()).map(|error| error * error).sum::<f64>()
    };
    let variances: Vec<f64> = (0..nodes).map(|node| square(node) / known(node)).collect();
    let scaled = |node: usize| -> Vec<f64> {
        let factor = (columns as f64 / known(node)).sqrt();
        row(node).iter().map(|error| if error.is_nan() { 0.0 } else { error * factor }).collect()
    };
    let errors: Vec<Vec<f64>> = (0..nodes).map(scaled).collect();
    let length = columns as f64;
    let (mut noise, mut signal) = (0.0, 0.0);
    for one in 0..nodes {
        for other in (0..nodes).filter(|&other| other != one) {
            let scale = (variances[one] * variances[other]).sqrt();
            let products: Vec<f64> =
                errors[one].iter().zip(&errors[other]).map(|(a, b)| a * b / scale).collect();
            let sum: f64 = products.iter().sum();
            let squares: f64 = products.iter().map(|product| product * product).sum();
            noise += (squares - sum * sum / length) / (length * (length - 1.0));
            signal += (sum / length).powi(2);
        }
    }
    let intensity = if signal > 0.0 { (noise / signal).clamp(1e-4, 1.0) } else { 1.0 };
    let mut covariance = Matrix::diagonal(&variances);
    for one in 0..nodes {
        for other in (0..nodes).filter(|&other| other != one) {
            let product: f64 = errors[one].iter().zip(&errors[other]).map(|(a, b)| a * b).sum();
            covariance.set(one, other, (1.0 - intensity) * product / length);
        }
    }
    (covariance, intensity)
}

/// The largest difference, relative to the largest value.
pub(crate) fn difference(found: &[f64], expected: &[f64]) -> f64 {
    let scale = expected.iter().fold(f64::MIN_POSITIVE, |largest, value| largest.max(value.abs()));
    let gap = found.iter().zip(expected).map(|(one, other)| (one - other).abs());
    gap.fold(0.0, |largest, gap| if gap > largest || gap.is_nan() { gap } else { largest }) / scale
}
