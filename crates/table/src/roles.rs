//! Which columns of a file are read, and what for.

use crate::read::{column_named_twice, duplicate_column, missing_column};
use crate::{Columns, ContentError};

/// What a column is read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    ItemId,
    Timestamp,
    Target,
    /// By its place among the covariates.
    Covariate(usize),
}

/// The columns asked for, with their roles.
pub(crate) fn wanted(columns: &Columns) -> Vec<(&str, Role)> {
    let mut wanted = vec![
        (columns.item_id.as_str(), Role::ItemId),
        (columns.timestamp.as_str(), Role::Timestamp),
        (columns.target.as_str(), Role::Target),
    ];
    let covariates = columns.covariates.iter().enumerate();
    wanted.extend(covariates.map(|(index, name)| (name.as_str(), Role::Covariate(index))));
    wanted
}

/// Places of the columns asked for among the names of a header, in the order of the header.
pub(crate) fn locate(names: &[String], columns: &Columns) -> Result<Vec<(usize, Role)>, Box<ContentError>> {
    let mut roles: Vec<(usize, Role)> = Vec::new();
    for (name, role) in wanted(columns) {
        let mut places = names.iter().enumerate().filter(|(_, other)| *other == name).map(|(index, _)| index);
        let place = places.next().ok_or_else(|| missing_column(name, columns, names))?;
        if places.next().is_some() {
            return Err(duplicate_column(name).into());
        }
        if roles.iter().any(|(other, _)| *other == place) {
            return Err(column_named_twice(name).into());
        }
        roles.push((place, role));
    }
    roles.sort_by_key(|(place, _)| *place);
    Ok(roles)
}
