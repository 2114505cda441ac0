//! The forecast table as a file.

mod convert;
mod csv;
mod json;
mod layout;
mod parquet;

pub use convert::{TableFormat, convert_parquet};
pub use csv::CsvWriter;
pub use layout::{Chunk, Layout, Run, TimestampFormat, WriteError, Written};
pub use parquet::ParquetWriter;
