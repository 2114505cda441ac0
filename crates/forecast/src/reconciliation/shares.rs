//! The share of each bottom series in the grand total.

use rayon::prelude::*;
use tabcast_reconcile::Proportions;

use super::Hierarchy;
use crate::dataset::Dataset;
use crate::run::forecaster::history_of;
use crate::run::plan::Plan;
use crate::{Control, Failure};

/// One share per bottom series, not normalised. If the grand total sums to less than zero, the shares are those of the
/// negated values. A negative share then means a sign opposite to the total's; the method counts such shares.
///
/// `HistoricalTotals` (also used where forecasts give no shares) is the ratio of sums over the history that the preset
/// uses; `AverageHistorical` is the mean over its steps of the series' ratio to the grand total. These are the two
/// forms of Gross and Sohl, Disaggregation methods to expedite product line forecasting, Journal of Forecasting 9
/// (1990). Steps whose total is zero, or has the opposite sign of the overall sum, have no ratio.
pub(super) fn shares(
    proportions: Proportions,
    hierarchy: &Hierarchy,
    dataset: &Dataset,
    plan: &Plan,
    control: &Control,
) -> Result<Vec<f64>, Failure> {
    let total = hierarchy.sum(0);
    let sign = if total.iter().sum::<f64>() < 0.0 { -1.0 } else { 1.0 };
    (hierarchy.inner()..hierarchy.len())
        .into_par_iter()
        .map(|node| {
            if control.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            let history = history_of(node, dataset, plan)?;
            let share = match proportions {
                Proportions::AverageHistorical => mean_ratio(&history.values, total, sign),
                Proportions::HistoricalTotals | Proportions::Forecasts => {
                    sign * history.values.iter().sum::<f64>()
                }
            };
            Ok(share)
        })
        .collect()
}

/// Both end at the same step; the values may begin later. `sign` is the sign of the totals that count.
fn mean_ratio(values: &[f64], total: &[f64], sign: f64) -> f64 {
    let counts = |total: &f64| sign * total > 0.0;
    let steps = total.iter().filter(|total| counts(total)).count().max(1);
    let pairs = values.iter().rev().zip(total.iter().rev()).filter(|(_, total)| counts(total));
    pairs.map(|(value, total)| value / total).sum::<f64>() / steps as f64
}

#[cfg(test)]
mod tests {
    use super::mean_ratio;

    #[test]
    fn steps_without_a_total_do_not_count_and_those_before_the_series_count_as_zero() {
        assert_eq!(mean_ratio(&[1.0, 5.0, 3.0], &[8.0, 4.0, 0.0, 4.0], 1.0), (0.25 + 0.75) / 3.0);
    }

    #[test]
    fn costs_are_divided_like_sales() {
        assert_eq!(mean_ratio(&[-1.0, -3.0], &[-4.0, -4.0], -1.0), 0.5);
    }
}
