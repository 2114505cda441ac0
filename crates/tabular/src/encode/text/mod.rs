//! Reduces sentences to a few numbers.

mod grams;
mod sparse;
mod svd;

use rayon::prelude::*;
use tabcast_table::{Frame, FrameColumn};

use grams::{BUCKETS, hash_text};
use sparse::Sparse;

/// Maximum number of components.
const COMPONENTS: usize = 32;

/// Number of fitted rows per component.
const ROWS_OF_COMPONENT: usize = 30;

/// Maximum numbers of rows and characters from which components are computed: they bound the time, and more would
/// change little.
const MOST_ROWS: usize = 10_000;
const MOST_CHARS: usize = 1_000_000;

/// Weights of words and character n-grams (term frequency times inverse document frequency), and the directions in
/// which texts differ most (latent semantic analysis: Deerwester et al., 1990).
#[derive(Debug, Clone)]
pub(crate) struct TextReduction {
    column: usize,
    /// Weight of each hash value; 0 if it occurs in fewer than two of the fitted texts.
    weights: Vec<f32>,
    /// Index of each hash value among the rows of `directions`.
    places: Vec<u32>,
    directions: Vec<f64>,
    /// Number of components, the columns of `directions`.
    pub(crate) count: usize,
}

impl TextReduction {
    /// Computes weights and directions from the texts of these rows, or of a sample of them.
    pub(crate) fn fit(frame: &Frame, column: usize, rows: &[u32], seed: u64) -> Self {
        let sample = sample(frame, column, rows);
        let hashed: Vec<Vec<(u32, f32)>> =
            sample.par_iter().map(|&row| counted(text(frame, column, row))).collect();
        let mut texts = vec![0u32; BUCKETS];
        for &(bucket, _) in hashed.iter().flatten() {
            texts[bucket as usize] += 1;
        }
        let all = hashed.len() as f32;
        let weight =
            |&count: &u32| if count < 2 { 0.0 } else { ((1.0 + all) / (1.0 + count as f32)).ln() + 1.0 };
        let weights: Vec<f32> = texts.iter().map(weight).collect();
        let mut places = vec![0; BUCKETS];
        let mut width = 0;
        for (place, &weight) in places.iter_mut().zip(&weights) {
            *place = width;
            width += u32::from(weight > 0.0);
        }
        let mut fitted = Self { column, weights, places, directions: Vec::new(), count: 0 };
        let mut matrix = Sparse { starts: vec![0], width: width as usize, ..Sparse::default() };
        for row in &hashed {
            for (place, value) in fitted.weigh(row) {
                matrix.columns.push(place);
                matrix.values.push(value);
            }
            matrix.starts.push(matrix.columns.len());
        }
        let wanted = (rows.len() / ROWS_OF_COMPONENT).clamp(1, COMPONENTS);
        let (mut directions, count) = svd::right_singular_vectors(&matrix, wanted, seed);
        if count > 0 {
            // Components keep their relative sizes; the one that varies most has the variance of a standardised number.
            let scores = matrix.times(&directions, count);
            let widest =
                (0..count).map(|at| deviation(scores.iter().skip(at).step_by(count))).fold(0.0, f64::max);
            if widest > 0.0 {
                for value in &mut directions {
                    *value /= widest;
                }
            }
        }
        fitted.directions = directions;
        fitted.count = count;
        fitted
    }

    /// The components of each row, one column each; 0 for a missing text.
    pub(crate) fn of(&self, frame: &Frame, rows: &[u32]) -> Vec<Vec<f64>> {
        let mut columns = vec![vec![0.0; rows.len()]; self.count];
        if self.count == 0 {
            return columns;
        }
        let reduce = |&row: &u32| {
            let mut sums = vec![0.0; self.count];
            for (place, value) in self.weigh(&counted(text(frame, self.column, row))) {
                let direction = &self.directions[place as usize * self.count..][..self.count];
                sums.iter_mut().zip(direction).for_each(|(sum, &part)| *sum += f64::from(value) * part);
            }
            sums
        };
        // In blocks, so that rows and columns are never all in memory at once.
        for (block, rows) in rows.chunks(4096).enumerate() {
            let reduced: Vec<Vec<f64>> = rows.par_iter().with_min_len(64).map(reduce).collect();
            for (at, column) in columns.iter_mut().enumerate() {
                let part = &mut column[block * 4096..][..rows.len()];
                part.iter_mut().zip(&reduced).for_each(|(value, sums)| *value = sums[at]);
            }
        }
        columns
    }

    /// Weighted counts of the known hash values, scaled to a vector of length 1.
    fn weigh(&self, counts: &[(u32, f32)]) -> Vec<(u32, f32)> {
        let weighted = |&(bucket, count): &(u32, f32)| {
            let weight = self.weights[bucket as usize];
            (weight > 0.0).then(|| (self.places[bucket as usize], (1.0 + count.ln()) * weight))
        };
        let mut row: Vec<(u32, f32)> = counts.iter().filter_map(weighted).collect();
        let length = row.iter().map(|(_, value)| value * value).sum::<f32>().sqrt();
        for (_, value) in &mut row {
            *value /= length;
        }
        row
    }
}

/// Numbers of characters and words in the texts of a column; NaN for a missing text.
pub(crate) fn lengths(frame: &Frame, column: usize, rows: &[u32]) -> [Vec<f64>; 2] {
    let count = |of: &dyn Fn(&str) -> usize| {
        let number = |&row: &u32| text(frame, column, row).map_or(f64::NAN, |text| of(text) as f64);
        rows.iter().map(number).collect()
    };
    [count(&|text| text.chars().count()), count(&|text| text.split_whitespace().count())]
}

fn text(frame: &Frame, column: usize, row: u32) -> Option<&str> {
    match &frame.columns[column] {
        FrameColumn::Texts(texts) => texts.get(row as usize),
        FrameColumn::Numbers(_) => None,
    }
}

/// Hash values of a text in ascending order, with their counts.
fn counted(text: Option<&str>) -> Vec<(u32, f32)> {
    let mut buckets = Vec::new();
    hash_text(text.unwrap_or_default(), &mut buckets);
    buckets.sort_unstable();
    buckets.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as f32)).collect()
}

/// Evenly spaced rows, as many as the limits on rows and characters allow.
fn sample(frame: &Frame, column: usize, rows: &[u32]) -> Vec<u32> {
    let chars: usize =
        rows.iter().map(|&row| text(frame, column, row).map_or(0, |text| text.len().min(1000))).sum();
    let step = rows.len().div_ceil(MOST_ROWS).max(chars.div_ceil(MOST_CHARS)).max(1);
    rows.iter().copied().step_by(step).collect()
}

fn deviation<'a>(values: impl Iterator<Item = &'a f64> + Clone) -> f64 {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    (values.map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}
