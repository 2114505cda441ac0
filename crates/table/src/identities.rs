//! Collects which item ids stand beside which series.

use std::collections::HashSet;

use crate::interner::Interner;

/// The item ids that one thread has read, and the series beside them.
#[derive(Debug)]
pub(crate) struct Identities {
    pub(crate) items: Interner,
    /// The first item id of each series, indexed by the thread's number of the series.
    first: Vec<u32>,
    /// Series with a further item id, together with that id.
    further: HashSet<(u32, u32)>,
    pub(crate) pairs: usize,
}

impl Identities {
    pub(crate) fn new() -> Identities {
        Identities { items: Interner::new(), first: Vec::new(), further: HashSet::new(), pairs: 0 }
    }

    /// Notes a row with both; an empty cell is no item id, and is ignored.
    #[inline]
    pub(crate) fn note(&mut self, series: u32, item: Option<u32>) {
        let Some(item) = item else { return };
        if self.first.get(series as usize) != Some(&item) {
            self.note_other(series, item);
        }
    }

    fn note_other(&mut self, series: u32, item: u32) {
        let place = series as usize;
        if self.first.len() <= place {
            self.first.resize(place + 1, NONE);
        }
        if self.first[place] == NONE {
            self.first[place] = item;
            self.pairs += 1;
        } else if self.further.insert((series, item)) {
            self.pairs += 1;
        }
    }

    /// Number of item ids or of pairs of item id and series, whichever is larger: they take the memory.
    pub(crate) fn len(&self) -> usize {
        self.items.len().max(self.pairs)
    }

    pub(crate) fn pairs(&self) -> impl Iterator<Item = (u32, u32)> {
        let first = self.first.iter().enumerate().filter(|(_, item)| **item != NONE);
        first.map(|(series, item)| (series as u32, *item)).chain(self.further.iter().copied())
    }
}

/// Marks a missing series or item id.
const NONE: u32 = u32::MAX;
