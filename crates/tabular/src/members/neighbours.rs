//! The weighted mean of the nearest rows; nearer ones count more (Dudani, *The distance-weighted k-nearest-neighbor
//! rule*, 1976).

use rayon::prelude::*;

use super::linear::Columns;
use super::output::mean_loss;
use crate::{Fitted, Learner, Lesson, Matrix, Stop, Target, View};

/// Numbers of neighbours that are tried.
const COUNTS: [usize; 7] = [1, 3, 6, 12, 24, 48, 96];
/// Maximum number of multiplications for validation.
const MOST_WORK: usize = 6_000_000_000;
/// Number of prior rows with the overall class shares, so that no class has probability 0.
const PRIOR_ROWS: f64 = 0.5;
/// Values are clipped at this many deviations from the mean.
const FURTHEST: f64 = 4.0;
/// Number of queries between two checks of `stop`.
const BLOCK: usize = 64;

/// Nearest neighbours by standardised columns.
pub(super) struct Neighbours;

impl Learner for Neighbours {
    fn name(&self) -> &'static str {
        "nearest_neighbours"
    }

    fn view(&self) -> View {
        View::Dense
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        let (rows, width) = (lesson.training.rows, lesson.training.columns.len());
        let work = rows.checked_mul(width)?.checked_mul(lesson.validation.rows.max(1))?;
        if rows == 0 || width == 0 || work > MOST_WORK {
            return None;
        }
        let columns = Columns::new(lesson.training);
        let relevances = relevances(lesson.training, lesson.target);
        let weights = relevances.iter().zip(&columns.scales).map(|(relevance, scale)| relevance * scale);
        let space = Space { means: columns.means.clone(), weights: weights.collect(), relevances };
        let mut model = Model {
            rows: space.place(lesson.training),
            prior: prior(lesson.target),
            target: lesson.target.clone(),
            space,
            count: COUNTS[3].min(rows),
        };
        let near = model.nearest(lesson.validation, stop)?;
        let loss = |count: usize| {
            let predicted: Vec<f64> = near.iter().flat_map(|near| model.answer(near, count)).collect();
            mean_loss(lesson.validation_target, &predicted)
        };
        let tried = COUNTS.iter().filter(|&&count| count <= rows).map(|&count| (loss(count), count));
        let best = tried.reduce(|best, next| if next.0 < best.0 { next } else { best });
        if let Some((_, count)) = best.filter(|_| !near.is_empty()) {
            model.count = count;
        }
        Some(Box::new(model))
    }
}

struct Model {
    space: Space,
    /// The coordinates of the known rows, row by row.
    rows: Vec<f32>,
    target: Target,
    prior: Vec<f64>,
    count: usize,
}

impl Model {
    /// The nearest known rows of each row with their squared distances, nearest first; as many as any setting needs.
    fn nearest(&self, rows: &Matrix, stop: Stop<'_>) -> Option<Vec<Vec<(f32, u32)>>> {
        let width = self.space.means.len();
        let asked = self.space.place(rows);
        let count = self.count.max(COUNTS[COUNTS.len() - 1]).min(self.target.len());
        let found: Vec<Vec<(f32, u32)>> = asked
            .par_chunks(width * BLOCK)
            .flat_map_iter(|block| {
                let is_ended = stop();
                block.chunks_exact(width).filter(move |_| !is_ended).map(|row| self.nearest_of(row, count))
            })
            .collect();
        (found.len() == rows.rows).then_some(found)
    }

    fn nearest_of(&self, asked: &[f32], count: usize) -> Vec<(f32, u32)> {
        let rows = self.rows.chunks_exact(asked.len());
        let mut all: Vec<(f32, u32)> = rows.map(|row| squared_distance(row, asked)).zip(0..).collect();
        let order = |a: &(f32, u32), b: &(f32, u32)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
        if count < all.len() {
            all.select_nth_unstable_by(count, order);
            all.truncate(count);
        }
        all.sort_unstable_by(order);
        all
    }

    /// The weighted mean of the first `count` nearest rows.
    fn answer(&self, near: &[(f32, u32)], count: usize) -> Vec<f64> {
        let near = &near[..count.min(near.len())];
        let furthest = near.last().map_or(0.0, |last| f64::from(last.0).sqrt());
        // The furthest one counts a little; equally distant ones count equally.
        let weight =
            |distance: f32| if furthest > 0.0 { 1.1 - f64::from(distance).sqrt() / furthest } else { 1.0 };
        let whole: f64 = near.iter().map(|&(distance, _)| weight(distance)).sum();
        match &self.target {
            Target::Values(values) => {
                vec![
                    near.iter().map(|&(distance, row)| weight(distance) * values[row as usize]).sum::<f64>()
                        / whole,
                ]
            }
            Target::Classes { labels, .. } => {
                // In units of a row of equal weight, so that the prior counts the same for all distances.
                let unit = near.len() as f64 / whole;
                let mut shares: Vec<f64> = self.prior.iter().map(|share| share * PRIOR_ROWS).collect();
                for &(distance, row) in near {
                    shares[labels[row as usize] as usize] += unit * weight(distance);
                }
                let sum: f64 = shares.iter().sum();
                for share in &mut shares {
                    *share /= sum;
                }
                shares
            }
        }
    }
}

impl Fitted for Model {
    fn predict(&self, rows: &Matrix) -> Vec<f64> {
        let width = self.space.means.len();
        self.space
            .place(rows)
            .par_chunks_exact(width)
            .flat_map_iter(|row| self.answer(&self.nearest_of(row, self.count), self.count))
            .collect()
    }
}

/// Computed in eight parallel sums.
fn squared_distance(a: &[f32], b: &[f32]) -> f32 {
    let (a_blocks, a_rest) = a.as_chunks::<8>();
    let (b_blocks, b_rest) = b.as_chunks::<8>();
    let mut lanes = [0.0; 8];
    for (a, b) in a_blocks.iter().zip(b_blocks) {
        for lane in 0..8 {
            lanes[lane] += (a[lane] - b[lane]) * (a[lane] - b[lane]);
        }
    }
    lanes.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| (a - b) * (a - b)).sum::<f32>()
}

/// The coordinate system of rows: standardised columns, with those related to the target stretched.
struct Space {
    means: Vec<f64>,
    /// Relevance divided by the standard deviation of each column.
    weights: Vec<f64>,
    relevances: Vec<f64>,
}

impl Space {
    /// The coordinates of rows, row by row.
    fn place(&self, matrix: &Matrix) -> Vec<f32> {
        let width = self.means.len();
        let mut out = vec![0.0; matrix.rows * width];
        for (place, column) in matrix.columns.iter().enumerate() {
            let (mean, weight) = (self.means[place], self.weights[place]);
            let furthest = FURTHEST * self.relevances[place];
            for (out, value) in out.iter_mut().skip(place).step_by(width).zip(column) {
                *out = ((value - mean) * weight).clamp(-furthest, furthest) as f32;
            }
        }
        out
    }
}

fn prior(target: &Target) -> Vec<f64> {
    let Target::Classes { labels, classes } = target else { return Vec::new() };
    // One extra row per class, because a fold may lack some.
    let mut shares = vec![1.0; *classes];
    for &label in labels {
        shares[label as usize] += 1.0;
    }
    let whole = (labels.len() + classes) as f64;
    for share in &mut shares {
        *share /= whole;
    }
    shares
}

/// The strength of each column's relation to the target, as a factor of its differences: an unrelated column should not
/// separate rows.
fn relevances(matrix: &Matrix, target: &Target) -> Vec<f64> {
    let indicators: Vec<Vec<f64>> = match target {
        Target::Values(values) => vec![values.clone()],
        Target::Classes { labels, classes } => (u32::from(*classes == 2)..(*classes).min(10) as u32)
            .map(|class| labels.iter().map(|&label| f64::from(u8::from(label == class))).collect())
            .collect(),
    };
    let relevance = |column: &Vec<f64>| {
        let found = indicators.iter().map(|target| correlation(column, target).abs());
        0.1 + found.fold(0.0, f64::max)
    };
    matrix.columns.par_iter().map(relevance).collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let (mut ab, mut aa, mut bb) = (0.0, 0.0, 0.0);
    for (a, b) in a.iter().zip(b) {
        let (a, b) = (a - mean_a, b - mean_b);
        ab += a * b;
        aa += a * a;
        bb += b * b;
    }
    let scale = (aa * bb).sqrt();
    if scale > 0.0 { ab / scale } else { 0.0 }
}
