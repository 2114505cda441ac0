//! The N-API interface of the engine: conversion only. `README.md` of this crate has the rules for it.

pub mod call;
mod calls;
#[cfg(test)]
mod documents;
mod failure;
pub mod file_lock;
mod guarded;
pub mod kept_dataset;
pub mod listening_socket;
pub mod read_columns;
mod reply;
mod requests;
pub mod task_handle;

use napi_derive::napi;

/// The engine's version.
#[napi(catch_unwind)]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
