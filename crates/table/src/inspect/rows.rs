//! The checks that need the rows.

use tabcast_calendar::{Frequency, Micros};

use super::checks::{CheckName, CheckStatus, Checks, Sample};
use crate::batch::{Part, in_order, total};
use crate::covariates::{Cell, Texts, resolve};
use crate::dates::DateReading;
use crate::group::{Grouped, group};
use crate::refusals::no_rows;
use crate::verify::find_faults;
use crate::{
    Columns, ContentError, Panel, ReadError, ReadOptions, Warning, crossing, find_frequency, irregular_gaps,
};

/// Figures about the rows.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) rows: Option<u64>,
    pub(crate) items: Option<u64>,
    pub(crate) min_length: Option<u64>,
    pub(crate) max_length: Option<u64>,
    pub(crate) start: Option<Micros>,
    pub(crate) end: Option<Micros>,
    pub(crate) frequency: Option<Frequency>,
    pub(crate) warnings: Vec<Warning>,
    pub(crate) truncated: bool,
    /// Whether every timestamp was readable.
    pub(crate) all_timestamps: bool,
}

/// Runs every check on the rows; findings before an error are kept.
pub(crate) fn examine(
    (mut parts, dates): (Vec<Part>, DateReading),
    options: &ReadOptions,
    frequency: Option<Frequency>,
    checks: &mut Checks,
    figures: &mut Figures,
) -> Result<(), ReadError> {
    let columns = &options.columns;
    figures.truncated = parts.iter().any(|part| part.truncated);
    let totals = total(&mut parts, &options.limits);
    if totals.records == 0 && totals.fatal.is_none() {
        return Err(no_rows().into());
    }
    figures.rows = Some(totals.records);
    for name in [CheckName::NumericTarget, CheckName::Timestamps, CheckName::Volume] {
        checks.made(name);
    }
    if let Some(error) = totals.fatal.map(|error| dates.explain(error)) {
        figures.truncated = true;
        let Some(name) = CheckName::of(&error, columns) else { return Err(error.into()) };
        checks.fail(name, &error, &[]);
    }
    figures.all_timestamps = true;
    for (error, rows) in totals.faults.into_errors(columns) {
        let error = dates.explain(error);
        if let Some(name) = CheckName::of(&error, columns) {
            figures.all_timestamps &= name != CheckName::Timestamps;
            checks.fail(name, &error, &rows);
        }
    }
    for warning in totals.zones.warning(totals.records).into_iter().chain(dates.warning.clone()) {
        checks.note(CheckName::Timestamps, CheckStatus::Warning, warning.count, &[], &warning.message);
        figures.warnings.push(warning);
    }
    if figures.truncated {
        let message = format!("Only the first {} rows were read.", totals.records);
        checks.note(CheckName::Volume, CheckStatus::Warning, 0, &[], &message);
    }
    judge_covariates(&mut parts, options, totals.records as usize, checks, figures)?;

    number_rows(&mut parts);
    let numbered = Columns { covariates: vec!["row".to_owned()], ..columns.clone() };
    let Grouped { mut panel, mut covariates, ambiguous, .. } =
        group(parts, &ReadOptions { columns: numbered, ..options.clone() })?;
    if let Some(error) = ambiguous {
        checks.fail(CheckName::RequiredColumns, &error, &[]);
    }
    if let Some(warning) =
        columns.hierarchy.as_ref().and_then(|hierarchy| crossing::warning(&panel.ids, hierarchy))
    {
        checks.note(CheckName::RequiredColumns, CheckStatus::Warning, warning.count, &[], &warning.message);
        figures.warnings.push(warning);
    }
    for name in [CheckName::Nulls, CheckName::Duplicates, CheckName::MinHistory, CheckName::Frequency] {
        checks.made(name);
    }
    let faults = find_faults(&mut panel, &mut covariates, options)?;
    let faults: Vec<ContentError> = faults.into_iter().map(|error| dates.explain(error)).collect();
    let rows = covariates.first().map_or(&[][..], Vec::as_slice);
    examine_series(&panel, rows, &faults, columns, checks, figures);
    examine_frequency(panel, rows, frequency, columns, checks, figures);
    Ok(())
}

/// A covariate that a forecast would not use, or would use differently than intended, gets a warning.
fn judge_covariates(
    parts: &mut [Part],
    options: &ReadOptions,
    rows: usize,
    checks: &mut Checks,
    figures: &mut Figures,
) -> Result<(), ReadError> {
    for (index, name) in options.columns.covariates.iter().enumerate() {
        let infinite = parts.iter().map(|part| part.texts[index].infinite).sum();
        let resolved = resolve(parts, index, name, &options.limits).map_err(ReadError::Content)?;
        if let (_, Some(warning)) = resolved.finish(name, Vec::new(), infinite, rows) {
            let message = warning.message.as_str();
            checks.note(CheckName::RequiredColumns, CheckStatus::Warning, warning.count, &[], message);
            figures.warnings.push(warning);
        }
    }
    Ok(())
}

/// Adds the row number in the file to every kept row, as a covariate. Grouping and sorting then carry it along without
/// knowing about it.
fn number_rows(parts: &mut [Part]) {
    let mut before = 0;
    for batch in in_order(parts) {
        let left_out = batch.faults.rows();
        let mut left_out = left_out.iter().peekable();
        let kept = (0_u32..).filter(|row| left_out.next_if_eq(&row).is_none());
        let numbers = kept.map(|row| Cell::number((before + u64::from(row) + 1) as f64));
        batch.covariates = vec![numbers.take(batch.timestamps.len()).collect()];
        before += batch.records;
    }
    for part in parts {
        part.texts = vec![Texts::new()];
    }
}

fn number(row: Cell) -> u64 {
    row.as_number() as u64
}

fn examine_series(
    panel: &Panel,
    rows: &[Cell],
    faults: &[ContentError],
    columns: &Columns,
    checks: &mut Checks,
    figures: &mut Figures,
) {
    let [mut nulls, mut empty, mut short, mut repeated] = [const { Sample(Vec::new()) }; 4];
    let (mut items, mut null_targets) = (0, 0);
    for index in 0..panel.len() {
        let (timestamps, targets) = panel.series(index);
        let Some((first, last)) = timestamps.first().zip(timestamps.last()) else { continue };
        items += 1;
        let rows = &rows[panel.offsets[index]..panel.offsets[index + 1]];
        let length = timestamps.len() as u64;
        figures.min_length = Some(figures.min_length.map_or(length, |least| least.min(length)));
        figures.max_length = figures.max_length.max(Some(length));
        figures.start = Some(figures.start.map_or(*first, |start| start.min(*first)));
        figures.end = figures.end.max(Some(*last));
        let values = targets.iter().filter(|target| !target.is_nan()).count();
        match values {
            0 => empty.note(number(rows[0])),
            1 => short.note(number(rows[0])),
            _ => {}
        }
        for (row, _) in rows.iter().zip(targets).filter(|(_, target)| target.is_nan()) {
            null_targets += 1;
            nulls.note(number(*row));
        }
        for (pair, row) in timestamps.windows(2).zip(&rows[1..]) {
            if pair[0] == pair[1] {
                repeated.note(number(*row));
            }
        }
    }
    figures.items = Some(items);
    for error in faults {
        let (name, sample) = match CheckName::of(error, columns) {
            Some(name @ (CheckName::Duplicates | CheckName::Timestamps)) => (name, &repeated),
            Some(CheckName::MinHistory) => (CheckName::MinHistory, &short),
            _ => (CheckName::Nulls, &empty),
        };
        checks.fail(name, error, &sample.0);
    }
    if null_targets > 0 && empty.0.is_empty() {
        let message = format!(
            "{null_targets} {} no target; the model fills them in.",
            if null_targets == 1 { "row has" } else { "rows have" }
        );
        checks.note(CheckName::Nulls, CheckStatus::Warning, null_targets, &nulls.0, &message);
    }
}

fn examine_frequency(
    mut panel: Panel,
    rows: &[Cell],
    given: Option<Frequency>,
    columns: &Columns,
    checks: &mut Checks,
    figures: &mut Figures,
) {
    let rows = without_repeats(&mut panel, rows);
    match find_frequency(given, &columns.timestamp, &panel.timestamps, &panel.offsets) {
        Ok(regularity) => {
            figures.frequency = Some(regularity.frequency);
            if let Some(warning) = irregular_gaps(&regularity) {
                let mut sample = Sample::default();
                for ends in panel.offsets.windows(2) {
                    let stamps = &panel.timestamps[ends[0]..ends[1]];
                    let pairs = stamps.windows(2).zip(rows[ends[0]..ends[1]].iter().skip(1));
                    for (pair, row) in pairs {
                        if regularity.frequency.steps_between(pair[0], pair[1]) != Some(1) {
                            sample.note(number(*row));
                        }
                    }
                }
                let (count, message) = (warning.count, warning.message.as_str());
                checks.note(CheckName::Frequency, CheckStatus::Warning, count, &sample.0, message);
                figures.warnings.push(warning);
            }
        }
        Err(error) => {
            let name = CheckName::of(&error, columns).unwrap_or(CheckName::Frequency);
            checks.fail(name, &error, &[]);
        }
    }
}

/// Leaves out rows that repeat the timestamp of the row before: they are reported already, and a gap of zero would hide
/// the frequency of the others.
fn without_repeats(panel: &mut Panel, rows: &[Cell]) -> Vec<Cell> {
    let mut kept = Vec::with_capacity(rows.len());
    let mut timestamps = Vec::with_capacity(rows.len());
    let mut offsets = vec![0];
    for ends in panel.offsets.windows(2) {
        let first = timestamps.len();
        let item = ends[0]..ends[1];
        for (stamp, row) in panel.timestamps[item.clone()].iter().zip(&rows[item]) {
            if timestamps.len() == first || timestamps.last() != Some(stamp) {
                timestamps.push(*stamp);
                kept.push(*row);
            }
        }
        offsets.push(timestamps.len());
    }
    panel.timestamps = timestamps.into();
    panel.offsets = offsets;
    kept
}
