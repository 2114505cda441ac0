//! Columns with nested values.

use std::collections::HashMap;

use super::keys::Spread;

/// Maximum number of columns to try.
const TRIED: usize = 12;

/// A possible level, by the numbers of its values in the order of the series.
pub(super) struct Level {
    pub(super) name: String,
    values: Vec<u32>,
    count: u32,
}

impl Level {
    /// `None` if a series has no value of it.
    pub(super) fn new(name: &str, keys: &[Option<u64>]) -> Option<Level> {
        let mut numbers: HashMap<u64, u32, Spread> = HashMap::default();
        let number = |key: &Option<u64>| {
            let next = numbers.len() as u32;
            key.map(|key| *numbers.entry(key).or_insert(next))
        };
        let values = keys.iter().map(number).collect::<Option<Vec<u32>>>()?;
        Some(Level { name: name.to_owned(), count: numbers.len() as u32, values })
    }

    /// Number of distinct values.
    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Whether each value of `finer` has one value of this column.
    pub(super) fn is_above(&self, finer: &Level) -> bool {
        let mut above: Vec<Option<u32>> = vec![None; finer.count as usize];
        finer
            .values
            .iter()
            .zip(&self.values)
            .all(|(finer, own)| *above[*finer as usize].get_or_insert(*own) == *own)
    }
}

/// The longest chain of columns above `finest`, from the coarsest: each value of a column has exactly one value of the
/// column before it, which has fewer distinct values. `finest` is not in the chain.
///
/// Columns with the same values under other names form one level; the first of them is used.
pub(super) fn levels_above<'a>(candidates: &'a [Level], finest: &Level) -> Vec<&'a Level> {
    let mut fitting: Vec<&Level> = candidates
        .iter()
        .filter(|level| level.count > 1 && level.count < finest.count && level.is_above(finest))
        .take(TRIED)
        .collect();
    fitting.sort_by_key(|level| level.count);
    // The best chain ending with each column.
    let mut chains: Vec<Vec<&Level>> = Vec::new();
    for level in fitting {
        let above = chains.iter().filter(|chain| {
            let last = chain[chain.len() - 1];
            last.count < level.count && last.is_above(level)
        });
        // Among equally long chains, the first.
        let longest = above.rev().max_by_key(|chain| chain.len()).cloned();
        let mut chain = longest.unwrap_or_default();
        chain.push(level);
        chains.push(chain);
    }
    chains.into_iter().rev().max_by_key(Vec::len).unwrap_or_default()
}
