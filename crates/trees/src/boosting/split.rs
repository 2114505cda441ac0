//! The best split of a leaf by one feature.

use super::binning::BinKind;
use super::categories::best_set;
use super::histogram::BinSums;
use super::search::Search;
use crate::boosting::candidate::{Candidate, Node, first_bins, insert};

impl Search<'_> {
    /// The split with the largest gain, the first among equals.
    pub(crate) fn best(&self, feature: usize, bins: &BinSums, node: &Node) -> Option<Candidate> {
        let binning = &self.binnings[feature];
        match binning.kind {
            BinKind::Numeric(_) => self.best_threshold(feature, binning.values, bins, node),
            BinKind::Categorical(_) => best_set(self, feature, binning.values, bins, node),
        }
    }

    fn best_threshold(
        &self,
        feature: usize,
        values: usize,
        bins: &BinSums,
        node: &Node,
    ) -> Option<Candidate> {
        let direction = self.params.direction(feature);
        let missing = bins[values];
        let mut best: Option<Candidate> = None;
        for missing_left in [false, true] {
            if missing_left && missing == 0 {
                break;
            }
            let mut left = if missing_left { missing } else { 0 };
            for (bin, &packed) in bins[..values].iter().enumerate() {
                // An empty bin partitions the rows like the bin before it.
                if packed == 0 {
                    continue;
                }
                left += packed;
                if let Some((gain, middle)) = self.gain(node, left, 0.0, direction)
                    && best.is_none_or(|best| gain > best.gain)
                {
                    // Rows without a missing value leave its direction undetermined; the child with more weight in the
                    // loss gets it.
                    let towards_left =
                        if missing == 0 { self.is_heavier(left, node.packed - left) } else { missing_left };
                    let mut left_bins = first_bins(bin + 1);
                    if towards_left {
                        insert(&mut left_bins, values as u8);
                    }
                    best = Some(Candidate { gain, feature, left_bins, left, middle });
                }
            }
        }
        best
    }
}
