//! A column of the table as a single column, for analyses of columns rather than features.

use tabcast_explain::Values;
use tabcast_table::{Frame, FrameColumn};

use super::dates::stamps;
use super::levels::Levels;
use super::readers::numbers;
use super::text::lengths;
use crate::Role;

const DAY: f64 = 86_400e6;

/// The cells of some rows: numbers unchanged, dates as days since 1970, sentences as their number of characters,
/// anything else as levels, most frequent first. None if the column is no feature.
pub(crate) fn source(frame: &Frame, column: usize, role: Role, rows: &[u32]) -> Option<Values> {
    let levels = || {
        let levels = Levels::fit(frame, column, rows);
        Values::Levels { codes: levels.of(frame, rows), names: levels.names(frame, levels.len()) }
    };
    let is_text = matches!(frame.columns[column], FrameColumn::Texts(_));
    Some(match role {
        Role::Boolean if is_text => levels(),
        Role::Number | Role::Boolean => Values::Numbers(numbers(frame, column, rows)),
        Role::Category | Role::HighCardinality => levels(),
        Role::Date => {
            let days = |stamp: Option<i64>| stamp.map_or(f64::NAN, |micros| micros as f64 / DAY);
            Values::Numbers(stamps(frame, column, rows).into_iter().map(days).collect())
        }
        Role::Text => {
            let [characters, _words] = lengths(frame, column, rows);
            Values::Numbers(characters)
        }
        Role::Identifier | Role::Constant | Role::Empty | Role::Duplicate { .. } | Role::Label => {
            return None;
        }
    })
}
