//! A long series that is cut to a few observations before a window.

use super::composite::{Composite, Rule, composite, level, rules};
use super::donors::{Before, Donors};
use crate::evidence::Evidence;
use crate::global::GlobalPanel;
use crate::history::History;
use crate::outlook::{Known, forecast_series};
use crate::plan::Plan;
use crate::pooled::PooledPanel;
use crate::timers::Timers;

/// What is said about the cut series, and what happened.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// What its own models say.
    pub(super) own: Vec<f64>,
    /// What the donors say, by the rules in their order.
    pub(super) composites: Vec<Option<Composite>>,
    pub(super) actual: Vec<f64>,
    /// Mean of the known values: the unit of errors.
    pub(super) unit: f64,
}

impl Cut {
    /// None where there is nothing to learn: too short, or nothing but zeros.
    pub(super) fn new(
        donors: &Donors,
        window: &[Before],
        place: usize,
        length: usize,
        plan: &Plan,
        evidence: &Evidence,
    ) -> Option<Self> {
        let Before { donor, length: end, actual, .. } = &window[place];
        let known = &donors.values[*donor][end.checked_sub(length)?..*end];
        let unit = level(known, 1.0);
        if !(unit > 0.0 && unit.is_finite()) {
            return None;
        }
        let composites: Vec<Option<Composite>> =
            rules().map(|rule: Rule| composite(known, donors.views_before(window, *donor), rule)).collect();
        if composites.iter().all(Option::is_none) {
            return None;
        }
        let plan = Plan { horizon: actual.len(), ..plan.clone() };
        let history = History { values: known.to_vec(), ..History::default() };
        // Models of all series know the window.
        let known =
            Known { plan: &plan, evidence, pooled: &PooledPanel::default(), global: &GlobalPanel::default() };
        let own = forecast_series(&history, None, &known, &Timers::default()).mean;
        (own.len() == actual.len()).then(|| Self { own, composites, actual: actual.clone(), unit })
    }
}
