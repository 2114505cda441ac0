//! Learns the blend for cold starts from series cut to one length.

use serde::{Deserialize, Serialize};
use tabcast_statistics::normal_quantile;

use super::composite::{Composite, Rule};
use super::cut::Cut;
use crate::combination::blend_weights::weights_by_error;
use crate::intervals::calibration::{Band, Calibration, Outcome};
use crate::run::plan::BAND;

/// Weights of the donors are multiples of 1 / `GRID`.
const GRID: usize = 10;
/// The usual misfit counts as much as this many observations.
const USUAL_WEIGHT: f64 = 10.0;
/// With this many cuts, the learned weights count as much as equal rules and the usual weights.
const PRIOR_CUTS: f64 = 5.0;
/// Smaller weights are dropped to save time.
const LEAST: f64 = 0.01;
/// Usual weight of the donors beside the models of the series, and of the global models beside both.
const DONORS: f64 = 0.9;
const TREES: f64 = 0.0;

/// The forecast blend for series of about one length.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct BlendRule {
    /// Number of observations of the cuts.
    pub(super) length: usize,
    /// Weights of the rules, in their order.
    weights: Vec<f64>,
    /// The weight of the donors beside the models of the series.
    share: f64,
    /// The weight of the global models beside both.
    trees: f64,
    /// Usual misfit as a fraction of the level.
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

impl BlendRule {
    /// None if there are no cuts.
    pub(super) fn learn(length: usize, cuts: &[Cut], rule_count: usize) -> Option<Self> {
        let count = cuts.len() as f64;
        if cuts.is_empty() {
            return None;
        }
        let zeros = cuts.iter().flat_map(|cut| &cut.actual).filter(|value| **value == 0.0).count();
        // If most outcomes are zero, absolute errors favour forecasting zero.
        let squared = 2 * zeros > cuts.iter().map(|cut| cut.actual.len()).sum::<usize>();
        let trust = count / (count + PRIOR_CUTS);
        let of_rule = |cut: &Cut, rule: usize| {
            let said = cut.composites[rule].as_ref().map_or(&cut.own, |composite| &composite.mean);
            cut.error(|step| said[step], squared)
        };
        let errors: Vec<Vec<f64>> =
            cuts.iter().map(|cut| (0..rule_count).map(|rule| of_rule(cut, rule)).collect()).collect();
        let weights: Vec<f64> = weights_by_error(&errors)
            .into_iter()
            .map(|weight| trust * weight + (1.0 - trust) / rule_count as f64)
            .collect();
        let mut misfits: Vec<f64> =
            cuts.iter().filter_map(|cut| Some(mixed(&weights, &cut.composites)?.misfit / cut.unit)).collect();
        misfits.sort_unstable_by(f64::total_cmp);
        let usual = misfits.get(misfits.len() / 2).copied()?;
        let calibration = Calibration::prior((1.0, 1.0));
        let mut rule = Self { length, weights, share: DONORS, trees: TREES, usual, calibration };
        // Each component is weighted against the blend of those before it.
        let donors = |cut: &Cut| Some((mixed(&rule.weights, &cut.composites)?.mean, cut.own.clone()));
        rule.share = share(cuts, donors, DONORS, squared);
        let all = |cut: &Cut| {
            let trees = cut.trees.clone()?;
            Some((trees, rule.blend(&cut.composites, &cut.own, None, cut.unit)?.mean))
        };
        rule.trees = share(cuts, all, TREES, squared);
        let outcomes: Vec<Outcome> = cuts
            .iter()
            .filter_map(|cut| {
                Some((cut, rule.blend(&cut.composites, &cut.own, cut.trees.as_deref(), cut.unit)?))
            })
            .flat_map(|(cut, blend)| {
                let outcome =
                    move |(step, &actual): (usize, &f64)| Outcome { step, band: blend.band(step), actual };
                cut.actual.iter().enumerate().map(outcome).collect::<Vec<_>>()
            })
            .collect();
        rule.calibration = Calibration::learn((1.0, 1.0), &outcomes, cuts.len());
        Some(rule)
    }

    /// The combined forecast of donors, own models and global models for a series with this mean value.
    pub(super) fn blend(
        &self,
        composites: &[Option<Composite>],
        own: &[f64],
        trees: Option<&[f64]>,
        unit: f64,
    ) -> Option<Blend> {
        let Composite { mean, misfit } = mixed(&self.weights, composites)?;
        let count = self.length as f64;
        let usual = (self.usual * unit).powi(2);
        let sd = ((count * misfit.powi(2) + USUAL_WEIGHT * usual) / (count + USUAL_WEIGHT)).sqrt();
        let mut mean = between(&mean, own, self.share);
        if let Some(trees) = trees {
            mean = between(trees, &mean, self.trees);
        }
        Some(Blend { mean, sd })
    }

    /// Whether the global models have a weight.
    pub(super) fn asks_trees(&self) -> bool {
        self.trees >= LEAST
    }

    /// The rules whose weight is worth their time; none for the others.
    pub(super) fn chosen<'a>(&'a self, rules: &'a [Rule]) -> impl Iterator<Item = Option<Rule>> + 'a {
        rules.iter().zip(&self.weights).map(|(rule, weight)| (*weight >= LEAST).then_some(*rule))
    }
}

/// The weight of one component beside the others, from the errors of both on the cuts; close to `usual` where there are
/// few cuts.
fn share(
    cuts: &[Cut],
    said: impl Fn(&Cut) -> Option<(Vec<f64>, Vec<f64>)>,
    usual: f64,
    squared: bool,
) -> f64 {
    let at = |place: usize| place as f64 / GRID as f64;
    let errors: Vec<Vec<f64>> = cuts
        .iter()
        .filter_map(|cut| {
            let (voice, others) = said(cut)?;
            let of = |place| {
                let mean = between(&voice, &others, at(place));
                cut.error(|step| mean[step], squared)
            };
            Some((0..=GRID).map(of).collect())
        })
        .collect();
    let learned = weights_by_error(&errors).into_iter().enumerate().map(|(place, weight)| weight * at(place));
    let trust = errors.len() as f64 / (errors.len() as f64 + PRIOR_CUTS);
    if errors.is_empty() { usual } else { trust * learned.sum::<f64>() + (1.0 - trust) * usual }
}

/// The weighted mean of one component (`share`) and the others (the rest).
fn between(voice: &[f64], others: &[f64], share: f64) -> Vec<f64> {
    voice.iter().zip(others).map(|(voice, other)| share * voice + (1.0 - share) * other).collect()
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

/// The weighted mean of the rules' forecasts; none where no rule applies.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Series that continue at ten; the donors are off by one amount, the trees by another.
    fn rule(donors: f64, trees: Option<f64>) -> BlendRule {
        let of = |place: usize| if place.is_multiple_of(2) { 1.0 } else { -1.0 };
        let cut = |place: usize| Cut {
            own: vec![10.0 + 5.0 * of(place / 2); 4],
            trees: trees.map(|off| vec![10.0 + off * of(place / 3); 4]),
            composites: vec![Some(Composite { mean: vec![10.0 + donors * of(place); 4], misfit: 0.1 })],
            actual: vec![10.0; 4],
            unit: 10.0,
        };
        BlendRule::learn(8, &(0..100).map(cut).collect::<Vec<Cut>>(), 1).expect("a rule")
    }

    #[test]
    fn the_voice_that_is_right_counts() {
        assert!(rule(0.1, Some(9.0)).trees < 0.05);
        assert!(rule(5.0, Some(0.1)).trees > 0.9);
        assert!(rule(0.1, None).share > 0.9);
    }

    #[test]
    fn trees_that_never_said_anything_are_not_asked() {
        let rule = rule(5.0, None);
        assert!(!rule.asks_trees());
        let said = [Some(Composite { mean: vec![3.0; 4], misfit: 0.1 })];
        let without = rule.blend(&said, &[3.0; 4], None, 3.0).expect("a blend").mean;
        assert_eq!(rule.blend(&said, &[3.0; 4], Some(&[9.0; 4]), 3.0).expect("a blend").mean, without);
    }
}
