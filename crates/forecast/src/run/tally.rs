use serde::{Deserialize, Serialize};
use tabcast_table::Warning;

use crate::history::History;
use crate::history::class::Class;
use crate::run::series_forecast::SeriesForecast;

/// Counts over all series, for warnings to the sender.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tally {
    /// In the order of [`WARNINGS`].
    counts: [u64; WARNINGS.len()],
    /// Number of series by class, indexed by the class's number.
    classes: [u64; Class::ALL.len()],
}

impl Tally {
    pub(crate) fn add_all(&mut self, forecasts: &[(History, SeriesForecast)]) {
        for (history, series_forecast) in forecasts {
            let more = [
                history.filled,
                history.moved,
                history.trailing,
                usize::from(history.off_grid),
                history.drawn_in,
                history.outliers,
                series_forecast.rejected,
                usize::from(series_forecast.fell_back),
                usize::from(series_forecast.lacks_features),
                usize::from(series_forecast.budget_short),
            ];
            add(&mut self.counts, &more.map(|count| count as u64));
            self.classes[series_forecast.class as usize] += 1;
        }
    }

    /// Adds the counts of another part of the series.
    pub(crate) fn add_part(&mut self, other: &Self) {
        add(&mut self.counts, &other.counts);
        add(&mut self.classes, &other.classes);
    }

    /// Number of series by class, indexed by the class's number.
    pub(crate) fn series_of(&self) -> &[u64] {
        &self.classes
    }

    /// One warning for each count that is not zero, in a fixed order. `added_rows` counts future rows that the sender
    /// did not supply.
    pub(crate) fn warnings(&self, added_rows: u64) -> Vec<Warning> {
        let mut counts = self.counts;
        counts[TRAILING] = counts[TRAILING].saturating_sub(added_rows);
        WARNINGS
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .map(|((code, one, several), count)| {
                let message = if count == 1 { one } else { several };
                Warning { code: code.into(), message: format!("{count} {message}."), count }
            })
            .collect()
    }
}

fn add(counts: &mut [u64], more: &[u64]) {
    for (count, more) in counts.iter_mut().zip(more) {
        *count += more;
    }
}

/// The place of `trailing_nulls` in [`WARNINGS`].
const TRAILING: usize = 2;
/// Code and text of each warning, for one and for several.
const WARNINGS: [(&str, &str, &str); 10] = [
    (
        "gaps_filled",
        "missing step inside series was filled from the same position of the seasons around it, or linearly. If \
            nothing happened then, such as on a day that is closed, send preparation={\"missing\": \"zero\"}",
        "missing steps inside series were filled from the same position of the seasons around them, or \
            linearly. If nothing happened then, such as on days that are closed, send \
            preparation={\"missing\": \"zero\"}",
    ),
    (
        "timestamps_moved",
        "row lay beside the grid of the frequency and was moved to its step, or gave way to a later row there",
        "rows lay beside the grid of the frequency and were moved to their step, or gave way to a later row \
            there",
    ),
    (
        "trailing_nulls",
        "row after the last observation of its series was taken as a future row",
        "rows after the last observation of their series were taken as future rows",
    ),
    (
        "off_grid_series",
        "series does not keep to the frequency; its observations were taken as consecutive steps",
        "series do not keep to the frequency; their observations were taken as consecutive steps",
    ),
    (
        "covariate_drawn_in",
        "future value of a covariate was further from its history than that is wide and was drawn in to that \
            distance",
        "future values of covariates were further from their history than that is wide and were drawn in to \
            that distance",
    ),
    (
        "outliers_left_out",
        "value is far outside of everything else in its series; what is usual at its place was used",
        "values are far outside of everything else in their series; what is usual at their place was used",
    ),
    (
        "models_replaced",
        "forecast of a series by a model was not believable and was left out",
        "forecasts of series by models were not believable and were left out",
    ),
    (
        "fallback_used",
        "series was forecast by a simpler rule because no model of the preset applied",
        "series were forecast by a simpler rule because no model of the preset applied",
    ),
    (
        "features_longer_than_history",
        "series is shorter than a lag, window or growth period of feature_engineering; such features are \
            missing there",
        "series are shorter than a lag, window or growth period of feature_engineering; such features are \
            missing there",
    ),
    (
        "budget_short",
        "series was forecast with the preset fast because the job's time budget ran short",
        "series were forecast with the preset fast because the job's time budget ran short",
    ),
];
