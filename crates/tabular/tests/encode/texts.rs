//! Sentences as a few numbers.

use tabcast_tabular::{Encoder, Matrix, Role, Target, View};

use crate::tables::{Table, bits, column, names};

const ABOUT_FOOD: [&str; 6] = [
    "the soup was warm and tasty",
    "a tasty soup with warm bread",
    "bread and soup, both warm",
    "warm bread, tasty cheese",
    "cheese with bread and soup",
    "tasty cheese and warm soup",
];
const ABOUT_CARS: [&str; 6] = [
    "engine noise from the car",
    "the car has a loud engine",
    "loud brakes, engine fine",
    "brakes of this car are loud",
    "car with a fine engine",
    "fine brakes and a loud car",
];

fn table() -> Table {
    let mut cells = Vec::new();
    for round in 0..12 {
        for (food, car) in ABOUT_FOOD.iter().zip(ABOUT_CARS) {
            cells.push(format!("{food} {round}"));
            cells.push(format!("{car} {round}"));
        }
    }
    cells.extend([
        "WARM CHEESE!".to_owned(),
        "Loud car engine?".to_owned(),
        String::new(),
        "xyz qqq".to_owned(),
    ]);
    Table::default().texts("review", Role::Text, &cells)
}

fn fit(view: View, table: &Table) -> (Encoder, Matrix) {
    let rows: Vec<u32> = (0..144).collect();
    let target = Target::Values(vec![0.0; 144]);
    Encoder::fit(view, &table.frame, &table.decisions, &rows, &target, 5)
}

#[test]
fn texts_of_one_subject_are_near_each_other() {
    let table = table();
    let (encoder, matrix) = fit(View::Dense, &table);
    let others = encoder.transform(&table.frame, &[144, 145, 146, 147]);
    let parts: Vec<usize> =
        (0..others.columns.len()).filter(|&at| others.features[at].name.contains(": text ")).collect();
    assert_eq!(parts.len(), 4, "{:?}", names(&matrix));
    let distance = |row: usize, other: usize| -> f64 {
        parts.iter().map(|&at| (others.columns[at][row] - matrix.columns[at][other]).powi(2)).sum()
    };
    let nearest = |row: usize| (0..144).min_by(|&a, &b| distance(row, a).total_cmp(&distance(row, b)));
    assert_eq!(nearest(0).map(|row| row % 2), Some(0));
    assert_eq!(nearest(1).map(|row| row % 2), Some(1));
    // Nothing and unknown words are the same, and finite.
    assert!(parts.iter().all(|&at| others.columns[at][2] == 0.0));
    assert!(others.columns.iter().flatten().all(|value| value.is_finite()));
}

#[test]
fn trees_know_how_long_a_text_is() {
    let table = table();
    let (encoder, matrix) = fit(View::Sets, &table);
    assert_eq!(column(&matrix, "review: words")[0], 7.0);
    let others = encoder.transform(&table.frame, &[144, 146]);
    assert_eq!(column(&others, "review: characters")[0], 12.0);
    assert!(column(&others, "review: characters")[1].is_nan());
}

#[test]
fn several_views_at_once_are_those_fitted_alone() {
    let table =
        table().texts("c", Role::Category, &(0..148).map(|row| format!("l{}", row % 5)).collect::<Vec<_>>());
    let rows: Vec<u32> = (0..144).collect();
    let target = Target::Values((0..144).map(|row| f64::from(row % 11)).collect());
    let views = [View::Dense, View::Sets, View::Statistics];
    let together = Encoder::fit_views(&views, &table.frame, &table.decisions, &rows, &target, 5);
    for (view, (encoder, matrix)) in views.into_iter().zip(together) {
        let (alone, of_alone) = Encoder::fit(view, &table.frame, &table.decisions, &rows, &target, 5);
        assert_eq!(encoder.view(), view);
        assert_eq!(names(&matrix), names(&of_alone));
        assert_eq!(bits(&matrix), bits(&of_alone));
        let others = [144, 147];
        assert_eq!(
            bits(&encoder.transform(&table.frame, &others)),
            bits(&alone.transform(&table.frame, &others))
        );
    }
}
