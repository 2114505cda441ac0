//! Makes the forecasts of all nodes coherent.

use tabcast_reconcile::{
    Choice, Counts, ErrorWeights, Inputs, Reconciler, Residuals, max_incoherence, missed_units,
    round_additive,
};

use super::residuals::{HeldBack, Missing, hold_back};
use super::shares::shares;
use super::summary::{Fallback, HierarchyLevel};
use super::{BaseForecasts, Hierarchy, ReconciliationSummary};
use crate::dataset::Dataset;
use crate::run::forecaster::Forecaster;
use crate::{Control, Failure};

/// The weights used when there are no errors to estimate them from.
const FALLBACK: ErrorWeights = ErrorWeights::WlsStruct;

/// What a method needs to know of the past. It is computed before the forecasts, so that they can use the remaining
/// time.
#[derive(Debug)]
pub(super) struct Past {
    held_back: Option<HeldBack>,
    /// Why weights could not be estimated.
    fallback: Option<Fallback>,
    /// One per bottom series; empty if the method needs none.
    shares: Vec<f64>,
}

impl Past {
    /// Forecasts held-back stretches and computes shares, as the method requires. Runs on the current thread pool.
    pub(super) fn look(
        hierarchy: &Hierarchy,
        dataset: &Dataset,
        forecaster: &Forecaster<'_>,
        control: &Control,
    ) -> Result<Self, Failure> {
        let wanted = &hierarchy.wanted;
        let mut past = Self { held_back: None, fallback: None, shares: Vec::new() };
        if let Choice::TopDown(proportions) = wanted.choice {
            past.shares = shares(proportions, hierarchy, dataset, forecaster.plan(), control)?;
        }
        let Choice::MinTrace(weights @ (ErrorWeights::WlsVar | ErrorWeights::Shrink)) = wanted.choice else {
            return Ok(past);
        };
        let windows = wanted.residual_windows;
        let longest = hierarchy.sum(0).len();
        match hold_back(forecaster, windows, longest, hierarchy.len(), control)? {
            Ok(held_back) => past.held_back = Some(held_back),
            Err(missing) => past.fallback = Some(missing.fallback(weights, windows)),
        }
        Ok(past)
    }

    /// The method that is used after a possible fallback.
    fn used(&self, wanted: Choice) -> Choice {
        if self.fallback.is_some() { Choice::MinTrace(FALLBACK) } else { wanted }
    }
}

impl Missing {
    fn fallback(self, from: ErrorWeights, windows: usize) -> Fallback {
        let reason = match self {
            Self::TooShort { needed, found } => {
                format!("residual_windows = {windows} needs {needed} steps of history; there are {found}.")
            }
            Self::NoTime => {
                "The time budget does not allow the forecasts of the residual windows.".to_owned()
            }
        };
        Fallback { from, to: FALLBACK, reason }
    }
}

/// Makes the means of `base` add up to the last decimal that is written, and returns a summary.
///
/// # Errors
///
/// [`Failure::InvalidForecast`] if they do not add up.
pub(super) fn reconcile(
    hierarchy: &Hierarchy,
    base: &mut BaseForecasts,
    past: &Past,
    steps: usize,
) -> Result<ReconciliationSummary, Failure> {
    let (tree, wanted) = (&hierarchy.tree, &hierarchy.wanted);
    let residuals = past.held_back.as_ref().map(|held| Residuals::new(&held.errors, held.columns));
    let used = past.used(wanted.choice);
    let inputs = Inputs { shares: Some(&past.shares), residuals, ..Inputs::default() };
    let reconciler = used
        .with(inputs)
        .and_then(|method| Reconciler::new(tree, method))
        .map_err(|error| Failure::InvalidForecast(error.to_string()))?;
    let before = max_incoherence(tree, base.mean(), steps);
    let applied = reconciler.apply_counted(base.take_mean(), steps, hierarchy.non_negative);
    let mut mean = applied.values;
    let grid = round_additive(tree, &mut mean, steps)
        .ok_or_else(|| Failure::InvalidForecast("a sum is beyond 1e300".to_owned()))?;
    let after = missed_units(tree, &mean, steps, grid);
    if after != 0 {
        return Err(Failure::InvalidForecast(format!(
            "a sum misses its parts by {after} in the last decimal"
        )));
    }
    base.set_mean(mean);
    Ok(ReconciliationSummary {
        method: used.method(),
        weights: used.weights(),
        top_down_method: used.top_down_method(),
        levels: hierarchy
            .level_names()
            .zip(tree.level_sizes())
            .map(|(name, &size)| HierarchyLevel { name, num_nodes: size as u64 })
            .collect(),
        num_series: tree.len() as u64,
        num_bottom: tree.num_bottom() as u64,
        total_label: wanted.total_label.clone(),
        separator: wanted.separator.clone(),
        residual_windows_used: past.held_back.as_ref().map_or(0, |held| held.windows as u32),
        shrinkage: reconciler.shrinkage(),
        max_incoherence_before: before,
        max_incoherence_after: after as f64,
        fallback: past.fallback.clone(),
        warnings: sentences(applied.counts),
    })
}

/// Corrections made on the way, as sentences.
fn sentences(counts: Counts) -> Vec<String> {
    let all = [
        (
            "Nodes whose forecasts hardly ever missed, and whose error variance was raised to a ten thousand \
                millionth of the median",
            counts.floored_variances,
        ),
        (
            "Nodes without history before the residual windows, whose error variance was taken from their number of \
                bottom series",
            counts.unknown_variances,
        ),
        (
            "Bottom series whose share has another sign than the total or is infinite, and counted as 0",
            counts.invalid_shares,
        ),
        (
            "Sums, times steps, that were divided equally among their bottom series because these have no share",
            counts.equal_splits,
        ),
        (
            "Sums, times steps, that were divided by historical shares because the forecasts under them have \
                different signs or are 0",
            counts.share_fallbacks,
        ),
        ("Values of bottom series that were raised to 0", counts.pinned_values),
        (
            "Steps whose negative values were cut off because no better non-negative forecast was found",
            counts.clipped_lanes,
        ),
    ];
    all.iter().filter(|(_, count)| *count > 0).map(|(what, count)| format!("{what}: {count}.")).collect()
}
