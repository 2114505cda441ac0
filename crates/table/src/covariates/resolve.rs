//! Decides the type of each covariate from the whole file.

use std::collections::{BTreeSet, HashMap, HashSet};

use rayon::prelude::*;

use super::{Cell, Covariate, CovariateValues, MAX_CATEGORIES, MISSING_CATEGORY};
use crate::batch::{Batch, Part};
use crate::number::{Number, parse_number};
use crate::parquet_file::check_text;
use crate::{ContentError, Limits, Warning, shorten};

/// The resolved type of a covariate.
pub(crate) enum Resolved {
    Numbers,
    /// The cells have been replaced by indices into these names.
    Categories(Vec<String>, Option<Mixture>),
    /// The reason; the cells are gone.
    Unusable(String),
}

/// The cells that make a column with numbers categorical.
pub(crate) struct Mixture {
    texts: u64,
    /// 1-based, in the order of the file.
    first_row: u64,
    first_text: String,
}

/// All categories, and the mixture found among them.
type Names = (Vec<String>, Option<Mixture>);

/// Decides the type of covariate `index`, and numbers the texts of all threads in common.
pub(crate) fn resolve(
    parts: &mut [Part],
    index: usize,
    name: &str,
    limits: &Limits,
) -> Result<Resolved, Box<ContentError>> {
    let resolved = if parts.iter().all(|part| !part.texts[index].has_category) {
        let missing = parts.par_iter().all(|part| {
            part.batches
                .iter()
                .flat_map(|batch| &batch.covariates[index])
                .all(|cell| cell.as_number().is_nan())
        });
        if missing {
            Resolved::Unusable(format!("The covariate '{}' has no value, so it is not used", shorten(name)))
        } else {
            Resolved::Numbers
        }
    } else if parts.iter().any(|part| part.texts[index].too_many()) {
        Resolved::Unusable(too_many_categories(name))
    } else {
        match categories(parts, index, name, limits)? {
            Some((names, mixture)) => Resolved::Categories(names, mixture),
            None => Resolved::Unusable(too_many_categories(name)),
        }
    };
    if matches!(resolved, Resolved::Unusable(_)) {
        for batch in parts.iter_mut().flat_map(|part| &mut part.batches) {
            batch.covariates[index] = Vec::new();
        }
    }
    Ok(resolved)
}

impl Resolved {
    /// The covariate of these cells, and a warning if it is not used or only partly used.
    pub(crate) fn finish(
        self,
        name: &str,
        cells: Vec<Cell>,
        infinite: u64,
        rows: usize,
    ) -> (Covariate, Option<Warning>) {
        let (values, warning) = match self {
            Resolved::Numbers => {
                let warning = (infinite > 0).then(|| Warning {
                    code: "infinite_covariate".into(),
                    message: format!(
                        "The covariate '{}' has infinite values; they were taken as missing.",
                        shorten(name)
                    ),
                    count: infinite,
                });
                (CovariateValues::Numbers(cells.into_iter().map(Cell::as_number).collect()), warning)
            }
            Resolved::Categories(names, mixture) => {
                let code = |cell: Cell| cell.as_text().unwrap_or(MISSING_CATEGORY);
                let codes = cells.into_iter().map(code).collect();
                (CovariateValues::Categories { codes, names }, mixture.map(|mixture| mixture.warning(name)))
            }
            Resolved::Unusable(reason) => {
                let warning = Warning {
                    code: "unusable_covariate".into(),
                    message: format!("{reason}."),
                    count: rows as u64,
                };
                (CovariateValues::Unusable { reason }, Some(warning))
            }
        };
        (Covariate { name: name.to_owned(), values }, warning)
    }
}

impl Mixture {
    /// `None` for a column without numbers. `is_category` tells which texts of a part are neither words for a missing
    /// value nor infinite numbers.
    fn of(parts: &[Part], index: usize, is_category: &[Vec<bool>]) -> Option<Mixture> {
        let mut batches: Vec<(&Batch, &Part, &[bool])> = (parts.iter().zip(is_category))
            .flat_map(|(part, is_category)| {
                part.batches.iter().map(move |batch| (batch, part, is_category.as_slice()))
            })
            .collect();
        batches.sort_unstable_by_key(|(batch, ..)| batch.index);
        let (mut texts, mut numbers, mut rows, mut first) = (0, false, 0, None);
        for (batch, part, is_category) in batches {
            for (row, cell) in batch.covariates[index].iter().enumerate() {
                match cell.as_text() {
                    Some(text) if is_category[text as usize] => {
                        texts += 1;
                        first.get_or_insert((rows + row as u64 + 1, part.texts[index].get(text)));
                    }
                    Some(_) => {}
                    None => numbers |= !cell.is_missing(),
                }
            }
            rows += batch.records;
        }
        let (first_row, text) = first.filter(|_| numbers)?;
        Some(Mixture { texts, first_row, first_text: shorten(&String::from_utf8_lossy(text)).into_owned() })
    }

    fn warning(self, name: &str) -> Warning {
        let Mixture { texts, first_row, first_text } = self;
        let cells = if texts == 1 { "1 of its cells is" } else { &format!("{texts} of its cells are") };
        let message = format!(
            "The covariate '{}' has numbers, but {cells} no number, so all its values are used as categories; the \
                first is '{first_text}' in data row {first_row}.",
            shorten(name)
        );
        Warning { code: "mixed_covariate".into(), message, count: texts }
    }
}

/// The names of all categories, with the cells replaced by indices into them, and the mixture in the column; `None` if
/// there are too many.
fn categories(
    parts: &mut [Part],
    index: usize,
    column: &str,
    limits: &Limits,
) -> Result<Option<Names>, Box<ContentError>> {
    let mut names = BTreeSet::new();
    for text in parts.iter().flat_map(|part| part.texts[index].iter()) {
        names.insert(checked_name(text, column, limits)?);
    }
    let mut numbers = HashSet::new();
    for cell in parts.iter().flat_map(|part| &part.batches).flat_map(|batch| &batch.covariates[index]) {
        if cell.as_text().is_none() && !cell.is_missing() && numbers.insert(*cell) {
            names.insert(cell.as_number().to_string());
            if names.len() > MAX_CATEGORIES {
                return Ok(None);
            }
        }
    }
    if names.len() > MAX_CATEGORIES {
        return Ok(None);
    }
    let is_category: Vec<Vec<bool>> = parts
        .iter()
        .map(|part| part.texts[index].iter().map(|text| parse_number(text) == Number::Text).collect())
        .collect();
    let mixture = Mixture::of(parts, index, &is_category);
    let names: Vec<String> = names.into_iter().collect();
    let place = |name: &str| {
        let place = names.binary_search_by(|other| other.as_str().cmp(name));
        place.map_or_else(|_| Cell::missing(), |place| Cell::text(place as u32))
    };
    let numbers: HashMap<Cell, Cell> =
        numbers.into_iter().map(|cell| (cell, place(&cell.as_number().to_string()))).collect();
    for part in parts {
        let texts: Vec<Cell> =
            part.texts[index].iter().map(|text| place(&String::from_utf8_lossy(text))).collect();
        part.batches.par_iter_mut().for_each(|batch| {
            for cell in &mut batch.covariates[index] {
                *cell = match cell.as_text() {
                    Some(text) => texts[text as usize],
                    None => numbers.get(cell).copied().unwrap_or(*cell),
                };
            }
        });
    }
    Ok(Some((names, mixture)))
}

/// Texts of a CSV file were checked when they were read; those of a Parquet file were not.
fn checked_name(text: &[u8], column: &str, limits: &Limits) -> Result<String, Box<ContentError>> {
    match check_text(column, text, limits.max_cell_chars) {
        Some(error) => Err(Box::new(error)),
        None => Ok(String::from_utf8_lossy(text).into_owned()),
    }
}

fn too_many_categories(name: &str) -> String {
    format!("The covariate '{}' has more than {MAX_CATEGORIES} categories, so it is not used", shorten(name))
}
