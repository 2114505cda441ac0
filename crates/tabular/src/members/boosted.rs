//! Gradient boosting, leaf-wise and oblivious.

use tabcast_trees::boosting::{Booster, CategoryParams, Growth, Labelled, Loss, Params};
use tabcast_trees::{Ensemble, Rows};

use super::Facts;
use super::output::both_classes;
use crate::{Fitted, Learner, Lesson, Matrix, Stop, Target, View};

/// With more classes, one tree per class and round takes too long.
const MOST_CLASSES: usize = 50;
/// Number of rounds without held-back rows to decide when to stop.
const BLIND_ROUNDS: usize = 150;

/// Boosting stops after this many rounds without a gain, in units of the inverse learning rate.
const PATIENCE: f64 = 3.0;

/// A boosting configuration. All treat categories as sets, which was better than statistics on nearly all tables that
/// the settings were chosen on.
pub(super) struct Boosted {
    name: &'static str,
    params: Params,
}

/// With fewer rows per fold, oblivious trees stay shallow.
const FEW_ROWS: usize = 1_500;

impl Boosted {
    /// Oblivious trees.
    pub(super) fn oblivious(facts: &Facts) -> Self {
        let (depth, column_fraction) = if facts.rows < FEW_ROWS { (4, 0.5) } else { (6, 0.8) };
        let params = Params {
            growth: Growth::Oblivious { depth },
            l2: 3.0,
            column_fraction,
            categories: categories(2.0, 2.0, 3),
            ..common(facts)
        };
        Self { name: "oblivious_boosting", params }
    }

    /// Standard leaf-wise trees.
    pub(super) fn leaf_wise(facts: &Facts) -> Self {
        let params = Params { categories: categories(2.0, 2.0, 3), ..common(facts) };
        Self { name: "leaf_wise_boosting", params }
    }

    /// Trees on small samples of columns and rows.
    pub(super) fn few_columns(facts: &Facts) -> Self {
        let params = Params {
            column_fraction: 0.4,
            row_fraction: 0.6,
            min_rows: 5,
            l2: 1.0,
            categories: categories(1.0, 5.0, 1),
            ..common(facts)
        };
        Self { name: "leaf_wise_boosting_few_columns", params }
    }

    /// Many small trees.
    pub(super) fn small_trees(facts: &Facts) -> Self {
        let common = common(facts);
        let params = Params {
            growth: Growth::LeafWise { leaves: 6, depth: None },
            learning_rate: 1.5 * common.learning_rate,
            row_fraction: 0.7,
            min_rows: 5,
            l2: 1.0,
            categories: categories(2.0, 10.0, 3),
            ..common
        };
        Self { name: "leaf_wise_boosting_small_trees", params }
    }
}

/// Sets of categories are searched even if each has few rows: on small tables, this was worth more than caution.
fn categories(smoothing: f64, l2: f64, min_rows: usize) -> CategoryParams {
    CategoryParams { smoothing, l2, min_rows, ..CategoryParams::default() }
}

/// Learning rates and limits by number of rows: small tables profit from small steps, with which large ones would take
/// too long.
fn common(facts: &Facts) -> Params {
    let (learning_rate, most_steps, min_rows, leaves) = match facts.rows {
        0..2_000 => (0.03, 45.0, (facts.rows / 20).clamp(3, 10), 20),
        2_000..8_000 => (0.04, 60.0, 10, 16),
        8_000..20_000 => (0.05, 60.0, 10, 24),
        20_000..100_000 => (0.08, 60.0, 20, 31),
        _ => (0.15, 40.0, 30, 31),
    };
    Params {
        growth: Growth::LeafWise { leaves, depth: None },
        rounds: (most_steps / learning_rate) as usize,
        learning_rate,
        min_rows,
        patience: Some((PATIENCE / learning_rate).round() as usize),
        ..Params::new(Loss::SquaredError)
    }
}

impl Learner for Boosted {
    fn name(&self) -> &'static str {
        self.name
    }

    fn view(&self) -> View {
        View::Sets
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        let loss = match lesson.target {
            Target::Classes { classes, .. } if *classes > MOST_CLASSES => return None,
            Target::Classes { classes: 2, .. } => Loss::Logistic,
            Target::Classes { classes, .. } => Loss::Softmax { classes: *classes },
            Target::Values(_) => Loss::SquaredError,
        };
        let mut params = Params { loss, seed: lesson.seed, ..self.params.clone() };
        let has_validation = !lesson.validation_target.is_empty();
        if !has_validation {
            params.rounds = params.rounds.min(BLIND_ROUNDS);
        }
        let (numbers, others) = (as_numbers(lesson.target), as_numbers(lesson.validation_target));
        let (training, validation) = (lesson.training.borrowed(), lesson.validation.borrowed());
        let (training, validation) = (Rows::new(&training).ok()?, Rows::new(&validation).ok()?);
        let training = Labelled { rows: &training, target: &numbers, weights: None };
        let validation = Labelled { rows: &validation, target: &others, weights: None };
        let trained = Booster::new(params).train(
            &lesson.training.features,
            &training,
            has_validation.then_some(&validation),
            Some(stop),
        );
        let (trees, _) = trained.ok()?;
        Some(Box::new(Trees {
            trees,
            is_binary: matches!(lesson.target, Target::Classes { classes: 2, .. }),
        }))
    }
}

/// Classes or values as numbers for training.
fn as_numbers(target: &Target) -> Vec<f64> {
    match target {
        Target::Classes { labels, .. } => labels.iter().map(|&label| f64::from(label)).collect(),
        Target::Values(values) => values.clone(),
    }
}

/// Trees whose predictions are the member's; for two classes they give the probability of class 1.
pub(super) struct Trees {
    pub(super) trees: Ensemble,
    pub(super) is_binary: bool,
}

impl Fitted for Trees {
    fn predict(&self, rows: &Matrix) -> Vec<f64> {
        let columns = rows.borrowed();
        let mut out = vec![0.0; rows.rows * self.trees.outputs];
        if columns.is_empty() {
            // Without columns the number of rows is unknown, and each tree is a single leaf.
            let mut margins = self.trees.base.clone();
            for tree in &self.trees.trees {
                for (margin, value) in margins[tree.output as usize..].iter_mut().zip(&tree.leaf_values) {
                    *margin += value;
                }
            }
            self.trees.link.apply(&mut margins);
            out = margins.repeat(rows.rows);
        } else {
            let Ok(rows) = Rows::new(&columns) else {
                unreachable!("the columns of a matrix have one length")
            };
            if self.trees.predict(&rows, &mut out).is_err() {
                unreachable!("the encoder gives the columns that it gave for training")
            }
        }
        if self.is_binary { both_classes(&out) } else { out }
    }

    fn trees(&self) -> Option<&Ensemble> {
        Some(&self.trees)
    }
}
