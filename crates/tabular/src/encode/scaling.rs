//! Numbers for models that measure distances.

use tabcast_trees::Feature;

use super::column::Column;

/// Share of missing values from which they have an indicator of their own.
const MISSING_SHARE: f64 = 0.01;

/// Deviations from the median up to which a number is nearly left as it is.
const CLIP: f64 = 3.0;

/// Deviations from the median beyond which a number is no further out.
const FURTHEST: f64 = 1e3;

/// Distance from the median in robust deviations, with far values pulled in, beside the plain one where that makes a difference;
/// missing values at the median.
///
/// On held-back training rows of seven tables a linear model lost less by this than by plain standardisation on six; a transform to
/// normal quantiles bends what is straight: it lost half as much again on one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scaling {
    median: f64,
    deviation: f64,
    indicator: bool,
    /// Whether some numbers are so far out that the pulled in one says less than the number itself.
    far: bool,
}

impl Scaling {
    /// Fits on a column that varies.
    pub(crate) fn fit(values: &[f64]) -> Self {
        let mut sorted: Vec<f64> = values.iter().copied().filter(|value| !value.is_nan()).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let missing = values.len() - sorted.len();
        let quantile = |level: f64| sorted[((sorted.len() - 1) as f64 * level).round() as usize];
        let median = quantile(0.5);
        // The distance between the quartiles of a normal distribution is 1.349 deviations. A column of mostly one value has none.
        let mut deviation = (quantile(0.75) - quantile(0.25)) / 1.349;
        if deviation <= 0.0 {
            let squares: f64 = sorted.iter().map(|value| (value - median).powi(2)).sum();
            deviation = (squares / sorted.len() as f64).sqrt();
        }
        if !(deviation > 0.0 && deviation.is_finite()) {
            deviation = 1.0;
        }
        Self {
            median,
            deviation,
            far: sorted.iter().any(|value| ((value - median) / deviation).abs() > CLIP),
            indicator: missing > 1 && missing as f64 > MISSING_SHARE * values.len() as f64,
        }
    }

    /// The features of the fitted rows.
    pub(crate) fn columns(&self, column: &Column) -> Vec<Column> {
        let named = |what: &str| Feature::numeric(format!("{}: {what}", column.feature.name));
        let mut features = vec![column.feature.clone()];
        features.extend(self.far.then(|| named("plain")));
        features.extend(self.indicator.then(|| named("missing")));
        let values = self.apply(&column.values);
        features
            .into_iter()
            .zip(values)
            .map(|(feature, values)| Column { feature, values, scaled: true })
            .collect()
    }

    /// The number, and whether it is missing where that has a feature of its own.
    pub(crate) fn apply(&self, values: &[f64]) -> Vec<Vec<f64>> {
        let plain = |&value: &f64| {
            if value.is_nan() {
                0.0
            } else {
                ((value - self.median) / self.deviation).clamp(-FURTHEST, FURTHEST)
            }
        };
        let number = |value: &f64| {
            let distance = plain(value);
            distance / (1.0 + (distance / CLIP).powi(2)).sqrt()
        };
        let mut columns = vec![values.iter().map(number).collect()];
        if self.far {
            columns.push(values.iter().map(plain).collect());
        }
        if self.indicator {
            columns.push(values.iter().map(|value| f64::from(u8::from(value.is_nan()))).collect());
        }
        columns
    }
}
