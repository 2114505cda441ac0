//! Aliases, seasons and steps.

use proptest::prelude::*;
use tabcast_calendar::{Frequency, parse_timestamp};

fn micros(text: &str) -> i64 {
    parse_timestamp(text.as_bytes()).unwrap().micros
}

fn canonical(text: &str) -> String {
    Frequency::parse(text).unwrap().alias()
}

#[test]
fn aliases_of_both_styles_have_one_canonical_form() {
    for (given, expected) in [
        ("H", "h"),
        ("h", "h"),
        ("T", "min"),
        ("min", "min"),
        ("S", "s"),
        ("D", "D"),
        ("B", "B"),
        ("W", "W-SUN"),
        ("W-mon", "W-MON"),
        ("M", "ME"),
        ("ME", "ME"),
        ("MS", "MS"),
        ("Q", "QE"),
        ("QE-DEC", "QE"),
        ("Q-NOV", "QE-NOV"),
        ("QS", "QS"),
        ("QS-JAN", "QS"),
        ("QS-OCT", "QS"),
        ("QS-FEB", "QS-FEB"),
        ("QE-JAN", "QE-OCT"),
        ("A", "YE"),
        ("Y", "YE"),
        ("YE-DEC", "YE"),
        ("A-JUN", "YE-JUN"),
        ("AS", "YS"),
        ("YS-JUL", "YS-JUL"),
        ("15T", "15min"),
        ("30min", "30min"),
        ("60min", "h"),
        ("3600s", "h"),
        ("24h", "D"),
        ("7D", "7D"),
        ("2W-MON", "2W-MON"),
        ("4MS", "4MS"),
    ] {
        assert_eq!(canonical(given), expected, "{given}");
        assert_eq!(canonical(expected), expected);
    }
}

#[test]
fn what_is_not_a_frequency_is_refused_with_a_reason() {
    for (text, reason) in [
        ("ms", "finer"),
        ("us", "finer"),
        ("ns", "finer"),
        ("m", "'min'"),
        ("", "use h"),
        ("0D", "multiple"),
        ("-1D", "use h"),
        ("99999999999D", "multiple"),
        ("D-MON", "anchor"),
        ("W-JAN", "anchor"),
        ("QS-MON", "anchor"),
        ("hourly", "use h"),
        ("1.5h", "use h"),
        ("é", "use h"),
    ] {
        let error = Frequency::parse(text).unwrap_err();
        assert!(error.0.contains(reason), "{text}: {error}");
    }
}

#[test]
fn seasons_follow_the_step() {
    for (alias, main, all) in [
        ("h", 24, vec![24, 168]),
        ("min", 60, vec![60, 1440]),
        ("30min", 48, vec![48, 336]),
        ("15min", 96, vec![96, 672]),
        ("2h", 12, vec![12, 84]),
        ("5h", 1, vec![]),
        ("D", 7, vec![7]),
        ("B", 5, vec![5]),
        ("W", 1, vec![52]),
        ("MS", 12, vec![12]),
        ("2MS", 6, vec![6]),
        ("QE", 4, vec![4]),
        ("YS", 1, vec![]),
        ("24h", 7, vec![7]),
        ("s", 60, vec![60, 3600]),
    ] {
        let frequency = Frequency::parse(alias).unwrap();
        assert_eq!((frequency.season_length(), frequency.season_lengths()), (main, all), "{alias}");
    }
}

#[test]
fn steps_keep_the_time_of_day_and_the_day_of_the_month() {
    for (alias, from, steps, to) in [
        ("h", "2026-01-01 23:30:00", 1, "2026-01-02 00:30:00"),
        ("W-MON", "2026-01-05", -2, "2025-12-22"),
        ("B", "2026-01-02 09:00:00", 1, "2026-01-05 09:00:00"),
        ("B", "2026-01-03", 1, "2026-01-05"),
        ("B", "2026-01-05", -6, "2025-12-26"),
        ("MS", "2026-01-01", 14, "2027-03-01"),
        ("MS", "2026-01-15 06:00:00", 1, "2026-02-15 06:00:00"),
        ("MS", "2026-01-31", 1, "2026-02-28"),
        ("MS", "2026-01-31", 2, "2026-03-31"),
        ("ME", "2027-02-28", 12, "2028-02-29"),
        ("QE", "2026-03-31", 1, "2026-06-30"),
        ("QS", "1969-10-01", 1, "1970-01-01"),
        ("YE", "2026-12-31", -1, "2025-12-31"),
        ("2YS", "2026-01-01", 1, "2028-01-01"),
    ] {
        let frequency = Frequency::parse(alias).unwrap();
        assert_eq!(frequency.advance(micros(from), steps), micros(to), "{alias} {from} {steps}");
    }
    for alias in ["s", "B", "ME", "5YS"] {
        let frequency = Frequency::parse(alias).unwrap();
        assert!(
            frequency.advance(0, i64::MAX) > 0 && frequency.advance(0, i64::MIN) < 0,
            "{alias} saturates"
        );
    }
}

/// `steps_between` rounded up past the end of `i64` (found by fuzzing with `1740w`).
#[test]
fn stamps_at_the_ends_of_time_have_steps_between_them() {
    for alias in ["s", "1740w", "100000h", "B", "5YS"] {
        let frequency = Frequency::parse(alias).unwrap();
        for (from, to) in [(i64::MIN, i64::MAX), (micros("2026-01-01"), i64::MAX), (i64::MAX, i64::MIN)] {
            let steps = frequency.steps_between(from, to);
            assert!(steps.is_none_or(|steps| (steps > 0) == (from < to)), "{alias} {from} {to}: {steps:?}");
        }
    }
}

proptest! {
    #[test]
    fn steps_add_up(days in -700_000_i64..2_900_000, one in -500_i64..500, two in -500_i64..500, unit in 0..9_usize) {
        let alias = ["min", "h", "D", "B", "W-WED", "ME", "QE", "YE", "3h"][unit];
        let frequency = Frequency::parse(alias).unwrap();
        let from = frequency.advance(days * 86_400_000_000, 0);
        prop_assert_eq!(frequency.advance(frequency.advance(from, one), two), frequency.advance(from, one + two));
    }
}
