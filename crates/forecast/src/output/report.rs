//! `report.json`: the data, the members and their weights, and their backtest scores.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use tabcast_table::Warning;

use crate::combination::leaderboard::Leaderboard;
use crate::dataset::Dataset;
use crate::history::class::Class;
use crate::learners::blended;
use crate::learners::tuned::NAMES;
use crate::learners::{global, pooled};
use crate::run::forecaster::Forecaster;
use crate::run::plan::Plan;

/// Increase this when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// The whole report; its field names are those in the file.
#[derive(Debug, Serialize)]
pub(crate) struct Report<'a> {
    version: u32,
    /// `fast`, `balanced` or `best`; `fine_tuned` for a forecast by a fine-tuned model.
    preset: &'static str,
    freq: &'a str,
    prediction_length: usize,
    /// Length of the primary season in steps, 1 for none; then the lengths of all seasons that models may use.
    season_length: usize,
    season_lengths: &'a [usize],
    series: u64,
    data_quality: DataQuality<'a>,
    /// Columns offered as covariates, in the order of the file; omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    covariates: Vec<CovariateReport<'a>>,
    /// Names of the features that were requested or that a fine-tuned model computes, if models learned from them;
    /// omitted if none were requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    features: Option<Vec<String>>,
    /// Omitted if no global trees were trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    global: Option<GlobalReport>,
    classes: Vec<ClassReport<'a>>,
    /// Empty if nothing was drawn at random.
    seeds: Vec<Drawn>,
}

/// The seeds of the networks of a class, one per lookback: for the choice of their examples and their initial
/// parameters.
#[derive(Debug, Serialize)]
struct Drawn {
    class: Class,
    member: &'static str,
    seeds: Vec<u64>,
}

/// The training data of the global trees.
#[derive(Debug, Serialize)]
struct GlobalReport {
    members: &'static [&'static str],
    series: usize,
    /// Number of rows: a row is a series, an origin and a step.
    rows: usize,
    features: usize,
}

/// Corrections to the data (filled or replaced values), by the code of their warning.
#[derive(Debug, Serialize)]
struct DataQuality<'a> {
    counts: BTreeMap<&'a str, u64>,
    notes: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct CovariateReport<'a> {
    name: &'a str,
    /// False for a covariate that a warning of the job is about.
    used: bool,
}

#[derive(Debug, Serialize)]
struct ClassReport<'a> {
    class: Class,
    /// Number of series of this class in the dataset.
    series: u64,
    /// Registry names of the members that may be combined; the leaderboard has their mean weights.
    members: Vec<&'static str>,
    /// Omitted without a backtest.
    #[serde(skip_serializing_if = "Option::is_none")]
    leaderboard: Option<&'a Leaderboard>,
}

impl<'a> Report<'a> {
    /// `series_of` counts the series by class, indexed by the class's number.
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

/// The members of the preset, and the blended models that were judged.
fn members_of(class: Class, plan: &Plan, leaderboard: Option<&Leaderboard>) -> Vec<&'static str> {
    let judged = |name: &&str| {
        leaderboard.is_some_and(|leaderboard| leaderboard.scores.iter().any(|score| score.model == *name))
    };
    plan.preset
        .members(class)
        .iter()
        .copied()
        .chain(blended::names(plan.preset).into_iter().filter(judged))
        .collect()
}

/// The covariates that give the models at least one numeric column.
fn covariates_of(dataset: &Dataset) -> Vec<CovariateReport<'_>> {
    let columns = dataset.encoding.names(&dataset.panel);
    let used: BTreeSet<&str> = columns.iter().map(|column| column.covariate.as_str()).collect();
    let names = dataset.panel.covariates.iter().map(|covariate| covariate.name.as_str());
    names.map(|name| CovariateReport { name, used: used.contains(name) }).collect()
}

/// Several warnings may share a code, for example one per covariate.
fn counts_of(warnings: &[Warning]) -> BTreeMap<&str, u64> {
    let mut counts = BTreeMap::new();
    for warning in warnings {
        *counts.entry(&*warning.code).or_default() += warning.count;
    }
    counts
}
