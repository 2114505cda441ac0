//! Series in which known facts were planted, and which of them were found.

use std::collections::{BTreeMap, BTreeSet};

use tabcast_explain::findings::{Backtest, Counts, Forecast, Series, SeriesFindings, Standing};
use tabcast_statistics::random::{normal, unit};

/// A series with what is true of it.
#[derive(Debug, Clone)]
pub(crate) struct Planted {
    pub(crate) history: Vec<f64>,
    pub(crate) season_length: usize,
    pub(crate) stale: usize,
    pub(crate) mean: Vec<f64>,
    pub(crate) lower: Vec<f64>,
    pub(crate) upper: Vec<f64>,
    pub(crate) errors: Vec<f64>,
    pub(crate) naive_errors: Vec<f64>,
    pub(crate) coverage: f64,
    pub(crate) facts: BTreeSet<&'static str>,
    /// What follows from the facts as well, or does not, as one sees it.
    pub(crate) either: BTreeSet<&'static str>,
}

impl Planted {
    pub(crate) fn series(&self) -> Series<'_> {
        Series {
            start: 0,
            history: &self.history,
            regressors: &[],
            season_length: self.season_length,
            newest: self.history.len() - 1 + self.stale,
            counts: Counts::default(),
            forecast: Forecast {
                mean: &self.mean,
                lower: &self.lower,
                median: &self.mean,
                upper: &self.upper,
            },
            backtest: Some(Backtest {
                errors: &self.errors,
                naive_errors: &self.naive_errors,
                naive_season: self.season_length,
                coverage: self.coverage,
            }),
        }
    }
}

/// Random numbers of one series.
struct Dice {
    seed: u64,
    thrown: u64,
}

impl Dice {
    fn unit(&mut self) -> f64 {
        self.thrown += 1;
        unit(self.seed, self.thrown)
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn pick(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    fn sign(&mut self) -> f64 {
        if self.unit() < 0.5 { -1.0 } else { 1.0 }
    }

    fn normals(&mut self, count: usize) -> Vec<f64> {
        self.thrown += 1;
        let seed = self.seed.wrapping_add(self.thrown << 32);
        (0..count).map(|index| normal(seed, index as u64)).collect()
    }
}

const SEASONS: [usize; 5] = [1, 4, 7, 12, 24];
/// What a history is planted with, in turn; what is named twice is combined.
const PLANTS: [&[&str]; 12] = [
    &[],
    &["trend"],
    &["season"],
    &["trend", "season"],
    &["outliers", "season"],
    &["level_shift"],
    &["level_shift", "season"],
    &["trend_change"],
    &["trend", "outliers"],
    &["intermittent"],
    &["short_history"],
    &["constant", "season"],
];

pub(crate) fn planted(seed: u64, count: usize) -> Vec<Planted> {
    (0..count).map(|index| one(Dice { seed: seed * 1_000_003 + index as u64, thrown: 0 }, index)).collect()
}

fn one(mut dice: Dice, index: usize) -> Planted {
    let plants = PLANTS[index % PLANTS.len()];
    let has = |plant: &str| plants.contains(&plant);
    let first = usize::from(has("season"));
    let season_length = SEASONS[first + dice.pick(SEASONS.len() - first)];
    let mut facts = BTreeSet::new();
    let mut either = BTreeSet::new();
    let cycles = dice.between(6.0, 14.0);
    let length = if has("short_history") { 24 } else { ((cycles * season_length as f64) as usize).max(60) };
    let mut history = if has("intermittent") {
        demands(&mut dice, length, &mut facts)
    } else {
        smooth(&mut dice, length, season_length, &has, (&mut facts, &mut either))
    };
    if has("short_history") {
        facts.insert("short_history");
    }
    if index % 5 == 3 && !has("constant") && !has("outliers") && !has("level_shift") {
        let share = dice.between(0.04, 0.35);
        for value in &mut history[1..length - 1] {
            if dice.unit() < share {
                *value = f64::NAN;
            }
        }
        history[length / 2] = f64::NAN;
        facts.insert("missing");
    }
    if plants.is_empty() && index % 24 == 12 {
        // Around zero: neither level nor percentages.
        let known: Vec<f64> = history.iter().copied().filter(|value| value.is_finite()).collect();
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        for value in &mut history {
            *value -= mean;
        }
        facts.insert("negatives");
    }
    let stale = if index % 7 == 2 { 3 + dice.pick(20) } else { dice.pick(3) };
    if stale > 2 {
        facts.insert("stale_end");
    }
    let mut planted = Planted {
        season_length,
        stale,
        mean: Vec::new(),
        lower: Vec::new(),
        upper: Vec::new(),
        errors: Vec::new(),
        naive_errors: Vec::new(),
        coverage: 0.0,
        history,
        facts,
        either,
    };
    forecast(&mut dice, &mut planted);
    backtest(&mut dice, &mut planted);
    planted
}

type Facts<'a> = (&'a mut BTreeSet<&'static str>, &'a mut BTreeSet<&'static str>);

fn smooth(
    dice: &mut Dice,
    length: usize,
    season_length: usize,
    has: &dyn Fn(&str) -> bool,
    (facts, either): Facts<'_>,
) -> Vec<f64> {
    let level = 10f64.powf(dice.between(1.0, 6.0));
    let noise = level * dice.between(0.005, 0.025);
    let persistence: f64 = if dice.unit() < 0.3 { 0.4 } else { 0.0 };
    let mut last = 0.0;
    let mut values: Vec<f64> = dice.normals(length);
    for value in &mut values {
        last = persistence * last + (1.0 - persistence * persistence).sqrt() * *value;
        *value = level + noise * last;
    }
    let bend = length * 2 / 3;
    if has("trend") {
        let total = if dice.unit() < 0.5 { dice.between(0.25, 0.8) } else { -dice.between(0.25, 0.5) };
        for (t, value) in values.iter_mut().enumerate() {
            *value += level * total * t as f64 / length as f64;
        }
        facts.insert(if total > 0.0 { "trend_up" } else { "trend_down" });
    }
    if has("trend_change") {
        let change = dice.sign() * dice.between(0.25, 0.5);
        for (t, value) in values.iter_mut().enumerate().skip(bend) {
            *value += level * change * (t - bend) as f64 / (length - bend) as f64;
        }
        facts.insert("trend_change");
        either.extend(["trend_up", "trend_down"]);
    }
    if has("season") {
        add_season(dice, &mut values, season_length, noise);
        facts.insert("season");
    }
    if has("level_shift") {
        let size = dice.sign() * (noise * dice.between(7.0, 12.0)).max(level * dice.between(0.15, 0.4));
        let at = (length as f64 * dice.between(0.77, 0.92)) as usize;
        for value in &mut values[at..] {
            *value += size;
        }
        facts.insert("level_shift");
    }
    if has("outliers") {
        for part in 0..=dice.pick(3) {
            let at = 8 + part * (length - 16) / 3 + dice.pick((length - 16) / 3 - 6);
            values[at] += dice.sign() * noise * dice.between(9.0, 20.0);
        }
        facts.insert("outliers");
    }
    if has("constant") {
        let from = length - length * 3 / 10;
        let value = values[from];
        values[from..].fill(value);
        facts.insert("constant");
        either.extend(["season", "trend_up", "trend_down", "trend_change", "level_shift", "outliers"]);
    }
    if has("short_history") {
        either.extend(["season", "trend_up", "trend_down"]);
    }
    values
}

fn add_season(dice: &mut Dice, values: &mut [f64], season_length: usize, noise: f64) {
    let height = noise * dice.between(2.0, 6.0);
    let pattern = dice.normals(season_length);
    let mean = pattern.iter().sum::<f64>() / season_length as f64;
    let spread = (pattern.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / season_length as f64).sqrt();
    for (t, value) in values.iter_mut().enumerate() {
        *value += height * (pattern[t % season_length] - mean) / spread;
    }
}

fn demands(dice: &mut Dice, length: usize, facts: &mut BTreeSet<&'static str>) -> Vec<f64> {
    let interval = dice.between(1.7, 6.0);
    let lumpy = dice.unit() < 0.5;
    let sizes = dice.normals(length);
    facts.insert("intermittent");
    if lumpy {
        facts.insert("lumpy");
    }
    let spread = if lumpy { 1.3 } else { 0.2 };
    (0..length)
        .map(|t| {
            if t == 0 || t == length - 1 || dice.unit() < 1.0 / interval {
                (3.0 + spread * sizes[t]).exp()
            } else {
                0.0
            }
        })
        .collect()
}

/// The season before times a factor, with a band of planted width and growth.
fn forecast(dice: &mut Dice, planted: &mut Planted) {
    let horizon = if planted.season_length > 1 { planted.season_length } else { 12 };
    let history = &planted.history;
    let factor = match dice.pick(3) {
        0 => 1.0 + dice.between(0.05, 0.4),
        1 => 1.0 - dice.between(0.05, 0.4),
        _ => 1.0 + dice.between(-0.02, 0.02),
    };
    let previous = &history[history.len() - horizon..];
    planted.mean =
        previous.iter().map(|value| if value.is_finite() { value * factor } else { 1.0 }).collect();
    let (before, after): (f64, f64) = previous
        .iter()
        .zip(&planted.mean)
        .filter(|(value, _)| value.is_finite())
        .fold((0.0, 0.0), |sums, (before, after)| (sums.0 + before, sums.1 + after));
    let size = previous.iter().filter(|value| value.is_finite()).map(|value| value.abs()).sum::<f64>();
    if (factor - 1.0).abs() > 0.03 && before != 0.0 {
        planted.facts.insert(if after > before { "rise" } else { "fall" });
    }
    // Around zero a sum may be small against its parts, and so is its change.
    if before.abs() < 0.7 * size {
        planted.either.extend(["rise", "fall"]);
    }
    let (growing, wide) = (dice.unit() < 0.3, dice.unit() < 0.3);
    let ratio = if growing { dice.between(3.5, 8.0) } else { dice.between(1.0, 2.7) };
    let relative = if wide { dice.between(0.6, 1.2) } else { dice.between(0.05, 0.4) };
    let size = planted.mean.iter().map(|mean| mean.abs()).sum::<f64>() / horizon as f64;
    let shape = |step: usize| 1.0 + (ratio - 1.0) * step as f64 / (horizon - 1) as f64;
    let mean_shape = (0..horizon).map(shape).sum::<f64>() / horizon as f64;
    let half = |step: usize| 0.5 * relative * size * shape(step) / mean_shape;
    planted.lower = planted.mean.iter().enumerate().map(|(step, mean)| mean - half(step)).collect();
    planted.upper = planted.mean.iter().enumerate().map(|(step, mean)| mean + half(step)).collect();
    if growing {
        planted.facts.insert("growing");
    }
    if wide {
        planted.facts.insert("wide");
    }
}

/// Errors of planted bias and skill against the naive ones, and a planted coverage.
fn backtest(dice: &mut Dice, planted: &mut Planted) {
    let steps = 30 + dice.pick(40);
    let known: Vec<f64> = planted.history.iter().copied().filter(|value| value.is_finite()).collect();
    let size = known.iter().map(|value| value.abs()).sum::<f64>() / known.len() as f64;
    let mut errors = dice.normals(steps);
    let mean = errors.iter().sum::<f64>() / steps as f64;
    let bias = if dice.unit() < 0.4 { dice.sign() * dice.between(0.08, 0.3) } else { 0.0 };
    for error in &mut errors {
        *error = size * (0.1 * (*error - mean) + bias);
    }
    if bias != 0.0 {
        planted.facts.insert(if bias > 0.0 { "too_high" } else { "too_low" });
        // A small bias among large errors of either sign.
        if bias.abs() < 0.1 {
            planted.either.insert(if bias > 0.0 { "too_high" } else { "too_low" });
        }
    }
    let (fact, ratio) = match dice.pick(3) {
        0 => ("clearly_better", dice.between(0.4, 0.75)),
        1 => ("slightly_better", dice.between(0.83, 0.97)),
        _ => ("not_better", dice.between(1.03, 2.0)),
    };
    planted.facts.insert(fact);
    let naive = dice.normals(steps);
    let absolute = |values: &[f64]| values.iter().map(|value| value.abs()).sum::<f64>();
    let stretch = absolute(&errors) / ratio / absolute(&naive);
    planted.naive_errors = naive.iter().map(|value| value * stretch).collect();
    planted.errors = errors;
    planted.coverage = match dice.pick(3) {
        0 => dice.between(0.3, 0.6),
        1 => 1.0,
        _ => dice.between(0.75, 0.85),
    };
    if planted.coverage < 0.7 {
        planted.facts.insert("too_narrow");
    } else if planted.coverage > 0.9 {
        planted.facts.insert("too_wide");
    }
}

/// The facts that the findings state.
pub(crate) fn stated(found: &SeriesFindings) -> BTreeSet<&'static str> {
    let trend = found.trend.as_ref().map(|trend| trend.slope > 0.0);
    let standing = found.accuracy.as_ref().map(|accuracy| accuracy.standing);
    let band = found.uncertainty.as_ref();
    let bias = found.bias.as_ref().map(|bias| bias.mean_error > 0.0);
    let coverage = found.coverage.as_ref().map(|coverage| coverage.too_narrow);
    let change = found.comparison.as_ref().filter(|one| !one.about_same).map(|one| one.change > 0.0);
    [
        ("trend_up", trend == Some(true)),
        ("trend_down", trend == Some(false)),
        ("trend_change", found.trend_change.is_some()),
        ("season", found.season.is_some()),
        ("level_shift", found.level_shift.is_some()),
        ("outliers", found.outliers.is_some()),
        ("intermittent", found.intermittent.is_some()),
        ("lumpy", found.intermittent.as_ref().is_some_and(|one| one.lumpy)),
        ("short_history", found.short_history.is_some()),
        ("missing", found.missing.is_some()),
        ("constant", found.constant.is_some()),
        ("negatives", found.negatives.is_some()),
        ("stale_end", found.stale_end.is_some()),
        ("growing", band.is_some_and(|band| band.growing)),
        ("wide", band.is_some_and(|band| band.wide)),
        ("clearly_better", standing == Some(Standing::ClearlyBetter)),
        ("slightly_better", standing == Some(Standing::SlightlyBetter)),
        ("not_better", standing == Some(Standing::NotBetter)),
        ("too_high", bias == Some(true)),
        ("too_low", bias == Some(false)),
        ("too_narrow", coverage == Some(true)),
        ("too_wide", coverage == Some(false)),
        ("rise", change == Some(true)),
        ("fall", change == Some(false)),
    ]
    .into_iter()
    .filter_map(|(fact, is_stated)| is_stated.then_some(fact))
    .collect()
}

/// How a rule did.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) planted: usize,
    pub(crate) stated: usize,
    /// Planted and stated.
    pub(crate) right: usize,
}

impl Score {
    pub(crate) fn precision(&self) -> f64 {
        if self.stated > 0 { self.right as f64 / self.stated as f64 } else { 1.0 }
    }

    pub(crate) fn recall(&self) -> f64 {
        if self.planted > 0 { self.right as f64 / self.planted as f64 } else { 1.0 }
    }
}

/// By rule, of what is not a matter of view.
pub(crate) fn score(series: &[(Planted, SeriesFindings)]) -> BTreeMap<&'static str, Score> {
    let mut scores: BTreeMap<&'static str, Score> = BTreeMap::new();
    for (planted, found) in series {
        let stated = stated(found);
        for &fact in planted.facts.difference(&planted.either) {
            let score = scores.entry(fact).or_default();
            score.planted += 1;
            score.right += usize::from(stated.contains(fact));
        }
        for &fact in stated.difference(&planted.either) {
            scores.entry(fact).or_default().stated += 1;
        }
    }
    scores
}
