//! Extremely randomised trees (Geurts, Ernst and Wehenkel, *Extremely randomized trees*, 2006) on the binned table.
//!
//! A node draws a few features and one random split of each, and keeps the one that reduces the variance most (of the
//! class indicators, which is the Gini index). Cuts are drawn among the bins between the smallest and the largest of
//! the node, so that outliers count no more than their rank. Leaves hold means, or shares of classes, divided by the
//! number of trees: the forest is an [`Ensemble`] like any other, and its margins are the predictions.

mod aim;
mod draw;
mod grower;
mod params;

use rayon::prelude::*;
use tabcast_statistics::random;

pub use aim::Aim;
pub use params::{Drawn, ForestParams};

use crate::boosting::binning::sample_rows;
use crate::boosting::bins::{Bins, MIN_BIN_ROWS, check_columns};
use crate::boosting::table::Table;
use crate::boosting::{Stop, TrainError};
use crate::{Ensemble, Feature, Link, Rows, Tree};
use grower::Grower;

/// Streams of random numbers, so that no two purposes share one.
const BORDERS: u64 = 1;
const TREES: u64 = 2;

/// Grows forests.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    params: ForestParams,
}

impl Forest {
    /// A forest with these parameters; they are checked when it grows.
    pub fn new(params: ForestParams) -> Self {
        Self { params }
    }

    /// Grows all trees on `rows`. Two classes have one output, the probability of class 1; more classes have one output
    /// each; values have one.
    ///
    /// Equal arguments give equal bytes for any number of threads, which are those of rayon's current pool.
    ///
    /// # Errors
    ///
    /// [`TrainError`] for arrays, parameters and values that do not match, and when `stop` returns true; it is polled
    /// before each tree.
    pub fn grow(
        &self,
        features: &[Feature],
        rows: &Rows<'_>,
        aim: Aim<'_>,
        stop: Option<Stop<'_>>,
    ) -> Result<Ensemble, TrainError> {
        let params = &self.params;
        params.check()?;
        check_columns(features, rows)?;
        aim.check(if features.is_empty() { aim.len() } else { rows.len() })?;
        let sampled = sample_rows(rows.len(), params.bin_sample, random::bits(params.seed, BORDERS));
        let bins = Bins::with(features, rows, &sampled, (params.max_bins, MIN_BIN_ROWS))?;
        let mut table = Table::new(&bins.binnings, aim.len());
        table.write(features, &bins.binnings, 0, rows);
        let grower = Grower::new(params, &table, &bins.binnings, aim);
        let grow = |tree: usize| {
            if stop.is_some_and(|stop| stop()) {
                return Err(TrainError::Stopped);
            }
            Ok(grower.grow(random::bits(random::bits(params.seed, TREES), tree as u64)))
        };
        let trees: Vec<Tree> = (0..params.trees).into_par_iter().map(grow).collect::<Result<_, _>>()?;
        let outputs = aim.outputs();
        Ok(Ensemble {
            features: features.to_vec(),
            outputs,
            base: vec![0.0; outputs],
            trees,
            link: Link::Identity,
        })
    }
}
