//! Aggregates all series of a job.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde::Serialize;

use super::concentration::concentration;
use super::tally::PanelAccuracy;
use super::total::Sum;
use super::{Concentration, Confidence, Rules, Series, SeriesFindings, Total, find};

/// Increase this when a field changes its meaning or is removed.
const VERSION: u32 = 1;

/// The findings in a panel, from which the explanation is written.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// Always 1.
    pub version: u32,
    /// Number of series with at least one observation.
    pub series: usize,
    /// Number of series without any.
    pub empty: usize,
    /// Number of series with a value beyond 1e300, which are not examined.
    pub beyond: usize,
    /// Length of the main season; 1 for none.
    pub season_length: usize,
    /// Index of the newest step of the history.
    pub newest: usize,
    /// The volume-weighted mean over the backtested series, or over all if there are none.
    pub confidence: Confidence,
    /// The id of the only series; None if there are several.
    pub item: Option<String>,
    /// The findings in the only series.
    pub single: Option<SeriesFindings>,
    /// The findings in the sum of several series.
    pub total: Option<Total>,
    /// For each rule, the number of series with a finding.
    pub rules: Rules,
    /// Errors of all series together.
    pub accuracy: PanelAccuracy,
    /// Whether few series make up most of the volume.
    pub concentration: Option<Concentration>,
}

impl Findings {
    /// The grid indices named here, ascending: they need a date.
    pub fn steps(&self) -> Vec<usize> {
        let mut steps = BTreeSet::from([self.newest]);
        for found in self.single.iter().chain(self.total.as_ref().map(|total| &total.findings)) {
            found.add_steps(&mut steps);
        }
        steps.into_iter().collect()
    }
}

/// Aggregates findings series by series; the order of the series decides the last digits, not the number of threads.
#[derive(Debug, Default)]
pub struct Panel {
    volumes: Vec<f64>,
    empty: usize,
    beyond: usize,
    season_length: usize,
    newest: usize,
    rules: Rules,
    accuracy: PanelAccuracy,
    sum: Sum,
    /// The backtested series, which may be a sample, and then the others.
    tested: Sums,
    untested: Sums,
    only: Option<(String, SeriesFindings)>,
}

impl Panel {
    /// Finds in parallel what stands out in each of the series, and adds it.
    pub fn add(&mut self, series: &[(&str, Series<'_>)]) {
        let found: Vec<SeriesFindings> = series.par_iter().map(|(_, series)| find(series)).collect();
        for ((id, series), found) in series.iter().zip(found) {
            self.add_found(id, series, found);
        }
    }

    /// Adds the result of [`find`] for a series.
    pub fn add_found(&mut self, id: &str, series: &Series<'_>, found: SeriesFindings) {
        self.season_length = self.season_length.max(series.season_length).max(1);
        self.newest = self.newest.max(series.newest);
        if found.steps == 0 {
            if series.is_beyond() {
                self.beyond += 1;
            } else {
                self.empty += 1;
            }
            return;
        }
        self.rules.add(id, &found);
        self.accuracy.add(series, &found);
        self.sum.add(series);
        let sums = if found.accuracy.is_some() { &mut self.tested } else { &mut self.untested };
        sums.add(&found.confidence, found.volume);
        self.volumes.push(found.volume);
        if self.volumes.len() == 1 {
            self.only = Some((id.chars().take(200).collect(), found));
        } else {
            self.only = None;
        }
    }

    /// The findings in all series.
    pub fn finish(mut self) -> Findings {
        self.rules.finish();
        self.accuracy.finish();
        let (item, single) = self.only.unzip();
        Findings {
            version: VERSION,
            series: self.volumes.len(),
            empty: self.empty,
            beyond: self.beyond,
            season_length: self.season_length.max(1),
            newest: self.newest,
            confidence: if self.tested.count > 0 { self.tested.mean() } else { self.untested.mean() },
            item,
            single,
            total: self.sum.finish(),
            rules: self.rules,
            accuracy: self.accuracy,
            concentration: concentration(&self.volumes),
        }
    }
}

/// Sums of confidences: weighted by volume, and unweighted for a panel of zeros.
#[derive(Debug, Default)]
struct Sums {
    weighted: [f64; PARTS],
    plain: [f64; PARTS],
    volume: f64,
    count: usize,
}

const PARTS: usize = 7;

impl Sums {
    fn add(&mut self, one: &Confidence, volume: f64) {
        let parts =
            [one.value, one.score, one.accuracy, one.coverage, one.depth, one.forecastability, one.quality];
        for (part, value) in parts.into_iter().enumerate() {
            self.weighted[part] += value * volume;
            self.plain[part] += value;
        }
        self.volume += volume;
        self.count += 1;
    }

    fn mean(&self) -> Confidence {
        let by_volume = self.volume > 0.0;
        let weight = if by_volume { self.volume } else { self.count.max(1) as f64 };
        let sums = if by_volume { self.weighted } else { self.plain };
        let [value, score, accuracy, coverage, depth, forecastability, quality] =
            sums.map(|sum| (sum / weight).clamp(0.0, 1.0));
        Confidence { value, score, accuracy, coverage, depth, forecastability, quality }
    }
}
