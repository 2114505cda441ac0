//! The labels to predict.

/// The labels of some rows.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// One class per row, 0 to `classes` - 1.
    Classes {
        /// The class of each row.
        labels: Vec<u32>,
        /// Number of classes of the whole task; rows of a fold may lack some.
        classes: usize,
    },
    /// One finite number per row.
    Values(Vec<f64>),
}

impl Target {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Classes { labels, .. } => labels.len(),
            Self::Values(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of outputs per row: one probability per class, or one value.
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
