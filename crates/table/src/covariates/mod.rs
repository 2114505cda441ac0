//! Further columns of the file, aligned with the rows of a panel.

mod cells;
mod future;
mod resolve;

pub(crate) use cells::{Cell, Texts};
pub use future::{FutureValues, future_values};
pub(crate) use resolve::{Resolved, resolve};

/// Code of a category that a row does not have.
pub const MISSING_CATEGORY: u32 = u32::MAX;
/// Distinct values of a column of categories; above it the column says little of any of them, and is not used.
pub const MAX_CATEGORIES: usize = 1_000;

/// A column that may explain the target.
#[derive(Debug, Clone, PartialEq)]
pub struct Covariate {
    /// The name it has in the file.
    pub name: String,
    /// One value for each row of the panel.
    pub values: CovariateValues,
}

/// Values of a covariate.
///
/// A column whose cells are all numbers, empty or words for a missing value is numeric; `true` and `false` count as 1
/// and
/// 0. Any other cell makes it a column of categories, dates included: only an empty cell is missing there, and `none`
///    is a
/// category. Blanks around a cell do not count, and a number among categories is the category of its shortest text, so
/// `7` and `7.0` are one.
#[derive(Debug, Clone, PartialEq)]
pub enum CovariateValues {
    /// NaN is a missing value.
    Numbers(Vec<f64>),
    /// Indices into the names, which are sorted by their bytes; [`MISSING_CATEGORY`] is a missing value.
    Categories {
        /// One for each row.
        codes: Vec<u32>,
        /// What the codes stand for.
        names: Vec<String>,
    },
    /// Nothing can be made of the column; the panel has a warning that says so.
    Unusable {
        /// One sentence.
        reason: String,
    },
}
