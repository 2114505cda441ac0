//! Chooses the training rows.

use super::track::Track;

/// A row: the number of known values, and the step to forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) track: u32,
    /// Number of known values.
    pub(super) origin: u32,
    /// Index of the step in the history, at least `origin`.
    pub(super) target: u32,
}

/// Maximum number of steps ahead at which one value is a target; more add nothing new.
const MOST_STEPS: usize = 10;

/// Chooses about `wanted` rows at most: every observed value of every track is a target in turn, at steps of the
/// horizon that are spread evenly and shifted from value to value. If there are more values than rows, older ones are
/// skipped more often.
pub(super) fn sample<T: std::borrow::Borrow<Track>>(
    tracks: &[T],
    first: usize,
    horizon: usize,
    wanted: usize,
) -> Vec<Place> {
    let targets: usize = tracks.iter().map(|track| track.borrow().len().saturating_sub(first)).sum();
    if targets == 0 {
        return Vec::new();
    }
    let each = (wanted / targets).clamp(1, horizon.min(MOST_STEPS));
    // The share of values to use if there are too many.
    let share = (wanted as f64 / targets as f64).min(1.0);
    let mut places = Vec::with_capacity(wanted.min(targets * each) + tracks.len());
    for (number, track) in tracks.iter().map(std::borrow::Borrow::borrow).enumerate() {
        let mut credit = hashed(number as u64, 0);
        for target in first..track.len() {
            credit += share;
            if credit < 1.0 {
                continue;
            }
            credit -= 1.0;
            if !track.is_observed(target) {
                continue;
            }
            let shift = hashed(number as u64, target as u64);
            for turn in 0..each {
                let step = 1 + ((turn as f64 + shift) * horizon as f64 / each as f64) as usize;
                let Some(origin) = (target + 1).checked_sub(step.min(horizon)) else { continue };
                if origin >= first {
                    places.push(Place { track: number as u32, origin: origin as u32, target: target as u32 });
                }
            }
        }
    }
    places
}

/// A hash of two numbers to a number from 0 to 1 (Steele, Lea and Flood, 2014).
fn hashed(a: u64, b: u64) -> f64 {
    let mut mixed = a.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ b.wrapping_add(0x632b_e59b_d9b4_e019);
    for factor in [0xbf58_476d_1ce4_e5b9_u64, 0x94d0_49bb_1331_11eb] {
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(factor);
    }
    ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
}
