//! Gauss-Legendre points on the unit interval.

/// `count` points and weights for integrals from 0 to 1; exact for polynomials of degree up to `2 count - 1`.
///
/// Newton's method on the Legendre recurrence, from the usual cosine start (Press et al., Numerical Recipes, 4.6).
pub(super) fn unit_points(count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut points = vec![0.0; count];
    let mut weights = vec![0.0; count];
    for i in 0..count.div_ceil(2) {
        let mut x = (std::f64::consts::PI * (i as f64 + 0.75) / (count as f64 + 0.5)).cos();
        // Newton's method converges quadratically from a start that is right to a few digits; eight steps are more than
        // enough.
        for _ in 0..8 {
            let (value, slope) = legendre(count, x);
            x -= value / slope;
        }
        let (_, slope) = legendre(count, x);
        let weight = 1.0 / ((1.0 - x * x) * slope * slope);
        points[i] = 0.5 * (1.0 - x);
        points[count - 1 - i] = 0.5 * (1.0 + x);
        weights[i] = weight;
        weights[count - 1 - i] = weight;
    }
    (points, weights)
}

/// Value and derivative of the Legendre polynomial of this degree at `x`.
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for n in 2..=degree {
        let n = n as f64;
        (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}
