//! Encodes the columns of a table into the features that members learn from; fitted on training rows only.

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
