//! Importance and Shapley values in the form of the document.

use tabcast_explain::Features;
use tabcast_explain::importance::{self, Direction, Explanation, ShapleyValues, Told, View};

use crate::cells::Cells;
use crate::document::{
    Cell, Contribution, DetailedRow, FeatureImportance, Fidelity, Importance, Shap, ShapPoints, ShapSummary,
};

/// Maximum number of points of a feature in a plot.
const MOST_POINTS: usize = 512;

/// The importance of the features.
pub(crate) fn importance_of(explanation: &Explanation) -> Importance {
    let Explanation { method, features, groups, fidelity, left_out, .. } = explanation;
    Importance {
        method: method.name(),
        rows: explanation.rows,
        explained_rows: explanation.explained_rows,
        max_additivity_error: explanation.max_additivity_error,
        fidelity: fidelity.as_ref().map(|fidelity| Fidelity {
            r2: fidelity.r2,
            label: fidelity.label.name(),
            nrmse: fidelity.nrmse,
            series_above: fidelity.reproduced_series,
            accuracy_r2: fidelity.accuracy.map(|accuracy| accuracy.surrogate),
        }),
        left_out: left_out.iter().map(|left_out| left_out.feature.clone()).collect(),
        features: shares(features),
        groups: groups.as_ref().map(shares).unwrap_or_default(),
    }
}

/// Shapley values of single rows of these features, which `name` names by their index in the input; none if the
/// surrogate is not good enough for single rows.
pub(crate) fn shap_of<N>(
    explanation: &Explanation,
    features: &Features,
    name: impl Fn(usize) -> N,
) -> Option<Shap<N>> {
    let values = explanation.features.shapley.as_ref()?;
    let cells = Cells::new(features);
    let summary = values.features.iter().zip(&values.summary).map(|(feature, summary)| {
        let [p05, p25, p50, p75, p95] = summary.quantiles;
        let (mean_abs, mean, sd) = (summary.mean_abs, summary.mean, summary.sd);
        ShapSummary { feature: feature.clone(), mean_abs, mean, sd, p05, p25, p50, p75, p95 }
    });
    Some(Shap {
        features: values.features.clone(),
        summary: summary.collect(),
        points: (0..values.features.len()).map(|feature| points(values, feature, &cells)).collect(),
        detailed: values
            .detailed
            .iter()
            .map(|row| detailed(row, values, &cells, name(values.rows[row.place])))
            .collect(),
    })
}

fn detailed<N>(
    row: &importance::DetailedRow,
    values: &ShapleyValues,
    cells: &Cells<'_>,
    name: N,
) -> DetailedRow<N> {
    let contribution = |&(feature, shap): &(usize, f64)| {
        let name = &values.features[feature];
        let value = values.feature_values[feature].as_ref().map(|cells| cells[row.place]);
        let value = match cells.levels(name) {
            Some(levels) => {
                value.and_then(|code| Cells::name(levels, code)).map(|name| Cell::Level(name.to_owned()))
            }
            None => value.map(Cell::Number),
        };
        Contribution { feature: name.clone(), value, shap }
    };
    DetailedRow {
        row: name,
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
}

fn shares(view: &View) -> Vec<FeatureImportance> {
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

/// The contributions of a feature in evenly spaced explained rows.
fn points(values: &ShapleyValues, feature: usize, cells: &Cells<'_>) -> ShapPoints {
    let rows = values.rows.len();
    let count = rows.min(MOST_POINTS);
    let places: Vec<usize> = (0..count).map(|place| place * rows / count).collect();
    let is_ordered = cells.levels(&values.features[feature]).is_none();
    let cells = values.feature_values[feature].as_ref().filter(|_| is_ordered);
    let mut ascending: Vec<f64> =
        cells.map(|cells| cells.iter().copied().filter(|cell| !cell.is_nan()).collect()).unwrap_or_default();
    ascending.sort_by(f64::total_cmp);
    // Ties share the middle of their ranks; the lowest value is at 0 and the highest at 1, so that flags use both ends.
    let middle = |cell: f64| {
        let below = ascending.partition_point(|other| *other < cell);
        let upto = ascending.partition_point(|other| *other <= cell);
        (below + upto) as f64 / 2.0
    };
    let position = |place: &usize| {
        let cell = Some(cells?[*place]).filter(|cell| !cell.is_nan())?;
        let (lowest, highest) = (middle(*ascending.first()?), middle(*ascending.last()?));
        (highest > lowest).then(|| (middle(cell) - lowest) / (highest - lowest))
    };
    ShapPoints {
        feature: values.features[feature].clone(),
        values: places.iter().map(|&place| values.values[feature][place]).collect(),
        positions: places.iter().map(position).collect(),
    }
}
