//! The first rows of a table, from which the roles of its columns are guessed.

use std::sync::{Mutex, PoisonError};

use super::keys::{Meaning, NumericTimes, missing, of_cell, said};
use super::places::Places;
use super::tally::Tally;
use crate::detect::{Facts, is_day_number};
use crate::frame::{Stretch, TakeRows, take_rows};
use crate::{ReadError, ReadOptions};

/// Maximum number of first rows.
const ROWS: usize = 100_000;
/// Maximum number of cells in the first rows of a wide table.
const CELLS: usize = 2_000_000;
const FEWEST: usize = 1_000;

/// The first rows, with keys for their values.
#[derive(Debug, Default)]
pub(super) struct Beginning {
    pub(super) names: Vec<String>,
    pub(super) columns: Vec<BegunColumn>,
    pub(super) rows: usize,
    /// Whether the table has more rows.
    pub(super) is_cut: bool,
}

#[derive(Debug, Default)]
pub(super) struct BegunColumn {
    pub(super) tally: Tally,
    /// One per row.
    pub(super) keys: Vec<u64>,
    /// Whether there are dates whose year comes last.
    pub(super) has_dates: bool,
}

impl Beginning {
    /// Reads in the order of the file, so it must run alone in its pool.
    pub(super) fn read(options: &ReadOptions) -> Result<Beginning, ReadError> {
        let taker = Taker::default();
        take_rows(options, &taker)?;
        let Held { mut beginning, places, .. } = taker.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        beginning.names = places.names;
        Ok(beginning)
    }

    pub(super) fn facts(&self) -> Vec<Facts> {
        self.names.iter().zip(&self.columns).map(|(name, column)| column.facts(name)).collect()
    }
}

impl BegunColumn {
    fn facts(&self, name: &str) -> Facts {
        let tally = &self.tally;
        Facts {
            name: name.to_owned(),
            values: tally.cells - tally.nulls(),
            timestamps: tally.timestamps + if self.is_numeric_time() { tally.numbers } else { 0 },
            numbers: tally.numbers,
            whole: tally.whole,
            days: self.day_numbers(),
            distinct: tally.distinct.len() as u64,
        }
    }

    /// Number of numbers that are days written as eight digits.
    fn day_numbers(&self) -> u64 {
        let (mut days, mut last) = (0, (missing(), false));
        for key in &self.keys {
            if *key != last.0 {
                last = (*key, is_day_number(f64::from_bits(*key)));
            }
            days += u64::from(last.1);
        }
        days
    }

    /// Whether all numbers can be read as timestamps.
    fn is_numeric_time(&self) -> bool {
        let mut times = NumericTimes::default();
        let is_whole = self.tally.numbers > 0 && self.tally.whole == self.tally.numbers;
        let is_number = |key: &&u64| f64::from_bits(**key).is_finite();
        is_whole && self.keys.iter().filter(is_number).all(|key| times.of(f64::from_bits(*key)).is_some())
    }
}

#[derive(Default)]
struct Taker(Mutex<Held>);

#[derive(Default)]
struct Held {
    beginning: Beginning,
    places: Places,
    most: usize,
}

impl TakeRows for Taker {
    fn wants(&self, _: &str) -> bool {
        true
    }

    fn take(&self, stretch: &Stretch) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Held { beginning, places, most } = &mut *held;
        if *most == 0 {
            *most = (CELLS / stretch.names.len().max(1)).clamp(FEWEST, ROWS);
        }
        let rows = stretch.rows.min(*most - beginning.rows);
        beginning.is_cut |= rows < stretch.rows;
        let of_stretch = places.of(stretch.names);
        beginning.columns.resize_with(places.names.len(), BegunColumn::default);
        for ((place, cells), texts) in of_stretch.into_iter().zip(stretch.columns).zip(stretch.texts) {
            let column = &mut beginning.columns[place];
            let said = said(texts, None);
            column.keys.resize(beginning.rows, missing());
            column.has_dates |= said.iter().any(|said| said.meaning == Meaning::Timestamp(None));
            column.tally.observe(cells, rows, texts, &said, stretch.index);
            column.keys.extend(cells.iter().take(rows).map(|cell| of_cell(*cell, &said)));
        }
        beginning.rows += rows;
        for column in &mut beginning.columns {
            column.keys.resize(beginning.rows, missing());
        }
    }

    fn has_enough(&self) -> bool {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.beginning.is_cut || (held.most > 0 && held.beginning.rows > held.most)
    }
}
