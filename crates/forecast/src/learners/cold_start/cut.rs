//! A long series that is cut to a few observations before a window.

use super::composite::{Composite, composite, level};
use super::donors::{Before, Donors};
use super::trees::trees;
use crate::history::History;
use crate::learners::global::GlobalPanel;
use crate::learners::pooled::PooledPanel;
use crate::run::plan::Plan;
use crate::run::series_forecast::{Known, forecast_series};
use crate::run::timers::Timers;

/// What is said about the cut series, and what happened.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// What its own models say.
    pub(super) own: Vec<f64>,
    /// What the models of all series say; none where they do not take so few values, or know what happened.
    pub(super) trees: Option<Vec<f64>>,
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
        known: &Known<'_>,
    ) -> Option<Self> {
        let Before { donor, length: end, actual, is_held_back, .. } = &window[place];
        let whole = &donors.histories[*donor];
        let values = &whole.values[end.checked_sub(length)?..*end];
        let unit = level(values, 1.0);
        if !(unit > 0.0 && unit.is_finite()) {
            return None;
        }
        let say = |&rule| composite(values, donors.views_before(window, *donor), rule);
        let composites: Vec<Option<Composite>> = donors.rules.iter().map(say).collect();
        if composites.iter().all(Option::is_none) {
            return None;
        }
        let plan = Plan { horizon: actual.len(), ..known.plan.clone() };
        let model = known.global.before_windows().filter(|_| *is_held_back);
        let trees =
            model.and_then(|model| trees(model, &whole.before(*end, plan.horizon).recent(length), &plan));
        let history = History { values: values.to_vec(), ..History::default() };
        // Models of all series know the window.
        let known = Known {
            plan: &plan,
            combinations: known.combinations,
            pooled: &PooledPanel::default(),
            global: &GlobalPanel::default(),
        };
        let own = forecast_series(&history, None, &known, &Timers::default()).mean;
        (own.len() == actual.len()).then(|| Self { own, trees, composites, actual: actual.clone(), unit })
    }
}
