//! `report.json`: what was in the data, which models were weighed how, and how they did in the backtest.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tabcast_table::Warning;

use crate::combination::leaderboard::Leaderboard;
use crate::dataset::Dataset;
use crate::history::class::Class;
use crate::learners::tuned::NAMES;
use crate::learners::{global, pooled};
use crate::run::forecaster::Forecaster;
use crate::run::plan::Plan;

/// Changes when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// The whole report; field names are those of the file.
#[derive(Debug, Serialize)]
pub(crate) struct Report<'a> {
    version: u32,
    /// `fast`, `balanced` or `best`; `fine_tuned` where a model of the tenant forecast.
    preset: &'static str,
    freq: &'a str,
    prediction_length: usize,
    /// Steps of the primary season, 1 for none, and of all seasons that models may look for.
    season_length: usize,
    season_lengths: &'a [usize],
    series: u64,
    data_quality: DataQuality<'a>,
    /// Columns that were to explain the target, in the order of the file; left out where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    covariates: Vec<CovariateReport<'a>>,
    /// Names of the features that were asked for or that a fine-tuned model makes, where models learned from them;
    /// left out where none were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Vec<String>>,
    /// Left out where no trees of all series were learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    global: Option<GlobalReport>,
    classes: Vec<ClassReport<'a>>,
    /// Empty where nothing was drawn at random.
    seeds: Vec<Drawn>,
}

/// What the networks of a class, one a lookback, were drawn from: the choice of their examples and their first
/// parameters.
#[derive(Debug, Serialize)]
struct Drawn {
    class: Class,
    member: &'static str,
    seeds: Vec<u64>,
}

/// What the trees of all series were learned from.
#[derive(Debug, Serialize)]
struct GlobalReport {
    members: &'static [&'static str],
    series: usize,
    /// Pairs of an origin and a step of a series.
    rows: usize,
    features: usize,
}

/// What was put right, filled or replaced, by the code of its warning.
#[derive(Debug, Serialize)]
struct DataQuality<'a> {
    counts: BTreeMap<&'static str, u64>,
    notes: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct CovariateReport<'a> {
    name: &'a str,
    /// False for one that a warning of the job tells about.
    used: bool,
}

#[derive(Debug, Serialize)]
struct ClassReport<'a> {
    class: Class,
    /// Series of this class in the dataset.
    series: u64,
    /// Registry names of the members that may be combined; the leaderboard has their mean weights.
    members: Vec<&'static str>,
    /// Left out where nothing was backtested.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaderboard: Option<&'a Leaderboard>,
}

impl<'a> Report<'a> {
    /// `series_of` counts the series by class, at the class's number.
    pub(crate) fn new(
        forecaster: &'a Forecaster<'_>,
        dataset: &'a Dataset,
        freq: &'a str,
        series_of: &[u64],
        warnings: &'a [Warning],
    ) -> Self {
        let (plan, combinations, tuned) =
            (forecaster.plan(), forecaster.combinations(), forecaster.is_tuned());
        let (networks, trees) = (forecaster.pooled(), forecaster.global());
        let classes = Class::ALL
            .iter()
            .zip(series_of)
            .filter(|(_, count)| **count > 0)
            .map(|(&class, &series)| {
                let learned = combinations.of(class);
                ClassReport {
                    class,
                    series,
                    members: if tuned {
                        NAMES.to_vec()
                    } else {
                        members_of(class, plan, learned.leaderboard.as_ref())
                    },
                    leaderboard: learned.leaderboard.as_ref(),
                }
            })
            .collect();
        Self {
            version: VERSION,
            preset: if tuned { "fine_tuned" } else { plan.preset.name() },
            freq,
            prediction_length: plan.horizon,
            season_length: plan.season,
            season_lengths: &plan.periods,
            series: series_of.iter().sum(),
            data_quality: DataQuality {
                counts: counts_of(warnings),
                notes: warnings.iter().map(|warning| warning.message.as_str()).collect(),
            },
            covariates: covariates_of(dataset),
            features: plan.recipe.as_ref().map(|recipe| {
                let used = tuned || trees.whole().is_some();
                if used { recipe.names(plan.frequency) } else { Vec::new() }
            }),
            global: trees.whole().map(|model| GlobalReport {
                members: global::names(plan.preset),
                series: trees.series(),
                rows: model.rows(),
                features: model.features(),
            }),
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

/// The members of the preset, and those of all series that were judged.
fn members_of(class: Class, plan: &Plan, leaderboard: Option<&Leaderboard>) -> Vec<&'static str> {
    let judged = |name: &&str| {
        leaderboard.is_some_and(|leaderboard| leaderboard.scores.iter().any(|score| score.model == *name))
    };
    plan.preset
        .members(class)
        .iter()
        .copied()
        .chain(global::names(plan.preset).iter().copied().filter(judged))
        .collect()
}

/// Those of which the models get at least one column of numbers.
fn covariates_of(dataset: &Dataset) -> Vec<CovariateReport<'_>> {
    let columns = dataset.encoding.names(&dataset.panel);
    let used: BTreeSet<&str> = columns.iter().map(|column| column.covariate.as_str()).collect();
    let names = dataset.panel.covariates.iter().map(|covariate| covariate.name.as_str());
    names.map(|name| CovariateReport { name, used: used.contains(name) }).collect()
}

/// Several warnings may have one code: one a covariate, for example.
fn counts_of(warnings: &[Warning]) -> BTreeMap<&'static str, u64> {
    let mut counts = BTreeMap::new();
    for warning in warnings {
        *counts.entry(warning.code).or_default() += warning.count;
    }
    counts
}
