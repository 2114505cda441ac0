//! Covariates: further columns of the file, aligned with the rows of a panel.

use serde::{Deserialize, Serialize};

mod cells;
mod future;
mod resolve;

pub(crate) use cells::{Cell, Texts};
pub use future::{FutureValues, future_values};
pub(crate) use resolve::{Resolved, resolve};

/// Code of a missing category.
pub const MISSING_CATEGORY: u32 = u32::MAX;
/// Maximum number of categories; a column with more says little about any of them, and is not used.
pub const MAX_CATEGORIES: usize = 1_000;

/// A column that may help to forecast the target.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Covariate {
    /// Its name in the file.
    pub name: String,
    /// One value for each row of the panel.
    pub values: CovariateValues,
}

/// Values of a covariate.
///
/// A column is numeric if all its cells are numbers, empty or words for a missing value; `true` and `false` count as 1
/// and 0. Any other cell, dates included, makes the column categorical. In a categorical column only an empty cell is
/// missing, and `none` is a category. Blanks around a cell do not count. A number among categories is the category of
/// its shortest text, so `7` and `7.0` are one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum CovariateValues {
    /// NaN for a missing value.
    Numbers(Vec<f64>),
    /// Indices into the names, which are sorted by their bytes; [`MISSING_CATEGORY`] for a missing value.
    Categories {
        /// One per row.
        codes: Vec<u32>,
        /// The categories.
        names: Vec<String>,
    },
    /// The column cannot be used; the panel has a warning about it.
    Unusable {
        /// A sentence.
        reason: String,
    },
}
