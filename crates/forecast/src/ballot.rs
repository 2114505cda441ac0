//! The two levels of a combination: the models of the series among themselves, then the models of all series beside them.

use tabcast_models::Forecast;

use crate::calibration::{Band, Calibration};
use crate::class::Class;
use crate::shares::Shares;
use crate::vote::{self, Vote};

/// What all members say about a series.
#[derive(Debug)]
pub(crate) struct Ballot<'a> {
    local: Vec<Vote<'a>>,
    /// Weights are parts of the whole; the local votes have what is left.
    global: Vec<Vote<'a>>,
}

impl<'a> Ballot<'a> {
    /// Shares of members without a forecast fall to the local votes; with none of these, the global ones decide alone.
    pub(crate) fn new(local: Vec<Vote<'a>>, global: &'a [Option<Forecast>], shares: &Shares) -> Self {
        let mut global: Vec<Vote<'a>> = global
            .iter()
            .zip(shares.of_members())
            .filter_map(|(forecast, weight)| forecast.as_ref().map(|forecast| Vote { forecast, weight }))
            .filter(|vote| vote.weight > 0.0)
            .collect();
        if local.is_empty() {
            let total: f64 = global.iter().map(|vote| vote.weight).sum();
            for vote in &mut global {
                vote.weight /= total;
            }
        }
        Self { local, global }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.local.is_empty() && self.global.is_empty()
    }

    fn join(&self, local: impl FnOnce(&[Vote<'a>]) -> f64, value: impl Fn(&Forecast) -> f64) -> f64 {
        let (mut sum, mut left) = (0.0, 1.0);
        for vote in &self.global {
            sum += vote.weight * value(vote.forecast);
            left -= vote.weight;
        }
        if self.local.is_empty() {
            sum
        } else if self.global.is_empty() {
            local(&self.local)
        } else {
            sum + left * local(&self.local)
        }
    }

    /// The combined mean of a step; `room` is working storage.
    pub(crate) fn mean(&self, step: usize, room: &mut Vec<(f64, f64)>) -> f64 {
        self.join(|votes| vote::combined_mean(votes, step, room), |forecast| forecast.mean[step])
    }

    /// The combined centre and band of a step, before calibration.
    pub(crate) fn band(&self, step: usize, room: &mut Vec<(f64, f64)>) -> Band {
        let mut at = |level: f64| {
            self.join(
                |votes| vote::combined(votes, room, |forecast| forecast.quantile(step, level)),
                |forecast| forecast.quantile(step, level),
            )
        };
        Band { centre: at(0.5), low: at(crate::plan::BAND.0), high: at(crate::plan::BAND.1) }
    }

    /// The combined quantile of a step at a level with its normal score. Intermittent demand has much of its probability at
    /// zero, which a centre and two sides cannot say: there the members' own quantiles are combined as they are.
    pub(crate) fn quantile(
        &self,
        class: Class,
        calibration: &Calibration,
        step: usize,
        (level, score): (f64, f64),
        band: Band,
    ) -> f64 {
        if class != Class::Intermittent {
            return calibration.quantile(step, score, band);
        }
        let mut room = Vec::with_capacity(self.local.len());
        self.join(
            |votes| vote::combined(votes, &mut room, |forecast| forecast.quantile(step, level)),
            |forecast| forecast.quantile(step, level),
        )
    }
}
