//! Rolling regressions.

use serde::Serialize;

/// Rolling regressions; forecasts only.
#[derive(Debug, Serialize)]
pub struct Rolling {
    /// Names.
    pub features: Vec<String>,
    /// Number of rows in a window.
    pub window: usize,
    /// Series by series.
    pub series: Vec<RollingSeries>,
}

/// The windows of a series.
#[derive(Debug, Serialize)]
pub struct RollingSeries {
    /// Its name.
    pub item_id: String,
    /// Feature by feature.
    pub features: Vec<RollingFeature>,
}

/// The coefficients of a feature over time.
#[derive(Debug, Serialize)]
pub struct RollingFeature {
    /// Index of its name.
    pub feature: u32,
    /// Window by window.
    pub points: Vec<RollingPoint>,
    /// Whether the sign changes beyond doubt.
    pub sign_change: bool,
    /// Whether two windows have intervals that do not overlap.
    pub separate_intervals: bool,
}

/// One window.
#[derive(Debug, Serialize)]
pub struct RollingPoint {
    /// Its first stamp.
    pub start: String,
    /// Its last stamp.
    pub end: String,
    /// The standardised coefficient.
    pub coefficient: f64,
    /// Lower end of the 95 % interval.
    pub ci_low: f64,
    /// Upper end.
    pub ci_high: f64,
    /// Share of the variance that the regression explains in the window.
    pub r2: f64,
    /// Whether that share is low.
    pub weak: bool,
}
