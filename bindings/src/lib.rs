//! The N-API door to the engine: conversion only. `README.md` beside this crate says how it is kept that way.

pub mod check;
pub mod check_header;
pub mod check_preparation;
pub mod convert;
pub mod failure;
pub mod file_lock;
pub mod fine_tune;
pub mod forecast;
mod guarded;
pub mod inspect;
pub mod listening_socket;
pub mod options;
pub mod prepare;
pub mod preview;
pub mod profile_data;
pub mod read_columns;
pub mod reconcile;
pub mod reconciliation_summary;
pub mod survey;
pub mod tabular;
pub mod task_handle;

use napi_derive::napi;

/// The engine's version.
#[napi(catch_unwind)]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
