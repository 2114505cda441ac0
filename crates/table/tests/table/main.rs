//! Reading and writing through the public interface.

mod covariates;
mod hostile_parquet;
mod inspect;
mod preview;
mod read_csv;
mod read_parquet;
mod support;
mod write;
