//! Bins for callers: found once from a sample, then written row by row without a table of doubles.

use std::sync::Arc;

use rayon::prelude::*;
use tabcast_statistics::random;

use super::binning::{Binning, sample_rows};
use super::table::Table;
use super::{Params, TrainError};
use crate::{Feature, Rows};

/// Minimum number of sampled rows per bin, unless [`Params::min_bin_rows`] says otherwise.
pub(crate) const MIN_BIN_ROWS: usize = 3;

/// The bins of a set of features: borders of numbers, bin numbers of categories. Clones share them.
#[derive(Debug, Clone)]
pub struct Bins {
    pub(crate) features: Arc<[Feature]>,
    pub(crate) binnings: Arc<[Binning]>,
}

/// Rows with one byte per cell, which training reads.
#[derive(Debug, Clone)]
pub struct BinnedRows {
    bins: Bins,
    table: Table,
}

impl Bins {
    /// Finds at most `max_bins` value bins (2 to 254) per feature. Borders of numbers divide `sample` into roughly
    /// equal counts. A category that is not in the sample counts as unknown, so a sample should contain all of them.
    ///
    /// # Errors
    /// [`TrainError`] for `max_bins` out of bounds, columns that do not fit the features, and codes that are not whole
    /// numbers from 0 to the number of levels.
    pub fn find(features: &[Feature], sample: &Rows<'_>, max_bins: usize) -> Result<Self, TrainError> {
        if !(2..=254).contains(&max_bins) {
            return Err(TrainError::Parameter("max_bins is 2 to 254".to_owned()));
        }
        check_columns(features, sample)?;
        let all: Vec<u32> = (0..sample.len() as u32).collect();
        Self::with(features, sample, &all, (max_bins, MIN_BIN_ROWS))
    }

    /// The bins of training rows: numeric borders from a sample of them, categories from all.
    pub(crate) fn of_training(
        features: &[Feature],
        rows: &Rows<'_>,
        params: &Params,
    ) -> Result<Self, TrainError> {
        let sampled = sample_rows(rows.len(), params.bin_sample, random::bits(params.seed, 1));
        Self::with(features, rows, &sampled, (params.max_bins, params.min_bin_rows))
    }

    pub(crate) fn with(
        features: &[Feature],
        rows: &Rows<'_>,
        sampled: &[u32],
        limits: (usize, usize),
    ) -> Result<Self, TrainError> {
        let find = |(at, feature): (usize, &Feature)| Binning::new(feature, rows.column(at), sampled, limits);
        let binnings: Result<Vec<Binning>, TrainError> = features.par_iter().enumerate().map(find).collect();
        Ok(Self { features: features.into(), binnings: binnings?.into() })
    }

    /// The features, in the order of the columns.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }
}

impl BinnedRows {
    /// Allocates `rows` rows; cells that are not written are missing.
    pub fn new(bins: &Bins, rows: usize) -> Self {
        Self { bins: bins.clone(), table: Table::new(&bins.binnings, rows) }
    }

    /// Bins `chunk` into the rows from `first_row` on. Chunks of a few thousand rows keep all threads of rayon's
    /// current pool busy. Codes without a bin count as unknown categories.
    ///
    /// # Errors
    /// [`TrainError::Shape`] for columns that do not match the features and for rows beyond the last one.
    pub fn write(&mut self, first_row: usize, chunk: &Rows<'_>) -> Result<(), TrainError> {
        check_columns(&self.bins.features, chunk)?;
        let (count, rows) = (chunk.len(), self.table.rows);
        if first_row > rows || count > rows - first_row {
            let text = format!("{count} rows from row {first_row} on, in a table of {rows}");
            return Err(TrainError::Shape(text));
        }
        self.table.write(&self.bins.features, &self.bins.binnings, first_row, chunk);
        Ok(())
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.table.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.table.rows == 0
    }

    /// The bytes, provided that they were made with `bins`.
    pub(crate) fn table(&self, bins: &Bins) -> Result<&Table, TrainError> {
        if Arc::ptr_eq(&self.bins.binnings, &bins.binnings) || self.bins.binnings == bins.binnings {
            return Ok(&self.table);
        }
        Err(TrainError::Shape("rows of other bins than those given".to_owned()))
    }
}

pub(crate) fn check_columns(features: &[Feature], rows: &Rows<'_>) -> Result<(), TrainError> {
    let (columns, features) = (rows.features(), features.len());
    if columns == features {
        return Ok(());
    }
    Err(TrainError::Shape(format!("{columns} columns for {features} features")))
}
