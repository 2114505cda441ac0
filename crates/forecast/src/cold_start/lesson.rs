//! What cuts to one length teach.

use super::composite::{Composite, Rule, rules};
use super::cut::Cut;
use crate::calibration::{Band, Calibration, Outcome};
use crate::plan::BAND;
use crate::shares::weights_by_error;
use tabcast_statistics::normal_quantile;

/// Shares of the donors are multiples of one over this.
const GRID: usize = 10;
/// The usual misfit counts as much as that many observations.
const USUAL_WEIGHT: f64 = 10.0;
/// What is learned counts as much as even rules and half a share at this many cuts.
const PRIOR_CUTS: f64 = 5.0;

/// How series of about one length are forecast.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    /// Observations of the cuts.
    pub(super) length: usize,
    /// Weights of the rules, in their order.
    rules: Vec<f64>,
    /// What the donors count beside the models of the series.
    share: f64,
    /// Usual misfit in parts of the level.
    usual: f64,
    pub(super) calibration: Calibration,
}

/// A forecast before calibration.
#[derive(Clone, Debug)]
pub(super) struct Blend {
    pub(super) mean: Vec<f64>,
    pub(super) sd: f64,
}

impl Blend {
    /// Centre and band of a step.
    pub(super) fn band(&self, step: usize) -> Band {
        let reach = normal_quantile(BAND.1) * self.sd;
        let centre = self.mean[step];
        Band { centre, low: centre - reach, high: centre + reach }
    }
}

impl Lesson {
    /// None where nothing was cut.
    pub(super) fn learn(length: usize, cuts: &[Cut]) -> Option<Self> {
        let count = cuts.len() as f64;
        if cuts.is_empty() {
            return None;
        }
        let zeros = cuts.iter().flat_map(|cut| &cut.actual).filter(|value| **value == 0.0).count();
        // Where most outcomes are zero the size of errors alone favours saying zero.
        let squared = 2 * zeros > cuts.iter().map(|cut| cut.actual.len()).sum::<usize>();
        let trust = count / (count + PRIOR_CUTS);
        let rule_count = rules().count();
        let of_rule = |cut: &Cut, rule: usize| {
            let said = cut.composites[rule].as_ref().map_or(&cut.own, |composite| &composite.mean);
            cut.error(|step| said[step], squared)
        };
        let errors: Vec<Vec<f64>> =
            cuts.iter().map(|cut| (0..rule_count).map(|rule| of_rule(cut, rule)).collect()).collect();
        let rules: Vec<f64> = weights_by_error(&errors)
            .into_iter()
            .map(|weight| trust * weight + (1.0 - trust) / rule_count as f64)
            .collect();
        let mut misfits: Vec<f64> =
            cuts.iter().filter_map(|cut| Some(mixed(&rules, &cut.composites)?.misfit / cut.unit)).collect();
        misfits.sort_unstable_by(f64::total_cmp);
        let usual = misfits.get(misfits.len() / 2).copied()?;
        let mut lesson =
            Self { length, rules, share: 1.0, usual, calibration: Calibration::prior((1.0, 1.0)) };
        let blends: Vec<Option<Composite>> =
            cuts.iter().map(|cut| mixed(&lesson.rules, &cut.composites)).collect();
        let errors: Vec<Vec<f64>> = cuts
            .iter()
            .zip(&blends)
            .filter_map(|(cut, blend)| {
                let said = &blend.as_ref()?.mean;
                let at = |place: usize| {
                    let share = place as f64 / GRID as f64;
                    cut.error(|step| share * said[step] + (1.0 - share) * cut.own[step], squared)
                };
                Some((0..=GRID).map(at).collect())
            })
            .collect();
        let learned: f64 = weights_by_error(&errors)
            .iter()
            .enumerate()
            .map(|(place, weight)| weight * place as f64 / GRID as f64)
            .sum();
        lesson.share = trust * learned + (1.0 - trust) * 0.5;
        let outcomes: Vec<Outcome> = cuts
            .iter()
            .filter_map(|cut| Some((cut, lesson.blend(&cut.composites, &cut.own, cut.unit)?)))
            .flat_map(|(cut, blend)| {
                let outcome =
                    move |(step, &actual): (usize, &f64)| Outcome { step, band: blend.band(step), actual };
                cut.actual.iter().enumerate().map(outcome).collect::<Vec<_>>()
            })
            .collect();
        lesson.calibration = Calibration::learn((1.0, 1.0), &outcomes, cuts.len());
        Some(lesson)
    }

    /// What donors and own models say together about a series with this mean value.
    pub(super) fn blend(&self, composites: &[Option<Composite>], own: &[f64], unit: f64) -> Option<Blend> {
        let Composite { mean, misfit } = mixed(&self.rules, composites)?;
        let count = self.length as f64;
        let usual = (self.usual * unit).powi(2);
        let sd = ((count * misfit.powi(2) + USUAL_WEIGHT * usual) / (count + USUAL_WEIGHT)).sqrt();
        let mean = mean.iter().zip(own).map(|(said, own)| self.share * said + (1.0 - self.share) * own);
        Some(Blend { mean: mean.collect(), sd })
    }

    /// Rules that are worth their time.
    pub(super) fn rules(&self) -> impl Iterator<Item = Option<Rule>> + '_ {
        const LEAST: f64 = 0.01;
        rules().zip(&self.rules).map(|(rule, weight)| (*weight >= LEAST).then_some(rule))
    }
}

impl Cut {
    fn error(&self, said: impl Fn(usize) -> f64, squared: bool) -> f64 {
        let missed = |(step, actual): (usize, &f64)| {
            let error = (said(step) - actual).abs() / self.unit;
            if squared { error * error } else { error }
        };
        self.actual.iter().enumerate().map(missed).sum::<f64>() / self.actual.len() as f64
    }
}

/// The weighted mean of what the rules say; none where none applies.
fn mixed(weights: &[f64], composites: &[Option<Composite>]) -> Option<Composite> {
    let said: Vec<(f64, &Composite)> = weights
        .iter()
        .zip(composites)
        .filter_map(|(weight, composite)| Some((*weight, composite.as_ref()?)))
        .collect();
    let total: f64 = said.iter().map(|(weight, _)| weight).sum();
    let (_, first) = said.first()?;
    let mut mean = vec![0.0; first.mean.len()];
    let mut misfit = 0.0;
    for (weight, composite) in &said {
        misfit += weight / total * composite.misfit;
        for (sum, value) in mean.iter_mut().zip(&composite.mean) {
            *sum += weight / total * value;
        }
    }
    Some(Composite { mean, misfit })
}
