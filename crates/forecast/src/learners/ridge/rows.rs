//! The rows of one series.

use super::Layout;
use crate::covariates::engineered::{Past, Unit, write_calendar};
use crate::history::History;

/// Number of features that every recipe has: step, last value, mean of the last season.
const OWN: usize = 3;
/// Minimum length of the season over which the mean is taken.
const SHORTEST_MEAN: usize = 4;
/// At most one in this many values of a series is late.
const LATE_PART: usize = 4;

/// A row: the number of known values, and the step after them to forecast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) origin: usize,
    /// 1 for the first.
    pub(super) step: usize,
    /// Whether the row is held back to choose the penalty.
    pub(super) is_late: bool,
}

/// Base and unit of the target of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) base: f64,
    pub(super) scale: f64,
    /// Index of the value that is the base.
    at: usize,
}

impl Layout {
    /// Number of features without the constant.
    pub(super) fn width(&self) -> usize {
        OWN + self.columns + self.recipe.calendar_width(self.frequency) + self.recipe.history_width()
    }

    /// Minimum number of values before a row: there must be one seasonal difference.
    pub(super) fn least_past(&self) -> usize {
        self.season + 1
    }

    /// Minimum length of a series that gives both training rows and late rows.
    pub(super) fn shortest(&self) -> usize {
        self.least_past() + LATE_PART
    }

    pub(super) fn fits(&self, history: &History) -> bool {
        history.regressors.len() == self.columns && !history.off_grid
    }
}

/// The rows of a series of `length` values: about `most` training rows, spread over all possible targets with the steps
/// in turn, and every step of the last stretch, which is late.
pub(super) fn places(length: usize, layout: &Layout, most: usize) -> Vec<Place> {
    /// The fraction of the golden ratio: its multiples are spread evenly, however many there are.
    const TURN: f64 = 0.618_033_988_749_894_9;
    let first = layout.least_past();
    let late = layout.horizon.min(length / LATE_PART).min(length - first);
    let cut = length - late;
    let targets = cut - first;
    let count = most.min(targets * layout.horizon);
    let mut places: Vec<Place> = (0..count)
        .map(|place| {
            let target = first + place * targets / count;
            let step = 1 + ((place as f64 * TURN).fract() * layout.horizon as f64) as usize;
            let origin = (target + 1).saturating_sub(step).max(first);
            Place { origin, step: target + 1 - origin, is_late: false }
        })
        .collect();
    let stride = late.div_ceil(most.max(1)).max(1);
    places.extend((1..=late).step_by(stride).map(|step| Place { origin: cut, step, is_late: true }));
    places
}

/// A series with everything its rows are made of.
pub(super) struct SeriesRows<'a> {
    layout: &'a Layout,
    history: &'a History,
    values: &'a [f64],
    past: Past<'a>,
    /// Sum of absolute seasonal differences up to each value.
    differences: Vec<f64>,
}

impl<'a> SeriesRows<'a> {
    /// For rows within the first `length` values.
    pub(super) fn new(history: &'a History, length: usize, layout: &'a Layout) -> Self {
        Self::since(history, length, layout, 0)
    }

    /// For rows after the first `length` values only.
    pub(super) fn ahead(history: &'a History, length: usize, layout: &'a Layout) -> Self {
        Self::since(history, length, layout, length)
    }

    fn since(history: &'a History, length: usize, layout: &'a Layout, first: usize) -> Self {
        let values = &history.values[..length];
        let mut differences = Vec::with_capacity(length + 1);
        let mut sum = 0.0;
        for at in 0..=length {
            differences.push(sum);
            if at >= layout.season && at < length {
                sum += (values[at] - values[at - layout.season]).abs();
            }
        }
        Self { layout, history, values, past: Past::since(values, &layout.recipe, first), differences }
    }

    fn frame(&self, place: &Place) -> Option<Frame> {
        let season = self.layout.season;
        let at = place.origin + place.step - 1 - season * place.step.div_ceil(season);
        let scale = self.differences[place.origin] / (place.origin - season) as f64;
        (scale > 0.0 && scale.is_finite()).then(|| Frame { base: self.values[at], scale, at })
    }

    /// Frame and features of a row, and 1 for the constant; none if the past does not vary.
    pub(super) fn row(&self, place: &Place) -> Option<(Frame, Vec<f64>)> {
        let Layout { recipe, frequency, season, horizon, columns } = self.layout;
        let frame = self.frame(place)?;
        let known = &self.values[..place.origin];
        let unit = |value: f64| (value - frame.base) / frame.scale;
        let last = &known[known.len().saturating_sub((*season).max(SHORTEST_MEAN))..];
        let mut row = Vec::with_capacity(self.layout.width() + 1);
        row.push(place.step as f64 / *horizon as f64);
        row.push(unit(known[known.len() - 1]));
        row.push(last.iter().map(|value| unit(*value)).sum::<f64>() / last.len() as f64);
        let target = place.origin + place.step - 1;
        row.extend(self.history.regressors.iter().map(|column| column[target] - column[frame.at]));
        let (calendar, history) = (OWN + columns, self.layout.width() - recipe.history_width());
        row.resize(self.layout.width(), f64::NAN);
        let stamp = self.history.stamp(target, *frequency);
        write_calendar(recipe, *frequency, stamp, &mut row[calendar..history]);
        let measure = Unit { level: frame.base, scale: frame.scale };
        self.past.write(place.origin, place.step, measure, &mut row[history..]);
        row.push(1.0);
        Some((frame, row))
    }

    /// Passes a row and its target to `work`, if the row exists.
    pub(super) fn with_row(&self, place: &Place, work: impl FnOnce(&mut [f64], f64)) {
        if let Some((frame, mut row)) = self.row(place) {
            let target = (self.values[place.origin + place.step - 1] - frame.base) / frame.scale;
            if target.is_finite() {
                work(&mut row, target);
            }
        }
    }
}
