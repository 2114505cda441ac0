//! Counts the series with a finding, by rule.

use serde::Serialize;

use super::rules::{Standing, skill_of, standing_of};
use super::{Series, SeriesFindings};

/// The series in which a rule has a finding.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Extent {
    /// Number of these series.
    pub series: usize,
    /// Number of series that could be judged.
    pub of: usize,
    /// Their share of the volume of the judged series.
    pub volume_share: f64,
    /// The id of the series with the largest product of effect and volume.
    pub example: Option<String>,
    #[serde(skip)]
    volume: f64,
    #[serde(skip)]
    judged_volume: f64,
    #[serde(skip)]
    largest: f64,
}

impl Extent {
    /// `effect` is None without a finding.
    fn add(&mut self, id: &str, volume: f64, effect: Option<f64>) {
        self.of += 1;
        self.judged_volume += volume;
        let Some(effect) = effect else { return };
        self.series += 1;
        self.volume += volume;
        let weight = effect.abs() * volume;
        if self.example.is_none() || weight > self.largest {
            self.largest = weight;
            // Ids may be long; nobody reads more than this.
            self.example = Some(id.chars().take(200).collect());
        }
    }

    fn finish(&mut self) {
        self.volume_share = if self.judged_volume > 0.0 { self.volume / self.judged_volume } else { 0.0 };
    }
}

/// The extent of each rule. A share of volume weights each series by its mean absolute value.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Rules {
    /// Series with an upward trend.
    pub trend_up: Extent,
    /// Series with a downward trend.
    pub trend_down: Extent,
    /// Series whose trend changed.
    pub trend_change: Extent,
    /// Series with a season.
    pub season: Extent,
    /// Of these, series with a strong one.
    pub strong_season: Extent,
    /// Series with a level shift.
    pub level_shift: Extent,
    /// Series in which more than 1 % of the steps are outliers.
    pub outliers: Extent,
    /// Intermittent series.
    pub intermittent: Extent,
    /// Of these, lumpy ones.
    pub lumpy: Extent,
    /// Series with a short history.
    pub short_history: Extent,
    /// Series with missing steps or duplicate rows.
    pub missing: Extent,
    /// Series that stopped changing.
    pub constant: Extent,
    /// Series with values below zero.
    pub negatives: Extent,
    /// Series that end early.
    pub stale_end: Extent,
    /// Series with a wide interval.
    pub wide: Extent,
    /// Series whose interval widens strongly.
    pub growing: Extent,
    /// Series forecast clearly better than by the seasonal naive forecast.
    pub clearly_better: Extent,
    /// Series forecast slightly better.
    pub slightly_better: Extent,
    /// Series not forecast better.
    pub not_better: Extent,
    /// Series with forecasts that were too high.
    pub too_high: Extent,
    /// Series with forecasts that were too low.
    pub too_low: Extent,
    /// Series whose interval was too narrow.
    pub too_narrow: Extent,
    /// Series whose interval was too wide.
    pub too_wide: Extent,
    /// Series whose forecast is at least 3 % above the season before.
    pub rise: Extent,
    /// Series whose forecast is at least 3 % below it.
    pub fall: Extent,
}

impl Rules {
    pub(super) fn add(&mut self, id: &str, found: &SeriesFindings) {
        let volume = found.volume;
        let size = volume.max(f64::MIN_POSITIVE);
        let add = |extent: &mut Extent, effect: Option<f64>| extent.add(id, volume, effect);
        let trend = found.trend.as_ref().map(|trend| trend.change / size);
        add(&mut self.trend_up, trend.filter(|change| *change > 0.0));
        add(&mut self.trend_down, trend.filter(|change| *change < 0.0));
        add(
            &mut self.trend_change,
            found.trend_change.as_ref().map(|change| (change.after - change.before) / size),
        );
        let season = found.season.as_ref();
        add(&mut self.season, season.map(|season| season.strength));
        add(&mut self.strong_season, season.filter(|season| season.strong).map(|season| season.strength));
        add(&mut self.level_shift, found.level_shift.as_ref().map(|shift| shift.size / size));
        let many = found.outliers.as_ref().filter(|outliers| outliers.share > 0.01);
        add(&mut self.outliers, many.map(|outliers| outliers.share));
        let intermittent = found.intermittent.as_ref();
        add(&mut self.intermittent, intermittent.map(|demand| demand.zero_share));
        add(&mut self.lumpy, intermittent.filter(|demand| demand.lumpy).map(|demand| demand.variation));
        add(&mut self.short_history, found.short_history.as_ref().map(|_| 1.0));
        add(&mut self.missing, found.missing.as_ref().map(|missing| missing.share));
        add(&mut self.constant, found.constant.as_ref().map(|constant| constant.steps as f64));
        add(&mut self.negatives, found.negatives.as_ref().map(|negatives| negatives.share));
        add(&mut self.stale_end, found.stale_end.as_ref().map(|stale| stale.steps as f64));
        if found.outlook.as_ref().is_some_and(|outlook| outlook.last_lower.is_some()) {
            let band = found.uncertainty.as_ref();
            add(&mut self.wide, band.filter(|band| band.wide).and_then(|band| band.relative));
            add(&mut self.growing, band.filter(|band| band.growing).and_then(|band| band.ratio));
        }
        if let Some(accuracy) = &found.accuracy {
            let of = |standing| (accuracy.standing == standing).then_some(accuracy.skill);
            add(&mut self.clearly_better, of(Standing::ClearlyBetter));
            add(&mut self.slightly_better, of(Standing::SlightlyBetter));
            add(&mut self.not_better, of(Standing::NotBetter));
            let bias = found.bias.as_ref().map(|bias| bias.relative);
            add(&mut self.too_high, bias.filter(|bias| *bias > 0.0));
            add(&mut self.too_low, bias.filter(|bias| *bias < 0.0));
            if accuracy.coverage.is_some() {
                let coverage = found.coverage.as_ref();
                add(&mut self.too_narrow, coverage.filter(|one| one.too_narrow).map(|one| one.share - 0.8));
                add(&mut self.too_wide, coverage.filter(|one| !one.too_narrow).map(|one| one.share - 0.8));
            }
        }
        if let Some(comparison) = &found.comparison {
            let change = (!comparison.about_same).then_some(comparison.change / size);
            add(&mut self.rise, change.filter(|change| *change > 0.0));
            add(&mut self.fall, change.filter(|change| *change < 0.0));
        }
    }

    pub(super) fn finish(&mut self) {
        for extent in self.all() {
            extent.finish();
        }
    }

    fn all(&mut self) -> [&mut Extent; 25] {
        [
            &mut self.trend_up,
            &mut self.trend_down,
            &mut self.trend_change,
            &mut self.season,
            &mut self.strong_season,
            &mut self.level_shift,
            &mut self.outliers,
            &mut self.intermittent,
            &mut self.lumpy,
            &mut self.short_history,
            &mut self.missing,
            &mut self.constant,
            &mut self.negatives,
            &mut self.stale_end,
            &mut self.wide,
            &mut self.growing,
            &mut self.clearly_better,
            &mut self.slightly_better,
            &mut self.not_better,
            &mut self.too_high,
            &mut self.too_low,
            &mut self.too_narrow,
            &mut self.too_wide,
            &mut self.rise,
            &mut self.fall,
        ]
    }
}

/// Summed errors of all backtested series.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PanelAccuracy {
    /// Number of series.
    pub series: usize,
    /// Sum of their mean absolute errors.
    pub error: f64,
    /// The same of the seasonal naive forecasts.
    pub naive_error: f64,
    /// `1 - error / naive_error`.
    pub skill: f64,
    /// The verdict on the skill.
    pub standing: Option<Standing>,
    /// Length of the season that the naive forecasts repeat; 1 for the last value.
    pub season_length: usize,
    /// Mean coverage, weighted by volume; None if unknown.
    pub coverage: Option<f64>,
    #[serde(skip)]
    covered: (f64, f64),
}

impl PanelAccuracy {
    pub(super) fn add(&mut self, series: &Series<'_>, found: &SeriesFindings) {
        let Some(accuracy) = &found.accuracy else { return };
        let season = series.backtest.map_or(0, |backtest| backtest.naive_season);
        self.season_length = self.season_length.max(season);
        self.series += 1;
        self.error += accuracy.error;
        self.naive_error += accuracy.naive_error;
        if let Some(coverage) = accuracy.coverage {
            self.covered.0 += coverage * found.volume;
            self.covered.1 += found.volume;
        }
    }

    pub(super) fn finish(&mut self) {
        self.season_length = self.season_length.max(1);
        self.skill = skill_of(self.error, self.naive_error);
        self.standing = (self.series > 0).then(|| standing_of(self.skill));
        self.coverage = (self.covered.1 > 0.0).then(|| self.covered.0 / self.covered.1);
    }
}
