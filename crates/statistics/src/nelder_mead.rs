//! Minimising a function of a few variables within bounds.

/// What bounds a search: the box, and when to stop.
#[derive(Debug, Clone, Copy)]
pub struct Bounds<const N: usize> {
    /// The lowest allowed value of each variable.
    pub lower: [f64; N],
    /// The highest allowed value of each variable.
    pub upper: [f64; N],
    /// Stop when the values at the corners of the simplex differ by no more than this.
    pub value_tolerance: f64,
    /// Stop after about this many evaluations.
    pub evaluations: usize,
}

/// A corner of the simplex: a point and the value there.
type Corner<const N: usize> = ([f64; N], f64);

/// Minimises `f` from `start`, with first steps of a `step`-th part of each variable's range, and returns the
/// best point seen with its value. Points outside the box are moved to its nearest face before `f` sees them; a
/// value that is not a number counts as infinitely bad.
///
/// Source: Nelder and Mead, A simplex method for function minimization, The Computer Journal 7 (1965), with the
/// usual coefficients 1, 2, 1/2, 1/2; projection onto the box as in Box's complex method (1965).
pub fn minimize<const N: usize>(
    mut f: impl FnMut(&[f64; N]) -> f64,
    start: [f64; N],
    step: f64,
    bounds: &Bounds<N>,
) -> ([f64; N], f64) {
    let mut calls = 0;
    let mut at = |mut point: [f64; N]| -> Corner<N> {
        for (index, x) in point.iter_mut().enumerate() {
            *x = x.clamp(bounds.lower[index], bounds.upper[index]);
        }
        calls += 1;
        let value = f(&point);
        (point, if value.is_nan() { f64::INFINITY } else { value })
    };
    let first = at(start);
    let mut simplex: Vec<Corner<N>> = Vec::with_capacity(N + 1);
    simplex.push(first);
    for index in 0..N {
        let range = bounds.upper[index] - bounds.lower[index];
        let mut corner = first.0;
        // Step towards the farther face, so that the first simplex is never flat.
        let upwards = corner[index] < f64::midpoint(bounds.lower[index], bounds.upper[index]);
        corner[index] += if upwards { step * range } else { -step * range };
        simplex.push(at(corner));
    }
    let mut used = N + 1;
    while used < bounds.evaluations {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        let worst = simplex[N];
        if worst.1 - simplex[0].1 <= bounds.value_tolerance {
            break;
        }
        let mut centre = [0.0; N];
        for corner in &simplex[..N] {
            for (sum, x) in centre.iter_mut().zip(corner.0) {
                *sum += x / N as f64;
            }
        }
        let along = |factor: f64| {
            let mut point = centre;
            for (x, from) in point.iter_mut().zip(worst.0) {
                *x += factor * (*x - from);
            }
            point
        };
        let reflected = at(along(1.0));
        used += 1;
        let replacement = if reflected.1 < simplex[0].1 {
            used += 1;
            let expanded = at(along(2.0));
            Some(if expanded.1 < reflected.1 { expanded } else { reflected })
        } else if reflected.1 < simplex[N - 1].1 {
            Some(reflected)
        } else {
            used += 1;
            let outside = reflected.1 < worst.1;
            let contracted = at(along(if outside { 0.5 } else { -0.5 }));
            (contracted.1 < worst.1.min(reflected.1)).then_some(contracted)
        };
        if let Some(corner) = replacement {
            simplex[N] = corner;
        } else {
            let best = simplex[0].0;
            for corner in &mut simplex[1..] {
                let mut point = corner.0;
                for (x, target) in point.iter_mut().zip(best) {
                    *x = f64::midpoint(*x, target);
                }
                *corner = at(point);
            }
            used += N;
        }
    }
    simplex.into_iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: Bounds<2> =
        Bounds { lower: [-5.0; 2], upper: [5.0; 2], value_tolerance: 1e-14, evaluations: 600 };

    #[test]
    fn finds_the_minimum_of_the_banana_function() {
        let banana = |p: &[f64; 2]| 100.0 * (p[1] - p[0] * p[0]).powi(2) + (1.0 - p[0]).powi(2);
        let (point, value) = minimize(banana, [-1.2, 1.0], 0.1, &UNIT);
        assert!(value < 1e-9, "{point:?} {value}");
    }

    #[test]
    fn stays_in_the_box_and_stops_at_its_face() {
        let bounds = Bounds { lower: [0.0; 3], upper: [1.0; 3], value_tolerance: 1e-12, evaluations: 400 };
        let (point, _) = minimize(
            |p| {
                assert!(p.iter().all(|x| (0.0..=1.0).contains(x)));
                (p[0] - 2.0).powi(2) + (p[1] - 0.5).powi(2) + p[2]
            },
            [0.2, 0.2, 0.9],
            0.2,
            &bounds,
        );
        assert!(
            (point[0] - 1.0).abs() < 1e-5 && (point[1] - 0.5).abs() < 1e-4 && point[2] < 1e-5,
            "{point:?}"
        );
    }

    #[test]
    fn survives_a_function_that_is_nowhere_finite() {
        let (point, value) = minimize(|_| f64::NAN, [0.0, 0.0], 0.1, &UNIT);
        assert!(point.iter().all(|x| x.is_finite()) && value == f64::INFINITY);
    }
}
