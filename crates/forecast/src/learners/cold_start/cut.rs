//! A long series, cut to its last few observations before a window.

use super::composite::{Composite, composite, level};
use super::donors::{Before, Donors};
use super::trees::trees;
use crate::history::History;
use crate::learners::global::GlobalPanel;
use crate::learners::pooled::PooledPanel;
use crate::run::plan::Plan;
use crate::run::series_forecast::{Known, forecast_series};
use crate::run::timers::Timers;

/// The forecasts of the cut series and the actual values.
#[derive(Clone, Debug)]
pub(super) struct Cut {
    /// Forecast of its own models.
    pub(super) own: Vec<f64>,
    /// Forecast of the global models; none if they need more values or have seen the window.
    pub(super) trees: Option<Vec<f64>>,
    /// Forecasts of the donors, by rule.
    pub(super) composites: Vec<Option<Composite>>,
    pub(super) actual: Vec<f64>,
    /// Mean of the known values, the unit of errors.
    pub(super) unit: f64,
}

impl Cut {
    /// None if there is nothing to learn: the series is too short, or all zeros.
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
        // Global models that have seen the window would cheat.
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
