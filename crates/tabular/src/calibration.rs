//! Calibrates probabilities with a temperature (Guo et al., *On Calibration of Modern Neural Networks*, ICML 2017),
//! which is only kept if it helps rows that it was not fitted on.

use tabcast_statistics::{minimize_scalar, random};

use crate::Target;
use crate::loss::{SMALLEST, loss};
use crate::metrics::most_likely;

/// Number of parts; each is judged with the temperature of the others.
const PARTS: u64 = 5;
/// Minimum number of wrong predictions for sharpening probabilities: rows that are all right do not show how often
/// others are wrong.
const FEW_ERRORS: usize = 10;
/// Bounds of the logarithm of the temperature.
const BOUND: f64 = 1.5;
/// Minimum number of rows for judging a temperature.
const FEW_ROWS: usize = 100;

/// The fitted temperature and its effect: losses on rows that it was not fitted on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Calibration {
    /// 1 if the temperature is not kept.
    pub(crate) temperature: f64,
    pub(crate) before: f64,
    pub(crate) after: f64,
}

/// Fits a temperature on predictions of held-back rows.
pub(crate) fn calibrate(target: &Target, predictions: &[f64], seed: u64) -> Option<Calibration> {
    let Target::Classes { labels, classes } = target else { return None };
    if labels.len() < FEW_ROWS {
        return None;
    }
    let part = |of: &dyn Fn(usize) -> bool| {
        let rows: Vec<u32> = (0..labels.len()).filter(|&row| of(row)).map(|row| row as u32).collect();
        let predictions: Vec<f64> = rows
            .iter()
            .flat_map(|&row| &predictions[row as usize * classes..][..*classes])
            .copied()
            .collect();
        (target.select(&rows), predictions)
    };
    let is_wrong = |(label, row): &(&u32, &[f64])| most_likely(row) != **label;
    let errors = labels.iter().zip(predictions.chunks_exact(*classes)).filter(is_wrong).count();
    let lowest = if errors < FEW_ERRORS { 0.0 } else { -BOUND };
    // Cross-fitted: each row is judged with the temperature of the others.
    let (mut after, mut rows) = (0.0, 0);
    for held in 0..PARTS {
        let is_held = |row: usize| random::bits(seed, row as u64) % PARTS == held;
        let (fitting, judged) = (part(&|row| !is_held(row)), part(&is_held));
        let temperature = fit(&fitting.0, &fitting.1, lowest);
        after += loss(&judged.0, &apply(temperature, &judged.1, *classes)) * judged.0.len() as f64;
        rows += judged.0.len();
    }
    let (before, after) = (loss(target, predictions), after / rows as f64);
    let temperature = if after < before { fit(target, predictions, lowest) } else { 1.0 };
    Some(Calibration { temperature, before, after })
}

/// Probabilities to the power of 1 / temperature, rescaled to sum to 1.
pub(crate) fn apply(temperature: f64, predictions: &[f64], classes: usize) -> Vec<f64> {
    let mut out = Vec::with_capacity(predictions.len());
    for row in predictions.chunks_exact(classes) {
        let from = out.len();
        out.extend(row.iter().map(|p| {
            if temperature == 1.0 { p.max(SMALLEST) } else { p.max(SMALLEST).powf(1.0 / temperature) }
        }));
        let whole: f64 = out[from..].iter().sum();
        out[from..].iter_mut().for_each(|p| *p /= whole);
    }
    out
}

fn fit(target: &Target, predictions: &[f64], lowest: f64) -> f64 {
    let classes = target.outputs();
    let at = |logarithm: f64| loss(target, &apply(logarithm.exp(), predictions, classes));
    minimize_scalar(at, lowest, BOUND, 1e-3, 40).0.exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two classes; the first has probability `given`, and is right in `right` of a hundred rows.
    fn rows(given: f64, right: usize) -> (Target, Vec<f64>) {
        let labels = (0..1_000).map(|row| u32::from(row % 100 >= right)).collect();
        (Target::Classes { labels, classes: 2 }, [given, 1.0 - given].repeat(1_000))
    }

    #[test]
    fn what_is_too_sure_is_made_as_sure_as_it_is_right() {
        let (target, predictions) = rows(0.99, 80);
        let calibration = calibrate(&target, &predictions, 1).expect("enough rows");
        assert!(calibration.after < calibration.before);
        let p = apply(calibration.temperature, &predictions, 2)[0];
        assert!((p - 0.8).abs() < 0.02, "{p}");
    }

    #[test]
    fn what_is_not_sure_enough_is_made_surer_where_errors_say_how_much() {
        let (target, predictions) = rows(0.7, 90);
        let p =
            apply(calibrate(&target, &predictions, 1).expect("enough rows").temperature, &predictions, 2)[0];
        assert!((p - 0.9).abs() < 0.02, "{p}");
        let (target, predictions) = rows(0.9, 100);
        assert_eq!(calibrate(&target, &predictions, 1).expect("enough rows").temperature, 1.0);
    }

    #[test]
    fn what_is_right_stays_as_it_is() {
        let (target, predictions) = rows(0.8, 80);
        let p =
            apply(calibrate(&target, &predictions, 1).expect("enough rows").temperature, &predictions, 2)[0];
        assert!((p - 0.8).abs() < 0.02, "{p}");
    }
}
