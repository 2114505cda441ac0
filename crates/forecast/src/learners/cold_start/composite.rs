//! The forecast of a series from its donors, by one rule.

use serde::{Deserialize, Serialize};

use crate::learners::cold_start::view::View;

/// How the level is computed, and how strongly similarity counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Rule {
    /// The weight of an observation relative to the next one.
    pub(super) fading: f64,
    /// The power of the distance in a donor's weight.
    pub(super) power: f64,
    /// The weight of a donor's usual season relative to its forecast.
    pub(super) usual: f64,
}

/// Every rule that is tried. Without forecasts of the donors there is only their usual season, and one power is enough:
/// a forecast that costs nothing should not wait for a search.
pub(super) fn rules(has_forecasts: bool) -> Vec<Rule> {
    let (usual, powers): (&[f64], &[f64]) =
        if has_forecasts { (&[0.0, 0.5, 1.0], &[0.0, 1.0, 2.0, 4.0]) } else { (&[1.0], &[2.0]) };
    let mut rules = Vec::new();
    for &usual in usual {
        for fading in [1.0, 0.8, 0.5] {
            rules.extend(powers.iter().map(|&power| Rule { fading, power, usual }));
        }
    }
    rules
}

/// Lower limit of a distance, as a fraction of the median one: a few observations are alike by chance.
const CHANCE: f64 = 0.1;
/// Donors whose level was below this fraction of their usual level are left out: their future steps would be out of
/// proportion.
const LEAST_LEVEL: f64 = 0.1;
/// Number of values in the mean that gives the usual level.
const USUAL: usize = 100;

/// A forecast from donors, and how well they fit the known values.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Composite {
    pub(super) mean: Vec<f64>,
    /// Root mean square error of the donors on the known values.
    pub(super) misfit: f64,
}

/// Forecasts the steps after the `known` values, which are not negative. None if they or all donors are zero.
pub(super) fn composite<'a>(
    known: &[f64],
    donors: impl Iterator<Item = View<'a>>,
    rule: Rule,
) -> Option<Composite> {
    let count = known.len();
    let own = level(known, rule.fading);
    let parts: Vec<(View<'a>, f64, f64)> = donors
        .filter(|donor| donor.past.len() >= count)
        .filter_map(|donor| {
            let past = &donor.past[donor.past.len() - count..];
            let other = level(past, rule.fading);
            let usual = level(&donor.past[donor.past.len().saturating_sub(USUAL)..], 1.0);
            let miss = |(known, past): (&f64, &f64)| (known / own - past / other).powi(2);
            let distance = known.iter().zip(past).map(miss).sum::<f64>() / count as f64;
            let usable = other > 0.0 && other >= LEAST_LEVEL * usual && distance.is_finite();
            usable.then_some((View { past, ..donor }, other, distance))
        })
        .collect();
    if !(own > 0.0 && own.is_finite()) || parts.is_empty() {
        return None;
    }
    let mut distances: Vec<f64> = parts.iter().map(|(_, _, distance)| *distance).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let chance = CHANCE * distances[distances.len() / 2] + f64::MIN_POSITIVE;
    let nearest = distances[0] + chance;
    let weight = |distance: f64| (nearest / (distance + chance)).powf(rule.power);
    let total: f64 = parts.iter().map(|(_, _, distance)| weight(*distance)).sum();
    let horizon = parts.iter().map(|(view, ..)| view.ahead.len()).min().unwrap_or(0);
    let (mut mean, mut fitted) = (vec![0.0; horizon], vec![0.0; count]);
    for (view, other, distance) in &parts {
        let part = own * weight(*distance) / total / other;
        let steps: Vec<f64> = (1..=count).rev().map(|back| view.usual_at(-(back as isize))).collect();
        let usual = level(&steps, rule.fading);
        let share = if usual > 0.0 { rule.usual } else { 0.0 };
        for (step, (sum, value)) in mean.iter_mut().zip(view.ahead).enumerate() {
            let season = if share > 0.0 { view.usual_at(step as isize) / usual * other } else { 0.0 };
            *sum += part * ((1.0 - share) * value + share * season);
        }
        for (sum, value) in fitted.iter_mut().zip(view.past) {
            *sum += part * value;
        }
    }
    let squares: f64 = known.iter().zip(&fitted).map(|(known, fitted)| (known - fitted).powi(2)).sum();
    let misfit = (squares / count as f64).sqrt();
    (misfit.is_finite() && mean.iter().all(|mean| mean.is_finite())).then_some(Composite { mean, misfit })
}

/// Weighted mean of the values; later ones count more.
pub(super) fn level(values: &[f64], fading: f64) -> f64 {
    let (mut sum, mut total, mut weight) = (0.0, 0.0, 1.0);
    for value in values.iter().rev() {
        sum += weight * value;
        total += weight;
        weight *= fading;
    }
    sum / total
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Rule = Rule { fading: 1.0, power: 2.0, usual: 0.0 };

    #[test]
    fn the_donor_that_is_alike_decides() {
        let alike = View { past: &[9.0, 10.0, 20.0, 30.0], ahead: &[10.0, 20.0], season: &[1.0] };
        let other = View { past: &[9.0, 30.0, 20.0, 10.0], ahead: &[90.0, 90.0], season: &[1.0] };
        let found = composite(&[1.0, 2.0, 3.0], [alike, other].into_iter(), RULE).expect("a forecast");
        assert!((found.mean[0] - 1.0).abs() < 0.2 && (found.mean[1] - 2.0).abs() < 0.2, "{found:?}");
        assert!(found.misfit < 0.1, "{found:?}");
    }

    #[test]
    fn the_usual_season_goes_on_where_the_rule_asks_for_it() {
        let donor = View { past: &[10.0, 20.0, 30.0], ahead: &[90.0, 90.0], season: &[10.0, 20.0, 30.0] };
        let rule = Rule { usual: 1.0, ..RULE };
        let found = composite(&[2.0, 3.0], [donor].into_iter(), rule).expect("a forecast");
        assert!((found.mean[0] - 1.0).abs() < 1e-12 && (found.mean[1] - 2.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn a_unit_is_a_unit() {
        let donor = View { past: &[3.0, 5.0, 4.0], ahead: &[6.0], season: &[1.0] };
        let other = View { past: &[30.0, 20.0, 40.0], ahead: &[50.0], season: &[1.0] };
        let say = |unit: f64| {
            let known = [unit, 2.0 * unit];
            composite(&known, [donor, other].into_iter(), RULE).expect("a forecast").mean[0] / unit
        };
        assert!((say(1.0) - say(1e9)).abs() < 1e-9 && (say(1.0) - say(1e-9)).abs() < 1e-9);
    }

    #[test]
    fn nothing_comes_of_zeros() {
        let donor = View { past: &[1.0, 2.0], ahead: &[1.0], season: &[1.0] };
        let silent = View { past: &[0.0, 0.0], ahead: &[1.0], season: &[1.0] };
        assert_eq!(composite(&[0.0, 0.0], [donor].into_iter(), RULE), None);
        assert_eq!(composite(&[1.0, 2.0], [silent].into_iter(), RULE), None);
    }
}
