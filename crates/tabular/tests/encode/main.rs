//! The encoder through its public interface.

mod categories;
mod dates;
mod dense;
mod missing;
mod tables;
mod target_statistics;
mod texts;
mod views;
