//! Seasonal-trend decomposition by local regression, for one season length and for several.

use crate::Loess;

/// Decomposes a series into trend, season and remainder.
///
/// Source: R. B. Cleveland et al., STL: a seasonal-trend decomposition procedure based on loess, Journal of Official
/// Statistics 6 (1990), 3-73, without its outer loop (the robustness weights).
///
/// Differences from the source: the season is smoothed at every cycle, for all phases side by side, because the phases
/// share their weights. So the procedure costs a few dozen passes over the series, however long the season is.
#[derive(Debug, Clone, Copy)]
pub struct Stl {
    /// The season length in steps, at least 2 and at most half the series.
    pub period: usize,
    /// Number of cycles over which a phase is smoothed.
    pub seasonal_window: usize,
    /// Number of rounds in which season and trend are each estimated after removing the other.
    pub iterations: usize,
    /// Whether trend and low-pass filter are only smoothed at steps of a tenth of their windows, and interpolated
    /// between.
    pub jumps: bool,
}

/// Working memory of decompositions, and the trend of the last one.
#[derive(Debug, Default)]
pub struct StlWorkspace {
    /// The trend of the last decomposition.
    pub trend: Vec<f64>,
    detrended: Vec<f64>,
    cycles: Vec<f64>,
    low_pass: Vec<f64>,
    smooth: Vec<f64>,
    weights: Vec<f64>,
}

impl Stl {
    /// Estimates the season of `values` and writes it to `season`, which has the same length.
    ///
    /// # Panics
    ///
    /// If `season` and `values` differ in length, or the series is shorter than two periods.
    pub fn decompose(&self, values: &[f64], season: &mut [f64], work: &mut StlWorkspace) {
        let (length, period) = (values.len(), self.period);
        assert!(period >= 2 && length >= 2 * period, "the series is shorter than two periods");
        let trend_window = next_odd(1.5 * period as f64 / (1.0 - 1.5 / self.seasonal_window as f64));
        let jump = |window: usize| if self.jumps { window.div_ceil(10) } else { 1 };
        let trend = Loess { window: trend_window, linear: true, jump: jump(trend_window) };
        let low_window = period | 1;
        let low_pass = Loess { window: low_window, linear: true, jump: jump(low_window) };
        work.trend.clear();
        work.trend.resize(length, 0.0);
        work.smooth.resize(length, 0.0);
        work.cycles.resize(length + 2 * period, 0.0);
        for _ in 0..self.iterations {
            work.detrended.clear();
            work.detrended.extend(values.iter().zip(&work.trend).map(|(value, trend)| value - trend));
            self.smooth_cycles(&work.detrended, &mut work.cycles, &mut work.weights);
            // The common part of the smoothed phases over a cycle is not season.
            running_means(&work.cycles, period, &mut work.low_pass);
            running_means(&work.low_pass, period, &mut work.detrended);
            running_means(&work.detrended, 3, &mut work.low_pass);
            low_pass.smooth(&work.low_pass, &mut work.smooth, &mut work.weights);
            for (step, season) in season.iter_mut().enumerate() {
                *season = work.cycles[step + period] - work.smooth[step];
            }
            work.detrended.clear();
            work.detrended.extend(values.iter().zip(&*season).map(|(value, season)| value - season));
            trend.smooth(&work.detrended, &mut work.trend, &mut work.weights);
        }
    }

    /// Smooths each phase over the cycles, from one cycle before the series to one after it.
    fn smooth_cycles(&self, values: &[f64], cycles: &mut [f64], weights: &mut Vec<f64>) {
        let period = self.period;
        let (whole, extra) = (values.len() / period, values.len() % period);
        let loess = Loess { window: self.seasonal_window, linear: false, jump: 1 };
        // If the series ends inside a cycle, the first phases have one cycle more than the others.
        for (phases, count) in [(0..extra, whole + 1), (extra..period, whole)] {
            if phases.is_empty() {
                continue;
            }
            for cycle in 0..count + 2 {
                let left = loess.left(cycle.saturating_sub(1).min(count - 1), count);
                loess.weights(cycle as f64 - 1.0, left, count, weights);
                let target = &mut cycles[cycle * period..][phases.clone()];
                target.fill(0.0);
                for (place, &weight) in weights.iter().enumerate() {
                    let source = &values[(left + place) * period..][phases.clone()];
                    for (sum, value) in target.iter_mut().zip(source) {
                        *sum += weight * value;
                    }
                }
            }
        }
    }
}

/// Removes the seasons of several lengths from a series, shortest first, in `rounds` rounds, each after removing the
/// other seasons; `rest` holds the series and afterwards trend plus remainder. Returns a season of the length of the
/// series for each of `periods` (ascending); the k-th (from 1) is smoothed over `7 + 4·k` cycles. The trend is in the
/// workspace.
///
/// Source: Bandara, Hyndman and Bergmeir, MSTL: a seasonal-trend decomposition algorithm for time series with multiple
/// seasonal patterns, 2021, arXiv:2107.13462.
pub fn decompose_seasons(
    rest: &mut [f64],
    periods: &[usize],
    rounds: usize,
    work: &mut StlWorkspace,
) -> Vec<Vec<f64>> {
    let mut seasons = vec![vec![0.0; rest.len()]; periods.len()];
    let rounds = if periods.len() > 1 { rounds } else { 1 };
    for _ in 0..rounds {
        for (index, (&period, season)) in periods.iter().zip(&mut seasons).enumerate() {
            for (rest, season) in rest.iter_mut().zip(&*season) {
                *rest += season;
            }
            let stl = Stl { period, seasonal_window: 11 + 4 * index, iterations: 2, jumps: true };
            stl.decompose(rest, season, work);
            for (rest, season) in rest.iter_mut().zip(&*season) {
                *rest -= season;
            }
        }
    }
    seasons
}

/// The smallest odd number that is not below `least`.
fn next_odd(least: f64) -> usize {
    least.ceil() as usize | 1
}

/// The means of every `width` consecutive values.
fn running_means(values: &[f64], width: usize, means: &mut Vec<f64>) {
    means.clear();
    let (first, later) = values.split_at(width);
    let part = 1.0 / width as f64;
    let mut sum: f64 = first.iter().sum();
    means.push(sum * part);
    means.extend(later.iter().zip(values).map(|(next, gone)| {
        sum += next - gone;
        sum * part
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATTERN: [f64; 12] = [3.0, -1.0, 0.0, -2.0, 2.0, -2.0, 1.0, 5.0, 4.0, 3.0, 2.0, -9.0];

    fn series() -> Vec<f64> {
        let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
        let season = |t: usize| PATTERN[t % 12] * (1.0 + 0.01 * t as f64);
        (0..66).map(|t| 10.0 + 0.1 * t as f64 + season(t) + noise(t)).collect()
    }

    /// statsmodels, `STL(y, period=12, seasonal=11, seasonal_deg=0).fit(inner_iter=2, outer_iter=0)`.
    #[test]
    fn agrees_with_statsmodels() {
        let mut season = vec![0.0; 66];
        let mut work = StlWorkspace::default();
        let stl = Stl { period: 12, seasonal_window: 11, iterations: 2, jumps: false };
        stl.decompose(&series(), &mut season, &mut work);
        let expected = [
            (0, 2.919_509_047_430_868, 10.454_203_863_684_992),
            (1, -1.765_066_197_193_394_7, 10.559_826_983_526_216),
            (6, 0.877_116_848_563_662_8, 11.109_982_029_450_52),
            (7, 5.641_010_007_302_978, 11.223_603_520_890_828),
            (30, 0.850_545_879_320_436_2, 13.626_592_221_191_112),
            (44, 4.742_425_641_088_08, 14.997_928_508_987_673),
            (58, 2.075_517_490_222_730_5, 16.604_805_458_307_17),
            (65, -3.396_356_187_554_605, 17.265_554_697_317_26),
        ];
        for (step, expected_season, expected_trend) in expected {
            assert!((season[step] - expected_season).abs() < 1e-11, "step {step}: {}", season[step]);
            assert!((work.trend[step] - expected_trend).abs() < 1e-11, "step {step}: {}", work.trend[step]);
        }
    }

    #[test]
    fn jumps_change_little() {
        let decompose = |jumps| {
            let mut season = vec![0.0; 66];
            let stl = Stl { period: 12, seasonal_window: 11, iterations: 2, jumps };
            stl.decompose(&series(), &mut season, &mut StlWorkspace::default());
            season
        };
        for (exact, interpolated) in decompose(false).iter().zip(decompose(true)) {
            assert!((exact - interpolated).abs() < 0.05, "{exact} and {interpolated}");
        }
    }

    /// Two exact seasons on a line are separated, and add up to the series.
    #[test]
    fn two_seasons_come_apart() {
        let truth = |t: usize| ([4.0, -3.0, -1.0, 0.0][t % 4], (t / 4 % 5) as f64 - 2.0);
        let values: Vec<f64> = (0..300).map(|t| 5.0 + 0.01 * t as f64 + truth(t).0 + truth(t).1).collect();
        let mut rest = values.clone();
        let mut work = StlWorkspace::default();
        let seasons = decompose_seasons(&mut rest, &[4, 20], 2, &mut work);
        for t in 100..200 {
            assert!((seasons[0][t] - truth(t).0).abs() < 0.1, "step {t}: {}", seasons[0][t]);
            assert!((seasons[1][t] - truth(t).1).abs() < 0.2, "step {t}: {}", seasons[1][t]);
            assert!((rest[t] + seasons[0][t] + seasons[1][t] - values[t]).abs() < 1e-12);
        }
    }
}
