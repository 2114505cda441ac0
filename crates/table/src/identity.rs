//! Checks that item ids beside the columns of a hierarchy are one-to-one with its series.

use memchr::memmem;

use crate::batch::Part;
use crate::composite::place_of_level;
use crate::interner::Interner;
use crate::numbering::{Numbering, number};
use crate::refusals::too_many_series;
use crate::{ContentError, HierarchyColumns, Ids, Kind, Limits, shorten};

/// Maximum number of item ids in a message, and of series for each of them.
const NAMED: usize = 5;
const NAMED_SERIES: usize = 2;

/// The error if the item ids beside the series are not one-to-one with them.
///
/// # Errors
///
/// If there are more item ids than series are allowed: then reading stopped early, and nothing else is known.
pub(crate) fn find_ambiguous(
    parts: &[Part],
    series: &Numbering,
    column: &str,
    limits: &Limits,
) -> Result<Option<ContentError>, Box<ContentError>> {
    let interners: Vec<&Interner> = parts.iter().map(|part| &part.identities.items).collect();
    let items = number(&interners);
    let mut pairs = Vec::with_capacity(parts.iter().map(|part| part.identities.pairs).sum());
    for ((part, items), series) in parts.iter().zip(&items.places).zip(&series.places) {
        let known = part.identities.pairs();
        pairs.extend(known.map(|(one, item)| (items[item as usize], series[one as usize])));
    }
    pairs.sort_unstable();
    pairs.dedup();
    if items.ids.len().max(pairs.len()) > limits.max_series {
        return Err(too_many_series(limits.max_series).into());
    }
    Ok(ambiguous(&items.ids, &pairs, &series.ids, column))
}

/// The same check if the item ids are the values of a level of the hierarchy.
pub(crate) fn find_ambiguous_level(
    ids: &Ids,
    level: usize,
    hierarchy: &HierarchyColumns,
) -> Option<ContentError> {
    let separator = memmem::Finder::new(&hierarchy.separator);
    let mut values = Interner::new();
    let value_of = |id: &str| values.intern(&id.as_bytes()[place_of_level(id.as_bytes(), level, &separator)]);
    let numbers: Vec<u32> = ids.iter().map(value_of).collect();
    if values.len() == ids.len() {
        return None;
    }
    let items = number(&[&values]);
    let places = numbers.into_iter().map(|number| items.places[0][number as usize]);
    let mut pairs: Vec<(u32, u32)> = places.zip(0..).collect();
    pairs.sort_unstable();
    ambiguous(&items.ids, &pairs, ids, &hierarchy.columns[level])
}

/// The error for the sorted pairs of item and series that share an item or a series with another pair.
fn ambiguous(items: &Ids, pairs: &[(u32, u32)], series: &Ids, column: &str) -> Option<ContentError> {
    let mut sharing = vec![0_u32; series.len()];
    for (_, series) in pairs {
        sharing[*series as usize] += 1;
    }
    let concerned = || {
        let by_item = pairs.chunk_by(|left, right| left.0 == right.0);
        by_item.filter(|pairs| pairs.len() > 1 || sharing[pairs[0].1 as usize] > 1)
    };
    let first = items.get(concerned().next()?[0].0 as usize);
    let count = concerned().count();
    let named = concerned().take(NAMED).map(|pairs| {
        let of = pairs.iter().take(NAMED_SERIES);
        let of: Vec<_> = of.map(|pair| format!("'{}'", shorten(series.get(pair.1 as usize)))).collect();
        let more = if pairs.len() > NAMED_SERIES { " and more" } else { "" };
        format!("'{}' with {}{more}", shorten(items.get(pairs[0].0 as usize)), of.join(", "))
    });
    let (items, verb) = if count == 1 { ("item id", "is") } else { ("item ids", "are") };
    let message = format!(
        "{count} {items} of column '{}' {verb} not one-to-one with the series of the hierarchy: {}{}",
        shorten(column),
        named.collect::<Vec<_>>().join("; "),
        if count > NAMED { "; and more" } else { "" },
    );
    let error = ContentError::new("ambiguous_item_id", Kind::Content, message).column(column).item(first);
    Some(error.count(count as u64).suggestion(
        "The hierarchy columns identify the series: set item_id_column to no column of the file, or give each \
            combination of their values an item id of its own.",
    ))
}
