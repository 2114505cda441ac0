//! The columns that a shaped response is a sum of.
//!
//! The response to a number is a line that may bend at the number's quantiles, as demand does on both sides of a
//! comfortable temperature. The number's mean over the last season may have such a response too, because buildings and
//! habits follow the weather of a day rather than of a moment (Hyndman & Fan 2010, "Density forecasting for long-term
//! peak electricity demand"). Both, and the response to a class, may vary along the season: heating in the morning is
//! not heating at night.

use std::f64::consts::TAU;

use super::FEWEST_TO_BEND;

/// Shares of the history's values below each bend.
const BENDS: [f64; 4] = [0.2, 0.4, 0.6, 0.8];
/// Harmonics of the season by which a response may vary: the whole season and half of it.
const WAVES: usize = 2;

/// Columns with one value per step of the history, then of the horizon; each stage includes the columns of the previous
/// one.
pub(super) struct Basis {
    pub(super) columns: Vec<Vec<f64>>,
    /// Number of columns at each stage, ascending.
    pub(super) stages: Vec<usize>,
}

impl Basis {
    /// A stage that would need more than `most` columns is left out, and so are those after it.
    pub(super) fn of(given: &[Vec<f64>], length: usize, season: usize, most: usize) -> Self {
        let mut basis = Self { columns: Vec::new(), stages: Vec::new() };
        let mut direct: Vec<Vec<f64>> = Vec::new();
        let mut lasting: Vec<Vec<f64>> = Vec::new();
        for column in given {
            let bends = bends(column, length);
            if season > 1 && !bends.is_empty() {
                let mean = trailing_mean(column, season);
                lasting.extend(self::bends(&mean, length));
                lasting.push(mean);
            }
            direct.push(column.clone());
            direct.extend(bends);
        }
        let waves = waves(season, direct.first().map_or(0, Vec::len));
        // Centred: an uncentred temperature in kelvins would carry a season of its own.
        let seasonal: Vec<Vec<f64>> = direct
            .iter()
            .flat_map(|column| {
                let mean = column[..length].iter().map(|value| value / length as f64).sum::<f64>();
                let along = move |wave: &Vec<f64>| -> Vec<f64> {
                    column.iter().zip(wave).map(|(value, wave)| (value - mean) * wave).collect()
                };
                waves.iter().map(along)
            })
            .collect();
        for stage in [direct, lasting, seasonal] {
            if basis.columns.len() + stage.len() > most {
                break;
            }
            if !stage.is_empty() {
                basis.columns.extend(stage);
                basis.stages.push(basis.columns.len());
            }
        }
        basis
    }
}

/// How far a numeric column exceeds each of its quantiles; empty for a class.
fn bends(column: &[f64], length: usize) -> Vec<Vec<f64>> {
    let mut sorted = column[..length].to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut knots: Vec<f64> = BENDS.map(|part| sorted[(part * length as f64) as usize]).to_vec();
    knots.dedup();
    sorted.dedup();
    if sorted.len() < FEWEST_TO_BEND {
        return Vec::new();
    }
    knots.iter().map(|knot| column.iter().map(|value| (value - knot).max(0.0)).collect()).collect()
}

/// The mean of the last `count` values up to each step; of fewer at the beginning.
fn trailing_mean(column: &[f64], count: usize) -> Vec<f64> {
    let mut sum = 0.0;
    column
        .iter()
        .enumerate()
        .map(|(step, value)| {
            sum += value;
            if step >= count {
                sum -= column[step - count];
            }
            sum / (step + 1).min(count) as f64
        })
        .collect()
}

/// Sines and cosines along the season for the given number of steps.
fn waves(season: usize, steps: usize) -> Vec<Vec<f64>> {
    (1..=WAVES.min(season.saturating_sub(1) / 2))
        .flat_map(|turns| {
            let angle = move |step: usize| TAU * (turns * step % season) as f64 / season as f64;
            [
                (0..steps).map(|step| angle(step).sin()).collect(),
                (0..steps).map(|step| angle(step).cos()).collect(),
            ]
        })
        .collect()
}
