//! Why an analysis has no result.

/// The reasons of `skipped_analyses`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Skip {
    /// Fewer than 50 rows with the required values.
    NotEnoughRows,
    /// No column, or no varying one; for pairs, fewer than two.
    NoFeatures,
    /// The surrogate reproduces less than half of the variance.
    LowFidelity,
    /// The analysis has used up its share of the time.
    Timeout,
    /// More series than the analysis supports.
    TooManySeries,
}

impl Skip {
    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Skip::NotEnoughRows => "not_enough_rows",
            Skip::NoFeatures => "no_features",
            Skip::LowFidelity => "low_fidelity",
            Skip::Timeout => "timeout",
            Skip::TooManySeries => "too_many_series",
        }
    }
}
