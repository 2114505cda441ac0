//! Frequencies, timestamps and regular time grids.
