//! Identity hash of a table.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use super::{Frame, FrameColumn};
use crate::hash::{hash_text, hexadecimal};

/// Change this whenever the canonical form below changes.
const FORM: &[u8] = b"tabcast frame 1";
/// Number of words hashed at a time.
const STRETCH: usize = 512;

/// SHA-256, in lower-case hexadecimal, of the names and cells of all columns, in their order.
///
/// Equal frames have equal hashes: the file format and the way numbers are written do not matter, there is one missing
/// value, and 0 and -0 are equal. The hash is taken over the hashes of the columns, which makes it independent of the
/// number of threads.
pub fn frame_hash(frame: &Frame) -> String {
    let columns: Vec<[u8; 32]> =
        frame.names.par_iter().zip(&frame.columns).map(|(name, column)| hash_column(name, column)).collect();
    let mut hasher = Sha256::new();
    hasher.update(FORM);
    hasher.update((frame.rows as u64).to_le_bytes());
    hasher.update((columns.len() as u64).to_le_bytes());
    hasher.update(columns.as_flattened());
    hexadecimal(hasher)
}

fn hash_column(name: &str, column: &FrameColumn) -> [u8; 32] {
    let mut hasher = Sha256::new();
    hash_text(&mut hasher, name);
    match column {
        FrameColumn::Numbers(numbers) => {
            hasher.update([0]);
            for stretch in numbers.chunks(STRETCH) {
                let words: Vec<[u8; 8]> = stretch
                    .iter()
                    .map(|number| if number.is_nan() { f64::NAN } else { number + 0.0 })
                    .map(|number| number.to_bits().to_le_bytes())
                    .collect();
                hasher.update(words.as_flattened());
            }
        }
        FrameColumn::Texts(texts) => {
            hasher.update([1]);
            hasher.update((texts.texts.len() as u64).to_le_bytes());
            texts.texts.iter().for_each(|text| hash_text(&mut hasher, text));
            for stretch in texts.codes.chunks(STRETCH) {
                let words: Vec<[u8; 4]> = stretch.iter().map(|code| code.to_le_bytes()).collect();
                hasher.update(words.as_flattened());
            }
        }
    }
    hasher.finalize().into()
}
