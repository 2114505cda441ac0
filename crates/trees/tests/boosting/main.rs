//! Boosting through its public interface.

mod categories;
mod generated;
mod growth;
mod losses;
mod monotone;
mod refusals;
mod values;
