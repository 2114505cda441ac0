//! Analogs: outcomes at comparable past steps, at the same position in the season and under similar covariates.
//!
//! The weighted mean of such steps is the base from which the trees start. How fast the past fades, how much other days
//! of the week count, whether values move with the level, and how sharply covariates separate steps are chosen for a
//! panel by the mean absolute error on a sample of its own rows.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tabcast_trees::boosting::Stop;

use super::sample::Place;
use super::track::Track;

/// Maximum number of past steps that are compared.
const MOST: usize = 64;
/// A covariate whose association with the values is below this fraction of the strongest one's does not separate steps.
const LEAST_RELEVANCE: f64 = 0.1;
/// Added to all weights, so that steps count equally where none is comparable.
const FLOOR: f64 = 1e-6;

/// How past steps are weighted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Analogs {
    /// Main season and the next longer one, 1 for none.
    pub(super) season: usize,
    pub(super) long: usize,
    /// Number of seasons after which a step counts half.
    pub(super) half_life: f64,
    /// The weight of a step at another position in the longer season.
    pub(super) other_place: f64,
    /// Whether values move with the level of the series.
    pub(super) levelled: bool,
    /// How quickly the weight of a step falls with the distance of its covariates.
    pub(super) sharpness: f64,
    /// The weight of each covariate in the distance.
    pub(super) relevance: Vec<f64>,
}

const HALF_LIVES: [f64; 5] = [4.0, 1.0, 2.0, 10.0, 30.0];
const OTHER_PLACES: [f64; 4] = [0.3, 1.0, 0.1, 0.02];
const SHARPNESSES: [f64; 4] = [3.0, 0.0, 1.0, 8.0];

impl Analogs {
    /// Chooses by the rows at `places`. The choice is deterministic; once `stop` is set it is worthless.
    pub(super) fn choose(
        tracks: &[Track],
        places: &[Place],
        (season, long): (usize, usize),
        stop: Stop<'_>,
    ) -> Self {
        let relevance = relevance(tracks, season, stop);
        let is_explained = relevance.iter().any(|relevance| *relevance > 0.0);
        let mut best = Self {
            season,
            long,
            half_life: HALF_LIVES[0],
            other_place: if long > season { OTHER_PLACES[0] } else { 1.0 },
            levelled: false,
            sharpness: if is_explained { SHARPNESSES[0] } else { 0.0 },
            relevance,
        };
        let judge = |candidate: &Self| candidate.error(tracks, places, stop);
        let mut least = judge(&best);
        // Tunes one parameter after the other, twice: they hardly depend on each other.
        for _ in 0..2 {
            let mut candidates: Vec<Self> = Vec::new();
            candidates.extend(HALF_LIVES.map(|half_life| Self { half_life, ..best.clone() }));
            try_all(&mut best, &mut least, candidates, &judge);
            if long > season {
                let candidates = OTHER_PLACES.map(|other_place| Self { other_place, ..best.clone() });
                try_all(&mut best, &mut least, candidates.to_vec(), &judge);
            }
            if is_explained {
                let candidates = SHARPNESSES.map(|sharpness| Self { sharpness, ..best.clone() });
                try_all(&mut best, &mut least, candidates.to_vec(), &judge);
            }
            if season > 1 {
                let candidates = [false, true].map(|levelled| Self { levelled, ..best.clone() });
                try_all(&mut best, &mut least, candidates.to_vec(), &judge);
            }
        }
        best
    }

    fn error(&self, tracks: &[Track], places: &[Place], stop: Stop<'_>) -> f64 {
        let errors: Vec<f64> = places
            .par_iter()
            .map(|place| {
                if stop() {
                    return 0.0;
                }
                let track = &tracks[place.track as usize];
                let (origin, target) = (place.origin as usize, place.target as usize);
                let whole = track.difference(track.season, track.len());
                (self.base(track, origin, target) - track.values[target]).abs() / whole
            })
            .collect();
        errors.iter().sum()
    }

    /// The base of step `target` when the first `origin` values, at least one, are known.
    pub(super) fn base(&self, track: &Track, origin: usize, target: usize) -> f64 {
        let nearest = (target - origin) / self.season + 1;
        let level = |at: usize| {
            let window = self.long.max(self.season).min(origin);
            let from = (at + 1).saturating_sub(window.div_ceil(2)).min(origin - window);
            track.mean(from, from + window)
        };
        let current = if self.levelled { level(origin) } else { 0.0 };
        let fading = 0.5_f64.powf(self.half_life.recip());
        let (mut sum, mut total, mut recency) = (0.0, 0.0, 1.0);
        for back in (nearest..nearest + MOST).take_while(|back| back * self.season <= target) {
            let at = target - back * self.season;
            let mut weight = recency;
            recency *= fading;
            if !track.is_observed(at) && recency > 1e-3 {
                continue;
            }
            if !(back * self.season).is_multiple_of(self.long) {
                weight *= self.other_place;
            }
            if self.sharpness > 0.0 {
                weight *= (-self.sharpness * self.distance(track, at, target)).exp() + FLOOR;
            }
            let mut value = track.values[at];
            if self.levelled {
                let before = level(at);
                // Values that can be negative move by the difference instead.
                value = if before > 0.0 && current >= 0.0 && value >= 0.0 {
                    value * (current / before).min(4.0)
                } else {
                    value + current - before
                };
            }
            sum += weight * value;
            total += weight;
        }
        if total > 0.0 { sum / total } else { track.values[origin - 1] }
    }

    fn distance(&self, track: &Track, at: usize, target: usize) -> f64 {
        track
            .columns
            .iter()
            .zip(&self.relevance)
            .filter(|(_, relevance)| **relevance > 0.0)
            .map(|(column, relevance)| relevance * (column.at(at) - column.at(target)).abs())
            .sum()
    }
}

fn try_all(best: &mut Analogs, least: &mut f64, candidates: Vec<Analogs>, judge: &impl Fn(&Analogs) -> f64) {
    for candidate in candidates {
        let error = judge(&candidate);
        if error < *least {
            (*best, *least) = (candidate, error);
        }
    }
}

/// How strongly seasonal changes of each covariate go with those of the values, in direction or in size, relative to
/// the strongest, which has 1.
fn relevance(tracks: &[Track], season: usize, stop: Stop<'_>) -> Vec<f64> {
    let count = tracks.first().map_or(0, |track| track.columns.len());
    let of = |column: usize| {
        let (mut signed, mut sized) = (Moments::default(), Moments::default());
        for track in tracks.iter().take_while(|_| !stop()) {
            let unit = track.difference(track.season, track.len());
            let Some(column) = track.columns.get(column) else { continue };
            for at in season..track.len() {
                let change = (track.values[at] - track.values[at - season]) / unit;
                let change = change.clamp(-10.0, 10.0);
                let other = (column.at(at) - column.at(at - season)).clamp(-10.0, 10.0);
                signed.add(change, other);
                sized.add(change.abs(), other.abs());
            }
        }
        signed.correlation().abs().max(sized.correlation())
    };
    let found: Vec<f64> = (0..count).into_par_iter().map(of).collect();
    let strongest = found.iter().copied().fold(0.0, f64::max);
    if strongest < 0.02 {
        return vec![0.0; count];
    }
    found
        .iter()
        .map(|found| found / strongest)
        .map(|part| if part < LEAST_RELEVANCE { 0.0 } else { part })
        .collect()
}

#[derive(Default)]
struct Moments {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Moments {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.yy += y * y;
        self.xy += x * y;
    }

    fn correlation(&self) -> f64 {
        let of = |product: f64, a: f64, b: f64| product - a * b / self.count;
        let (xx, yy) = (of(self.xx, self.x, self.x), of(self.yy, self.y, self.y));
        if xx > 1e-12 && yy > 1e-12 { of(self.xy, self.x, self.y) / (xx * yy).sqrt() } else { 0.0 }
    }
}
