//! Season lengths that the values support.

use rayon::prelude::*;
use tabcast_calendar::Frequency;
use tabcast_statistics::{autocorrelations, moving_average};

use super::panel::Series;

/// Maximum number of series examined.
const SERIES: usize = 50;
/// Maximum number of values examined per series, the last ones.
const VALUES: usize = 65_536;
/// Minimum number of observations of a series.
const SHORTEST: usize = 8;
/// Longer seasons are examined on averages of several steps.
const FINE: usize = 300;
/// Number of latest values in a test, if the series has them; a test of a long season takes [`CYCLES`] seasons.
const TESTED: usize = 2_000;
const CYCLES: usize = 8;
/// One-sided 99 % quantile of the normal distribution; a search over all lags has to be much surer.
const NORMAL_99: f64 = 2.33;
const SURE: f64 = 4.5;
/// Minimum share of the variation around the trend that repeats.
const LEAST: f64 = 0.12;
const LEAST_FOUND: f64 = 0.3;
/// Minimum share of the season in all variation; a smaller one is of no use to a forecast.
const LEAST_SHARE: f64 = 0.005;
/// Multiples and fractions of a season up to this one are taken as its echoes.
const ECHOES: usize = 6;
/// Number of lags on either side of a season that are compared with it, and how much higher the correlation there may
/// be.
const BESIDE: usize = 20;
const NEARLY: f64 = 0.05;
/// Number of lags that are searched.
const LAGS: usize = 400;

/// Season lengths in steps, strongest first: the usual ones of the frequency, and possibly an unusual one.
///
/// A season is accepted if values one season apart agree around their trend, which is a moving average over the season.
/// The correlation over all series must be clearly positive, by Bartlett's formula for correlated values, and hardly
/// higher at a nearby lag. Shorter seasons are removed before longer ones are tested, so a multiple of a season does
/// not count as a season by itself.
pub(super) fn seasonality(series: &Series, frequency: Frequency) -> Vec<usize> {
    let mut grids: Vec<Vec<f64>> = series
        .sample(SERIES, |rows| rows.len() >= SHORTEST)
        .into_par_iter()
        .filter_map(|index| grid(series, index, frequency))
        .collect();
    let mut found: Vec<(f64, usize)> = Vec::new();
    let totals: Vec<f64> = grids.iter().map(|values| variance(values)).collect();
    for length in usual(frequency) {
        let outcomes: Vec<Option<Outcome>> = grids.par_iter().map(|values| test(values, length)).collect();
        if let Some(strength) = judge(&outcomes, &totals, NORMAL_99, LEAST) {
            found.push((strength, length));
            grids.par_iter_mut().for_each(|values| remove(values, length));
        }
    }
    if let Some(length) = search(&grids)
        && !found.iter().any(|(_, known)| is_echo(length, *known))
    {
        let outcomes: Vec<Option<Outcome>> = grids.par_iter().map(|values| test(values, length)).collect();
        found.extend(judge(&outcomes, &totals, SURE, LEAST_FOUND).map(|strength| (strength, length)));
    }
    found.sort_by(|(left, shorter), (right, longer)| right.total_cmp(left).then(shorter.cmp(longer)));
    found.into_iter().map(|(_, length)| length).collect()
}

/// Whether a season is a remainder of a known one: one step beside it, or beside a multiple or a fraction of it. The
/// exact multiple is no remainder, because the known season has been removed.
fn is_echo(length: usize, known: usize) -> bool {
    length == known
        || (1..=ECHOES).any(|times| {
            length.abs_diff(known * times) == 1 || (known / times > 1 && length.abs_diff(known / times) == 1)
        })
}

/// Minutes, hours, days, weeks and years in steps, shortest first.
fn usual(frequency: Frequency) -> Vec<usize> {
    const MINUTE: i64 = 60_000_000;
    let mut lengths = frequency.season_lengths();
    if let Some(step) = frequency.fixed_micros().filter(|step| *step > 0) {
        let day = 1_440 * MINUTE;
        let seasons = [MINUTE, 60 * MINUTE, day, 7 * day, 365 * day];
        let whole = seasons.into_iter().filter(|season| season % step == 0);
        lengths.extend(whole.map(|season| (season / step) as usize));
    }
    lengths.sort_unstable();
    lengths.dedup();
    lengths.retain(|length| (2..VALUES / 2).contains(length));
    lengths
}

/// The values of a series at every step between its first and its last, gaps interpolated; `None` if more than a third
/// are gaps.
fn grid(series: &Series, index: usize, frequency: Frequency) -> Option<Vec<f64>> {
    let panel = &series.panel;
    let rows = series.observed[index].clone();
    let first = panel.timestamps[rows.start];
    let mut values: Vec<(usize, f64)> = Vec::with_capacity(rows.len());
    for row in rows {
        let step = frequency.steps_between(first, panel.timestamps[row]);
        if let Some(step) = step.and_then(|step| usize::try_from(step).ok())
            && !panel.targets[row].is_nan()
            && values.last().is_none_or(|(last, _)| step > *last)
        {
            values.push((step, panel.targets[row]));
        }
    }
    let last = values.last()?.0;
    values.retain(|(step, _)| step + VALUES > last);
    let from = values.first()?.0;
    let length = last - from + 1;
    if values.len() * 3 < length * 2 {
        return None;
    }
    let mut grid = Vec::with_capacity(length);
    for pair in values.windows(2) {
        let ((start, left), (end, right)) = (pair[0], pair[1]);
        let steps = (end - start) as f64;
        grid.extend((0..end - start).map(|step| left + (right - left) * step as f64 / steps));
    }
    grid.push(values[values.len() - 1].1);
    Some(grid)
}

/// How well values one season apart agree in one series.
struct Outcome {
    correlation: f64,
    /// The correlations at slightly shorter and longer lags.
    beside: Vec<f64>,
    /// Variance of the correlation if there were no season.
    variance: f64,
    /// Variance of the values around their trend.
    around_trend: f64,
}

/// `None` for a series that is too short or constant.
fn test(values: &[f64], length: usize) -> Option<Outcome> {
    let coarse = (1..=length / FINE).rev().find(|steps| length.is_multiple_of(*steps)).unwrap_or(1);
    let (length, most) = (length / coarse, TESTED.max(CYCLES * (length / coarse)));
    let tail = &values[values.len().saturating_sub(most * coarse)..];
    let averages: Vec<f64>;
    let values = if coarse == 1 {
        tail
    } else {
        averages = tail.chunks_exact(coarse).map(|chunk| chunk.iter().sum::<f64>() / coarse as f64).collect();
        &averages
    };
    if values.len() < 2 * length + 2 || values.len() < SHORTEST {
        return None;
    }
    let around = around_trend(values, length);
    // The trend is unknown within half a season of either end, but dropping that would leave nothing of a short series.
    let half = if around.len() >= 3 * length { length / 2 } else { 0 };
    let around = &around[half..around.len() - half];
    if variance(around) == 0.0 {
        return None;
    }
    let pairs = around.len() - length;
    // Correlated neighbours count for less.
    let together: f64 = autocorrelations(around, (length / 2).max(1))
        .into_iter()
        .take_while(|correlation| *correlation > 0.1)
        .map(|correlation| correlation * correlation)
        .sum();
    let at = |lag: usize| match around.len().checked_sub(lag) {
        Some(pairs) if pairs > 2 => correlation(&around[..pairs], &around[lag..]).unwrap_or(0.0),
        _ => 0.0,
    };
    let reach = (length / 12).clamp(1, BESIDE);
    let beside = (length - reach..=length + reach).filter(|lag| *lag != length).map(at).collect();
    let variance_of_chance = (1.0 + 2.0 * together) / pairs as f64;
    // The residual of any smooth course around an average of two steps agrees two steps apart. Only alternating values
    // agree more then than at an odd distance.
    let correlation = if length == 2 { (at(4) - f64::midpoint(at(3), at(5))) / 2.0 } else { at(length) };
    Some(Outcome { correlation, beside, variance: variance_of_chance, around_trend: variance(around) })
}

fn around_trend(values: &[f64], length: usize) -> Vec<f64> {
    let trend = moving_average(values, length);
    values.iter().zip(trend).map(|(value, trend)| value - trend).collect()
}

/// The share of the season in all variation, over all series; `None` if it may be chance, or is negligible.
fn judge(outcomes: &[Option<Outcome>], totals: &[f64], sure: f64, least: f64) -> Option<f64> {
    let known: Vec<(&Outcome, f64)> = (outcomes.iter().zip(totals))
        .filter_map(|(outcome, total)| Some((outcome.as_ref()?, *total)))
        .filter(|(_, total)| *total > 0.0)
        .collect();
    let count = known.len() as f64;
    if known.is_empty() {
        return None;
    }
    let mean = |of: &dyn Fn(&Outcome, f64) -> f64| {
        known.iter().map(|(outcome, total)| of(outcome, *total)).sum::<f64>() / count
    };
    let correlation = mean(&|outcome, _| outcome.correlation);
    // Series of one table share events, so many series prove little more than a few.
    let chance = (mean(&|outcome, _| outcome.variance) / count.min(4.0)).sqrt();
    // The season must be the lag itself, not one near it.
    let nearby = known.iter().map(|(outcome, _)| outcome.beside.len()).min().unwrap_or(0);
    let beside = (0..nearby).map(|lag| mean(&|outcome, _| outcome.beside[lag])).fold(0.0, f64::max);
    if correlation < beside - NEARLY.max(2.0 * chance) {
        return None;
    }
    let strength = mean(&|outcome, total| outcome.correlation * outcome.around_trend / total);
    (correlation > least && correlation > sure * chance && strength > LEAST_SHARE).then_some(strength)
}

/// Subtracts a season: the mean deviation of each of its steps from the trend.
fn remove(values: &mut [f64], length: usize) {
    if length >= 2 * FINE || values.len() < 2 * length + 2 {
        return;
    }
    let around = around_trend(values, length);
    let mut means = vec![(0.0, 0.0); length];
    for (step, value) in around.into_iter().enumerate() {
        let (sum, count) = &mut means[step % length];
        *sum += value;
        *count += 1.0;
    }
    for (step, value) in values.iter_mut().enumerate() {
        let (sum, count) = means[step % length];
        *value -= sum / count;
    }
}

/// The lag with the highest peak of the autocorrelation over all series after a trough.
fn search(grids: &[Vec<f64>]) -> Option<usize> {
    let lags: Vec<Vec<f64>> = grids
        .par_iter()
        .filter_map(|values| {
            let values = &values[values.len().saturating_sub(TESTED)..];
            let longest = LAGS.min(values.len() / 3);
            (longest >= 4).then(|| autocorrelations(&around_trend(values, values.len() / 2), longest))
        })
        .collect();
    let longest = lags.iter().map(Vec::len).max()?;
    let means: Vec<f64> = (0..longest)
        .map(|lag| {
            let known: Vec<f64> = lags.iter().filter_map(|lags| lags.get(lag).copied()).collect();
            known.iter().sum::<f64>() / known.len() as f64
        })
        .collect();
    let mut trough = f64::INFINITY;
    let mut peaks: Vec<(usize, f64)> = Vec::new();
    for (lag, around) in (2..).zip(means.windows(3)) {
        trough = trough.min(around[0]);
        let is_peak = around[1] >= around[0] && around[1] > around[2];
        if is_peak && around[1] > LEAST_FOUND / 2.0 && trough < around[1] / 2.0 {
            peaks.push((lag, around[1]));
        }
    }
    let highest = peaks.iter().map(|(_, height)| *height).fold(0.0, f64::max);
    // Multiples of a season have peaks of nearly the same height, so the first high one wins.
    peaks.into_iter().find(|(_, height)| *height >= 0.8 * highest).map(|(lag, _)| lag)
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / values.len().max(1) as f64
}

/// Pearson's correlation; `None` if one side is constant.
pub(super) fn correlation(left: &[f64], right: &[f64]) -> Option<f64> {
    let count = left.len() as f64;
    let (left_mean, right_mean) = (left.iter().sum::<f64>() / count, right.iter().sum::<f64>() / count);
    let (mut both, mut lefts, mut rights) = (0.0, 0.0, 0.0);
    for (left, right) in left.iter().zip(right) {
        let (left, right) = (left - left_mean, right - right_mean);
        both += left * right;
        lefts += left * left;
        rights += right * right;
    }
    let scale = (lefts * rights).sqrt();
    (scale > 0.0 && scale.is_finite()).then(|| both / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_of_a_season_is_none() {
        for (length, known) in [(48, 48), (47, 48), (95, 48), (25, 48), (8, 7), (13, 7)] {
            assert!(is_echo(length, known), "{length} of {known}");
        }
        for (length, known) in [(14, 7), (30, 7), (30, 24), (365, 7), (12, 48)] {
            assert!(!is_echo(length, known), "{length} of {known}");
        }
    }
}
