//! Merges the ids of several threads into one sorted list.

use rayon::prelude::*;

use crate::Ids;
use crate::interner::Interner;

/// Distinct ids in byte order.
pub(crate) struct Numbering {
    pub(crate) ids: Ids,
    /// For each interner, indexed by its own numbers: the index in the merged list.
    pub(crate) places: Vec<Vec<u32>>,
}

/// Sorts the ids of all interners and returns their new indices.
pub(crate) fn number(interners: &[&Interner]) -> Numbering {
    struct Entry {
        /// The first eight bytes, which decide almost every comparison without reading the id itself.
        prefix: u64,
        interner: u32,
        number: u32,
    }
    let mut entries: Vec<Entry> = Vec::with_capacity(interners.iter().map(|interner| interner.len()).sum());
    for (index, interner) in interners.iter().enumerate() {
        entries.extend((0..interner.len() as u32).map(|number| {
            let id = interner.get(number);
            let mut prefix = [0; 8];
            let length = id.len().min(8);
            prefix[..length].copy_from_slice(&id[..length]);
            Entry { prefix: u64::from_be_bytes(prefix), interner: index as u32, number }
        }));
    }
    let id = |entry: &Entry| interners[entry.interner as usize].get(entry.number);
    entries.par_sort_unstable_by(|left, right| {
        let order = left.prefix.cmp(&right.prefix).then_with(|| id(left).cmp(id(right)));
        order.then(left.interner.cmp(&right.interner))
    });
    let mut ids = Ids::default();
    let mut places: Vec<Vec<u32>> = interners.iter().map(|interner| vec![0; interner.len()]).collect();
    let mut previous: Option<&[u8]> = None;
    for entry in &entries {
        let text = id(entry);
        if previous != Some(text) {
            // Ids were checked when they were read, so this loses nothing.
            ids.push(&String::from_utf8_lossy(text));
            previous = Some(text);
        }
        places[entry.interner as usize][entry.number as usize] = ids.len() as u32 - 1;
    }
    Numbering { ids, places }
}
