//! What is to be explained.

use super::{FeatureGroups, ImportanceError, Options};
use crate::{Features, LARGEST, MIN_ROWS, Skip, Values};

/// Predictions with the features of their rows. Every array has a value a row.
#[derive(Debug, Clone, Copy)]
pub struct Predictions<'a> {
    /// What the model, or somebody who watches it, can see of each row.
    pub features: &'a Features,
    /// What the model says. Rows without a finite number, or with one beyond [`LARGEST`](crate::LARGEST), take no
    /// part. Forecasts are divided by the mean absolute value of their series.
    pub predictions: &'a [f64],
    /// What came true, in the units of `predictions`; NaN where it is not known.
    pub actuals: Option<&'a [f64]>,
    /// What `predictions` were divided by: results are multiplied by it, which brings them to the units of the
    /// target. All 1 when absent; rows without a positive finite number take no part.
    pub scale: Option<&'a [f64]>,
    /// The series of each row, whose rows stand in order of time.
    pub series: Option<&'a [u32]>,
    /// Rows that are held back together, such as those of one forecast origin; each row alone when absent.
    pub fold_groups: Option<&'a [u32]>,
    /// Features that are shown as one, besides all of them alone.
    pub feature_groups: Option<&'a FeatureGroups>,
    /// Columns that begin again after their highest value, such as the month: they go neither way. Empty where there
    /// is none.
    pub cyclic: &'a [bool],
}

impl<'a> Predictions<'a> {
    /// Predictions of rows of a table, without anything else.
    pub fn new(features: &'a Features, predictions: &'a [f64]) -> Self {
        Self {
            features,
            predictions,
            actuals: None,
            scale: None,
            series: None,
            fold_groups: None,
            feature_groups: None,
            cyclic: &[],
        }
    }

    /// The rows that can be used, once everything is found to fit.
    pub(super) fn usable(&self, options: &Options) -> Result<Vec<usize>, ImportanceError> {
        self.check()?;
        options.check()?;
        let usable: Vec<usize> = (0..self.predictions.len())
            .filter(|&row| self.scale_of(row) > 0.0 && is_usable(self.scale_of(row)))
            .filter(|&row| is_usable(self.predictions[row]))
            .filter(|&row| is_usable(self.predictions[row] * self.scale_of(row)))
            .filter(|&row| !self.actuals.is_some_and(|actuals| actuals[row].abs() > LARGEST))
            .collect();
        if usable.len() < MIN_ROWS {
            return Err(Skip::NotEnoughRows.into());
        }
        Ok(usable)
    }

    pub(super) fn scale_of(&self, row: usize) -> f64 {
        self.scale.map_or(1.0, |scale| scale[row])
    }

    fn check(&self) -> Result<(), ImportanceError> {
        let rows = self.features.rows();
        let lengths = [
            ("predictions", Some(self.predictions.len())),
            ("actuals", self.actuals.map(<[f64]>::len)),
            ("scale", self.scale.map(<[f64]>::len)),
            ("series", self.series.map(<[u32]>::len)),
            ("fold_groups", self.fold_groups.map(<[u32]>::len)),
        ];
        for (name, length) in lengths {
            if let Some(length) = length.filter(|&length| length != rows) {
                return Err(ImportanceError::Input(format!("{length} {name} for {rows} rows")));
            }
        }
        for column in self.features.columns() {
            let Values::Levels { codes, names } = &column.values else { continue };
            let unknown = |&&code: &&u32| code != u32::MAX && code as usize >= names.len();
            if let Some(code) = codes.iter().find(unknown) {
                let (name, levels) = (&column.name, names.len());
                return Err(ImportanceError::Input(format!("code {code} of {levels} levels of {name}")));
            }
        }
        let Some(groups) = self.feature_groups else { return Ok(()) };
        let (given, columns) = (groups.of_column.len(), self.features.columns().len());
        if given != columns {
            return Err(ImportanceError::Input(format!("groups of {given} columns, for {columns} columns")));
        }
        match groups.of_column.iter().find(|&&group| group >= groups.names.len()) {
            Some(group) => {
                Err(ImportanceError::Input(format!("group {group} of {} groups", groups.names.len())))
            }
            None => Ok(()),
        }
    }
}

/// Whether a number is there, and its square too.
fn is_usable(value: f64) -> bool {
    value.abs() <= LARGEST
}

impl Options {
    fn check(&self) -> Result<(), ImportanceError> {
        let bounds = [
            ("max_rows", self.max_rows, MIN_ROWS),
            ("max_features", self.max_features, 1),
            ("top_k", self.top_k, 1),
            ("shap_sample_size", self.shap_sample_size, 1),
        ];
        match bounds.iter().find(|(_, value, least)| value < least) {
            Some((name, value, least)) => {
                Err(ImportanceError::Input(format!("{name} is {value}, the least is {least}")))
            }
            None => Ok(()),
        }
    }
}
