//! Figures about the series: lengths, gaps and values.

use tabcast_calendar::{CivilTime, Frequency, Micros, infer_frequency};

use super::panel::Series;

/// Figures over all series.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Figures {
    pub(super) frequency: Option<Frequency>,
    pub(super) min_length: usize,
    pub(super) max_length: usize,
    pub(super) avg_length: f64,
    pub(super) missingness: f64,
    pub(super) leading_gap: u64,
    pub(super) trailing_gap: u64,
    pub(super) covers_weekends: bool,
    pub(super) min: f64,
    pub(super) max: f64,
    pub(super) start: Micros,
    pub(super) end: Micros,
}

/// Covers the series that have a target.
pub(super) fn figures(series: &Series) -> Figures {
    let panel = &series.panel;
    let frequency = infer_frequency(&panel.timestamps, &panel.offsets)
        .ok()
        .filter(|regularity| regularity.gaps > 0)
        .map(|regularity| regularity.frequency);
    let observed = || series.observed.iter().filter(|rows| !rows.is_empty());
    let first = |rows: &std::ops::Range<usize>| panel.timestamps[rows.start];
    let last = |rows: &std::ops::Range<usize>| panel.timestamps[rows.end - 1];
    let start = observed().map(first).min().unwrap_or(0);
    let end = observed().map(last).max().unwrap_or(0);
    // Rows before the first target count too: nothing was observed then, but the series existed.
    let lengths =
        || series.observed.iter().zip(&panel.offsets).map(|(rows, from)| rows.end.saturating_sub(*from));
    let total: usize = lengths().sum();
    let mut figures = Figures {
        frequency,
        min_length: lengths().min().unwrap_or(0),
        max_length: lengths().max().unwrap_or(0),
        avg_length: total as f64 / panel.len().max(1) as f64,
        min: f64::INFINITY,
        max: f64::NEG_INFINITY,
        start,
        end,
        ..Figures::default()
    };
    let (mut steps, mut values) = (0_u64, 0_u64);
    let (mut saturdays, mut sundays) = (false, false);
    for rows in observed() {
        let mut present = 0;
        for row in rows.clone() {
            let target = panel.targets[row];
            if target.is_nan() {
                continue;
            }
            present += 1;
            figures.min = figures.min.min(target);
            figures.max = figures.max.max(target);
            if !(saturdays && sundays) {
                let weekday = CivilTime::of(panel.timestamps[row]).weekday;
                saturdays |= weekday == 5;
                sundays |= weekday == 6;
            }
        }
        let between = |from, to| frequency.map_or(0, |frequency| whole_steps(frequency, from, to));
        // Irregular rows have no steps except their own.
        let spanned = frequency.map_or(rows.len() as u64, |_| between(first(rows), last(rows)) + 1);
        steps += spanned.max(present);
        values += present;
        figures.leading_gap = figures.leading_gap.max(between(start, first(rows)));
        figures.trailing_gap = figures.trailing_gap.max(between(last(rows), end));
    }
    figures.missingness = if steps > 0 { (steps - values) as f64 / steps as f64 } else { 0.0 };
    figures.covers_weekends = saturdays && sundays;
    figures
}

/// Number of whole steps between two times.
fn whole_steps(frequency: Frequency, from: Micros, to: Micros) -> u64 {
    if to <= from {
        return 0;
    }
    if let Some(steps) = frequency.steps_between(from, to) {
        return steps.unsigned_abs();
    }
    // Times off the grid: uses the length of most steps.
    let length = frequency.fixed_micros().unwrap_or_else(|| frequency.advance(from, 1) - from);
    ((to - from) / length.max(1)).unsigned_abs()
}
