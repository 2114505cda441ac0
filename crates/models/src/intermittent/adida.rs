//! Aggregate, forecast, disaggregate.
//!
//! The steps are added up in buckets as long as the mean interval between demands, so that few sums are zero; simple
//! smoothing forecasts the next sum, and every step of the bucket gets an equal share. The buckets end with the series;
//! the remainder at its beginning is not used.
//!
//! Source: Nikolopoulos, Syntetos, Boylan, Petropoulos and Assimakopoulos, An aggregate-disaggregate intermittent
//! demand approach (ADIDA) to forecasting, Journal of the Operational Research Society 62 (2011). Differences: those in
//! `mod.rs`; errors are those of whole buckets, and a fitted value is the forecast made when the last bucket was full.

use super::history::History;
use super::smoother::Smoother;
use super::{RateFit, SMOOTHING};
use crate::{Fit, Model, Series, Unfit};

/// The registry entry.
pub(crate) struct Adida;

impl Model for Adida {
    fn name(&self) -> &'static str {
        "adida"
    }

    fn fit_rescaled(&self, series: &Series<'_>) -> Result<Box<dyn Fit>, Unfit> {
        let history = History::of(series.values)?;
        let width = bucket_width(&history);
        let skipped = series.len() % width;
        let sums: Vec<f64> =
            series.values[skipped..].chunks_exact(width).map(|bucket| bucket.iter().sum()).collect();
        let best = SMOOTHING
            .map(|alpha| smooth(&sums, Smoother::new(alpha)))
            .into_iter()
            .min_by(|a, b| a.squares.total_cmp(&b.squares))
            .ok_or(Unfit { reason: "there is no smoothing parameter to try" })?;
        let part = 1.0 / width as f64;
        let mut fitted = vec![f64::NAN; skipped + width];
        fitted.extend(best.fitted[1..].iter().flat_map(|sum| std::iter::repeat_n(sum * part, width)));
        let rate = best.next * part;
        let mut size = Smoother::new(SMOOTHING[0]);
        for &demand in &history.sizes {
            size.observe(demand);
        }
        let occurrence = if size.level > 0.0 { rate / size.level } else { 0.0 };
        Ok(Box::new(RateFit::new(rate, occurrence, &history, fitted)))
    }
}

/// The mean interval between demands, in whole steps.
fn bucket_width(history: &History) -> usize {
    let count = history.intervals.len().max(1) as f64;
    (history.intervals.iter().sum::<f64>() / count).round().max(1.0) as usize
}

/// The smoothed sums: the forecast of each bucket (none of the first one) and of the next one.
struct Smoothed {
    fitted: Vec<f64>,
    next: f64,
    squares: f64,
}

fn smooth(sums: &[f64], mut level: Smoother) -> Smoothed {
    let mut fitted = Vec::with_capacity(sums.len());
    let mut squares = 0.0;
    for &sum in sums {
        if level.started() {
            squares += (sum - level.level) * (sum - level.level);
        }
        fitted.push(level.level);
        level.observe(sum);
    }
    Smoothed { fitted, next: level.level, squares }
}
