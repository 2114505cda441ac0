//! Finds the borders between the bins of a numeric feature.

/// Ascending thresholds between bins, at most `max_bins - 1` of them: a value's bin is the number of thresholds below
/// it. Few distinct values get a bin each; many share bins of roughly equal counts. `values` contains no NaN and is
/// sorted here.
pub(crate) fn numeric_borders(values: &mut [f64], max_bins: usize, min_bin_rows: usize) -> Vec<f64> {
    values.sort_unstable_by(f64::total_cmp);
    let distinct = count_distinct(values);
    let mut borders = Vec::new();
    let mut left = values.len();
    let mut bin = 0;
    for (at, &(value, count)) in distinct.iter().enumerate() {
        let Some(&(next, next_count)) = distinct.get(at + 1) else { break };
        bin += count;
        // The share of each remaining bin, including this one. A value that fills a bin alone gets its own.
        let share = if distinct.len() <= max_bins { 1 } else { left.div_ceil(max_bins - borders.len()) };
        if bin >= min_bin_rows && (bin >= share || next_count >= share) {
            borders.push(between(value, next));
            left -= bin;
            bin = 0;
            if borders.len() + 1 == max_bins {
                break;
            }
        }
    }
    borders
}

fn count_distinct(sorted: &[f64]) -> Vec<(f64, usize)> {
    let mut distinct: Vec<(f64, usize)> = Vec::new();
    for &value in sorted {
        match distinct.last_mut() {
            Some((last, count)) if *last == value => *count += 1,
            _ => distinct.push((value, 1)),
        }
    }
    distinct
}

/// A threshold `t` with `low <= t < high`, in the middle if possible.
fn between(low: f64, high: f64) -> f64 {
    let middle = low + (high - low) / 2.0;
    if middle >= low && middle < high { middle } else { low }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_values_get_a_bin_each_and_neighbours_of_floats_stay_apart() {
        assert_eq!(numeric_borders(&mut [3.0, 1.0, 2.0, 1.0], 254, 1), [1.5, 2.5]);
        let low = 1.0_f64;
        let high = low.next_up();
        assert_eq!(numeric_borders(&mut [high, low], 254, 1), [low]);
        assert_eq!(
            numeric_borders(&mut [f64::INFINITY, 0.0, f64::NEG_INFINITY], 254, 1),
            [f64::NEG_INFINITY, 0.0]
        );
        assert!(numeric_borders(&mut [-0.0, 0.0], 254, 1).is_empty());
    }

    #[test]
    fn many_values_share_bins_and_a_frequent_one_has_its_own() {
        let mut values: Vec<f64> = (0..10_000).map(f64::from).collect();
        values.extend(std::iter::repeat_n(5000.5, 3000));
        let borders = numeric_borders(&mut values, 16, 3);
        assert_eq!(borders.len(), 15);
        let inside = borders.windows(2).find(|pair| pair[0] < 5000.5 && pair[1] > 5000.5);
        assert!(inside.is_some_and(|pair| pair[1] - pair[0] <= 2.0), "{borders:?}");
    }
}
