//! Columns with each other.

use tabcast_explain::{FeatureFeature, FeatureFeatureOptions, Method, Skip, Values, feature_feature};

use crate::support::{assert_close, features, first, levels, noise, random};

fn measure(columns: Vec<Values>) -> Result<FeatureFeature, Skip> {
    feature_feature(&features(columns), None, &FeatureFeatureOptions::default(), &|| false)
}

fn number(of: impl Fn(usize) -> f64) -> Values {
    Values::Numbers((0..60).map(of).collect())
}

fn x(row: usize) -> f64 {
    noise(row, 1)
}

fn y(row: usize) -> f64 {
    2.0 * x(row) - 0.5 * (noise(row, 2) * 3.0 - 1.0 + x(row)) + noise(row, 7)
}

fn category_of_x(row: usize) -> u32 {
    (x(row) * 3.0) as u32
}

fn category_of_y(row: usize) -> u32 {
    (x(row) * 2.0 + noise(row, 9) * 2.0) as u32
}

/// `scipy.stats.pearsonr` and `spearmanr`, scipy 1.17.1; Spearman's has many ties.
#[test]
fn correlations_of_numbers_agree_with_scipy() {
    let found = measure(vec![number(x), number(y)]).unwrap();
    let (r, n, p_value) = first(&found, Method::Pearson);
    assert_close(r, 0.711_596_733_321_909_5);
    assert_close(p_value, 1.853_395_424_265_384_6e-10);
    assert_eq!(n, 60);
    let found =
        measure(vec![number(|row| (x(row) * 10.0).floor()), number(|row| (y(row) * 4.0).floor())]).unwrap();
    let (rho, _, p_value) = first(&found, Method::Spearman);
    assert_close(rho, 0.695_474_565_274_770_4);
    assert_close(p_value, 6.969_203_696_606_741e-10);
}

/// The same over the rows whose number leaves a remainder other than 3 after division by 7.
#[test]
fn rows_without_one_of_both_are_left_out() {
    let gap =
        |of: fn(usize) -> f64, missing: f64| move |row: usize| if row % 7 == 3 { missing } else { of(row) };
    let found = measure(vec![number(gap(x, f64::NAN)), number(y)]).unwrap();
    let (r, n, p_value) = first(&found, Method::Pearson);
    assert_close(r, 0.709_756_185_607_106);
    assert_close(p_value, 5.496_235_483_986_168e-9);
    assert_eq!(n, 51);
    let (rough_x, rough_y) = (|row| (x(row) * 10.0).floor(), |row| (y(row) * 4.0).floor());
    let found = measure(vec![number(rough_x), number(gap(rough_y, f64::INFINITY))]).unwrap();
    let (rho, n, p_value) = first(&found, Method::Spearman);
    assert_close(rho, 0.688_583_032_450_083_2);
    assert_close(p_value, 2.338_074_554_290_653_6e-8);
    assert_eq!(n, 51);
}

/// `scipy.stats.chi2_contingency(table, correction=False)` of scipy 1.17.1 with the correction of Bergsma (2013),
/// equations 3 and 4, and `f_oneway` with the sums of squares.
#[test]
fn measures_of_categories_agree_with_scipy() {
    let categories = |of: fn(usize) -> u32| levels((0..60).map(of).collect());
    let found = measure(vec![categories(category_of_x), categories(category_of_y)]).unwrap();
    let (v, n, p_value) = first(&found, Method::CramersV);
    assert_close(v, 0.524_019_405_033_095);
    assert_close(p_value, 1.156_058_355_568_931_5e-6);
    assert_eq!(n, 60);
    for columns in [[number(y), categories(category_of_y)], [categories(category_of_y), number(y)]] {
        let (eta, _, p_value) = first(&measure(columns.to_vec()).unwrap(), Method::CorrelationRatio);
        assert_close(eta, 0.520_986_505_124_277_9);
        assert_close(p_value, 0.000_464_233_751_775_975_33);
    }
}

#[test]
fn columns_that_say_the_same_are_redundant_and_stand_together() {
    let of = |seed| random(200, seed);
    let noisy = |values: &[f64]| values.iter().zip(of(9)).map(|(value, noise)| value + 0.1 * noise).collect();
    let (a, b) = (of(1), of(2));
    let copies = vec![
        Values::Numbers(a.clone()),
        Values::Numbers(b.clone()),
        Values::Numbers(noisy(&a)),
        Values::Numbers(noisy(&b)),
    ];
    let found = measure(copies).unwrap();
    let redundant: Vec<(u32, u32)> = (0..found.pairs.value.len())
        .filter(|&at| found.pairs.redundant[at] && found.pairs.method[at] == Method::Pearson)
        .map(|at| (found.pairs.feature_a[at], found.pairs.feature_b[at]))
        .collect();
    assert_eq!(redundant, [(0, 2), (1, 3)]);
    let place = |column: u32| found.order.iter().position(|&other| other == column).unwrap();
    assert_eq!((place(0).abs_diff(place(2)), place(1).abs_diff(place(3))), (1, 1));
}

/// 58 groups of 60 rows explain nearly all of the variance of anything.
#[test]
fn many_categories_are_not_redundant_by_chance() {
    let codes = (0..60).map(|row: u32| row.min(57)).collect();
    let found = measure(vec![levels(codes), number(|row| noise(row, 3))]).unwrap();
    assert!(found.pairs.value[0] > 0.9 && !found.pairs.redundant[0], "{:?}", found.pairs);
}

#[test]
fn what_is_left_out_is_named() {
    let mut columns = vec![number(x), number(|_| 3.5), number(y), number(|_| f64::NAN), levels(vec![0; 60])];
    columns.push(number(|row| if row < 2 { f64::NAN } else { noise(row, 4) }));
    columns.push(number(|row| noise(row, 5)));
    let options = FeatureFeatureOptions { max_features: 3, ..FeatureFeatureOptions::default() };
    let found = feature_feature(&features(columns), None, &options, &|| false).unwrap();
    assert_eq!(found.features, ["c0", "c2", "c6"]);
    assert_eq!(found.constant, ["c1", "c3", "c4"]);
    assert_eq!(found.beyond_limit, ["c5"]);
    assert_eq!((found.pairs.value.len(), found.order.len(), found.rows), (6, 3, 60));
}

#[test]
fn rows_are_taken_evenly() {
    let of = |row: usize| if row.is_multiple_of(4) { (row / 4) as f64 } else { -1e6 * noise(row, 3) };
    let columns = vec![
        Values::Numbers((0..400).map(of).collect()),
        Values::Numbers((0..400).map(|row| -of(row)).collect()),
        Values::Numbers((0..400).map(f64::from).collect()),
    ];
    let options = FeatureFeatureOptions { max_rows: 100, ..FeatureFeatureOptions::default() };
    let found = feature_feature(&features(columns), None, &options, &|| false).unwrap();
    assert!(found.pairs.value.iter().all(|value| (value.abs() - 1.0).abs() < 1e-12), "{:?}", found.pairs);
    assert_eq!((found.rows, found.pairs.n[0]), (100, 100));
}

#[test]
fn huge_tiny_and_infinite_values_give_finite_measures() {
    let scaled = |scale: f64| number(move |row| scale * (noise(row, 1) - 0.5));
    let found = measure(vec![
        scaled(1.0),
        scaled(1e300),
        scaled(1e-300),
        scaled(f64::MAX),
        number(|row| if row == 7 { 1e300 } else { noise(row, 2) }),
        number(|row| if row % 9 == 0 { f64::NEG_INFINITY } else { noise(row, 3) }),
        levels((0..60).map(category_of_x).collect()),
    ])
    .unwrap();
    let pairs = &found.pairs;
    assert!(pairs.value.iter().all(|value| value.abs() <= 1.0));
    assert!(pairs.p_value.iter().all(|p_value| (0.0..=1.0).contains(p_value)));
    let scaled = (0..pairs.value.len()).filter(|&at| pairs.feature_b[at] <= 3);
    assert!(scaled.clone().count() == 12 && scaled.clone().all(|at| (pairs.value[at] - 1.0).abs() < 1e-12));
}

#[test]
fn reasons_are_given_where_there_is_nothing_to_say() {
    let short = |of: fn(usize) -> f64| Values::Numbers((0..49).map(of).collect());
    assert_eq!(measure(vec![short(x), short(y)]), Err(Skip::NotEnoughRows));
    assert_eq!(measure(vec![number(x)]), Err(Skip::NoFeatures), "of a pair");
    assert_eq!(measure(Vec::new()), Err(Skip::NoFeatures));
    assert_eq!(
        measure(vec![number(|_| 1.0), number(|_| f64::NAN), levels(vec![u32::MAX; 60])]),
        Err(Skip::NoFeatures)
    );
    let halves = vec![
        number(|row| if row < 30 { x(row) } else { f64::NAN }),
        number(|row| if row < 30 { f64::NAN } else { y(row) }),
    ];
    assert_eq!(measure(halves), Err(Skip::NotEnoughRows));
    // A category of its own in every row says nothing of any other column.
    assert_eq!(measure(vec![levels((0..60).collect()), number(x)]), Err(Skip::NotEnoughRows));
    let columns = features(vec![number(x), number(y)]);
    assert_eq!(
        feature_feature(&columns, None, &FeatureFeatureOptions::default(), &|| true),
        Err(Skip::Timeout)
    );
}

#[test]
fn the_names_of_methods_are_those_of_the_table() {
    let columns = vec![
        number(x),
        number(y),
        levels((0..60).map(category_of_x).collect()),
        levels((0..60).map(category_of_y).collect()),
    ];
    let found = serde_json::to_value(measure(columns).unwrap()).unwrap();
    let names = [
        "pearson",
        "spearman",
        "correlation_ratio",
        "correlation_ratio",
        "correlation_ratio",
        "correlation_ratio",
        "cramers_v",
    ];
    assert_eq!(found["pairs"]["method"], serde_json::json!(names));
    assert_eq!(found["features"], serde_json::json!(["c0", "c1", "c2", "c3"]));
}
