//! The history part of a row.

use super::rolling::{Moments, rolling};
use super::{Recipe, RollingStat};

/// Level and scale of the features: lags, means and extremes are `(value - level) / scale`, deviations are `value /
/// scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    pub(crate) level: f64,
    /// Positive.
    pub(crate) scale: f64,
}

/// The values of a series with precomputed rolling statistics, so that the features of any origin are a lookup.
#[derive(Debug)]
pub(crate) struct Past<'a> {
    values: &'a [f64],
    recipe: &'a Recipe,
    /// The first origin with rolling statistics.
    first: usize,
    /// `moments[window][origin - first]`.
    moments: Vec<Vec<Moments>>,
}

impl<'a> Past<'a> {
    /// Precomputes origins from `first` on. Origin 0 is before all values; the number of values is the origin of the
    /// real forecast. `values` is a regular, finite history, oldest first. Time and memory grow with origins times
    /// windows, not with the window lengths.
    pub(crate) fn since(values: &'a [f64], recipe: &'a Recipe, first: usize) -> Self {
        let windows: &[usize] = if recipe.stats.is_empty() { &[] } else { &recipe.windows };
        let moments = windows.iter().map(|&window| rolling(values, window, first)).collect();
        Self { values, recipe, first, moments }
    }

    /// Writes the history features of step `step` (1 for the first) after the first `origin` values,
    /// [`Recipe::history_width`] of them. A lag of k is the latest known value a whole multiple of k steps before the
    /// step that is forecast; windows end with the last value; growth is the relative change of the last value. NaN
    /// where the history is too short, growth starts from 0, or numbers overflow.
    pub(crate) fn write(&self, origin: usize, step: usize, unit: Unit, out: &mut [f64]) {
        let known = &self.values[..origin];
        let mut out = out.iter_mut();
        let mut put = |value: f64| {
            if let Some(place) = out.next() {
                *place = if value.is_finite() { value } else { f64::NAN };
            }
        };
        let level = |value: f64| (value - unit.level) / unit.scale;
        for &lag in &self.recipe.lags {
            put((origin + step - 1)
                .checked_sub(lag * step.div_ceil(lag))
                .map_or(f64::NAN, |at| level(known[at])));
        }
        for (moments, &window) in self.moments.iter().zip(&self.recipe.windows) {
            let moments = moments[origin - self.first];
            let whole = origin >= window;
            for stat in &self.recipe.stats {
                put(match stat {
                    _ if !whole => f64::NAN,
                    RollingStat::Mean => level(moments.mean),
                    RollingStat::Std => moments.deviation() / unit.scale,
                    RollingStat::Min => level(moments.min),
                    RollingStat::Max => level(moments.max),
                });
            }
        }
        for &period in &self.recipe.growth {
            let before = origin.checked_sub(period + 1).map_or(f64::NAN, |at| known[at]);
            put(if before == 0.0 { f64::NAN } else { known[origin.max(1) - 1] / before - 1.0 });
        }
    }
}
