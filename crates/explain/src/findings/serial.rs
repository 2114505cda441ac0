//! Serial dependence of a series.

use tabcast_statistics::autocorrelation;

/// The effective number of independent values for a mean of `residuals`, as a share of their number: `(1 - r) / (1 +
/// r)` of a first-order autoregression.
///
/// Negative dependence does not raise the share. The estimate of `r` is corrected for its bias `-(1 + 3r) / n`.
///
/// Source: Yue and Wang, The Mann-Kendall test modified by effective sample size, Water Resources Management 18 (2004),
/// equation 11; Kendall, Note on bias in the estimation of autocorrelation, Biometrika 41 (1954).
pub(super) fn independent_share(residuals: &[f64]) -> f64 {
    let raw = autocorrelation(residuals, 1);
    let r = (raw + (1.0 + 3.0 * raw) / residuals.len().max(1) as f64).clamp(0.0, 0.98);
    (1.0 - r) / (1.0 + r)
}
