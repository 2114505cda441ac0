//! The features of a row.

use serde::{Deserialize, Serialize};
use tabcast_calendar::{Frequency, Unit as Steps};
use tabcast_trees::Feature;

use super::analogs::Analogs;
use super::track::Track;
use crate::covariates::engineered::{Past, Recipe, Unit, write_calendar};

/// Number of past values looked up at the same position of the main season, nearest first.
const SAME_PLACE: usize = 4;
/// The same for the longer season.
const SAME_LONG: usize = 3;
/// Number of seasons over which the usual seasonal difference of a row is measured, at least this many steps.
const UNIT_SEASONS: usize = 8;
const UNIT_STEPS: usize = 40;
/// The usual seasonal difference of a row is at least this fraction of that of the whole series.
const LEAST_UNIT: f64 = 0.1;
/// Maximum number of series with a code of their own: as many as a feature may have categories.
pub(super) const MOST_CODES: usize = 250;

/// Which features rows have, and how they are computed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Layout {
    pub(super) analogs: Analogs,
    pub(super) recipe: Recipe,
    pub(super) frequency: Frequency,
    /// Number of covariate columns, and whether series have codes.
    pub(super) columns: usize,
    pub(super) is_coded: bool,
}

/// A track with the one-step residuals of its analogs.
#[derive(Debug, Clone)]
pub(super) struct Prepared {
    pub(super) track: Track,
    /// From step `since` on.
    residuals: Vec<f64>,
    sums: Vec<f64>,
    since: usize,
}

impl Prepared {
    /// Computes residuals from `since` on, at least 1.
    pub(super) fn new(track: Track, analogs: &Analogs, since: usize) -> Self {
        let mut prepared =
            Self { residuals: Vec::with_capacity(track.len() - since), sums: vec![0.0], since, track };
        for at in since..prepared.track.len() {
            prepared.add(at, analogs);
        }
        prepared
    }

    fn add(&mut self, at: usize, analogs: &Analogs) {
        let residual = self.track.values[at] - analogs.base(&self.track, at, at);
        self.residuals.push(residual);
        self.sums.push(self.sums[self.sums.len() - 1] + residual);
    }

    /// Adds the next value, in units of the track.
    pub(super) fn push(&mut self, value: f64, analogs: &Analogs) {
        self.track.push(value);
        self.add(self.track.len() - 1, analogs);
    }

    pub(super) fn truncate(&mut self, length: usize) {
        self.track.truncate(length);
        self.residuals.truncate(length - self.since);
        self.sums.truncate(length - self.since + 1);
    }

    fn residual(&self, at: usize) -> f64 {
        at.checked_sub(self.since).map_or(f64::NAN, |place| self.residuals[place])
    }

    /// The mean residual of the last `count` steps before `origin`.
    fn mean_residual(&self, origin: usize, count: usize) -> f64 {
        match origin.checked_sub(count + self.since) {
            Some(from) => (self.sums[from + count] - self.sums[from]) / count as f64,
            None => f64::NAN,
        }
    }
}

/// Base and unit of the target of a row, in units of the track.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub(super) base: f64,
    pub(super) scale: f64,
}

impl Layout {
    /// Number of past steps that rows look back on, that is, how much of a history must be prepared to forecast it.
    pub(super) fn reach(&self) -> usize {
        (SAME_PLACE + 1) * self.analogs.season.max(8) + (SAME_LONG + 1) * self.analogs.long
    }

    /// The first possible origin of a row.
    pub(super) fn first(&self) -> usize {
        self.analogs.season + 2
    }

    pub(super) fn features(&self) -> Vec<Feature> {
        let mut names: Vec<String> = vec!["step".into()];
        let mut add = |name: &str, count: usize| names.extend((1..=count).map(|k| format!("{name}_{k}")));
        add("same_place", SAME_PLACE);
        add("same_place_residual", 2);
        add("same_long", SAME_LONG);
        add("same_long_residual", 1);
        add("residual", 2);
        add("mean_residual", 4);
        add("last", 3);
        add("level", 5);
        add("spread", 2);
        add("year_ago", 2);
        names.extend(["base".into(), "zeros".into()]);
        for column in 0..self.columns {
            let of = |what: &str| format!("covariate_{column}_{what}");
            names.extend(["raw", "value", "change", "next_change", "since_same_place"].map(of));
        }
        names.extend(self.recipe.names(self.frequency));
        let mut features: Vec<Feature> = names.into_iter().map(Feature::numeric).collect();
        if self.is_coded {
            features.push(Feature::categorical("series", Vec::new()));
        }
        features
    }

    /// The recipe's features of the past, for origins from `first` on.
    pub(super) fn past<'a>(&'a self, values: &'a [f64], first: usize) -> Past<'a> {
        Past::since(values, &self.recipe, first)
    }

    /// The frame of a row; none if the past does not vary.
    pub(super) fn frame(&self, track: &Track, origin: usize, target: usize) -> Option<Frame> {
        let season = track.season;
        if origin <= season {
            return None;
        }
        let window = (UNIT_SEASONS * season).max(UNIT_STEPS).min(origin - season);
        let whole = track.difference(season, origin);
        let scale = track.difference(origin - window, origin).max(LEAST_UNIT * whole);
        (scale > 0.0).then(|| Frame { base: self.analogs.base(track, origin, target), scale })
    }

    /// Writes the features of a row, as many as [`Layout::features`].
    pub(super) fn write(
        &self,
        prepared: &Prepared,
        past: &Past<'_>,
        origin: usize,
        target: usize,
        frame: Frame,
        out: &mut Vec<f64>,
    ) {
        let track = &prepared.track;
        let Frame { base, scale } = frame;
        let (season, long) = (self.analogs.season, self.analogs.long);
        let value = |at: Option<usize>| at.map_or(f64::NAN, |at| (track.values[at] - base) / scale);
        let residual = |at: Option<usize>| at.map_or(f64::NAN, |at| prepared.residual(at) / scale);
        let place =
            |season: usize, k: usize| target.checked_sub(((target - origin) / season + 1 + k) * season);
        let mean = |count: usize| origin.checked_sub(count).map_or(f64::NAN, |from| track.mean(from, origin));
        let level = track.mean(origin.saturating_sub(season.max(4)), origin);

        let step = target - origin + 1;
        out.push(step as f64);
        out.extend((0..SAME_PLACE).map(|k| value(place(season, k))));
        out.extend((0..2).map(|k| residual(place(season, k))));
        out.extend((0..SAME_LONG).map(|k| if long > season { value(place(long, k)) } else { f64::NAN }));
        out.push(if long > season { residual(place(long, 0)) } else { f64::NAN });
        out.extend((1..=2).map(|k| residual(origin.checked_sub(k))));
        for count in [season.max(4), 2 * season.max(4), 4 * season.max(4), long.max(8 * season.min(8))] {
            out.push(prepared.mean_residual(origin, count) / scale);
        }
        out.extend(
            (1..=3).map(|k| origin.checked_sub(k).map_or(f64::NAN, |at| (track.values[at] - level) / scale)),
        );
        for count in [season.max(4), 2 * season.max(4), 4 * season.max(4), 8 * season.max(4), long] {
            out.push((mean(count) - base) / scale);
        }
        for count in [season.max(4), 4 * season.max(4)] {
            out.push(
                origin.checked_sub(count).map_or(f64::NAN, |from| track.deviation(from, origin) / scale),
            );
        }
        let year =
            self.year().and_then(|year| target.checked_sub(year)).filter(|&at| at >= 3 && at + 3 < origin);
        out.push(value(year));
        out.push(year.map_or(f64::NAN, |at| (track.values[at] - track.mean(at - 3, at + 4)) / scale));
        out.push(base / scale);
        let recent = origin.saturating_sub(4 * season.max(8));
        out.push(track.zeros(recent, origin));
        for column in &track.columns {
            let known = target + 1 < column.values.len();
            out.push(column.values[target]);
            out.push(column.at(target));
            out.push(if target > 0 { column.at(target) - column.at(target - 1) } else { f64::NAN });
            out.push(if known { column.at(target + 1) - column.at(target) } else { f64::NAN });
            out.push(place(season, 0).map_or(f64::NAN, |at| column.at(target) - column.at(at)));
        }
        let from = out.len();
        let width = self.recipe.calendar_width(self.frequency);
        out.resize(from + width + self.recipe.history_width(), f64::NAN);
        write_calendar(&self.recipe, self.frequency, track.stamp(target), &mut out[from..from + width]);
        past.write(origin, step, Unit { level: base, scale }, &mut out[from + width..]);
        if self.is_coded {
            out.push(track.code.map_or(f64::NAN, |code| code as f64));
        }
    }

    /// A whole number of weeks close to a year, if no season has that length.
    fn year(&self) -> Option<usize> {
        (self.frequency.unit() == Steps::Day && self.frequency.multiple() == 1).then_some(364)
    }
}
