//! Anomalies, and the values that replace them.

use tabcast_explain::findings::anomalies;

use crate::AnomalyHandling;
use crate::fill::interpolate;

/// An anomaly.
pub(crate) struct Found {
    /// Its index among the steps of the series.
    pub(crate) at: usize,
    pub(crate) value: f64,
}

/// Finds the anomalies of a series on its steps (NaN if a step has no value) and replaces them as requested; removed
/// ones become NaN.
pub(crate) fn handle(values: &mut [f64], season: usize, handling: AnomalyHandling) -> Vec<Found> {
    if handling == AnomalyHandling::None {
        return Vec::new();
    }
    let found = anomalies(values, season);
    match handling {
        AnomalyHandling::None | AnomalyHandling::Flag => {}
        AnomalyHandling::Clip => {
            for anomaly in &found {
                values[anomaly.at] = values[anomaly.at].clamp(anomaly.lower, anomaly.upper);
            }
        }
        AnomalyHandling::Remove => found.iter().for_each(|anomaly| values[anomaly.at] = f64::NAN),
        AnomalyHandling::Interpolate => {
            let mut lines = values.to_vec();
            for anomaly in &found {
                lines[anomaly.at] = f64::NAN;
            }
            interpolate(&mut lines);
            for anomaly in &found {
                values[anomaly.at] = lines[anomaly.at];
            }
        }
    }
    found.into_iter().map(|anomaly| Found { at: anomaly.at, value: anomaly.value }).collect()
}
