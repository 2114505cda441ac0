use serde::Serialize;

use crate::findings::decomposition::Decomposition;

/// Demand that is zero in many steps.
///
/// Source: Syntetos, Boylan and Croston, On the categorization of demand patterns, Journal of the Operational Research
/// Society 56 (2005): a demand in 1.32 steps or more is intermittent; with a squared coefficient of variation of at
/// least 0.49 lumpy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Intermittent {
    /// Mean number of observed steps from demand to demand.
    pub interval: f64,
    /// Squared coefficient of variation of the demands.
    pub variation: f64,
    /// Whether the sizes of the demands vary strongly as well.
    pub lumpy: bool,
    /// Share of the observed steps without demand.
    pub zero_share: f64,
}

const LUMPY: f64 = 0.49;

pub(crate) fn intermittent(of: &Decomposition) -> Option<Intermittent> {
    if !of.intermittent {
        return None;
    }
    let demands: Vec<f64> = of.observed().filter(|value| *value > 0.0).collect();
    let count = demands.len() as f64;
    let mean = demands.iter().sum::<f64>() / count;
    let variation = demands.iter().map(|demand| (demand / mean - 1.0).powi(2)).sum::<f64>() / count;
    let steps = of.observed().count() as f64;
    Some(Intermittent {
        interval: steps / count,
        variation,
        lumpy: variation >= LUMPY,
        zero_share: 1.0 - count / steps,
    })
}
