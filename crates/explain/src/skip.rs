//! Why an analysis says nothing.

/// The reasons of `skipped_analyses`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Skip {
    /// Fewer than 50 rows that have what is needed.
    NotEnoughRows,
    /// No column, or none that varies; of pairs, fewer than two.
    NoFeatures,
    /// The surrogate reproduces less than half of the variance.
    LowFidelity,
    /// Its share of the time was over.
    Timeout,
    /// More series than it is made for.
    TooManySeries,
}

impl Skip {
    /// As the interface spells it.
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
