use std::path::Path;
use std::time::Instant;

use tabcast_calendar::{Frequency, MAX_MICROS};
use tabcast_table::{
    Columns, ContentError, Kind, Panel, ReadOptions, Scratch, Warning, dataset_hash_unless, find_frequency,
    irregular_gaps, read_panel, shorten,
};

use crate::covariates::external::{add_external, blame_location, columns_with_location, kept_panel};
use crate::covariates::regressors::Encoding;
use crate::learners::tuned::TunedModel;
use crate::reconciliation::Hierarchy;
use crate::run::plan::Plan;
use crate::run::stages;
use crate::{Config, Control, Failure, Timings};

/// Number of rows that each thread keeps in memory while it reads: more of them lie in a file.
const MOST_ROWS_IN_MEMORY: usize = 4 << 20;

/// Purpose for which a dataset is read.
pub(crate) enum Purpose<'a> {
    /// A forecast by a preset: covariates that are not known for the horizon are dropped.
    Preset,
    /// Fine-tuning: covariates need only be known for the past.
    Training,
    /// A forecast by a fine-tuned model: frequency and covariates must match the model's.
    Model(&'a TunedModel),
}

/// Whether the hash of the dataset will be needed; reading everything again costs as much as checking it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Identity {
    Needed,
    NotNeeded,
}

/// A dataset that has been read and checked for forecasting.
#[derive(Debug)]
pub(crate) struct Dataset {
    pub(crate) panel: Panel,
    pub(crate) frequency: Frequency,
    pub(crate) warnings: Vec<Warning>,
    /// How the covariates of the panel become regressors.
    pub(crate) encoding: Encoding,
    /// The hierarchy, whose sums are forecast too.
    pub(crate) hierarchy: Option<Hierarchy>,
    /// Hash of the file's own rows and columns, if the panel has others too.
    pub(crate) own_hash: Option<String>,
    /// Future rows that the sender did not supply.
    pub(crate) added_rows: usize,
    /// Series of the run that are not in this part of it.
    pub(crate) elsewhere: usize,
}

impl Dataset {
    /// Reads the input, finds or checks its frequency, and enforces the caps.
    pub(crate) fn load(config: &Config, control: &Control, timings: &mut Timings) -> Result<Self, Failure> {
        Self::load_for(config, &Purpose::Preset, Identity::Needed, None, control, timings)
    }

    /// Reads the input for a forecast by the model if there is one, otherwise by the preset.
    pub(crate) fn load_with(
        config: &Config,
        model: Option<&TunedModel>,
        identity: Identity,
        scratch: Option<&Path>,
        control: &Control,
        timings: &mut Timings,
    ) -> Result<Self, Failure> {
        let mut load =
            |purpose: &Purpose<'_>| Self::load_for(config, purpose, identity, scratch, control, timings);
        match model {
            Some(model) => load(&Purpose::Model(model)).map_err(|failure| model.blame(failure)),
            None if config.is_training => load(&Purpose::Training),
            None => load(&Purpose::Preset),
        }
    }

    /// Like [`Dataset::load`], for any purpose. `scratch`: a folder for the rows of a large dataset.
    pub(crate) fn load_for(
        config: &Config,
        purpose: &Purpose<'_>,
        identity: Identity,
        scratch: Option<&Path>,
        control: &Control,
        timings: &mut Timings,
    ) -> Result<Self, Failure> {
        let began = Instant::now();
        control.enter(stages::INGEST);
        let scratch =
            scratch.map(|folder| Scratch { folder: folder.to_owned(), after_rows: MOST_ROWS_IN_MEMORY });
        let options = ReadOptions { scratch, ..read_options(config, control) };
        let read = || read_panel(&options).map_err(|error| blame_location(config, error));
        let mut panel = kept_panel(config).map_or_else(read, Ok)?;
        timings.ingest = began.elapsed().as_secs_f64();

        let began = Instant::now();
        control.enter(stages::VALIDATE);
        check_points(config, panel.len())?;
        let column = config.columns.timestamp.as_str();
        let regularity = match purpose {
            Purpose::Model(model) => {
                model.check_frequency(config.frequency, column, &panel.timestamps, &panel.offsets)?
            }
            _ => find_frequency(config.frequency, column, &panel.timestamps, &panel.offsets)
                .map_err(Failure::Content)?,
        };
        check_range(config, &panel, regularity.frequency)?;
        let mut warnings = std::mem::take(&mut panel.warnings);
        warnings.extend(irregular_gaps(&regularity));
        let frequency = regularity.frequency;
        let mut added_rows = 0;
        let mut own_hash = None;
        if config.external.is_some() {
            if matches!(identity, Identity::Needed) {
                let hash = dataset_hash_unless(&panel, control.cancel_flag());
                own_hash = Some(hash.ok_or(Failure::Cancelled)?);
            }
            added_rows = config.pool()?.install(|| add_external(config, &mut panel, frequency))?;
        }
        let plan = Plan::new(config, frequency, panel.len(), control);
        let hierarchy = Self::add_up(config, &panel, &plan, &mut warnings, control)?;
        let late = |series| hierarchy.as_ref().map_or(0, |hierarchy| hierarchy.late(series, &panel, &plan));
        let encoding = match purpose {
            Purpose::Preset => Encoding::of(&panel, frequency, config.horizon, late, &mut warnings)?,
            Purpose::Training => Encoding::of_past(&panel, &mut warnings),
            Purpose::Model(model) => {
                warnings.extend(model.warnings(config, &panel));
                model.encoding(&panel, config.horizon, late)?
            }
        };
        let dataset =
            Self { panel, frequency, warnings, encoding, hierarchy, own_hash, added_rows, elsewhere: 0 };
        check_points(config, dataset.series())?;
        check_output(config, &dataset)?;
        timings.validate = began.elapsed().as_secs_f64();
        Ok(dataset)
    }

    fn add_up(
        config: &Config,
        panel: &Panel,
        plan: &Plan,
        warnings: &mut Vec<Warning>,
        control: &Control,
    ) -> Result<Option<Hierarchy>, Failure> {
        let Some(wanted) = &config.reconciliation else { return Ok(None) };
        let pool = config.pool()?;
        let max_nodes = config.limits.max_series;
        pool.install(|| Hierarchy::build(wanted, panel, plan, max_nodes, warnings, control)).map(Some)
    }

    /// Hash of what the sender supplied.
    pub(crate) fn hash(&self, control: &Control) -> Result<String, Failure> {
        match &self.own_hash {
            Some(hash) => Ok(hash.clone()),
            None => dataset_hash_unless(&self.panel, control.cancel_flag()).ok_or(Failure::Cancelled),
        }
    }

    /// About the number of steps from the first row to the last, of all series together, on the grid or not.
    pub(crate) fn steps(&self) -> u64 {
        const MANY: i64 = 1_000;
        // Months and business days have no fixed length.
        let step = (self.frequency.advance(0, MANY) / MANY).max(1);
        let steps_of = |series| {
            let (stamps, _) = self.panel.series(series);
            let (Some(&first), Some(&last)) = (stamps.first(), stamps.last()) else { return 0 };
            (last.saturating_sub(first) / step) as u64 + 1
        };
        (0..self.panel.len()).map(steps_of).sum()
    }

    /// Number of series to forecast: those of the panel, or all nodes of the hierarchy.
    pub(crate) fn series(&self) -> usize {
        self.hierarchy.as_ref().map_or(self.panel.len(), Hierarchy::len)
    }

    /// The id of a series to forecast.
    pub(crate) fn id(&self, index: usize) -> &str {
        match &self.hierarchy {
            Some(hierarchy) => hierarchy.id(index, &self.panel),
            None => self.panel.ids.get(index),
        }
    }
}

impl Dataset {
    /// Mean absolute value over the last season, or over the last twelve steps if that is more.
    pub(crate) fn volume(&self, index: usize) -> f64 {
        let steps = self.frequency.season_length().max(LEAST_VOLUME_STEPS);
        let sums = self.series() - self.panel.len();
        let values = match &self.hierarchy {
            Some(hierarchy) if index < sums => hierarchy.sum(index),
            _ => self.panel.series(index - sums).1,
        };
        let last = values.iter().rev().filter(|value| !value.is_nan()).take(steps);
        let (count, sum) = last.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value.abs()));
        if count > 0.0 { sum / count } else { 0.0 }
    }
}

/// Fewer steps say little about the size of a series.
const LEAST_VOLUME_STEPS: usize = 12;

pub(crate) fn read_options<'a>(config: &Config, control: &'a Control) -> ReadOptions<'a> {
    ReadOptions {
        paths: config.input_paths.clone(),
        format: config.format,
        compression: config.compression,
        sheet: config.sheet.clone(),
        columns: Columns { covariates: columns_with_location(config), ..config.columns.clone() },
        date_order: None,
        limits: config.limits,
        scratch: None,
        threads: config.threads,
        cancel: control.cancel_flag(),
    }
}

fn check_points(config: &Config, series: usize) -> Result<(), Failure> {
    let points = (series as u64).saturating_mul(config.horizon as u64);
    if points <= config.max_forecast_points {
        return Ok(());
    }
    let longest = config.max_forecast_points / series.max(1) as u64;
    let message = format!(
        "{series} series times {} steps are {points} forecast points; at most {} are allowed.",
        config.horizon, config.max_forecast_points
    );
    let suggestion = if longest > 0 {
        format!("Use a prediction_length of at most {longest}, or split the dataset.")
    } else {
        "Split the dataset.".to_owned()
    };
    Err(ContentError::new("too_many_points", Kind::TooLarge, message)
        .count(points)
        .suggestion(suggestion)
        .into())
}

/// Enforces the cap on the output. Every row repeats its item id, so long ids can turn megabytes of input into
/// gigabytes.
fn check_output(config: &Config, dataset: &Dataset) -> Result<(), Failure> {
    /// Bytes of a timestamp with its separators, and of a number with its separator.
    const STAMP: u64 = 21;
    const NUMBER: u64 = 19;
    let rest = STAMP + NUMBER * (config.levels.len() as u64 + 1);
    let row_bytes: u64 = (0..dataset.series()).map(|index| dataset.id(index).len() as u64 + rest).sum();
    let bytes = row_bytes.saturating_mul(config.horizon as u64);
    if bytes <= config.max_output_bytes {
        return Ok(());
    }
    let message = format!(
        "The forecast would have about {bytes} bytes as CSV; at most {} are allowed.",
        config.max_output_bytes
    );
    Err(ContentError::new("output_too_large", Kind::TooLarge, message)
        .count(bytes)
        .suggestion("Use shorter item ids, a shorter prediction_length or fewer quantile_levels, or split the dataset.")
        .into())
}

/// Checks that no forecast ends after the last stamp that can be written.
fn check_range(config: &Config, panel: &Panel, frequency: Frequency) -> Result<(), Failure> {
    for (index, ends) in panel.offsets.windows(2).enumerate() {
        let Some(&last) = panel.timestamps[ends[0]..ends[1]].last() else { continue };
        if frequency.advance(last, config.horizon as i64) > MAX_MICROS {
            let id = panel.ids.get(index);
            let message = format!("The forecast of item {:?} would go beyond the year 9999.", shorten(id));
            let error = ContentError::new("timestamp_out_of_range", Kind::Content, message);
            return Err(error.column(&config.columns.timestamp).item(id).into());
        }
    }
    Ok(())
}
