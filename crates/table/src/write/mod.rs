//! The forecast table as a file.

mod convert;
mod csv;
mod layout;
mod parquet;

pub use convert::csv_from_parquet;
pub use csv::CsvWriter;
pub use layout::{Chunk, Layout, Run, TimestampFormat, WriteError, Written};
pub use parquet::ParquetWriter;
