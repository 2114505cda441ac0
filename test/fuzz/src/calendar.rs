//! Timestamps, frequencies and orders of dates.

use tabcast_calendar::{
    DateOrder, DateOrders, Frequency, MAX_MICROS, MIN_MICROS, Micros, Periods, check_frequency,
    infer_frequency, parse_plain_timestamp, parse_timestamp, parse_timestamp_in, write_iso8601, write_pandas,
};

/// A text a line.
pub(crate) fn timestamps(bytes: &[u8]) {
    bytes.split(|&byte| byte == b'\n').for_each(timestamp);
}

/// It is a stamp or none, and what is printed of a stamp is that stamp.
fn timestamp(bytes: &[u8]) {
    for order in [None, Some(DateOrder::DayFirst), Some(DateOrder::MonthFirst)] {
        let Some(stamp) = parse_timestamp_in(bytes, order) else { continue };
        assert!((MIN_MICROS..=MAX_MICROS).contains(&stamp.micros), "{stamp:?} is out of range");
        for write in [write_pandas, write_iso8601] {
            let mut text = Vec::new();
            write(stamp.micros, &mut text);
            let again = parse_timestamp(&text).map(|stamp| stamp.micros);
            assert_eq!(again, Some(stamp.micros), "{}", String::from_utf8_lossy(&text));
        }
    }
    if let Some(micros) = parse_plain_timestamp(bytes) {
        assert_eq!(parse_timestamp(bytes).map(|stamp| stamp.micros), Some(micros));
    }
}

/// The first line is an alias, what follows are stamps, eight bytes each.
pub(crate) fn frequencies(bytes: &[u8]) {
    let (alias, rest) = bytes.split_at(bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len()));
    let (words, _) = rest.get(1..).unwrap_or_default().as_chunks();
    let span = MAX_MICROS - MIN_MICROS + 1;
    let mut stamps: Vec<Micros> =
        words.iter().map(|word| MIN_MICROS + i64::from_le_bytes(*word).rem_euclid(span)).collect();
    let steps = stamps.last().map_or(1, |last| last % 100_000);
    stamps.sort_unstable();
    let offsets = [0, stamps.len()];
    if let Ok(found) = infer_frequency(&stamps, &offsets) {
        assert_eq!(Frequency::parse(&found.frequency.alias()), Ok(found.frequency));
    }
    let Ok(frequency) =
        std::str::from_utf8(alias).map_err(drop).and_then(|alias| Frequency::parse(alias).map_err(drop))
    else {
        return;
    };
    assert_eq!(Frequency::parse(&frequency.alias()), Ok(frequency), "{}", frequency.alias());
    assert!(!frequency.season_lengths().contains(&0));
    let _ = check_frequency(frequency, &stamps, &offsets);
    for &stamp in &stamps {
        let later = frequency.advance(stamp, steps);
        let _ = frequency.steps_between(stamp, later);
        let periods = Periods::new(frequency, stamps[0]);
        let index = periods.index(stamp);
        assert!(periods.start(index) <= stamp, "{stamp} lies before its period of {}", frequency.alias());
    }
}

/// A cell a line, as a column has them.
pub(crate) fn date_orders(bytes: &[u8]) {
    let mut orders = DateOrders::default();
    let mut halves = [DateOrders::default(), DateOrders::default()];
    let cells: Vec<&[u8]> = bytes.split(|&byte| byte == b'\n').collect();
    for (at, cell) in cells.iter().enumerate() {
        let is_needed = orders.note(cell);
        halves[usize::from(at >= cells.len() / 2)].note(cell);
        for order in DateOrder::ALL {
            if let Some(stamp) = order.parse(cell) {
                assert!(
                    is_needed,
                    "{:?} is a date of an order and does not need one",
                    String::from_utf8_lossy(cell)
                );
                assert_eq!(
                    parse_timestamp_in(cell, Some(order)).map(|found| found.micros),
                    Some(stamp.micros)
                );
            }
        }
    }
    let [mut first, second] = halves;
    first.append(second);
    assert_eq!(first.decide(), orders.decide());
}
