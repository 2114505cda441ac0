//! A second pass over all rows once the series are known: how the other columns relate to them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use tabcast_calendar::Micros;

use super::keys::{Meaning, Said, missing, of_cell, said};
use super::panel::Series;
use super::places::{Places, find};
use super::rows::{RowReader, SeriesColumns};
use crate::covariates::Cell;
use crate::frame::{Stretch, TakeRows, take_rows};
use crate::interner::Interner;
use crate::{ReadError, ReadOptions};

/// Maximum number of values kept per column and series; with more series, only every second one is examined, every
/// third, and so on.
const KEPT: usize = 16_000_000;
/// Maximum number of covariate cells that are kept.
const SAMPLED: usize = 4_000_000;
const WINDOWS: usize = 50;
/// Maximum number of rows in a window.
const LONGEST: usize = 1_000;
/// Marks a series without a value of a column so far: a NaN that no cell has.
const UNSEEN: u64 = 0xfff8_0002_0000_0000;

/// What the pass examines.
pub(super) struct Question<'a> {
    pub(super) columns: &'a SeriesColumns,
    pub(super) series: &'a Series,
    /// Columns that may have one value in each series.
    pub(super) statics: Vec<String>,
    /// Columns that may move with the target.
    pub(super) covariates: Vec<String>,
    /// Whether there are rows after the last target of their series.
    pub(super) has_future: bool,
}

/// The findings of the pass.
#[derive(Default)]
pub(super) struct Answer {
    /// Columns with one value in each series, and the keys of their values: one per examined series, none if the series
    /// has no value.
    pub(super) statics: Vec<(String, Vec<Option<u64>>)>,
    /// Columns with a value in all rows after the last target.
    pub(super) known_ahead: Vec<String>,
    /// Stretches of single series.
    pub(super) windows: Vec<Window>,
}

/// The last rows of one series.
pub(super) struct Window {
    pub(super) targets: Vec<f64>,
    /// One column per covariate, NaN if a cell is no number.
    pub(super) covariates: Vec<Vec<f64>>,
}

pub(super) fn look(question: &Question, options: &ReadOptions) -> Result<Answer, ReadError> {
    let has_windows = !question.covariates.is_empty();
    if question.statics.is_empty() && !has_windows && !question.has_future {
        return Ok(Answer::default());
    }
    let looker = Looker::new(question);
    let taken = take_rows(options, &looker)?;
    let (mut future_rows, mut counts) = (0, vec![0; taken.names.len()]);
    let mut windows = looker.empty_windows();
    for hand in looker.hands {
        let hand = hand.into_inner().unwrap_or_else(PoisonError::into_inner);
        future_rows += hand.future_rows;
        for (name, known) in hand.places.names.iter().zip(hand.known) {
            if let Some(place) = find(&taken.names, name) {
                counts[place] += known;
            }
        }
        for (cells, (window, row)) in hand.cells.chunks(question.covariates.len().max(1)).zip(hand.rows) {
            for (column, value) in windows[window as usize].covariates.iter_mut().zip(cells) {
                // Takes the smallest, as for targets.
                column[row as usize] = column[row as usize].min(*value);
            }
        }
    }
    let known = taken.names.iter().zip(counts).filter(|(_, known)| future_rows > 0 && *known == future_rows);
    let (values, stride) = (&looker.values, looker.stride);
    let columns = question.statics.len();
    let statics = question
        .statics
        .iter()
        .enumerate()
        .filter(|(column, _)| !looker.varies[*column].load(Ordering::Relaxed));
    let statics = statics.map(|(column, name)| {
        let of_series = (0..question.series.panel.len().div_ceil(stride)).map(|series| {
            let key = values[series * columns + column].load(Ordering::Relaxed);
            (key != UNSEEN).then_some(key)
        });
        (name.clone(), of_series.collect())
    });
    Ok(Answer {
        statics: statics.collect(),
        known_ahead: known.map(|(name, _)| name.clone()).collect(),
        windows,
    })
}

struct Looker<'a> {
    question: &'a Question<'a>,
    /// Numbers of the series, by their ids.
    ids: Interner,
    /// The series and the panel rows of each window.
    windows: Vec<(u32, std::ops::Range<usize>)>,
    /// The window of each series, if it has one.
    window_of: Vec<Option<u32>>,
    /// Values of static columns are kept for every `stride`-th series.
    stride: usize,
    /// These values, series by series.
    values: Vec<AtomicU64>,
    /// Indexed by static column.
    varies: Vec<AtomicBool>,
    /// One per thread.
    hands: Vec<Mutex<Hand>>,
}

#[derive(Default)]
struct Hand {
    places: Places,
    /// Number of rows after the last target.
    future_rows: u64,
    /// Number of these rows with a value, by column.
    known: Vec<u64>,
    /// Rows of windows: window and row.
    rows: Vec<(u32, u32)>,
    /// Covariate cells of these rows.
    cells: Vec<f64>,
}

impl<'a> Looker<'a> {
    fn new(question: &'a Question<'a>) -> Looker<'a> {
        let panel = &question.series.panel;
        let mut ids = Interner::new();
        for id in panel.ids.iter() {
            ids.intern(id.as_bytes());
        }
        let stride = (panel.len() * question.statics.len()).div_ceil(KEPT).max(1);
        let kept = panel.len().div_ceil(stride) * question.statics.len();
        let mut window_of = vec![None; panel.len()];
        let mut windows = Vec::new();
        if !question.covariates.is_empty() {
            let longest = (SAMPLED / WINDOWS / question.covariates.len()).clamp(20, LONGEST);
            for (window, series) in (0_u32..).zip(question.series.sample(WINDOWS, |rows| rows.len() > 2)) {
                let rows = question.series.observed[series].clone();
                window_of[series] = Some(window);
                windows.push((series as u32, rows.end.saturating_sub(longest).max(rows.start)..rows.end));
            }
        }
        Looker {
            question,
            ids,
            windows,
            window_of,
            stride,
            values: (0..kept).map(|_| AtomicU64::new(UNSEEN)).collect(),
            varies: question.statics.iter().map(|_| AtomicBool::new(false)).collect(),
            hands: (0..rayon::current_num_threads()).map(|_| Mutex::new(Hand::default())).collect(),
        }
    }

    fn empty_windows(&self) -> Vec<Window> {
        let panel = &self.question.series.panel;
        let window = |(_, rows): &(u32, std::ops::Range<usize>)| Window {
            targets: panel.targets[rows.clone()].to_vec(),
            covariates: vec![vec![f64::NAN; rows.len()]; self.question.covariates.len()],
        };
        self.windows.iter().map(window).collect()
    }

    /// Notes the value of a static column in a series; `false` once the series has two different ones.
    fn note(&self, column: usize, series: usize, key: u64) {
        let place = series / self.stride * self.question.statics.len() + column;
        let before = self.values[place].compare_exchange(UNSEEN, key, Ordering::Relaxed, Ordering::Relaxed);
        if before.is_err_and(|known| known != key) {
            self.varies[column].store(true, Ordering::Relaxed);
        }
    }

    /// The position of a row in the window of its series.
    fn window(&self, series: usize, time: Micros) -> Option<(u32, u32)> {
        let window = self.window_of[series]?;
        let rows = self.windows[window as usize].1.clone();
        let row = self.question.series.panel.timestamps[rows].binary_search(&time).ok()?;
        Some((window, row as u32))
    }
}

impl TakeRows for Looker<'_> {
    fn wants(&self, name: &str) -> bool {
        let Question { columns, statics, covariates, has_future, .. } = self.question;
        let is_listed = |list: &[String]| list.iter().any(|other| other == name);
        *has_future
            || name == columns.timestamp
            || is_listed(&columns.items)
            || is_listed(statics)
            || is_listed(covariates)
    }

    fn take(&self, stretch: &Stretch) {
        let hand = &self.hands[rayon::current_thread_index().unwrap_or(0)];
        let mut hand = hand.lock().unwrap_or_else(PoisonError::into_inner);
        let hand = &mut *hand;
        let order = self.question.columns.date_order;
        let said: Vec<Vec<Said>> = stretch.texts.iter().map(|texts| said(texts, order)).collect();
        let places = hand.places.of(stretch.names);
        let columns = hand.places.names.len();
        hand.known.resize(columns, 0);
        let find_all = |names: &[String]| -> Vec<Option<usize>> {
            names.iter().map(|name| find(stretch.names, name)).collect()
        };
        let statics: Vec<(usize, usize)> = (find_all(&self.question.statics).into_iter().enumerate())
            .filter_map(|(column, place)| Some((column, place?)))
            .filter(|(column, _)| !self.varies[*column].load(Ordering::Relaxed))
            .collect();
        let covariates = find_all(&self.question.covariates);
        let mut reader = RowReader::new(stretch, &said, self.question.columns);
        let mut last_noted: Option<(usize, usize)> = None;
        for row in 0..stretch.rows {
            let Some(time) = reader.time(row) else { continue };
            // A row whose target is no number may belong to a series without any other row.
            let Some(series) = reader.item(row, |id| self.ids.find(id).unwrap_or(u32::MAX)) else { continue };
            let series = series as usize;
            if series >= self.question.series.panel.len() {
                continue;
            }
            if series.is_multiple_of(self.stride) {
                for (column, place) in &statics {
                    let cell = stretch.cell(*place, row);
                    // The value of the row before was noted already.
                    let is_noted = last_noted
                        .is_some_and(|(of, before)| of == series && stretch.cell(*place, before) == cell);
                    let key = of_cell(cell, &said[*place]);
                    if !is_noted && key != missing() {
                        self.note(*column, series, key);
                    }
                }
                last_noted = Some((series, row));
            }
            if self.question.has_future
                && self.question.series.last_time(series).is_some_and(|last| time > last)
            {
                hand.future_rows += 1;
                for (column, place) in places.iter().enumerate() {
                    hand.known[*place] += u64::from(has_value(stretch.cell(column, row), &said[column]));
                }
            }
            if let Some(place) = self.window(series, time) {
                hand.rows.push(place);
                let value = |column: &Option<usize>| {
                    column.map_or(f64::NAN, |column| number(stretch.cell(column, row), &said[column]))
                };
                hand.cells.extend(covariates.iter().map(value));
            }
        }
    }
}

fn has_value(cell: Cell, said: &[Said]) -> bool {
    match cell.as_text() {
        Some(text) => said[text as usize].meaning != Meaning::Word,
        None => !cell.is_missing(),
    }
}

fn number(cell: Cell, said: &[Said]) -> f64 {
    match cell.as_text().map(|text| said[text as usize].meaning) {
        None => cell.as_number(),
        Some(Meaning::Boolean(value)) => f64::from(u8::from(value)),
        Some(_) => f64::NAN,
    }
}
