//! Importance and Shapley values through the front doors.

mod generated;
mod grouping;
mod refusals;
mod surrogate;
mod trees;
