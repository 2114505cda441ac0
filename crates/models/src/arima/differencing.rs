//! Chooses the number of differences, and undoes differencing.

use tabcast_statistics::{has_unit_root, moving_average};

/// A series whose season is stronger than this is differenced at the season (the source's rule).
const SEASONAL_STRENGTH: f64 = 0.64;
/// The weights of the same phase up to five cycles away, for a season that may change slowly.
const CYCLES: usize = 5;
/// A series counts as constant if it varies by less than this fraction of the largest value, which is about 1.
const CONSTANT: f64 = 1e-13;

/// `(1 - B)^regular (1 - B^season)^seasonal`, as `w[t] = y[t] - sum of coefficients · y[t - lag]`.
#[derive(Debug, Clone)]
pub(super) struct Differencing {
    pub(super) regular: usize,
    pub(super) seasonal: usize,
    terms: Vec<(usize, f64)>,
    /// Number of values lost to differencing.
    pub(super) length: usize,
}

impl Differencing {
    pub(super) fn new(regular: usize, seasonal: usize, season: usize) -> Self {
        let length = regular + seasonal * season;
        let mut polynomial = vec![0.0; length + 1];
        polynomial[0] = 1.0;
        for lag in std::iter::repeat_n(1, regular).chain(std::iter::repeat_n(season, seasonal)) {
            for index in (lag..=length).rev() {
                polynomial[index] -= polynomial[index - lag];
            }
        }
        let terms = polynomial.iter().enumerate().skip(1);
        let terms = terms.filter(|(_, c)| **c != 0.0).map(|(lag, c)| (lag, -c)).collect();
        Self { regular, seasonal, terms, length }
    }

    /// Seasonal differences for a strong season, then regular ones, up to `most`, until the unit-root test is passed.
    pub(super) fn choose(values: &[f64], season: usize, most: usize) -> Self {
        let seasonal =
            usize::from(season > 1 && changing_seasonal_strength(values, season) > SEASONAL_STRENGTH);
        let mut rest = Self::new(0, seasonal, season).apply(values);
        if seasonal == 1 && is_constant(&rest) {
            return Self::new(0, 1, season);
        }
        let mut regular = 0;
        while regular < most && rest.len() > 2 && !is_constant(&rest) && has_unit_root(&rest) {
            rest = Self::new(1, 0, 1).apply(&rest);
            regular += 1;
        }
        Self::new(regular, seasonal, season)
    }

    pub(super) fn apply(&self, values: &[f64]) -> Vec<f64> {
        let difference = |step: usize| values[step] - self.past(values, step);
        (self.length..values.len()).map(difference).collect()
    }

    /// The part of a value that comes from earlier values; the differenced value is added to it.
    pub(super) fn past(&self, values: &[f64], step: usize) -> f64 {
        self.terms.iter().map(|(lag, coefficient)| coefficient * values[step - lag]).sum()
    }

    /// Turns responses of the differenced series into those of the series.
    pub(super) fn integrate_responses(&self, responses: &mut [f64]) {
        for step in 1..responses.len() {
            let reached = self.terms.iter().filter(|(lag, _)| *lag <= step);
            let past: f64 = reached.map(|(lag, coefficient)| coefficient * responses[step - lag]).sum();
            responses[step] += past;
        }
    }
}

/// Whether all values are equal up to rounding.
pub(super) fn is_constant(values: &[f64]) -> bool {
    let first = values.first().copied().unwrap_or(0.0);
    values.iter().all(|value| (value - first).abs() <= CONSTANT)
}

/// The share of the variation around the trend that is seasonal, if each phase has its own slowly changing level: the
/// mean of the neighbouring cycles with tricube weights, as in the inner loop of STL (Cleveland and others, 1990). A
/// fixed season would understate the strength of one that grows with the level. Zero below two cycles.
fn changing_seasonal_strength(values: &[f64], season: usize) -> f64 {
    let length = values.len();
    if length <= 2 * season {
        return 0.0;
    }
    let trend = moving_average(values, season);
    let rest: Vec<f64> = values.iter().zip(&trend).map(|(value, trend)| value - trend).collect();
    let weight = |cycles: usize| {
        let distance = cycles as f64 / (CYCLES + 1) as f64;
        (1.0 - distance.powi(3)).powi(3)
    };
    let mut sums = [0.0; 4];
    for step in 0..length {
        let (mut sum, mut weights) = (rest[step], 1.0);
        for cycles in 1..=CYCLES {
            let distance = cycles * season;
            if step >= distance {
                sum += weight(cycles) * rest[step - distance];
                weights += weight(cycles);
            }
            if step + distance < length {
                sum += weight(cycles) * rest[step + distance];
                weights += weight(cycles);
            }
        }
        let remainder = rest[step] - sum / weights;
        for (total, value) in
            sums.iter_mut().zip([rest[step], rest[step] * rest[step], remainder, remainder * remainder])
        {
            *total += value;
        }
    }
    let count = length as f64;
    let variance = |sum: f64, squares: f64| squares / count - (sum / count).powi(2);
    let (total, remainder) = (variance(sums[0], sums[1]), variance(sums[2], sums[3]));
    if total > 0.0 { (1.0 - remainder / total).clamp(0.0, 1.0) } else { 0.0 }
}
