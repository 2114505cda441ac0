//! What a surrogate says of known predictions.

use tabcast_explain::importance::{
    Direction, Explanation, FidelityLabel, Method, Options, Predictions, Reason, Told, explain_predictions,
};
use tabcast_explain::{Feature, Skip, Values};
use tabcast_statistics::random;

use crate::generated::{cells, mixed, noise, numbers, table};

fn explain(input: &Predictions<'_>) -> Explanation {
    explain_predictions(input, &Options::default(), &|| false).expect("an explanation")
}

fn importance<'a>(
    explained: &'a Explanation,
    feature: &str,
) -> &'a tabcast_explain::importance::FeatureImportance {
    explained.features.importance.iter().find(|found| found.feature == feature).expect(feature)
}

#[test]
fn importance_has_ranks_shares_directions_and_a_method() {
    let (features, predictions) = mixed(1500);
    let explained = explain(&Predictions::new(&features, &predictions));
    assert_eq!(explained.method, Method::SurrogateTreeShap);
    assert_eq!(explained.method.name(), "surrogate_tree_shap");
    let names: Vec<&str> =
        explained.features.importance.iter().map(|feature| feature.feature.as_str()).collect();
    assert_eq!(names[..2], ["price", "lag 1"]);
    assert_eq!(names[4], "dummy");
    let ranks: Vec<usize> = explained.features.importance.iter().map(|feature| feature.rank).collect();
    assert_eq!(ranks, [1, 2, 3, 4, 5]);
    let whole: f64 = explained.features.importance.iter().map(|feature| feature.share).sum();
    assert!((whole - 1.0).abs() < 1e-12);
    assert_eq!(importance(&explained, "price").direction, Some(Direction::Falling));
    assert_eq!(importance(&explained, "lag 1").direction, Some(Direction::Rising));
    assert_eq!(importance(&explained, "shop").direction, None);
    assert!(importance(&explained, "dummy").share < 0.02);
    // Shuffling what carries most of the variance costs most of the R2, twice its share; noise costs nothing.
    let [price, dummy] = ["price", "dummy"].map(|name| importance(&explained, name));
    assert!(price.permutation_drop > 1.0 && price.permutation_drop < 2.0, "{price:?}");
    assert!(price.permutation_sd > 0.0 && price.permutation_sd < 0.1, "{price:?}");
    assert!(dummy.permutation_drop.abs() < 0.01, "{dummy:?}");
}

#[test]
fn shapley_values_add_up_and_are_summarised() {
    let (features, predictions) = mixed(1500);
    let actuals: Vec<f64> = (0..1500).map(|row| predictions[row] + random::normal(9, row as u64)).collect();
    let input = Predictions { actuals: Some(&actuals), ..Predictions::new(&features, &predictions) };
    let explained = explain(&input);
    assert!(explained.max_additivity_error <= 1e-9, "{}", explained.max_additivity_error);
    assert_eq!((explained.rows, explained.explained_rows), (1500, 512));
    let fidelity = explained.fidelity.as_ref().expect("a surrogate");
    assert!(fidelity.r2 > 0.9 && fidelity.r2 < 1.0, "{fidelity:?}");
    assert_eq!((fidelity.label, fidelity.folds), (FidelityLabel::High, 4));
    let accuracy = fidelity.accuracy.expect("actuals");
    assert!(accuracy.surrogate < accuracy.predictions && accuracy.predictions < 1.0);

    let shapley = explained.features.shapley.as_ref().expect("rows");
    assert!(shapley.rows.windows(2).all(|pair| pair[0] < pair[1]));
    for place in 0..512 {
        let sum: f64 = shapley.values.iter().map(|values| values[place]).sum();
        let error = (shapley.base[place] + sum - shapley.reproduced[place]).abs();
        assert!(error <= 1e-9 * shapley.reproduced[place].abs());
        assert_eq!(shapley.predictions[place], predictions[shapley.rows[place]]);
    }
    for (feature, summary) in shapley.summary.iter().enumerate() {
        assert_eq!(summary.mean_abs, explained.features.importance[feature].importance);
        assert!(summary.quantiles.is_sorted());
        assert!(summary.sd > 0.0 && summary.mean.abs() < summary.mean_abs);
    }
    let lines: Vec<_> = shapley.long().collect();
    assert_eq!(lines.len(), 512 * 5);
    assert_eq!((lines[7].row, lines[7].feature), (shapley.rows[1], shapley.features[2].as_str()));
    assert_eq!(lines[0].feature_value, Some(cells(&features, 0)[lines[0].row]));
    assert_eq!(lines[7].shap_value, shapley.values[2][1]);

    assert_eq!(shapley.detailed.len(), 10);
    let highest = shapley.predictions.iter().copied().fold(f64::MIN, f64::max);
    assert_eq!(shapley.predictions[shapley.detailed[0].place], highest);
    assert_eq!(shapley.detailed.iter().filter(|row| row.told == Told::LargestError).count(), 3);
    for row in &shapley.detailed {
        let sum: f64 = row.contributions.iter().map(|(_, value)| value).sum();
        let whole = shapley.base[row.place] + sum + row.others;
        assert!((whole - shapley.reproduced[row.place]).abs() < 1e-9 * whole.abs());
    }
}

#[test]
fn the_unit_and_the_scale_multiply_every_value() {
    let (features, predictions) = mixed(600);
    let one = explain(&Predictions::new(&features, &predictions));
    // By a power of two every rounding is the same.
    let larger: Vec<f64> = predictions.iter().map(|value| value * 1024.0).collect();
    let other = explain(&Predictions::new(&features, &larger));
    let scale = vec![1024.0; 600];
    let scaled = explain(&Predictions { scale: Some(&scale), ..Predictions::new(&features, &predictions) });
    let values = |explained: &Explanation| {
        let shapley = explained.features.shapley.clone().expect("rows");
        (shapley.values, shapley.base, shapley.predictions)
    };
    let times = |values: Vec<f64>| values.into_iter().map(|value| value * 1024.0).collect::<Vec<_>>();
    let (shap, base, said) = values(&one);
    let expected = (shap.into_iter().map(times).collect::<Vec<_>>(), times(base), times(said));
    assert_eq!(values(&other), expected);
    assert_eq!(values(&scaled), expected);
    assert_eq!(one.features.importance[0].share, scaled.features.importance[0].share);
    // A shift goes into the base.
    let shifted: Vec<f64> = predictions.iter().map(|value| value + 1e6).collect();
    let shifted = explain(&Predictions::new(&features, &shifted));
    assert!(shifted.max_additivity_error <= 1e-9);
    let [a, b] = [&one, &shifted].map(|explained| importance(explained, "price").importance);
    assert!((a / b - 1.0).abs() < 0.01, "{a} {b}");
}

#[test]
fn copies_of_a_column_share_its_importance_evenly() {
    let rows = 800;
    let price = noise("price", 1, rows);
    let copy = Feature { name: "copy".to_owned(), ..price.clone() };
    let single = table(vec![price.clone(), noise("other", 2, rows)]);
    let double = table(vec![price, noise("other", 2, rows), copy]);
    let predictions: Vec<f64> =
        (0..rows).map(|row| 2.0 * cells(&single, 0)[row] + cells(&single, 1)[row]).collect();
    let single = explain(&Predictions::new(&single, &predictions));
    let double = explain(&Predictions::new(&double, &predictions));
    let [one, other] = ["price", "copy"].map(|name| importance(&double, name).importance);
    assert_eq!(one, other);
    assert!((one + other - importance(&single, "price").importance).abs() < 1e-12);
    assert!(double.max_additivity_error <= 1e-9);
    let drops = ["price", "copy"].map(|name| importance(&double, name).permutation_drop);
    assert_eq!(drops, [importance(&single, "price").permutation_drop; 2]);
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let (features, predictions) = mixed(1200);
    let input = Predictions::new(&features, &predictions);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| explain(&input))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn too_many_columns_lose_those_that_say_least() {
    let rows = 700;
    let mut columns: Vec<Feature> = (0..30).map(|at| noise(&format!("x{at}"), at, rows)).collect();
    columns.push(numbers("constant", vec![3.0; rows]));
    let features = table(columns);
    let predictions: Vec<f64> =
        (0..rows).map(|row| cells(&features, 7)[row] - 0.8 * cells(&features, 21)[row]).collect();
    let options = Options { max_features: 5, max_rows: 500, shap_sample_size: 60, ..Options::default() };
    let explained =
        explain_predictions(&Predictions::new(&features, &predictions), &options, &|| false).expect("some");
    assert_eq!(explained.features.importance.len(), 5);
    let first: Vec<&str> =
        explained.features.importance[..2].iter().map(|feature| feature.feature.as_str()).collect();
    assert_eq!(first, ["x7", "x21"]);
    assert_eq!((explained.rows, explained.explained_rows), (500, 60));
    assert_eq!(explained.left_out.len(), 26);
    assert_eq!(explained.left_out[0].feature, "constant");
    assert_eq!(explained.left_out[0].reason, Reason::Constant);
    assert!(explained.left_out[1..].iter().all(|left_out| left_out.reason == Reason::LessInformative));
    assert_eq!(explained.warnings, ["25 less informative features were left out of the explanation."]);
}

#[test]
fn low_fidelity_gives_importance_without_rows_and_less_gives_nothing() {
    let rows = 1000;
    let features = table(vec![noise("seen", 1, rows), noise("useless", 2, rows)]);
    // What no column tells is a share of the variance that no surrogate reproduces.
    let with_unseen = |size: f64| -> Vec<f64> {
        (0..rows).map(|row| cells(&features, 0)[row] + size * random::normal(99, row as u64)).collect()
    };
    let low = with_unseen(0.6);
    let explained = explain(&Predictions::new(&features, &low));
    assert_eq!(explained.fidelity.as_ref().map(|fidelity| fidelity.label), Some(FidelityLabel::Low));
    assert!(explained.features.shapley.is_none());
    assert_eq!(explained.features.importance[0].feature, "seen");
    assert_eq!(explained.warnings.len(), 1);
    assert!(explained.warnings[0].contains("values of single rows are not"));
    let nothing = with_unseen(2.0);
    let refused = explain_predictions(&Predictions::new(&features, &nothing), &Options::default(), &|| false);
    assert_eq!(refused, Err(Skip::LowFidelity.into()));
}

#[test]
fn categories_and_missing_values_carry_effects() {
    let rows = 900;
    let kind = |row: usize| (random::bits(5, row as u64) % 3) as u32;
    let codes: Vec<u32> = (0..rows).map(|row| if kind(row) == 2 { u32::MAX } else { kind(row) }).collect();
    let names = vec!["on".to_owned(), "off".to_owned()];
    let holes = (0..rows).map(|row| if row % 4 == 0 { f64::NAN } else { random::normal(6, row as u64) });
    let features = table(vec![
        Feature { name: "kind".to_owned(), values: Values::Levels { codes, names } },
        numbers("holes", holes.collect()),
    ]);
    let predictions: Vec<f64> = (0..rows)
        .map(|row| [1.0, 3.0, 7.0][kind(row) as usize] + if row % 4 == 0 { 2.0 } else { 0.0 })
        .collect();
    let explained = explain(&Predictions::new(&features, &predictions));
    assert!(explained.fidelity.as_ref().is_some_and(|fidelity| fidelity.r2 > 0.99), "{explained:?}");
    let shapley = explained.features.shapley.as_ref().expect("rows");
    assert_eq!(shapley.features, ["kind", "holes"]);
    let mean_where = |feature: usize, is_wanted: &dyn Fn(usize) -> bool| {
        let chosen: Vec<f64> = (0..shapley.rows.len())
            .filter(|&at| is_wanted(shapley.rows[at]))
            .map(|at| shapley.values[feature][at])
            .collect();
        chosen.iter().sum::<f64>() / chosen.len() as f64
    };
    let missing = mean_where(1, &|row| row % 4 == 0) - mean_where(1, &|row| row % 4 != 0);
    assert!((missing - 2.0).abs() < 0.1, "{missing}");
    let kinds = mean_where(0, &|row| kind(row) == 2) - mean_where(0, &|row| kind(row) == 0);
    assert!((kinds - 6.0).abs() < 0.2, "{kinds}");
}

#[test]
fn folds_by_origin_and_fidelity_by_series() {
    let (features, predictions) = mixed(600);
    let series: Vec<u32> = (0..600).map(|row| row / 60).collect();
    let origins: Vec<u32> = (0..600).map(|row| row % 60 / 20).collect();
    let input = Predictions {
        series: Some(&series),
        fold_groups: Some(&origins),
        ..Predictions::new(&features, &predictions)
    };
    let fidelity = explain(&input).fidelity.expect("a surrogate");
    assert_eq!(fidelity.folds, 3);
    assert!(fidelity.reproduced_series.is_some_and(|share| share > 0.8), "{fidelity:?}");
    assert!(fidelity.same_direction.is_some_and(|share| share > 0.9), "{fidelity:?}");
    assert_eq!(fidelity.accuracy, None);
}

#[test]
fn the_order_of_the_columns_changes_nothing() {
    let (features, predictions) = mixed(400);
    let turned: Vec<_> = features.columns().iter().rev().cloned().collect();
    let turned = table(turned);
    let (one, other) = (
        explain(&Predictions::new(&features, &predictions)),
        explain(&Predictions::new(&turned, &predictions)),
    );
    assert_eq!(one.fidelity, other.fidelity);
    for found in &one.features.importance {
        let same = importance(&other, &found.feature);
        assert!((found.share - same.share).abs() < 1e-9, "{found:?} {same:?}");
        assert_eq!(found.permutation_drop, same.permutation_drop);
    }
}

#[test]
fn what_is_too_large_to_be_squared_takes_no_part() {
    let (features, mut predictions) = mixed(400);
    predictions[7] = 1e200;
    predictions[9] = -f64::MAX;
    assert_eq!(explain(&Predictions::new(&features, &predictions)).rows, 398);
}

#[test]
fn columns_that_go_round_have_no_direction() {
    let (features, predictions) = mixed(400);
    let cyclic = vec![true; features.columns().len()];
    let input = Predictions { cyclic: &cyclic, ..Predictions::new(&features, &predictions) };
    assert!(explain(&input).features.importance.iter().all(|found| found.direction.is_none()));
}
