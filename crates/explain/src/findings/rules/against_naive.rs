use serde::Serialize;

use crate::findings::backtest::Measured;

/// Errors of the backtest compared with those of the seasonal naive forecast (the last value without a season).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accuracy {
    /// Mean absolute error.
    pub error: f64,
    /// The same of the seasonal naive forecast.
    pub naive_error: f64,
    /// `1 - error / naive_error`, at least -99; 0 if both are zero.
    pub skill: f64,
    /// The verdict on the skill.
    pub standing: Standing,
    /// Number of steps that were forecast and compared.
    pub steps: usize,
    /// Share of the actual values in the 80 % interval; None if unknown.
    pub coverage: Option<f64>,
}

/// How a forecast compares with the seasonal naive one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// A skill of at least 0.2.
    ClearlyBetter,
    /// A positive skill.
    SlightlyBetter,
    /// A skill of zero or below.
    NotBetter,
}

const CLEAR: f64 = 0.2;
/// Used if the naive forecast is perfect, because then there is no ratio.
const LOWEST: f64 = -99.0;

/// The skill of an error against a naive one.
pub(crate) fn skill_of(error: f64, naive_error: f64) -> f64 {
    if naive_error > 0.0 {
        (1.0 - error / naive_error).max(LOWEST)
    } else if error > 0.0 {
        LOWEST
    } else {
        0.0
    }
}

/// The verdict on a skill.
pub(crate) fn standing_of(skill: f64) -> Standing {
    if skill >= CLEAR {
        Standing::ClearlyBetter
    } else if skill > 0.0 {
        Standing::SlightlyBetter
    } else {
        Standing::NotBetter
    }
}

pub(crate) fn against_naive(measured: &Measured) -> Accuracy {
    let skill = skill_of(measured.error, measured.naive_error);
    Accuracy {
        error: measured.error,
        naive_error: measured.naive_error,
        skill,
        standing: standing_of(skill),
        steps: measured.steps,
        coverage: measured.coverage,
    }
}
