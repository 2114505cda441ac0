//! Writes tables as files: the forecast table in chunks, and tables of any columns in one go.

mod capped;
mod convert;
mod convert_table;
mod csv;
mod json;
mod layout;
mod parquet;
mod table;
mod table_format;
mod table_json;
mod table_parquet;

pub use convert::convert_parquet;
pub use csv::CsvWriter;
pub use layout::{Chunk, Layout, Run, TimestampFormat, WriteError, Written};
pub use parquet::ParquetWriter;
pub use table::{TableColumn, write_table_csv};
pub use table_format::TableFormat;
pub use table_parquet::{write_plain_parquet, write_table_parquet};
