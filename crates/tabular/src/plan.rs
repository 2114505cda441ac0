//! Everything about a run that is decided before its first model.

use std::collections::HashSet;
use std::iter;

use tabcast_table::{ContentError, Frame, FrameOptions, Kind, Unreadable, Warning, frame_hash, read_frame};

use crate::labels::{Labels, find};
use crate::split::{SplitKind, fold, fold_count, hold_out};
use crate::stages;
use crate::timers::Timers;
use crate::times::times_of;
use crate::typing::{NamedColumns, decide, iso_dates};
use crate::{ColumnDecision, Config, Control, Failure, InferenceMode};

/// A table with a plan for its rows.
pub(crate) struct Plan {
    pub(crate) frame: Frame,
    pub(crate) labels: Labels,
    pub(crate) mode: InferenceMode,
    /// Times of the labelled rows, if there is a time column.
    pub(crate) times: Option<Vec<f64>>,
    /// Training rows, as indices into the labelled rows.
    pub(crate) training: Vec<u32>,
    /// Rows held back for the evaluation, as indices into the labelled rows.
    pub(crate) test: Vec<u32>,
    pub(crate) decisions: Vec<ColumnDecision>,
    pub(crate) hash: String,
    pub(crate) seed: u64,
    pub(crate) warnings: Vec<Warning>,
}

impl Plan {
    pub(crate) fn make(config: &Config, control: &Control, timers: &mut Timers) -> Result<Self, Failure> {
        control.enter(stages::INGEST);
        let frame = timers.time("ingest", || {
            read_frame(&FrameOptions {
                paths: config.input_paths.clone(),
                format: config.format,
                compression: config.compression,
                sheet: config.sheet.clone(),
                limits: config.limits,
                threads: config.threads,
                cancel: control.cancel_flag(),
            })
        })?;
        control.enter(stages::VALIDATE);
        timers.time("validate", || Self::of(frame, config))
    }

    fn of(mut frame: Frame, config: &Config) -> Result<Self, Failure> {
        for name in iter::once(&config.label_column).chain(&config.time_column) {
            let is_named =
                |other: &&Unreadable| [name.as_str(), name.trim()].contains(&&*frame.names[other.column]);
            if let Some(found) = frame.unreadable.iter().find(is_named) {
                return Err(found.error.clone().into());
            }
        }
        let labels = Labels::read(&frame, config)?;
        let time_column = match &config.time_column {
            Some(name) => Some(find(&frame, name, "time_column")?),
            None => None,
        };
        let times = time_column.map(|column| times_of(&frame, column, &labels.labelled)).transpose()?;
        let (times, no_time) = times.map_or((None, None), |(times, warning)| (Some(times), warning));
        let mode = mode_for(&labels, config)?;
        let hash = frame_hash(&frame);
        let seed = u64::from_str_radix(&hash[..16], 16).unwrap_or_default();
        let (training, test) = split(&labels, mode, times.as_deref(), config, seed)?;
        let unseen = labels.unseen(&config.label_column, (&training, &test), times.is_some())?;
        let rows: Vec<u32> = training.iter().map(|&place| labels.labelled[place as usize]).collect();
        let named = NamedColumns { label: labels.column, time: time_column };
        let mut decisions = decide(&frame, named, &rows, &labels.target.select(&training));
        iso_dates(&mut frame, &decisions);
        for Unreadable { column, error } in &frame.unreadable {
            decisions[*column].notes = vec![format!("{}.", error.message)];
        }
        if !decisions.iter().any(|decision| decision.role.is_feature()) {
            let message =
                "No column is left to learn from: all are empty, constant, duplicates or identifiers";
            return Err(ContentError::new("no_features", Kind::Content, message)
                .suggestion("Send columns whose values differ from row to row.")
                .into());
        }
        let mut warnings = labels.warnings.clone();
        warnings.extend(no_time);
        warnings.extend(unseen);
        warnings.extend(column_warnings(&decisions, &frame.unreadable));
        if mode == InferenceMode::TrainEvaluate && !labels.unlabelled.is_empty() {
            warnings.push(Warning {
                code: "unlabeled_rows".into(),
                message: "Rows without a label are not predicted in inference_mode train_evaluate".to_owned(),
                count: labels.unlabelled.len() as u64,
            });
        }
        Ok(Self { frame, labels, mode, times, training, test, decisions, hash, seed, warnings })
    }

    /// Rows of the table to predict, ascending.
    pub(crate) fn wanted(&self) -> Vec<u32> {
        match self.mode {
            InferenceMode::TrainEvaluate => {
                self.test.iter().map(|&place| self.labels.labelled[place as usize]).collect()
            }
            InferenceMode::TrainPredict => self.labels.unlabelled.clone(),
        }
    }

    pub(crate) fn split_kind(&self) -> SplitKind {
        SplitKind::of(&self.labels.target, self.times.as_deref())
    }

    /// Folds over the training rows, and the number of folds that together hold every row back once.
    pub(crate) fn folds(&self, config: &Config) -> (Vec<crate::split::Fold>, usize) {
        let counts = fold_count(self.training.len(), config.validation_holdout_ratio);
        let folds = fold(
            &self.training,
            &self.labels.target,
            self.times.as_deref(),
            counts,
            config.validation_holdout_ratio,
            self.seed,
        );
        (folds, counts.0)
    }
}

/// One warning per kind of decision that the sender should check.
fn column_warnings(decisions: &[ColumnDecision], unreadable: &[Unreadable]) -> Vec<Warning> {
    let is_unreadable = |column: usize| unreadable.iter().any(|other| other.column == column);
    let named = |code: &'static str, text: &str, is: &dyn Fn(usize, &ColumnDecision) -> bool| {
        let chosen = decisions.iter().enumerate().filter(|(column, decision)| is(*column, decision));
        let names: Vec<&str> = chosen.map(|(_, decision)| decision.name.as_str()).collect();
        let shown: Vec<String> =
            names.iter().take(5).map(|name| format!("'{}'", tabcast_table::shorten(name))).collect();
        (!names.is_empty()).then(|| Warning {
            code: code.into(),
            message: format!("{text}: {}", shown.join(", ")),
            count: names.len() as u64,
        })
    };
    let warnings = [
        named(
            "suspected_leak",
            "Columns that tell the label almost by themselves, as what is known only afterwards would",
            &|_, decision| decision.leak.is_some(),
        ),
        named("unreadable_columns", "Columns of a type that cannot be read, left out", &|column, _| {
            is_unreadable(column)
        }),
        named("dropped_columns", "Columns that cannot be learned from", &|column, decision| {
            !decision.role.is_feature() && decision.role != crate::Role::Label && !is_unreadable(column)
        }),
    ];
    warnings.into_iter().flatten().collect()
}

fn mode_for(labels: &Labels, config: &Config) -> Result<InferenceMode, Failure> {
    let has_unlabelled = !labels.unlabelled.is_empty();
    let mode = config.inference_mode.unwrap_or(if has_unlabelled {
        InferenceMode::TrainPredict
    } else {
        InferenceMode::TrainEvaluate
    });
    if mode == InferenceMode::TrainPredict && !has_unlabelled {
        let message = "Every row has a label, so there is nothing to predict";
        return Err(ContentError::new("no_unlabeled_rows", Kind::Empty, message)
            .column(&config.label_column)
            .suggestion(
                "Leave the label of the rows to be predicted empty, or use inference_mode train_evaluate.",
            )
            .into());
    }
    Ok(mode)
}

/// The places among the labelled rows to learn from and to measure on.
fn split(
    labels: &Labels,
    mode: InferenceMode,
    times: Option<&[f64]>,
    config: &Config,
    seed: u64,
) -> Result<(Vec<u32>, Vec<u32>), Failure> {
    let places = 0..labels.labelled.len() as u32;
    let (training, test) = match (mode, &config.test_rows) {
        (InferenceMode::TrainPredict, _) => (places.collect(), Vec::new()),
        (InferenceMode::TrainEvaluate, Some(rows)) => {
            let held: HashSet<u32> = rows.iter().copied().collect();
            places.partition(|&place| !held.contains(&labels.labelled[place as usize]))
        }
        (InferenceMode::TrainEvaluate, None) => {
            hold_out(&labels.target, times, config.train_split_ratio, seed)
        }
    };
    if training.is_empty() || (test.is_empty() && mode == InferenceMode::TrainEvaluate) {
        return Err(Failure::Options(
            "test_rows leave no labelled row to learn from or to measure on".to_owned(),
        ));
    }
    Ok((training, test))
}
