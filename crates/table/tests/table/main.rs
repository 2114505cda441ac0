//! Reading and writing through the public interface.

mod columns;
mod covariates;
mod data_profile;
mod dates;
mod fine_timestamps;
mod formats;
mod frame;
mod hierarchy;
mod hostile_parquet;
mod hostile_spreadsheets;
mod inspect;
mod nul_bytes;
mod packed;
mod parts;
mod preview;
mod read_csv;
mod read_json;
mod read_parquet;
mod read_spreadsheets;
mod scratch;
mod support;
mod write;
mod write_table;
