//! Boosts the logarithms of skewed positive values: it learns factors, and large values do not dominate the others.

use tabcast_trees::Link;

use super::Facts;
use super::boosted::{Boosted, Trees};
use super::output::is_skewed;
use crate::{Fitted, Learner, Lesson, Stop, Target, View};

/// Leaf-wise trees on logarithms, for values.
pub(super) struct Logarithms {
    trees: Boosted,
}

impl Logarithms {
    pub(super) fn new(facts: &Facts) -> Self {
        Self { trees: Boosted::leaf_wise(facts) }
    }
}

impl Learner for Logarithms {
    fn name(&self) -> &'static str {
        "boosting_of_logarithms"
    }

    fn view(&self) -> View {
        self.trees.view()
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        let Target::Values(values) = lesson.target else { return None };
        if !is_skewed(values) {
            return None;
        }
        let logarithms = |target: &Target| match target {
            Target::Values(values) if values.iter().all(|value| *value > 0.0) => {
                Some(Target::Values(values.iter().map(|value| value.ln()).collect()))
            }
            _ => None,
        };
        let (target, validation_target) = (logarithms(lesson.target)?, logarithms(lesson.validation_target)?);
        let lesson = Lesson { target: &target, validation_target: &validation_target, ..*lesson };
        let fitted = self.trees.fit(&lesson, stop)?;
        let mut trees = fitted.trees()?.clone();
        trees.link = Link::Exponential;
        // The exponential of a mean is less than the mean of exponentials (Duan, Smearing estimate, 1983).
        let mut model = Trees { trees, is_binary: false };
        let predicted: f64 = model.predict(lesson.training).iter().sum();
        model.trees.base[0] += (values.iter().sum::<f64>() / predicted).ln();
        model.trees.base[0].is_finite().then(|| Box::new(model) as Box<dyn Fitted>)
    }
}
