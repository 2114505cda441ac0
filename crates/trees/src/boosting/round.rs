//! What the growers need to know about a round, and the histograms of two children.

use rayon::prelude::*;

use super::histogram::{BinSums, Histogram, accumulate_shared, by_tile, subtract};
use super::search::Search;
use super::table::{Table, Tile};
use crate::boosting::candidate::{Candidate, Node};

/// Bins and gradients of a round, and the features available to its tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Round<'a> {
    pub(crate) table: &'a Table,
    pub(crate) packed: &'a [i64],
    pub(crate) search: Search<'a>,
    pub(crate) allowed: &'a [bool],
}

/// With fewer additions to histograms, starting tasks costs more than it saves.
const LITTLE: usize = 65_536;

impl Round<'_> {
    /// The packed sum of the rows of a histogram.
    pub(crate) fn sum(&self, histogram: &[BinSums]) -> i64 {
        let feature = self.allowed.iter().position(|&allowed| allowed);
        feature.map_or(0, |feature| histogram[feature].iter().sum())
    }

    /// Fills the histograms of some rows.
    pub(crate) fn fill(&self, rows: &[u32], histogram: &mut Histogram) {
        self.by_tiles(rows.len(), histogram, &mut Histogram::new(), |tile, bins, _| {
            self.fill_tile(tile, rows, bins)
        });
    }

    /// Fills the histograms of the smaller child, and turns those of the parent into those of the larger child.
    pub(crate) fn fill_children(&self, rows: &[u32], small: &mut Histogram, large: &mut Histogram) {
        self.by_tiles(rows.len(), small, large, |tile, small, large| {
            if self.fill_tile(tile, rows, small) {
                subtract(large, small);
            }
        });
    }

    /// The best split of a leaf.
    pub(crate) fn best(&self, histogram: &mut Histogram, node: &Node) -> Option<Candidate> {
        let candidates = self.by_tiles(LITTLE, histogram, &mut Histogram::new(), |tile, bins, _| {
            let features = (tile.first..).zip(bins.iter()).filter(|&(feature, _)| self.allowed[feature]);
            first_largest(features.filter_map(|(feature, bins)| self.search.best(feature, bins, node)))
        });
        first_largest(candidates.into_iter().flatten())
    }

    /// Fills the histograms of a tile, unless none of its features is available for splits.
    fn fill_tile(&self, tile: &Tile, rows: &[u32], bins: &mut [BinSums]) -> bool {
        let is_wanted = self.allowed[tile.first..][..tile.width].contains(&true);
        if is_wanted {
            bins.as_flattened_mut().fill(0);
            accumulate_shared(self.table, tile, rows, self.packed, bins);
        }
        is_wanted
    }

    /// Calls `work` for each tile with its part of two histograms (the second may be empty), on several tasks if that
    /// pays.
    fn by_tiles<T: Send>(
        &self,
        rows: usize,
        first: &mut Histogram,
        second: &mut Histogram,
        work: impl Fn(&Tile, &mut [BinSums], &mut [BinSums]) -> T + Sync,
    ) -> Vec<T> {
        let second = if second.is_empty() {
            self.table.tiles.iter().map(|_| Default::default()).collect()
        } else {
            by_tile(self.table, second)
        };
        let parts: Vec<_> = self.table.tiles.iter().zip(by_tile(self.table, first)).zip(second).collect();
        let call =
            |((tile, first), second): ((&Tile, &mut [BinSums]), &mut [BinSums])| work(tile, first, second);
        if rows * self.allowed.len() < LITTLE {
            parts.into_iter().map(call).collect()
        } else {
            parts.into_par_iter().map(call).collect()
        }
    }
}

/// The first candidate with the largest gain.
fn first_largest(candidates: impl Iterator<Item = Candidate>) -> Option<Candidate> {
    candidates.reduce(|best, candidate| if candidate.gain > best.gain { candidate } else { best })
}
