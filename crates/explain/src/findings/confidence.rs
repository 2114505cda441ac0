//! How trustworthy a forecast is, from 0 to 1.

use serde::Serialize;

use super::backtest::Measured;
use super::decomposition::Decomposition;
use super::reliability::reliability;
use super::rules::missing_share;
use super::rules::skill_of;
use super::spectrum::forecastability;

/// The confidence and its components, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Confidence {
    /// The probability that the errors on the next horizon are smaller than those of the seasonal naive forecast.
    pub value: f64,
    /// `0.35 A + 0.20 C + 0.15 D + 0.15 F + 0.15 Q`, at most 0.3 without a backtest and 0.4 with a negative skill.
    pub score: f64,
    /// A: skill of the backtest plus one half.
    pub accuracy: f64,
    /// C: falls from 1 as the coverage departs from 80 %.
    pub coverage: f64,
    /// D: length of the history relative to four seasons.
    pub depth: f64,
    /// F: one minus the spectral entropy of the history.
    pub forecastability: f64,
    /// Q: falls with the shares of missing values and outliers.
    pub quality: f64,
}

const WITHOUT_BACKTEST: f64 = 0.3;
const WITHOUT_SKILL: f64 = 0.4;

/// A component that was not measured is 0.
pub(super) fn confidence(of: &Decomposition, measured: Option<&Measured>) -> Confidence {
    let skill = measured.map(|measured| skill_of(measured.error, measured.naive_error));
    let accuracy = skill.map_or(0.0, |skill| (skill + 0.5).clamp(0.0, 1.0));
    let coverage = measured
        .and_then(|measured| measured.coverage)
        .map_or(0.0, |coverage| (1.0 - (coverage - 0.8).abs() / 0.3).clamp(0.0, 1.0));
    let depth = (of.steps as f64 / (4 * of.season_length) as f64).min(1.0);
    let forecastability = forecastability(&of.values);
    let outlier_share = of.outliers.len() as f64 / of.values.len() as f64;
    let quality = (1.0 - 3.0 * missing_share(of) - outlier_share).clamp(0.0, 1.0);
    let sum = 0.35 * accuracy + 0.2 * coverage + 0.15 * (depth + forecastability + quality);
    let cap = match skill {
        None => WITHOUT_BACKTEST,
        Some(skill) if skill < 0.0 => WITHOUT_SKILL,
        Some(_) => 1.0,
    };
    let score = sum.min(cap);
    Confidence { value: reliability(score), score, accuracy, coverage, depth, forecastability, quality }
}
