//! Calibrates the models' quantiles so that intervals have the coverage that they claim.
//!
//! Models estimate their spread from one-step errors inside the history. They are overconfident, more so with a shorter
//! history and a longer horizon. The backtest shows by how much: every outcome is measured in units of the forecast's
//! own spread, separately on each side, and the quantiles of these standardised outcomes replace those of the normal
//! distribution. This is a pooled, locally scaled form of split conformal prediction (Lei, G'Sell, Rinaldo, Tibshirani
//! and Wasserman, Distribution-free predictive inference for regression, JASA 113 (2018)); horizons are pooled by
//! powers of two.

use serde::{Deserialize, Serialize};
use tabcast_statistics::normal_quantile;

use crate::run::plan::BAND;

/// Levels at which standardised outcomes are described, equally many on either side of the median. Between the knots,
/// interpolation is linear in the normal quantile z; beyond them, the factor of the outermost knot applies.
const KNOTS: [f64; 12] = [0.025, 0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.975];
/// The upper level of the central 95 % interval.
const OUTER: f64 = 0.975;
/// Standardised outcomes are clipped at this size.
const FURTHEST: f64 = 30.0;
/// The prior and the evidence of a knot count equally when this many independent outcomes are expected beyond the knot.
const PRIOR_OUTCOMES: f64 = 2.5;
/// The correlation assumed between the outcomes of two windows, because series of one dataset share good and bad days.
/// Without it, a thousand series that end on the same day would count as a thousand experiments.
const SHARED: f64 = 0.001;
/// The largest share of a backtest's bias that is expected to persist: series of one dataset often miss in the same
/// direction at the same time, and no number of windows at that time tells this from a lasting bias.
const PERSISTENCE: f64 = 0.75;
/// With this many independent windows, half of the bias is believed.
const BIAS_WINDOWS: f64 = 40.0;
/// Indices of the knots at the two ends of the 80 % band.
const ENDS: (usize, usize) = (2, 9);
/// The members' own quantiles are widened by at most this factor. At steps where a side has almost no width, outcomes
/// lie many times as far out as its end, which says little about other steps.
const WIDEST: f64 = 3.0;

/// Centre and 80 % interval of one step, before calibration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Band {
    pub(crate) centre: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Band {
    /// The outcome in units of the spread on its side.
    fn standardise(self, outcome: f64, unit: f64) -> f64 {
        let side = if outcome < self.centre { self.centre - self.low } else { self.high - self.centre };
        let distance = outcome - self.centre;
        if distance == 0.0 {
            return 0.0;
        }
        (distance * unit / side.max(f64::MIN_POSITIVE)).clamp(-FURTHEST, FURTHEST)
    }
}

/// One standardised outcome of a backtest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// Steps ahead, 0 for the first.
    pub(crate) step: usize,
    pub(crate) band: Band,
    pub(crate) actual: f64,
}

/// Calibrated scores (standardised quantiles) at the knots, one row per bucket of steps.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Calibration {
    knots: Vec<f64>,
    buckets: Vec<Vec<f64>>,
    unit: f64,
    /// Whether it widens the members' own quantiles.
    widens: bool,
}

impl Calibration {
    /// The calibration before any backtest: normal quantiles z times a factor for how overconfident models of this
    /// class are.
    pub(crate) fn prior((inner, outer): (f64, f64)) -> Self {
        let unit = normal_quantile(BAND.1);
        let knots: Vec<f64> = KNOTS.iter().map(|&level| normal_quantile(level)).collect();
        // Linear in z between the two intervals for which the factors are known.
        let outer_score = normal_quantile(OUTER);
        let row = knots
            .iter()
            .map(|score| {
                let share = ((score.abs() - unit) / (outer_score - unit)).clamp(0.0, 1.0);
                score * (inner + (outer - inner) * share)
            })
            .collect();
        Self { knots, buckets: vec![row], unit, widens: false }
    }

    /// Learns from the prior and the outcomes of `windows` backtests; outcomes of one window are not independent.
    pub(crate) fn learn(widening: (f64, f64), outcomes: &[Outcome], windows: usize) -> Self {
        let mut calibration = Self::prior(widening);
        let Some(longest) = outcomes.iter().map(|outcome| bucket_of(outcome.step)).max() else {
            return calibration;
        };
        let mut samples: Vec<Vec<f64>> = vec![Vec::new(); longest + 1];
        let mut windows_of: Vec<usize> = vec![0; longest + 1];
        for outcome in outcomes {
            let bucket = bucket_of(outcome.step);
            samples[bucket].push(outcome.band.standardise(outcome.actual, calibration.unit));
            // The first step of a bucket occurs once per window.
            windows_of[bucket] += usize::from((outcome.step + 1).is_power_of_two());
        }
        let prior = calibration.buckets.remove(0);
        for (sample, count) in samples.iter_mut().zip(windows_of) {
            sample.sort_unstable_by(f64::total_cmp);
            let row = learn_row(sample, count.min(windows) as f64, &prior);
            calibration.buckets.push(row);
        }
        calibration
    }

    /// The calibrated scores, one row per bucket of steps.
    pub(crate) fn rows(&self) -> &[Vec<f64>] {
        &self.buckets
    }

    /// A calibration with these scores; none unless each row is ascending and has one score per knot.
    pub(crate) fn from_rows(rows: Vec<Vec<f64>>) -> Option<Self> {
        let fits = |row: &Vec<f64>| row.len() == KNOTS.len() && row.is_sorted();
        let usable = !rows.is_empty() && rows.iter().all(fits);
        usable.then(|| Self { buckets: rows, ..Self::prior((1.0, 1.0)) })
    }

    /// The quantile of `step` at the level whose normal quantile z is `score`.
    pub(crate) fn quantile(&self, step: usize, score: f64, band: Band) -> f64 {
        let row = self.row(step);
        let calibrated = self.interpolate(row, score);
        let side = if calibrated < 0.0 { band.centre - band.low } else { band.high - band.centre };
        band.centre + calibrated * side / self.unit
    }

    /// The same calibration, which also widens the members' own quantiles.
    pub(crate) fn widening(self) -> Self {
        Self { widens: true, ..self }
    }

    /// A combined quantile of the members, widened: its distance from the median is multiplied by the factor that the
    /// 80 % interval lacked on its side. The factor is at least 1, and a quantile at the median stays there.
    pub(crate) fn widen(&self, step: usize, score: f64, median: f64, quantile: f64) -> f64 {
        let end = if score < 0.0 { ENDS.0 } else { ENDS.1 };
        let factor = self.row(step)[end] / self.knots[end];
        if self.widens && factor > 1.0 { median + (quantile - median) * factor.min(WIDEST) } else { quantile }
    }

    fn row(&self, step: usize) -> &[f64] {
        &self.buckets[bucket_of(step).min(self.buckets.len() - 1)]
    }

    /// Piecewise linear through the knots; beyond the outermost ones, the distance from the median grows in proportion
    /// to z.
    fn interpolate(&self, row: &[f64], score: f64) -> f64 {
        let last = self.knots.len() - 1;
        // The two middle knots are equally far from z = 0, the median.
        let median = f64::midpoint(row[last / 2], row[last / 2 + 1]);
        let beyond = |knot: usize| median + (row[knot] - median) * score / self.knots[knot];
        if score <= self.knots[0] {
            return beyond(0);
        }
        if score >= self.knots[last] {
            return beyond(last);
        }
        let after = self.knots.partition_point(|&knot| knot < score);
        let share = (score - self.knots[after - 1]) / (self.knots[after] - self.knots[after - 1]);
        row[after - 1] + (row[after] - row[after - 1]) * share
    }
}

/// Quantiles of the sorted sample at the knots, ascending. Distances from the median of the outcomes are shrunk towards
/// the prior's where outcomes are few, and all knots move with a share of that median. If each quantile moved alone and
/// the median stayed at the centre, a biased backtest would open a gap between the median and the quantiles of one
/// side.
fn learn_row(sample: &[f64], windows: f64, prior: &[f64]) -> Vec<f64> {
    if sample.is_empty() {
        return prior.to_vec();
    }
    let independent = windows / (1.0 + (windows - 1.0).max(0.0) * SHARED);
    let trust = |level: f64| {
        let beyond = independent * level.min(1.0 - level);
        beyond / (beyond + PRIOR_OUTCOMES)
    };
    let median = sample_quantile(sample, 0.5);
    let shift = PERSISTENCE * independent / (independent + BIAS_WINDOWS) * median;
    let mut highest = f64::NEG_INFINITY;
    KNOTS
        .iter()
        .zip(prior)
        .map(|(&level, &prior)| {
            let distance = sample_quantile(sample, level) - median;
            let trust = trust(level);
            highest = highest.max(shift + trust * distance + (1.0 - trust) * prior);
            highest
        })
        .collect()
}

/// The quantile of a sorted sample by the rule of split conformal prediction: the rank counts one value more than the
/// sample has.
fn sample_quantile(sorted: &[f64], level: f64) -> f64 {
    let place = (level * (sorted.len() + 1) as f64 - 1.0).clamp(0.0, (sorted.len() - 1) as f64);
    let (below, share) = (place.floor() as usize, place.fract());
    let above = (below + 1).min(sorted.len() - 1);
    sorted[below] * (1.0 - share) + sorted[above] * share
}

/// Steps 1, 2 to 3, 4 to 7, 8 to 15, and so on share a bucket.
fn bucket_of(step: usize) -> usize {
    (step + 1).ilog2() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const BAND_OF_ONE: Band = Band { centre: 10.0, low: 8.0, high: 13.0 };

    #[test]
    fn the_prior_gives_the_band_back_widened() {
        let calibration = Calibration::prior((1.1, 1.3));
        let widening = 1.1;
        let upper = calibration.quantile(0, normal_quantile(0.9), BAND_OF_ONE);
        let lower = calibration.quantile(5, normal_quantile(0.1), BAND_OF_ONE);
        assert!((upper - (10.0 + 3.0 * widening)).abs() < 1e-9, "{upper}");
        assert!((lower - (10.0 - 2.0 * widening)).abs() < 1e-9, "{lower}");
        assert_eq!(calibration.quantile(0, 0.0, BAND_OF_ONE), 10.0);
    }

    /// Outcomes spread three times as far as the forecast claims.
    #[test]
    fn learned_quantiles_cover_what_they_promise() {
        let outcomes: Vec<Outcome> = (0..40_000)
            .map(|index| {
                let score = normal_quantile((f64::from(index) + 0.5) / 40_000.0);
                let side = if score < 0.0 { 2.0 } else { 3.0 };
                let actual = 10.0 + 3.0 * score * side / normal_quantile(BAND.1);
                Outcome { step: 0, band: BAND_OF_ONE, actual }
            })
            .collect();
        let calibration = Calibration::learn((1.1, 1.3), &outcomes, outcomes.len());
        for level in [0.025, 0.1, 0.25, 0.5, 0.8, 0.975] {
            let quantile = calibration.quantile(0, normal_quantile(level), BAND_OF_ONE);
            let below = outcomes.iter().filter(|outcome| outcome.actual <= quantile).count();
            let share = below as f64 / outcomes.len() as f64;
            assert!((share - level).abs() < 0.02, "{level}: {share}");
        }
    }

    /// Outcomes of nine steps, as spread as the forecast claims, centred `bias` half bands above its centre.
    fn biased(bias: f64) -> Vec<Outcome> {
        (0..1_800)
            .map(|index| {
                let level = (f64::from(index / 9) + 0.5) / 200.0;
                let place = normal_quantile(level) / normal_quantile(BAND.1) + bias;
                let side = if place < 0.0 { 2.0 } else { 3.0 };
                Outcome { step: index as usize % 9, band: BAND_OF_ONE, actual: 10.0 + place * side }
            })
            .collect()
    }

    #[test]
    fn biased_backtests_leave_no_gap_beside_the_median() {
        for bias in [-2.0, -1.0, 1.0, 2.0] {
            for windows in [3, 20, 200] {
                let calibration = Calibration::learn((1.1, 1.3), &biased(bias), windows);
                let at = |level: f64| calibration.quantile(0, normal_quantile(level), BAND_OF_ONE);
                let tenths: Vec<f64> = (2..=8).map(|tenth| at(f64::from(tenth) / 10.0)).collect();
                let gaps: Vec<f64> = tenths.windows(2).map(|pair| pair[1] - pair[0]).collect();
                for pair in gaps.windows(2) {
                    let ratio = pair[1] / pair[0];
                    assert!((0.5..=2.0).contains(&ratio), "bias {bias}, {windows} windows: {tenths:?}");
                }
                let moved = at(0.5) - BAND_OF_ONE.centre;
                assert!(moved * bias > 0.0, "bias {bias}, {windows} windows: the median is at {}", at(0.5));
            }
        }
    }

    #[test]
    fn quantiles_of_models_are_widened_but_never_narrowed() {
        let narrow = Calibration::learn((1.0, 1.0), &biased(3.0), 200);
        assert_eq!(narrow.widen(0, 1.0, 10.0, 12.0), 12.0, "other classes have no such quantiles");
        let narrow = narrow.widening();
        let upper = narrow.widen(0, 1.0, 10.0, 12.0);
        assert!(upper > 13.0 && upper <= 10.0 + 2.0 * WIDEST, "{upper}");
        assert_eq!(narrow.widen(0, 1.0, 0.0, 0.0), 0.0);
        assert_eq!(narrow.widen(0, -1.0, 10.0, 9.0), 9.0, "no outcome was below the median");
        assert_eq!(Calibration::prior((1.0, 1.0)).widening().widen(5, 1.0, 10.0, 12.3), 12.3);
    }

    #[test]
    fn the_ends_of_the_band_are_knots() {
        assert_eq!((KNOTS[ENDS.0], KNOTS[ENDS.1]), BAND);
    }

    #[test]
    fn quantiles_ascend_for_any_level() {
        let seven_values = (0..40)
            .map(|index| Outcome {
                step: index % 9,
                band: BAND_OF_ONE,
                actual: f64::from(index as u32 % 7) * 3.0,
            })
            .collect();
        for outcomes in [seven_values, biased(-9.0), biased(9.0)] {
            let calibration = Calibration::learn((1.7, 1.9), &outcomes, 5);
            for step in [0, 3, 8, 100] {
                let mut previous = f64::NEG_INFINITY;
                for thousandth in 1..1000 {
                    let score = normal_quantile(f64::from(thousandth) / 1000.0);
                    let quantile = calibration.quantile(step, score, BAND_OF_ONE);
                    assert!(
                        quantile >= previous,
                        "step {step}, level {thousandth}: {quantile} after {previous}"
                    );
                    previous = quantile;
                }
            }
        }
    }
}
