//! What the timestamps of a series may be like.

use super::{Table, count, noise, stamps, wave};
use crate::support::named;

/// Group 14: what is missing is found, filled and counted, wherever it is.
#[test]
fn missing_values_at_both_ends_and_inside_are_counted() {
    let mut values = wave(7, 90);
    for step in [0, 1, 2, 30, 31, 32, 33, 34, 35, 36, 37, 60, 87, 88, 89] {
        values[step] = f64::NAN;
    }
    let all = stamps("D", "2024-01-01", 90);
    let mut table = Table::new();
    table.add("a", &all, &values);
    table.forecast(7, |preset, rows, finished| {
        assert_eq!((count(finished, "gaps_filled"), count(finished, "trailing_nulls")), (9, 3), "{preset}");
        assert_eq!(rows[0].timestamp, all[87], "{preset}: the first step after the last value");
        assert!(rows.iter().all(|row| (70.0..130.0).contains(&row.mean)), "{preset}");
    });
    // The same rows left out of the file mean the same.
    let mut sparse = Table::new();
    for (stamp, value) in all.iter().zip(&values).filter(|(_, value)| !value.is_nan()) {
        sparse.add("a", std::slice::from_ref(stamp), &[*value]);
    }
    for preset in super::PRESETS {
        let forecast = |table: &Table| table.run(preset, 7, |_| {}).expect("a forecast").csv;
        assert_eq!(forecast(&sparse), forecast(&table), "{preset}");
    }
}

/// Groups 14 and 21: a repeated stamp would shift all lags; it is refused by name, in whichever item it is.
#[test]
fn a_duplicate_row_in_the_hundred_and_twentieth_item_is_refused() {
    let mut table = Table::new();
    let all = stamps("D", "2024-01-01", 20);
    for item in 0..150 {
        table.add(&format!("i{item:03}"), &all, &wave(7, 20));
        if item == 120 {
            table.add("i120", &all[4..6], &[1.0, 2.0]);
        }
    }
    let error = table.refusal();
    assert_eq!((error.code, error.count, error.item.as_deref()), ("duplicate_rows", Some(2), Some("i120")));
}

/// Groups 10 and 21: one series beside the frequency of the others is counted, and costs nobody else anything.
#[test]
fn an_irregular_series_among_many_is_counted_and_the_others_are_not_touched() {
    let build = |irregular: bool| {
        let mut table = Table::new();
        for item in 0..150 {
            let mut all = stamps("D", "2024-01-01", 30);
            if item == 120 && irregular {
                all = stamps("5h", "2024-01-01 01:00:00", 30);
            }
            table.add(&format!("i{item:03}"), &all, &wave(7, 30));
        }
        table
    };
    build(true).forecast(7, |preset, _, finished| {
        assert_eq!(count(finished, "off_grid_series"), 1, "{preset}");
        assert_eq!(finished.summary.num_items, 150);
        assert_eq!(finished.summary.freq, "D");
    });
    // Without a backtest no series learns from another.
    let others = |table: &Table| -> Vec<String> {
        let finished = table.run("fast", 7, |_| {}).expect("a forecast");
        finished.csv.lines().filter(|line| !line.starts_with("i120")).map(str::to_owned).collect()
    };
    assert_eq!(others(&build(true)), others(&build(false)));
}

/// Group 18: zones of half an hour, whose hours do not begin where those of UTC do.
#[test]
fn half_hour_zones_keep_their_steps() {
    for (alias, offset, next) in [
        ("h", "+05:30", "2024-01-14T18:30:00+00:00"),
        ("D", "+05:30", "2024-12-01T18:30:00+00:00"),
        ("h", "-03:30", "2024-01-15T03:30:00+00:00"),
        ("h", "+05:45", "2024-01-14T18:15:00+00:00"),
    ] {
        let all: Vec<String> =
            stamps(alias, "2024-01-01", 336).iter().map(|stamp| format!("{stamp}{offset}")).collect();
        let mut table = Table::new();
        table.add("a", &all, &wave(24, 336));
        let finished = table.run("balanced", 3, |options| options.timestamp_format = named("iso8601"));
        let finished = finished.expect("a forecast");
        assert_eq!(finished.summary.freq, alias);
        assert_eq!(crate::support::rows(&finished.csv)[0].timestamp, next, "{alias} {offset}");
        assert!(finished.summary.warnings.is_empty(), "{:?}", finished.summary.warnings);
    }
}

/// Group 18: local days of 23 and 25 hours are days, local hours that are missing or come twice are hours.
#[test]
fn days_of_23_and_25_hours_are_one_step() {
    // Midnight in Berlin, as an instant, over both changes of the clock.
    let spring = 89;
    let autumn = 300;
    let all: Vec<String> = stamps("D", "2023-12-31", 330)
        .iter()
        .enumerate()
        .map(|(day, stamp)| {
            let hour = if (spring + 1..=autumn).contains(&day) { "22" } else { "23" };
            stamp.replace("00:00:00", &format!("{hour}:00:00Z"))
        })
        .skip(1)
        .collect();
    let mut table = Table::new();
    table.add("a", &all, &wave(7, all.len()));
    table.forecast(3, |preset, rows, finished| {
        assert_eq!(finished.summary.freq, "D", "{preset}");
        assert_eq!(count(finished, "gaps_filled") + count(finished, "irregular_gaps"), 0, "{preset}");
        assert_eq!(rows[0].timestamp, "2024-11-25 23:00:00", "{preset}");
    });
}

/// Group 19: stamps at the start, at the end and on each of the last days of the month.
#[test]
fn months_go_on_at_the_day_they_have() {
    let last_days = |day: &str| -> Vec<String> {
        let months = stamps("MS", "2021-01-01", 36);
        let ends = stamps("ME", "2021-01-31", 36);
        let later = months.iter().map(|month| format!("{}{day}{}", &month[..8], &month[10..]));
        later.zip(ends).map(|(there, end)| there.min(end)).collect()
    };
    for (all, freq, ahead) in [
        (stamps("MS", "2021-01-01", 36), "MS", ["2024-01-01", "2024-02-01", "2024-03-01"]),
        (stamps("ME", "2021-01-31", 36), "ME", ["2024-01-31", "2024-02-29", "2024-03-31"]),
        (last_days("28"), "MS", ["2024-01-28", "2024-02-28", "2024-03-28"]),
        (last_days("29"), "MS", ["2024-01-29", "2024-02-29", "2024-03-29"]),
        (last_days("30"), "MS", ["2024-01-30", "2024-02-29", "2024-03-30"]),
        (last_days("31"), "ME", ["2024-01-31", "2024-02-29", "2024-03-31"]),
    ] {
        let mut table = Table::new();
        table.add("a", &all, &wave(12, 36));
        table.forecast(3, |preset, rows, finished| {
            let found: Vec<&str> = rows.iter().map(|row| &row.timestamp[..10]).collect();
            assert_eq!(
                (finished.summary.freq.as_str(), &found[..]),
                (freq, &ahead[..]),
                "{preset} {}",
                all[0]
            );
            assert_eq!(count(finished, "gaps_filled") + count(finished, "timestamps_moved"), 0, "{preset}");
        });
    }
}

/// Group 20: weekends are no gaps, holidays are counted ones, and no forecast falls on a weekend.
#[test]
fn business_days_with_holidays_stay_business_days() {
    let mut table = Table::new();
    for (day, stamp) in stamps("B", "2024-01-01", 130).into_iter().enumerate() {
        if ![0, 64, 85, 103].contains(&day) {
            table.add("a", &[stamp], &[100.0 + 5.0 * (day % 5) as f64 + noise(day)]);
        }
    }
    table.forecast(7, |preset, rows, finished| {
        assert_eq!((finished.summary.freq.as_str(), count(finished, "gaps_filled")), ("B", 3), "{preset}");
        let found: Vec<&str> = rows.iter().map(|row| &row.timestamp[..10]).collect();
        let expected = stamps("B", "2024-07-01", 7);
        assert!(
            found.iter().zip(&expected).all(|(found, day)| day.starts_with(found)),
            "{preset}: {found:?}"
        );
    });
}

/// Group 21: a stamp that is missing is named with its row.
#[test]
fn an_empty_or_unreadable_timestamp_is_refused_with_its_row() {
    for stamp in ["", "NaT", "null", "2024-02-30"] {
        let mut table = Table::of("D", &wave(7, 20));
        table.add("b", &[stamp.to_owned()], &[1.0]);
        let error = table.refusal();
        assert_eq!((error.code, error.row), ("unparseable_timestamp", Some(21)), "{stamp:?}");
        assert_eq!(error.column.as_deref(), Some("timestamp"));
    }
}

/// Group 22: a running number is no point in time, and is not mistaken for one; years and epochs are.
#[test]
fn an_integer_index_is_refused_and_years_and_epochs_are_times() {
    let with = |stamp: &dyn Fn(usize) -> usize| {
        let mut table = Table::new();
        let all: Vec<String> = (0..30).map(|step| stamp(step).to_string()).collect();
        table.add("a", &all, &wave(7, 30));
        table
    };
    let error = with(&|step| step).refusal();
    assert_eq!((error.code, error.count), ("unparseable_timestamp", Some(30)));
    assert!(error.suggestion.is_some(), "{error:?}");
    for (stamp, freq) in [
        (&(|step: usize| 1990 + step) as &dyn Fn(usize) -> usize, "YS"),
        (&|step: usize| 1_700_006_400 + 86_400 * step, "D"),
        (&|step: usize| 1_700_006_400_000 + 3_600_000 * step, "h"),
    ] {
        with(stamp).forecast(2, |preset, _, finished| assert_eq!(finished.summary.freq, freq, "{preset}"));
    }
}

/// Timestamps in nanoseconds end in 1677 and 2262, these do not. (With groups 21 and 22.)
#[test]
fn centuries_beyond_those_of_nanoseconds_are_times_like_others() {
    for (alias, start, next) in [
        ("MS", "1675-01-01", "1680-01-01 00:00:00"),
        ("D", "2262-03-20", "2262-05-19 00:00:00"),
        ("YS", "1650-01-01", "1710-01-01 00:00:00"),
        ("h", "2999-12-30", "3000-01-01 12:00:00"),
        ("QS", "0001-01-01", "0016-01-01 00:00:00"),
        ("ME", "9990-01-31", "9995-01-31 00:00:00"),
    ] {
        let mut table = Table::new();
        table.add("a", &stamps(alias, start, 60), &wave(12, 60));
        table.forecast(3, |preset, rows, finished| {
            assert_eq!(finished.summary.freq, alias, "{preset}");
            assert_eq!(rows[0].timestamp, next, "{preset}");
        });
    }
}
