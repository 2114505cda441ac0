//! Minimises smooth functions of many variables (Liu and Nocedal, *On the limited memory BFGS method*, 1989),
//! optionally plus absolute values of the variables (Andrew and Gao, *Scalable training of L1-regularized log-linear
//! models*, 2007).

use super::columns::dot;

/// Number of steps from which the curvature is estimated.
const MEMORY: usize = 10;
/// Minimum decrease of the value by a step, as a fraction of what the slope promises.
const SUFFICIENT: f64 = 1e-4;

/// Moves `point` downhill until a step lowers the value by less than `tolerance` of it, or for this many evaluations.
/// `of` returns the value and fills the gradient; `absolute` times the absolute value of each variable is added to it.
pub(super) fn minimise(
    point: &mut Vec<f64>,
    absolute: &[f64],
    most_evaluations: usize,
    tolerance: f64,
    mut of: impl FnMut(&[f64], &mut [f64]) -> f64,
) {
    let length = point.len();
    let mut gradient = vec![0.0; length];
    let mut value = of(point, &mut gradient) + weighted(absolute, point);
    let mut past: Vec<(Vec<f64>, Vec<f64>, f64)> = Vec::new();
    let mut evaluations = 1;
    let (mut trial, mut trial_gradient) = (vec![0.0; length], vec![0.0; length]);
    while evaluations < most_evaluations && value.is_finite() {
        let slopes = steepest(point, &gradient, absolute);
        let mut direction = downhill(&slopes, &past);
        // The curvature is that of the smooth part; where it would lead uphill, the absolute values decide.
        for ((direction, slope), absolute) in direction.iter_mut().zip(&slopes).zip(absolute) {
            if *absolute > 0.0 && *direction * slope >= 0.0 {
                *direction = 0.0;
            }
        }
        if dot(&direction, &slopes) >= 0.0 {
            past.clear();
            direction = slopes.iter().map(|slope| -slope).collect();
        }
        if direction.iter().all(|part| *part == 0.0) {
            return;
        }
        // Without curvature, a step of length 1 is as good as any.
        let mut step =
            if past.is_empty() { dot(&direction, &direction).sqrt().recip().min(1.0) } else { 1.0 };
        let (found, moved) = loop {
            if evaluations >= most_evaluations {
                return;
            }
            for (place, trial) in trial.iter_mut().enumerate() {
                let moved = point[place] + step * direction[place];
                let side = if point[place] == 0.0 { -slopes[place] } else { point[place] };
                // No variable changes its sign within a step: it stops at zero, where its slope jumps.
                *trial = if absolute[place] > 0.0 && moved * side <= 0.0 { 0.0 } else { moved };
            }
            evaluations += 1;
            let found = of(&trial, &mut trial_gradient) + weighted(absolute, &trial);
            let moved: Vec<f64> = trial.iter().zip(&*point).map(|(trial, point)| trial - point).collect();
            if found <= value + SUFFICIENT * dot(&moved, &slopes) {
                break (found, moved);
            }
            step *= 0.4;
            if step < 1e-12 {
                return;
            }
        };
        let turned: Vec<f64> = trial_gradient.iter().zip(&gradient).map(|(new, old)| new - old).collect();
        let curvature = dot(&moved, &turned);
        if curvature > 1e-12 * dot(&turned, &turned) {
            if past.len() == MEMORY {
                past.remove(0);
            }
            past.push((moved, turned, curvature.recip()));
        }
        let fall = value - found;
        std::mem::swap(point, &mut trial);
        std::mem::swap(&mut gradient, &mut trial_gradient);
        value = found;
        if fall <= tolerance * value.abs().max(1e-12) {
            return;
        }
    }
}

/// The slope of each variable in its direction of descent: at zero, that of the side on which the value falls, if any.
fn steepest(point: &[f64], gradient: &[f64], absolute: &[f64]) -> Vec<f64> {
    let slope = |((&point, &slope), &absolute): ((&f64, &f64), &f64)| {
        if point != 0.0 {
            slope + absolute.copysign(point)
        } else if slope.abs() > absolute {
            slope - absolute.copysign(slope)
        } else {
            0.0
        }
    };
    point.iter().zip(gradient).zip(absolute).map(slope).collect()
}

fn weighted(absolute: &[f64], point: &[f64]) -> f64 {
    absolute.iter().zip(point).map(|(absolute, value)| absolute * value.abs()).sum()
}

/// The negative gradient, transformed by the estimated curvature.
fn downhill(gradient: &[f64], past: &[(Vec<f64>, Vec<f64>, f64)]) -> Vec<f64> {
    let mut direction: Vec<f64> = gradient.iter().map(|slope| -slope).collect();
    let mut shares = Vec::with_capacity(past.len());
    for (moved, turned, inverse) in past.iter().rev() {
        let share = inverse * dot(moved, &direction);
        add(&mut direction, turned, -share);
        shares.push(share);
    }
    if let Some((_, turned, inverse)) = past.last() {
        let scale = 1.0 / (inverse * dot(turned, turned));
        for value in &mut direction {
            *value *= scale;
        }
    }
    for ((moved, turned, inverse), share) in past.iter().zip(shares.iter().rev()) {
        let other = inverse * dot(turned, &direction);
        add(&mut direction, moved, share - other);
    }
    direction
}

fn add(out: &mut [f64], values: &[f64], factor: f64) {
    out.iter_mut().zip(values).for_each(|(out, value)| *out += factor * value);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bent_valley_is_followed_to_its_lowest_point() {
        // Rosenbrock's function in pairs of variables, whose only minimum is at all ones.
        let of = |point: &[f64], gradient: &mut [f64]| {
            let mut value = 0.0;
            for (pair, gradient) in point.chunks_exact(2).zip(gradient.chunks_exact_mut(2)) {
                let (a, b) = (1.0 - pair[0], pair[1] - pair[0] * pair[0]);
                value += a * a + 100.0 * b * b;
                gradient[0] = -2.0 * a - 400.0 * pair[0] * b;
                gradient[1] = 200.0 * b;
            }
            value
        };
        let mut point = vec![-1.2, 1.0, 0.0, -0.5, 2.0, 2.0];
        minimise(&mut point, &[0.0; 6], 1_000, 1e-14, of);
        assert!(point.iter().all(|value| (value - 1.0).abs() < 1e-4), "{point:?}");
    }
}
