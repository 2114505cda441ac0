//! The encoder through its public interface.

mod categories;
mod dates;
mod dense;
mod tables;
mod target_statistics;
mod texts;
mod views;
