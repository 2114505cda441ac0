//! What is to be predicted.

/// The labels of some rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// A class a row, 0 to `classes` - 1.
    Classes {
        /// The class of each row.
        labels: Vec<u32>,
        /// How many classes the whole task has; rows of a fold may lack some.
        classes: usize,
    },
    /// A number a row, finite.
    Values(Vec<f64>),
}

impl Target {
    /// Rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Classes { labels, .. } => labels.len(),
            Self::Values(values) => values.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Numbers that a prediction has for each row: a probability a class, or one value.
    pub fn outputs(&self) -> usize {
        match self {
            Self::Classes { classes, .. } => *classes,
            Self::Values(_) => 1,
        }
    }

    /// The labels of these rows, in this order.
    #[must_use]
    pub fn select(&self, rows: &[u32]) -> Self {
        match self {
            Self::Classes { labels, classes } => Self::Classes {
                labels: rows.iter().map(|&row| labels[row as usize]).collect(),
                classes: *classes,
            },
            Self::Values(values) => Self::Values(rows.iter().map(|&row| values[row as usize]).collect()),
        }
    }
}
