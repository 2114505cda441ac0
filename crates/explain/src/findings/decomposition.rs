//! The decomposition of a history, on which all rules work.

use tabcast_statistics::{Loess, Stl, StlWorkspace};

use super::input::usable;
use super::ordinary::{outliers, threshold};
use super::regressors::Regressors;
use super::robust::{centre_and_spread, median};
use super::rules::find_shift;
use super::season_test::phases_differ;
use super::{Counts, Series};

/// Maximum number of steps examined, the latest ones.
pub(super) const LONGEST: usize = 4096;
/// Number of cycles over which a phase of the season is smoothed.
const SEASONAL_WINDOW: usize = 11;
/// Number of rounds of outlier detection, each without the outliers found before.
const OUTLIER_ROUNDS: usize = 3;
/// Number of rounds in which season and regressors are fitted to each other's residuals.
const FITTING_ROUNDS: usize = 3;
/// Minimum season strength for a season.
pub(super) const SEASONAL: f64 = 0.3;

/// The last steps of a history, from the first to the last observed one; values are divided by `scale`.
#[derive(Debug)]
pub(super) struct Decomposition {
    /// A power of two, so that nothing overflows and the division is exact.
    pub(super) scale: f64,
    /// Index of the first value in the panel's grid.
    pub(super) start: usize,
    /// Missing values are interpolated.
    pub(super) values: Vec<f64>,
    /// Whether each value was observed.
    is_observed: Vec<bool>,
    /// The values without outliers and season.
    pub(super) adjusted: Vec<f64>,
    /// The largest distance of an ordinary value from its expectation; infinite if no outliers are detected.
    pub(super) reach: f64,
    /// All zero if there is no season.
    pub(super) season: Vec<f64>,
    /// Season length in steps; 1 if none was tested.
    pub(super) season_length: usize,
    /// `1 - var(remainder) / var(season + remainder)`, corrected for the degrees of freedom of the season; 0 without a
    /// season.
    pub(super) strength: f64,
    /// Indices of outliers, ascending.
    pub(super) outliers: Vec<usize>,
    /// The median, or the mean if most values are near zero.
    pub(super) level: f64,
    /// The mean absolute value.
    pub(super) size: f64,
    /// Whether at least every fourth value is zero and none is negative.
    pub(super) intermittent: bool,
    /// The caller's counts, plus the missing values found here.
    pub(super) counts: Counts,
    /// Number of steps of the whole history, including those not examined.
    pub(super) steps: usize,
}

impl Decomposition {
    /// None if nothing was observed, or if a value is too large.
    pub(super) fn of(series: &Series<'_>) -> Option<Self> {
        if series.is_beyond() {
            return None;
        }
        let history = &series.history[series.history.len().saturating_sub(LONGEST)..];
        let first = history.iter().position(|value| usable(*value))?;
        let last = history.iter().rposition(|value| usable(*value))?;
        let cut = series.history.len() - history.len() + first;
        let history = &history[first..=last];
        let count = history.len();
        let scale = scale_of(history);
        let scaled = |value: &f64| if usable(*value) { value / scale } else { f64::NAN };
        let mut values: Vec<f64> = history.iter().map(scaled).collect();
        let intermittent = is_intermittent(&values);
        interpolate(&mut values);
        let size = values.iter().map(|value| value.abs()).sum::<f64>() / values.len() as f64;
        let mut found = Self {
            scale,
            start: series.start + cut,
            level: level_of(&values, size),
            size,
            intermittent,
            is_observed: history.iter().map(|value| usable(*value)).collect(),
            adjusted: values.clone(),
            reach: f64::INFINITY,
            season: vec![0.0; values.len()],
            season_length: series.season_length.max(1),
            strength: 0.0,
            outliers: Vec::new(),
            counts: Counts { missing: series.counts.missing.max(gaps_of(series.history)), ..series.counts },
            steps: series.history.len(),
            values,
        };
        let known = |column: &'_ Vec<f64>| column.get(cut..cut + count).map(<[f64]>::to_vec);
        found.take_apart(&Regressors::new(series.regressors.iter().filter_map(known)));
        Some(found)
    }

    /// The observed values, oldest first.
    pub(super) fn observed(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().zip(&self.is_observed).filter(|(_, observed)| **observed).map(|(value, _)| *value)
    }

    /// The level, if changes can be expressed as a share of it.
    pub(super) fn base(&self) -> Option<f64> {
        (self.level > 0.1 * self.size).then_some(self.level)
    }

    /// The reference for changes: the base, or the mean absolute value if there is none.
    pub(super) fn yardstick(&self) -> f64 {
        self.base().unwrap_or(self.size)
    }

    /// Whether the values are not all equal.
    pub(super) fn varies(&self) -> bool {
        self.values.iter().any(|value| *value != self.values[0])
    }

    fn take_apart(&mut self, regressors: &Regressors) {
        if !self.varies() || self.intermittent || self.values.len() < 8 {
            return;
        }
        let mut room = Vec::new();
        let mut base = self.values.clone();
        let mut work = StlWorkspace::default();
        let mut trend = self.split(&base, &mut work);
        // A jump bends trend and season around it, so that ordinary values would stand out there.
        let shift = find_shift(self);
        let mut effect = vec![0.0; base.len()];
        if let Some((at, size, _)) = shift {
            for value in &mut base[at..] {
                *value -= size;
            }
            trend = self.split(&base, &mut work);
        }
        // A value with a known cause is no outlier.
        for _ in 0..if regressors.is_empty() { 0 } else { FITTING_ROUNDS } {
            let rest: Vec<f64> = (0..base.len()).map(|at| base[at] - trend[at] - self.season[at]).collect();
            effect = regressors.effect(&rest, &self.is_observed, &mut room);
            let clean: Vec<f64> = base.iter().zip(&effect).map(|(value, effect)| value - effect).collect();
            trend = self.split(&clean, &mut work);
        }
        for (value, effect) in base.iter_mut().zip(&effect) {
            *value -= effect;
        }
        self.take_outliers(&base, trend, &mut work, &mut room);
        for (value, effect) in self.adjusted.iter_mut().zip(&effect) {
            *value += effect;
        }
        if let Some((at, size, _)) = shift {
            for value in &mut self.adjusted[at..] {
                *value += size;
            }
        }
    }

    /// Finds the outliers of `base` and removes them from season and adjusted values.
    fn take_outliers(
        &mut self,
        base: &[f64],
        mut trend: Vec<f64>,
        work: &mut StlWorkspace,
        room: &mut Vec<f64>,
    ) {
        let mut clean = base.to_vec();
        let mut odd: Vec<usize> = (0..clean.len()).filter(|&at| !self.is_observed[at]).collect();
        if !odd.is_empty() && self.strength > 0.0 {
            trend = self.refill(&odd, &mut clean, work);
        }
        for _ in 0..OUTLIER_ROUNDS {
            let remainder: Vec<f64> =
                self.adjusted.iter().zip(&trend).map(|(value, trend)| value - trend).collect();
            let mut found = outliers(&remainder, &self.adjusted, &self.is_observed, room);
            if self.strength > 0.0 {
                self.keep_largest_of_phase(&mut found, &remainder);
            }
            if found.is_empty() {
                break;
            }
            odd.extend(&found);
            self.outliers.extend(&found);
            trend = self.refill(&odd, &mut clean, work);
        }
        self.outliers.sort_unstable();
        self.outliers.dedup();
        if !self.outliers.is_empty() {
            let remainder = self.adjusted.iter().zip(&trend).map(|(value, trend)| value - trend);
            let ordinary: Vec<f64> = (remainder.enumerate())
                .filter(|(at, _)| self.is_observed[*at] && self.outliers.binary_search(at).is_err())
                .map(|(_, value)| value)
                .collect();
            self.reach = threshold(base.len()) * centre_and_spread(&ordinary, room).1;
        }
    }

    /// An outlier leaves up to a third of itself in the season of the neighbouring cycles, where ordinary values then
    /// stand out in the opposite direction. So outliers below half of the largest one of their phase wait for the next
    /// round.
    fn keep_largest_of_phase(&self, found: &mut Vec<usize>, remainder: &[f64]) {
        let all = found.clone();
        found.retain(|&at| {
            let same_phase = all.iter().filter(|other| other.abs_diff(at) % self.season_length == 0);
            let largest = same_phase.map(|&other| remainder[other].abs()).fold(0.0, f64::max);
            2.0 * remainder[at].abs() >= largest
        });
    }

    /// Replaces the values at `places` by what season and neighbours suggest, and decomposes again; returns the trend.
    /// The replaced values left a part of themselves in the season, so one round is not enough.
    fn refill(&mut self, places: &[usize], values: &mut [f64], work: &mut StlWorkspace) -> Vec<f64> {
        let mut trend = Vec::new();
        for _ in 0..2 {
            for &at in places {
                values[at] = f64::NAN;
            }
            for (value, season) in values.iter_mut().zip(&self.season) {
                *value -= season;
            }
            interpolate(values);
            for (value, season) in values.iter_mut().zip(&self.season) {
                *value += season;
            }
            trend = self.split(values, work);
        }
        trend
    }

    /// Computes season, strength and adjusted values; returns the trend.
    fn split(&mut self, values: &[f64], work: &mut StlWorkspace) -> Vec<f64> {
        let (count, period) = (values.len(), self.season_length);
        self.strength = 0.0;
        if period >= 2 && count > 2 * period {
            let stl = Stl { period, seasonal_window: SEASONAL_WINDOW, iterations: 2, jumps: true };
            stl.decompose(values, &mut self.season, work);
            let detrended: Vec<f64> =
                values.iter().zip(&work.trend).map(|(value, trend)| value - trend).collect();
            self.strength = strength(&detrended, &self.season, period, self.size);
            if self.strength >= SEASONAL && phases_differ(&detrended, period) {
                self.adjusted.clear();
                self.adjusted.extend(values.iter().zip(&self.season).map(|(value, season)| value - season));
                return work.trend.clone();
            }
            self.strength = 0.0;
        }
        self.season.fill(0.0);
        self.adjusted.clear();
        self.adjusted.extend_from_slice(values);
        let window = (count / 3).max(7) | 1;
        let mut trend = vec![0.0; count];
        Loess { window, linear: true, jump: window.div_ceil(10) }.smooth(values, &mut trend, &mut Vec::new());
        trend
    }
}

/// Season strength (Wang, Smith and Hyndman, 2006, with STL), with the remainder's variance divided by the share of its
/// degrees of freedom that the season leaves; otherwise noise over few cycles would look seasonal.
fn strength(detrended: &[f64], season: &[f64], period: usize, size: f64) -> f64 {
    let remainder: Vec<f64> = detrended.iter().zip(season).map(|(value, season)| value - season).collect();
    let (all, rest) = (variance(detrended), variance(&remainder));
    let cycles = detrended.len() as f64 / period as f64;
    // A tricube window of eleven has the weight of 6.4 cycles.
    let used = (1.0 + (cycles - 5.0).max(0.0) / 6.4) / cycles;
    // The rounding error of a line has no season.
    if all > (1e-9 * size).powi(2) { (1.0 - rest / (1.0 - used) / all).clamp(0.0, 1.0) } else { 0.0 }
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64
}

/// The power of two at or below the largest absolute value; 1 if all are zero.
pub(super) fn scale_of(values: &[f64]) -> f64 {
    let largest = values.iter().filter(|value| usable(**value)).map(|value| value.abs()).fold(0.0, f64::max);
    if largest > 0.0 { 2f64.powi(largest.log2().floor().clamp(-1000.0, 1000.0) as i32) } else { 1.0 }
}

/// Interpolates values that are not finite linearly, and repeats the nearest value at the ends.
fn interpolate(values: &mut [f64]) {
    let Some(mut known) = values.iter().position(|value| usable(*value)) else { return };
    let first = values[known];
    values[..known].fill(first);
    for at in known + 1..values.len() {
        if usable(values[at]) {
            let step = (values[at] - values[known]) / (at - known) as f64;
            for between in known + 1..at {
                values[between] = values[known] + step * (between - known) as f64;
            }
            known = at;
        }
    }
    let last = values[known];
    values[known + 1..].fill(last);
}

/// Number of missing steps between the first and the last observation.
fn gaps_of(history: &[f64]) -> usize {
    let first = history.iter().position(|value| usable(*value)).unwrap_or(0);
    let end = history.iter().rposition(|value| usable(*value)).map_or(first, |last| last + 1);
    history[first..end].iter().filter(|value| !usable(**value)).count()
}

fn level_of(values: &[f64], size: f64) -> f64 {
    let middle = median(&mut values.to_vec());
    if middle.abs() > 0.1 * size { middle } else { values.iter().sum::<f64>() / values.len() as f64 }
}

/// Whether no value is negative and there is at most one demand in 1.32 steps: 24.2 % zeros.
fn is_intermittent(values: &[f64]) -> bool {
    let observed = || values.iter().filter(|value| usable(**value));
    let demands = observed().filter(|value| **value > 0.0).count();
    observed().all(|value| *value >= 0.0) && demands > 0 && observed().count() as f64 >= 1.32 * demands as f64
}
