//! The state recursion, computed together with the derivatives of the errors with respect to the estimated quantities.
//!
//! Forms that differ only in the kind of their errors have the same recursion, so one pass serves both.

use super::form::{Season, Slopes, Smoothing};
use super::state::State;

/// Derivatives with respect to four quantities, so that the compiler keeps them in two or four vector registers.
pub(crate) type Lanes = [f64; 4];

/// The derivatives of the states and of the error. The first four lanes are with respect to the searched parameters,
/// the others with respect to the initial states. Without tangents, a pass computes errors only.
#[derive(Default)]
pub(crate) struct Tangents {
    level: Vec<Lanes>,
    slope: Vec<Lanes>,
    /// One row of lanes per seasonal state.
    season: Vec<Lanes>,
    error: Vec<Lanes>,
}

impl Tangents {
    /// Derivatives before the first step: a unit for each initial state, in the order level, slope, season.
    pub(crate) fn reset(&mut self, quantities: usize, period: usize) {
        let width = quantities.div_ceil(4);
        for (lanes, rows) in
            [(&mut self.level, 1), (&mut self.slope, 1), (&mut self.season, period), (&mut self.error, 1)]
        {
            lanes.clear();
            lanes.resize(width * rows, [0.0; 4]);
        }
        self.level[1][0] = 1.0;
        self.slope[1][1] = 1.0;
        for phase in 0..period.min(quantities - 6) {
            let place = phase + 6;
            self.season[phase * width + place / 4][place % 4] = 1.0;
        }
    }
}

/// Runs over the series from `state` and leaves the last one. Calls `see` with each error, the forecast, and the
/// derivatives of the error. Stops and returns false if a factor, or what it multiplies, is not positive.
pub(crate) fn pass(
    values: &[f64],
    season: Season,
    state: &mut State,
    smoothing: &Smoothing,
    slopes: &Slopes,
    tangents: &mut Tangents,
    see: impl FnMut(f64, f64, &[Lanes]) -> bool,
) -> bool {
    match season {
        Season::None => pass_through::<false, false>(values, state, smoothing, slopes, tangents, see),
        Season::Additive => pass_through::<true, false>(values, state, smoothing, slopes, tangents, see),
        Season::Multiplicative => pass_through::<true, true>(values, state, smoothing, slopes, tangents, see),
    }
}

fn pass_through<const SEASONAL: bool, const FACTOR: bool>(
    values: &[f64],
    state: &mut State,
    smoothing: &Smoothing,
    slopes: &Slopes,
    tangents: &mut Tangents,
    mut see: impl FnMut(f64, f64, &[Lanes]) -> bool,
) -> bool {
    let Smoothing { alpha, beta, gamma, phi } = *smoothing;
    let (mut level, mut slope) = (state.level, state.slope);
    let width = tangents.error.len();
    let mut phase = 0;
    for &value in values {
        let faded = phi * slope;
        let trend = level + faded;
        let season = if SEASONAL { state.season[phase] } else { 0.0 };
        let forecast = if FACTOR { trend * season } else { trend + season };
        // The negated form also catches NaN.
        if FACTOR && !(trend > f64::MIN_POSITIVE && season > f64::MIN_POSITIVE) {
            return false;
        }
        let error = value - forecast;
        // The error in the units of level and slope, and in those of the season.
        let (of_trend, of_season) =
            if FACTOR { (value / season - trend, value / trend - season) } else { (error, error) };
        if width > 0 {
            let mut rows = Rows {
                level: &mut tangents.level,
                slope: &mut tangents.slope,
                season: if SEASONAL { &mut tangents.season[phase * width..][..width] } else { &mut [] },
                error: &mut tangents.error,
            };
            let step = Step { slope, trend, season, of_trend, of_season };
            rows.advance::<SEASONAL, FACTOR>(&step, smoothing, slopes);
        }
        if !see(error, forecast, &tangents.error) {
            return false;
        }
        level = trend + alpha * of_trend;
        slope = faded + beta * of_trend;
        if SEASONAL {
            state.season[phase] = season + gamma * of_season;
            phase += 1;
            if phase == state.season.len() {
                phase = 0;
            }
        }
    }
    (state.level, state.slope) = (level, slope);
    true
}

/// The derivatives that one step works on.
struct Rows<'a> {
    level: &'a mut [Lanes],
    slope: &'a mut [Lanes],
    season: &'a mut [Lanes],
    error: &'a mut [Lanes],
}

/// The states before a step, and the errors in their units.
struct Step {
    slope: f64,
    trend: f64,
    season: f64,
    of_trend: f64,
    of_season: f64,
}

impl Rows<'_> {
    #[expect(clippy::inline_always, reason = "the loop over the values keeps all of it in registers")]
    #[inline(always)]
    fn advance<const SEASONAL: bool, const FACTOR: bool>(
        &mut self,
        step: &Step,
        smoothing: &Smoothing,
        by: &Slopes,
    ) {
        let Smoothing { alpha, beta, gamma, phi } = *smoothing;
        let Step { slope, trend, season, of_trend, of_season } = *step;
        let (per_season, per_trend) = if FACTOR { (season.recip(), trend.recip()) } else { (1.0, 1.0) };
        for (chunk, errors) in self.error.iter_mut().enumerate() {
            let by_phi = if chunk == 0 { slope } else { 0.0 };
            let (levels, slopes) = (&mut self.level[chunk], &mut self.slope[chunk]);
            let mut fadeds: Lanes = slopes.map(|slope| phi * slope);
            fadeds[3] += by_phi;
            for lane in 0..4 {
                let trends = levels[lane] + fadeds[lane];
                let seasons = if SEASONAL { self.season[chunk][lane] } else { 0.0 };
                let error = if FACTOR { -(trends * season + trend * seasons) } else { -(trends + seasons) };
                errors[lane] = error;
                let (of_trends, of_seasons) = if FACTOR {
                    ((error - of_trend * seasons) * per_season, (error - of_season * trends) * per_trend)
                } else {
                    (error, error)
                };
                levels[lane] = trends + alpha * of_trends;
                slopes[lane] = fadeds[lane] + beta * of_trends;
                if SEASONAL {
                    self.season[chunk][lane] = seasons + gamma * of_seasons;
                }
            }
        }
        for lane in 0..3 {
            self.level[0][lane] += by.alpha[lane] * of_trend;
            self.slope[0][lane] += by.beta[lane] * of_trend;
            if SEASONAL {
                self.season[0][lane] += by.gamma[lane] * of_season;
            }
        }
    }
}
