//! The rounds of a training run.

use std::sync::atomic::AtomicBool;

use super::params::Params;
use super::report::Report;
use super::session::Session;
use super::table::find_bins;
use super::{Loss, TrainError};
use crate::{Ensemble, Feature, Rows};

/// Rows with what is to be learnt from them.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// A column a feature.
    pub rows: &'a Rows<'a>,
    /// A finite number a row, of those that the loss can have.
    pub target: &'a [f64],
    /// A number a row, not negative; all 1 when absent. Rows of weight 0 take no part.
    pub weights: Option<&'a [f64]>,
}

/// Trains ensembles.
#[derive(Debug, Clone, PartialEq)]
pub struct Booster {
    params: Params,
}

impl Booster {
    /// A booster with these parameters; they are checked when training starts.
    pub fn new(params: Params) -> Self {
        Self { params }
    }

    /// Trains on `training`. With `validation` rows the loss on them is followed; training then ends as
    /// [`Params::patience`] says, and the ensemble keeps the rounds up to the best one.
    ///
    /// Equal arguments give equal bytes whatever the number of threads, which are those of rayon's current pool.
    /// Covers are the weights of all training rows that reach a node.
    ///
    /// # Errors
    /// [`TrainError`] for arrays, parameters and values that do not fit, and when `stop` is raised, which is looked at
    /// before each tree.
    pub fn train(
        &self,
        features: &[Feature],
        training: &Labelled<'_>,
        validation: Option<&Labelled<'_>>,
        stop: Option<&AtomicBool>,
    ) -> Result<(Ensemble, Report), TrainError> {
        self.params.check(features.len())?;
        for labelled in [Some(training), validation].into_iter().flatten() {
            labelled.check(features.len(), &self.params.loss)?;
        }
        let binnings = find_bins(features, training.rows, &self.params)?;
        let session = Session::new(&self.params, features, &binnings, training, validation);
        let (trees, base, report) = session.run(stop)?;
        let (outputs, link) = (self.params.loss.outputs(), self.params.loss.link());
        Ok((Ensemble { features: features.to_vec(), outputs, base, trees, link }, report))
    }
}

impl Labelled<'_> {
    fn check(&self, features: usize, loss: &Loss) -> Result<(), TrainError> {
        let rows = self.target.len();
        let shape = |holds: bool, text: String| if holds { Ok(()) } else { Err(TrainError::Shape(text)) };
        let columns = self.rows.features();
        shape(columns == features, format!("{columns} columns for {features} features"))?;
        // Without a column nothing says how many rows there are.
        let given = if columns == 0 { rows } else { self.rows.len() };
        shape(given == rows, format!("{given} rows with {rows} targets"))?;
        shape(rows > 0, "no row".to_owned())?;
        shape(u32::try_from(rows).is_ok(), format!("{rows} rows, more than 32 bits can count"))?;
        if let Some(row) =
            self.target.iter().position(|&target| !(target.is_finite() && loss.accepts(target)))
        {
            let target = self.target[row];
            return Err(TrainError::Value(format!("target {target} of row {row} under {loss:?}")));
        }
        let Some(weights) = self.weights else { return Ok(()) };
        shape(weights.len() == rows, format!("{} weights for {rows} rows", weights.len()))?;
        if let Some(row) = weights.iter().position(|weight| !(weight.is_finite() && *weight >= 0.0)) {
            return Err(TrainError::Value(format!("weight {} of row {row}", weights[row])));
        }
        let whole: f64 = weights.iter().sum();
        if whole > 0.0 && whole.is_finite() {
            return Ok(());
        }
        Err(TrainError::Value(format!("weights that sum to {whole}")))
    }
}
