//! Parsing and printing of stamps.

use proptest::prelude::*;
use tabcast_calendar::{
    MAX_MICROS, MIN_MICROS, is_finer_than_micros, parse_timestamp, write_iso8601, write_pandas,
};

fn printed(micros: i64) -> String {
    let mut out = Vec::new();
    write_pandas(micros, &mut out);
    String::from_utf8(out).unwrap()
}

#[test]
fn accepted_forms_give_the_instant() {
    for (text, expected, offset) in [
        ("2026-02-28", "2026-02-28 00:00:00", None),
        ("2024-02-29 23:59:59", "2024-02-29 23:59:59", None),
        ("2026-01-02T03:04:05", "2026-01-02 03:04:05", None),
        ("2026-01-02 03:04", "2026-01-02 03:04:00", None),
        ("2026-01-02T03", "2026-01-02 03:00:00", None),
        ("2026-01-02T03:04:05.5", "2026-01-02 03:04:05.500000", None),
        ("2026-01-02 03:04:05.123456789", "2026-01-02 03:04:05.123456", None),
        ("2026-01-02T03:04:05Z", "2026-01-02 03:04:05", Some(0)),
        ("2026-01-02 03:04:05 UTC", "2026-01-02 03:04:05", Some(0)),
        ("2026-01-02T03:04:05+00:00", "2026-01-02 03:04:05", Some(0)),
        ("2026-03-29T00:00:00+05:30", "2026-03-28 18:30:00", Some(19_800)),
        ("2026-03-29 00:00:00-0330", "2026-03-29 03:30:00", Some(-12_600)),
        ("2026-03-29 00:00+02", "2026-03-28 22:00:00", Some(7_200)),
        ("2026/1/5", "2026-01-05 00:00:00", None),
        ("20260105", "2026-01-05 00:00:00", None),
        ("2026-07", "2026-07-01 00:00:00", None),
        ("2026", "2026-01-01 00:00:00", None),
        (" 2026-07-01 ", "2026-07-01 00:00:00", None),
        ("0001-01-01", "0001-01-01 00:00:00", None),
        ("9999-12-31T23:59:59.999999", "9999-12-31 23:59:59.999999", None),
        ("1700000000", "2023-11-14 22:13:20", None),
        ("1700000000000", "2023-11-14 22:13:20", None),
        ("1700000000000000", "2023-11-14 22:13:20", None),
        ("1700000000000000123", "2023-11-14 22:13:20", None),
        ("315532800", "1980-01-01 00:00:00", None),
    ] {
        let stamp = parse_timestamp(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((printed(stamp.micros).as_str(), stamp.offset_seconds), (expected, offset), "{text}");
    }
}

#[test]
fn other_forms_are_refused() {
    for text in [
        "",
        " ",
        "01/02/2026",
        "1/2/2026",
        "2026-02-29",
        "2026-13-01",
        "2026-00-10",
        "2026-01-00",
        "2026-01-32",
        "0000-01-01",
        "0001-01-01T00:00:00+01:00",
        "9999-12-31T23:59:59-01:00",
        "2026-01-01T24:00:00",
        "2026-01-01 00:60:00",
        "2026-01-01 00:00:60",
        "2026-01-01x",
        "2026-01-01 00:00:00+25:00",
        "2026-01/01",
        "2026-01-01 00:00:00 CET",
        "12345",
        "202601",
        "20261301",
        "-1700000000",
        "99999999999999999999",
        "17e8",
        "1.7",
        "2026-01-0a",
        "2026-01-01 0:00:00",
        "now",
        "NaT",
        "2026-W54",
        "2026-W00",
        "2026-W05-8",
        "2026-W5x",
        "2026Q5",
        "2026Q0",
        "2026-Q",
        "Q1",
        "Q12026",
        "Q1 26",
        "1-Jan-26",
        "Jan 26",
        "Jan",
        "Janu 2026",
        "Jan2026",
        "2026Jan",
        "31 Feb 2026",
        "1 Jan 2026 25:00",
        "Jan 2026 10:00",
        "1 January",
        "31.12.2026",
        "31-12-2026",
        "²⁰²⁶",
        "2026-01-01T00:00:00.",
    ] {
        assert_eq!(parse_timestamp(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn iso_output_names_the_zone() {
    let mut out = Vec::new();
    write_iso8601(1_700_000_000_000_000, &mut out);
    assert_eq!(out, b"2023-11-14T22:13:20+00:00");
}

proptest! {
    #[test]
    fn what_is_printed_parses_to_the_same_instant(micros in MIN_MICROS..=MAX_MICROS, whole in any::<bool>()) {
        let micros = if whole { micros.div_euclid(1_000_000) * 1_000_000 } else { micros };
        prop_assert_eq!(parse_timestamp(printed(micros).as_bytes()).map(|stamp| stamp.micros), Some(micros));
        let mut iso = Vec::new();
        write_iso8601(micros, &mut iso);
        let stamp = parse_timestamp(&iso).unwrap();
        prop_assert_eq!((stamp.micros, stamp.offset_seconds), (micros, Some(0)));
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40), digits in "[0-9TZ:+ /.-]{0,30}") {
        let _ = parse_timestamp(&bytes);
        let _ = parse_timestamp(digits.as_bytes());
    }
}

#[test]
fn only_digits_below_the_microsecond_make_a_stamp_finer() {
    for (text, finer) in [
        ("2026-01-31T13:45:00.1234567Z", true),
        ("2026-01-31 13:45:00.123456000", false),
        ("2026-01-31 13:45:00,000000001+01:00", true),
        ("2026-01-31 13:45:00.123456", false),
        ("1769817600123456789", true),
        ("1769817600123456000", false),
        ("1769817600123456", false),
        ("31.01.2026", false),
        (" 2026-01-31 00:00:00.0000000001 ", true),
    ] {
        assert_eq!(is_finer_than_micros(text.as_bytes()), finer, "{text}");
    }
}
