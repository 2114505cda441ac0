//! The columns that an analysis looks at.

/// A named column.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// As the customer, or the list of engineered features, calls it.
    pub name: String,
    /// A value a row.
    pub values: Values,
}

/// The cells of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// NaN where it is missing.
    Numbers(Vec<f64>),
    /// Categories by number.
    Levels {
        /// Below the count of names; `u32::MAX` where it is missing.
        codes: Vec<u32>,
        /// What the codes stand for.
        names: Vec<String>,
    },
}

impl Values {
    /// How many rows there are.
    pub fn len(&self) -> usize {
        match self {
            Values::Numbers(numbers) => numbers.len(),
            Values::Levels { codes, .. } => codes.len(),
        }
    }

    /// Whether there is no row.
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
    /// None where the columns have different lengths.
    pub fn new(rows: usize, columns: Vec<Feature>) -> Option<Self> {
        columns.iter().all(|column| column.values.len() == rows).then_some(Self { rows, columns })
    }

    /// How many rows there are, with or without columns.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// In the order of the caller.
    pub fn columns(&self) -> &[Feature] {
        &self.columns
    }
}
