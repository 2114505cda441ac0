//! Dates with names, and dates whose year comes last.

use proptest::prelude::*;
use tabcast_calendar::{
    DateOrder, DateOrders, Decision, MAX_MICROS, MIN_MICROS, Stamp, parse_timestamp, parse_timestamp_in,
    write_pandas,
};

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

fn printed(stamp: Stamp) -> String {
    let mut out = Vec::new();
    write_pandas(stamp.micros, &mut out);
    String::from_utf8(out).unwrap()
}

fn read(text: &str, order: Option<DateOrder>) -> Option<String> {
    parse_timestamp_in(text.as_bytes(), order).map(printed)
}

fn decided(dates: &[&str]) -> (Decision, Option<String>) {
    let mut orders = DateOrders::default();
    for date in dates {
        assert!(orders.note(date.as_bytes()), "{date}");
    }
    (orders.decide(), orders.example().map(str::to_owned))
}

#[test]
fn quarters_weeks_and_months_with_names_need_no_order() {
    for (text, expected) in [
        ("2024Q1", "2024-01-01"),
        ("2024 Q2", "2024-04-01"),
        ("2024-q3", "2024-07-01"),
        ("2024/Q4", "2024-10-01"),
        ("Q4 2024", "2024-10-01"),
        ("q1-2024", "2024-01-01"),
        ("2024 W05", "2024-01-29"),
        ("2024-W05", "2024-01-29"),
        ("2024W05", "2024-01-29"),
        ("2024-W5", "2024-01-29"),
        ("2024-W05-7", "2024-02-04"),
        ("2020-W53", "2020-12-28"),
        ("2021-W01", "2021-01-04"),
        ("2026-W01", "2025-12-29"),
        ("0001-W01", "0001-01-01"),
        ("Jan 2024", "2024-01-01"),
        ("2024 Jan", "2024-01-01"),
        ("2024-DEC", "2024-12-01"),
        ("sept 2024", "2024-09-01"),
        ("FEBRUARY-2024", "2024-02-01"),
        ("1-Jan-2024", "2024-01-01"),
        ("1 Jan 2024", "2024-01-01"),
        ("29/february/2024", "2024-02-29"),
        ("Jan 1, 2024", "2024-01-01"),
        ("may 31 2024", "2024-05-31"),
        ("2024-Jan-09", "2024-01-09"),
        (" 31 Dec 2024 ", "2024-12-31"),
    ] {
        assert_eq!(read(text, None), Some(format!("{expected} 00:00:00")), "{text}");
    }
    assert_eq!(read("1-Jan-2024 3:15 PM", None).as_deref(), Some("2024-01-01 15:15:00"));
    assert_eq!(read("Jan 1, 2024 00:30+01:00", None).as_deref(), Some("2023-12-31 23:30:00"));
    assert_eq!((read("2021-W53", None), read("9999-W53", None)), (None, None));
}

#[test]
fn the_year_comes_last_once_the_order_is_known() {
    let [day_first, month_first] = DateOrder::ALL.map(Some);
    for (text, by_day, by_month) in [
        ("31/12/2024", Some("2024-12-31 00:00:00"), None),
        ("12/31/2024", None, Some("2024-12-31 00:00:00")),
        ("3.4.2024", Some("2024-04-03 00:00:00"), Some("2024-03-04 00:00:00")),
        ("03-04-2024 9:30", Some("2024-04-03 09:30:00"), Some("2024-03-04 09:30:00")),
        ("03/04/2024T09:30:05.25", Some("2024-04-03 09:30:05.250000"), Some("2024-03-04 09:30:05.250000")),
        ("13/04/2024 3:15 PM", Some("2024-04-13 15:15:00"), None),
        ("13/04/2024, 12:15:00 am", Some("2024-04-13 00:15:00"), None),
        ("13/04/2024 12:15pm", Some("2024-04-13 12:15:00"), None),
        ("13.04.2024 00:15 +02:00", Some("2024-04-12 22:15:00"), None),
        ("2024-04-13", Some("2024-04-13 00:00:00"), Some("2024-04-13 00:00:00")),
        ("29.02.2023", None, None),
        ("13/13/2024", None, None),
        ("31/12/24", None, None),
        ("31/12-2024", None, None),
        ("31/12/2024x", None, None),
        ("31/12/2024 13:15 PM", None, None),
        ("31/12/2024 0:15 PM", None, None),
        ("31/12/2024 3:15 XM", None, None),
        ("31/12/2024 15", None, None),
        ("31/12/0000", None, None),
        ("00/12/2024", None, None),
    ] {
        let expected = (by_day.map(str::to_owned), by_month.map(str::to_owned));
        assert_eq!((read(text, day_first), read(text, month_first)), expected, "{text}");
        assert_eq!(read(text, None).is_some(), text.starts_with("2024"), "{text}");
        let is_needed = !text.starts_with("2024") && expected != (None, None);
        assert_eq!(DateOrder::is_needed(text.as_bytes()), is_needed, "{text}");
    }
}

#[test]
fn a_day_beyond_the_twelfth_tells_the_order() {
    let by = |order, example: &str| (Decision::Order(order), Some(example.to_owned()));
    assert_eq!(decided(&["01/02/2024", "13/02/2024", "14/02/2024"]), by(DateOrder::DayFirst, "13/02/2024"));
    assert_eq!(decided(&["01/02/2024", "02/13/2024"]), by(DateOrder::MonthFirst, "02/13/2024"));
    // The greater number wins, and what contradicts it is no date then.
    assert_eq!(decided(&["02/13/2024", "13/02/2024", "14/02/2024"]).0, Decision::Order(DateOrder::DayFirst));
    assert_eq!(
        decided(&["02/13/2024", "02/14/2024", "14/02/2024"]).0,
        Decision::Order(DateOrder::MonthFirst)
    );
}

#[test]
fn firsts_of_months_tell_the_order_and_other_days_up_to_the_twelfth_do_not() {
    let order = |dates: &[&str]| decided(dates).0;
    assert_eq!(order(&["01/02/2024", "01/03/2024"]), Decision::Order(DateOrder::DayFirst));
    assert_eq!(order(&["02/01/2024", "03/01/2024"]), Decision::Order(DateOrder::MonthFirst));
    assert_eq!(order(&["01/04/2023", "01/04/2024"]), Decision::Order(DateOrder::DayFirst));
    assert_eq!(order(&["01/01/2023", "01/01/2024"]), Decision::Order(DateOrder::DayFirst));
    assert_eq!(order(&["01/02/2024", "02/02/2024"]), Decision::Ambiguous);
    assert_eq!(order(&["01/02/2024", "02/01/2024"]), Decision::Ambiguous);
    // Hours of one day, and the same day of many series.
    assert_eq!(order(&["01/02/2024 00:00", "01/02/2024 01:00"]), Decision::Ambiguous);
    assert_eq!(order(&["01/02/2024", "01/02/2024"]), Decision::Ambiguous);
    assert_eq!(decided(&["02/02/2024", "03/02/2024"]).1.as_deref(), Some("03/02/2024"));
    assert_eq!(DateOrders::default().decide(), Decision::NotNeeded);
    let mut others = DateOrders::default();
    for text in ["", "2024-01-31", "31.12.24", "30/02/2024", "x"] {
        assert!(!others.note(text.as_bytes()), "{text}");
    }
    assert_eq!((others.decide(), others.example()), (Decision::NotNeeded, None));
}

/// Days that there are, by the parts of the date, without the parser.
fn days(month: u32, year: i64) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    }
}

/// What the rules say of dates without times, the first of their parts first.
fn expected(dates: &[(u32, u32, i64)]) -> Decision {
    let is_day = |day: u32, month: u32, year: i64| (1..=days(month, year)).contains(&day);
    let by_day = |date: &&(u32, u32, i64)| is_day(date.0, date.1, date.2);
    let by_month = |date: &&(u32, u32, i64)| is_day(date.1, date.0, date.2);
    let day_first = dates.iter().filter(|date| by_day(date) && !by_month(date)).count();
    let month_first = dates.iter().filter(|date| !by_day(date) && by_month(date)).count();
    let mut open: Vec<_> = dates.iter().filter(|date| by_day(date) && by_month(date)).collect();
    open.sort_unstable();
    open.dedup();
    let day_ones = open.iter().all(|date| date.0 == 1);
    let month_ones = open.iter().all(|date| date.1 == 1);
    if day_first + month_first > 0 {
        let order = if day_first >= month_first { DateOrder::DayFirst } else { DateOrder::MonthFirst };
        Decision::Order(order)
    } else if open.is_empty() {
        Decision::NotNeeded
    } else if open.iter().all(|date| date.0 == date.1) {
        Decision::Order(DateOrder::DayFirst)
    } else if open.len() > 1 && day_ones != month_ones {
        Decision::Order(if day_ones { DateOrder::DayFirst } else { DateOrder::MonthFirst })
    } else {
        Decision::Ambiguous
    }
}

fn dates() -> impl Strategy<Value = Vec<(u32, u32, i64)>> {
    let few = prop_oneof![Just(1_u32), 1_u32..4, 1_u32..13, 0_u32..33];
    let other = few.clone();
    proptest::collection::vec((few, other, 2023_i64..2026), 0..6)
}

proptest! {
    #[test]
    fn decisions_are_those_of_the_rules_however_the_column_is_cut(
        dates in dates(), cut in 0_usize..7, mark in prop_oneof![Just('/'), Just('.'), Just('-')]
    ) {
        let texts: Vec<String> =
            dates.iter().map(|(first, second, year)| format!("{first:02}{mark}{second}{mark}{year}")).collect();
        let of = |texts: &[String]| {
            let mut orders = DateOrders::default();
            for text in texts {
                orders.note(text.as_bytes());
            }
            orders
        };
        let whole = of(&texts);
        prop_assert_eq!(whole.decide(), expected(&dates));
        let cut = cut.min(texts.len());
        let mut parts = of(&texts[..cut]);
        parts.append(of(&texts[cut..]));
        prop_assert_eq!((parts.decide(), parts.example()), (whole.decide(), whole.example()));
    }

    #[test]
    fn every_way_to_write_an_instant_reads_back_to_it(micros in MIN_MICROS..=MAX_MICROS) {
        let micros = micros.div_euclid(1_000_000) * 1_000_000;
        let iso = printed(Stamp { micros, offset_seconds: None });
        let (year, month, day, time) = (&iso[..4], &iso[5..7], &iso[8..10], &iso[11..]);
        let hour: u32 = time[..2].parse().unwrap();
        let twelve = match hour % 12 { 0 => 12, hour => hour };
        let clock = format!("{twelve}{} {}", &time[2..], if hour < 12 { "AM" } else { "pm" });
        let name = MONTHS[month.parse::<usize>().unwrap() - 1];
        let [short, long] = [&name[..3], name];
        for clock in [time, clock.as_str()] {
            for (text, order) in [
                (format!("{day}/{month}/{year} {clock}"), Some(DateOrder::DayFirst)),
                (format!("{month}/{day}/{year}, {clock}"), Some(DateOrder::MonthFirst)),
                (format!("{day}.{month}.{year} {clock}"), Some(DateOrder::DayFirst)),
                (format!("{day}-{short}-{year} {clock}"), None),
                (format!("{long} {day}, {year} {clock}"), None),
            ] {
                let stamp = parse_timestamp_in(text.as_bytes(), order);
                prop_assert_eq!(stamp, Some(Stamp { micros, offset_seconds: None }), "{}", text);
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), text in "[0-9QWJanFeb:+ /.,-]{0,30}") {
        for bytes in [bytes.as_slice(), text.as_bytes()] {
            let _ = parse_timestamp(bytes);
            let _ = DateOrders::default().note(bytes);
            for order in DateOrder::ALL {
                // What needs an order has none without it.
                prop_assert!(order.parse(bytes).is_none() || parse_timestamp(bytes).is_none());
            }
        }
    }
}
