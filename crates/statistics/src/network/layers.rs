//! A small feed-forward network with a linear path around it, and its gradient.
//!
//! `y = W4 x + W3 h2 + b3` with `h1 = max(0, W1 x + b1)` and `h2 = max(0, W2 h1 + b2)`: a linear model plus a network
//! for the rest. Rows are examples; weight matrices have the inputs as rows.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::product::{LANES, ROWS, add_product, transpose};
use super::random::Random;

/// Number of hidden units in each of the two layers.
pub const WIDTH: usize = 64;

/// The position of each weight matrix and bias among the parameters.
struct Layout {
    first: Range<usize>,
    first_bias: Range<usize>,
    second: Range<usize>,
    second_bias: Range<usize>,
    third: Range<usize>,
    around: Range<usize>,
    bias: Range<usize>,
}

/// The parameters, for rows of `inputs` and `outputs` numbers, both multiples of [`LANES`].
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Network {
    /// Length of an input row.
    pub inputs: usize,
    /// Length of an output row.
    pub outputs: usize,
    /// All weights and biases.
    pub parameters: Vec<f32>,
}

/// The activations of a batch, kept between batches to reuse the memory.
#[derive(Debug, Default)]
pub struct Activations {
    first: Vec<f32>,
    second: Vec<f32>,
    /// The last layer, row after row.
    pub outputs: Vec<f32>,
    transposed: Vec<f32>,
}

/// A multiple of [`LANES`] that is at least `length`.
pub fn padded(length: usize) -> usize {
    length.next_multiple_of(LANES)
}

/// Number of parameters of a network.
pub fn count(inputs: usize, outputs: usize) -> usize {
    layout(inputs, outputs).bias.end
}

fn layout(inputs: usize, outputs: usize) -> Layout {
    let mut end = 0;
    let mut next = |length: usize| {
        end += length;
        end - length..end
    };
    Layout {
        first: next(inputs * WIDTH),
        first_bias: next(WIDTH),
        second: next(WIDTH * WIDTH),
        second_bias: next(WIDTH),
        third: next(WIDTH * outputs),
        around: next(inputs * outputs),
        bias: next(outputs),
    }
}

impl Network {
    /// Random weights of the size that preserves the spread of signals (He, Zhang, Ren and Sun, Delving deep into
    /// rectifiers, 2015); the paths to the outputs start near or at zero.
    pub fn random(inputs: usize, outputs: usize, random: &mut Random) -> Self {
        let layout = layout(inputs, outputs);
        let mut parameters = vec![0.0; layout.bias.end];
        let hidden = (6.0 / WIDTH as f32).sqrt();
        for (range, size) in [
            (layout.first, (6.0 / inputs as f32).sqrt()),
            (layout.second, hidden),
            (layout.third, 0.1 * hidden),
        ] {
            parameters[range].fill_with(|| size * random.symmetric());
        }
        Self { inputs, outputs, parameters }
    }

    /// Computes the outputs for some rows of inputs, a multiple of [`ROWS`].
    pub fn apply(&self, inputs: &[f32], activations: &mut Activations) {
        let layout = layout(self.inputs, self.outputs);
        let at = |range: &Range<usize>| &self.parameters[range.clone()];
        let Activations { first, second, outputs, .. } = activations;
        start(first, at(&layout.first_bias), inputs.len() / self.inputs);
        add_product(first, inputs, at(&layout.first), self.inputs, WIDTH);
        rectify(first);
        start(second, at(&layout.second_bias), inputs.len() / self.inputs);
        add_product(second, first, at(&layout.second), WIDTH, WIDTH);
        rectify(second);
        start(outputs, at(&layout.bias), inputs.len() / self.inputs);
        add_product(outputs, second, at(&layout.third), WIDTH, self.outputs);
        add_product(outputs, inputs, at(&layout.around), self.inputs, self.outputs);
    }

    /// The gradient of a loss with respect to the parameters, given the one with respect to the outputs (`slopes`),
    /// after [`Network::apply`] on the same inputs.
    pub fn gradient(
        &self,
        inputs: &[f32],
        slopes: &[f32],
        activations: &mut Activations,
        gradient: &mut [f32],
    ) {
        let layout = layout(self.inputs, self.outputs);
        let at = |range: &Range<usize>| &self.parameters[range.clone()];
        let rows = inputs.len() / self.inputs;
        let Activations { first, second, transposed, .. } = activations;
        gradient.fill(0.0);

        add_rows(&mut gradient[layout.bias], slopes);
        add_outer(&mut gradient[layout.around], inputs, slopes, self.inputs, transposed);
        add_outer(&mut gradient[layout.third.clone()], second, slopes, WIDTH, transposed);
        let behind_second = behind(at(&layout.third), slopes, second, self.outputs, rows, transposed);
        add_rows(&mut gradient[layout.second_bias], &behind_second);
        add_outer(&mut gradient[layout.second.clone()], first, &behind_second, WIDTH, transposed);
        let behind_first = behind(at(&layout.second), &behind_second, first, WIDTH, rows, transposed);
        add_rows(&mut gradient[layout.first_bias], &behind_first);
        add_outer(&mut gradient[layout.first], inputs, &behind_first, self.inputs, transposed);
    }
}

/// Initialises every row with the bias.
fn start(layer: &mut Vec<f32>, bias: &[f32], rows: usize) {
    debug_assert!(rows.is_multiple_of(ROWS));
    layer.clear();
    for _ in 0..rows {
        layer.extend_from_slice(bias);
    }
}

fn rectify(layer: &mut [f32]) {
    for value in layer {
        *value = value.max(0.0);
    }
}

fn add_rows(sums: &mut [f32], rows: &[f32]) {
    for row in rows.chunks_exact(sums.len()) {
        for (sum, value) in sums.iter_mut().zip(row) {
            *sum += value;
        }
    }
}

/// Adds the transpose of `inputs` times `slopes`: the gradient with respect to a weight matrix.
fn add_outer(
    gradient: &mut [f32],
    inputs: &[f32],
    slopes: &[f32],
    columns: usize,
    transposed: &mut Vec<f32>,
) {
    transposed.clear();
    transposed.resize(inputs.len(), 0.0);
    transpose(transposed, inputs, columns);
    add_product(gradient, transposed, slopes, inputs.len() / columns, slopes.len() * columns / inputs.len());
}

/// Slopes with respect to the rectified inputs of a layer: zero where they were cut off.
fn behind(
    weights: &[f32],
    slopes: &[f32],
    layer: &[f32],
    outputs: usize,
    rows: usize,
    transposed: &mut Vec<f32>,
) -> Vec<f32> {
    transposed.clear();
    transposed.resize(weights.len(), 0.0);
    transpose(transposed, weights, outputs);
    let mut behind = vec![0.0; rows * WIDTH];
    add_product(&mut behind, slopes, transposed, outputs, WIDTH);
    for (slope, value) in behind.iter_mut().zip(layer) {
        if *value <= 0.0 {
            *slope = 0.0;
        }
    }
    behind
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        let mut random = Random::new(3);
        let mut network = Network::random(8, 8, &mut random);
        let mut draw = |count: usize| -> Vec<f32> { (0..count).map(|_| random.symmetric()).collect() };
        let (inputs, slopes) = (draw(4 * 8), draw(4 * 8));
        let mut activations = Activations::default();
        let mut gradient = vec![0.0; network.parameters.len()];
        network.apply(&inputs, &mut activations);
        network.gradient(&inputs, &slopes, &mut activations, &mut gradient);
        let mut loss = |network: &Network| -> f64 {
            network.apply(&inputs, &mut activations);
            activations.outputs.iter().zip(&slopes).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
        };
        for place in (0..gradient.len()).step_by(37) {
            let before = network.parameters[place];
            network.parameters[place] = before + 1e-3;
            let above = loss(&network);
            network.parameters[place] = before - 1e-3;
            let below = loss(&network);
            network.parameters[place] = before;
            let numeric = (above - below) / 2e-3;
            assert!(
                (numeric - f64::from(gradient[place])).abs() < 2e-2 * (1.0 + numeric.abs()),
                "{place}: {numeric} and {}",
                gradient[place]
            );
        }
    }
}
