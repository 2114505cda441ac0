//! From the columns of a table to what members learn from, fitted on training rows alone.

mod coding;
mod column;
mod dates;
mod encoder;
mod levels;
mod readers;
mod scaling;
mod source;
mod statistics;
mod text;

pub use encoder::Encoder;
pub(crate) use source::source;
