//! Minimises a function of a few variables with bounds.

use std::f64::consts::FRAC_PI_2;

/// The bounds of a search: the box, and stopping rules.
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

/// A corner of the simplex: a point, in angles, and the value there.
type Corner<const N: usize> = ([f64; N], f64);

/// Minimises `f` from `start`, with first steps of about the fraction `step` of each variable's range, and returns the
/// best point found with its value. `f` only sees points of the box; NaN counts as infinitely bad.
///
/// Source: Nelder and Mead, A simplex method for function minimization, The Computer Journal 7 (1965), with the usual
/// coefficients 1, 2, 1/2, 1/2. The box is `lower + (upper - lower) · sin²(angle)` with free angles: moving points to a
/// face instead would flatten the simplex there, and the search would stop short of the minimum.
pub fn minimize<const N: usize>(
    mut f: impl FnMut(&[f64; N]) -> f64,
    start: [f64; N],
    step: f64,
    bounds: &Bounds<N>,
) -> ([f64; N], f64) {
    let mut at = |angles: [f64; N]| -> Corner<N> {
        let value = f(&bounds.point(&angles));
        (angles, if value.is_nan() { f64::INFINITY } else { value })
    };
    let mut simplex = Vec::with_capacity(N + 1);
    let first = bounds.angles(&start);
    simplex.push(at(first));
    for index in 0..N {
        let mut corner = first;
        // Step towards the farther face.
        corner[index] += FRAC_PI_2 * if first[index] < 0.5 * FRAC_PI_2 { step } else { -step };
        simplex.push(at(corner));
    }
    let mut remaining = bounds.evaluations.saturating_sub(N + 1);
    loop {
        simplex.sort_by(|a, b| a.1.total_cmp(&b.1));
        if remaining == 0 || simplex[N].1 - simplex[0].1 <= bounds.value_tolerance {
            let (angles, value) = simplex[0];
            return (bounds.point(&angles), value);
        }
        let mut counted = |angles: [f64; N]| {
            remaining = remaining.saturating_sub(1);
            at(angles)
        };
        if let Some(better) = replacement(&simplex, &mut counted) {
            simplex[N] = better;
            continue;
        }
        let best = simplex[0].0;
        for corner in &mut simplex[1..] {
            *corner = counted(std::array::from_fn(|index| f64::midpoint(corner.0[index], best[index])));
        }
    }
}

/// A better corner than the worst of the sorted simplex, by reflection, expansion or contraction.
fn replacement<const N: usize>(
    simplex: &[Corner<N>],
    mut at: impl FnMut([f64; N]) -> Corner<N>,
) -> Option<Corner<N>> {
    let worst = simplex[N];
    let mut centre = [0.0; N];
    for corner in &simplex[..N] {
        for (sum, x) in centre.iter_mut().zip(corner.0) {
            *sum += x / N as f64;
        }
    }
    let along =
        |factor: f64| std::array::from_fn(|index| centre[index] + factor * (centre[index] - worst.0[index]));
    let reflected = at(along(1.0));
    if reflected.1 < simplex[0].1 {
        let expanded = at(along(2.0));
        return Some(if expanded.1 < reflected.1 { expanded } else { reflected });
    }
    if reflected.1 < simplex[N - 1].1 {
        return Some(reflected);
    }
    let contracted = at(along(if reflected.1 < worst.1 { 0.5 } else { -0.5 }));
    (contracted.1 < worst.1.min(reflected.1)).then_some(contracted)
}

impl<const N: usize> Bounds<N> {
    fn point(&self, angles: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|index| {
            let (lower, upper) = (self.lower[index], self.upper[index]);
            let sine = angles[index].sin();
            (lower + (upper - lower) * (sine * sine)).clamp(lower, upper)
        })
    }

    /// The angles of a point; one outside the box counts as the nearest one inside.
    fn angles(&self, point: &[f64; N]) -> [f64; N] {
        std::array::from_fn(|index| {
            let (lower, upper) = (self.lower[index], self.upper[index]);
            let part = (point[index] - lower) / (upper - lower);
            if part.is_nan() { 0.0 } else { part.clamp(0.0, 1.0).sqrt().asin() }
        })
    }
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
