//! Samples rows evenly.

use tabcast_statistics::random;

/// At most `most` of `rows`, in their order: one at random from each of as many stretches of equal length. Without
/// randomness, a panel would show the same step of every forecast.
pub(super) fn sample_evenly(rows: &[usize], most: usize, seed: u64) -> Vec<usize> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    let start = |stretch: usize| stretch * rows.len() / most;
    let draw = |stretch: usize| {
        let length = start(stretch + 1) - start(stretch);
        rows[start(stretch) + (random::bits(seed, stretch as u64) % length as u64) as usize]
    };
    (0..most).map(draw).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_ascends_and_reaches_every_stretch() {
        let rows: Vec<usize> = (100..1100).collect();
        let sample = sample_evenly(&rows, 70, 3);
        assert_eq!(sample.len(), 70);
        assert!(sample.windows(2).all(|pair| pair[0] < pair[1] && pair[1] - pair[0] <= 30));
        assert_eq!(sample_evenly(&rows, 1000, 3), rows);
        // All steps of ten-step forecasts occur.
        let steps: std::collections::HashSet<usize> =
            sample_evenly(&rows, 100, 3).iter().map(|row| row % 10).collect();
        assert_eq!(steps.len(), 10);
    }
}
