//! Finds the columns that name the series of a row.

use std::collections::HashSet;
use std::hash::BuildHasher;

use super::beginning::Beginning;
use super::keys::{Spread, missing};
use crate::detect::{Facts, Telling};

/// Maximum number of columns to try.
const TRIED: usize = 12;
/// Maximum number of columns that together name the series.
const TOGETHER: usize = 6;
/// Percentage of rows that may share series and time with another row.
const REPEATED: usize = 2;

/// Columns that name the series: none (one series), one (the item id), or several together.
#[derive(Debug, Default)]
pub(super) struct Naming {
    pub(super) columns: Vec<usize>,
    /// Columns among them with a single value in the first rows, which all rows have to confirm; likeliest first.
    pub(super) doubtful: Vec<usize>,
}

/// `likely` is the column that looks like an item id; it only counts if the rows confirm it.
pub(super) fn name_series(
    beginning: &Beginning,
    facts: &[Facts],
    timestamp: usize,
    likely: Option<usize>,
    is_taken: impl Fn(usize) -> bool,
) -> Naming {
    let rows = Rows::of(beginning, timestamp);
    let candidates = candidates(facts, timestamp, likely, is_taken);
    let alone = rows.repeats(&[]);
    let is_doubtful = |place: &usize| beginning.is_cut && is_constant(&facts[*place]);
    let constant: Vec<usize> = candidates.iter().copied().filter(is_doubtful).take(TOGETHER).collect();
    if rows.are_few(alone) {
        // The time alone distinguishes the rows: there is one series, or only its beginning was examined.
        let telling = likely.filter(|place| is_plain_id(&facts[*place]) || is_constant(&facts[*place]));
        return Naming::new(telling.into_iter().collect(), constant);
    }
    let mut single: Vec<(usize, usize)> =
        candidates.iter().map(|place| (rows.repeats(&[*place]), *place)).collect();
    let rank = |place: usize| candidates.iter().position(|other| *other == place);
    single.sort_by_key(|(repeats, place)| (if rows.are_few(*repeats) { 0 } else { *repeats }, rank(*place)));
    let Some((mut repeats, first)) = single.first().copied() else { return Naming::default() };
    let mut names = vec![first];
    while !rows.are_few(repeats) && names.len() < TOGETHER {
        let with = |place: usize| names.iter().copied().chain([place]).collect::<Vec<_>>();
        let others = candidates.iter().copied().filter(|place| !names.contains(place));
        let best =
            others.map(|place| (rows.repeats(&with(place)), place)).min_by_key(|(repeats, _)| *repeats);
        match best {
            // A column that hardly distinguishes rows is not part of the name.
            Some((fewer, place)) if fewer * 4 < repeats * 3 => {
                names.push(place);
                repeats = fewer;
            }
            _ => break,
        }
    }
    for place in names.clone() {
        let rest: Vec<usize> = names.iter().copied().filter(|other| *other != place).collect();
        if names.len() > 1 && rows.repeats(&rest) <= repeats {
            names = rest;
        }
    }
    // If nothing distinguishes the rows, only the column's name is left to decide.
    let names = if repeats * 2 > alone { likely.into_iter().collect() } else { names };
    Naming::new(names, constant)
}

impl Naming {
    fn new(mut columns: Vec<usize>, doubtful: Vec<usize>) -> Naming {
        let more = doubtful.iter().filter(|place| !columns.contains(place)).copied().collect::<Vec<_>>();
        columns.extend(more);
        Naming { columns, doubtful }
    }
}

/// Columns that may name series, most likely first.
fn candidates(
    facts: &[Facts],
    timestamp: usize,
    likely: Option<usize>,
    is_taken: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let times = facts[timestamp].distinct;
    let fits = |column: &Facts| {
        let is_comment = Telling::of_item_id(&column.name).is_none() && column.distinct * 2 > column.values;
        column.may_name_series() && !column.numbers_rows(times) && !is_comment
    };
    let mut places: Vec<usize> = (0..facts.len())
        .filter(|place| !is_taken(*place) && (Some(*place) == likely || fits(&facts[*place])))
        .collect();
    places.sort_by_key(|place| {
        let telling = Telling::of_item_id(&facts[*place].name);
        (Some(*place) != likely, telling.is_none(), telling, *place)
    });
    places.truncate(TRIED);
    places
}

fn is_constant(column: &Facts) -> bool {
    column.distinct == 1
}

/// A column name that is only used for series.
fn is_plain_id(column: &Facts) -> bool {
    matches!(Telling::of_item_id(&column.name), Some(Telling::Exactly(place)) if place < 14)
}

/// The rows with a time.
struct Rows<'a> {
    beginning: &'a Beginning,
    times: &'a [u64],
    count: usize,
    spread: Spread,
}

impl<'a> Rows<'a> {
    fn of(beginning: &'a Beginning, timestamp: usize) -> Rows<'a> {
        let times = &beginning.columns[timestamp].keys;
        let count = times.iter().filter(|time| **time != missing()).count();
        Rows { beginning, times, count, spread: Spread::default() }
    }

    fn are_few(&self, repeats: usize) -> bool {
        repeats * 100 <= self.count * REPEATED
    }

    /// Number of rows that share their time and the values of these columns with another row.
    fn repeats(&self, columns: &[usize]) -> usize {
        let columns: Vec<&[u64]> =
            columns.iter().map(|place| self.beginning.columns[*place].keys.as_slice()).collect();
        let mut seen = HashSet::with_capacity_and_hasher(self.count, self.spread.clone());
        for (row, time) in self.times.iter().enumerate().filter(|(_, time)| **time != missing()) {
            let key = columns.iter().fold(*time, |key, column| self.spread.hash_one(key) ^ column[row]);
            seen.insert(key);
        }
        self.count - seen.len()
    }
}
