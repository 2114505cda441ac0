//! Identity hash of a dataset.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::{Covariate, CovariateValues, Panel};

/// Change this whenever the canonical form below changes.
const FORM: &[u8] = b"tabcast panel 1";
/// Precedes the covariates, if there are any; change it whenever their form changes.
const COVARIATES: &[u8] = b"covariates 1";
/// Number of series whose hashes are in memory at a time.
const HASHED_TOGETHER: usize = 65_536;
const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// SHA-256, in lower-case hexadecimal, of the panel's canonical rows.
///
/// Equal data have equal hashes: the panel is sorted, so the order of the rows in the file, the file format and the way
/// numbers and timestamps are written do not matter. There is one null, and 0 and -0 are equal. The hash is taken over
/// the hashes of the series (id, stamps, bits of the values, each with its length), which makes it independent of the
/// number of threads. Covariates count with their names, kinds and values, whatever their order; without covariates,
/// the hash is that of earlier releases.
pub fn dataset_hash(panel: &Panel) -> String {
    hash(panel, &|| false).unwrap_or_default()
}

/// [`dataset_hash`], or none once `cancel` is set.
pub fn dataset_hash_unless(panel: &Panel, cancel: &AtomicBool) -> Option<String> {
    hash(panel, &|| cancel.load(Ordering::Relaxed))
}

/// None as soon as `cancelled` returns true.
fn hash(panel: &Panel, cancelled: &(dyn Fn() -> bool + Sync)) -> Option<String> {
    let mut covariates: Vec<&Covariate> = panel.covariates.iter().collect();
    covariates.sort_by(|left, right| left.name.cmp(&right.name));
    let mut hasher = Sha256::new();
    hasher.update(FORM);
    hasher.update((panel.len() as u64).to_le_bytes());
    for first in (0..panel.len()).step_by(HASHED_TOGETHER) {
        let series: Vec<[u8; 32]> = (first..panel.len().min(first + HASHED_TOGETHER))
            .into_par_iter()
            .map(|index| hash_series(panel, &covariates, index, cancelled))
            .collect::<Option<_>>()?;
        hasher.update(series.as_flattened());
    }
    if !covariates.is_empty() {
        hasher.update(COVARIATES);
    }
    for covariate in covariates {
        hash_text(&mut hasher, &covariate.name);
        match &covariate.values {
            CovariateValues::Numbers(_) => hasher.update([0]),
            CovariateValues::Unusable { .. } => hasher.update([1]),
            CovariateValues::Categories { names, .. } => {
                hasher.update([2]);
                hasher.update((names.len() as u64).to_le_bytes());
                for name in names {
                    hash_text(&mut hasher, name);
                }
            }
        }
    }
    Some(hexadecimal(hasher))
}

/// The digest in lower-case hexadecimal.
pub(crate) fn hexadecimal(hasher: Sha256) -> String {
    let digest: [u8; 32] = hasher.finalize().into();
    let halves = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    halves.map(|half| char::from(DIGITS[usize::from(half)])).collect()
}

/// Hashes a text with its length, so that different lists of texts hash differently.
pub(crate) fn hash_text(hasher: &mut Sha256, text: &str) {
    hasher.update((text.len() as u64).to_le_bytes());
    hasher.update(text);
}

fn hash_series(
    panel: &Panel,
    covariates: &[&Covariate],
    index: usize,
    cancelled: &dyn Fn() -> bool,
) -> Option<[u8; 32]> {
    let (timestamps, targets) = panel.series(index);
    let mut hasher = Sha256::new();
    hash_text(&mut hasher, panel.ids.get(index));
    hasher.update((timestamps.len() as u64).to_le_bytes());
    update(&mut hasher, cancelled, timestamps.iter().map(|stamp| stamp.to_le_bytes()))?;
    update(&mut hasher, cancelled, targets.iter().map(|value| canonical(*value).to_bits().to_le_bytes()))?;
    let rows = panel.offsets[index]..panel.offsets[index + 1];
    for covariate in covariates {
        match &covariate.values {
            CovariateValues::Numbers(values) => {
                update(
                    &mut hasher,
                    cancelled,
                    values[rows.clone()].iter().map(|value| canonical(*value).to_bits().to_le_bytes()),
                )?;
            }
            CovariateValues::Categories { codes, .. } => {
                update(
                    &mut hasher,
                    cancelled,
                    codes[rows.clone()].iter().map(|code| u64::from(*code).to_le_bytes()),
                )?;
            }
            CovariateValues::Unusable { .. } => {}
        }
    }
    Some(hasher.finalize().into())
}

/// Feeds eight-byte words in stretches of the size that the compression function prefers.
fn update(
    hasher: &mut Sha256,
    cancelled: &dyn Fn() -> bool,
    mut words: impl Iterator<Item = [u8; 8]>,
) -> Option<()> {
    let mut buffer = [0_u8; 4096];
    loop {
        if cancelled() {
            return None;
        }
        let mut length = 0;
        for (slot, word) in buffer.as_chunks_mut::<8>().0.iter_mut().zip(&mut words) {
            *slot = word;
            length += 8;
        }
        hasher.update(&buffer[..length]);
        if length < buffer.len() {
            return Some(());
        }
    }
}

fn canonical(value: f64) -> f64 {
    if value.is_nan() {
        f64::NAN
    } else if value == 0.0 {
        0.0
    } else {
        value
    }
}
