/// Replaces missing steps (NaN) between observations and returns how many there were.
///
/// A missing step takes the value on the straight line between the nearest observations before and after it *at the
/// same position in the season* (for hourly data: the same hour of the days around), because a line through the
/// neighbours would cut off a daily peak. Where the season is unknown (`season <= 1`) or one of the two is missing, it
/// takes the straight line between its nearest observed neighbours. Filled values are never a source for others, so the
/// result does not depend on the order. `values` must begin and end with an observation.
pub(crate) fn fill_gaps(values: &mut [f64], season: usize) -> usize {
    let missing: Vec<usize> = (0..values.len()).filter(|&t| values[t].is_nan()).collect();
    if missing.is_empty() {
        return 0;
    }
    let neighbours = Lines::of(values, 1);
    let seasonal = (season > 1).then(|| Lines::of(values, season));
    let filled: Vec<f64> = missing
        .iter()
        .map(|&t| {
            let seasonal = seasonal.as_ref().and_then(|lines| lines.at(values, t));
            seasonal.or_else(|| neighbours.at(values, t)).unwrap_or(f64::NAN)
        })
        .collect();
    for (&t, value) in missing.iter().zip(filled) {
        values[t] = value;
    }
    missing.len()
}

/// The nearest observations `stride`, `2 stride`, ... steps away from each step, found in one pass: a gap may be as long
/// as the history.
struct Lines {
    before: Vec<Option<u32>>,
    after: Vec<Option<u32>>,
}

impl Lines {
    fn of(values: &[f64], stride: usize) -> Self {
        let place = |t: usize| u32::try_from(t).ok();
        let mut lines = Self { before: vec![None; values.len()], after: vec![None; values.len()] };
        for t in stride..values.len() {
            let past = t - stride;
            lines.before[t] = if values[past].is_nan() { lines.before[past] } else { place(past) };
        }
        for t in (0..values.len().saturating_sub(stride)).rev() {
            let next = t + stride;
            lines.after[t] = if values[next].is_nan() { lines.after[next] } else { place(next) };
        }
        lines
    }

    /// The value at `t` on the line between these observations.
    fn at(&self, values: &[f64], t: usize) -> Option<f64> {
        let (before, after) = (self.before[t]? as usize, self.after[t]? as usize);
        let share = (t - before) as f64 / (after - before) as f64;
        Some(values[before] * (1.0 - share) + values[after] * share)
    }
}

#[cfg(test)]
mod tests {
    use super::fill_gaps;

    const GAP: f64 = f64::NAN;

    #[test]
    fn a_gap_without_season_lies_on_the_line_between_its_neighbours() {
        let mut values = [1.0, GAP, GAP, 4.0];
        assert_eq!(fill_gaps(&mut values, 1), 2);
        assert_eq!(values, [1.0, 2.0, 3.0, 4.0]);
    }

    #[test]
    fn a_missing_peak_comes_back_from_the_seasons_around_it() {
        let mut values = [0.0, 9.0, 0.0, 0.0, GAP, 0.0, 0.0, 11.0, 0.0];
        assert_eq!(fill_gaps(&mut values, 3), 1);
        assert_eq!(values[4], 10.0);
    }

    #[test]
    fn the_first_season_falls_back_to_its_neighbours() {
        let mut values = [2.0, GAP, 4.0, 2.0, 3.0, 4.0];
        fill_gaps(&mut values, 3);
        assert_eq!(values[1], 3.0);
    }

    /// Looked up step by step, these gaps would take 10^10 steps.
    #[test]
    fn a_gap_as_long_as_the_history_is_filled_in_one_pass() {
        let mut values = vec![GAP; 200_000];
        values[0] = 0.0;
        *values.last_mut().expect("values") = 199_999.0;
        assert_eq!(fill_gaps(&mut values, 7), 199_998);
        assert!(values.iter().enumerate().all(|(t, value)| (value - t as f64).abs() < 1e-6));
    }
}
