//! Series in memory.
use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use tabcast_calendar::Micros;

use crate::{Column, Covariate, CovariateValues};

/// Item ids, stored in one allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[ts(rename = "JobWarning")]
pub struct Warning {
    /// Stable code in `snake_case`, e.g. `mixed_time_zones`.
    pub code: Cow<'static, str>,
    /// A sentence.
    pub message: String,
    /// Number of rows concerned.
    pub count: u64,
}

/// Series sorted by item id (in byte order), the rows of each sorted by time and free of duplicates.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// One id per series.
    pub ids: Ids,
    /// Series `i` has the rows `offsets[i]..offsets[i + 1]`; there is one entry more than series.
    pub offsets: Vec<usize>,
    /// Stamp of each row.
    pub timestamps: Column<Micros>,
    /// Target of each row; NaN is null.
    pub targets: Column<f64>,
    /// Covariates, in the order requested.
    pub covariates: Vec<Covariate>,
    /// Number of rows.
    pub rows: usize,
    /// Corrections that were made.
    #[serde(skip)]
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
        self.timestamps.touch(rows.len());
        self.targets.touch(rows.len());
        (&self.timestamps[rows.clone()], &self.targets[rows])
    }

    /// A panel of some series, in the order given, without warnings.
    ///
    /// # Panics
    /// If an index is not below `len()`.
    #[must_use]
    pub fn select(&self, series: &[usize]) -> Panel {
        let rows = || series.iter().map(|&index| self.offsets[index]..self.offsets[index + 1]);
        let mut part = Panel { offsets: vec![0], ..Panel::default() };
        for (&index, rows) in series.iter().zip(rows()) {
            part.ids.push(self.ids.get(index));
            part.rows += rows.len();
            part.offsets.push(part.rows);
        }
        let touching = rows().inspect(|rows| self.timestamps.touch(rows.len()));
        part.timestamps = gather(&self.timestamps, touching, part.rows).into();
        let touching = rows().inspect(|rows| self.targets.touch(rows.len()));
        part.targets = gather(&self.targets, touching, part.rows).into();
        let covariates = self.covariates.iter().map(|covariate| Covariate {
            name: covariate.name.clone(),
            values: match &covariate.values {
                CovariateValues::Numbers(numbers) => {
                    CovariateValues::Numbers(gather(numbers, rows(), part.rows))
                }
                CovariateValues::Categories { codes, names } => CovariateValues::Categories {
                    codes: gather(codes, rows(), part.rows),
                    names: names.clone(),
                },
                CovariateValues::Unusable { reason } => CovariateValues::Unusable { reason: reason.clone() },
            },
        });
        part.covariates = covariates.collect();
        part
    }
}

/// The cells of some rows, `count` of them.
fn gather<T: Copy>(cells: &[T], rows: impl Iterator<Item = Range<usize>>, count: usize) -> Vec<T> {
    let mut gathered = Vec::with_capacity(count);
    for rows in rows {
        gathered.extend_from_slice(&cells[rows]);
    }
    gathered
}
