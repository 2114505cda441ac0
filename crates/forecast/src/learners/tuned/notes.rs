//! Warnings about a training, besides its metrics.

use tabcast_table::{Panel, Warning};

use super::model::TunedModel;

/// Warnings about a model that was trained on a panel.
pub(super) fn notes(model: &TunedModel, panel: &Panel, is_cut_short: bool) -> Vec<Warning> {
    let reach = model.recipe.reach();
    let lengths = panel.offsets.windows(2).map(|ends| ends[1] - ends[0]);
    let short = lengths.filter(|&length| length < reach).count() as u64;
    let mut notes = Vec::new();
    if short > 0 {
        notes.push(Warning {
            code: "features_longer_than_history".into(),
            message: format!(
                "{short} series are shorter than a lag, window or growth period of feature_engineering; such features \
                    are missing there."
            ),
            count: short,
        });
    }
    if is_cut_short {
        notes.push(Warning {
            code: "training_cut_short".into(),
            message:
                "Less was learned than the dataset allows because the time budget ran short; the metrics are \
                those of what was learned. Train again with a longer max_runtime_seconds."
                    .to_owned(),
            count: 1,
        });
    }
    if model.heads.learned_nothing() {
        notes.push(Warning {
            code: "nothing_learned".into(),
            message:
                "The series are too few, too short or too even to learn from: the model forecasts their last \
                season, or their last value."
                    .to_owned(),
            count: 1,
        });
    }
    notes
}
