//! Local regression over equally spaced values.

/// A local regression smoother: a line or a constant through the values around each position, with weights that fall
/// with distance as `(1 - (distance / farthest)³)³`.
///
/// Away from the ends all positions have the same weights, which are computed once.
///
/// Source: Cleveland, Robust locally weighted regression and smoothing scatterplots, Journal of the American
/// Statistical Association 74 (1979), in the form that Cleveland et al., STL, Journal of Official Statistics 6 (1990),
/// give it for seasonal adjustment.
#[derive(Debug, Clone, Copy)]
pub struct Loess {
    /// Number of values over which a position is smoothed, at least two.
    pub window: usize,
    /// Whether lines are fitted; otherwise constants.
    pub linear: bool,
    /// Only every `jump`-th position is smoothed, and those between are interpolated; 1 smooths all.
    pub jump: usize,
}

/// Fractions of the farthest distance beyond which a value has no weight, and within which it has full weight.
const FAR: f64 = 0.999;
const NEAR: f64 = 0.001;

impl Loess {
    /// Smooths `values` into `smooth`, which has the same length. `weights` is working memory.
    pub fn smooth(&self, values: &[f64], smooth: &mut [f64], weights: &mut Vec<f64>) {
        let length = values.len();
        if length < 2 {
            smooth.copy_from_slice(values);
            return;
        }
        let jump = self.jump.clamp(1, length - 1);
        // Weights only depend on the position within the window.
        let mut known = usize::MAX;
        let mut at = |position: usize| {
            let left = self.left(position, length);
            let inside = position - left;
            if inside != known {
                self.weights(position as f64, left, length, weights);
                known = inside;
            }
            dot(weights, &values[left..left + weights.len()])
        };
        smooth[0] = at(0);
        let mut last = 0;
        while last + 1 < length {
            let next = (last + jump).min(length - 1);
            smooth[next] = at(next);
            let step = (smooth[next] - smooth[last]) / (next - last) as f64;
            for between in last + 1..next {
                smooth[between] = smooth[last] + step * (between - last) as f64;
            }
            last = next;
        }
    }

    /// Index of the first value over which `position` is smoothed.
    pub(crate) fn left(&self, position: usize, length: usize) -> usize {
        let before = self.window.div_ceil(2) - 1;
        position.saturating_sub(before).min(length.saturating_sub(self.window))
    }

    /// The weights of the values from `left` on for the smooth value at `position`, which may lie outside the series.
    pub(crate) fn weights(&self, position: f64, left: usize, length: usize, weights: &mut Vec<f64>) {
        let count = self.window.min(length);
        let (first, last) = (left as f64, (left + count - 1) as f64);
        // A window wider than the series has the weights of a longer series.
        let beyond = ((self.window - count) / 2) as f64;
        let farthest = (position - first).max(last - position) + beyond;
        let weight = |place: f64| {
            let distance = (place - position).abs();
            if distance > FAR * farthest {
                0.0
            } else if distance <= NEAR * farthest {
                1.0
            } else {
                let cube = (distance / farthest).powi(3);
                (1.0 - cube).powi(3)
            }
        };
        weights.clear();
        weights.extend((0..count).map(|index| weight(first + index as f64)));
        let total: f64 = weights.iter().sum();
        for weight in weights.iter_mut() {
            *weight /= total;
        }
        if self.linear {
            let places = || (0..count).map(|index| first + index as f64);
            let centre: f64 = weights.iter().zip(places()).map(|(weight, place)| weight * place).sum();
            let spread: f64 =
                weights.iter().zip(places()).map(|(weight, place)| weight * (place - centre).powi(2)).sum();
            if spread.sqrt() > NEAR * (length - 1) as f64 {
                let slope = (position - centre) / spread;
                for (weight, place) in weights.iter_mut().zip(places()) {
                    *weight *= 1.0 + slope * (place - centre);
                }
            }
        }
    }
}

/// A dot product in four running sums, so that additions do not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (fours, other_fours) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours.remainder().iter().zip(other_fours.remainder()).map(|(a, b)| a * b).sum();
    let mut sums = [0.0; 4];
    for (a, b) in fours.zip(other_fours) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_kept_with_and_without_jumps() {
        let values: Vec<f64> = (0..50).map(|t| 3.0 - 0.5 * f64::from(t)).collect();
        for (window, jump) in [(7, 1), (7, 3), (99, 1), (4, 5)] {
            let mut smooth = vec![0.0; 50];
            Loess { window, linear: true, jump }.smooth(&values, &mut smooth, &mut Vec::new());
            for (smooth, value) in smooth.iter().zip(&values) {
                assert!((smooth - value).abs() < 1e-11, "{window} {jump}: {smooth} instead of {value}");
            }
        }
    }

    /// Three values: the outer two are farther than .999 of the distance, so they have no weight.
    #[test]
    fn constants_are_weighted_means() {
        let mut smooth = [0.0; 5];
        let loess = Loess { window: 5, linear: false, jump: 1 };
        loess.smooth(&[0.0, 0.0, 8.0, 0.0, 0.0], &mut smooth, &mut Vec::new());
        let side = (1.0_f64 - 0.125).powi(3);
        assert!((smooth[2] - 8.0 / (1.0 + 2.0 * side)).abs() < 1e-14, "{smooth:?}");
        let mut short = [0.0];
        loess.smooth(&[4.0], &mut short, &mut Vec::new());
        assert_eq!(short, [4.0]);
    }
}
