//! Extremely randomised trees.

use tabcast_trees::Rows;
use tabcast_trees::forest::{Aim, Drawn, Forest, ForestParams};

use super::Facts;
use super::boosted::Trees;
use super::output::mean_loss;
use crate::{Fitted, Learner, Lesson, Stop, Target, View};

/// Number of trees in the forest, and in those that choose the leaf size.
const TREES: usize = 100;
const FEW_TREES: usize = 20;
/// Minimum leaf sizes that are tried: the noisier the data, the larger leaves should be.
const MIN_ROWS: [usize; 3] = [1, 4, 12];

/// Extremely randomised trees. Random sets of categories suit classes; statistics suit values.
pub(super) struct ExtraTrees {
    view: View,
}

impl ExtraTrees {
    pub(super) fn new(facts: &Facts) -> Self {
        Self { view: if facts.classes.is_some() { View::Sets } else { View::Statistics } }
    }
}

impl Learner for ExtraTrees {
    fn name(&self) -> &'static str {
        "extra_trees"
    }

    fn view(&self) -> View {
        self.view
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        let columns = lesson.training.borrowed();
        let rows = Rows::new(&columns).ok()?;
        let (aim, params) = match lesson.target {
            Target::Values(values) => (
                Aim::Values(values),
                ForestParams { drawn: Drawn::Share(1.0), seed: lesson.seed, ..ForestParams::default() },
            ),
            Target::Classes { labels, classes } => (
                Aim::Classes { labels, classes: *classes },
                ForestParams {
                    drawn: Drawn::Share(0.5),
                    prior_rows: 0.2,
                    seed: lesson.seed,
                    ..ForestParams::default()
                },
            ),
        };
        let is_binary = matches!(lesson.target, Target::Classes { classes: 2, .. });
        let grow = |min_rows: usize, trees: usize| {
            let params = ForestParams { min_rows, trees, ..params.clone() };
            let trees = Forest::new(params).grow(&lesson.training.features, &rows, aim, Some(stop)).ok()?;
            Some(Trees { trees, is_binary })
        };
        let mut best = (f64::INFINITY, MIN_ROWS[1]);
        for min_rows in MIN_ROWS {
            if lesson.validation.rows == 0 {
                break;
            }
            let few = grow(min_rows, FEW_TREES)?;
            let loss = mean_loss(lesson.validation_target, &few.predict(lesson.validation));
            if loss < best.0 {
                best = (loss, min_rows);
            }
        }
        Some(Box::new(grow(best.1, TREES)?))
    }
}
