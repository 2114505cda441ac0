//! A loss on the training rows: initial margins, and the derivatives of each round.

use rayon::prelude::*;

use super::loss::Loss;
use super::packing::Gradients;
use super::quantile::weighted_quantile;

/// Targets, and weights if rows have any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Labels<'a> {
    pub(crate) target: &'a [f64],
    pub(crate) weights: Option<&'a [f64]>,
}

/// Number of rows per task. Sums are taken chunk by chunk, independent of the number of threads.
const CHUNK: usize = 8192;

/// Lower limit of a class share or mean count in the initial margin, so that its logarithm is finite.
const LEAST: f64 = 1e-9;

/// Factor of Poisson's second derivative (`exp 0.7`), which keeps a leaf of zeros from diverging.
const CAUTION: f64 = 2.013_752_707_470_476_6;

impl Labels<'_> {
    pub(crate) fn weight(&self, row: usize) -> f64 {
        self.weights.map_or(1.0, |weights| weights[row])
    }

    /// The weighted mean of a function of the row.
    fn mean(&self, of: impl Fn(usize) -> f64 + Sync) -> f64 {
        let rows = self.target.len();
        let chunk = |start: usize| {
            (start..rows.min(start + CHUNK)).fold((0.0, 0.0), |(sum, weights), row| {
                let weight = self.weight(row);
                (sum + weight * of(row), weights + weight)
            })
        };
        let parts: Vec<(f64, f64)> =
            (0..rows.div_ceil(CHUNK)).into_par_iter().map(|at| chunk(at * CHUNK)).collect();
        let (sum, weights) = parts.into_iter().fold((0.0, 0.0), |all, part| (all.0 + part.0, all.1 + part.1));
        sum / weights
    }

    fn quantile(&self, level: f64) -> f64 {
        let mut values: Vec<(f64, f64)> =
            self.target.iter().enumerate().map(|(row, &target)| (target, self.weight(row))).collect();
        weighted_quantile(&mut values, level)
    }
}

/// The initial margin of each output: the best constant, or nearly so.
pub(crate) fn base(loss: &Loss, labels: &Labels<'_>) -> Vec<f64> {
    let target = labels.target;
    match loss {
        Loss::SquaredError => {
            // The mean of equal numbers may differ from them by rounding, and trees would then be grown on that.
            let is_constant = target.iter().all(|&value| value == target[0]);
            vec![if is_constant { target[0] } else { labels.mean(|row| target[row]) }]
        }
        Loss::Huber { .. } => vec![labels.quantile(0.5)],
        Loss::Pinball { levels } => levels.iter().map(|&level| labels.quantile(level)).collect(),
        Loss::Logistic => {
            let share = labels.mean(|row| target[row]).clamp(LEAST, 1.0 - LEAST);
            vec![(share / (1.0 - share)).ln()]
        }
        Loss::Softmax { classes } => (0..*classes)
            .map(|class| labels.mean(|row| f64::from(target[row] == class as f64)).max(LEAST).ln())
            .collect(),
        Loss::Poisson | Loss::Tweedie { .. } => vec![labels.mean(|row| target[row]).max(LEAST).ln()],
    }
}

/// The weighted mean loss; `margins[output * rows + row]`.
pub(crate) fn mean_loss(loss: &Loss, labels: &Labels<'_>, margins: &[f64]) -> f64 {
    let (rows, outputs) = (labels.target.len(), loss.outputs());
    labels.mean(|row| {
        if outputs == 1 {
            return loss.of_row(labels.target[row], &margins[row..=row]);
        }
        let mut here: Vec<f64> = (0..outputs).map(|output| margins[output * rows + row]).collect();
        if matches!(loss, Loss::Pinball { .. }) {
            here.sort_unstable_by(f64::total_cmp);
        }
        loss.of_row(labels.target[row], &here)
    })
}

/// Class probabilities in the layout of the margins.
pub(crate) fn softmax(margins: &[f64], rows: usize) -> Vec<f64> {
    let classes = margins.len() / rows.max(1);
    let of = |row: usize| (0..classes).map(move |class| margins[class * rows + row]);
    let scale: Vec<f64> = (0..rows)
        .into_par_iter()
        .map(|row| {
            let largest = of(row).fold(f64::NEG_INFINITY, f64::max);
            largest + of(row).map(|margin| (margin - largest).exp()).sum::<f64>().ln()
        })
        .collect();
    margins.par_iter().enumerate().map(|(at, margin)| (margin - scale[at % rows]).exp()).collect()
}

/// The derivatives for tree `tree` of round `round`. `margins` are those at the start of the round (`[output * rows +
/// row]`); under softmax, the probabilities.
pub(crate) fn derive(
    loss: &Loss,
    labels: &Labels<'_>,
    margins: &[f64],
    (round, tree): (usize, usize),
    out: &mut Gradients,
) {
    let rows = labels.target.len();
    let first = &margins[..rows];
    match *loss {
        Loss::SquaredError => with_constant(labels, first, out, |y, f| f - y),
        Loss::Huber { delta } => with_constant(labels, first, out, |y, f| (f - y).clamp(-delta, delta)),
        Loss::Pinball { ref levels } => {
            let at = round % levels.len();
            let level = levels[at];
            let of = |y, f| if y < f { 1.0 - level } else { -level };
            with_constant(labels, &margins[at * rows..][..rows], out, of);
        }
        Loss::Logistic => fill(labels, first, out, |y, f| {
            let p = 1.0 / (1.0 + (-f).exp());
            (p - y, p * (1.0 - p))
        }),
        Loss::Softmax { classes } => {
            // Classes have one redundant degree of freedom (Friedman, 2001); the factor compensates for diagonal steps.
            let factor = classes as f64 / (classes as f64 - 1.0);
            fill(labels, &margins[tree * rows..][..rows], out, |y, p| {
                (p - f64::from(y == tree as f64), factor * p * (1.0 - p))
            });
        }
        Loss::Poisson => fill(labels, first, out, |y, f| (f.exp() - y, CAUTION * f.exp())),
        Loss::Tweedie { power } => fill(labels, first, out, |y, f| {
            let (rise, fall) = (((2.0 - power) * f).exp(), y * ((1.0 - power) * f).exp());
            (rise - fall, (2.0 - power) * rise - (1.0 - power) * fall)
        }),
    }
}

/// Derivatives if the second one is just the weight.
fn with_constant(
    labels: &Labels<'_>,
    margins: &[f64],
    out: &mut Gradients,
    of: impl Fn(f64, f64) -> f64 + Sync,
) {
    if labels.weights.is_some() {
        return fill(labels, margins, out, |y, f| (of(y, f), 1.0));
    }
    out.second.clear();
    out.first.resize(margins.len(), 0.0);
    let chunks =
        out.first.par_chunks_mut(CHUNK).zip(margins.par_chunks(CHUNK)).zip(labels.target.par_chunks(CHUNK));
    chunks.for_each(|((out, margins), target)| {
        for ((out, &margin), &target) in out.iter_mut().zip(margins).zip(target) {
            *out = of(target, margin);
        }
    });
}

fn fill(
    labels: &Labels<'_>,
    margins: &[f64],
    out: &mut Gradients,
    of: impl Fn(f64, f64) -> (f64, f64) + Sync,
) {
    out.first.resize(margins.len(), 0.0);
    out.second.resize(margins.len(), 0.0);
    let chunks = out.first.par_chunks_mut(CHUNK).zip(out.second.par_chunks_mut(CHUNK)).enumerate();
    chunks.for_each(|(chunk, (first, second))| {
        for (place, (first, second)) in first.iter_mut().zip(second).enumerate() {
            let row = chunk * CHUNK + place;
            let (gradient, hessian) = of(labels.target[row], margins[row]);
            let weight = labels.weight(row);
            (*first, *second) = (weight * gradient, weight * hessian);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares every loss with finite differences, for each output, with weights.
    #[test]
    fn derivatives_are_those_of_the_loss() {
        let losses = [
            (Loss::SquaredError, 1.0),
            (Loss::Huber { delta: 0.5 }, f64::NAN),
            (Loss::Pinball { levels: vec![0.1, 0.5, 0.9] }, f64::NAN),
            (Loss::Logistic, 1.0),
            (Loss::Softmax { classes: 3 }, 1.5),
            (Loss::Poisson, CAUTION),
            (Loss::Tweedie { power: 1.3 }, 1.0),
        ];
        let target = [0.0, 1.0, 1.0, 0.0, 1.0];
        let weights = [1.0, 2.0, 0.5, 1.0, 3.0];
        let labels = Labels { target: &target, weights: Some(&weights) };
        for (loss, factor) in losses {
            let (rows, outputs) = (target.len(), loss.outputs());
            let margins: Vec<f64> =
                (0..rows * outputs).map(|at| (at as f64 * 1.7 + 0.3).sin() * 1.5).collect();
            for tree in 0..outputs {
                let is_softmax = matches!(loss, Loss::Softmax { .. });
                let given = if is_softmax { softmax(&margins, rows) } else { margins.clone() };
                let mut found = Gradients::default();
                derive(&loss, &labels, &given, (tree, tree), &mut found);
                for row in 0..rows {
                    let at = |step: f64| {
                        let mut here: Vec<f64> =
                            (0..outputs).map(|output| margins[output * rows + row]).collect();
                        here[tree] += step;
                        // The loss is the mean over levels, the derivative is that of one level.
                        let levels = if matches!(loss, Loss::Pinball { .. }) { outputs as f64 } else { 1.0 };
                        weights[row] * levels * loss.of_row(target[row], &here)
                    };
                    let h = 1e-4;
                    let first = (at(h) - at(-h)) / (2.0 * h);
                    assert!((first - found.first[row]).abs() < 1e-6, "{loss:?} row {row}: {first}");
                    let second = factor * (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h);
                    assert!(
                        factor.is_nan() || (second - found.second[row]).abs() < 1e-5,
                        "{loss:?}: {second}"
                    );
                }
            }
        }
    }

    #[test]
    fn margins_start_where_the_mean_loss_is_least() {
        let target = [0.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0];
        let labels = Labels { target: &target, weights: Some(&[1.0, 2.0, 0.5, 1.0, 3.0, 1.0, 1.0]) };
        let huber = Loss::Huber { delta: 5.0 };
        for loss in [Loss::SquaredError, Loss::Logistic, Loss::Poisson, Loss::Tweedie { power: 1.5 }, huber] {
            let start = base(&loss, &labels)[0];
            let at = |margin: f64| mean_loss(&loss, &labels, &[margin; 7]);
            if matches!(loss, Loss::Huber { .. }) {
                assert_eq!(start, 1.0);
            } else {
                assert!(at(start) <= at(start + 0.01) && at(start) <= at(start - 0.01), "{loss:?}");
            }
        }
    }
}
