//! Covariates of the file as numeric columns, one value per step of a series and of its horizon.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use tabcast_calendar::Frequency;
use tabcast_table::{
    CovariateValues, FutureValues, MISSING_CATEGORY, Panel, Warning, future_values, shorten,
};

use crate::Failure;
use crate::history::History;

/// Maximum number of categories with a column of their own. The rest, with the most frequent one, are the reference.
const MOST_CATEGORIES: usize = 12;

/// Maximum number of columns of all covariates together: the work of a fit grows with its square.
const MOST_COLUMNS: usize = 30;

/// The covariate behind one numeric column.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
enum Source {
    Number {
        covariate: usize,
    },
    /// 1 where the covariate has this category, 0 elsewhere.
    Category {
        covariate: usize,
        code: u32,
    },
}

/// A numeric column, identified by names that outlive a panel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamedColumn {
    pub(crate) covariate: String,
    /// The category that the column flags with 1; none for the covariate's own number.
    pub(crate) category: Option<String>,
}

/// The numeric columns that the covariates of a panel give.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Encoding {
    sources: Vec<Source>,
    /// Whether each column is a count.
    counts: Vec<bool>,
}

impl Encoding {
    /// Encodes the covariates that are known for the whole horizon, which begins `late` steps after the end of a
    /// series; warns about the others.
    ///
    /// # Errors
    ///
    /// The content error of a covariate that is known for only a part of the horizon.
    pub(crate) fn of(
        panel: &Panel,
        frequency: Frequency,
        horizon: usize,
        late: impl Fn(usize) -> usize,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, Failure> {
        let mut encoding = Self::default();
        if panel.covariates.is_empty() {
            return Ok(encoding);
        }
        let future = future_values(panel, frequency, horizon, late).map_err(Failure::Content)?;
        for (index, (covariate, future)) in panel.covariates.iter().zip(future).enumerate() {
            match (&covariate.values, future) {
                // The reader has already warned.
                (CovariateValues::Unusable { .. }, _) => {}
                (_, FutureValues::None) => warnings.push(Warning {
                    code: "past_only_covariate".into(),
                    message: format!(
                        "The covariate '{}' has no values after the last target, so it is not used: these models need \
                            to know it for the steps that are forecast.",
                        shorten(&covariate.name)
                    ),
                    count: 1,
                }),
                (values, FutureValues::Complete) => encoding.add(index, values),
            }
        }
        encoding.limit(warnings);
        encoding.counts = encoding.sources.iter().map(|source| source.is_count(panel)).collect();
        Ok(encoding)
    }

    /// Encodes all covariates, for models that learn from the past alone.
    pub(crate) fn of_past(panel: &Panel, warnings: &mut Vec<Warning>) -> Self {
        let mut encoding = Self::default();
        for (index, covariate) in panel.covariates.iter().enumerate() {
            encoding.add(index, &covariate.values);
        }
        encoding.limit(warnings);
        encoding.counts = encoding.sources.iter().map(|source| source.is_count(panel)).collect();
        encoding
    }

    /// The columns, identified by name.
    pub(crate) fn names(&self, panel: &Panel) -> Vec<NamedColumn> {
        let named = |source: &Source| match *source {
            Source::Number { covariate } => {
                NamedColumn { covariate: panel.covariates[covariate].name.clone(), category: None }
            }
            Source::Category { covariate, code } => NamedColumn {
                covariate: panel.covariates[covariate].name.clone(),
                category: match &panel.covariates[covariate].values {
                    CovariateValues::Categories { names, .. } => names.get(code as usize).cloned(),
                    _ => None,
                },
            },
        };
        self.sources.iter().map(named).collect()
    }

    /// The same columns in another panel, whose covariates must be known for the whole horizon. A category that the
    /// panel lacks is 0 everywhere.
    ///
    /// # Errors
    ///
    /// The name of a covariate that is missing, has another type, or is not known for the horizon; the content error of
    /// one that is known for only a part of it.
    pub(crate) fn named(
        columns: &[NamedColumn],
        panel: &Panel,
        frequency: Frequency,
        horizon: usize,
        late: impl Fn(usize) -> usize,
    ) -> Result<Result<Self, String>, Failure> {
        if columns.is_empty() {
            return Ok(Ok(Self::default()));
        }
        let future = future_values(panel, frequency, horizon, late).map_err(Failure::Content)?;
        let find = |column: &NamedColumn| {
            let index = panel.covariates.iter().position(|covariate| covariate.name == column.covariate)?;
            match (&panel.covariates[index].values, &column.category, future[index]) {
                (_, _, FutureValues::None) => None,
                (CovariateValues::Numbers(_), None, _) => Some(Source::Number { covariate: index }),
                (CovariateValues::Categories { names, .. }, Some(category), _) => {
                    let code = names.iter().position(|name| name == category).unwrap_or(names.len());
                    Some(Source::Category { covariate: index, code: code as u32 })
                }
                _ => None,
            }
        };
        let found: Result<Vec<Source>, String> =
            columns.iter().map(|column| find(column).ok_or_else(|| column.covariate.clone())).collect();
        Ok(found.map(|sources| {
            let counts = sources.iter().map(|source| source.is_count(panel)).collect();
            Self { sources, counts }
        }))
    }

    fn add(&mut self, index: usize, values: &CovariateValues) {
        match values {
            // The reader has already warned.
            CovariateValues::Unusable { .. } => {}
            CovariateValues::Numbers(_) => self.sources.push(Source::Number { covariate: index }),
            CovariateValues::Categories { codes, names } => {
                let own = frequent_codes(codes, names.len());
                self.sources.extend(own.map(|code| Source::Category { covariate: index, code }));
            }
        }
    }

    /// Whether each column is a count, which may be added up over series.
    pub(crate) fn counts(&self) -> &[bool] {
        &self.counts
    }

    /// Keeps numeric columns first, then the most frequent category of each covariate, then the second, and so on.
    fn limit(&mut self, warnings: &mut Vec<Warning>) {
        let given = self.sources.len();
        if given <= MOST_COLUMNS {
            return;
        }
        let mut seen: Vec<usize> = Vec::new();
        let mut ranked: Vec<(usize, usize)> = Vec::with_capacity(given);
        for (place, source) in self.sources.iter().enumerate() {
            let rank = match *source {
                Source::Number { .. } => 0,
                Source::Category { covariate, .. } => {
                    seen.resize(seen.len().max(covariate + 1), 0);
                    seen[covariate] += 1;
                    seen[covariate]
                }
            };
            ranked.push((rank, place));
        }
        ranked.sort_unstable();
        let mut kept: Vec<usize> = ranked[..MOST_COLUMNS].iter().map(|&(_, place)| place).collect();
        kept.sort_unstable();
        self.sources = kept.into_iter().map(|place| self.sources[place]).collect();
        warnings.push(Warning {
            code: "covariates_limited".into(),
            message: format!(
                "The covariates give {given} columns of numbers, where a category counts as one; {MOST_COLUMNS} are \
                    used: numbers in their order, then the most frequent categories of each covariate."
            ),
            count: (given - MOST_COLUMNS) as u64,
        });
    }

    /// The columns of series `index`: a value for each step of `history`, then for each step of the horizon. Empty when
    /// there are none, or when the series does not keep to the grid. Also returns how many future values were clamped.
    /// A step without a row or with an empty cell repeats the value before it; the first steps take the first value.
    pub(crate) fn columns(
        &self,
        panel: &Panel,
        index: usize,
        history: &History,
        frequency: Frequency,
        horizon: usize,
    ) -> (Vec<Vec<f64>>, usize) {
        if self.sources.is_empty() || history.off_grid {
            return (Vec::new(), 0);
        }
        let mut drawn_in = 0;
        let length = history.values.len() + horizon;
        let first = history.steps + 1 - history.values.len() as i64;
        let (timestamps, _) = panel.series(index);
        let rows: Vec<(usize, usize)> = timestamps
            .iter()
            .enumerate()
            .filter_map(|(row, &stamp)| {
                let step = frequency.steps_between(history.origin, stamp)? - first;
                (step >= 0 && step < length as i64).then_some((step as usize, panel.offsets[index] + row))
            })
            .collect();
        let columns = self
            .sources
            .iter()
            .map(|source| {
                let mut column = vec![f64::NAN; length];
                for &(step, row) in &rows {
                    column[step] = source.value(panel, row);
                }
                carry_forward(&mut column);
                if let Source::Number { .. } = source {
                    let (past, ahead) = column.split_at_mut(history.values.len());
                    drawn_in += draw_in(past, ahead);
                }
                column
            })
            .collect();
        (columns, drawn_in)
    }
}

impl Source {
    /// Non-negative whole numbers, not all of them 0 or 1, are counts. A flag or a price means the same for one shop
    /// and for all, so it is not summed.
    fn is_count(self, panel: &Panel) -> bool {
        let Self::Number { covariate } = self else { return false };
        let CovariateValues::Numbers(values) = &panel.covariates[covariate].values else { return false };
        let known = || values.iter().filter(|value| !value.is_nan());
        known().all(|value| *value >= 0.0 && value.fract() == 0.0) && known().any(|value| *value > 1.0)
    }

    /// NaN for a missing value.
    fn value(self, panel: &Panel, row: usize) -> f64 {
        match self {
            Self::Number { covariate } => match &panel.covariates[covariate].values {
                CovariateValues::Numbers(values) => values[row],
                _ => f64::NAN,
            },
            Self::Category { covariate, code } => match &panel.covariates[covariate].values {
                CovariateValues::Categories { codes, .. } if codes[row] != MISSING_CATEGORY => {
                    f64::from(u8::from(codes[row] == code))
                }
                _ => f64::NAN,
            },
        }
    }
}

/// The codes that get a column, most frequent first; the most frequent code of all is the reference and gets none.
fn frequent_codes(codes: &[u32], categories: usize) -> impl Iterator<Item = u32> {
    let mut counts: Vec<(Reverse<usize>, u32)> =
        (0..categories as u32).map(|code| (Reverse(0), code)).collect();
    for &code in codes {
        if let Some((Reverse(count), _)) = counts.get_mut(code as usize) {
            *count += 1;
        }
    }
    counts.sort_unstable();
    counts.into_iter().skip(1).take(MOST_CATEGORIES).map(|(_, code)| code)
}

/// Clamps future values to at most one range beyond the range of the past: the effect of values that far out is
/// unknown, and one mistyped price must not spoil a forecast. Returns the number clamped.
fn draw_in(past: &[f64], ahead: &mut [f64]) -> usize {
    let low = past.iter().copied().fold(f64::INFINITY, f64::min);
    let high = past.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = (high - low).min(f64::MAX);
    let mut drawn_in = 0;
    for value in ahead {
        let bounded = value.clamp(low - range, high + range);
        drawn_in += usize::from(bounded != *value);
        *value = bounded;
    }
    drawn_in
}

fn carry_forward(column: &mut [f64]) {
    let first = column.iter().copied().find(|value| !value.is_nan()).unwrap_or(0.0);
    let mut last = first;
    for value in column {
        if value.is_nan() {
            *value = last;
        }
        last = *value;
    }
}
