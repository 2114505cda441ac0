//! Packs gradient and second derivative of a row into one integer, so that sums are exact and do not depend on their
//! order.
//!
//! Rounding is random (up with the probability of the fraction), hence unbiased; few bits are then enough to find good
//! splits (Shi et al., *Quantized Training of Gradient Boosting Decision Trees*, 2022). Leaf values come from the
//! unrounded numbers.

use rayon::prelude::*;
use tabcast_statistics::random;

/// First and second derivatives of the loss with respect to the margin, one number per row.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gradients {
    pub(crate) first: Vec<f64>,
    /// Empty if all are 1.
    pub(crate) second: Vec<f64>,
}

/// The layout of a packed sum: the gradient in the high bits, the second derivative (never negative) in the low ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Packing {
    shift: u32,
    gradient_unit: f64,
    hessian_unit: f64,
    /// Number of rows that one unit of the second derivative represents.
    rows_per_step: f64,
}

/// Sums over rows in the units of the loss.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sums {
    pub(crate) gradient: f64,
    pub(crate) hessian: f64,
    /// Exact if the second derivative is constant, otherwise estimated from it.
    pub(crate) rows: f64,
}

/// Number of rows that one task packs at a time.
const CHUNK: usize = 16_384;

/// Maximum number of bits per row; more would not improve splits.
const MOST_BITS: u32 = 24;

impl Packing {
    /// Packs the derivatives into `out`, which has an entry for each row of the table. Units suit sums over `rows`; the
    /// entries of other rows are meaningless.
    pub(crate) fn pack(gradients: &Gradients, rows: &[u32], seed: u64, out: &mut [i64]) -> Self {
        let constant = gradients.second.is_empty();
        // A sum of `rows.len()` numbers of b bits has b + counting bits; both sums share 62 bits and signs.
        let counting = usize::BITS - rows.len().leading_zeros();
        let hessian_bits = if constant { 0 } else { ((62 - 2 * counting) / 2).min(MOST_BITS) };
        let gradient_bits = (62 - 2 * counting - hessian_bits).min(MOST_BITS);
        let shift = counting + hessian_bits;
        let largest = |values: &[f64]| {
            let of = |rows: &[u32]| rows.iter().map(|&row| values[row as usize].abs()).fold(0.0, f64::max);
            rows.par_chunks(CHUNK).map(of).reduce(|| 0.0, f64::max)
        };
        let unit =
            |largest: f64, bits: u32| if largest > 0.0 { largest / ((1u64 << bits) - 1) as f64 } else { 1.0 };
        let gradient_unit = unit(largest(&gradients.first), gradient_bits);
        let hessian_unit = if constant { 1.0 } else { unit(largest(&gradients.second), hessian_bits) };
        let (gradient_steps, hessian_steps) = (gradient_unit.recip(), hessian_unit.recip());
        out.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, out)| {
            let start = chunk * CHUNK;
            for (place, out) in out.iter_mut().enumerate() {
                let row = start + place;
                let dice = random::bits(seed, row as u64);
                let gradient = round(gradients.first[row] * gradient_steps, dice >> 32);
                let hessian = gradients
                    .second
                    .get(row)
                    .map_or(1, |&second| round(second * hessian_steps, dice & 0xffff_ffff));
                *out = (gradient << shift) + hessian;
            }
        });
        let mut packing = Self { shift, gradient_unit, hessian_unit, rows_per_step: 1.0 };
        if !constant {
            let total: i64 = rows.par_iter().map(|&row| out[row as usize]).sum();
            packing.rows_per_step = rows.len() as f64 / (packing.hessian_steps(total) as f64).max(1.0);
        }
        packing
    }

    /// A packed sum in the units of the loss.
    #[inline]
    pub(crate) fn sums(&self, packed: i64) -> Sums {
        let steps = self.hessian_steps(packed) as f64;
        Sums {
            gradient: (packed >> self.shift) as f64 * self.gradient_unit,
            hessian: steps * self.hessian_unit,
            rows: steps * self.rows_per_step,
        }
    }

    #[inline]
    fn hessian_steps(&self, packed: i64) -> i64 {
        packed & ((1 << self.shift) - 1)
    }
}

/// Rounds to a neighbouring integer, up if the 32 random bits are below the fraction.
#[inline]
fn round(value: f64, dice: u64) -> i64 {
    // Above zero, truncation rounds down; the baseline instructions have no other way to do that.
    const LIFT: i64 = 1 << 30;
    (value + dice as f64 / 4_294_967_296.0 + LIFT as f64) as i64 - LIFT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_sums_are_exact_for_whole_numbers_and_close_for_others() {
        let count = 20_000;
        let rows: Vec<u32> = (0..count).collect();
        let first: Vec<f64> = rows.iter().map(|&row| random::unit(5, u64::from(row)).ln()).collect();
        let second: Vec<f64> = rows.iter().map(|&row| random::unit(6, u64::from(row))).collect();
        for constant in [false, true] {
            let second = if constant { Vec::new() } else { second.clone() };
            let gradients = Gradients { first: first.clone(), second };
            let mut packed = vec![0; count as usize];
            let packing = Packing::pack(&gradients, &rows, 3, &mut packed);
            let sums = packing.sums(packed.iter().sum());
            let expected: f64 = first.iter().sum();
            assert!((sums.gradient / expected - 1.0).abs() < 1e-4, "{} {expected}", sums.gradient);
            let expected: f64 = if constant { f64::from(count) } else { gradients.second.iter().sum() };
            assert!((sums.hessian / expected - 1.0).abs() < 1e-4);
            assert!((sums.rows - f64::from(count)).abs() < 1e-6);
        }
    }

    #[test]
    fn no_gradient_at_all_packs_to_none() {
        let gradients = Gradients { first: vec![0.0; 3], second: vec![0.0; 3] };
        let mut packed = vec![7; 3];
        let packing = Packing::pack(&gradients, &[0, 1, 2], 3, &mut packed);
        assert_eq!(packing.sums(packed.iter().sum()).gradient, 0.0);
    }
}
