//! The stages of a run, in order. Fitting takes most of the time.

use tabcast_progress::Stage;

/// Reads the input file.
pub const INGEST: Stage = Stage { name: "ingest", begins_at: 0.0, ends_at: 0.05 };
/// Infers the frequency, checks grids and caps.
pub const VALIDATE: Stage = Stage { name: "validate", begins_at: 0.05, ends_at: 0.08 };
/// Forecasts held-back parts of the histories of a sample of series.
pub const BACKTEST: Stage = Stage { name: "backtest", begins_at: 0.08, ends_at: 0.3 };
/// Fits, combines and writes, chunk by chunk.
pub const FIT: Stage = Stage { name: "fit", begins_at: 0.3, ends_at: 0.98 };
/// Makes the forecasts of a hierarchy coherent.
pub const RECONCILE: Stage = Stage { name: "reconcile", begins_at: 0.98, ends_at: 0.98 };
/// Computes the findings and analyses of the forecasts.
pub const EXPLAIN: Stage = Stage { name: "explain", begins_at: 0.98, ends_at: 0.98 };
/// Closes the output files.
pub const WRITE: Stage = Stage { name: "write", begins_at: 0.98, ends_at: 0.98 };
