//! One program for all fuzz targets: `TABCAST_FUZZ_TARGET` names the one that runs, libFuzzer's arguments say how long.
//! With `TABCAST_FUZZ_SEEDS` it writes the seeds of all targets into that folder instead.

#![no_main]

mod calendar;
mod hook;
mod models;
mod plans;
mod scratch;
mod seeds;
mod tables;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

/// What is done with the bytes of one input.
type Target = fn(&[u8]);

/// By name; a folder of `corpus` belongs to each.
const TARGETS: [(&str, Target); 16] = [
    ("csv", tables::csv),
    ("packed", tables::packed),
    ("json", tables::json),
    ("jsonl", tables::jsonl),
    ("parquet", tables::parquet),
    ("xls", tables::xls),
    ("xlsx", tables::xlsx),
    ("xlsx_parts", tables::xlsx_parts),
    ("timestamps", calendar::timestamps),
    ("frequencies", calendar::frequencies),
    ("date_orders", calendar::date_orders),
    ("plans", plans::plans),
    ("trees_file", models::trees_file),
    ("tuned_file", models::tuned_file),
    ("lightgbm", models::lightgbm),
    ("xgboost", models::xgboost),
];

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("TABCAST_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("TABCAST_FUZZ_TARGET is {name:?}, and no target is called that")).1
});

fuzz_target!(
    init: {
        if let Some(folder) = std::env::var_os("TABCAST_FUZZ_SEEDS") {
            seeds::write(folder.as_ref());
            std::process::exit(0);
        }
        hook::install();
    },
    |bytes: &[u8]| {
        TARGET(bytes);
    }
);
