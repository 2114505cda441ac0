//! Importance and Shapley values of the features of a forecast.

use tabcast_explain::importance::{
    Direction, Explanation, ImportanceError, Options, Predictions, ShapleyValues, Told, View,
    explain_predictions,
};

use super::Subject;
use super::analyses::Trouble;
use super::document::{
    Contribution, DetailedRow, FeatureImportance, Fidelity, Importance, Shap, ShapPoints, ShapSummary,
};
use super::forecast_rows::ForecastRows;
use super::grid::iso;
use super::options::ExplainOptions;
use super::share::Share;

/// Points of a feature that a drawing has, at most.
const MOST_POINTS: usize = 512;

/// What the forecast rests on, and the rows that tell.
pub(crate) struct Found {
    pub(crate) rows: ForecastRows,
    pub(crate) explanation: Explanation,
}

impl Found {
    /// Explains a surrogate of the forecast.
    pub(crate) fn of(
        subject: &Subject<'_>,
        options: &ExplainOptions,
        share: &Share<'_>,
    ) -> Result<Self, Trouble> {
        let rows = ForecastRows::of(subject, options.max_rows, share)?;
        let input = Predictions {
            features: &rows.features,
            predictions: &rows.predictions,
            actuals: Some(&rows.actuals),
            scale: Some(&rows.scale),
            series: Some(&rows.series),
            fold_groups: Some(&rows.folds),
            feature_groups: Some(&rows.groups),
        };
        let chosen = Options {
            max_rows: options.max_rows,
            max_features: options.max_features,
            top_k: options.top_k_features,
            shap_sample_size: options.shap_sample_size,
            seed: 0,
        };
        let explanation =
            explain_predictions(&input, &chosen, &|| share.is_over()).map_err(|error| match error {
                ImportanceError::Skipped(skip) => Trouble::Skip(skip.name()),
                ImportanceError::Input(detail) => Trouble::Failed(detail),
            })?;
        Ok(Self { rows, explanation })
    }

    pub(crate) fn warnings(&self) -> &[String] {
        &self.explanation.warnings
    }

    pub(crate) fn importance(&self) -> Importance {
        let Explanation { method, features, groups, fidelity, left_out, .. } = &self.explanation;
        Importance {
            method: method.name(),
            rows: self.explanation.rows,
            explained_rows: self.explanation.explained_rows,
            max_additivity_error: self.explanation.max_additivity_error,
            fidelity: fidelity.as_ref().map(|fidelity| Fidelity {
                r2: fidelity.r2,
                label: fidelity.label.name(),
                nrmse: fidelity.nrmse,
                series_above: fidelity.reproduced_series,
                accuracy_r2: fidelity.accuracy.map(|accuracy| accuracy.surrogate),
            }),
            left_out: left_out.iter().map(|left_out| left_out.feature.clone()).collect(),
            features: importance_of(features),
            groups: groups.as_ref().map(importance_of).unwrap_or_default(),
        }
    }

    /// None where the surrogate is not good enough for single rows.
    pub(crate) fn shap(&self, subject: &Subject<'_>) -> Option<Shap> {
        let values = self.explanation.features.shapley.as_ref()?;
        let summary = values.features.iter().zip(&values.summary).map(|(feature, summary)| {
            let [p05, p25, p50, p75, p95] = summary.quantiles;
            let (mean_abs, mean, sd) = (summary.mean_abs, summary.mean, summary.sd);
            ShapSummary { feature: feature.clone(), mean_abs, mean, sd, p05, p25, p50, p75, p95 }
        });
        Some(Shap {
            features: values.features.clone(),
            summary: summary.collect(),
            points: (0..values.features.len()).map(|feature| points(values, feature)).collect(),
            detailed: self.detailed(values, subject),
        })
    }

    fn detailed(&self, values: &ShapleyValues, subject: &Subject<'_>) -> Vec<DetailedRow> {
        let tell = |row: &tabcast_explain::importance::DetailedRow| {
            let (index, step, stamp) = self.rows.places[values.rows[row.place]];
            let contribution = |&(feature, shap): &(usize, f64)| Contribution {
                feature: values.features[feature].clone(),
                value: values.feature_values[feature].as_ref().map(|cells| cells[row.place]),
                shap,
            };
            DetailedRow {
                item_id: subject.dataset.id(index).to_owned(),
                timestamp: iso(stamp),
                step,
                told: match row.told {
                    Told::Highest => "highest",
                    Told::Lowest => "lowest",
                    Told::LargestError => "largest_error",
                },
                base: values.base[row.place],
                prediction: values.predictions[row.place],
                reproduced: values.reproduced[row.place],
                contributions: row.contributions.iter().map(contribution).collect(),
                others: row.others,
            }
        };
        values.detailed.iter().map(tell).collect()
    }
}

fn importance_of(view: &View) -> Vec<FeatureImportance> {
    view.importance
        .iter()
        .map(|found| FeatureImportance {
            feature: found.feature.clone(),
            importance: found.importance,
            share: found.share,
            rank: found.rank,
            direction: found.direction.map(|direction| match direction {
                Direction::Rising => "rising",
                Direction::Falling => "falling",
            }),
            permutation_drop: found.permutation_drop,
            permutation_sd: found.permutation_sd,
        })
        .collect()
}

/// The contributions of a feature in rows that are spread evenly over those explained.
fn points(values: &ShapleyValues, feature: usize) -> ShapPoints {
    let rows = values.rows.len();
    let count = rows.min(MOST_POINTS);
    let places: Vec<usize> = (0..count).map(|place| place * rows / count).collect();
    let cells = values.feature_values[feature].as_ref();
    let mut ascending: Vec<f64> =
        cells.map(|cells| cells.iter().copied().filter(|cell| !cell.is_nan()).collect()).unwrap_or_default();
    ascending.sort_by(f64::total_cmp);
    // Equal values share the middle of their ranks.
    let position = |place: &usize| {
        let cell = cells?[*place];
        if cell.is_nan() || ascending.len() < 2 {
            return None;
        }
        let below = ascending.partition_point(|other| *other < cell);
        let upto = ascending.partition_point(|other| *other <= cell);
        Some((below + upto - 1) as f64 / 2.0 / (ascending.len() - 1) as f64)
    };
    ShapPoints {
        feature: values.features[feature].clone(),
        values: places.iter().map(|&place| values.values[feature][place]).collect(),
        positions: places.iter().map(position).collect(),
    }
}
