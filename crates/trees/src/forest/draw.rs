//! Random splits of a node's rows by one feature.

use tabcast_statistics::random;

use crate::boosting::binning::Binning;
use crate::boosting::candidate::{BinSet, first_bins, insert};

/// A sequence of random numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, thrown: 0 }
    }

    pub(super) fn bits(&mut self) -> u64 {
        self.thrown += 1;
        random::bits(self.seed, self.thrown)
    }

    /// A number below `of`, for small `of`.
    pub(super) fn below(&mut self, of: usize) -> usize {
        ((u128::from(self.bits()) * of as u128) >> 64) as usize
    }
}

/// A random split of rows with these bins; none if all are in one bin. Missing values go to a random side, or to a side
/// of their own.
pub(super) fn draw_split(binning: &Binning, bins: &[u8], dice: &mut Dice) -> Option<BinSet> {
    if binning.is_categorical() {
        return draw_set(bins, dice);
    }
    let missing = binning.values as u8;
    let (mut least, mut largest, mut any_missing) = (u8::MAX, 0, false);
    for &bin in bins {
        let is_missing = bin == missing;
        any_missing |= is_missing;
        least = least.min(bin);
        largest = largest.max(if is_missing { 0 } else { bin });
    }
    // All values are missing, or all are in one bin.
    if least == missing || (least == largest && !any_missing) {
        return None;
    }
    // A cut after the largest bin separates missing values from all others.
    let places = usize::from(largest - least) + usize::from(any_missing);
    let cut = usize::from(least) + dice.below(places);
    let mut left = first_bins(cut + 1);
    if cut < usize::from(largest) && dice.bits() & 1 == 1 {
        insert(&mut left, missing);
    }
    Some(left)
}

/// A random subset of the categories that occur; missing values count as one.
fn draw_set(bins: &[u8], dice: &mut Dice) -> Option<BinSet> {
    let mut present = BinSet::default();
    for &bin in bins {
        insert(&mut present, bin);
    }
    // Categories that training never saw are in no set.
    present[3] &= !(1 << 63);
    let count: u32 = present.iter().map(|word| word.count_ones()).sum();
    if count < 2 {
        return None;
    }
    // All subsets are equally likely, except the empty and the full one, which separate nothing.
    for _ in 0..16 {
        let drawn: BinSet = present.map(|word| if word == 0 { 0 } else { word & dice.bits() });
        if drawn != BinSet::default() && drawn != present {
            return Some(drawn);
        }
    }
    None
}
