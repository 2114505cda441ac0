//! The input of an explanation.

use super::{FeatureGroups, ImportanceError, Options};
use crate::{Features, LARGEST, MIN_ROWS, Skip, Values};

/// Predictions with the features of their rows. Every array has one value per row.
#[derive(Debug, Clone, Copy)]
pub struct Predictions<'a> {
    /// What the model, or an observer, can see of each row.
    pub features: &'a Features,
    /// Predictions of the model. Rows without a finite number, or with one beyond [`LARGEST`](crate::LARGEST), are
    /// ignored. Forecasts are divided by the mean absolute value of their series.
    pub predictions: &'a [f64],
    /// Actual values, in the units of `predictions`; NaN if unknown.
    pub actuals: Option<&'a [f64]>,
    /// The divisor of `predictions`: results are multiplied by it to get the units of the target. All 1 when absent;
    /// rows without a positive finite number are ignored.
    pub scale: Option<&'a [f64]>,
    /// The series of each row; rows of a series are in chronological order.
    pub series: Option<&'a [u32]>,
    /// Rows that are held back together, such as those of one forecast origin; each row separately when absent.
    pub fold_groups: Option<&'a [u32]>,
    /// Groups of features, shown in addition to the single features.
    pub feature_groups: Option<&'a FeatureGroups>,
    /// Which columns are cyclic, such as the month: they have no direction. Empty if there are none.
    pub cyclic: &'a [bool],
}

impl<'a> Predictions<'a> {
    /// Predictions of rows of a table, without further information.
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

    /// The usable rows, after checking that everything matches.
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

/// Whether a number and its square are finite.
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
