//! `report.json`: what was in the data, which models were weighed how, and how they did in the backtest.

use std::collections::BTreeMap;

use serde::Serialize;
use tabcast_table::Warning;

use crate::class::Class;
use crate::evidence::Evidence;
use crate::leaderboard::Leaderboard;
use crate::plan::Plan;
use crate::pooled::{self, PooledPanel};
use crate::preset::Preset;

/// Changes when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The whole report; field names are those of the file.
#[derive(Debug, Serialize)]
pub(crate) struct Report<'a> {
    version: u32,
    preset: Preset,
    freq: &'a str,
    prediction_length: usize,
    /// Steps of the primary season, 1 for none, and of all seasons that models may look for.
    season_length: usize,
    season_lengths: &'a [usize],
    series: u64,
    data_quality: DataQuality<'a>,
    classes: Vec<ClassReport<'a>>,
    /// Empty where nothing was drawn at random.
    seeds: Vec<Drawn>,
}

/// What the networks of a class, one a lookback, were drawn from: the choice of their examples and their first parameters.
#[derive(Debug, Serialize)]
struct Drawn {
    class: Class,
    member: &'static str,
    seeds: Vec<u64>,
}

/// What was put right, filled or replaced, by the code of its warning.
#[derive(Debug, Serialize)]
struct DataQuality<'a> {
    counts: BTreeMap<&'static str, u64>,
    notes: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct ClassReport<'a> {
    class: Class,
    /// Series of this class in the dataset.
    series: u64,
    /// Registry names of the members that may be combined; the leaderboard has their mean weights.
    members: &'static [&'static str],
    /// Left out where nothing was backtested.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaderboard: Option<&'a Leaderboard>,
}

impl<'a> Report<'a> {
    /// `series_of` counts the series by class, at the class's number.
    pub(crate) fn new(
        plan: &'a Plan,
        freq: &'a str,
        evidence: &'a Evidence,
        networks: &PooledPanel,
        series_of: &[u64],
        warnings: &'a [Warning],
    ) -> Self {
        let classes = Class::ALL
            .iter()
            .zip(series_of)
            .filter(|(_, count)| **count > 0)
            .map(|(&class, &series)| {
                let learned = evidence.of(class);
                ClassReport {
                    class,
                    series,
                    members: plan.preset.members(class),
                    leaderboard: learned.leaderboard.as_ref(),
                }
            })
            .collect();
        Self {
            version: VERSION,
            preset: plan.preset,
            freq,
            prediction_length: plan.horizon,
            season_length: plan.season,
            season_lengths: &plan.periods,
            series: series_of.iter().sum(),
            data_quality: DataQuality {
                counts: counts_of(warnings),
                notes: warnings.iter().map(|warning| warning.message.as_str()).collect(),
            },
            classes,
            seeds: Class::ALL
                .into_iter()
                .filter_map(|class| {
                    let seeds = networks.whole(class)?.seeds();
                    Some(Drawn { class, member: pooled::NAME, seeds })
                })
                .collect(),
        }
    }
}

/// Several warnings may have one code: one a covariate, for example.
fn counts_of(warnings: &[Warning]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for warning in warnings {
        *counts.entry(warning.code).or_default() += warning.count;
    }
    counts
}
