//! Applies all rules to one series.

use super::backtest::measure;
use super::confidence::confidence;
use super::decomposition::{Decomposition, scale_of};
use super::rules::{
    against_naive, bias, compare, constant, coverage, intermittent, level_shift, missing, negatives,
    outliers, outlook, season, short_history, stale_end, trend, trend_change, uncertainty,
};
use super::{Series, SeriesFindings};

/// The volume of a series is its mean size over this many steps, or over a longer season.
const VOLUME_STEPS: usize = 12;

/// The findings of a series. There are none if nothing was observed or a value exceeds 1e300; of histories with more
/// than 4096 steps, only the last ones are examined.
pub fn find(series: &Series<'_>) -> SeriesFindings {
    let Some(of) = Decomposition::of(series) else { return SeriesFindings::default() };
    let ahead = series.start + series.history.len();
    let measured = series.backtest.as_ref().and_then(measure);
    let scale = [series.forecast.mean, series.forecast.lower, series.forecast.upper]
        .into_iter()
        .fold(of.scale, |scale, values| scale.max(scale_of(values)));
    let (level_shift, level) = level_shift(&of);
    SeriesFindings {
        steps: of.steps,
        from: of.start,
        to: of.start + of.values.len() - 1,
        volume: volume(&of),
        trend: trend(&of, &level),
        trend_change: trend_change(&of, &level),
        season: season(&of, ahead),
        level_shift,
        outliers: outliers(&of),
        intermittent: intermittent(&of),
        short_history: short_history(&of),
        missing: missing(&of),
        constant: constant(&of),
        negatives: negatives(&of),
        stale_end: stale_end(&of, series.newest),
        uncertainty: uncertainty(&series.forecast, scale),
        accuracy: measured.as_ref().map(against_naive),
        bias: measured.as_ref().and_then(|measured| bias(measured, of.size * of.scale)),
        coverage: measured.as_ref().and_then(coverage),
        comparison: compare(series, scale),
        outlook: outlook(&series.forecast, ahead, scale),
        confidence: confidence(&of, measured.as_ref()),
    }
}

fn volume(of: &Decomposition) -> f64 {
    let steps = of.season_length.max(VOLUME_STEPS).min(of.values.len());
    let last = &of.values[of.values.len() - steps..];
    last.iter().map(|value| value.abs()).sum::<f64>() / steps as f64 * of.scale
}
