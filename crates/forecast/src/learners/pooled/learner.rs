//! Trains a network on examples.

use serde::{Deserialize, Serialize};
use tabcast_statistics::network::{Activations, Adam, Network, Random, count, padded};

use super::example::Example;

/// Examples per training step; a multiple of the rows that are computed together.
const BATCH: usize = 128;
/// Number of passes over all examples.
const PASSES: usize = 12;
/// With few examples, passes continue until this many training steps are done.
const LEAST_STEPS: usize = 400;
/// The initial learning rate; it falls to zero along half a cosine.
const RATE: f32 = 4e-3;
/// Errors count by absolute value, those below this fraction of a deviation by square: a smooth loss where a step would
/// overshoot.
const KNEE: f32 = 0.1;
/// Maximum multiplications of one forward pass over all training examples: four seconds of a core.
const WORK: usize = 4_000_000_000;
/// Maximum number of examples; more add little.
const MOST_EXAMPLES: usize = 30_000;

/// Number of examples worth training on.
pub(super) fn most_examples(lookback: usize, horizon: usize) -> usize {
    (WORK / PASSES / count(padded(lookback), padded(horizon))).min(MOST_EXAMPLES)
}

/// A network, and its errors on its training examples.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Learned {
    pub(super) network: Network,
    /// Mean absolute error of each step, in deviations of the past.
    pub(super) errors: Vec<f64>,
    /// Number of examples that each step was learned from.
    pub(super) seen: Vec<usize>,
}

/// Minimises the mean absolute error, scaled by seasonal differences. None once `stop` is set.
pub(super) fn learn(
    examples: &[Example<'_>],
    lookback: usize,
    horizon: usize,
    seed: u64,
    stop: &(dyn Fn() -> bool + Sync),
) -> Option<Learned> {
    let (inputs, outputs) = (padded(lookback), padded(horizon));
    let mut random = Random::new(seed);
    let mut network = Network::random(inputs, outputs, &mut random);
    let mut optimiser = Adam::new(network.parameters.len());
    let mut batch = Batch::new(inputs, outputs);
    let mut activations = Activations::default();
    let mut gradient = vec![0.0; network.parameters.len()];
    let mean = examples.iter().map(|example| example.importance).sum::<f32>() / examples.len() as f32;

    let mut order: Vec<usize> = (0..examples.len()).collect();
    let steps = (PASSES * examples.len() / BATCH).max(LEAST_STEPS);
    let mut next = order.len();
    for step in 0..steps {
        if stop() {
            return None;
        }
        if next + BATCH > order.len() {
            random.choose(&mut order, examples.len());
            next = 0;
        }
        batch.fill(order[next..].iter().take(BATCH).map(|&place| &examples[place]));
        next += BATCH;
        network.apply(&batch.inputs, &mut activations);
        batch.slopes.fill(0.0);
        for (row, (importance, steps)) in batch.importance.iter().zip(&batch.steps).enumerate() {
            let size = importance / (mean * (BATCH * horizon) as f32);
            for place in row * outputs..row * outputs + steps {
                let miss = activations.outputs[place] - batch.targets[place];
                batch.slopes[place] = size * (miss / KNEE).clamp(-1.0, 1.0);
            }
        }
        network.gradient(&batch.inputs, &batch.slopes, &mut activations, &mut gradient);
        let along = std::f32::consts::PI * step as f32 / steps as f32;
        optimiser.step(&mut network.parameters, &gradient, RATE * 0.5 * (1.0 + along.cos()));
    }
    Some(judge(network, examples, horizon, &mut batch, &mut activations))
}

fn judge(
    network: Network,
    examples: &[Example<'_>],
    horizon: usize,
    batch: &mut Batch,
    activations: &mut Activations,
) -> Learned {
    let (mut sums, mut seen) = (vec![0.0; horizon], vec![0; horizon]);
    for part in examples.chunks(BATCH) {
        batch.fill(part.iter());
        network.apply(&batch.inputs, activations);
        let pairs = activations
            .outputs
            .chunks_exact(network.outputs)
            .zip(batch.targets.chunks_exact(network.outputs));
        for ((outputs, targets), steps) in pairs.zip(&batch.steps) {
            for (step, (output, target)) in outputs.iter().zip(targets).take(*steps).enumerate() {
                sums[step] += f64::from((output - target).abs());
                seen[step] += 1;
            }
        }
    }
    let errors = sums.iter().zip(&seen).map(|(sum, &seen)| sum / seen.max(1) as f64).collect();
    Learned { network, errors, seen }
}

/// The rows of a training step.
struct Batch {
    inputs: Vec<f32>,
    targets: Vec<f32>,
    slopes: Vec<f32>,
    importance: Vec<f32>,
    /// Number of known horizon steps of each example.
    steps: Vec<usize>,
    widths: [usize; 2],
}

impl Batch {
    fn new(inputs: usize, outputs: usize) -> Self {
        let rows = |width: usize| vec![0.0; BATCH * width];
        Self {
            inputs: rows(inputs),
            targets: rows(outputs),
            slopes: rows(outputs),
            importance: rows(1),
            steps: vec![0; BATCH],
            widths: [inputs, outputs],
        }
    }

    /// Rows without an example keep their old content and do not count.
    fn fill<'a>(&mut self, examples: impl Iterator<Item = &'a Example<'a>>) {
        self.steps.fill(0);
        let [inputs, targets] = self.widths;
        let rows = self.inputs.chunks_exact_mut(inputs).zip(self.targets.chunks_exact_mut(targets));
        let counts = self.importance.iter_mut().zip(&mut self.steps);
        for (((inputs, targets), (importance, steps)), example) in rows.zip(counts).zip(examples) {
            example.write(inputs, targets);
            *importance = example.importance;
            *steps = example.future.len();
        }
    }
}
