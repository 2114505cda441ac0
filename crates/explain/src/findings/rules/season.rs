use serde::Serialize;

use crate::findings::decomposition::{Decomposition, SEASONAL};

/// A repeating season.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Season {
    /// Length in steps.
    pub length: usize,
    /// From 0 (no season) to 1 (all variation around the trend).
    pub strength: f64,
    /// Whether the strength is at least 0.6.
    pub strong: bool,
    /// The step of the last cycle of the history at which the season is highest.
    pub peak: usize,
    /// The step at which it is lowest.
    pub trough: usize,
    /// The next peak after the history.
    pub next_peak: usize,
    /// The season at its peak.
    pub peak_change: f64,
    /// The season at its trough; below zero.
    pub trough_change: f64,
    /// `peak_change` as a share of the mean of the last cycle without season and outliers; None unless that is above
    /// zero.
    pub peak_relative: Option<f64>,
    /// `trough_change` as a share of the same.
    pub trough_relative: Option<f64>,
}

const STRONG: f64 = 0.6;

/// `ahead` is the index of the first step of the forecast.
pub(crate) fn season(of: &Decomposition, ahead: usize) -> Option<Season> {
    if of.strength < SEASONAL {
        return None;
    }
    let cycle = of.season.len() - of.season_length;
    let last = || of.season.iter().copied().enumerate().skip(cycle);
    let (peak, high) = last().reduce(|best, next| if next.1 > best.1 { next } else { best })?;
    let (trough, low) = last().reduce(|best, next| if next.1 < best.1 { next } else { best })?;
    let at_peak = of.start + peak;
    // In a growing series, the season is relative to the level of its cycle.
    let level = of.adjusted[cycle..].iter().sum::<f64>() / of.season_length as f64;
    let base = of.base().and(Some(level)).filter(|level| *level > 0.1 * of.size);
    let cycles = ahead.saturating_sub(at_peak).div_ceil(of.season_length);
    Some(Season {
        length: of.season_length,
        strength: of.strength,
        strong: of.strength >= STRONG,
        peak: at_peak,
        trough: of.start + trough,
        next_peak: at_peak + cycles * of.season_length,
        peak_change: high * of.scale,
        trough_change: low * of.scale,
        peak_relative: base.map(|base| high / base),
        trough_relative: base.map(|base| low / base),
    })
}
