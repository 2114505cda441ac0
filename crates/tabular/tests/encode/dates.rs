//! Dates as numbers.

use tabcast_tabular::{Encoder, Role, Target, View};

use crate::tables::{Table, column, names};

#[test]
fn dates_become_their_parts() {
    let table = Table::default().texts(
        "when",
        Role::Date,
        &["2024-02-29 06:30:00", "2023-12-31 00:00:00", "", "2024-03-02 12:00", "2025-01-01", "no date"],
    );
    let target = Target::Values(vec![0.0; 4]);
    let (encoder, matrix) =
        Encoder::fit(View::Sets, &table.frame, &table.decisions, &[0, 1, 2, 3], &target, 1);
    let part = |name: &str| {
        let of_all = column(&matrix, &format!("when: {name}"));
        assert!(of_all[2].is_nan());
        [of_all[0], of_all[1], of_all[3]]
    };
    assert_eq!(part("year"), [2024.0, 2023.0, 2024.0]);
    assert_eq!(part("month"), [2.0, 12.0, 3.0]);
    assert_eq!(part("day"), [29.0, 31.0, 2.0]);
    // 29 February 2024 was a Thursday.
    assert_eq!(part("weekday"), [3.0, 6.0, 5.0]);
    assert_eq!(part("hour"), [6.5, 0.0, 12.0]);
    assert_eq!(part("month end"), [1.0, 1.0, 0.0]);
    assert_eq!(part("days"), [60.0 + 6.5 / 24.0, 0.0, 62.5]);
    assert!(!names(&matrix).iter().any(|name| name.contains("sine")));
    let later = encoder.transform(&table.frame, &[4, 5]);
    assert_eq!(column(&later, "when: days")[0], 367.0);
    assert!(column(&later, "when: days")[1].is_nan());
}

#[test]
fn distances_see_the_end_of_a_year_beside_its_start() {
    let days: Vec<String> = (1..=12).map(|month| format!("2023-{month:02}-01")).collect();
    let table = Table::default().texts("when", Role::Date, &days);
    let rows: Vec<u32> = (0..12).collect();
    let target = Target::Values(vec![0.0; 12]);
    let (_, matrix) = Encoder::fit(View::Dense, &table.frame, &table.decisions, &rows, &target, 1);
    let (sine, cosine) =
        (column(&matrix, "when: sine of the year"), column(&matrix, "when: cosine of the year"));
    let distance = |a: usize, b: usize| (sine[a] - sine[b]).hypot(cosine[a] - cosine[b]);
    assert!((distance(11, 0) - distance(0, 1)).abs() < 0.03);
    // Dates without a time of day have no hour.
    assert!(!names(&matrix).iter().any(|name| name.contains("hour") || name.contains("of the day")));
}

#[test]
fn pairs_of_dates_have_their_difference() {
    let table = Table::default()
        .texts("from", Role::Date, &["2024-01-01", "2024-01-10", "2024-01-20"])
        .texts("to", Role::Date, &["2024-01-02 12:00", "2024-01-09", ""])
        .numbers("day", Role::Date, vec![20_240_101.0, 20_240_112.0, f64::NAN]);
    let target = Target::Values(vec![0.0; 3]);
    let (_, matrix) = Encoder::fit(View::Sets, &table.frame, &table.decisions, &[0, 1, 2], &target, 1);
    let days = column(&matrix, "days from from to to");
    assert_eq!(days[..2], [1.5, -1.0]);
    assert!(days[2].is_nan());
    assert_eq!(column(&matrix, "days from from to day")[..2], [0.0, 2.0]);
    assert_eq!(matrix.sources.len(), matrix.features.len());
}
