//! Statistics of sliding windows.
//!
//! The values are divided into blocks as long as the window, so each window is the end of one block plus the beginning
//! of the next. One pass computes each of the two, and nothing is ever subtracted from a sum, so a spike leaves no
//! rounding error behind. Van Herk (1992) and Gil and Werman (1993) do this for extremes; moments are merged after
//! Chan, Golub and `LeVeque` (1983).

/// Count, mean, spread and extremes of some values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moments {
    count: f64,
    pub(super) mean: f64,
    /// Sum of squared differences from the mean.
    squares: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Moments {
    const NONE: Self =
        Self { count: 0.0, mean: 0.0, squares: 0.0, min: f64::INFINITY, max: f64::NEG_INFINITY };

    fn with(self, value: f64) -> Self {
        let count = self.count + 1.0;
        let difference = value - self.mean;
        let mean = self.mean + difference / count;
        Self {
            count,
            mean,
            squares: self.squares + difference * (value - mean),
            min: self.min.min(value),
            max: self.max.max(value),
        }
    }

    fn joined(self, other: Self) -> Self {
        if self.count == 0.0 {
            return other;
        }
        if other.count == 0.0 {
            return self;
        }
        let count = self.count + other.count;
        let difference = other.mean - self.mean;
        let share = other.count / count;
        Self {
            count,
            mean: self.mean + difference * share,
            squares: self.squares + other.squares + difference * difference * self.count * share,
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Sample standard deviation; NaN for fewer than two values.
    pub(super) fn deviation(self) -> f64 {
        (self.squares / (self.count - 1.0)).sqrt()
    }
}

/// Moments of the last `window` values (or as many as there are) before each origin from `first` to the number of
/// values.
pub(super) fn rolling(values: &[f64], window: usize, first: usize) -> Vec<Moments> {
    // Values before the first window are not needed.
    let values_before = first.saturating_sub(window);
    let (values, first) = (&values[values_before..], first - values_before);
    let mut ends = vec![Moments::NONE; window.min(values.len()) + 1];
    let mut found = Vec::with_capacity(values.len() - first + 1);
    let mut beginning = Moments::NONE;
    for origin in 0..=values.len() {
        if origin > 0 {
            beginning = beginning.with(values[origin - 1]);
        }
        // `ends[k]`: the previous block without its first k values.
        let within = origin % window;
        if origin >= first {
            let end = if origin < window || within == 0 { Moments::NONE } else { ends[within] };
            found.push(end.joined(beginning));
        }
        if within == 0 && origin > 0 {
            let block = &values[origin - window..origin];
            let mut end = Moments::NONE;
            for (place, &value) in block.iter().enumerate().rev() {
                end = end.with(value);
                ends[place] = end;
            }
            beginning = Moments::NONE;
        }
    }
    found
}
