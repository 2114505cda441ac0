//! Bounded readers and writers of long-format tables.
//!
//! [`read_panel`] turns files with item id, timestamp and target columns (CSV, JSON, JSONL, Parquet, XLS or XLSX) into
//! a [`Panel`]; [`HierarchyColumns`] may take the place of the item id. [`check_columns`] only reads what precedes the
//! rows; [`CsvWriter`] and [`ParquetWriter`] take a forecast table chunk by chunk.

mod as_text;
mod batch;
mod column;
mod column_profile;
mod composite;
mod content;
mod content_error;
mod covariates;
mod crossing;
mod csv;
mod data_profile;
mod dates;
mod detect;
mod faults;
mod frame;
mod freed_memory;
mod frequency;
mod group;
mod hash;
mod identities;
mod identity;
mod inflate;
mod input;
mod inspect;
mod interner;
mod json;
mod mapping;
mod number;
mod numbering;
mod options;
mod panel;
mod parquet_file;
mod preview;
mod profile;
mod profile_rows;
mod read;
mod refusals;
mod roles;
mod rows;
mod schema;
mod shorten;
mod sniff;
mod spreadsheet;
mod value;
mod verify;
mod write;
mod zones;

pub use column::Column;
pub use column_profile::ColumnType;
pub use composite::composite_ids;
pub use content_error::{ContentError, Kind, ReadError};
pub use covariates::{
    Covariate, CovariateValues, FutureValues, MAX_CATEGORIES, MISSING_CATEGORY, future_values,
};
pub use data_profile::{
    DataProfile, GivenRoles, ProfileOptions, ProfiledColumn, ProfiledRoles, SeriesProfile, profile_data,
};
pub use faults::{WrongCell, wrong_cells};
pub use frame::{
    Frame, FrameColumn, FrameOptions, TextColumn, Unreadable, Wanted, WantedColumn, WantedColumns,
    WrongCells, column_names, frame_hash, read_columns, read_frame,
};
pub use frequency::{find_frequency, irregular_gaps};
pub use hash::{dataset_hash, dataset_hash_unless};
pub use inspect::{
    Check, CheckName, CheckStatus, InspectOptions, InspectedColumn, Inspection, PROFILED_ROWS, inspect,
};
pub use options::{Columns, Compression, FileFormat, HierarchyColumns, Limits, ReadOptions, Scratch};
pub use panel::{Ids, Panel, Warning};
pub use preview::{Detected, Encoding, Preview, PreviewCell, PreviewOptions, preview};
pub use read::{check_columns, read_panel};
pub use refusals::{closest, missing_column, missing_listed_column};
pub use shorten::{shorten, shorten_to};
pub use write::{
    Chunk, CsvWriter, Layout, ParquetWriter, Run, TableColumn, TableFormat, TimestampFormat, WriteError,
    Written, convert_parquet, write_plain_parquet, write_table_csv, write_table_parquet,
};
