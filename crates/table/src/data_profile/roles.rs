//! The columns that make series: given ones, and those guessed from names and contents.

use super::beginning::Beginning;
use super::naming::{Naming, name_series};
use super::options::GivenRoles;
use super::rows::SeriesColumns;
use super::types::ProfiledRoles;
use super::unreadable;
use crate::detect::{Choice, choose, rank_targets};
use crate::refusals::missing_column;
use crate::{Columns, ReadError};

/// Maximum number of further candidates to report.
const NAMED: usize = 20;

/// Findings from the first rows.
pub(super) struct Found {
    pub(super) roles: ProfiledRoles,
    /// `None` if the time or the target is missing.
    pub(super) columns: Option<SeriesColumns>,
    /// Columns that may not be needed to name the series, likeliest first.
    pub(super) doubtful: Vec<String>,
    /// Why there are no series.
    pub(super) unreadable: Option<String>,
    /// Whether the time column has dates whose year comes last.
    pub(super) has_dates: bool,
}

/// # Errors
///
/// `missing_column` for a given column that does not exist.
pub(super) fn find_roles(beginning: &Beginning, given: &GivenRoles) -> Result<Found, ReadError> {
    let facts = beginning.facts();
    let known = Choice {
        timestamp: locate(beginning, given, given.timestamp.as_ref())?,
        target: locate(beginning, given, given.target.as_ref())?,
        item_id: locate(beginning, given, given.item_id.as_ref())?,
    };
    let name = |place: usize| beginning.names[place].clone();
    if known == Choice::default()
        && let Some(reason) = unreadable::of_header(&facts)
    {
        return Ok(Found {
            roles: ProfiledRoles::default(),
            columns: None,
            doubtful: Vec::new(),
            unreadable: Some(reason),
            has_dates: false,
        });
    }
    let choice = choose(&facts, &known);
    let is_taken = |place: usize| [choice.timestamp, choice.target].contains(&Some(place));
    let Naming { columns: items, doubtful } = match (known.item_id, choice.timestamp) {
        (Some(given), _) => Naming { columns: vec![given], doubtful: Vec::new() },
        (None, Some(timestamp)) => name_series(beginning, &facts, timestamp, choice.item_id, is_taken),
        (None, None) => Naming { columns: choice.item_id.into_iter().collect(), doubtful: Vec::new() },
    };
    let names = |places: Vec<usize>| places.into_iter().take(NAMED).map(name).collect::<Vec<_>>();
    let is_used = |place: usize| is_taken(place) || items.contains(&place);
    let is_time = |place: &usize| !is_used(*place) && facts[*place].is_plainly_timestamp();
    let roles = ProfiledRoles {
        timestamp: choice.timestamp.map(name),
        target: choice.target.map(name),
        item_id: (items.len() == 1).then(|| name(items[0])),
        other_targets: names(rank_targets(&facts, choice.target, is_used)),
        other_timestamps: names((0..facts.len()).filter(is_time).collect()),
    };
    let columns = roles.timestamp.clone().zip(roles.target.clone()).map(|(timestamp, target)| {
        SeriesColumns { timestamp, target, items: items.into_iter().map(name).collect(), date_order: None }
    });
    let unreadable = columns.is_none().then(|| unreadable::of_roles(&facts, &roles));
    let doubtful = doubtful.into_iter().map(name).collect();
    let has_dates = choice.timestamp.is_some_and(|place| beginning.columns[place].has_dates);
    Ok(Found { roles, columns, doubtful, unreadable, has_dates })
}

fn locate(
    beginning: &Beginning,
    given: &GivenRoles,
    name: Option<&String>,
) -> Result<Option<usize>, ReadError> {
    let Some(name) = name else { return Ok(None) };
    let place = beginning.names.iter().position(|other| other == name);
    let columns = || Columns {
        item_id: given.item_id.clone().unwrap_or_default(),
        timestamp: given.timestamp.clone().unwrap_or_default(),
        target: given.target.clone().unwrap_or_default(),
        ..Columns::default()
    };
    match place {
        Some(place) => Ok(Some(place)),
        None => Err(missing_column(name, &columns(), &beginning.names).into()),
    }
}
