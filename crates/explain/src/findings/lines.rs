//! Straight lines by least squares, with at most one additional regressor.

/// A line through equally spaced values, and its residuals.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) slope: f64,
    pub(super) residuals: Vec<f64>,
}

impl Line {
    /// Needs at least two values.
    pub(super) fn through(values: &[f64]) -> Self {
        let mut residuals = values.to_vec();
        let slope = take_line(&mut residuals);
        Self { slope, residuals }
    }

    /// The residuals of a line plus a multiple of `regressor`, and that multiple.
    pub(super) fn with(values: &[f64], regressor: &[f64]) -> (Self, f64) {
        let mut line = Self::through(values);
        let mut other = regressor.to_vec();
        let other_slope = take_line(&mut other);
        let product: f64 = line.residuals.iter().zip(&other).map(|(left, right)| left * right).sum();
        let multiple = product / sum_of_squares(&other);
        for (residual, other) in line.residuals.iter_mut().zip(&other) {
            *residual -= multiple * other;
        }
        line.slope -= multiple * other_slope;
        (line, multiple)
    }
}

pub(super) fn sum_of_squares(values: &[f64]) -> f64 {
    values.iter().map(|value| value * value).sum()
}

/// Subtracts the line through the values, and returns its slope.
fn take_line(values: &mut [f64]) -> f64 {
    let n = values.len() as f64;
    let centre = (n - 1.0) / 2.0;
    let mean = values.iter().sum::<f64>() / n;
    let product: f64 = values.iter().enumerate().map(|(t, value)| (t as f64 - centre) * (value - mean)).sum();
    let slope = product / (n * (n * n - 1.0) / 12.0);
    for (t, value) in values.iter_mut().enumerate() {
        *value -= mean + slope * (t as f64 - centre);
    }
    slope
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_with_a_step_is_found_exactly() {
        let step: Vec<f64> = (0..20).map(|t| f64::from(u8::from(t >= 13))).collect();
        let values: Vec<f64> =
            step.iter().enumerate().map(|(t, step)| 2.0 - 0.5 * t as f64 + 7.0 * step).collect();
        let (line, multiple) = Line::with(&values, &step);
        assert!((line.slope + 0.5).abs() < 1e-12 && (multiple - 7.0).abs() < 1e-12);
        assert!(sum_of_squares(&line.residuals) < 1e-20);
    }
}
