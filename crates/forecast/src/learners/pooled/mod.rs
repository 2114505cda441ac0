//! One network for all series of a class. It learns what the series of a panel have in common, which no model of a
//! single series can see.
//!
//! A global model learns from every series at once, and may therefore be more complex than any single series would
//! allow (Montero-Manso and Hyndman, Principles and algorithms for forecasting groups of time series: locality and
//! globality, International Journal of Forecasting 37, 2021). Every stretch of history is centred on the mean of its
//! last season and scaled by its own standard deviation; a small network ([`tabcast_statistics::network`]) maps it to
//! all steps of the horizon at once. The median length of the histories and the horizon determine three lookbacks, and
//! the mean of three networks is the forecast, as in the ensembles of Oreshkin, Carpov, Chapados and Bengio, N-BEATS
//! (ICLR 2020). The loss is theirs too: the absolute error scaled by seasonal differences.
//!
//! Networks are trained twice in a run: for the backtests on what was known before the first held-back window of each
//! series, and for the forecasts on everything. No pretrained network is shipped; a panel of few or short series has no
//! such member.

mod example;
mod learner;
mod panel;

use example::{Example, Unit, write_inputs};
use learner::{Learned, learn, most_examples};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use tabcast_models::{Forecast, Shape};
use tabcast_statistics::network::{Activations, ROWS, Random};

pub(crate) use panel::{PooledPanel, TrainingSeries};

/// The member's name.
pub(crate) const NAME: &str = "pooled_network";

/// Fewer series have little in common that each does not show by itself.
const LEAST_SERIES: usize = 30;
/// Fewer examples cannot train a network of thousands of parameters.
const LEAST_EXAMPLES: usize = 1_500;
/// Lookbacks, in units of the horizon or of two seasons, whichever is longer.
const LOOKBACKS: [f64; 3] = [1.5, 3.0, 5.0];
/// The longest lookback, as a fraction of the median history without its last horizon: inputs that training hardly ever
/// sees are worth nothing in forecasts.
const LONGEST_PART: f64 = 0.75;
/// The longest lookback and the longest horizon in steps, to bound the work.
const LONGEST: usize = 512;
/// The shortest past of an example or a forecast.
const SHORTEST_PAST: usize = 6;
/// Steps older than this are not used for training.
const REMEMBERED: usize = 1_500;
/// The standard deviation of a normal distribution in units of its mean absolute deviation.
const DEVIATIONS: f64 = 1.253_314_137_315_5;

/// The networks of the class, one per lookback.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct PooledNetworks {
    networks: Vec<(usize, Learned)>,
    season: usize,
    /// Number of steps ahead that were trained.
    horizon: usize,
}

impl PooledNetworks {
    /// Trains on the histories of a class; `season` is 1 for none. None if they are too few or too short, or once
    /// `stop` is set. Deterministic for any number of threads.
    pub(crate) fn learn(
        histories: &[&[f64]],
        season: usize,
        horizon: usize,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Option<Self> {
        let shortest = SHORTEST_PAST.max(season) + least_future(horizon);
        let usable: Vec<&[f64]> = histories
            .iter()
            .map(|history| &history[history.len().saturating_sub(REMEMBERED)..])
            .filter(|history| history.len() >= shortest)
            .collect();
        if usable.len() < LEAST_SERIES || horizon > LONGEST {
            return None;
        }
        let lookbacks = lookbacks(&usable, season, horizon);
        let networks = lookbacks
            .into_par_iter()
            .enumerate()
            .map(|(place, lookback)| {
                let seed = seed(place);
                let examples = examples(&usable, lookback, horizon, season, &mut Random::new(seed));
                let learned = (examples.len() >= LEAST_EXAMPLES)
                    .then(|| learn(&examples, lookback, horizon, seed, stop))
                    .flatten();
                learned.map(|learned| (lookback, learned))
            })
            .collect::<Option<Vec<_>>>()?;
        let known =
            |learned: &Learned| learned.seen.iter().take_while(|&&seen| seen >= LEAST_EXAMPLES).count();
        let horizon = networks.iter().map(|(_, learned)| known(learned)).min()?;
        Some(Self { networks, season, horizon })
    }

    /// The seeds of each network: they determine its examples and initial parameters.
    pub(crate) fn seeds(&self) -> Vec<u64> {
        (0..self.networks.len()).map(seed).collect()
    }

    /// Forecasts at most as many steps as were trained; none if the history is too short or does not vary.
    pub(crate) fn forecast(&self, values: &[f64], horizon: usize) -> Option<Forecast> {
        if values.len() < SHORTEST_PAST.max(self.season) || horizon > self.horizon {
            return None;
        }
        let share = (self.networks.len() as f64).recip();
        let (mut mean, mut sd) = (vec![0.0; horizon], vec![0.0; horizon]);
        let mut activations = Activations::default();
        for (lookback, Learned { network, errors, .. }) in &self.networks {
            let stretch = &values[values.len().saturating_sub(*lookback)..];
            let unit = Unit::of(stretch, self.season)?;
            let mut inputs = vec![0.0; ROWS * network.inputs];
            write_inputs(&mut inputs[..network.inputs], stretch, &unit);
            network.apply(&inputs, &mut activations);
            for step in 0..horizon {
                mean[step] += share * unit.restore(activations.outputs[step]);
                sd[step] += share * DEVIATIONS * errors[step] * unit.deviation;
            }
        }
        Some(Forecast { mean, sd, shape: Shape::Normal })
    }
}

/// The seed of the network at an index; the same in every run.
fn seed(place: usize) -> u64 {
    place as u64 + 1
}

/// The shortest future of an example: in short histories, half a horizon is worth learning from.
fn least_future(horizon: usize) -> usize {
    horizon.div_ceil(2)
}

/// The lookback of each network.
fn lookbacks(histories: &[&[f64]], season: usize, horizon: usize) -> [usize; 3] {
    let mut lengths: Vec<usize> = histories.iter().map(|history| history.len()).collect();
    lengths.sort_unstable();
    let room = lengths[lengths.len() / 2].saturating_sub(horizon);
    let cap = ((LONGEST_PART * room as f64) as usize).max(season + 2).clamp(SHORTEST_PAST, LONGEST);
    let one = horizon.max(2 * season).max(4) as f64;
    LOOKBACKS.map(|factor| ((factor * one) as usize).min(cap))
}

/// Examples at random origins, equally many per series where the series has enough.
fn examples<'a>(
    histories: &[&'a [f64]],
    lookback: usize,
    horizon: usize,
    season: usize,
    random: &mut Random,
) -> Vec<Example<'a>> {
    let wanted = most_examples(lookback, horizon);
    // With more series than examples, only every `stride`-th series gives one.
    let stride = histories.len().div_ceil(wanted.max(1)).max(1);
    let chosen: Vec<&'a [f64]> = histories.iter().copied().step_by(stride).collect();
    let first = SHORTEST_PAST.max(season);
    let mut left = wanted;
    let mut examples = Vec::with_capacity(wanted);
    for (place, values) in chosen.iter().enumerate() {
        let share = left / (chosen.len() - place);
        let mut origins: Vec<usize> = (first..=values.len() - least_future(horizon)).collect();
        random.choose(&mut origins, share);
        origins.truncate(share);
        let found =
            origins.iter().filter_map(|&origin| Example::at(values, origin, lookback, horizon, season));
        let before = examples.len();
        examples.extend(found);
        left -= examples.len() - before;
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Series that repeat a pattern of four steps, each with its own level, scale, slope and phase.
    fn histories(count: usize, length: usize) -> Vec<Vec<f64>> {
        let mut random = Random::new(11);
        (0..count)
            .map(|_| {
                let mut draw = || f64::from(random.symmetric());
                let (level, size, slope, phase) =
                    (50.0 + 20.0 * draw(), 3.0 + draw(), 0.3 * draw(), 2.0 * draw());
                (0..length)
                    .map(|t| {
                        level
                            + slope * t as f64
                            + size * (std::f64::consts::FRAC_PI_2 * t as f64 + phase).sin()
                            + 0.2 * draw()
                    })
                    .collect()
            })
            .collect()
    }

    fn learn(histories: &[Vec<f64>], horizon: usize) -> Option<PooledNetworks> {
        let slices: Vec<&[f64]> = histories.iter().map(Vec::as_slice).collect();
        PooledNetworks::learn(&slices, 4, horizon, &|| false)
    }

    #[test]
    fn what_series_have_in_common_is_learned() {
        let histories = histories(90, 48);
        let pasts: Vec<Vec<f64>> = histories.iter().map(|history| history[..40].to_vec()).collect();
        let networks = learn(&pasts, 8).expect("enough to learn from");
        let (mut pooled, mut naive) = (0.0, 0.0);
        for history in &histories {
            let forecast = networks.forecast(&history[..40], 8).expect("a forecast");
            for step in 0..8 {
                pooled += (forecast.mean[step] - history[40 + step]).abs();
                naive += (history[36 + step % 4] - history[40 + step]).abs();
            }
            assert!(forecast.sd.iter().all(|sd| *sd > 0.0));
        }
        assert!(pooled < 0.7 * naive, "{pooled} and {naive}");
    }

    #[test]
    fn networks_do_not_depend_on_the_number_of_threads() {
        let histories = histories(60, 40);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            pool.install(|| learn(&histories, 6).expect("networks").forecast(&histories[0], 6))
        };
        assert_eq!(with(1), with(3));
    }

    #[test]
    fn little_to_learn_from_and_an_interruption_give_none() {
        assert!(learn(&histories(LEAST_SERIES - 1, 80), 6).is_none());
        assert!(learn(&histories(40, 20), 6).is_none());
        assert!(learn(&histories(60, 40), LONGEST + 1).is_none());
        let histories = histories(60, 40);
        let slices: Vec<&[f64]> = histories.iter().map(Vec::as_slice).collect();
        assert!(PooledNetworks::learn(&slices, 4, 6, &|| true).is_none());
    }

    #[test]
    fn forecasts_follow_level_and_scale_and_are_finite_for_odd_histories() {
        let networks = learn(&histories(60, 40), 6).expect("networks");
        let usual = histories(1, 40).remove(0);
        let forecast = networks.forecast(&usual, 6).expect("a forecast");
        for (scale, level) in [(1e-9, 0.0), (1e15, 0.0), (2.0, -300.0)] {
            let moved: Vec<f64> = usual.iter().map(|value| level + scale * value).collect();
            let other = networks.forecast(&moved, 6).expect("a forecast");
            for (a, b) in forecast.mean.iter().zip(&other.mean) {
                assert!(((b - level) / scale - a).abs() < 1e-3, "{scale} {level}");
            }
        }
        let mut spike = vec![0.0; 40];
        spike[39] = 1e300;
        let swing: Vec<f64> = (0..40).map(|t| if t % 2 == 0 { f64::MAX } else { -f64::MAX }).collect();
        for odd in [&spike, &swing] {
            if let Some(forecast) = networks.forecast(odd, 6) {
                assert!(forecast.sd.iter().all(|sd| !sd.is_nan()));
            }
        }
        assert!(networks.forecast(&[5.0; 40], 6).is_none(), "it does not vary");
        assert!(networks.forecast(&usual[..5], 6).is_none(), "too short");
        assert!(networks.forecast(&usual, 7).is_none(), "further than was learned");
    }
}
