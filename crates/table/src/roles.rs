//! Which columns of a file are read, and for which roles.

use crate::refusals::{column_named_twice, duplicate_column, missing_column};
use crate::{Columns, ContentError};

/// The role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// The item id, which identifies the series.
    ItemId,
    /// An item id beside a hierarchy: it is only checked against the series, and may be absent.
    CheckedId,
    /// A level of the hierarchy, counted from the top.
    Level(usize),
    Timestamp,
    Target,
    /// A covariate, by its index.
    Covariate(usize),
}

/// The requested columns, with their roles.
pub(crate) fn wanted(columns: &Columns) -> Vec<(&str, Role)> {
    let mut wanted = Vec::new();
    if columns.item_id_level().is_none() {
        let role = if columns.hierarchy.is_some() { Role::CheckedId } else { Role::ItemId };
        wanted.push((columns.item_id.as_str(), role));
    }
    wanted.push((columns.timestamp.as_str(), Role::Timestamp));
    wanted.push((columns.target.as_str(), Role::Target));
    let levels = columns.levels().iter().enumerate();
    wanted.extend(levels.map(|(index, name)| (name.as_str(), Role::Level(index))));
    let covariates = columns.covariates.iter().enumerate();
    wanted.extend(covariates.map(|(index, name)| (name.as_str(), Role::Covariate(index))));
    wanted
}

/// Whether the item id is read as a separate column, from a file whose columns have these names.
pub(crate) fn reads_item_id(columns: &Columns, names: &[String]) -> bool {
    columns.hierarchy.is_none() || (columns.item_id_level().is_none() && names.contains(&columns.item_id))
}

/// Positions of the requested columns in a header, in the order of the header.
pub(crate) fn locate(names: &[String], columns: &Columns) -> Result<Vec<(usize, Role)>, Box<ContentError>> {
    let mut roles: Vec<(usize, Role)> = Vec::new();
    for (name, role) in wanted(columns) {
        if role == Role::CheckedId && !reads_item_id(columns, names) {
            continue;
        }
        let mut places = names.iter().enumerate().filter(|(_, other)| *other == name).map(|(index, _)| index);
        let place = places.next().ok_or_else(|| missing_column(name, columns, names))?;
        if places.next().is_some() {
            return Err(duplicate_column(name).into());
        }
        if roles.iter().any(|(other, _)| *other == place) {
            return Err(column_named_twice(name, columns).into());
        }
        roles.push((place, role));
    }
    roles.sort_by_key(|(place, _)| *place);
    Ok(roles)
}
