//! The stages of a run, in order. Learning takes most of the time.

use tabcast_progress::Stage;

/// Reads the input file.
pub const INGEST: Stage = Stage { name: "ingest", begins_at: 0.0, ends_at: 0.03 };
/// Settles labels, column types and the split.
pub const VALIDATE: Stage = Stage { name: "validate", begins_at: 0.03, ends_at: 0.05 };
/// Trains the members, fold by fold.
pub const FIT: Stage = Stage { name: "fit", begins_at: 0.05, ends_at: 0.93 };
/// Computes weights, calibration, intervals and importance.
pub const COMBINE: Stage = Stage { name: "combine", begins_at: 0.93, ends_at: 0.96 };
/// Computes the analyses, if requested.
pub const EXPLAIN: Stage = Stage { name: "explain", begins_at: 0.96, ends_at: 0.98 };
/// Writes the files.
pub const WRITE: Stage = Stage { name: "write", begins_at: 0.98, ends_at: 1.0 };
