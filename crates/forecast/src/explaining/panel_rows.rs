//! The rows of the dataset that correlations and regressions use.

use tabcast_calendar::Micros;
use tabcast_explain::{Feature, Features, LARGEST, SeriesRows, Values};
use tabcast_table::CovariateValues;

use super::Subject;
use super::names::told_apart;
use crate::covariates::engineered::{Recipe, write_calendar};

/// The last rows with a target of the largest series.
pub(crate) struct PanelRows {
    pub(crate) features: Features,
    pub(crate) target: Vec<f64>,
    pub(crate) series: SeriesRows,
    /// Index in the panel of each series, in the order of `series`.
    pub(crate) items: Vec<usize>,
    pub(crate) stamps: Vec<Micros>,
    /// Series that are left out because their values are too large.
    pub(crate) beyond: usize,
    /// Features that did not fit.
    pub(crate) left_out: Vec<String>,
}

impl PanelRows {
    /// At most `max_rows` rows, from as many series as can have at least `least` rows each. The features are the
    /// covariates; calendar and past values are added if there are none or engineered features were requested. Only the
    /// first `max_features` are used.
    pub(crate) fn of(subject: &Subject<'_>, max_rows: usize, max_features: usize, least: usize) -> Self {
        let Subject { dataset, kept, forecaster, .. } = *subject;
        let panel = &dataset.panel;
        let plan = forecaster.plan();
        let sums = dataset.series() - panel.len();
        let is_beyond = |item: &usize| panel.series(*item).1.iter().any(|target| target.abs() > LARGEST);
        let (beyond, mut items): (Vec<usize>, Vec<usize>) =
            kept.judged.iter().map(|index| index - sums).partition(is_beyond);
        items.truncate((max_rows / least).max(1));
        let each = max_rows / items.len().max(1);

        let mut rows: Vec<usize> = Vec::new();
        let mut ends = Vec::with_capacity(items.len());
        for &item in &items {
            let (first, end) = (panel.offsets[item], panel.offsets[item + 1]);
            let observed = (first..end).rev().filter(|&row| !panel.targets[row].is_nan());
            let begin = rows.len();
            rows.extend(observed.take(each));
            rows[begin..].reverse();
            ends.push(rows.len());
        }
        let series = SeriesRows::new(ends).expect("ends ascend");

        let mut columns: Vec<Feature> = Vec::new();
        for covariate in &panel.covariates {
            let values = match &covariate.values {
                CovariateValues::Numbers(numbers) => {
                    Values::Numbers(rows.iter().map(|&row| numbers[row]).collect())
                }
                CovariateValues::Categories { codes, names } => Values::Levels {
                    codes: rows.iter().map(|&row| codes[row]).collect(),
                    names: names.clone(),
                },
                CovariateValues::Unusable { .. } => continue,
            };
            columns.push(Feature { name: covariate.name.clone(), values });
        }
        let is_wanted = columns.is_empty() || plan.recipe.is_some();
        let engineered = if is_wanted { engineered(subject, &rows, &series) } else { Vec::new() };
        let taken: Vec<String> = engineered.iter().map(|column| column.name.clone()).collect();
        let names = told_apart(&taken, columns.iter().map(|column| column.name.as_str()));
        for (column, name) in columns.iter_mut().zip(names) {
            column.name = name;
        }
        columns.extend(engineered);
        let left_out = columns.split_off(columns.len().min(max_features));
        Self {
            features: Features::new(rows.len(), columns).expect("a cell a row"),
            target: rows.iter().map(|&row| panel.targets[row]).collect(),
            stamps: rows.iter().map(|&row| panel.timestamps[row]).collect(),
            beyond: beyond.len(),
            left_out: left_out.into_iter().map(|column| column.name).collect(),
            series,
            items,
        }
    }
}

/// The calendar, the previous value and the value one season before, for rows of the series.
fn engineered(subject: &Subject<'_>, rows: &[usize], series: &SeriesRows) -> Vec<Feature> {
    let (panel, plan) = (&subject.dataset.panel, subject.forecaster.plan());
    let recipe = Recipe { time: true, ..Recipe::default() };
    let width = recipe.calendar_width(plan.frequency);
    let mut calendar = vec![Vec::with_capacity(rows.len()); width];
    let mut cells = vec![0.0; width];
    for &row in rows {
        write_calendar(&recipe, plan.frequency, panel.timestamps[row], &mut cells);
        for (column, cell) in calendar.iter_mut().zip(&cells) {
            column.push(*cell);
        }
    }
    let mut lags = vec![1];
    if plan.season > 1 {
        lags.push(plan.season);
    }
    let before = |lag: usize| -> Vec<f64> {
        let mut values = Vec::with_capacity(rows.len());
        for range in series.ranges() {
            for place in range.clone() {
                let earlier = place.checked_sub(lag).filter(|earlier| *earlier >= range.start);
                values.push(earlier.map_or(f64::NAN, |earlier| panel.targets[rows[earlier]]));
            }
        }
        values
    };
    let named = recipe.names(plan.frequency).into_iter().zip(calendar);
    let past = lags.into_iter().map(|lag| (format!("lag_{lag}"), before(lag)));
    named.chain(past).map(|(name, values)| Feature { name, values: Values::Numbers(values) }).collect()
}
