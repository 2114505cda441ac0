//! Boosting through its public interface.

mod binned;
mod categories;
mod generated;
mod growth;
mod losses;
mod monotone;
mod refusals;
mod values;
