use tabcast_reconcile::{Covariance, DecimalGrid, Method, Tree, missed_units, reconcile, round_additive};

use crate::dense::{Random, random_tree};

/// A printed number as an integer in units of the grid.
fn units(text: &str, grid: DecimalGrid) -> i128 {
    let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits: i128 = format!("{whole}{fraction}").parse().unwrap();
    let shift = exponent.parse::<i32>().unwrap() - fraction.len() as i32 - grid.exponent;
    if digits == 0 { 0 } else { digits * 10_i128.pow(u32::try_from(shift).expect("digits beyond the grid")) }
}

/// Parents that are not the sum of their children, digit by digit.
fn gaps(tree: &Tree, values: &[f64], lanes: usize, grid: DecimalGrid) -> usize {
    // Both forms that a writer may choose have the same shortest digits.
    let printed: Vec<String> = values.iter().map(|value| format!("{value:e}")).collect();
    let mut left: Vec<i128> = printed.iter().map(|text| units(text, grid)).collect();
    let inner: Vec<usize> = (0..tree.len()).filter(|&node| !tree.is_leaf(node)).collect();
    for node in 1..tree.len() {
        let parent = tree.parent(node).unwrap();
        for lane in 0..lanes {
            left[parent * lanes + lane] -= units(&printed[node * lanes + lane], grid);
        }
    }
    let rests = || inner.iter().flat_map(|node| &left[node * lanes..(node + 1) * lanes]);
    let largest = rests().map(|rest| rest.unsigned_abs()).max().unwrap_or(0);
    assert_eq!(missed_units(tree, values, lanes, grid), largest);
    rests().filter(|&&rest| rest != 0).count()
}

#[test]
fn printed_decimals_add_up_at_every_scale() {
    let mut random = Random(23);
    for exponent in (-330..=295).step_by(5).chain([-308, -307, -23, -22, -1, 1, 2, 21, 22, 23]) {
        let tree = random_tree(&mut random, 200);
        let scale = format!("1e{exponent}").parse::<f64>().unwrap();
        let mut values =
            random.many(tree.len() * 3, |random| scale * random.bell() * (3.0 * random.bell()).exp());
        tree.sum_up(&mut values, 3);
        let before = values.clone();
        let grid = round_additive(&tree, &mut values, 3).unwrap();
        assert_eq!(gaps(&tree, &values, 3, grid), 0, "at 1e{exponent}");
        let unit = format!("1e{}", grid.exponent).parse::<f64>().unwrap();
        // Half a unit, and what the double nearest to the multiple is off.
        for leaf in tree.bottom() {
            for at in leaf * 3..leaf * 3 + 3 {
                assert!(
                    (values[at] - before[at]).abs() <= 0.75 * unit,
                    "{} became {}",
                    before[at],
                    values[at]
                );
            }
        }
        let once = values.clone();
        assert_eq!(round_additive(&tree, &mut values, 3), Some(grid));
        assert_eq!(values, once);
    }
}

#[test]
fn the_grid_gives_the_largest_value_fifteen_digits() {
    let tree = Tree::from_paths(["x", "y"].into_iter(), "/", "total").unwrap();
    for (leaves, exponent) in [
        ([0.5, 0.25], -15),
        ([1.0, 0.0], -14),
        ([600.0, 500.0], -11),
        ([-600.0, 500.0], -12),
        ([0.0, -0.0], 0),
    ] {
        let mut values = [f64::NAN, leaves[0], leaves[1]];
        assert_eq!(round_additive(&tree, &mut values, 1), Some(DecimalGrid { exponent }));
        assert_eq!(values[0], leaves[0] + leaves[1], "the parent is made of its children, whatever it was");
    }
    let mut values = [0.0, 0.1, 0.2];
    round_additive(&tree, &mut values, 1).unwrap();
    assert_eq!(values[0], 0.3, "0.1 + 0.2 of doubles is 0.30000000000000004");
    let mut values = [0.0, 999_999_999_999_999.9, 0.0];
    assert_eq!(round_additive(&tree, &mut values, 1), Some(DecimalGrid { exponent: 0 }));
    assert_eq!(values, [1e15, 1e15, 0.0]);
}

#[test]
fn siblings_of_both_signs_may_pass_every_integer_on_the_way() {
    let mut parents = vec![None];
    parents.resize(40_001, Some(0));
    let tree = Tree::from_parents(&parents).unwrap();
    let mut values: Vec<f64> =
        (0..40_001).map(|node| if node > 20_000 { 9.87e14 } else { -9.87e14 }).collect();
    values[7] = -1.0;
    let grid = round_additive(&tree, &mut values, 1).unwrap();
    assert_eq!(gaps(&tree, &values, 1, grid), 0);
    assert_eq!(values[0], 9.87e14 - 1.0);
    values[7] = -4.0;
    assert_eq!(gaps(&tree, &values, 1, grid), 1, "what does not add up is seen");
}

#[test]
fn what_has_no_decimals_is_left_alone() {
    let tree = Tree::from_paths(["x", "y"].into_iter(), "/", "total").unwrap();
    for leaf in [f64::NAN, f64::INFINITY, -1e301] {
        let mut values = [1.0, leaf, 0.123_456_789_012_345_67];
        let before = values.map(f64::to_bits);
        assert_eq!(round_additive(&tree, &mut values, 1), None);
        assert_eq!(values.map(f64::to_bits), before);
    }
}

#[test]
fn reconciled_forecasts_of_a_large_tree_add_up_when_written() {
    let paths: Vec<String> = (0..20_000).map(|leaf| format!("{:02}/{leaf:05}", leaf / 250)).collect();
    let tree = Tree::from_paths(paths.iter().map(String::as_str), "/", "total").unwrap();
    let mut random = Random(29);
    let base = random.many(tree.len() * 2, |random| 1000.0 * random.unit());
    let method = Method::MinTrace(Covariance::Structural);
    let mut values = reconcile(&base, 2, &tree, method, true).unwrap().values;
    let grid = round_additive(&tree, &mut values, 2).unwrap();
    assert_eq!(gaps(&tree, &values, 2, grid), 0);
    assert!(values.iter().all(|&value| value >= 0.0));
}
