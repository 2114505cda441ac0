//! A series as a table of days, with the usual course and the usual size of deviations as known at the end of each day.

/// Half-lives of the usual courses, in days.
pub(super) const HALF_LIVES: [f64; 4] = [1.5, 5.0, 15.0, 60.0];
/// The index of the course from which deviations are measured.
pub(super) const BASE: usize = 2;
/// The index of the course that forgets most slowly.
pub(super) const LONG: usize = 3;
/// Half-lives of the sizes, which count equally.
const SIZE_HALF_LIVES: [f64; 2] = [10.0, 40.0];
/// Deviations above this quantile of those at the same phase count like it.
const LARGEST: f64 = 0.995;
/// Smaller mean deviations are rounding: the largest value of the series is between 1 and 2.
const ROUNDING: f64 = 1e-12;
/// The size at a phase is at least this share of the mean size of the day.
const LEAST_SIZE: f64 = 0.03;

/// The table, row by row.
#[derive(Debug)]
pub(super) struct Days {
    pub(super) season: usize,
    pub(super) count: usize,
    pub(super) values: Vec<f64>,
    /// Usual courses, one table for each of [`HALF_LIVES`].
    pub(super) usual: [Vec<f64>; HALF_LIVES.len()],
    /// Usual sizes of deviations; zero at phases that never deviated.
    pub(super) size: Vec<f64>,
    /// Their reciprocals; zero where the size is.
    pub(super) inverse: Vec<f64>,
}

impl Days {
    /// `values` are whole days, at least two.
    pub(super) fn new(values: &[f64], season: usize) -> Self {
        let usual = HALF_LIVES.map(|half_life| smooth(values, season, half_life));
        let size = sizes(values, &usual[BASE], season);
        let inverse = size.iter().map(|&size| if size > 0.0 { size.recip() } else { 0.0 }).collect();
        Self { season, count: values.len() / season, values: values.to_vec(), usual, size, inverse }
    }

    /// The usual value and size of a phase as known at the end; the value itself where it never deviates.
    pub(super) fn last(&self, phase: usize) -> (f64, f64) {
        let at = (self.count - 1) * self.season + phase;
        let usual = if self.size[at] > 0.0 { self.usual[BASE][at] } else { self.values[at] };
        (usual, self.size[at])
    }

    /// The smallest and largest value.
    pub(super) fn range(&self) -> (f64, f64) {
        self.values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(lowest, highest), &value| {
            (lowest.min(value), highest.max(value))
        })
    }
}

/// Exponentially weighted means of each column of a table, as known after each row.
fn smooth(table: &[f64], width: usize, half_life: f64) -> Vec<f64> {
    let fading = 0.5_f64.powf(half_life.recip());
    let mut sums = vec![0.0; width];
    let mut weight = 0.0;
    let mut means = Vec::with_capacity(table.len());
    for row in table.chunks_exact(width) {
        weight = weight * fading + 1.0;
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum = *sum * fading + value;
            means.push(*sum / weight);
        }
    }
    means
}

fn sizes(values: &[f64], usual: &[f64], season: usize) -> Vec<f64> {
    let mut deviations: Vec<f64> = vec![0.0; season];
    deviations.extend(values[season..].iter().zip(usual).map(|(value, usual)| (value - usual).abs()));
    let rows = values.len() / season;
    let mut never = vec![false; season];
    for (phase, never) in never.iter_mut().enumerate() {
        let mut column: Vec<f64> = (1..rows).map(|row| deviations[row * season + phase]).collect();
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        *never = mean <= ROUNDING;
        let place = ((column.len() - 1) as f64 * LARGEST).round() as usize;
        let (_, &mut most, _) = column.select_nth_unstable_by(place, f64::total_cmp);
        for row in 1..rows {
            let deviation = &mut deviations[row * season + phase];
            *deviation = deviation.min(most);
        }
        // The first day has nothing to deviate from.
        deviations[phase] = mean.min(most);
    }
    let [short, long] = SIZE_HALF_LIVES.map(|half_life| smooth(&deviations, season, half_life));
    let mut sizes: Vec<f64> =
        short.iter().zip(&long).map(|(short, long)| f64::midpoint(*short, *long)).collect();
    let reach = (season / 24).max(1);
    for row in sizes.chunks_exact_mut(season) {
        let own = row.to_vec();
        let least = LEAST_SIZE * own.iter().sum::<f64>() / season as f64;
        let mut window: f64 = (0..=2 * reach).map(|k| own[(k + season - reach) % season]).sum();
        for (phase, size) in row.iter_mut().enumerate() {
            let around = window / (2 * reach + 1) as f64;
            *size = if never[phase] { 0.0 } else { f64::midpoint(own[phase], around).max(least) };
            window += own[(phase + reach + 1) % season] - own[(phase + season - reach) % season];
        }
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_courses_forget_and_phases_that_never_deviate_have_no_size() {
        let season = 13;
        let values: Vec<f64> = (0..40 * season)
            .map(|at| if at % season == 0 { 5.0 } else { ((at / season) % 2) as f64 })
            .collect();
        let days = Days::new(&values, season);
        assert_eq!(days.last(0), (5.0, 0.0));
        let (usual, size) = days.last(1);
        assert!((0.4..0.6).contains(&usual) && (0.4..0.6).contains(&size), "{usual} {size}");
        let after_one = days.usual[0][season + 1];
        let expected = 1.0 / (1.0 + 0.5_f64.powf(1.0 / 1.5));
        assert!((after_one - expected).abs() < 1e-12, "{after_one}");
    }
}
