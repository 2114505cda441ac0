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
    let filled: Vec<f64> = missing
        .iter()
        .map(|&t| {
            let seasonal = if season > 1 { on_line(values, t, season) } else { None };
            seasonal.or_else(|| on_line(values, t, 1)).unwrap_or(f64::NAN)
        })
        .collect();
    for (&t, value) in missing.iter().zip(filled) {
        values[t] = value;
    }
    missing.len()
}

/// The value at `t` on the line between the nearest observations `stride`, `2 stride`, ... steps away on both sides.
fn on_line(values: &[f64], t: usize, stride: usize) -> Option<f64> {
    let before = (1..).map_while(|k| t.checked_sub(k * stride)).find(|&i| !values[i].is_nan())?;
    let after = (t + stride..values.len()).step_by(stride).find(|&i| !values[i].is_nan())?;
    let share = (t - before) as f64 / (after - before) as f64;
    Some(values[before] * (1.0 - share) + values[after] * share)
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
}
