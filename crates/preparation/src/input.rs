//! Reads the required columns.

use tabcast_table::{
    Columns, ContentError, Kind, Wanted, WantedColumn, WantedColumns, Warning, column_names, missing_column,
    missing_listed_column, read_columns,
};

use crate::{Failure, Options};

/// The field of the request that names a column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Role,
    Series,
    Filter,
}

/// The required columns of the table.
pub(crate) struct Input {
    names: Vec<String>,
    columns: Vec<WantedColumn>,
    pub(crate) rows: usize,
    pub(crate) warnings: Vec<Warning>,
}

impl Input {
    pub(crate) fn read(options: &Options) -> Result<Input, Failure> {
        let wanted = wanted(options)?;
        let asked: Vec<(String, Wanted)> =
            wanted.iter().map(|(name, wanted, _)| (name.clone(), *wanted)).collect();
        let WantedColumns { columns, names, rows, warnings } = read_columns(&options.input, &asked)?;
        let mut found = Vec::with_capacity(columns.len());
        for (column, (name, _, place)) in columns.into_iter().zip(&wanted) {
            found.push(column.ok_or_else(|| missing(name, *place, &options.columns, &names))?);
        }
        let names = asked.into_iter().map(|(name, _)| name).collect();
        Ok(Input { names, columns: found, rows, warnings })
    }

    /// A requested column.
    ///
    /// # Panics
    ///
    /// If it was not requested.
    pub(crate) fn column(&self, name: &str) -> &WantedColumn {
        let place = self.names.iter().position(|other| other == name);
        &self.columns[place.expect("the column was asked for")]
    }
}

/// Checks that the columns exist, without reading the rows.
pub(crate) fn check_names(options: &Options) -> Result<(), Failure> {
    let wanted = wanted(options)?;
    let names = column_names(&options.input)?;
    match wanted.iter().find(|(name, ..)| !names.contains(name)) {
        Some((name, _, place)) => Err(missing(name, *place, &options.columns, &names).into()),
        None => Ok(()),
    }
}

fn missing(name: &str, place: Place, columns: &Columns, names: &[String]) -> ContentError {
    match place {
        Place::Role => missing_column(name, columns, names),
        Place::Series => missing_listed_column(name, "the columns that name the series", names),
        Place::Filter => missing_listed_column(name, "filters", names),
    }
}

/// Every column once, read for the first of its uses.
fn wanted(options: &Options) -> Result<Vec<(String, Wanted, Place)>, Failure> {
    let Options { columns, preparation, .. } = options;
    let mut wanted: Vec<(String, Wanted, Place)> = Vec::new();
    let mut add = |name: &String, kind: Wanted, place: Place| {
        let known = wanted.iter().find(|(other, ..)| other == name).map(|(_, known, _)| *known);
        if known.is_none() {
            wanted.push((name.clone(), kind, place));
        }
        // A column of names may also be a covariate, and any column may be filtered.
        let is_role_twice = known.is_some_and(|known| kind != Wanted::Values && known != kind);
        if is_role_twice { Err(Box::new(named_twice(name))) } else { Ok(()) }
    };
    add(&columns.timestamp, Wanted::Times, Place::Role)?;
    add(&columns.target, Wanted::Target, Place::Role)?;
    if let Some(hierarchy) = &columns.hierarchy {
        hierarchy.columns.iter().try_for_each(|name| add(name, Wanted::Names, Place::Role))?;
    }
    match &preparation.series_columns {
        Some(names) => names.iter().try_for_each(|name| add(name, Wanted::Names, Place::Series))?,
        None if columns.hierarchy.is_none() => add(&columns.item_id, Wanted::Names, Place::Role)?,
        None => {}
    }
    for name in &columns.covariates {
        if *name == columns.timestamp || *name == columns.target || *name == columns.item_id {
            return Err(named_twice(name).into());
        }
        add(name, Wanted::Values, Place::Role)?;
    }
    for filter in &preparation.filters {
        // Ids are texts whether or not they name the series.
        let is_id = filter.column == columns.item_id;
        add(&filter.column, if is_id { Wanted::Names } else { Wanted::Values }, Place::Filter)?;
    }
    Ok(wanted)
}

fn named_twice(name: &str) -> ContentError {
    ContentError::new("duplicate_column", Kind::Content, format!("The column '{name}' is asked for twice"))
        .column(name)
        .suggestion("Name another column, or leave it out of one of the two.")
}
