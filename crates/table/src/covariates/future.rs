//! Which covariates are known for the horizon.

use tabcast_calendar::Frequency;

use super::{CovariateValues, MISSING_CATEGORY};
use crate::{ContentError, Covariate, Kind, Panel, shorten};

/// Maximum number of items named in a message.
const NAMED: usize = 5;

/// The values of a covariate after the last target of each series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FutureValues {
    /// No series has any: the covariate is known for the past only, or is unusable.
    None,
    /// Every series has a value for every step of the horizon.
    Complete,
}

/// The future values of each covariate of the panel, for the `horizon` forecast steps of each series. The horizon
/// starts after the last target that is not null and `late` further steps, for which only other series have targets.
///
/// Future values stand in rows whose target is null, at the steps of `frequency`; rows beyond the horizon or off the
/// steps do not count.
///
/// # Errors
/// `partial_future_covariate` if a covariate has values for some of these steps only: for some of the series, or for a
/// part of the horizon.
pub fn future_values(
    panel: &Panel,
    frequency: Frequency,
    horizon: usize,
    late: impl Fn(usize) -> usize,
) -> Result<Vec<FutureValues>, Box<ContentError>> {
    let mut tallies = vec![Tally::default(); panel.covariates.len()];
    let mut rows = Vec::new();
    for series in 0..panel.len() {
        rows.clear();
        rows.extend(future_rows(panel, series, frequency, horizon, late(series)));
        for (tally, covariate) in tallies.iter_mut().zip(&panel.covariates) {
            let known = rows.iter().filter(|row| covariate.is_known(**row)).count();
            tally.add(series, known, horizon);
        }
    }
    tallies
        .iter()
        .zip(&panel.covariates)
        .map(|(tally, covariate)| tally.verdict(panel, covariate, horizon))
        .collect()
}

/// The rows of a series on the horizon, one per step.
fn future_rows(
    panel: &Panel,
    series: usize,
    frequency: Frequency,
    horizon: usize,
    late: usize,
) -> impl Iterator<Item = usize> {
    let (timestamps, targets) = panel.series(series);
    let first = panel.offsets[series];
    let observed = targets.iter().rposition(|target| !target.is_nan());
    let mut step = late as i64;
    let last_step = (late + horizon) as i64;
    observed.into_iter().flat_map(move |last| last + 1..timestamps.len()).filter_map(move |row| {
        let last = timestamps[observed?];
        let found = frequency.steps_between(last, timestamps[row])?;
        let counts = found > step && found <= last_step;
        step = step.max(found);
        counts.then_some(first + row)
    })
}

impl Covariate {
    /// Whether the covariate has a value in a row of the panel.
    ///
    /// # Panics
    /// If `row` is not below the panel's number of rows.
    pub fn is_known(&self, row: usize) -> bool {
        match &self.values {
            CovariateValues::Numbers(values) => !values[row].is_nan(),
            CovariateValues::Categories { codes, .. } => codes[row] != MISSING_CATEGORY,
            CovariateValues::Unusable { .. } => false,
        }
    }
}

/// Number of series by completeness of their values; the lists hold the first few.
#[derive(Clone, Default)]
struct Tally {
    complete: u64,
    absent: u64,
    first_absent: Vec<usize>,
    partial: u64,
    first_partial: Vec<usize>,
}

impl Tally {
    fn add(&mut self, series: usize, known: usize, horizon: usize) {
        let (count, first) = match known {
            0 => (&mut self.absent, Some(&mut self.first_absent)),
            known if known == horizon => (&mut self.complete, None),
            _ => (&mut self.partial, Some(&mut self.first_partial)),
        };
        *count += 1;
        if let Some(first) = first.filter(|first| first.len() < NAMED) {
            first.push(series);
        }
    }

    fn verdict(
        &self,
        panel: &Panel,
        covariate: &Covariate,
        horizon: usize,
    ) -> Result<FutureValues, Box<ContentError>> {
        if self.partial == 0 && self.complete == 0 {
            return Ok(FutureValues::None);
        }
        if self.partial == 0 && self.absent == 0 {
            return Ok(FutureValues::Complete);
        }
        let mut series = [self.first_absent.as_slice(), &self.first_partial].concat();
        series.sort_unstable();
        series.truncate(NAMED);
        let names: Vec<String> =
            series.iter().map(|index| format!("'{}'", shorten(panel.ids.get(*index)))).collect();
        let count = self.absent + self.partial;
        let message = format!(
            "The covariate '{}' has future values, but not for all {horizon} steps of {count} {}: {}",
            shorten(&covariate.name),
            if count == 1 { "item" } else { "items" },
            names.join(", ")
        );
        let error = ContentError::new("partial_future_covariate", Kind::Content, message)
            .column(&covariate.name)
            .item(panel.ids.get(series[0]))
            .count(count)
            .suggestion("Add a row with a null target for each step after the last target of every item, or leave all \
                of them out.");
        Err(Box::new(error))
    }
}
