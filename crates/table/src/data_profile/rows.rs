//! Reads all rows: counts every column, and collects the series with their targets.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tabcast_calendar::{DateOrder, Micros};

use super::keys::{Meaning, NumericTimes, Said, said};
use super::places::{Places, find};
use super::tally::Tally;
use crate::batch::{Batch, Part};
use crate::covariates::Cell;
use crate::frame::{Stretch, TakeRows, Taken, Texts, take_rows};
use crate::{Columns, Limits, ReadError, ReadOptions};

/// Separates the values of several columns that together name a series; no text cell contains it.
pub(super) const SEPARATOR: u8 = 0;
/// Marks a row that belongs to no series.
const NONE: u32 = u32::MAX;

/// Names of the columns that make series.
#[derive(Debug, Clone)]
pub(super) struct SeriesColumns {
    pub(super) timestamp: String,
    pub(super) target: String,
    /// Empty: one series.
    pub(super) items: Vec<String>,
    /// The order of dates in the time column whose year comes last.
    pub(super) date_order: Option<DateOrder>,
}

/// Results over all rows.
pub(super) struct AllRows {
    pub(super) table: Taken,
    /// One per column.
    pub(super) tallies: Vec<Tally>,
    /// Rows of the series, as the threads read them.
    pub(super) parts: Vec<Part>,
    pub(super) rows: u64,
}

/// Reads all rows; with `series`, keeps the rows that have a time and a name.
pub(super) fn read_all(options: &ReadOptions, series: Option<&SeriesColumns>) -> Result<AllRows, ReadError> {
    let hands = (0..rayon::current_num_threads()).map(|_| Mutex::new(Hand::default())).collect();
    let taker = Taker { series, limits: &options.limits, hands, is_full: AtomicBool::new(false) };
    let table = take_rows(options, &taker)?;
    let mut tallies: Vec<Tally> = table.names.iter().map(|_| Tally::default()).collect();
    let (mut parts, mut rows) = (Vec::new(), 0);
    for hand in taker.hands {
        let hand = hand.into_inner().unwrap_or_else(PoisonError::into_inner);
        for (name, tally) in hand.places.names.iter().zip(hand.tallies) {
            if let Some(place) = find(&table.names, name) {
                tallies[place].append(tally);
            }
        }
        parts.push(hand.part);
        rows += hand.rows;
    }
    for tally in &mut tallies {
        tally.skip(rows - tally.cells);
    }
    Ok(AllRows { table, tallies, parts, rows })
}

struct Taker<'a> {
    series: Option<&'a SeriesColumns>,
    limits: &'a Limits,
    /// One per thread.
    hands: Vec<Mutex<Hand>>,
    /// Set if there are more series than allowed.
    is_full: AtomicBool,
}

/// The state of one thread.
struct Hand {
    places: Places,
    tallies: Vec<Tally>,
    part: Part,
    rows: u64,
}

impl Default for Hand {
    fn default() -> Hand {
        let part = Part::new(&Columns::default());
        Hand { places: Places::default(), tallies: Vec::new(), part, rows: 0 }
    }
}

impl TakeRows for Taker<'_> {
    fn wants(&self, _: &str) -> bool {
        true
    }

    fn take(&self, stretch: &Stretch) {
        // Outside the pool there is only one thread.
        let hand = &self.hands[rayon::current_thread_index().unwrap_or(0)];
        let mut hand = hand.lock().unwrap_or_else(PoisonError::into_inner);
        let Hand { places, tallies, part, rows } = &mut *hand;
        *rows += stretch.rows as u64;
        let places = places.of(stretch.names);
        let most = places.iter().map(|place| place + 1).max().unwrap_or(0).max(tallies.len());
        tallies.resize_with(most, Tally::default);
        let order = self.series.and_then(|series| series.date_order);
        let said: Vec<Vec<Said>> = stretch.texts.iter().map(|texts| said(texts, order)).collect();
        for (column, place) in places.iter().enumerate() {
            let (cells, texts) = (&stretch.columns[column], &stretch.texts[column]);
            tallies[*place].observe(cells, stretch.rows, texts, &said[column], stretch.index);
        }
        let Some(series) = self.series else { return };
        let items = keep_rows(stretch, &said, series, part);
        if part.has_too_many(self.limits) {
            self.is_full.store(true, Ordering::Relaxed);
        }
        for (column, place) in places.into_iter().enumerate() {
            let tally = &mut tallies[place];
            tally.varies = tally.varies || varies(&stretch.columns[column], &items);
        }
    }

    fn has_enough(&self) -> bool {
        self.is_full.load(Ordering::Relaxed)
    }
}

/// Whether a column has two values in consecutive rows of one series.
fn varies(cells: &[Cell], items: &[u32]) -> bool {
    let neighbours = cells.windows(2).zip(items.windows(2));
    neighbours.into_iter().any(|(cells, items)| {
        cells[0] != cells[1]
            && items[0] == items[1]
            && items[0] != NONE
            && !cells[0].is_missing()
            && !cells[1].is_missing()
    })
}

/// Keeps the rows that have a time, a series and a target that is a number or empty; returns the series of each row.
fn keep_rows(stretch: &Stretch, said: &[Vec<Said>], series: &SeriesColumns, part: &mut Part) -> Vec<u32> {
    let mut items = vec![NONE; stretch.rows];
    let mut reader = RowReader::new(stretch, said, series);
    let mut batch = Batch::with_capacity(stretch.index, stretch.rows, 0);
    batch.records = stretch.rows as u64;
    for (row, kept) in items.iter_mut().enumerate() {
        let (Some(time), Some(target)) = (reader.time(row), reader.target(row)) else { continue };
        if let Some(item) = reader.item(row, |id| part.interner.intern(id)) {
            batch.push(item, time, target);
            *kept = item;
        }
    }
    part.batches.push(batch);
    items
}

/// Reads times, targets and series of a stretch.
pub(super) struct RowReader<'a> {
    stretch: &'a Stretch<'a>,
    said: &'a [Vec<Said>],
    timestamp: Option<usize>,
    target: Option<usize>,
    items: Vec<(&'a [Cell], &'a Texts)>,
    /// Whether all columns that name the series exist.
    is_named: bool,
    times: NumericTimes,
    /// The last row that was looked up, and its series.
    last: Option<(usize, u32)>,
    id: Vec<u8>,
}

impl<'a> RowReader<'a> {
    pub(super) fn new(
        stretch: &'a Stretch<'a>,
        said: &'a [Vec<Said>],
        series: &SeriesColumns,
    ) -> RowReader<'a> {
        let places: Vec<usize> = series.items.iter().filter_map(|name| find(stretch.names, name)).collect();
        RowReader {
            stretch,
            said,
            timestamp: find(stretch.names, &series.timestamp),
            target: find(stretch.names, &series.target),
            is_named: places.len() == series.items.len(),
            items: places
                .into_iter()
                .map(|place| (stretch.columns[place].as_slice(), &stretch.texts[place]))
                .collect(),
            times: NumericTimes::default(),
            last: None,
            id: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn time(&mut self, row: usize) -> Option<Micros> {
        let column = self.timestamp?;
        let cell = self.stretch.cell(column, row);
        match cell.as_text() {
            Some(text) => match self.said[column][text as usize].meaning {
                Meaning::Timestamp(time) => time,
                _ => None,
            },
            None if cell.is_missing() => None,
            None => self.times.of(cell.as_number()),
        }
    }

    /// NaN if the target is empty; `None` if it is no number.
    #[inline]
    fn target(&self, row: usize) -> Option<f64> {
        let Some(column) = self.target else { return Some(f64::NAN) };
        let cell = self.stretch.cell(column, row);
        match cell.as_text().map(|text| self.said[column][text as usize].meaning) {
            None => Some(cell.as_number()),
            Some(Meaning::Word) => Some(f64::NAN),
            Some(_) => None,
        }
    }

    /// The series of a row, by its id; `None` if a part of the id is missing.
    #[inline]
    pub(super) fn item(&mut self, row: usize, number: impl FnOnce(&[u8]) -> u32) -> Option<u32> {
        let cell = |cells: &[Cell], row: usize| cells.get(row).copied().unwrap_or(Cell::missing());
        if let Some((last, item)) = self.last
            && self.items.iter().all(|(cells, _)| cell(cells, row) == cell(cells, last))
        {
            return Some(item);
        }
        if !self.is_named {
            return None;
        }
        self.id.clear();
        for (place, (cells, texts)) in self.items.iter().enumerate() {
            if place > 0 {
                self.id.push(SEPARATOR);
            }
            let cell = cell(cells, row);
            match cell.as_text() {
                Some(text) => self.id.extend_from_slice(texts.get(text)),
                None if cell.is_missing() => return None,
                None => {
                    let mut printed = String::new();
                    // Writing to a string cannot fail.
                    let _ = write!(printed, "{}", cell.as_number());
                    self.id.extend_from_slice(printed.as_bytes());
                }
            }
        }
        let item = number(&self.id);
        self.last = Some((row, item));
        Some(item)
    }
}
