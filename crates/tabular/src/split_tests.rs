use super::*;

fn classes(rows: &[usize]) -> Target {
    let labels = rows.iter().enumerate().flat_map(|(class, &rows)| vec![class as u32; rows]).collect();
    Target::Classes { labels, classes: rows.len() }
}

fn count(target: &Target, rows: &[u32], class: u32) -> usize {
    let Target::Classes { labels, .. } = target else { return 0 };
    rows.iter().filter(|&&row| labels[row as usize] == class).count()
}

#[test]
fn each_class_has_its_share_of_the_test_rows() {
    let target = classes(&[600, 300, 100]);
    let (training, test) = hold_out(&target, None, 0.8, 1);
    assert_eq!((training.len(), test.len()), (800, 200));
    assert_eq!([0, 1, 2].map(|class| count(&target, &test, class)), [120, 60, 20]);
}

#[test]
fn the_only_row_of_a_class_is_learned_from() {
    let target = classes(&[50, 50, 1]);
    for seed in 0..50 {
        let (training, _) = hold_out(&target, None, 0.5, seed);
        assert_eq!(count(&target, &training, 2), 1);
    }
}

#[test]
fn classes_with_a_single_row_do_not_take_the_places_of_test_rows() {
    for alone in [10, 14, 36, 200] {
        let target = classes(&[vec![2, 2], vec![1; alone]].concat());
        for (seed, ratio) in (0..50).zip([0.5, 0.8, 0.95].into_iter().cycle()) {
            let (training, test) = hold_out(&target, None, ratio, seed);
            let wanted = (((4 + alone) as f64 * (1.0 - ratio)).round() as usize).min(2);
            assert_eq!(test.len(), wanted, "{alone} beside four rows, ratio {ratio}");
            for class in 0..2 + alone as u32 {
                assert!(count(&target, &training, class) > 0, "nothing is learned of class {class}");
            }
        }
    }
    let (_, test) = hold_out(&classes(&[vec![30, 30], vec![1; 40]].concat()), None, 0.8, 1);
    assert_eq!(test.len(), 20);
}

#[test]
fn in_order_of_time_the_last_rows_are_held_back_and_those_without_a_time_are_not() {
    let target = Target::Values((0..10).map(f64::from).collect());
    let times = [9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, f64::NAN, 1.0, 0.0];
    let (_, test) = hold_out(&target, Some(&times), 0.7, 3);
    assert_eq!(test, [0, 1, 2]);
}

#[test]
fn every_row_is_held_back_once_in_each_repeat() {
    let target = classes(&[70, 33]);
    let rows: Vec<u32> = (0..103).filter(|row| row % 7 != 0).collect();
    let folds = fold(&rows, &target, None, (5, 3), 0.2, 11);
    assert_eq!(folds.len(), 15);
    for repeat in folds.chunks(5) {
        let mut held: Vec<u32> = repeat.iter().flat_map(|fold| fold.validation.clone()).collect();
        held.sort_unstable();
        assert_eq!(held, rows);
        for fold in repeat {
            let mut all = [fold.training.clone(), fold.validation.clone()].concat();
            all.sort_unstable();
            assert_eq!(all, rows);
            // A class of 28 rows has five or six in each fold.
            assert!((5..=6).contains(&count(&target, &fold.validation, 1)));
        }
    }
    assert_ne!(folds[0], folds[5]);
}

#[test]
fn folds_in_order_of_time_are_stretches_of_it() {
    let target = Target::Values((0..100).map(f64::from).collect());
    let times: Vec<f64> = (0..100).map(|row| f64::from((row * 37) % 100)).collect();
    let folds = fold(&(0..100).collect::<Vec<u32>>(), &target, Some(&times), (5, 4), 0.2, 1);
    assert_eq!(folds.len(), 5);
    for fold in folds {
        let mut held: Vec<f64> = fold.validation.iter().map(|&row| times[row as usize]).collect();
        held.sort_by(f64::total_cmp);
        assert!(held.windows(2).all(|pair| pair[1] - pair[0] == 1.0));
    }
}

#[test]
fn values_of_a_fold_are_spread_like_all() {
    let target = Target::Values((0..1_000).map(|row| f64::from(row).exp2().ln()).collect());
    let folds = fold(&(0..1_000).collect::<Vec<u32>>(), &target, None, (5, 1), 0.2, 9);
    for fold in folds {
        let high = fold.validation.iter().filter(|&&row| row >= 500).count();
        assert!((98..=102).contains(&high), "{high}");
    }
}
