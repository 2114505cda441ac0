//! Settles which doubtful columns are part of the name of a series: those with a single value in the first rows.

use std::collections::HashMap;

use super::panel::Series;
use super::rows::{SEPARATOR, SeriesColumns};
use crate::Ids;

/// Maximum number of joined series to compare.
const JOINED: usize = 100;
/// Percentage of rows that may share their time with another row.
const REPEATED: usize = 2;

/// The effect on the series of leaving a column out.
enum Without {
    /// The series stay the same.
    Same(Ids),
    /// Some series are merged, and nearly all of their rows have different times.
    Joined,
    /// Some series are merged, and too many of their rows have the same time.
    Confused,
}

/// Removes columns that do not distinguish series from `columns`; `true` if the rows have to be read again, because
/// there are fewer series.
pub(super) fn settle(series: &mut Series, columns: &mut SeriesColumns, doubtful: &[String]) -> bool {
    // Least likely first.
    for name in doubtful.iter().rev() {
        let Some(place) = columns.items.iter().position(|item| item == name) else { continue };
        match without(series, place) {
            Without::Same(_) if columns.items.len() == 1 => {}
            Without::Same(ids) => {
                series.panel.ids = ids;
                columns.items.remove(place);
            }
            Without::Joined => {
                columns.items.remove(place);
                return true;
            }
            Without::Confused => {}
        }
    }
    false
}

fn without(series: &Series, place: usize) -> Without {
    let panel = &series.panel;
    let mut ids = Ids::default();
    let mut members: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, id) in panel.ids.iter().enumerate() {
        let parts = id.split(char::from(SEPARATOR)).enumerate().filter(|(part, _)| *part != place);
        let parts: Vec<&str> = parts.map(|(_, part)| part).collect();
        let rest = parts.join("\0");
        ids.push(&rest);
        members.entry(rest).or_default().push(index);
    }
    let mut joined: Vec<Vec<usize>> = members.into_values().filter(|members| members.len() > 1).collect();
    if joined.is_empty() {
        return Without::Same(ids);
    }
    // The map has them in arbitrary order.
    joined.sort_unstable();
    let (mut rows, mut repeats) = (0, 0);
    for members in joined.into_iter().take(JOINED) {
        let mut times: Vec<i64> =
            members.into_iter().flat_map(|index| panel.series(index).0).copied().collect();
        rows += times.len();
        times.sort_unstable();
        repeats += times.windows(2).filter(|pair| pair[0] == pair[1]).count();
    }
    if repeats * 100 > rows * REPEATED { Without::Confused } else { Without::Joined }
}
