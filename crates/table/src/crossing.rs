//! Values of a hierarchy that occur below more than one parent.

use memchr::memmem;
use rayon::prelude::*;

use crate::composite::place_of_level;
use crate::interner::Interner;
use crate::{HierarchyColumns, Ids, Warning, shorten};

/// Warns about values that occur below more than one parent path; each becomes a separate node below each parent. That
/// is right for columns that cross each other, such as shops and products, and wrong for names that were meant to be
/// one.
///
/// Each level is examined separately over the sorted ids, in which all series below a node are adjacent. Memory holds
/// the distinct values of one level for each thread of the current pool.
pub(crate) fn warning(ids: &Ids, hierarchy: &HierarchyColumns) -> Option<Warning> {
    let levels = (1..hierarchy.columns.len()).into_par_iter();
    let levels: Vec<Crossed> = levels.map(|level| crossed_values(ids, level, &hierarchy.separator)).collect();
    let crossed: u64 = levels.iter().map(|level| level.count).sum();
    let mut first = levels.into_iter().zip(&hierarchy.columns[1..]);
    let (value, column) = first.find_map(|(level, column)| level.first.map(|value| (value, column)))?;
    let values = if crossed == 1 {
        "1 value of the hierarchy stands"
    } else {
        &format!("{crossed} values of the hierarchy stand")
    };
    let message = format!(
        "{values} below more than one parent, the first of them '{}' of column '{}'; below each parent it is a node \
            of its own",
        shorten(&value),
        shorten(column),
    );
    Some(Warning { code: "crossed_hierarchy".into(), message, count: crossed })
}

#[derive(Default)]
struct Crossed {
    count: u64,
    /// The value whose second parent comes first.
    first: Option<String>,
}

fn crossed_values(ids: &Ids, level: usize, separator: &str) -> Crossed {
    let finder = memmem::Finder::new(separator);
    let mut values = Interner::new();
    // Indexed by the number of the value.
    let mut is_crossed: Vec<bool> = Vec::new();
    let mut crossed = Crossed::default();
    let mut last: &[u8] = &[];
    for id in ids.iter().map(str::as_bytes) {
        let place = place_of_level(id, level, &finder);
        let node = &id[..place.end];
        if node == last {
            continue;
        }
        last = node;
        let value = &id[place];
        let number = values.intern(value) as usize;
        match is_crossed.get_mut(number) {
            None => is_crossed.push(false),
            Some(true) => {}
            Some(is_crossed) => {
                *is_crossed = true;
                crossed.count += 1;
                let text = || String::from_utf8_lossy(value).into_owned();
                crossed.first.get_or_insert_with(text);
            }
        }
    }
    crossed
}
