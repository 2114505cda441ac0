//! Measures of association between two columns.

use serde::Serialize;
use tabcast_statistics::student_t_two_sided;

/// A measure of association, sorted by the types of its columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// Pearson's r of two numeric columns, from -1 to 1.
    Pearson,
    /// Spearman's rho of two numeric columns, from -1 to 1; equal numbers share their mean rank.
    Spearman,
    /// Cramér's V of two categorical columns with Bergsma's bias correction, from 0 to 1.
    CramersV,
    /// The correlation ratio eta of numbers grouped by category, from 0 to 1.
    CorrelationRatio,
}

impl Method {
    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pearson => "pearson",
            Self::Spearman => "spearman",
            Self::CramersV => "cramers_v",
            Self::CorrelationRatio => "correlation_ratio",
        }
    }
}

/// A measure over the rows that have both values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Association {
    pub(super) method: Method,
    pub(super) value: f64,
    /// Number of rows with both values.
    pub(super) n: usize,
    /// P value of the hypothesis that the columns are unrelated, assuming independent rows.
    pub(super) p_value: f64,
}

/// The two-sided p value of a correlation of `n` pairs.
///
/// Source: t with n - 2 degrees of freedom, exact for Pearson's r of normal columns (Student, Biometrika 6 (1908)),
/// close for Spearman's rho (Kendall and Stuart, The Advanced Theory of Statistics, 31.19).
pub(super) fn correlation_p_value(r: f64, n: usize) -> f64 {
    let degrees = n as f64 - 2.0;
    student_t_two_sided(r * (degrees / ((1.0 - r) * (1.0 + r))).sqrt(), degrees)
}
