//! Blend weights: how much the global models and the seasonal regression count beside the members of the class.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use tabcast_models::Forecast;

use crate::backtest::Window;
use crate::learners::blended::{BLENDED, SEASONAL};

/// Weights are multiples of 1 / `GRID`.
const GRID: usize = 10;
/// Error differences below this fraction of the smallest error count as ties.
const SLACK: f64 = 0.002;
/// With this many windows, the learned weights and a weight of zero count equally.
const PRIOR_WINDOWS: f64 = 1.0;
/// Where the seasonal regression takes part, few windows mean a share of it near this one: at high frequencies it is
/// usually the best single model.
const SEASONAL_PRIOR: f64 = 0.7;
/// With this many windows, the learned weights and that prior count equally.
const SEASONAL_PRIOR_WINDOWS: f64 = 20.0;
/// Members below this weight are dropped to save time.
const LEAST: f64 = 0.03;

/// The share of each blended model.
type Shares = [f64; BLENDED];

/// The shares of the blended models in the combination; the local members get the rest. At high frequencies, the next
/// hours, the rest of the first day and the days after it have shares of their own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct BlendWeights {
    /// At least one stage once something was learned; the last one goes on.
    stages: Vec<Shares>,
    /// The steps at which the stages after the first begin.
    borders: Vec<usize>,
}

/// Local members alone.
pub(crate) static NO_BLEND: BlendWeights = BlendWeights { stages: Vec::new(), borders: Vec::new() };

impl BlendWeights {
    /// The same shares at every step.
    #[cfg(test)]
    pub(crate) fn of_shares(shares: Shares) -> Self {
        Self { stages: vec![shares], borders: Vec::new() }
    }

    /// The shares at a step, in the order of their names.
    pub(crate) fn at(&self, step: usize) -> Shares {
        let stage = self.borders.partition_point(|&border| border <= step);
        self.stages.get(stage).copied().unwrap_or_default()
    }

    /// The share of each member in `horizon` steps.
    pub(crate) fn of_members(&self, horizon: usize) -> Shares {
        let mut sums = Shares::default();
        for step in 0..horizon {
            for (sum, share) in sums.iter_mut().zip(self.at(step)) {
                *sum += share / horizon as f64;
            }
        }
        sums
    }

    /// Whether any blended model has a share.
    pub(crate) fn any(&self) -> bool {
        self.stages.iter().flatten().any(|share| *share > 0.0)
    }

    /// Learns from windows and from the combined forecast `local` of the local members in each. It averages all
    /// combinations on a grid, weighted by how much worse than the best each is, in standard errors over the windows: a
    /// few windows hardly tell them apart, a thousand do. Errors count by absolute value, or by square if `squared`.
    /// `season`: the main season at a high frequency, otherwise 1.
    pub(crate) fn learn(
        windows: &[&Window],
        locals: &[Vec<f64>],
        squared: bool,
        season: usize,
        cancel: &AtomicBool,
    ) -> Self {
        let judged: Vec<Judged<'_>> = windows
            .iter()
            .zip(locals)
            .filter(|(window, local)| !local.is_empty() && window.blended.iter().any(Option::is_some))
            .map(|(window, local)| Judged::new(window, local, squared))
            .collect();
        if judged.is_empty() {
            return Self::default();
        }
        let longest = judged.iter().map(|judged| judged.window.actual.len()).max().unwrap_or(0);
        let mut borders = if season > 1 { vec![season / 4, season] } else { Vec::new() };
        borders.retain(|&border| border < longest);
        let has = |member: usize| judged.iter().any(|judged| judged.blended[member].is_some());
        let points = grid(has);
        let mut stages = Vec::with_capacity(borders.len() + 1);
        for stage in 0..=borders.len() {
            let begin = if stage == 0 { 0 } else { borders[stage - 1] };
            let end = borders.get(stage).copied().unwrap_or(longest);
            let here: Vec<&Judged<'_>> =
                judged.iter().filter(|judged| judged.window.actual.len() > begin).collect();
            let errors: Vec<Vec<f64>> = here
                .iter()
                .take_while(|_| !cancel.load(Ordering::Relaxed))
                .map(|judged| {
                    let steps = begin..end.min(judged.window.actual.len());
                    points.iter().map(|point| judged.error(steps.clone(), point)).collect()
                })
                .collect();
            if errors.len() < here.len() {
                return Self::default();
            }
            stages.push(shares(&errors, &points));
        }
        Self { stages, borders }
    }
}

/// All shares that are multiples of 1 / `GRID`, of the members that `has` forecasts.
fn grid(has: impl Fn(usize) -> bool) -> Vec<Shares> {
    (0..=GRID)
        .flat_map(|first| (0..=GRID - first).map(move |second| [first, second]))
        .flat_map(|[first, second]| (0..=GRID - first - second).map(move |third| [first, second, third]))
        .filter(|point| (0..BLENDED).all(|member| point[member] == 0 || has(member)))
        .map(|point| point.map(|count| count as f64 / GRID as f64))
        .collect()
}

/// The average of the grid's points by their errors in each window.
fn shares(errors: &[Vec<f64>], points: &[Shares]) -> Shares {
    let count = errors.len() as f64;
    let mut shares = Shares::default();
    for (weight, point) in weights_by_error(errors).iter().zip(points) {
        for (sum, share) in shares.iter_mut().zip(point) {
            *sum += weight * share;
        }
    }
    let is_seasonal = points.iter().any(|point| point[SEASONAL] > 0.0);
    let windows = if is_seasonal { SEASONAL_PRIOR_WINDOWS } else { PRIOR_WINDOWS };
    for (member, share) in shares.iter_mut().enumerate() {
        let prior = if is_seasonal && member == SEASONAL { SEASONAL_PRIOR } else { 0.0 };
        *share = (*share * count + prior * windows) / (count + windows);
        if *share < LEAST {
            *share = 0.0;
        }
    }
    shares
}

/// The weight of each candidate, given one row of errors of all candidates per case. Candidates lose weight by how much
/// worse than the best they are, in standard errors over the cases. The weights sum to 1.
pub(crate) fn weights_by_error(errors: &[Vec<f64>]) -> Vec<f64> {
    let count = errors.len() as f64;
    let candidates = errors.first().map_or(0, Vec::len);
    let mean = |candidate: usize| errors.iter().map(|of| of[candidate]).sum::<f64>() / count;
    let means: Vec<f64> = (0..candidates).map(mean).collect();
    let best = (0..candidates).min_by(|&a, &b| means[a].total_cmp(&means[b])).unwrap_or(0);
    let mut weights: Vec<f64> = (0..candidates)
        .map(|candidate| {
            let gap = means[candidate] - means[best];
            let squares: f64 = errors.iter().map(|of| (of[candidate] - of[best] - gap).powi(2)).sum();
            let spread = (squares / count / count).sqrt() + SLACK * means[best];
            if gap > 0.0 { (-gap / spread).exp() } else { 1.0 }
        })
        .collect();
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

/// A window with the forecasts that are compared: medians, or means if errors count by square.
struct Judged<'a> {
    window: &'a Window,
    local: &'a [f64],
    blended: [Option<Vec<f64>>; BLENDED],
    squared: bool,
}

impl<'a> Judged<'a> {
    fn new(window: &'a Window, local: &'a [f64], squared: bool) -> Self {
        let centre = |forecast: &Forecast| -> Vec<f64> {
            if squared {
                forecast.mean.clone()
            } else {
                (0..forecast.horizon()).map(|step| forecast.quantile(step, 0.5)).collect()
            }
        };
        let blended = std::array::from_fn(|member| window.blended[member].as_ref().map(centre));
        Self { window, local, blended, squared }
    }

    /// The mean scaled error of some steps.
    fn error(&self, steps: Range<usize>, point: &Shares) -> f64 {
        let count = steps.len() as f64;
        let missed = |step: usize| {
            let (mut sum, mut left) = (0.0, 1.0);
            for (forecast, share) in self.blended.iter().zip(point) {
                if let Some(forecast) = forecast {
                    sum += share * forecast[step];
                    left -= share;
                }
            }
            let error = (sum + left * self.local[step] - self.window.actual[step]).abs() / self.window.scale;
            if self.squared { error * error / count } else { error / count }
        };
        steps.map(missed).sum()
    }
}

#[cfg(test)]
mod tests {
    use tabcast_models::Shape;

    use super::*;
    use crate::combination::features::FEATURES;

    static NEVER: AtomicBool = AtomicBool::new(false);

    /// Blend weights learned from windows in which the local members and the two global ones miss by fixed amounts,
    /// each with a sign that changes from window to window in its own way.
    fn blend(count: usize, [local, first, second]: [Option<f64>; 3]) -> BlendWeights {
        let sign = |window: usize, member: usize| if (window * 7 + member * 3) % 5 < 2 { -1.0 } else { 1.0 };
        let member = |window: usize, place: usize, bias: Option<f64>| {
            let mean = 10.0 + bias? * sign(window, place);
            Some(Forecast { mean: vec![mean; 4], sd: vec![1.0; 4], shape: Shape::Normal })
        };
        let windows: Vec<Window> = (0..count)
            .map(|window| Window {
                held_back: 0..4,
                actual: vec![10.0; 4],
                scale: 1.0,
                features: [0.0; FEATURES],
                members: Vec::new(),
                blended: [member(window, 1, first), member(window, 2, second), None],
                naive: None,
                non_negative: true,
            })
            .collect();
        let locals: Vec<Vec<f64>> =
            (0..count).map(|window| vec![10.0 + local.unwrap_or(0.0) * sign(window, 0); 4]).collect();
        BlendWeights::learn(&windows.iter().collect::<Vec<_>>(), &locals, false, 1, &NEVER)
    }

    #[test]
    fn many_windows_decide_and_few_do_not() {
        let [first, second, _] = blend(2_000, [Some(9.0), Some(0.1), Some(9.0)]).at(0);
        assert!(first > 0.9 && second < 0.05, "{first}, {second}");
        let few = blend(1, [Some(1.0), Some(0.9), None]);
        assert!(few.at(0).iter().sum::<f64>() < 0.8 && few.any(), "{few:?}");
    }

    #[test]
    fn each_stage_has_shares_of_its_own_and_few_windows_follow_the_prior() {
        let forecast = |near: f64, far: f64| {
            let mean = (0..48).map(|step| 10.0 + if step < 6 { near } else { far }).collect();
            Some(Forecast { mean, sd: vec![1.0; 48], shape: Shape::Normal })
        };
        let of = |count: usize| {
            let windows: Vec<Window> = (0..count)
                .map(|window| {
                    let sign = if window % 2 == 0 { 1.0 } else { -1.0 };
                    Window {
                        held_back: 0..48,
                        actual: vec![10.0; 48],
                        scale: 1.0,
                        features: [0.0; FEATURES],
                        members: Vec::new(),
                        blended: [None, None, forecast(sign * 5.0, sign * 0.1)],
                        naive: None,
                        non_negative: true,
                    }
                })
                .collect();
            let local = |window: usize| -> Vec<f64> {
                let sign = if window.is_multiple_of(3) { 1.0 } else { -1.0 };
                (0..48).map(|step| 10.0 + if step < 6 { sign * 0.1 } else { sign * 5.0 }).collect()
            };
            let locals: Vec<Vec<f64>> = (0..count).map(local).collect();
            BlendWeights::learn(&windows.iter().collect::<Vec<_>>(), &locals, false, 24, &NEVER)
        };
        let many = of(2_000);
        assert!(many.at(5)[SEASONAL] < 0.1, "{many:?}");
        assert!(many.at(6)[SEASONAL] > 0.9 && many.at(24)[SEASONAL] > 0.9, "{many:?}");
        assert_eq!(many.at(47), many.at(10_000));
        let one = of(1).at(0)[SEASONAL];
        assert!((SEASONAL_PRIOR - 0.1..=SEASONAL_PRIOR).contains(&one), "{one}");
    }

    #[test]
    fn members_that_only_do_harm_have_no_share() {
        assert!(!blend(2_000, [Some(0.0), Some(5.0), Some(6.0)]).any());
        assert!(!blend(20, [Some(1.0), None, None]).any());
        assert_eq!(blend(0, [None; 3]), BlendWeights::default());
    }
}
