//! How much the neighbours of a series repeat each other.

use tabcast_statistics::autocorrelation;

/// As many independent values as say as much about a mean as `residuals` do, as a share of them: `(1 - r) / (1 + r)` of
/// a first-order autoregression.
///
/// Negative dependence is not rewarded. The estimate of `r` is corrected for its bias `-(1 + 3r) / n`.
///
/// Source: Yue and Wang, The Mann-Kendall test modified by effective sample size, Water Resources Management 18
/// (2004), equation 11; Kendall, Note on bias in the estimation of autocorrelation, Biometrika 41 (1954).
pub(super) fn independent_share(residuals: &[f64]) -> f64 {
    let raw = autocorrelation(residuals, 1);
    let r = (raw + (1.0 + 3.0 * raw) / residuals.len().max(1) as f64).clamp(0.0, 0.98);
    (1.0 - r) / (1.0 + r)
}
