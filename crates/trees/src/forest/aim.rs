//! The targets of a forest.

use crate::boosting::TrainError;

/// The targets of the rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aim<'a> {
    /// One finite number per row.
    Values(&'a [f64]),
    /// One class per row.
    Classes {
        /// Numbers from 0 to `classes` - 1.
        labels: &'a [u32],
        /// At least 2.
        classes: usize,
    },
}

impl Aim<'_> {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Values(values) => values.len(),
            Self::Classes { labels, .. } => labels.len(),
        }
    }

    /// Number of values in a leaf.
    pub(super) fn outputs(&self) -> usize {
        match self {
            Self::Classes { classes, .. } if *classes > 2 => *classes,
            _ => 1,
        }
    }

    pub(super) fn check(&self, rows: usize) -> Result<(), TrainError> {
        let given = self.len();
        if given != rows || given == 0 || u32::try_from(given).is_err() {
            return Err(TrainError::Shape(format!("{rows} rows with {given} targets")));
        }
        let wrong = match self {
            Self::Values(values) => values.iter().position(|value| !value.is_finite()),
            Self::Classes { classes, .. } if *classes < 2 => {
                return Err(TrainError::Parameter("classes is at least 2".to_owned()));
            }
            Self::Classes { labels, classes } => labels.iter().position(|&label| label as usize >= *classes),
        };
        wrong.map_or(Ok(()), |row| Err(TrainError::Value(format!("target of row {row}"))))
    }
}
