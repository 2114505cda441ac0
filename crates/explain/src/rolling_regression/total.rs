//! The sum of a panel as one series.

use crate::{Feature, Features, Values};

/// The sum of the target and the means of the features at every time step that occurs, in chronological order, from
/// rows in any order.
///
/// `steps` has the time of each row in any unit. Values that are not finite are left out; the result is NaN if none is
/// left. Categorical columns have no mean and are left out.
///
/// # Panics
///
/// If `target` or `steps` and `features` differ in their number of rows.
pub fn panel_total(features: &Features, target: &[f64], steps: &[i64]) -> (Features, Vec<f64>) {
    assert_eq!((target.len(), steps.len()), (features.rows(), features.rows()), "rows");
    let mut distinct = steps.to_vec();
    distinct.sort_unstable();
    distinct.dedup();
    let places: Vec<usize> =
        steps.iter().map(|step| distinct.partition_point(|other| other < step)).collect();
    let sums = |values: &[f64]| {
        let mut sums = vec![(0.0, 0.0); distinct.len()];
        for (&place, value) in places.iter().zip(values).filter(|(_, value)| value.is_finite()) {
            sums[place].0 += value;
            sums[place].1 += 1.0;
        }
        sums
    };
    let total =
        sums(target).into_iter().map(|(sum, count)| if count > 0.0 { sum } else { f64::NAN }).collect();
    let means = features.columns().iter().filter_map(|column| {
        let Values::Numbers(numbers) = &column.values else { return None };
        let values = Values::Numbers(sums(numbers).into_iter().map(|(sum, count)| sum / count).collect());
        Some(Feature { name: column.name.clone(), values })
    });
    let means = Features::new(distinct.len(), means.collect());
    (means.expect("every mean has a value a step"), total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_added_and_features_averaged_by_step() {
        let number = |values: &[f64]| Values::Numbers(values.to_vec());
        let columns = vec![
            Feature { name: "price".to_owned(), values: number(&[1.0, f64::NAN, 3.0, f64::INFINITY]) },
            Feature {
                name: "kind".to_owned(),
                values: Values::Levels { codes: vec![0; 4], names: vec!["a".to_owned()] },
            },
        ];
        let features = Features::new(4, columns).unwrap();
        let (means, total) = panel_total(&features, &[10.0, 20.0, 1.0, f64::NAN], &[7, 9, 7, 9]);
        assert_eq!(total, [11.0, 20.0]);
        assert_eq!(means.columns().len(), 1);
        let Values::Numbers(prices) = &means.columns()[0].values else { panic!("no numbers") };
        assert!(prices[0] == 2.0 && prices[1].is_nan());
    }
}
