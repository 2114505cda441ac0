//! Figures of the series and their seasons.

use std::f64::consts::TAU;
use std::fmt::Write;

use proptest::prelude::*;
use tabcast_table::FileFormat;

use super::{column, csv, daily, day, noise, profile_with, series_of, time};

#[test]
fn lengths_gaps_and_ends_are_those_of_the_targets() {
    let mut text = "item_id,timestamp,target,known,later\n".to_owned();
    for (item, from, to) in [("a", 0, 30), ("b", 3, 20)] {
        for row in from..to {
            // One row of each is not there, and one has no target.
            if row == 7 {
                continue;
            }
            let target = if row == 9 { String::new() } else { format!("{}", row as f64 - 5.0) };
            writeln!(text, "{item},{},{target},1,2", day(row)).unwrap();
        }
    }
    for row in 30..35 {
        writeln!(text, "a,{},,{row},{}", day(row), if row == 31 { "3" } else { "" }).unwrap();
    }
    let profile = csv(&text);
    let series = series_of(&profile);
    assert_eq!((series.total_rows, series.num_items), (50, 2));
    assert_eq!((series.min_length, series.max_length, series.avg_length), (16, 29, 22.5));
    assert_eq!((series.leading_gap, series.trailing_gap), (3, 10));
    assert_eq!((series.future_rows, series.least_future_rows), (5, 0));
    assert!((series.missingness - 4.0 / 47.0).abs() < 1e-12, "{}", series.missingness);
    assert_eq!((series.min, series.max, series.has_negatives), (-5.0, 24.0, true));
    assert_eq!((series.freq.as_deref(), series.covers_weekends), (Some("D"), true));
    assert_eq!(
        (series.start_text(), series.end_text()),
        ("2026-01-01T00:00:00Z".into(), "2026-01-30T00:00:00Z".into())
    );
    let is_known = |name| column(&profile, name).is_known_ahead;
    assert!(is_known("known") && !is_known("later") && !is_known("target"));
}

#[test]
fn working_days_have_no_weekends_and_irregular_times_no_frequency() {
    let text = daily("date,y", 200, |row| format!("{}", row % 5));
    let lines = text.lines().enumerate().filter(|(line, _)| *line == 0 || !matches!((line - 1) % 7, 2 | 3));
    let text = lines.map(|(_, line)| format!("{line}\n")).collect::<Vec<_>>().concat();
    let profile = csv(&text);
    let series = series_of(&profile);
    assert_eq!((series.freq.as_deref(), series.covers_weekends), (Some("B"), false));
    let mut random = noise(5);
    let mut hours = 0;
    let text = (0..100).map(|row| {
        hours += 1 + (random() * 50.0) as i64;
        format!("{},{row}\n", time(hours))
    });
    let profile = csv(&format!("date,y\n{}", text.collect::<Vec<_>>().concat()));
    assert_eq!((&series_of(&profile).freq, series_of(&profile).missingness), (&None, 0.0));
    assert!(series_of(&profile).seasonality.is_empty());
}

#[test]
fn rows_of_one_time_count_once() {
    let text = daily("date,y", 40, |row| format!("{}", row % 7)) + &format!("{},100\n{},\n", day(3), day(4));
    let series = csv(&text).series.unwrap();
    assert_eq!((series.total_rows, series.max_length, series.max), (42, 40, 6.0));
}

/// Hourly rows of a few series with the given seasons, a trend and noise.
fn seasonal(lengths: &[usize], rows: usize, share: f64) -> String {
    let mut text = "item_id,timestamp,target\n".to_owned();
    for item in 0..3 {
        let mut random = noise(item + 1);
        for row in 0..rows {
            let season = |length: &usize| (TAU * row as f64 / *length as f64).sin();
            let value = share * lengths.iter().map(season).sum::<f64>() + random() + row as f64 / rows as f64;
            writeln!(text, "i{item},{},{value:.4}", time(row as i64)).unwrap();
        }
    }
    text
}

#[test]
fn planted_seasons_are_found_and_no_others() {
    for lengths in [&[24][..], &[168], &[24, 168], &[10], &[]] {
        let mut found = csv(&seasonal(lengths, 1_000, 1.0)).series.unwrap().seasonality;
        found.sort_unstable();
        assert_eq!(found, lengths, "{lengths:?}");
    }
    let text = seasonal(&[24, 168], 1_000, 1.0);
    // Hours are not looked at when the steps are days.
    let few = text.lines().take(30).map(|line| format!("{line}\n")).collect::<Vec<_>>().concat();
    assert!(csv(&few).series.unwrap().seasonality.is_empty(), "too short to say");
}

/// Sixty days of half hours with a smooth day, a week and noise, and with values that take turns, `turns` apart.
fn half_hours(turns: f64) -> String {
    let mut random = noise(3);
    let mut text = "date,y\n".to_owned();
    for row in 0..60 * 48 {
        let stamp = format!("{} {:02}:{:02}:00", &day(row / 48)[..10], row % 48 / 2, row % 2 * 30);
        let angle = TAU * row as f64;
        let smooth =
            200.0 * (angle / 48.0).sin() + 80.0 * (angle / 24.0).sin() + 100.0 * (angle / 336.0).sin();
        let value = smooth + 4.0 * random() + if row % 2 == 0 { turns } else { -turns };
        writeln!(text, "{stamp},{value:.2}").unwrap();
    }
    text
}

#[test]
fn two_half_hours_are_a_season_only_where_values_take_turns() {
    assert_eq!(csv(&half_hours(0.0)).series.unwrap().seasonality, [48, 336]);
    let found = csv(&half_hours(150.0)).series.unwrap().seasonality;
    assert!(found.contains(&2) && found.contains(&48), "{found:?}");
}

#[test]
fn years_of_days_and_months_have_their_season() {
    let mut random = noise(7);
    let value = |row: usize| 3.0 * (TAU * row as f64 / 365.0).sin() + (row % 7 / 5) as f64 * 2.0;
    let text = daily("date,y", 4 * 365, |row| format!("{:.3}", value(row) + random()));
    assert_eq!(csv(&text).series.unwrap().seasonality, [365, 7]);
    let mut random = noise(8);
    let months = (0..72).map(|month| {
        let value = 10.0 * (TAU * f64::from(month) / 12.0).cos() + 5.0 * random();
        format!("{}-{:02}-01,{value:.3}\n", 2015 + month / 12, month % 12 + 1)
    });
    assert_eq!(
        csv(&format!("date,y\n{}", months.collect::<Vec<_>>().concat())).series.unwrap().seasonality,
        [12]
    );
}

#[test]
fn walks_and_trends_have_no_season() {
    for seed in 1..=20 {
        let mut random = noise(seed);
        let mut level = 0.0;
        let text = daily("date,y", 700, |row| {
            level += random() - 0.5;
            format!("{:.4}", level + row as f64 / 50.0)
        });
        assert_eq!(csv(&text).series.unwrap().seasonality, [0_usize; 0], "walk {seed}");
    }
}

#[test]
fn noise_has_a_season_once_in_many_tables() {
    let wrong = (1..=60).filter(|seed| {
        let mut random = noise(*seed);
        let text = daily("date,y", 150, |_| format!("{:.4}", random()));
        !csv(&text).series.unwrap().seasonality.is_empty()
    });
    assert!(wrong.count() <= 2);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Equally frequent values are in the order of the file; all else is the same.
    #[test]
    fn neither_the_order_of_rows_nor_threads_change_anything(
        rows in proptest::collection::vec((0_usize..5, 0_usize..40, -3_i32..9, 0_u8..4), 1..200),
        seed in any::<u64>(),
    ) {
        let lines: Vec<String> = rows
            .iter()
            .map(|(item, number, value, kind)| {
                let target = if *kind == 0 { String::new() } else { value.to_string() };
                format!("r{},i{item},{},{target},{},{}", item % 2, day(*number), number % 3, kind)
            })
            .collect();
        let table = |lines: &[String]| {
            format!("region,item_id,timestamp,target,price,kind\n{}\n", lines.join("\n"))
        };
        let of = |lines: &[String], threads| {
            let mut profile = profile_with(&[table(lines).as_bytes()], FileFormat::Csv, threads, |_| {}).unwrap();
            profile.columns.iter_mut().for_each(|column| column.values.sort_unstable());
            profile
        };
        let mut shuffled = lines.clone();
        let mut random = noise(seed);
        shuffled.sort_by_cached_key(|_| (random() * 1e9) as u64);
        let expected = of(&lines, 1);
        prop_assert_eq!(&of(&lines, 3), &expected);
        prop_assert_eq!(&of(&shuffled, 2), &expected);
    }
}
