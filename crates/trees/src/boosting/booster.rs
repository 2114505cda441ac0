//! The entry point of training: checks the input and finds the bins.

use super::bins::{BinnedRows, Bins, check_columns};
use super::objective::Labels;
use super::params::Params;
use super::report::Report;
use super::session::Session;
use super::table::Table;
use super::{Loss, TrainError};
use crate::boosting::stop::Stop;
use crate::{Ensemble, Feature, Rows};

/// Training rows with their targets and weights.
#[derive(Debug, Clone, Copy)]
pub struct Labelled<'a> {
    /// One column per feature.
    pub rows: &'a Rows<'a>,
    /// One finite number per row, in the range of the loss.
    pub target: &'a [f64],
    /// One non-negative number per row; all 1 when absent. Rows of weight 0 take no part.
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

    /// Trains on `training`. With `validation` rows, their loss is monitored: training ends according to
    /// [`Params::patience`], and the ensemble keeps the rounds up to the best one.
    ///
    /// Equal arguments give equal bytes for any number of threads, which are those of rayon's current pool. Covers are
    /// the weights of all training rows that reach a node.
    ///
    /// # Errors
    /// [`TrainError`] for arrays, parameters and values that do not match, and when `stop` returns true; it is polled
    /// before each tree.
    pub fn train(
        &self,
        features: &[Feature],
        training: &Labelled<'_>,
        validation: Option<&Labelled<'_>>,
        stop: Option<Stop<'_>>,
    ) -> Result<(Ensemble, Report), TrainError> {
        self.params.check(features.len())?;
        for labelled in [Some(training), validation].into_iter().flatten() {
            check_columns(features, labelled.rows)?;
            // Without columns, the targets give the number of rows.
            let rows = if features.is_empty() { labelled.target.len() } else { labelled.rows.len() };
            labelled.labels().check(rows, &self.params.loss)?;
        }
        let bins = Bins::of_training(features, training.rows, &self.params)?;
        let table = bin(&bins, training);
        let other = validation.map(|labelled| bin(&bins, labelled));
        let validation = other.as_ref().zip(validation.map(Labelled::labels));
        self.run(&bins, (&table, training.labels()), validation, stop)
    }

    /// Like [`Self::train`], on rows that are already binned, so no complete column of doubles is needed. The features
    /// are those of `bins`; validation rows have equal weights.
    ///
    /// # Errors
    /// As [`Self::train`], and [`TrainError::Shape`] for rows made with other bins.
    pub fn train_binned(
        &self,
        bins: &Bins,
        training: &BinnedRows,
        target: &[f64],
        weights: Option<&[f64]>,
        validation: Option<(&BinnedRows, &[f64])>,
        stop: Option<Stop<'_>>,
    ) -> Result<(Ensemble, Report), TrainError> {
        self.params.check(bins.features.len())?;
        let validation = validation.map(|(rows, target)| (rows, Labels { target, weights: None }));
        let part = |(rows, labels): (&BinnedRows, Labels<'_>)| labels.check(rows.len(), &self.params.loss);
        let training = (training, Labels { target, weights });
        part(training)?;
        validation.map_or(Ok(()), part)?;
        let validation = match validation {
            Some((rows, labels)) => Some((rows.table(bins)?, labels)),
            None => None,
        };
        self.run(bins, (training.0.table(bins)?, training.1), validation, stop)
    }

    fn run(
        &self,
        bins: &Bins,
        training: (&Table, Labels<'_>),
        validation: Option<(&Table, Labels<'_>)>,
        stop: Option<Stop<'_>>,
    ) -> Result<(Ensemble, Report), TrainError> {
        let session = Session::new(&self.params, &bins.binnings, training, validation);
        let (trees, base, report) = session.run(stop)?;
        let (outputs, link) = (self.params.loss.outputs(), self.params.loss.link());
        Ok((Ensemble { features: bins.features.to_vec(), outputs, base, trees, link }, report))
    }
}

impl<'a> Labelled<'a> {
    fn labels(&self) -> Labels<'a> {
        Labels { target: self.target, weights: self.weights }
    }
}

fn bin(bins: &Bins, labelled: &Labelled<'_>) -> Table {
    let mut table = Table::new(&bins.binnings, labelled.target.len());
    table.write(&bins.features, &bins.binnings, 0, labelled.rows);
    table
}

impl Labels<'_> {
    fn check(&self, rows: usize, loss: &Loss) -> Result<(), TrainError> {
        let given = self.target.len();
        let shape = |holds: bool, text: String| if holds { Ok(()) } else { Err(TrainError::Shape(text)) };
        shape(given == rows, format!("{rows} rows with {given} targets"))?;
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
