//! The theta line: the least-squares line through the series, or through its first part.

/// A least-squares line that grows by one value at a time, in the recursive form of the paper's equations.
#[derive(Clone, Copy, Default)]
pub(super) struct Line {
    pub(super) count: f64,
    mean: f64,
    pub(super) intercept: f64,
    pub(super) slope: f64,
}

impl Line {
    pub(super) fn through(values: &[f64]) -> Self {
        let mut line = Self::default();
        for &value in values {
            line.extend(value);
        }
        line
    }

    /// The line through `count` zeros.
    pub(super) fn flat(count: f64) -> Self {
        Self { count, ..Self::default() }
    }

    pub(super) fn extend(&mut self, value: f64) {
        self.count += 1.0;
        let t = self.count;
        if t > 1.0 {
            self.slope = ((t - 2.0) * self.slope + 6.0 / t * (value - self.mean)) / (t + 1.0);
        }
        self.mean += (value - self.mean) / t;
        self.intercept = self.mean - 0.5 * (t + 1.0) * self.slope;
    }
}

/// The line for each step of a series: `intercept + slope · i` for i = 1 to t.
pub(super) struct Lines {
    intercept: Vec<f64>,
    slope: Vec<f64>,
}

impl Lines {
    /// For each step the line through the values before it (dynamic), or the line through all values (standard).
    pub(super) fn of(values: &[f64], dynamic: bool) -> Self {
        let (mut intercept, mut slope) = (vec![0.0; values.len()], vec![0.0; values.len()]);
        if !dynamic {
            let line = Line::through(values);
            intercept.fill(line.intercept);
            slope.fill(line.slope);
            return Self { intercept, slope };
        }
        let mut line = Line::default();
        for (t, &value) in values.iter().enumerate() {
            intercept[t] = line.intercept;
            slope[t] = line.slope;
            line.extend(value);
        }
        Self { intercept, slope }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (f64, f64)> {
        self.intercept.iter().copied().zip(self.slope.iter().copied())
    }
}
