//! Prior weights: which members suit a history before any backtest on the dataset at hand. A linear gate over features.
//!
//! The weights are the softmax of a linear function of the features, learned from backtests of training parts by
//! `bench/prior/train.py`; that script names its sources and measures the benefit. Classes without a table get equal
//! weights. Series without a season have no table: their yearly histories end in the same few years, so a gate mostly
//! learns how those years went. On the years after them it was worse than equal weights (yearly M4: OWA .794 against
//! .783).

mod tables;

use crate::combination::features::FEATURES;
use crate::history::class::Class;

/// Features are clipped at this many standard deviations.
const CLIP: f64 = 4.0;

struct Gate {
    names: &'static [&'static str],
    features: &'static [[f64; 2]],
    row: fn(usize) -> &'static [f64],
}

fn gate_of(class: Class) -> Option<Gate> {
    match class {
        Class::ShortSeason => Some(Gate {
            names: &tables::SHORT_SEASON_NAMES,
            features: &tables::SHORT_SEASON_FEATURES,
            row: |index| &tables::SHORT_SEASON_GATE[index],
        }),
        _ => None,
    }
}

/// Prior weights of `members` (registry names), which sum to 1. A member that the table does not contain gets an
/// average weight.
pub(crate) fn prior_weights(class: Class, members: &[&str], features: &[f64; FEATURES]) -> Vec<f64> {
    let Some(gate) = gate_of(class) else {
        return vec![1.0 / members.len().max(1) as f64; members.len()];
    };
    let inputs: Vec<f64> = features
        .iter()
        .zip(gate.features)
        .map(|(value, [mean, deviation])| ((value - mean) / deviation).clamp(-CLIP, CLIP))
        .collect();
    let score = |column: usize| -> f64 {
        let linear = inputs.iter().enumerate().map(|(index, input)| input * (gate.row)(index + 1)[column]);
        (gate.row)(0)[column] + linear.sum::<f64>()
    };
    let odds: Vec<f64> = members
        .iter()
        .map(|member| gate.names.iter().position(|name| name == member).map_or(0.0, score).exp())
        .collect();
    let total: f64 = odds.iter().sum();
    odds.iter().map(|odd| odd / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Preset;

    #[test]
    fn tables_know_the_members_of_best() {
        let class = Class::ShortSeason;
        let gate = gate_of(class).expect("a table");
        assert_eq!(gate.names, Preset::Best.members(class), "run bench/prior/train.py again");
        assert_eq!(gate.features.len(), FEATURES);
        assert!(gate.features.iter().all(|[_, deviation]| *deviation > 0.0));
        assert_eq!((gate.row)(FEATURES).len(), gate.names.len());
    }

    #[test]
    fn weights_sum_to_one_and_depend_on_the_features() {
        let members = Preset::Best.members(Class::ShortSeason);
        let calm = prior_weights(
            Class::ShortSeason,
            members,
            &[4.0, -0.4, 0.2, 0.0, 0.9, 0.1, 0.0, -1.0, 0.0, 1.0, 1.0, 2.5],
        );
        let trending = prior_weights(
            Class::ShortSeason,
            members,
            &[4.0, 0.4, 0.9, 0.9, 0.1, 1.0, 1.0, -1.0, 0.0, 1.0, 1.0, 2.5],
        );
        for weights in [&calm, &trending] {
            assert!(
                (weights.iter().sum::<f64>() - 1.0).abs() < 1e-12
                    && weights.iter().all(|weight| *weight > 0.0)
            );
        }
        assert_ne!(calm, trending);
        assert_eq!(prior_weights(Class::LongSeason, &["a", "b"], &[0.0; FEATURES]), [0.5, 0.5]);
    }
}
