//! The rows that an ensemble is applied to, as borrowed columns.

use crate::TreesError;

/// Borrowed columns of equal length, one per feature. Missing values are NaN, categories are codes 0, 1, 2...
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    columns: &'a [&'a [f64]],
    rows: usize,
}

impl<'a> Rows<'a> {
    /// Columns of equal length.
    ///
    /// # Errors
    /// [`TreesError::Shape`] with the first column whose length differs from the first one's.
    pub fn new(columns: &'a [&'a [f64]]) -> Result<Self, TreesError> {
        let rows = columns.first().map_or(0, |column| column.len());
        match columns.iter().position(|column| column.len() != rows) {
            None => Ok(Self { columns, rows }),
            Some(at) => Err(TreesError::Shape(format!(
                "column {at} has {} rows, column 0 has {rows}",
                columns[at].len()
            ))),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.rows
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// Number of columns.
    pub fn features(&self) -> usize {
        self.columns.len()
    }

    /// The values of one feature.
    pub fn column(&self, feature: usize) -> &'a [f64] {
        self.columns[feature]
    }
}
