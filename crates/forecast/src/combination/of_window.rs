//! The combined forecast of a backtest window.

use std::ops::Range;

use crate::backtest::{Backtest, Window};
use crate::combination::blend_weights::BlendWeights;
use crate::combination::combinations::{ClassCombination, Combinations};
use crate::combination::combined_forecast::CombinedForecast;
use crate::combination::prior::prior_weights;
use crate::combination::weighted_forecast::WeightedForecast;
use crate::combination::weights::Weights;
use crate::history::class::Class;
use crate::run::plan::Plan;

impl Window {
    /// The member weights for this window.
    pub(crate) fn weights(&self, class: Class, plan: &Plan, learned: &Weights) -> Vec<f64> {
        learned.of(&prior_weights(class, plan.preset.members(class), &self.features))
    }

    /// The forecasts of the members that have a weight in this window.
    pub(crate) fn weighted_forecasts(&self, weights: &[f64]) -> Vec<WeightedForecast<'_>> {
        let members = self.members.iter().zip(weights).filter(|(_, weight)| **weight > 0.0);
        members
            .filter_map(|(member, &weight)| {
                member.as_ref().map(|forecast| WeightedForecast { forecast, weight })
            })
            .collect()
    }

    /// The combined forecast of all members for this window.
    pub(crate) fn combined_forecast<'a>(
        &'a self,
        weights: &[f64],
        blend: &'a BlendWeights,
    ) -> CombinedForecast<'a> {
        CombinedForecast::new(self.weighted_forecasts(weights), &self.blended, blend)
    }
}

impl Backtest {
    /// The combined mean for a stretch, if the stretch is one of the windows and a member with a weight applied.
    pub(crate) fn mean(
        &self,
        held_back: &Range<usize>,
        plan: &Plan,
        combinations: &Combinations,
    ) -> Option<Vec<f64>> {
        let window = self.windows.iter().find(|window| window.held_back == *held_back)?;
        let ClassCombination { weights, blend, .. } = combinations.of(self.class);
        let combined = window.combined_forecast(&window.weights(self.class, plan, weights), blend);
        let mut scratch = Vec::new();
        let mut means =
            || held_back.clone().enumerate().map(|(step, _)| combined.mean(step, &mut scratch)).collect();
        (!combined.is_empty()).then(&mut means)
    }
}
