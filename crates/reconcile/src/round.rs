use std::fmt::Write;

use crate::tree::{Tree, row};

/// 10^0 to 10^22, the powers of ten that a double represents exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The multiples of a power of ten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecimalGrid {
    /// The power, -323 to 286.
    pub exponent: i32,
}

impl DecimalGrid {
    const LARGEST: f64 = 1e300;

    /// The grid on which a number of this size has 15 digits.
    ///
    /// Numbers below 1e-309 have fewer, because doubles are at least 5e-324 apart.
    fn reaching(largest: f64) -> Option<Self> {
        if largest == 0.0 {
            return Some(Self { exponent: 0 });
        }
        if largest.is_nan() || largest > Self::LARGEST {
            return None;
        }
        // The logarithm would round 999999999999999.9 up to the next power.
        let digits = format!("{largest:e}");
        let magnitude: i32 = digits.split_once('e')?.1.parse().ok()?;
        Some(Self { exponent: (magnitude - 14).max(-323) })
    }

    /// The double nearest to `multiple` x 10^exponent.
    ///
    /// Up to 10^22 one operation on exact numbers rounds correctly (Clinger, How to Read Floating Point Numbers
    /// Accurately, PLDI 1990); beyond that the decimal parser does. `text` is its working memory.
    fn value(self, multiple: i64, text: &mut String) -> f64 {
        let size = self.exponent.unsigned_abs() as usize;
        match EXACT.get(size) {
            Some(power) if self.exponent < 0 => multiple as f64 / power,
            Some(power) => multiple as f64 * power,
            None => {
                text.clear();
                write!(text, "{multiple}e{}", self.exponent).expect("a string takes every text");
                text.parse().expect("digits and an exponent are a number")
            }
        }
    }
}

/// The factors that convert a value to its multiple of a grid. All but one are 1, except on the finest grids, whose
/// 10^323 no double can represent.
struct Scale {
    divisor: f64,
    coarse: f64,
    fine: f64,
}

impl Scale {
    fn of(grid: DecimalGrid) -> Self {
        let shift = -grid.exponent;
        Self {
            divisor: power((-shift).max(0)),
            coarse: power(shift.clamp(0, 300)),
            fine: power((shift - 300).max(0)),
        }
    }

    fn multiple(&self, value: f64) -> i64 {
        (value / self.divisor * self.coarse * self.fine).round() as i64
    }
}

/// 10^exponent, correctly rounded, for a non-negative exponent.
fn power(exponent: i32) -> f64 {
    let parsed = || format!("1e{exponent}").parse().unwrap_or(f64::INFINITY);
    EXACT.get(exponent as usize).copied().unwrap_or_else(parsed)
}

/// Rounds the leaves to the grid on which the largest value has 15 digits, and makes every parent the exact sum of its
/// children: if every number is printed as its shortest decimal, these decimals add up digit by digit.
///
/// A multiple of the grid stays below 4.5e15, where doubles are closer together than the grid, so the shortest decimal
/// of the nearest double is the multiple itself.
///
/// Returns none and changes nothing if a leaf is not finite or a sum is beyond 1e300.
///
/// # Panics
///
/// If `values` does not have `lanes` values per node.
pub fn round_additive(tree: &Tree, values: &mut [f64], lanes: usize) -> Option<DecimalGrid> {
    let grid = DecimalGrid::reaching(largest(tree, values, lanes))?;
    let mut sums = vec![0_i64; tree.inner_end() * lanes];
    let mut text = String::new();
    let scale = Scale::of(grid);
    for node in (0..tree.len()).rev() {
        let parent = tree.parent(node);
        let leaf = tree.is_leaf(node);
        for (lane, value) in values[row(node, lanes)].iter_mut().enumerate() {
            let multiple = if leaf { scale.multiple(*value) } else { sums[node * lanes + lane] };
            *value = grid.value(multiple, &mut text);
            if let Some(parent) = parent {
                let sum = &mut sums[parent * lanes + lane];
                // Partial sums of siblings with different signs may overflow, but the total is in range, so wrapping is
                // exact.
                *sum = sum.wrapping_add(multiple);
            }
        }
    }
    Some(grid)
}

/// The largest |parent - sum of its children| in any lane, as a multiple of the grid on which `values` lie: 0 after
/// [`round_additive`], whatever the order in which the decimals are added.
///
/// # Panics
///
/// If `values` does not have `lanes` values per node.
pub fn missed_units(tree: &Tree, values: &[f64], lanes: usize, grid: DecimalGrid) -> u128 {
    assert_eq!(values.len(), tree.len() * lanes, "not {lanes} values a node");
    let scale = Scale::of(grid);
    // Sums of 64-bit integers over any number of siblings fit.
    let mut left = vec![0_i128; tree.inner_end() * lanes];
    for node in 0..tree.len() {
        for (lane, value) in values[row(node, lanes)].iter().enumerate() {
            let multiple = i128::from(scale.multiple(*value));
            if !tree.is_leaf(node) {
                left[node * lanes + lane] += multiple;
            }
            if let Some(parent) = tree.parent(node) {
                left[parent * lanes + lane] -= multiple;
            }
        }
    }
    left.into_iter().map(i128::unsigned_abs).max().unwrap_or(0)
}

/// The largest absolute value of the leaves and of their sums up the tree; NaN if any is NaN.
fn largest(tree: &Tree, values: &[f64], lanes: usize) -> f64 {
    assert_eq!(values.len(), tree.len() * lanes, "not {lanes} values a node");
    let mut sums = vec![0.0; tree.inner_end() * lanes];
    let mut largest: f64 = 0.0;
    for node in (0..tree.len()).rev() {
        let parent = tree.parent(node);
        let leaf = tree.is_leaf(node);
        for lane in 0..lanes {
            let value: f64 = if leaf { values[node * lanes + lane] } else { sums[node * lanes + lane] };
            // `max` would ignore NaN.
            if value.is_nan() || value.abs() > largest {
                largest = value.abs();
            }
            if largest.is_nan() {
                return largest;
            }
            if let Some(parent) = parent {
                sums[parent * lanes + lane] += value;
            }
        }
    }
    largest
}
