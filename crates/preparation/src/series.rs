//! Assigns rows to series.

use std::collections::{HashMap, HashSet};

use tabcast_table::{
    Columns, ContentError, HierarchyColumns, Kind, TextColumn, WantedColumn, WrongCell, composite_ids,
    shorten, wrong_cells,
};

use crate::Options;
use crate::input::Input;

/// Joins the values of several columns that name a series.
const SEPARATOR: &str = "::";
/// The id of all rows as one series.
const ALL: &str = "all";

/// The series of each row.
pub(crate) struct Naming {
    /// One code per row; codes of unused rows are meaningless.
    pub(crate) ids: TextColumn,
    /// Number of series of all rows.
    pub(crate) before: u64,
}

pub(crate) fn name_series(
    options: &Options,
    input: &Input,
    used: &[bool],
) -> Result<Naming, Box<ContentError>> {
    let columns = &options.columns;
    let is_hierarchy = columns.hierarchy.is_some();
    let names: Vec<String> = match (&columns.hierarchy, &options.preparation.series_columns) {
        (Some(hierarchy), _) => hierarchy.columns.clone(),
        (None, Some(names)) => names.clone(),
        (None, None) => vec![columns.item_id.clone()],
    };
    let levels: Vec<&TextColumn> = names.iter().map(|name| texts(input, name)).collect();
    match levels.as_slice() {
        [] => {
            let ids = TextColumn { codes: vec![0; input.rows], texts: vec![ALL.into()] };
            Ok(Naming { ids, before: 1 })
        }
        [column] if !is_hierarchy => {
            check_named(column, &names[0], used)?;
            Ok(Naming { ids: (*column).clone(), before: column.texts.len() as u64 })
        }
        levels => {
            let is_used = |row: usize| used[row];
            let ids = match &columns.hierarchy {
                Some(_) => composite_ids(levels, columns, is_used)?,
                None => joined_ids(levels, names, columns, is_used)?,
            };
            Ok(Naming { ids, before: distinct(levels) })
        }
    }
}

/// These ids are never split again, so their values may contain the separator as long as no two series get the same id.
fn joined_ids(
    levels: &[&TextColumn],
    names: Vec<String>,
    columns: &Columns,
    is_used: impl Fn(usize) -> bool,
) -> Result<TextColumn, Box<ContentError>> {
    // No cell contains this character.
    let nul = "\0";
    let hierarchy = HierarchyColumns { columns: names, separator: nul.into(), total_label: nul.into() };
    let columns = Columns { hierarchy: Some(hierarchy), ..columns.clone() };
    let suggestion = "Filter these rows out, change their values, or name the series by other columns.";
    let mut ids =
        composite_ids(levels, &columns, is_used).map_err(|error| Box::new(error.suggestion(suggestion)))?;
    let mut seen = HashSet::with_capacity(ids.texts.len());
    for text in &mut ids.texts {
        *text = text.replace(nul, SEPARATOR).into();
        if !seen.insert(text.clone()) {
            let message = format!("Two series would have the same id, '{}'", shorten(text));
            let error = ContentError::new("ambiguous_item_id", Kind::Content, message);
            return Err(Box::new(error.item(text).suggestion(suggestion)));
        }
    }
    Ok(ids)
}

fn texts<'a>(input: &'a Input, name: &str) -> &'a TextColumn {
    match input.column(name) {
        WantedColumn::Texts(column) => column,
        _ => unreachable!("columns that name series are read as texts"),
    }
}

fn check_named(column: &TextColumn, name: &str, used: &[bool]) -> Result<(), Box<ContentError>> {
    let codes = column.codes.iter().zip(used).enumerate();
    let mut without = codes.filter(|(_, (code, used))| **used && **code == TextColumn::MISSING);
    let Some((first, _)) = without.next() else { return Ok(()) };
    let columns = Columns { item_id: name.to_owned(), ..Columns::default() };
    let count = without.count() as u64 + 1;
    Err(Box::new(wrong_cells(WrongCell::ItemId, count, first as u64 + 1, "", &columns)))
}

/// Number of distinct combinations of values.
fn distinct(levels: &[&TextColumn]) -> u64 {
    let mut combined: Vec<u32> = levels[0].codes.clone();
    let mut count = levels[0].texts.len();
    for level in &levels[1..] {
        let mut numbers: HashMap<(u32, u32), u32> = HashMap::new();
        for (number, code) in combined.iter_mut().zip(&level.codes) {
            let next = numbers.len() as u32;
            *number = *numbers.entry((*number, *code)).or_insert(next);
        }
        count = numbers.len();
    }
    count as u64
}
