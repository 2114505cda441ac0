//! The whole step.

use std::io;

use tabcast_calendar::{Frequency, Periods};
use tabcast_table::{Columns, ContentError, HierarchyColumns, Kind, Warning, find_frequency, shorten};

use crate::aggregate::Combination;
use crate::combine::{By, Combined, combine};
use crate::coverage::{check_step, own_step, range};
use crate::edges::Edges;
use crate::filters::{Used, apply_all};
use crate::gaps::gap_sums;
use crate::input::{Input, check_names};
use crate::mend::{Mended, Mending};
use crate::panel::Panel;
use crate::places::Steps;
use crate::rows::Rows;
use crate::series::name_series;
use crate::table::write;
use crate::{Aggregate, AnomalyHandling, Failure, MissingHandling, Options, Preparation, Summary};

/// Reads the table, prepares its rows, and writes them as Parquet: item id, timestamp, target and covariates under
/// their own names, sorted by series id and time. The bytes do not depend on the number of threads.
///
/// # Errors
/// [`Failure::Content`] for faults in the table or the preparation that the sender can correct.
pub fn prepare(options: &Options) -> Result<Summary, Failure> {
    check(options)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.input.threads.max(1))
        .thread_name(|index| format!("prepare-{index}"))
        .build()
        .map_err(|error| Failure::Io(io::Error::other(error)))?;
    pool.install(|| run(options))
}

/// Checks that the table has the required columns, at a cost that does not depend on its number of rows.
///
/// # Errors
/// The errors of [`prepare`] that need no row.
pub fn check_header(options: &Options) -> Result<(), Failure> {
    check(options)?;
    check_names(options)
}

/// If there is a hierarchy, it names the series; other columns cannot.
fn check(options: &Options) -> Result<(), Failure> {
    let (Some(HierarchyColumns { columns, .. }), Some(series)) =
        (&options.columns.hierarchy, &options.preparation.series_columns)
    else {
        return Ok(());
    };
    if series.len() == columns.len() && series.iter().all(|name| columns.contains(name)) {
        return Ok(());
    }
    let message =
        "Series are named by the columns of the hierarchy, so that no others can name them".to_owned();
    let error = ContentError::new("invalid_preparation", Kind::Content, message);
    Err(error.suggestion("Name the series by the hierarchy columns, or leave the reconciliation out.").into())
}

fn run(options: &Options) -> Result<Summary, Failure> {
    let Options { columns, preparation, input: reading, .. } = options;
    let cancel = reading.cancel;
    let mut input = Input::read(options)?;
    let used = apply_all(&preparation.filters, &input)?;
    let naming = name_series(options, &input, &used.rows)?;
    let rows = Rows::of(&input, columns, &used, naming.ids, cancel)?;
    let Used { count, filtered, .. } = used;
    if rows.len() > reading.limits.max_series {
        return Err(too_many_series(reading.limits.max_series).into());
    }
    input.warnings.extend(emptied(rows.emptied));
    let (by, own) = grouping(options, &input, &rows)?;
    let combination = Combination::new(preparation.aggregate, preparation.across);
    let gaps = match (&by, own, preparation.aggregate) {
        (By::Period(periods, _), Some(own), Aggregate::Sum) => {
            let how = (combination, preparation.missing);
            gap_sums(&rows, own, periods, how, reading.limits.max_rows, cancel)?
        }
        _ => Vec::new(),
    };
    let kept = kept_columns(columns);
    let Combined { panel, joined_rows, joined_times, dropped_periods, filled_steps } =
        combine(&rows, &by, combination, &gaps, (&input, columns, &kept), cancel)?;
    let (rows_read, warnings) = (input.rows, std::mem::take(&mut input.warnings));
    drop((input, rows));
    if panel.ids.is_empty() {
        return Err(no_complete_period(options).into());
    }
    let (panel, done) = match mending(options, &by, &panel)? {
        Some(mending) => mending.mend(panel, cancel)?,
        None => (panel, Mended::default()),
    };
    let summary = Summary {
        rows_read: rows_read as u64,
        rows_used: count as u64,
        rows_written: panel.times.len() as u64,
        filtered,
        series_before: naming.before,
        series_after: panel.ids.len() as u64,
        rows_combined: joined_rows,
        rows_combined_across: joined_times,
        incomplete_periods_dropped: dropped_periods,
        steps_filled: filled_steps + done.filled,
        steps_dropped: done.dropped,
        anomalies: done.anomalies,
        warnings,
    };
    write(panel, columns, &options.output, cancel)?;
    Ok(summary)
}

/// Columns that are kept with the rows.
fn kept_columns(columns: &Columns) -> Vec<String> {
    let mut kept = columns.covariates.clone();
    let levels = columns.hierarchy.iter().flat_map(|hierarchy| &hierarchy.columns);
    kept.extend(levels.filter(|name| !columns.covariates.contains(name)).cloned());
    kept
}

/// Which rows are combined, and the data's own step if they are combined to a longer one.
fn grouping(options: &Options, input: &Input, rows: &Rows) -> Result<(By, Option<Frequency>), Failure> {
    let Preparation { step, series_columns, aggregate, filters, .. } = &options.preparation;
    let Some(step) = *step else {
        return Ok((if series_columns.is_some() { By::Time } else { By::Row }, None));
    };
    let own = own_step(rows);
    if let Some(own) = own {
        check_step(step, own, &options.columns)?;
    }
    let range = range(input, &options.columns, filters)?;
    let origin = range.map(|(first, _)| first).or(rows.times.iter().min().copied()).unwrap_or(0);
    let periods = Periods::new(step, origin);
    let edges = match range {
        Some(range) if aggregate.needs_whole_steps() => Edges::of(&periods, step, own, range),
        _ => Edges::default(),
    };
    Ok((By::Period(periods, edges), own))
}

/// What there is to do on the steps of the series, if anything is.
fn mending<'a>(options: &'a Options, by: &By, panel: &Panel) -> Result<Option<Mending<'a>>, Failure> {
    let Preparation { missing, anomalies, step, .. } = options.preparation;
    if missing == MissingHandling::None && anomalies == AnomalyHandling::None {
        return Ok(None);
    }
    let (steps, frequency) = if let (By::Period(periods, _), Some(step)) = (by, step) {
        (Steps::Periods(*periods), step)
    } else {
        // The reader refuses duplicate rows, with their numbers.
        let is_doubled =
            |pair: &[usize]| panel.times[pair[0]..pair[1]].windows(2).any(|two| two[0] == two[1]);
        if panel.offsets.windows(2).any(is_doubled) {
            return Ok(None);
        }
        let column = &options.columns.timestamp;
        let frequency = find_frequency(options.freq, column, &panel.times, &panel.offsets)?.frequency;
        (Steps::Own(frequency), frequency)
    };
    // Weekly data have a season as well, given enough years.
    let season = frequency.season_lengths().first().copied().unwrap_or(1);
    let max_rows = options.input.limits.max_rows;
    let levels = options.columns.hierarchy.as_ref().map_or(&[][..], |hierarchy| &hierarchy.columns);
    Ok(Some(Mending { steps, season, missing, anomalies, max_rows, levels }))
}

/// A series for which the filters only leave future rows is not forecast, so that the others can be.
fn emptied(series: usize) -> Option<Warning> {
    let (what, verb) = if series == 1 { ("series has", "is") } else { ("series have", "are") };
    let message = format!("{series} {what} no value left after the filters and {verb} not forecast.");
    (series > 0).then_some(Warning { code: "emptied_series".into(), message, count: series as u64 })
}

fn too_many_series(most: usize) -> ContentError {
    ContentError::new("too_many_series", Kind::TooLarge, format!("The rows name more than {most} series"))
        .suggestion("Name the series by fewer columns, or filter rows out.")
}

fn no_complete_period(options: &Options) -> ContentError {
    let step = options.preparation.step.map_or_else(String::new, |step| step.alias());
    let column = &options.columns.timestamp;
    let what = match options.preparation.aggregate {
        Aggregate::Max => "largest values",
        Aggregate::Min => "least values",
        Aggregate::Sum | Aggregate::Mean => "sums",
    };
    let message = format!(
        "The data cover no step of '{step}' wholly: the column '{}' is too short for {what}",
        shorten(column)
    );
    ContentError::new("no_complete_period", Kind::Content, message)
        .column(column)
        .suggestion("Combine the rows into shorter steps, take their mean, or send more rows.")
}
