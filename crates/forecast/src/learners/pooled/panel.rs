//! The networks of a panel by class, and their training series.

use serde::{Deserialize, Serialize};

use super::{NAME, PooledNetworks, REMEMBERED};
use crate::backtest::window_bounds;
use crate::history::History;
use crate::history::class::Class;
use crate::run::plan::Plan;

/// The end of a history, to train a network on.
pub(crate) struct TrainingSeries {
    class: Class,
    values: Vec<f64>,
    /// Number of values before all held-back windows; 0 if nothing is held back.
    before_windows: usize,
}

impl TrainingSeries {
    /// None if the history is unsuitable: with covariates its future may depend on them, and a network does not see
    /// them.
    pub(crate) fn of(history: History, plan: &Plan) -> Option<Self> {
        let recent = history.values.len().saturating_sub(plan.max_history());
        let class = Class::of(&history.values[recent..], plan.season, &plan.periods);
        if !history.regressors.is_empty() || !plan.preset.members(class).contains(&NAME) {
            return None;
        }
        let mut values = history.values;
        let start = window_bounds(values.len(), plan).last().map_or(0, |window| window.start);
        let forgotten = if start > 0 { start } else { values.len() }.saturating_sub(REMEMBERED);
        values.drain(..forgotten);
        Some(Self { class, values, before_windows: start.saturating_sub(forgotten) })
    }
}

/// Networks without the held-back windows, and the same networks with all values.
#[derive(Debug, Serialize, Deserialize)]
struct Pair {
    before_windows: PooledNetworks,
    whole: PooledNetworks,
}

/// The networks of each class; none if the preset has no such member or there is too little to learn from.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct PooledPanel {
    classes: Vec<Option<Pair>>,
}

impl PooledPanel {
    /// Trains on the training series in their order. A class whose networks `stop` interrupts has none, because a
    /// member without a backtest must not forecast.
    pub(crate) fn learn(
        training_series: &[TrainingSeries],
        plan: &Plan,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Self {
        let pair_of = |class: Class| -> Option<Pair> {
            let of_class = || training_series.iter().filter(|series| series.class == class);
            let season = if class.is_seasonal() { plan.season.max(1) } else { 1 };
            let learn =
                |histories: Vec<&[f64]>| PooledNetworks::learn(&histories, season, plan.horizon, stop);
            let (before_windows, whole) = rayon::join(
                || learn(of_class().map(|series| &series.values[..series.before_windows]).collect()),
                || learn(of_class().map(|series| series.values.as_slice()).collect()),
            );
            Some(Pair { before_windows: before_windows?, whole: whole? })
        };
        Self { classes: Class::ALL.into_iter().map(pair_of).collect() }
    }

    fn pair(&self, class: Class) -> Option<&Pair> {
        self.classes.get(class as usize)?.as_ref()
    }

    /// The networks that have not seen the held-back windows.
    pub(crate) fn before_windows(&self, class: Class) -> Option<&PooledNetworks> {
        self.pair(class).map(|pair| &pair.before_windows)
    }

    /// The networks trained on everything.
    pub(crate) fn whole(&self, class: Class) -> Option<&PooledNetworks> {
        self.pair(class).map(|pair| &pair.whole)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tabcast_calendar::Frequency;

    use super::*;
    use crate::Preset;

    fn plan() -> Plan {
        Plan {
            frequency: Frequency::parse("QS").expect("a frequency"),
            preset: Preset::Best,
            horizon: 6,
            season: 4,
            periods: vec![4],
            history: 5_000,
            global_member: false,
            windows: 3,
            levels: Vec::new(),
            requested: Vec::new(),
            band: (0, 0),
            recipe: None,
            cancel: Arc::default(),
            deadline: None,
        }
    }

    /// Wavy series whose last `changed` values deviate strongly.
    fn training_series(plan: &Plan, changed: usize) -> Vec<TrainingSeries> {
        (0..60)
            .map(|series| {
                let mut values: Vec<f64> = (0..44)
                    .map(|t| 20.0 + f64::from((t * (series + 3) + t * t) % 17) + f64::from(series))
                    .collect();
                for value in &mut values[44 - changed..] {
                    *value += 40.0;
                }
                TrainingSeries::of(History { values, ..History::default() }, plan).expect("training series")
            })
            .collect()
    }

    #[test]
    fn networks_for_the_windows_know_nothing_of_them() {
        let plan = plan();
        let first = window_bounds(44, &plan).last().expect("windows").start;
        let asked: Vec<f64> = (0..30).map(|t| f64::from(t * 7 % 5)).collect();
        let say = |changed: usize| {
            let panel = PooledPanel::learn(&training_series(&plan, changed), &plan, &|| false);
            let of = |networks: Option<&PooledNetworks>| networks.expect("networks").forecast(&asked, 6);
            (of(panel.before_windows(Class::ShortSeason)), of(panel.whole(Class::ShortSeason)))
        };
        let (before, whole) = say(0);
        let (before_changed, whole_changed) = say(44 - first);
        assert_eq!(before, before_changed);
        assert_ne!(whole, whole_changed);
    }

    #[test]
    fn covariates_and_other_presets_give_no_series() {
        let plan = plan();
        let values: Vec<f64> = (0..44).map(|t| f64::from(t * 7 % 5)).collect();
        let explained =
            History { values: values.clone(), regressors: vec![vec![0.0; 50]], ..History::default() };
        assert!(TrainingSeries::of(explained, &plan).is_none());
        let plain = History { values, ..History::default() };
        assert!(TrainingSeries::of(plain, &plan.with_preset(Preset::Fast)).is_none());
    }
}
