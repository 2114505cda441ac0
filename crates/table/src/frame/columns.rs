//! Reads some columns of a table for given purposes.

use rayon::prelude::*;

use tabcast_calendar::{DateOrder, Decision, Micros};

use super::part::Plan;
use super::read::{read_files, take_rows};
use super::resolve::Raw;
use super::taker::{Stretch, TakeRows};
use super::texts::{Keep, Seen};
use super::{FrameOptions, TextColumn};
use crate::covariates::Cell;
use crate::dates::Dates;
use crate::interner::Interner;
use crate::number::{Number, parse_number};
use crate::read::in_pool;
use crate::zones::Zones;
use crate::{ReadError, Warning};

/// The purpose for which a column is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Times: stamps, and dates whose year comes last in the order that the column shows.
    Times,
    /// Times in unambiguous form: stamps that need no order of dates.
    Stamps,
    /// Names of series: texts byte for byte, and numbers as they print.
    Names,
    /// Targets: numbers.
    Target,
    /// Values of any kind, as for a covariate: numbers if all cells are numbers, otherwise texts.
    Values,
}

/// Cells that do not fit the purpose of their column.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct WrongCells {
    /// Rows, 0-based and ascending, each with the index of its text.
    pub rows: Vec<(usize, u32)>,
    /// The distinct texts.
    pub texts: Vec<Box<str>>,
}

/// A column in the form for its purpose.
#[derive(Debug, Clone, PartialEq)]
pub enum WantedColumn {
    /// One stamp per row; the earliest possible one if the cell is empty or no stamp.
    Times(Vec<Micros>, WrongCells),
    /// One number per row, NaN if there is none; infinite cells and texts are wrong cells.
    Target(Vec<f64>, WrongCells),
    /// A column of values without a text; infinite numbers are missing, `true` and `false` are 1 and 0.
    Numbers(Vec<f64>),
    /// A column of names, or of values with a text.
    Texts(TextColumn),
}

/// Columns of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct WantedColumns {
    /// In the order requested; none for a column that the table lacks.
    pub columns: Vec<Option<WantedColumn>>,
    /// Names of all columns of the table.
    pub names: Vec<String>,
    /// Number of data rows.
    pub rows: usize,
    /// Corrections that were made.
    pub warnings: Vec<Warning>,
}

/// Reads the requested columns, each by its name, from files that form one table.
///
/// Memory is 8 bytes per cell of these columns while reading, 4 per text cell afterwards, and each distinct text of a
/// column once. They may have 250 million cells.
///
/// # Errors
/// As [`read_frame`](crate::read_frame), and for a requested column of an unsupported type.
pub fn read_columns(options: &FrameOptions, wanted: &[(String, Wanted)]) -> Result<WantedColumns, ReadError> {
    in_pool(options.threads, || {
        let keep = |wanted: Wanted| match wanted {
            Wanted::Times | Wanted::Stamps => Keep::Times,
            Wanted::Names => Keep::Names,
            Wanted::Target | Wanted::Values => Keep::Cells,
        };
        let kinds = wanted.iter().map(|(name, wanted)| (name.as_str(), keep(*wanted))).collect();
        let mut table = read_files(&options.as_read(), &Plan { kinds: Some(kinds), ..Plan::default() })?;
        if let Some(error) = wanted.iter().find_map(|(name, _)| table.unreadable.remove(name)) {
            return Err(error.into());
        }
        let rows = table.rows as usize;
        let mut raw: Vec<Option<Raw>> = table.columns.into_iter().map(Some).collect();
        let mut take = |name: &str| table.names.position(name).and_then(|place| raw[place].take());
        let found: Vec<(&String, Wanted, Option<Raw>)> =
            wanted.iter().map(|(name, wanted)| (name, *wanted, take(name))).collect();
        drop(raw);
        let columns: Vec<Option<Made>> = found
            .into_par_iter()
            .map(|(name, wanted, raw)| raw.map(|raw| column(raw, wanted, rows, name)).transpose())
            .collect::<Result<_, _>>()?;
        let mut zones = Zones::default();
        let mut warnings = Vec::new();
        let columns = columns.into_iter().map(|made| {
            made.map(|made| {
                zones.merge(&made.zones);
                warnings.extend(made.warning);
                made.column
            })
        });
        let columns = columns.collect();
        let has_zones = wanted.iter().any(|(_, wanted)| matches!(wanted, Wanted::Times | Wanted::Stamps));
        warnings.extend(zones.warning(rows as u64).filter(|_| has_zones));
        Ok(WantedColumns { columns, names: table.names.to_vec(), rows, warnings })
    })
}

/// Names of all columns of a table, from its first rows only; later JSON objects may have further names.
///
/// # Errors
/// As [`read_frame`](crate::read_frame), as far as the first rows show it.
pub fn column_names(options: &FrameOptions) -> Result<Vec<String>, ReadError> {
    struct Nothing;
    impl TakeRows for Nothing {
        fn wants(&self, _: &str) -> bool {
            false
        }
        fn take(&self, _: &Stretch) {}
        fn has_enough(&self) -> bool {
            true
        }
    }
    in_pool(1, || Ok(take_rows(&options.as_read(), &Nothing)?.names))
}

/// A column under construction.
struct Made {
    column: WantedColumn,
    /// UTC offsets of its stamps.
    zones: Zones,
    warning: Option<Warning>,
}

fn column(raw: Raw, wanted: Wanted, rows: usize, name: &str) -> Result<Made, ReadError> {
    let mut zones = Zones::default();
    for texts in &raw.texts {
        zones.merge(&texts.zones);
    }
    let mut warning = None;
    let column = match wanted {
        Wanted::Times => {
            let dates = dates(&raw);
            let order = match dates.decide() {
                Decision::NotNeeded => None,
                Decision::Order(order) => Some(order),
                Decision::Ambiguous => return Err(dates.ambiguous(name).into()),
            };
            let (times, wrong) = times(&raw, rows, order, &mut zones);
            warning = dates.finish(name).warning;
            WantedColumn::Times(times, wrong)
        }
        Wanted::Stamps => {
            let (times, wrong) = times(&raw, rows, None, &mut zones);
            WantedColumn::Times(times, wrong)
        }
        Wanted::Target => {
            let (numbers, wrong) = target(&raw, rows);
            WantedColumn::Target(numbers, wrong)
        }
        Wanted::Values
            if raw
                .texts
                .iter()
                .all(|texts| (0..texts.len() as u32).all(|text| as_number(texts.get(text)).is_some())) =>
        {
            WantedColumn::Numbers(numbers(&raw, rows))
        }
        Wanted::Names | Wanted::Values => WantedColumn::Texts(raw.into_levels(rows)),
    };
    Ok(Made { column, zones, warning })
}

/// The order of dates shown by the texts of a column; all other cells are stamps.
fn dates(raw: &Raw) -> Dates {
    let mut dates = Dates::default();
    if raw.texts.iter().any(|texts| texts.seen.has(Seen::TIME)) {
        dates.note_typed();
    } else if raw.texts.iter().any(|texts| texts.len() > 0) {
        let mut row = 0;
        raw.for_each(|cell, texts| {
            match cell.as_text() {
                Some(text) => dates.note(row, texts.get(text)),
                None if cell.is_missing() => dates.note(row, b""),
                None => {}
            }
            row += 1;
        });
    }
    dates
}

/// The number for a text, in a column of numbers and such texts alone.
fn as_number(text: &[u8]) -> Option<f64> {
    match parse_number(text) {
        Number::Value(value) => Some(value),
        Number::Null | Number::NonFinite => Some(f64::NAN),
        Number::Text if text.eq_ignore_ascii_case(b"true") => Some(1.0),
        Number::Text if text.eq_ignore_ascii_case(b"false") => Some(0.0),
        Number::Text => None,
    }
}

fn numbers(raw: &Raw, rows: usize) -> Vec<f64> {
    let mut numbers = Vec::with_capacity(rows);
    raw.for_each(|cell, texts| {
        let number = cell.as_text().map(|text| as_number(texts.get(text)).unwrap_or(f64::NAN));
        numbers.push(number.unwrap_or(cell.as_number()));
    });
    numbers
}

fn target(raw: &Raw, rows: usize) -> (Vec<f64>, WrongCells) {
    let mut numbers = Vec::with_capacity(rows);
    let mut wrong = Wrong::default();
    raw.for_each(|cell, texts| {
        if let Some(text) = cell.as_text().map(|text| texts.get(text))
            && parse_number(text) != Number::Null
        {
            wrong.note(numbers.len(), text);
        }
        numbers.push(cell.as_number());
    });
    (numbers, wrong.finish())
}

/// Also counts the UTC offsets of dates that are read in this order.
fn times(raw: &Raw, rows: usize, order: Option<DateOrder>, zones: &mut Zones) -> (Vec<Micros>, WrongCells) {
    let mut times = Vec::with_capacity(rows);
    let mut wrong = Wrong::default();
    raw.for_each(|cell, texts| {
        let text = cell.as_text().map(|text| texts.get(text));
        let dated = text.zip(order).and_then(|(text, order)| order.parse(text));
        if let Some(offset) = dated.and_then(|stamp| stamp.offset_seconds) {
            zones.count(offset, 1);
        }
        times.push(match dated {
            Some(stamp) => stamp.micros,
            None if text.is_some() || cell.is_missing() => {
                wrong.note(times.len(), text.unwrap_or_default());
                Micros::MIN
            }
            None => cell.as_time(),
        });
    });
    (times, wrong.finish())
}

/// Wrong cells while they are collected.
struct Wrong {
    rows: Vec<(usize, u32)>,
    texts: Interner,
}

impl Default for Wrong {
    fn default() -> Wrong {
        Wrong { rows: Vec::new(), texts: Interner::new() }
    }
}

impl Wrong {
    fn note(&mut self, row: usize, text: &[u8]) {
        self.rows.push((row, self.texts.intern(text)));
    }

    fn finish(self) -> WrongCells {
        let text = |number| String::from_utf8_lossy(self.texts.get(number)).into();
        let texts = (0..self.texts.len() as u32).map(text).collect();
        WrongCells { rows: self.rows, texts }
    }
}

impl Raw {
    /// Visits all cells of a column in the order of the file, each with the texts of its part.
    fn for_each(&self, mut visit: impl FnMut(Cell, &super::Texts)) {
        for stretch in &self.stretches {
            let texts = &self.texts[stretch.part];
            for row in 0..stretch.rows {
                visit(stretch.cells.get(row).copied().unwrap_or(Cell::missing()), texts);
            }
        }
    }
}
