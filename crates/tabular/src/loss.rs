//! What members are compared by.

use crate::Target;

/// Probabilities are taken to be at least this, as a certain error would outweigh everything else.
pub(crate) const SMALLEST: f64 = 1e-9;

/// The mean log loss of probabilities, or the root mean squared error of values, row by row as
/// [`crate::Fitted::predict`] gives them.
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
