//! The losses by which members are compared.

use crate::Target;

/// Lower limit of probabilities, so that a single certain but wrong prediction does not outweigh everything else.
pub(crate) const SMALLEST: f64 = 1e-9;

/// The mean log loss of probabilities, or the root mean squared error of values, given row by row as in
/// [`crate::Fitted::predict`].
pub fn loss(target: &Target, predictions: &[f64]) -> f64 {
    let rows = target.len().max(1) as f64;
    match target {
        Target::Classes { labels, classes } => {
            let of = |(row, label): (usize, &u32)| {
                -predictions[row * classes + *label as usize].max(SMALLEST).ln()
            };
            labels.iter().enumerate().map(of).sum::<f64>() / rows
        }
        Target::Values(values) => {
            let squares =
                values.iter().zip(predictions).map(|(value, prediction)| (value - prediction).powi(2));
            (squares.sum::<f64>() / rows).sqrt()
        }
    }
}
