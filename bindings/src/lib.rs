//! The N-API door to the engine: conversion only. `README.md` beside this crate says how it is kept that way.

mod check;
mod convert;
mod failure;
mod file_lock;
mod forecast;
mod guarded;
mod options;
mod task_handle;

use napi_derive::napi;

/// The engine's version.
#[napi(catch_unwind)]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
