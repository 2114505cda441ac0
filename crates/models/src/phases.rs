//! Smooths each phase of a season over its cycles.

/// The gammas that are tried.
const GAMMAS: [f64; 7] = [0.03, 0.06, 0.1, 0.2, 0.35, 0.6, 0.9];

/// The smoothed phases after the last cycle, for the gamma whose forecasts one cycle ahead have the smallest squared
/// error, and that error summed from the second cycle on. If no gamma does better than zero, the phases are zero.
pub(crate) fn best_phases(values: &[f64], period: usize) -> (f64, Vec<f64>) {
    let mut best = (squares(&values[period..]), vec![0.0; period]);
    for gamma in GAMMAS {
        let (sum, state) = smooth_phases(values, period, gamma);
        if sum < best.0 {
            best = (sum, state);
        }
    }
    best
}

pub(crate) fn squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// Smooths each phase over the cycles, with a gain that falls from 1 to gamma so that the weights of all cycles add
/// up to one. Returns the sum of squared errors one cycle ahead and the last state.
fn smooth_phases(values: &[f64], period: usize, gamma: f64) -> (f64, Vec<f64>) {
    let (first, later) = values.split_at(period);
    let mut state = first.to_vec();
    let (mut gain, mut sum) = (1.0, 0.0);
    for cycle in later.chunks(period) {
        gain /= gain + 1.0 - gamma;
        for (state, value) in state.iter_mut().zip(cycle) {
            let error = value - *state;
            sum += error * error;
            *state += gain * error;
        }
    }
    (sum, state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gain_falls_from_one_to_gamma() {
        // With gamma .5 the weights of three cycles are 4/7, 2/7 and 1/7.
        let (sum, state) = smooth_phases(&[7.0, 0.0, 14.0, 0.0, 0.0, 0.0], 2, 0.5);
        assert_eq!(state[1], 0.0);
        assert!((state[0] - (2.0 * 14.0 + 7.0) / 7.0).abs() < 1e-12, "{state:?}");
        assert!((sum - (49.0 + (35.0_f64 / 3.0).powi(2))).abs() < 1e-12, "{sum}");
    }
}
