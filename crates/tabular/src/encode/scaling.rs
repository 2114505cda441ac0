//! Scales numbers for models that measure distances.

use tabcast_trees::Feature;

use super::column::Column;

/// With at least this share of missing values, a column has an indicator for them.
const MISSING_SHARE: f64 = 0.01;

/// Up to this many deviations from the median, numbers hardly change.
const CLIP: f64 = 3.0;

/// Numbers are clipped at this many deviations from the median.
const FURTHEST: f64 = 1e3;

/// Centre and deviation of a column whose distances are meaningful without scaling: a missing position on a circle is
/// at the centre, equally far from all its points.
const UNCHANGED: (f64, f64) = (0.0, 1.0);

/// The distance from the median in robust deviations, with far values pulled in; the plain distance is added if the two
/// differ. Missing values are at the median, so the result has no missing values for any input.
///
/// On held-back training rows of seven tables, a linear model had a smaller loss with this than with plain
/// standardisation on six. A transform to normal quantiles bends straight relations; its loss was half as much again on
/// one table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scaling {
    median: f64,
    deviation: f64,
    numbers: Numbers,
    indicator: bool,
}

/// How the numbers of a column are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbers {
    /// Dropped: all of them are equal.
    Constant,
    /// Unchanged: their distances are meaningful without scaling.
    Plain,
    /// Pulled in.
    PulledIn,
    /// Both forms: some numbers are so far out that the pulled in ones say less than the numbers themselves.
    PulledInAndPlain,
}

impl Scaling {
    /// Fits on the rows of a column. `wants_indicator`: no other column shows where this one is missing. None: the
    /// column carries no information.
    pub(crate) fn fit(column: &Column, wants_indicator: bool) -> Option<Self> {
        let mut sorted: Vec<f64> = column.values.iter().copied().filter(|value| !value.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let (first, last) = (*sorted.first()?, *sorted.last()?);
        let missing = column.values.len() - sorted.len();
        let indicator =
            wants_indicator && missing > 1 && missing as f64 > MISSING_SHARE * column.values.len() as f64;
        let (median, deviation) = if column.scaled { UNCHANGED } else { centre_and_deviation(&sorted) };
        let is_far = |value: f64| ((value - median) / deviation).abs() > CLIP;
        let numbers = match (first < last, column.scaled) {
            (false, _) => Numbers::Constant,
            (true, true) => Numbers::Plain,
            (true, false) if is_far(first) || is_far(last) => Numbers::PulledInAndPlain,
            (true, false) => Numbers::PulledIn,
        };
        (numbers != Numbers::Constant || indicator).then_some(Self { median, deviation, numbers, indicator })
    }

    /// Whether it has an indicator for missing values.
    pub(crate) fn has_indicator(&self) -> bool {
        self.indicator
    }

    /// The features of the fitted rows.
    pub(crate) fn columns(&self, column: &Column) -> Vec<Column> {
        let named = |what: &str| Feature::numeric(format!("{}: {what}", column.feature.name));
        let mut features = Vec::new();
        features.extend((self.numbers != Numbers::Constant).then(|| column.feature.clone()));
        features.extend((self.numbers == Numbers::PulledInAndPlain).then(|| named("plain")));
        features.extend(self.indicator.then(|| named("missing")));
        let values = self.apply(&column.values);
        features
            .into_iter()
            .zip(values)
            .map(|(feature, values)| Column { feature, values, scaled: true })
            .collect()
    }

    /// The encoded number, and the indicator for missing values if there is one.
    pub(crate) fn apply(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let plain = |&value: &f64| {
            if value.is_nan() {
                0.0
            } else {
                ((value - self.median) / self.deviation).clamp(-FURTHEST, FURTHEST)
            }
        };
        let pulled_in = |value: &f64| {
            let distance = plain(value);
            distance / (1.0 + (distance / CLIP).powi(2)).sqrt()
        };
        let mut columns = Vec::new();
        if matches!(self.numbers, Numbers::PulledIn | Numbers::PulledInAndPlain) {
            columns.push(values.iter().map(pulled_in).collect());
        }
        if matches!(self.numbers, Numbers::Plain | Numbers::PulledInAndPlain) {
            columns.push(values.iter().map(plain).collect());
        }
        if self.indicator {
            columns.push(values.iter().map(|value| f64::from(u8::from(value.is_nan()))).collect());
        }
        columns
    }
}

/// Median of sorted numbers, and a deviation that a few far numbers do not widen.
fn centre_and_deviation(sorted: &[f64]) -> (f64, f64) {
    let quantile = |level: f64| sorted[((sorted.len() - 1) as f64 * level).round() as usize];
    let median = quantile(0.5);
    // The interquartile range of a normal distribution is 1.349 deviations. It is zero if most values are equal.
    let mut deviation = (quantile(0.75) - quantile(0.25)) / 1.349;
    if deviation <= 0.0 {
        let squares: f64 = sorted.iter().map(|value| (value - median).powi(2)).sum();
        deviation = (squares / sorted.len() as f64).sqrt();
    }
    (median, if deviation > 0.0 && deviation.is_finite() { deviation } else { 1.0 })
}
