//! The history part of a row.

use super::rolling::{Moments, rolling};
use super::{Recipe, RollingStat};

/// What values are measured from and in: lags, means and extremes as `(value - level) / scale`, deviations as `value
/// / scale`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    pub(crate) level: f64,
    /// Above 0.
    pub(crate) scale: f64,
}

/// The values of a series with their rolling statistics: a feature of any origin costs no more than a look.
#[derive(Debug)]
pub(crate) struct Past<'a> {
    values: &'a [f64],
    recipe: &'a Recipe,
    /// The first origin whose rolling statistics are known.
    first: usize,
    /// `moments[window][origin - first]`.
    moments: Vec<Vec<Moments>>,
}

impl<'a> Past<'a> {
    /// For origins from `first` on: 0 for all, the number of values for the forecast of what comes next. `values` is a
    /// regular, finite history, oldest first. Takes time and memory in proportion to origins times windows, however
    /// long the windows are.
    pub(crate) fn since(values: &'a [f64], recipe: &'a Recipe, first: usize) -> Self {
        let windows: &[usize] = if recipe.stats.is_empty() { &[] } else { &recipe.windows };
        let moments = windows.iter().map(|&window| rolling(values, window, first)).collect();
        Self { values, recipe, first, moments }
    }

    /// Writes the history features of the step `step` (1 for the first) after the first `origin` values, as many as
    /// [`Recipe::history_width`] says. A lag of k is the latest value a whole multiple of k steps before the step
    /// that is forecast, windows end with the last value, growth is the last value's relative change. NaN where the
    /// history is too short, where growth starts from 0, and where numbers overflow.
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
