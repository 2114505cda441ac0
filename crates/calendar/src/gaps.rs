//! Gaps between neighbouring stamps.

use std::collections::HashMap;

use crate::Micros;

/// Number of gaps in a short list that is searched first; regular data has one gap, monthly data four.
const FREQUENT: usize = 8;
/// Maximum number of distinct gaps; a panel with more has no frequency.
const DISTINCT: usize = 65_536;

/// The number of occurrences of each gap.
#[derive(Default)]
pub(crate) struct GapCounts {
    frequent: Vec<(Micros, u64)>,
    rest: HashMap<Micros, u64>,
    pub(crate) total: u64,
}

impl GapCounts {
    /// Counts the gaps within each series.
    pub(crate) fn of(timestamps: &[Micros], offsets: &[usize]) -> GapCounts {
        let mut counts = GapCounts::default();
        for_each_pair(timestamps, offsets, |first, second| counts.add(second - first));
        counts
    }

    fn add(&mut self, gap: Micros) {
        self.total += 1;
        if let Some((_, count)) = self.frequent.iter_mut().find(|(known, _)| *known == gap) {
            *count += 1;
        } else if self.frequent.len() < FREQUENT {
            self.frequent.push((gap, 1));
        } else if self.rest.len() < DISTINCT || self.rest.contains_key(&gap) {
            *self.rest.entry(gap).or_insert(0) += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Micros, u64)> {
        self.frequent.iter().copied().chain(self.rest.iter().map(|(gap, count)| (*gap, *count)))
    }

    /// The most frequent gap; the shortest among equally frequent ones.
    pub(crate) fn modal(&self) -> Option<Micros> {
        self.iter().max_by_key(|(gap, count)| (*count, -gap)).map(|(gap, _)| gap)
    }

    /// Number of gaps within `tolerance` of `gap`.
    pub(crate) fn near(&self, gap: Micros, tolerance: Micros) -> u64 {
        self.iter().filter(|(other, _)| (other - gap).abs() <= tolerance).map(|(_, count)| count).sum()
    }
}

/// The most frequent gap between neighbouring stamps of a panel, laid out as for
/// [`infer_frequency`](crate::infer_frequency); the shortest among equally frequent ones. None if no series has two
/// stamps.
pub fn most_frequent_gap(timestamps: &[Micros], offsets: &[usize]) -> Option<Micros> {
    GapCounts::of(timestamps, offsets).modal()
}

/// Calls `visit` with every pair of neighbouring stamps in each series.
pub(crate) fn for_each_pair(timestamps: &[Micros], offsets: &[usize], mut visit: impl FnMut(Micros, Micros)) {
    for rows in offsets.windows(2) {
        for pair in timestamps[rows[0]..rows[1]].windows(2) {
            visit(pair[0], pair[1]);
        }
    }
}
