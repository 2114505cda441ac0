//! The mean of a few small networks with a linear path around them; they form smooth curves where trees form steps.

use rayon::prelude::*;
use tabcast_statistics::network::{Activations, Adam, Network, ROWS, Random, count, padded};

use super::linear::Columns;
use super::output::{mean_loss, normalise};
use crate::{Fitted, Learner, Lesson, Matrix, Stop, Target, View};

/// Number of networks whose mean is the prediction.
const NETWORKS: usize = 3;
/// Rows per training step; a multiple of the rows that are computed together.
const BATCH: usize = 64;
/// Maximum number of passes over all rows.
const MOST_PASSES: usize = 80;
/// Fewer passes give no useful result.
const LEAST_PASSES: usize = 6;
/// Maximum number of multiplications in the passes of one network, forwards and backwards: about a second.
const MOST_WORK: usize = 3_500_000_000;
/// The initial learning rate; it falls to zero along half a cosine.
const RATE: f32 = 6e-3;
/// The share of each weight that a step at rate 1 removes (Loshchilov and Hutter, *Decoupled weight decay
/// regularization*, 2019), for values and for classes.
const DECAY: [f32; 2] = [0.2, 1.0];
/// Training stops after this many passes without a smaller loss on the held-back rows.
const PATIENCE: usize = 12;
/// Inputs are clipped at this many deviations.
const FURTHEST: f64 = 5.0;

/// Small networks.
pub(super) struct Networks;

impl Learner for Networks {
    fn name(&self) -> &'static str {
        "network"
    }

    fn view(&self) -> View {
        View::Dense
    }

    fn fit(&self, lesson: &Lesson<'_>, stop: Stop<'_>) -> Option<Box<dyn Fitted>> {
        let outputs = lesson.target.outputs();
        let columns = Columns::new(lesson.training);
        let (width, rows) = (padded(columns.width().max(1)), lesson.training.rows);
        let pass = 3 * rows * count(width, padded(outputs));
        let passes = (MOST_WORK / pass.max(1)).min(MOST_PASSES);
        if passes < LEAST_PASSES || rows < 2 {
            return None;
        }
        let mut model = Model::new(&columns, lesson.target, outputs);
        let inputs = model.inputs(lesson.training, width);
        let validation = model.inputs(lesson.validation, width);
        let task = Task { lesson, model: &model, inputs: &inputs, validation: &validation, passes };
        let networks: Option<Vec<Network>> =
            (0..NETWORKS).into_par_iter().map(|number| task.learn(number as u64, stop)).collect();
        model.networks = networks?;
        Some(Box::new(model))
    }
}

/// Networks with the units of their inputs and outputs.
struct Model {
    means: Vec<f64>,
    scales: Vec<f64>,
    /// Mean and deviation of values; none for classes.
    unit: Option<(f64, f64)>,
    outputs: usize,
    networks: Vec<Network>,
}

/// What the networks learn from.
struct Task<'a> {
    lesson: &'a Lesson<'a>,
    model: &'a Model,
    inputs: &'a [f32],
    validation: &'a [f32],
    passes: usize,
}

impl Task<'_> {
    fn learn(&self, number: u64, stop: Stop<'_>) -> Option<Network> {
        let outputs = padded(self.model.outputs);
        let (width, rows) = (padded(self.model.means.len().max(1)), self.lesson.training.rows);
        let mut random =
            Random::new(self.lesson.seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let mut network = Network::random(width, outputs, &mut random);
        let mut optimiser = Adam::new(network.parameters.len());
        let mut gradient = vec![0.0; network.parameters.len()];
        let mut activations = Activations::default();
        let (mut batch, mut slopes) = (vec![0.0; BATCH * width], vec![0.0; BATCH * outputs]);
        let mut order: Vec<usize> = (0..rows).collect();
        let decay = DECAY[usize::from(self.model.unit.is_none())];
        let steps = rows.div_ceil(BATCH);
        let (mut best, mut least, mut since) = (None, f64::INFINITY, 0);
        for pass in 0..self.passes {
            random.choose(&mut order, rows);
            for (step, chosen) in order.chunks(BATCH).enumerate() {
                if stop() {
                    return None;
                }
                for (batch, &row) in batch.chunks_exact_mut(width).zip(chosen) {
                    batch.copy_from_slice(&self.inputs[row * width..][..width]);
                }
                network.apply(&batch, &mut activations);
                slopes.fill(0.0);
                for ((slopes, found), &row) in slopes
                    .chunks_exact_mut(outputs)
                    .zip(activations.outputs.chunks_exact(outputs))
                    .zip(chosen)
                {
                    self.model.slopes(self.lesson.target, row, found, slopes);
                    for slope in slopes.iter_mut() {
                        *slope /= chosen.len() as f32;
                    }
                }
                network.gradient(&batch, &slopes, &mut activations, &mut gradient);
                let along = (pass * steps + step) as f32 / (self.passes * steps) as f32;
                let rate = RATE * 0.5 * (1.0 + (std::f32::consts::PI * along).cos());
                for weight in &mut network.parameters {
                    *weight -= rate * decay * *weight;
                }
                optimiser.step(&mut network.parameters, &gradient, rate);
            }
            if self.lesson.validation.rows == 0 {
                continue;
            }
            let found = self.model.apply(&network, self.validation);
            let loss = mean_loss(self.lesson.validation_target, &found);
            since += 1;
            if loss < least {
                (best, least, since) = (Some(network.clone()), loss, 0);
            }
            if since == PATIENCE {
                break;
            }
        }
        Some(best.unwrap_or(network))
    }
}

impl Model {
    fn new(columns: &Columns<'_>, target: &Target, outputs: usize) -> Self {
        let unit = match target {
            Target::Classes { .. } => None,
            Target::Values(values) => {
                let mean = values.iter().sum::<f64>() / values.len() as f64;
                let variance =
                    values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
                Some((mean, if variance > 0.0 { variance.sqrt() } else { 1.0 }))
            }
        };
        Self {
            means: columns.means.clone(),
            scales: columns.scales.clone(),
            unit,
            outputs,
            networks: Vec::new(),
        }
    }

    /// Standardised rows of this width, padded with rows of zeros to a multiple of [`ROWS`].
    fn inputs(&self, matrix: &Matrix, width: usize) -> Vec<f32> {
        let mut out = vec![0.0; matrix.rows.next_multiple_of(ROWS) * width];
        for (place, ((column, mean), scale)) in
            matrix.columns.iter().zip(&self.means).zip(&self.scales).enumerate()
        {
            for (out, value) in out.iter_mut().skip(place).step_by(width).zip(column) {
                *out = ((value - mean) * scale).clamp(-FURTHEST, FURTHEST) as f32;
            }
        }
        out
    }

    /// Derivatives of one row's loss with respect to the outputs.
    fn slopes(&self, target: &Target, row: usize, found: &[f32], slopes: &mut [f32]) {
        match (target, self.unit) {
            (Target::Values(values), Some((mean, deviation))) => {
                slopes[0] = found[0] - ((values[row] - mean) / deviation) as f32;
            }
            (Target::Classes { labels, classes }, _) => {
                softmax(&found[..*classes], &mut slopes[..*classes]);
                slopes[labels[row] as usize] -= 1.0;
            }
            (Target::Values(_), None) => unreachable!("values have a unit"),
        }
    }

    /// Predictions of one network for prepared rows, including padding.
    fn apply(&self, network: &Network, inputs: &[f32]) -> Vec<f64> {
        let blocks = inputs.par_chunks(network.inputs * 64 * ROWS);
        let parts: Vec<Vec<f64>> = blocks
            .map(|block| {
                let mut activations = Activations::default();
                network.apply(block, &mut activations);
                let rows = activations.outputs.chunks_exact(network.outputs);
                let mut shares = vec![0.0; self.outputs];
                rows.flat_map(|row| {
                    if let Some((mean, deviation)) = self.unit {
                        return vec![mean + deviation * f64::from(row[0])];
                    }
                    softmax(&row[..self.outputs], &mut shares);
                    shares.iter().map(|&share| f64::from(share)).collect()
                })
                .collect()
            })
            .collect();
        parts.concat()
    }
}

impl Fitted for Model {
    fn predict(&self, rows: &Matrix) -> Vec<f64> {
        let inputs = self.inputs(rows, padded(self.means.len().max(1)));
        let mut out = vec![0.0; rows.rows * self.outputs];
        for network in &self.networks {
            for (out, found) in out.iter_mut().zip(self.apply(network, &inputs)) {
                *out += found / self.networks.len() as f64;
            }
        }
        if self.unit.is_none() {
            normalise(&mut out, self.outputs);
        }
        out
    }
}

fn softmax(margins: &[f32], shares: &mut [f32]) {
    let largest = margins.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for (share, margin) in shares.iter_mut().zip(margins) {
        *share = (margin - largest).exp();
        sum += *share;
    }
    for share in shares.iter_mut() {
        *share /= sum;
    }
}
