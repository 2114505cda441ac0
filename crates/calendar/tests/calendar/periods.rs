//! Periods. The expected ones are those of the calendar; labels are where `resample` of pandas 2 puts them.

use proptest::prelude::*;
use tabcast_calendar::{Frequency, Micros, Periods, parse_timestamp, write_pandas};

fn at(text: &str) -> Micros {
    parse_timestamp(text.as_bytes()).expect("a stamp").micros
}

fn text(stamp: Micros) -> String {
    let mut text = Vec::new();
    write_pandas(stamp, &mut text);
    String::from_utf8_lossy(&text).into_owned()
}

/// Start, end and label of the period of a stamp.
fn period(alias: &str, stamp: &str) -> [String; 3] {
    let periods = Periods::new(Frequency::parse(alias).expect("an alias"), at("2024-01-03 05:00"));
    let index = periods.index(at(stamp));
    [periods.start(index), periods.start(index + 1), periods.label(index)].map(text)
}

#[test]
fn periods_have_the_bounds_and_labels_of_their_alias() {
    let day = |date: &str| format!("{date} 00:00:00");
    for (alias, stamp, start, end, label) in [
        ("D", "2024-02-29 23:59", "2024-02-29", "2024-03-01", "2024-02-29"),
        ("2D", "2024-01-04 01:00", "2024-01-03", "2024-01-05", "2024-01-03"),
        ("W-SUN", "2024-01-07 23:59", "2024-01-01", "2024-01-08", "2024-01-07"),
        ("W-SUN", "2024-01-08", "2024-01-08", "2024-01-15", "2024-01-14"),
        ("W-MON", "2024-01-08", "2024-01-02", "2024-01-09", "2024-01-08"),
        ("W-WED", "2024-01-04", "2024-01-04", "2024-01-11", "2024-01-10"),
        ("2W-SUN", "2024-01-12", "2024-01-01", "2024-01-15", "2024-01-14"),
        ("MS", "2024-02-29 12:00", "2024-02-01", "2024-03-01", "2024-02-01"),
        ("ME", "2024-02-29 12:00", "2024-02-01", "2024-03-01", "2024-02-29"),
        ("QS", "2024-05-31", "2024-04-01", "2024-07-01", "2024-04-01"),
        ("QE", "2024-05-31", "2024-04-01", "2024-07-01", "2024-06-30"),
        ("QS-FEB", "2024-01-31", "2023-11-01", "2024-02-01", "2023-11-01"),
        ("QE-NOV", "2024-12-01", "2024-12-01", "2025-03-01", "2025-02-28"),
        ("YS", "2024-12-31", "2024-01-01", "2025-01-01", "2024-01-01"),
        ("YE-MAR", "2024-04-01", "2024-04-01", "2025-04-01", "2025-03-31"),
        ("B", "2024-01-06", "2024-01-05", "2024-01-08", "2024-01-05"),
        ("B", "1969-12-31", "1969-12-31", "1970-01-01", "1969-12-31"),
    ] {
        assert_eq!(period(alias, stamp), [day(start), day(end), day(label)], "{alias} {stamp}");
    }
    assert_eq!(period("5h", "2024-01-03 09:59")[0], "2024-01-03 05:00:00");
    assert_eq!(period("15min", "2024-01-09 09:59")[2], "2024-01-09 09:45:00");
}

proptest! {
    #[test]
    fn every_stamp_lies_in_its_period_and_labels_are_a_step_apart(
        alias in prop::sample::select(vec!["s", "7min", "h", "5h", "D", "3D", "B", "2B", "W-SUN", "W-MON", "2W-THU", "MS", "ME", "2ME", "QS-FEB", "QE", "YE-JUN", "YS"]),
        stamp in -2_000_000_000_000_000..4_000_000_000_000_000_i64,
        origin in 0..2_000_000_000_000_000_i64,
    ) {
        let frequency = Frequency::parse(alias).expect("an alias");
        let periods = Periods::new(frequency, origin);
        let index = periods.index(stamp);
        prop_assert!(periods.start(index) <= stamp && stamp < periods.start(index + 1));
        prop_assert_eq!(periods.index(periods.label(index)), index);
        prop_assert_eq!(frequency.advance(periods.label(index), 1), periods.label(index + 1));
        prop_assert_eq!(periods.index(origin), periods.index(periods.start(periods.index(origin))));
    }
}
