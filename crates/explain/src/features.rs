//! The columns of an analysis.

/// A named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// The name that the customer, or the list of engineered features, gives it.
    pub name: String,
    /// One value per row.
    pub values: Values,
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// NaN if missing.
    Numbers(Vec<f64>),
    /// Categories by number.
    Levels {
        /// Below the number of names; `u32::MAX` if missing.
        codes: Vec<u32>,
        /// The names of the codes.
        names: Vec<String>,
    },
}

impl Values {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Levels { codes, .. } => codes.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Columns of the same rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    rows: usize,
    columns: Vec<Feature>,
}

impl Features {
    /// None if the columns have different lengths.
    pub fn new(rows: usize, columns: Vec<Feature>) -> Option<Self> {
        columns.iter().all(|column| column.values.len() == rows).then_some(Self { rows, columns })
    }

    /// Number of rows, with or without columns.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The columns, in the order of the caller.
    pub fn columns(&self) -> &[Feature] {
        &self.columns
    }
}
