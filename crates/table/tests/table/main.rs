//! Reading and writing through the public interface.

mod read_csv;
mod read_parquet;
mod support;
mod write;
