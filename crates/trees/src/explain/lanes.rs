//! Eight rows side by side, as arrays in memory and as registers.

/// Number of rows side by side: one register of AVX-512, two of AVX2.
pub(super) const LANES: usize = 8;

/// One number per row, aligned so that no load crosses a cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Lanes(pub(super) [f64; LANES]);

/// Lanes in registers. Every implementation gives the same bits, so none uses fused multiply-add.
///
/// Explicit types are needed because the compiler unrolls loops over eight numbers before it vectorises, and then
/// shuffles.
pub(super) trait Pack: Copy {
    /// The same number in all lanes.
    fn splat(value: f64) -> Self;
    /// From memory.
    fn load(lanes: &Lanes) -> Self;
    /// To memory.
    fn store(self, lanes: &mut Lanes);
    /// Sums.
    fn add(self, other: Self) -> Self;
    /// Differences.
    fn sub(self, other: Self) -> Self;
    /// Products.
    fn mul(self, other: Self) -> Self;
    /// 1 where a lane is at most the lane of `other`, otherwise (also for NaN) 0.
    fn at_most(self, other: Self) -> Self;
    /// 0 where a lane is above the lane of `other`, otherwise (also for NaN) 1.
    fn not_above(self, other: Self) -> Self;
    /// `one` where a lane is 1, `zero` where it is 0.
    fn choose(self, one: Self, zero: Self) -> Self;
}

/// Instructions that every processor has.
#[derive(Clone, Copy)]
pub(super) struct Portable([f64; LANES]);

impl Portable {
    #[inline]
    fn zip(self, other: Self, join: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|l| join(self.0[l], other.0[l])))
    }
}

impl Pack for Portable {
    #[inline]
    fn splat(value: f64) -> Self {
        Self([value; LANES])
    }

    #[inline]
    fn load(lanes: &Lanes) -> Self {
        Self(lanes.0)
    }

    #[inline]
    fn store(self, lanes: &mut Lanes) {
        lanes.0 = self.0;
    }

    #[inline]
    fn add(self, other: Self) -> Self {
        self.zip(other, |a, b| a + b)
    }

    #[inline]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline]
    fn at_most(self, other: Self) -> Self {
        self.zip(other, |a, b| if a <= b { 1.0 } else { 0.0 })
    }

    #[inline]
    fn not_above(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { 0.0 } else { 1.0 })
    }

    #[inline]
    fn choose(self, one: Self, zero: Self) -> Self {
        Self(std::array::from_fn(|l| if self.0[l] == 1.0 { one.0[l] } else { zero.0[l] }))
    }
}
