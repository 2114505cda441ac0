//! What was forecast from too little: few observations, a slip among them, days that are always zero.

use super::{PRESETS, Table, count, means, noise, stamps};
use crate::support::{Row, named, rows};
use tabcast_forecast::{Options, ReconciliationOptions};

/// Days at about 300 with a week and a little noise.
fn days(length: usize) -> Vec<f64> {
    let week = [20.0, -10.0, -20.0, 0.0, 40.0, 90.0, -120.0];
    (0..length).map(|day| 300.0 + week[day % 7] + 20.0 * noise(day)).collect()
}

fn of<'a>(rows: &'a [Row], item: &str) -> Vec<&'a Row> {
    rows.iter().filter(|row| row.item == item).collect()
}

/// Ten days at a level of 292 once became a median of 1,203 with a band from 0 to 2,716 on day 28.
#[test]
fn ten_days_neither_explode_nor_have_bands_without_end() {
    let rising = [180.0, 205.0, 240.0, 250.0, 290.0, 330.0, 350.0, 310.0, 380.0, 385.0];
    for values in [&rising[..], &days(10), &days(5), &days(19)] {
        Table::of("D", values).forecast(28, |preset, rows, _| {
            let highest = values.iter().copied().fold(0.0, f64::max);
            for row in rows {
                assert!(
                    (50.0..1.5 * highest).contains(&row.quantiles[4]),
                    "{preset} {}: {row:?}",
                    values.len()
                );
                assert!(row.quantiles[8] < 2.5 * highest, "{preset} {}: {row:?}", values.len());
            }
        });
    }
}

fn month(t: usize) -> f64 {
    [1.0, 0.9, 1.0, 1.1, 1.2, 1.1, 0.8, 0.7, 1.0, 1.1, 1.4, 2.2][t % 12]
}

/// Six months of a series among thirty of six years with the same season, all in groups of five.
fn six_months_among_years() -> Table {
    let mut table = Table::new();
    let at = stamps("MS", "2018-01-01", 72);
    for series in 0..30 {
        let level = 100.0 + 37.0 * f64::from(series);
        let values: Vec<f64> =
            (0..72).map(|t| level * month(t) * (1.0 + 0.05 * noise(t + 7 * series as usize))).collect();
        table.add(&format!("group{}/long{series}", series / 5), &at, &values);
    }
    let few: Vec<f64> = (66..72).map(|t| 500.0 * month(t)).collect();
    table.add("group0/few", &at[66..], &few);
    table
}

/// What the forecast of the year after is off by, as a share.
fn off(rows: &[Row]) -> f64 {
    let truth = || (72..84).map(|t| 500.0 * month(t));
    let rows = of(rows, "group0/few");
    assert_eq!(rows.len(), 12);
    rows.iter().zip(truth()).map(|(row, y)| (row.mean - y).abs()).sum::<f64>() / truth().sum::<f64>()
}

/// A store that has been open for half a year sold as if every month were like its last ones, in a file of thirty
/// that show the year; with `fast` and in hierarchies until later than elsewhere.
#[test]
fn a_short_series_borrows_the_season_of_long_ones() {
    for preset in PRESETS {
        let table = six_months_among_years();
        let alone = table.run(preset, 12, |_| {}).expect("a forecast");
        let share = off(&rows(&alone.csv));
        assert!(share < 0.1, "{preset}: off by {share}");
        let with_sums = |options: &mut Options| {
            options.reconciliation = Some(ReconciliationOptions {
                method: named("bottom_up"),
                ..ReconciliationOptions::default()
            });
        };
        let share = off(&rows(&table.run(preset, 12, with_sums).expect("a forecast").csv));
        assert!(share < 0.1, "{preset}, in a hierarchy: off by {share}");
    }
}

/// What many days have in common was taken for what a rule is worth: the last days alone decided.
#[test]
fn what_hits_all_long_series_at_once_does_not_move_a_short_one() {
    let say = |strike: f64| {
        let mut table = Table::new();
        let at = stamps("D", "2024-01-01", 210);
        let week = days(210);
        for series in 0..5 {
            let level = 1.0 + f64::from(series);
            let values = (0..210).map(|t| {
                // Fourteen days before the last seven, everywhere.
                let hit = if (189..203).contains(&t) { strike } else { 1.0 };
                level * week[t] * hit * (1.0 + 0.02 * noise(t + 31 * series as usize))
            });
            table.add(&format!("long{series}"), &at, &values.collect::<Vec<f64>>());
        }
        table.add("few", &at[203..], &week[203..]);
        let finished = table.run("balanced", 7, |_| {}).expect("a forecast");
        means(&of(&rows(&finished.csv), "few").into_iter().cloned().collect::<Vec<Row>>())
    };
    let (usual, struck) = (say(1.0), say(0.6));
    for (step, (usual, struck)) in usual.iter().zip(&struck).enumerate() {
        assert!((usual - struck).abs() < 0.06 * usual, "step {step}: {usual}, {struck}");
    }
}

/// One value of 10,000 among values near 100 once gave a band from 0 to 769.
#[test]
fn one_outlier_does_not_move_the_band_however_far_it_is() {
    let values = |far: f64| -> Vec<f64> {
        (0..90).map(|day| if day == 50 { far } else { 100.0 + 10.0 * noise(day) }).collect()
    };
    for preset in PRESETS {
        let say = |far: f64| {
            let finished = Table::of("D", &values(far)).run(preset, 14, |_| {}).expect("a forecast");
            assert_eq!(count(&finished, "outliers_left_out"), 1, "{preset} {far}");
            rows(&finished.csv)
        };
        let near = say(10_000.0);
        for row in &near {
            assert!(row.quantiles[0] > 80.0 && row.quantiles[8] < 120.0, "{preset}: {row:?}");
        }
        assert_eq!(near, say(1e9), "{preset}");
    }
}

/// Days on which nothing was ever sold once got 36 % of an ordinary day.
#[test]
fn a_weekday_that_was_always_zero_gets_no_sales() {
    for length in [28, 60, 200] {
        let values: Vec<f64> = days(length)
            .iter()
            .enumerate()
            .map(|(day, value)| if day % 7 == 6 { 0.0 } else { *value })
            .collect();
        Table::of("D", &values).forecast(21, |preset, rows, _| {
            for (step, row) in rows.iter().enumerate() {
                let is_closed = (length + step) % 7 == 6;
                let all_zero = row.mean == 0.0 && row.quantiles.iter().all(|quantile| *quantile == 0.0);
                assert_eq!(all_zero, is_closed, "{preset} {length} {step}: {row:?}");
            }
        });
    }
}
