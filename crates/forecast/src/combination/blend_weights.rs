//! Blend weights: how much the global models count beside the models of a single series.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::backtest::Window;
use crate::learners::global;

/// Weights are multiples of 1 / `GRID`.
const GRID: usize = 10;
/// Error differences below this fraction of the smallest error count as ties.
const SLACK: f64 = 0.002;
/// With this many windows, the learned weights and a weight of zero count equally.
const PRIOR_WINDOWS: f64 = 1.0;
/// Members below this weight are dropped to save time.
const LEAST: f64 = 0.03;

/// The shares of the global members in the combination; the local members get the rest.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct BlendWeights {
    members: [f64; global::NAMES.len()],
}

impl BlendWeights {
    /// The share of each member, in the order of [`global::NAMES`].
    pub(crate) fn of_members(&self) -> impl Iterator<Item = f64> + '_ {
        self.members.iter().copied()
    }

    /// The share that is left for the local members.
    pub(crate) fn local(&self) -> f64 {
        1.0 - self.members.iter().sum::<f64>()
    }

    /// Whether any global member has a share.
    pub(crate) fn any(&self) -> bool {
        self.members.iter().any(|share| *share > 0.0)
    }

    /// Learns from windows and from the combined forecast `local` of the local members in each. It averages all
    /// combinations on a grid, weighted by how much worse than the best each is, in standard errors over the windows: a
    /// few windows hardly tell them apart, a thousand do. Errors count by absolute value, or by square if `squared`.
    pub(crate) fn learn(
        windows: &[&Window],
        locals: &[Vec<f64>],
        squared: bool,
        cancel: &AtomicBool,
    ) -> Self {
        let judged: Vec<(&Window, &Vec<f64>)> = windows
            .iter()
            .copied()
            .zip(locals)
            .filter(|(window, local)| !local.is_empty() && window.global.iter().any(Option::is_some))
            .collect();
        if judged.is_empty() {
            return Self::default();
        }
        let has = |member: usize| judged.iter().any(|(window, _)| window.global[member].is_some());
        let points: Vec<[f64; 2]> = (0..=GRID)
            .flat_map(|first| (0..=GRID - first).map(move |second| [first, second]))
            .filter(|point| (0..2).all(|member| point[member] == 0 || has(member)))
            .map(|point| point.map(|count| count as f64 / GRID as f64))
            .collect();
        let errors: Vec<Vec<f64>> = judged
            .iter()
            .take_while(|_| !cancel.load(Ordering::Relaxed))
            .map(|(window, local)| points.iter().map(|point| error(window, local, point, squared)).collect())
            .collect();
        if errors.len() < judged.len() {
            return Self::default();
        }
        let count = errors.len() as f64;
        let mut members = [0.0; 2];
        for (weight, point) in weights_by_error(&errors).iter().zip(&points) {
            for (member, share) in members.iter_mut().zip(point) {
                *member += weight * share;
            }
        }
        for share in &mut members {
            *share *= count / (count + PRIOR_WINDOWS);
            if *share < LEAST {
                *share = 0.0;
            }
        }
        Self { members }
    }
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

/// Mean scaled error of a window.
fn error(window: &Window, local: &[f64], point: &[f64; 2], squared: bool) -> f64 {
    let steps = window.actual.len() as f64;
    let missed = |(step, actual): (usize, &f64)| {
        let (mut sum, mut left) = (0.0, 1.0);
        for (member, share) in window.global.iter().zip(point) {
            if let Some(forecast) = member {
                sum += share * forecast.mean[step];
                left -= share;
            }
        }
        let error = (sum + left * local[step] - actual).abs() / window.scale;
        if squared { error * error / steps } else { error / steps }
    };
    window.actual.iter().enumerate().map(missed).sum()
}

#[cfg(test)]
mod tests {
    use tabcast_models::{Forecast, Shape};

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
                global: [member(window, 1, first), member(window, 2, second)],
                naive: None,
                non_negative: true,
            })
            .collect();
        let locals: Vec<Vec<f64>> =
            (0..count).map(|window| vec![10.0 + local.unwrap_or(0.0) * sign(window, 0); 4]).collect();
        BlendWeights::learn(&windows.iter().collect::<Vec<_>>(), &locals, false, &NEVER)
    }

    #[test]
    fn many_windows_decide_and_few_do_not() {
        let [first, second] = blend(2_000, [Some(9.0), Some(0.1), Some(9.0)]).members;
        assert!(first > 0.9 && second < 0.05, "{first}, {second}");
        let few = blend(1, [Some(1.0), Some(0.9), None]);
        assert!(few.local() > 0.2 && few.any(), "{few:?}");
    }

    #[test]
    fn members_that_only_do_harm_have_no_share() {
        assert!(!blend(2_000, [Some(0.0), Some(5.0), Some(6.0)]).any());
        assert!(!blend(20, [Some(1.0), None, None]).any());
        assert_eq!(blend(0, [None; 3]), BlendWeights::default());
    }
}
