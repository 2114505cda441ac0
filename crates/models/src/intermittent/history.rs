//! Sizes and intervals of the demands in a series.

use crate::Unfit;

/// A unit below this fraction of the largest demand comes from rounding of digits, not from the demand.
const SMALLEST_UNIT: f64 = 1e-5;

/// The demands of a series, without the zeros between them.
pub(super) struct History {
    pub(super) sizes: Vec<f64>,
    /// Steps from the previous demand (or from before the series) to each demand.
    pub(super) intervals: Vec<f64>,
}

impl History {
    pub(super) fn of(values: &[f64]) -> Result<Self, Unfit> {
        if values.iter().any(|&value| value < 0.0) {
            return Err(Unfit { reason: "demand cannot be negative" });
        }
        let (mut sizes, mut intervals) = (Vec::new(), Vec::new());
        let mut since = 0.0;
        for &value in values {
            since += 1.0;
            if value > 0.0 {
                sizes.push(value);
                intervals.push(since);
                since = 0.0;
            }
        }
        Ok(Self { sizes, intervals })
    }

    /// Whether every step has demand.
    pub(super) fn is_continuous(&self, length: usize) -> bool {
        self.sizes.len() == length
    }

    /// The variance of the sizes; a single demand is treated as a draw from an exponential distribution.
    pub(super) fn size_variance(&self) -> f64 {
        if let [size] = self.sizes[..] {
            return size * size;
        }
        let count = self.sizes.len().max(2) as f64;
        let mean = self.sizes.iter().sum::<f64>() / count;
        self.sizes.iter().map(|size| (size - mean) * (size - mean)).sum::<f64>() / (count - 1.0)
    }

    /// The largest number of which all demands are whole multiples; zero if there is no meaningful one. The remainder
    /// of two floating-point numbers is exact, so Euclid's algorithm is too.
    pub(super) fn unit(&self) -> f64 {
        let largest = self.sizes.iter().copied().fold(0.0, f64::max);
        let mut unit = 0.0;
        for &size in &self.sizes {
            let (mut greater, mut rest) = (size, unit);
            while rest > 0.0 {
                (greater, rest) = (rest, greater % rest);
            }
            unit = greater;
            if unit < SMALLEST_UNIT * largest {
                return 0.0;
            }
        }
        unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_intervals_come_from_the_steps_with_demand() {
        let history = History::of(&[0.0, 3.0, 0.0, 0.0, 6.0, 12.0, 0.0]).expect("not negative");
        assert_eq!(
            (&history.sizes[..], &history.intervals[..]),
            (&[3.0, 6.0, 12.0][..], &[2.0, 3.0, 1.0][..])
        );
        assert_eq!((history.unit(), history.size_variance()), (3.0, 21.0));
    }

    #[test]
    fn sizes_of_any_digits_have_no_unit() {
        assert_eq!(History::of(&[0.1, 0.37, 2.213]).expect("not negative").unit(), 0.0);
        assert_eq!(History::of(&[0.0, 0.0]).expect("not negative").unit(), 0.0);
    }
}
