//! Inference, checks of a given frequency, and grids.

use proptest::prelude::*;
use tabcast_calendar::{AlignError, Frequency, align, check_frequency, infer_frequency, parse_timestamp};

fn stamps(texts: &[&str]) -> Vec<i64> {
    texts.iter().map(|text| parse_timestamp(text.as_bytes()).unwrap().micros).collect()
}

fn steps(alias: &str, start: &str, count: i64) -> Vec<i64> {
    let (frequency, start) = (Frequency::parse(alias).unwrap(), stamps(&[start])[0]);
    (0..count).map(|step| frequency.advance(start, step)).collect()
}

fn inferred(timestamps: &[i64]) -> Option<(String, u64)> {
    let regularity = infer_frequency(timestamps, &[0, timestamps.len()]).ok()?;
    Some((regularity.frequency.alias(), regularity.irregular))
}

/// Every `step` hours of wall-clock time in Berlin from 1 February to 1 December 2026, written with its offset.
fn berlin(step: i64) -> Vec<i64> {
    let (spring, autumn) = (stamps(&["2026-03-29T01:00:00Z"])[0], stamps(&["2026-10-25T01:00:00Z"])[0]);
    let local = steps(&format!("{step}h"), "2026-02-01", 303 * 24 / step);
    let mut out: Vec<i64> = local
        .into_iter()
        .map(|wall| {
            let winter = wall - 3_600_000_000;
            if (spring..autumn + 3_600_000_000).contains(&winter) { winter - 3_600_000_000 } else { winter }
        })
        .collect();
    out.sort_unstable();
    out.dedup();
    out
}

#[test]
fn regular_series_of_every_unit_are_inferred() {
    for alias in [
        "s", "30s", "min", "5min", "15min", "30min", "h", "2h", "6h", "36h", "D", "2D", "B", "W-MON",
        "W-SUN", "2W-TUE", "10D", "30D", "4W-FRI", "MS", "ME", "2MS", "6ME", "QS", "QS-FEB", "QE", "QE-NOV",
        "YS", "YS-JUL", "YE", "YE-FEB", "5YS",
    ] {
        let start = match alias {
            "W-MON" | "B" => "2023-01-02",
            "2W-TUE" => "2023-01-03",
            "4W-FRI" => "2023-01-06",
            "ME" | "6ME" => "2023-01-31",
            "QS-FEB" => "2023-02-01",
            "QE-NOV" | "YE-FEB" => "2023-02-28",
            "QE" => "2023-03-31",
            "YS-JUL" => "2023-07-01",
            "YE" => "2022-12-31",
            _ => "2023-01-01",
        };
        assert_eq!(inferred(&steps(alias, start, 40)), Some((alias.to_owned(), 0)), "{alias}");
    }
}

#[test]
fn two_stamps_are_enough_and_one_is_not() {
    assert_eq!(inferred(&stamps(&["2026-01-01", "2026-02-01"])), Some(("MS".to_owned(), 0)));
    assert_eq!(inferred(&stamps(&["2026-01-01"])), None);
    assert_eq!(inferred(&[]), None);
    assert_eq!(inferred(&stamps(&["2026-01-01T00:00:00.0", "2026-01-01T00:00:00.25"])), None);
}

#[test]
fn month_stamps_on_any_day_are_monthly() {
    assert_eq!(inferred(&steps("MS", "2023-01-15", 30)), Some(("MS".to_owned(), 0)));
    let last_working_days = stamps(&[
        "2026-01-30",
        "2026-02-27",
        "2026-03-31",
        "2026-04-30",
        "2026-05-29",
        "2026-06-30",
        "2026-07-31",
        "2026-08-31",
    ]);
    assert_eq!(inferred(&last_working_days).map(|(alias, _)| alias), Some("MS".to_owned()));
    let grid = align(&last_working_days, &[1.0; 8], Frequency::parse("MS").unwrap(), 100).unwrap();
    assert_eq!((grid.values.len(), grid.missing, grid.merged), (8, 0, 0));
}

#[test]
fn local_time_keeps_its_frequency_across_clock_changes() {
    // Naive local time lacks an hour in spring; with offsets, days have 23 and 25 hours.
    let mut naive = steps("h", "2026-03-20", 24 * 20);
    let gap = stamps(&["2026-03-29 02:00:00"])[0];
    naive.retain(|stamp| *stamp != gap);
    assert_eq!(inferred(&naive), Some(("h".to_owned(), 1)));

    assert_eq!(inferred(&berlin(1)).map(|(alias, _)| alias), Some("h".to_owned()));
    let daily = berlin(24);
    assert_eq!(inferred(&daily), Some(("D".to_owned(), 0)));
    let grid = align(&daily, &vec![1.0; daily.len()], Frequency::parse("D").unwrap(), 1000).unwrap();
    assert_eq!((grid.values.len(), grid.missing, grid.merged), (daily.len(), 0, 0));
    // The forecast continues in the offset of the last stamps.
    let next = Frequency::parse("D").unwrap().advance(grid.start, daily.len() as i64);
    assert_eq!(next, daily[daily.len() - 1] + 86_400_000_000);

    let half_hour_zone =
        stamps(&["2026-01-01T00:00:00+05:30", "2026-01-02T00:00:00+05:30", "2026-01-03T00:00:00+05:30"]);
    assert_eq!(inferred(&half_hour_zone), Some(("D".to_owned(), 0)));
}

#[test]
fn nine_gaps_in_ten_decide() {
    let mut hourly = steps("h", "2026-01-01", 101);
    for index in [10, 30, 50, 70, 90] {
        hourly[index] += 600_000_000;
    }
    assert_eq!(inferred(&hourly), Some(("h".to_owned(), 10)));
    hourly[20] += 600_000_000;
    let error = infer_frequency(&hourly, &[0, hourly.len()]).unwrap_err();
    assert_eq!((error.gaps, error.best.map(|best| best.alias())), (100, Some("h".to_owned())));
    assert!((error.agreement - 0.88).abs() < 1e-12);
    // With the frequency given, the same data is accepted as long as nine gaps in ten are whole steps.
    hourly[20] -= 600_000_000;
    assert_eq!(check_frequency(Frequency::parse("H").unwrap(), &hourly, &[0, 101]).unwrap().irregular, 10);
}

#[test]
fn every_inferred_step_has_an_alias_that_is_read() {
    let apart = |seconds: i64| -> Vec<i64> { (0..20).map(|row| row * seconds * 1_000_000).collect() };
    for seconds in [1, 59, 99_999, 100_001, 7_777_777, 360_000 * 60, 90_000 * 86_400] {
        let stamps = apart(seconds);
        if let Ok(found) = infer_frequency(&stamps, &[0, stamps.len()]) {
            assert_eq!(Frequency::parse(&found.frequency.alias()), Ok(found.frequency));
        } else {
            assert!(seconds == 100_001 || seconds == 7_777_777, "{seconds}");
        }
    }
}

#[test]
fn gaps_are_counted_within_series_only() {
    let mut timestamps = steps("D", "2026-01-01", 10);
    timestamps.extend(steps("D", "2020-01-01", 10));
    let regularity = infer_frequency(&timestamps, &[0, 10, 20]).unwrap();
    assert_eq!(
        (regularity.frequency.alias(), regularity.gaps, regularity.irregular),
        ("D".to_owned(), 18, 0)
    );
}

#[test]
fn a_given_frequency_takes_the_anchor_of_the_data() {
    for (given, data, start, expected) in [
        ("ME", "MS", "2023-01-01", "MS"),
        ("MS", "ME", "2023-01-31", "ME"),
        ("W", "W-MON", "2023-01-02", "W-MON"),
        ("QE", "QS-FEB", "2023-02-01", "QS-FEB"),
        ("D", "B", "2023-01-02", "D"),
    ] {
        let timestamps = steps(data, start, 50);
        let regularity = check_frequency(Frequency::parse(given).unwrap(), &timestamps, &[0, 50]).unwrap();
        assert_eq!(regularity.frequency.alias(), expected);
    }
}

#[test]
fn a_given_frequency_that_the_data_contradicts_is_refused() {
    for (given, data, start) in [
        ("D", "h", "2023-01-01"),
        ("h", "D", "2023-01-01"),
        ("MS", "D", "2023-01-01"),
        ("D", "MS", "2023-01-01"),
        ("B", "D", "2023-01-02"),
        ("W", "D", "2023-01-01"),
        ("YS", "MS", "2023-01-01"),
        ("2D", "D", "2023-01-01"),
        ("7h", "h", "2023-01-01"),
    ] {
        let timestamps = steps(data, start, 60);
        let result = check_frequency(Frequency::parse(given).unwrap(), &timestamps, &[0, 60]);
        if (given, data) == ("D", "MS") {
            // Gaps of 28 to 31 days: whole steps, none of them half of all.
            assert!(result.is_err(), "{result:?}");
            continue;
        }
        assert_eq!(
            result.unwrap_err().inferred.map(|frequency| frequency.alias()),
            Some(data.to_owned()),
            "{given}"
        );
    }
    let yearly = steps("YS", "2001-01-01", 10);
    let conflict = check_frequency(Frequency::parse("s").unwrap(), &yearly, &[0, 10]).unwrap_err();
    assert!(conflict.message.contains("9 of 9 gaps between timestamps are 4096 steps of 's' long or longer"));
}

#[test]
fn grids_fill_gaps_snap_stamps_and_name_contradictions() {
    let hourly = Frequency::parse("h").unwrap();
    let sparse = stamps(&[
        "2026-01-01 00:00:00",
        "2026-01-01 01:00:00",
        "2026-01-01 03:07:00",
        "2026-01-01 06:00:00",
        "2026-01-01 07:00:00",
    ]);
    let grid = align(&sparse, &[1.0, 2.0, 3.0, f64::NAN, 5.0], hourly, 100).unwrap();
    assert_eq!((grid.start, grid.missing, grid.snapped, grid.merged), (sparse[0], 3, 1, 0));
    let shown: Vec<String> = grid.values.iter().map(ToString::to_string).collect();
    assert_eq!(shown.join(" "), "1 2 NaN 3 NaN NaN NaN 5");

    assert_eq!(
        align(&sparse, &[0.0; 5], Frequency::parse("D").unwrap(), 100),
        Err(AlignError::Conflict { merged: 4 })
    );
    let far = stamps(&["0001-01-01", "9999-01-01"]);
    assert!(
        matches!(align(&far, &[0.0; 2], Frequency::parse("s").unwrap(), 1000), Err(AlignError::TooManySteps { steps }) if steps > 300_000_000_000)
    );
    assert_eq!(align(&[], &[], hourly, 0).unwrap().values, Vec::<f64>::new());

    // A first stamp beside the grid does not shift the others.
    let mut daily = steps("D", "2026-01-01", 20);
    daily[0] += 3_600_000_000;
    let grid = align(&daily, &[1.0; 20], Frequency::parse("D").unwrap(), 100).unwrap();
    assert_eq!((grid.start, grid.snapped, grid.missing), (stamps(&["2026-01-01"])[0], 1, 0));

    let weekend = stamps(&["2026-01-01", "2026-01-02", "2026-01-05", "2026-01-06"]);
    let business = align(&weekend, &[1.0, 2.0, 3.0, 4.0], Frequency::parse("B").unwrap(), 100).unwrap();
    assert_eq!((business.values, business.missing), (vec![1.0, 2.0, 3.0, 4.0], 0));
}

proptest! {
    #[test]
    fn aligning_a_regular_series_with_holes_puts_every_value_on_its_step(
        unit in 0..10_usize,
        start in 0_i64..40_000,
        keep in proptest::collection::vec(any::<bool>(), 3..60),
    ) {
        let frequency = Frequency::parse(["min", "h", "D", "B", "W-WED", "MS", "ME", "QS", "YE", "2h"][unit]).unwrap();
        let origin = frequency.advance(start * 86_400_000_000, 1);
        // A month has a day 29, 30 or 31 only sometimes; the grid of such a series starts where its first stamp is.
        prop_assume!(frequency.months_keep_day(origin));
        let kept: Vec<usize> = keep.iter().enumerate().filter(|(_, keep)| **keep).map(|(index, _)| index).collect();
        prop_assume!(kept.len() >= 2);
        let timestamps: Vec<i64> = kept.iter().map(|&index| frequency.advance(origin, index as i64)).collect();
        let values: Vec<f64> = kept.iter().map(|&index| index as f64).collect();
        let grid = align(&timestamps, &values, frequency, 1000).unwrap();
        prop_assert_eq!((grid.snapped, grid.merged), (0, 0));
        prop_assert_eq!(grid.missing, grid.values.len() - kept.len());
        for (step, value) in grid.values.iter().enumerate().filter(|(_, value)| !value.is_nan()) {
            prop_assert_eq!(frequency.advance(grid.start, step as i64), frequency.advance(origin, *value as i64));
        }
    }
}

trait KeepsDay {
    fn months_keep_day(&self, origin: i64) -> bool;
}
impl KeepsDay for Frequency {
    fn months_keep_day(&self, origin: i64) -> bool {
        (0..12).all(|step| {
            let there = self.advance(origin, step);
            self.advance(there, -step) == origin
        })
    }
}

#[test]
fn equal_stamps_have_no_step_and_so_no_frequency() {
    assert!(infer_frequency(&[0, 0, 0], &[0, 3]).is_err());
}
