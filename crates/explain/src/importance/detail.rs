//! The rows that are reported in detail.

/// Number of such rows, and how many of them have the highest predictions, the lowest ones and the largest errors.
const TOLD: usize = 10;
const WITH_ERRORS: [usize; 3] = [4, 3, 3];
const WITHOUT_ERRORS: [usize; 3] = [5, 5, 0];

/// Why a row is reported in detail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// One of the highest predictions.
    Highest,
    /// One of the lowest.
    Lowest,
    /// One of the predictions with the largest errors.
    LargestError,
}

/// The composition of one row's prediction: base + contributions + others = prediction of the trees.
#[derive(Debug, Clone, PartialEq)]
pub struct DetailedRow {
    /// Its index among the explained rows.
    pub place: usize,
    /// Why it is reported.
    pub told: Told,
    /// Indices of features with their Shapley values, the largest in absolute value first, at most `top_k` of them.
    pub contributions: Vec<(usize, f64)>,
    /// The sum over all other features.
    pub others: f64,
}

/// A row selected for its prediction or its error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Drawn {
    pub(super) place: usize,
    pub(super) told: Told,
}

/// Selects the highest and lowest predictions and, if actual values are known (NaN otherwise), those with the largest
/// errors. No row is selected twice.
pub(super) fn draw(predictions: &[f64], actuals: Option<&[f64]>) -> Vec<Drawn> {
    let errors: Option<Vec<f64>> = actuals.map(|actuals| {
        let error = |(actual, prediction): (&f64, &f64)| (actual - prediction).abs();
        actuals.iter().zip(predictions).map(error).collect()
    });
    let errors = errors.filter(|errors| errors.iter().any(|error| error.is_finite()));
    let [high, low, wrong] = if errors.is_some() { WITH_ERRORS } else { WITHOUT_ERRORS };
    let mut drawn: Vec<Drawn> = Vec::with_capacity(TOLD);
    let mut take = |told: Told, most: usize, size: &dyn Fn(usize) -> f64| {
        let is_free = |place: &usize| drawn.iter().all(|row| row.place != *place) && size(*place).is_finite();
        let mut free: Vec<usize> = (0..predictions.len()).filter(is_free).collect();
        free.sort_by(|&a, &b| size(b).total_cmp(&size(a)));
        drawn.extend(free.into_iter().take(most).map(|place| Drawn { place, told }));
    };
    take(Told::Highest, high, &|place| predictions[place]);
    take(Told::Lowest, low, &|place| -predictions[place]);
    if let Some(errors) = &errors {
        take(Told::LargestError, wrong, &|place| errors[place]);
    }
    drawn
}

impl DetailedRow {
    /// Describes a selected row: `value(feature)` is the Shapley value there of each of `features`.
    pub(super) fn tell(drawn: Drawn, features: usize, top_k: usize, value: impl Fn(usize) -> f64) -> Self {
        let mut order: Vec<(usize, f64)> = (0..features).map(|feature| (feature, value(feature))).collect();
        order.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        let others = order.split_off(top_k.min(features));
        Self {
            place: drawn.place,
            told: drawn.told,
            contributions: order,
            others: others.iter().map(|(_, value)| value).sum(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_rows_without_repetition() {
        let predictions: Vec<f64> = (0..20).map(f64::from).collect();
        let mut actuals = predictions.clone();
        actuals[19] = -100.0;
        actuals[7] = 12.0;
        actuals[8] = f64::NAN;
        let drawn = draw(&predictions, Some(&actuals));
        let places = |told: Told| -> Vec<usize> {
            drawn.iter().filter(|row| row.told == told).map(|row| row.place).collect()
        };
        assert_eq!(places(Told::Highest), [19, 18, 17, 16]);
        assert_eq!(places(Told::Lowest), [0, 1, 2]);
        assert_eq!(places(Told::LargestError)[0], 7);
        assert_eq!(drawn.len(), 10);
        assert_eq!(draw(&predictions, Some(&[f64::NAN; 20])), draw(&predictions, None));
        assert_eq!(draw(&predictions[..3], None).len(), 3);
    }

    #[test]
    fn a_row_tells_the_largest_and_sums_the_rest() {
        let values = [0.5, -3.0, 2.0, 0.25];
        let row = DetailedRow::tell(Drawn { place: 2, told: Told::Lowest }, 4, 2, |feature| values[feature]);
        assert_eq!(row.contributions, [(1, -3.0), (2, 2.0)]);
        assert_eq!(row.others, 0.75);
    }
}
