//! The N-API door to the engine: conversion only.

use napi_derive::napi;

/// The engine's version.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
