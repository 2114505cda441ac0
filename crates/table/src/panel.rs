//! Series in memory.
use serde::Serialize;
use tabcast_calendar::Micros;

use crate::Covariate;

/// Item ids, stored in one allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ids {
    text: String,
    ends: Vec<usize>,
}

impl Ids {
    /// Appends an id.
    pub fn push(&mut self, id: &str) {
        self.text.push_str(id);
        self.ends.push(self.text.len());
    }

    /// The id at `index`.
    ///
    /// # Panics
    /// If `index` is not below `len()`.
    pub fn get(&self, index: usize) -> &str {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    /// Number of ids.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no ids.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All ids in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// Something that was corrected while reading, and that the sender should know.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ts_rs::TS)]
#[ts(rename = "JobWarning")]
pub struct Warning {
    /// Stable code in `snake_case`, e.g. `mixed_time_zones`.
    pub code: &'static str,
    /// A sentence.
    pub message: String,
    /// Number of rows concerned.
    pub count: u64,
}

/// Series sorted by item id (in byte order), the rows of each sorted by time and free of duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Panel {
    /// One id per series.
    pub ids: Ids,
    /// Series `i` has the rows `offsets[i]..offsets[i + 1]`; there is one entry more than series.
    pub offsets: Vec<usize>,
    /// Stamp of each row.
    pub timestamps: Vec<Micros>,
    /// Target of each row; NaN is null.
    pub targets: Vec<f64>,
    /// Covariates, in the order requested.
    pub covariates: Vec<Covariate>,
    /// Number of rows.
    pub rows: usize,
    /// Corrections that were made.
    pub warnings: Vec<Warning>,
}

impl Panel {
    /// Number of series.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is no series.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Stamps and targets of series `index`.
    ///
    /// # Panics
    /// If `index` is not below `len()`.
    pub fn series(&self, index: usize) -> (&[Micros], &[f64]) {
        let rows = self.offsets[index]..self.offsets[index + 1];
        (&self.timestamps[rows.clone()], &self.targets[rows])
    }
}
