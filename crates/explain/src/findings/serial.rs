//! Serial dependence of a series.

use tabcast_statistics::autocorrelation;

/// The effective number of independent values for a mean of `residuals`, as a share of their number: `(1 - r) / (1 +
/// r)` of a first-order autoregression.
///
/// Negative dependence does not raise the share. The estimate of `r` is corrected for its bias `-(1 + 3r) / n`.
pub(super) fn independent_share(residuals: &[f64]) -> f64 {
    let raw = autocorrelation(residuals, 1);
    let r = (raw + (1.0 + 3.0 * raw) / residuals.len().max(1) as f64).clamp(0.0, 0.98);
    (1.0 - r) / (1.0 + r)
}
