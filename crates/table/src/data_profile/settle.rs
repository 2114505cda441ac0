//! Columns that the first rows could not tell to be part of the name of a series, because they had one value there.

use std::collections::HashMap;

use super::panel::Series;
use super::rows::{SEPARATOR, SeriesColumns};
use crate::Ids;

/// Series that would be joined are held against each other, up to so many.
const JOINED: usize = 100;
/// Of a hundred rows so many may have the time of another one.
const REPEATED: usize = 2;

/// What becomes of the series once such a column is left out.
enum Without {
    /// They are the same ones.
    Same(Ids),
    /// Some are one series, whose rows have different times.
    Joined,
    /// Rows could not be told apart any more.
    Confused,
}

/// Leaves out of `columns` what does not tell series apart; `true` when the rows have to be read again, because
/// series are fewer then.
pub(super) fn settle(series: &mut Series, columns: &mut SeriesColumns, doubtful: &[String]) -> bool {
    // The least likely first.
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
    // The map has them in any order.
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
