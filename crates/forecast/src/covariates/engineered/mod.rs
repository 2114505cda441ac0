//! Features derived from a series itself: its calendar, its past values, their statistics and growth.
//!
//! A row is a series, an origin and a step after it. The calendar part ([`write_calendar`]) depends only on the stamp
//! of the step that is forecast; the history part ([`Past`]) only on values before the origin, never on later ones.

mod block;
mod calendar;
mod past;
mod recipe;
mod rolling;
mod stored;
#[cfg(test)]
mod tests;

pub use block::FeatureEngineering;
pub(crate) use calendar::write_calendar;
pub(crate) use past::{Past, Unit};
pub(crate) use recipe::Recipe;
pub use recipe::RollingStat;
