//! Series with their columns, between the input table and the written file.

use rayon::prelude::*;
use tabcast_calendar::Micros;
use tabcast_table::{TextColumn, WantedColumn};

/// Marks a row that was not in the table.
pub(crate) const NO_ROW: u32 = u32::MAX;

/// Rows of series, each sorted by time.
pub(crate) struct Panel {
    pub(crate) ids: Vec<Box<str>>,
    /// Series `i` has the rows `offsets[i]..offsets[i + 1]`.
    pub(crate) offsets: Vec<usize>,
    pub(crate) times: Vec<Micros>,
    /// NaN if missing.
    pub(crate) targets: Vec<f64>,
    pub(crate) covariates: Vec<(String, Values)>,
}

/// Another column of the rows.
pub(crate) enum Values {
    Numbers(Vec<f64>),
    Texts(TextColumn),
}

impl Values {
    /// Combines the cells of `column` for each group of rows: the mean of several numbers, or the first text.
    pub(crate) fn combined(column: &WantedColumn, rows: &Groups) -> Values {
        match column {
            WantedColumn::Numbers(numbers) | WantedColumn::Target(numbers, _) => {
                let of = |places: &[u32]| mean(places.iter().map(|place| numbers[*place as usize]));
                Values::Numbers(rows.par_map(of))
            }
            WantedColumn::Texts(column) => {
                let code = |place: &u32| {
                    Some(column.codes[*place as usize]).filter(|code| *code != TextColumn::MISSING)
                };
                let of = |places: &[u32]| places.iter().find_map(code).unwrap_or(TextColumn::MISSING);
                Values::Texts(TextColumn { codes: rows.par_map(of), texts: column.texts.clone() })
            }
            WantedColumn::Times(..) => unreachable!("times are no covariates"),
        }
    }

    /// The cells of other rows, missing for [`NO_ROW`].
    pub(crate) fn gather(self, rows: &[u32]) -> Values {
        match self {
            Values::Numbers(numbers) => {
                let of = |row: &u32| numbers.get(*row as usize).copied().unwrap_or(f64::NAN);
                Values::Numbers(rows.par_iter().map(of).collect())
            }
            Values::Texts(TextColumn { codes, texts }) => {
                let of = |row: &u32| codes.get(*row as usize).copied().unwrap_or(TextColumn::MISSING);
                Values::Texts(TextColumn { codes: rows.par_iter().map(of).collect(), texts })
            }
        }
    }
}

/// Groups of table rows, each of which becomes one row.
pub(crate) struct Groups<'a> {
    pub(crate) places: &'a [u32],
    /// Start and end of each group among the indices.
    pub(crate) bounds: Vec<(usize, usize)>,
}

impl Groups<'_> {
    fn par_map<T: Send>(&self, of: impl Fn(&[u32]) -> T + Sync + Send) -> Vec<T> {
        self.bounds.par_iter().map(|(from, to)| of(&self.places[*from..*to])).collect()
    }
}

/// The mean of the numbers that are not missing, in their order; NaN without any.
pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = sum(numbers);
    sum / f64::from(count)
}

/// The sum of the numbers that are not missing, in their order, and their number.
pub(crate) fn sum(numbers: impl Iterator<Item = f64>) -> (f64, u32) {
    let known = numbers.filter(|number| !number.is_nan());
    known.fold((0.0, 0), |(sum, count), number| (sum + number, count + 1))
}
