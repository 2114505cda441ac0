//! Cuts the series of a run into shards.

use std::ops::Range;

use crate::Preset;
use crate::dataset::Dataset;
use crate::run::plan::Plan;

/// Maximum number of rows of a shard: they are in memory while it is forecast.
const MOST_ROWS: usize = 16_000_000;

/// Seconds of a core per step of history, about (`bench/engine`).
fn seconds_per_step(preset: Preset) -> f64 {
    match preset {
        Preset::Fast => 2e-6,
        Preset::Balanced => 40e-6,
        Preset::Best => 300e-6,
    }
}

/// The series of each shard, which takes about `shard_seconds` of a core, in their order. The cuts depend only on the
/// dataset and on what was asked, because the row groups of the table end at them, also when one process does
/// everything.
pub(crate) fn cut(dataset: &Dataset, plan: &Plan, shard_seconds: f64) -> Vec<Range<usize>> {
    let series = dataset.series();
    let rows = dataset.panel.rows;
    let steps = (rows / series.max(1)).min(plan.history) * series;
    let seconds = steps as f64 * seconds_per_step(plan.preset);
    let wanted = ((seconds / shard_seconds.max(f64::MIN_POSITIVE)) as usize).max(rows.div_ceil(MOST_ROWS));
    // The forecasts of a hierarchy are made coherent together.
    let shards = if dataset.hierarchy.is_some() { 1 } else { wanted.clamp(1, series.max(1)) };
    (0..shards).map(|shard| shard * series / shards..(shard + 1) * series / shards).collect()
}
