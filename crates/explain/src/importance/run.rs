//! The entry points.

use tabcast_statistics::random;
use tabcast_trees::Ensemble;

use super::choice::keep_most_informative;
use super::columns::{Columns, LeftOut, Reason};
use super::contributions::{Contributions, Model};
use super::detail::draw;
use super::fidelity::{Fidelity, FidelityLabel, Judged};
use super::permutation::{Judge, permutation_drops};
use super::sample::sample_evenly;
use super::surrogate::{Standardised, Surrogate};
use super::units::{Unit, grouped, single};
use super::view::{Material, View};
use super::{ImportanceError, Options, Predictions};
use crate::{Skip, Stop};

/// Number of held-back rows among which columns are shuffled.
const PERMUTED_ROWS: usize = 1000;

/// Streams of random numbers, so that no two purposes share one.
const ROWS: u64 = 1;
const EXPLAINED: u64 = 2;
const CHOICE: u64 = 3;
const TREES: u64 = 4;
const PERMUTED: u64 = 5;

/// The explanation of predictions.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// Which trees are explained.
    pub method: Method,
    /// Results by column.
    pub features: View,
    /// Results by group, if groups were given.
    pub groups: Option<View>,
    /// How well the surrogate reproduces the predictions; none for the model's own trees.
    pub fidelity: Option<Fidelity>,
    /// Largest `|base + sum of Shapley values - prediction of the trees|`, divided by that prediction or by the
    /// standard deviation of the predictions (1 for the model's own trees), whichever is larger.
    pub max_additivity_error: f64,
    /// Columns without an explanation of their own.
    pub left_out: Vec<LeftOut>,
    /// Number of rows examined.
    pub rows: usize,
    /// Number of rows with Shapley values.
    pub explained_rows: usize,
    /// Warnings as sentences.
    pub warnings: Vec<String>,
}

/// Which trees are explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The model's own trees.
    ExactTreeShap,
    /// Trees of a surrogate that reproduces the predictions.
    SurrogateTreeShap,
}

impl Method {
    /// The name in the API.
    pub fn name(self) -> &'static str {
        match self {
            Self::ExactTreeShap => "exact_tree_shap",
            Self::SurrogateTreeShap => "surrogate_tree_shap",
        }
    }
}

/// Explains predictions of any model by a surrogate. Equal arguments give equal bits for any number of threads, which
/// are those of rayon's current pool.
///
/// # Errors
/// [`Skip::NotEnoughRows`] for fewer than 50 usable rows or a single fold group, [`Skip::NoFeatures`] if no column or
/// no prediction varies, [`Skip::LowFidelity`] if less than half of the variance of held-back predictions is
/// reproduced, [`Skip::Timeout`] if `stop` returns true; otherwise [`ImportanceError::Input`].
pub fn explain_predictions(
    input: &Predictions<'_>,
    options: &Options,
    stop: Stop<'_>,
) -> Result<Explanation, ImportanceError> {
    let seed = |stream: u64| random::bits(options.seed, stream);
    let usable = input.usable(options)?;
    let rows = sample_evenly(&usable, options.max_rows, seed(ROWS));
    let pick = |values: &[f64]| rows.iter().map(|&row| values[row]).collect::<Vec<f64>>();
    let ids = |values: &[u32]| rows.iter().map(|&row| values[row]).collect::<Vec<u32>>();

    let (columns, mut left_out) = Columns::that_vary(input.features, &rows);
    let columns = columns.by_name(input.features);
    if columns.features.is_empty() {
        return Err(Skip::NoFeatures.into());
    }
    let predictions = pick(input.predictions);
    let target = Standardised::new(&predictions)?;
    let (columns, others) = keep_most_informative(
        columns,
        input.features,
        &target.values,
        options.max_features,
        seed(CHOICE),
        stop,
    )?;
    left_out.extend(others);

    let fold_groups = input.fold_groups.map(ids);
    let alone: Vec<u32> = (0..rows.len() as u32).collect();
    let surrogate =
        Surrogate::fit(&columns, &target.values, fold_groups.as_ref().unwrap_or(&alone), seed(TREES), stop)?;
    let held_back: Vec<f64> =
        surrogate.held_back.iter().map(|value| value * target.deviation + target.mean).collect();
    let fidelity = Fidelity::of(&Judged {
        predictions: &predictions,
        held_back: &held_back,
        actuals: input.actuals.map(pick).as_deref(),
        series: input.series.map(ids).as_deref(),
        fold_groups: fold_groups.as_deref(),
        folds: surrogate.folds.len(),
    })
    .ok_or(Skip::LowFidelity)?;

    let judges: Vec<Judge<'_>> = surrogate
        .folds
        .iter()
        .map(|fold| {
            let judged = sample_evenly(&fold.rows, PERMUTED_ROWS / surrogate.folds.len(), seed(PERMUTED));
            let target = judged.iter().map(|&row| target.values[row]).collect();
            Judge { trees: &fold.trees, output: 0, columns: columns.select(&judged), target }
        })
        .collect();
    let model = Model { trees: &surrogate.trees, output: 0, offset: target.mean, factor: target.deviation };
    let found = Found { columns: &columns, rows: &rows, model, judges: &judges };
    found.tell(input, options, Some(fidelity), left_out, stop)
}

/// Explains a model that consists of trees, for example one whose predictions are their margins. `input.features` are
/// the columns that the trees expect, in their order; results are in the units of the margins of one output, times the
/// scale. Nothing is learned, so no rows are held back. Beyond `max_features`, the features with the smallest
/// contributions are summed as "other features".
///
/// # Errors
/// [`Skip::NotEnoughRows`] for fewer than 50 usable rows, [`Skip::NoFeatures`] if no margin varies, [`Skip::Timeout`]
/// if `stop` returns true; otherwise [`ImportanceError::Input`].
pub fn explain_trees(
    trees: &Ensemble,
    output: usize,
    input: &Predictions<'_>,
    options: &Options,
    stop: Stop<'_>,
) -> Result<Explanation, ImportanceError> {
    let seed = |stream: u64| random::bits(options.seed, stream);
    let usable = input.usable(options)?;
    if output >= trees.outputs {
        return Err(ImportanceError::Input(format!("output {output} of {}", trees.outputs)));
    }
    let rows = sample_evenly(&usable, options.max_rows, seed(ROWS));
    let columns = Columns::of_model(input.features, &rows, &trees.features)?;
    let all: Vec<usize> = (0..rows.len()).collect();
    let judged = sample_evenly(&all, PERMUTED_ROWS, seed(PERMUTED));
    let judge = Judge::of_own_predictions(trees, output, columns.select(&judged))?;
    if judge.target.iter().all(|margin| *margin == judge.target[0]) {
        return Err(Skip::NoFeatures.into());
    }
    let model = Model { trees, output, offset: 0.0, factor: 1.0 };
    let found = Found { columns: &columns, rows: &rows, model, judges: &[judge] };
    found.tell(input, options, None, Vec::new(), stop)
}

/// Trees, the rows on which they are explained, and the judges of permutations.
struct Found<'a> {
    columns: &'a Columns,
    /// In the caller's numbering.
    rows: &'a [usize],
    model: Model<'a>,
    judges: &'a [Judge<'a>],
}

impl Found<'_> {
    fn tell(
        &self,
        input: &Predictions<'_>,
        options: &Options,
        fidelity: Option<Fidelity>,
        mut left_out: Vec<LeftOut>,
        stop: Stop<'_>,
    ) -> Result<Explanation, ImportanceError> {
        if stop() {
            return Err(Skip::Timeout.into());
        }
        let all: Vec<usize> = (0..self.rows.len()).collect();
        let places = sample_evenly(&all, options.shap_sample_size, random::bits(options.seed, EXPLAINED));
        let rows: Vec<usize> = places.iter().map(|&place| self.rows[place]).collect();
        let scale: Vec<f64> = rows.iter().map(|&row| input.scale_of(row)).collect();
        let contributions = Contributions::of(self.model, self.columns, &places, &scale)?;
        let scaled = |values: &[f64]| -> Vec<f64> {
            rows.iter().zip(&scale).map(|(&row, scale)| values[row] * scale).collect()
        };
        let told = draw(&scaled(input.predictions), input.actuals.map(scaled).as_deref());
        let is_low = fidelity.as_ref().is_some_and(|fidelity| fidelity.label == FidelityLabel::Low);
        let material = Material {
            input,
            options,
            contributions: &contributions,
            rows: &rows,
            told: &told,
            has_rows: !is_low,
        };
        let view = |units: Vec<Unit>| -> Result<View, ImportanceError> {
            let drops = permutation_drops(
                self.judges,
                &self.concerned(&units),
                random::bits(options.seed, PERMUTED),
                stop,
            )?;
            Ok(View::of(&material, units, drops))
        };
        let units = single(input.features, &contributions, options.max_features);
        let summed = units.iter().filter(|unit| unit.columns.len() > 1).flat_map(|unit| &unit.columns);
        left_out.extend(summed.map(|&at| LeftOut {
            feature: input.features.columns()[at].name.clone(),
            reason: Reason::Summed,
        }));
        let groups = match input.feature_groups {
            Some(groups) => Some(view(grouped(groups, &contributions))?),
            None => None,
        };
        Ok(Explanation {
            method: if fidelity.is_some() { Method::SurrogateTreeShap } else { Method::ExactTreeShap },
            features: view(units)?,
            groups,
            warnings: warnings(fidelity.as_ref(), &left_out),
            fidelity,
            max_additivity_error: contributions.max_additivity_error,
            left_out,
            rows: self.rows.len(),
            explained_rows: rows.len(),
        })
    }

    /// The tree columns of each unit.
    fn concerned(&self, units: &[Unit]) -> Vec<Vec<usize>> {
        let of = |unit: &Unit| {
            let is_part =
                |at: &usize| self.columns.sources[*at].iter().any(|source| unit.columns.contains(source));
            (0..self.columns.sources.len()).filter(is_part).collect()
        };
        units.iter().map(of).collect()
    }
}

fn warnings(fidelity: Option<&Fidelity>, left_out: &[LeftOut]) -> Vec<String> {
    let mut sentences = Vec::new();
    if let Some(fidelity) = fidelity.filter(|fidelity| fidelity.label == FidelityLabel::Low) {
        sentences.push(format!(
            "The explained surrogate reproduces only {:.0} % of the variance of the predictions on held-back rows: \
             importance is given, values of single rows are not.",
            100.0 * fidelity.r2
        ));
    }
    let count = |reason: Reason| left_out.iter().filter(|left_out| left_out.reason == reason).count();
    if count(Reason::LessInformative) > 0 {
        sentences.push(format!(
            "{} less informative features were left out of the explanation.",
            count(Reason::LessInformative)
        ));
    }
    if count(Reason::Summed) > 0 {
        sentences
            .push(format!("{} features are shown together as \"other features\".", count(Reason::Summed)));
    }
    sentences
}
