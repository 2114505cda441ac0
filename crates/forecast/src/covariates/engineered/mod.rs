//! Features that are made of a series itself: its calendar, its past values, their statistics and growth.
//!
//! A row belongs to a series, an origin and a step after it. The calendar part ([`write_calendar`]) depends on the
//! stamp of the step that is forecast alone; the history part ([`Past`]) on the values before the origin alone, never
//! on what is later.

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
