//! Boosts the residuals of a linear model: if the target is nearly a sum of columns, trees alone need many steps to
//! form a slope.

use super::Facts;
use super::boosted::Boosted;
use super::linear::Linear;
use crate::{Fitted, Learner, Lesson, Matrix, Stop, Target, View};

/// Leaf-wise trees on the residuals of the linear member, for values.
pub(super) struct AfterLinear {
    trees: Boosted,
}

impl AfterLinear {
    pub(super) fn new(facts: &Facts) -> Self {
        Self { trees: Boosted::small_trees(facts) }
    }
}

impl Learner for AfterLinear {
    fn name(&self) -> &'static str {
        "linear_then_boosting"
    }

    fn view(&self) -> View {
        View::Dense
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        let linear = Linear.fit(lesson, stop)?;
        let left_over = |target: &Target, rows: &Matrix| {
            let Target::Values(values) = target else { return None };
            let predicted = linear.predict(rows);
            Some(Target::Values(
                values.iter().zip(predicted).map(|(value, predicted)| value - predicted).collect(),
            ))
        };
        let target = left_over(lesson.target, lesson.training)?;
        let validation_target = left_over(lesson.validation_target, lesson.validation)?;
        let residuals = Lesson { target: &target, validation_target: &validation_target, ..*lesson };
        let trees = self.trees.fit(&residuals, stop)?;
        Some(Box::new(Sum { linear, trees }))
    }
}

struct Sum {
    linear: Box<dyn Fitted>,
    trees: Box<dyn Fitted>,
}

impl Fitted for Sum {
    fn predict(&self, rows: &Matrix) -> Vec<f64> {
        let mut out = self.linear.predict(rows);
        out.iter_mut().zip(self.trees.predict(rows)).for_each(|(out, more)| *out += more);
        out
    }
}
