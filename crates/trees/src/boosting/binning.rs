//! Maps values to bins, and bins back to thresholds and sets of codes.

use tabcast_statistics::random;

use super::TrainError;
use super::borders::numeric_borders;
use crate::{Feature, FeatureKind};

/// The bin of a category that training never saw. No split sends it left, because no set in a stored tree contains its
/// code.
const UNSEEN: u8 = 255;

/// Codes from here on are refused: bit sets over them would be huge.
const MAX_CODES: f64 = 16_777_216.0;

/// Maps the values of a feature to bins `0..values`; missing values have bin `values`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Binning {
    /// Number of bins for values, at most 254.
    pub(crate) values: usize,
    pub(crate) kind: BinKind,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BinKind {
    /// Ascending thresholds, padded with infinities so that the search has a fixed number of steps.
    Numeric(Box<[f64; 256]>),
    /// The bin of each code.
    Categorical(Vec<u8>),
}

impl Binning {
    /// Finds the bins of a column. `sampled` are the rows used for numeric borders; the limits are the maximum number
    /// of bins, and the minimum number of sampled rows per bin.
    pub(crate) fn new(
        feature: &Feature,
        column: &[f64],
        sampled: &[u32],
        (max_bins, min_bin_rows): (usize, usize),
    ) -> Result<Self, TrainError> {
        match &feature.kind {
            FeatureKind::Numeric => {
                let mut values: Vec<f64> =
                    sampled.iter().map(|&row| feature.seen(column[row as usize])).collect();
                values.retain(|value| !value.is_nan());
                let borders = numeric_borders(&mut values, max_bins, min_bin_rows);
                let mut filled = Box::new([f64::INFINITY; 256]);
                filled[..borders.len()].copy_from_slice(&borders);
                Ok(Self { values: borders.len() + 1, kind: BinKind::Numeric(filled) })
            }
            FeatureKind::Categorical { levels } => categorical(feature, levels.len(), column, max_bins),
        }
    }

    /// The bin of a value.
    #[inline]
    pub(crate) fn bin(&self, value: f64) -> u8 {
        if value.is_nan() {
            return self.values as u8;
        }
        match &self.kind {
            BinKind::Numeric(borders) => {
                let mut below = 0;
                // Eight halvings without a branch; the last border is infinity, which no value exceeds.
                for step in [128, 64, 32, 16, 8, 4, 2, 1] {
                    below += step * usize::from(value > borders[below + step - 1]);
                }
                below as u8
            }
            BinKind::Categorical(bins) if value > -1.0 => bins.get(value as usize).copied().unwrap_or(UNSEEN),
            BinKind::Categorical(_) => UNSEEN,
        }
    }

    /// Whether splits are sets of categories.
    pub(crate) fn is_categorical(&self) -> bool {
        matches!(self.kind, BinKind::Categorical(_))
    }
}

/// A bin per code in order of frequency; if there are too many codes, the rarest share the last bin.
fn categorical(
    feature: &Feature,
    levels: usize,
    column: &[f64],
    max_bins: usize,
) -> Result<Binning, TrainError> {
    let limit = if levels == 0 { MAX_CODES } else { levels as f64 };
    let mut counts: Vec<usize> = vec![0; levels];
    for (row, value) in column.iter().map(|&value| feature.seen(value)).enumerate() {
        if value.is_nan() {
            continue;
        }
        if !(value >= 0.0 && value < limit && value.fract() == 0.0) {
            let name = &feature.name;
            return Err(TrainError::Value(format!("code {value} of feature {name:?} in row {row}")));
        }
        let code = value as usize;
        if code >= counts.len() {
            counts.resize(code + 1, 0);
        }
        counts[code] += 1;
    }
    let mut codes: Vec<usize> = (0..counts.len()).filter(|&code| counts[code] > 0).collect();
    codes.sort_by_key(|&code| std::cmp::Reverse(counts[code]));
    let mut bins = vec![UNSEEN; counts.len()];
    for (rank, &code) in codes.iter().enumerate() {
        bins[code] = rank.min(max_bins - 1) as u8;
    }
    Ok(Binning { values: codes.len().min(max_bins), kind: BinKind::Categorical(bins) })
}

/// Rows used for numeric borders, ascending: all of them, or one from each of `count` equal stretches.
pub(crate) fn sample_rows(rows: usize, count: usize, seed: u64) -> Vec<u32> {
    if rows <= count {
        return (0..rows as u32).collect();
    }
    let start = |stretch: usize| (stretch as u128 * rows as u128 / count as u128) as u64;
    (0..count)
        .map(|at| {
            let (from, to) = (start(at), start(at + 1));
            (from + random::bits(seed, at as u64) % (to - from)) as u32
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bin_is_the_count_of_borders_below_the_value() -> Result<(), TrainError> {
        let column: Vec<f64> = (0..1000).map(f64::from).chain([f64::NAN, f64::INFINITY]).collect();
        let rows = sample_rows(column.len(), 5000, 0);
        let binning = Binning::new(&Feature::numeric("x"), &column, &rows, (254, 3))?;
        assert_eq!(binning.values, 254);
        let BinKind::Numeric(borders) = &binning.kind else { unreachable!("a numeric feature") };
        for value in [-1.0, 0.0, 3.5, 500.0, 999.0, 1e300, f64::INFINITY, f64::NEG_INFINITY] {
            let below = borders[..253].iter().filter(|&&border| border < value).count();
            assert_eq!(usize::from(binning.bin(value)), below, "{value}");
        }
        assert_eq!(binning.bin(f64::NAN), 254);
        Ok(())
    }

    #[test]
    fn the_rarest_of_many_categories_share_a_bin() -> Result<(), TrainError> {
        let column: Vec<f64> = (0..300).chain(10..300).map(f64::from).collect();
        let feature = Feature::categorical("c", Vec::new());
        let binning = Binning::new(&feature, &column, &[], (254, 3))?;
        assert_eq!(binning.values, 254);
        assert!((0..10).all(|code| binning.bin(f64::from(code)) == 253));
        assert_eq!(binning.bin(10.0), 0);
        assert_eq!(binning.bin(300.0), UNSEEN);
        assert_eq!(binning.bin(-1.0), UNSEEN);
        let refused = Binning::new(&feature, &[0.5], &[], (254, 3));
        assert!(matches!(refused, Err(TrainError::Value(_))));
        Ok(())
    }

    #[test]
    fn samples_are_one_row_from_each_stretch() {
        assert_eq!(sample_rows(3, 10, 1), [0, 1, 2]);
        let sampled = sample_rows(1000, 100, 1);
        assert!(sampled.iter().enumerate().all(|(at, &row)| row as usize / 10 == at));
    }
}
