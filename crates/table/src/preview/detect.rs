//! Guesses from the first rows which columns are the ones that a forecast needs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use tabcast_calendar::{DateOrders, Decision, Micros, infer_frequency, parse_timestamp_in};

use super::Detected;
use super::records::Records;
use crate::dates::is_time;
use crate::detect::{Choice, Facts, choose, is_day_number};
use crate::number::{Number, parse_number};

pub(crate) fn detect(records: &Records) -> Detected {
    let columns: Vec<Facts> = (0..records.header.len()).map(|index| facts(records, index)).collect();
    let Choice { timestamp, target, item_id } = choose(&columns, &Choice::default());
    let name = |place: Option<usize>| place.map(|place| records.header[place].clone().into_owned());
    Detected {
        frequency: timestamp.and_then(|timestamp| frequency(records, timestamp, item_id)),
        timestamp: name(timestamp),
        target: name(target),
        item_id: name(item_id),
    }
}

fn facts(records: &Records, index: usize) -> Facts {
    let mut facts = Facts { name: records.header[index].clone().into_owned(), ..Facts::default() };
    let mut distinct = HashSet::new();
    for cell in records.rows.iter().filter_map(|row| row.get(index)) {
        let number = parse_number(cell.as_bytes());
        if number == Number::Null {
            continue;
        }
        facts.values += 1;
        if let Number::Value(value) = number {
            facts.numbers += 1;
            facts.whole += u64::from(value.fract() == 0.0);
            facts.days += u64::from(is_day_number(value));
        }
        facts.timestamps += u64::from(is_time(cell.as_bytes()));
        distinct.insert(cell.trim());
    }
    facts.distinct = distinct.len() as u64;
    facts
}

/// The frequency of all rows with a timestamp, item by item.
fn frequency(records: &Records, timestamp: usize, item_id: Option<usize>) -> Option<String> {
    let mut dates = DateOrders::default();
    for cell in records.rows.iter().filter_map(|row| row.get(timestamp)) {
        dates.note(cell.as_bytes());
    }
    let order = match dates.decide() {
        Decision::NotNeeded => None,
        Decision::Order(order) => Some(order),
        Decision::Ambiguous => return None,
    };
    let mut items: BTreeMap<&str, Vec<Micros>> = BTreeMap::new();
    for row in &records.rows {
        let id = item_id.and_then(|index| row.get(index)).map_or("", Cow::as_ref);
        let stamp = row.get(timestamp).and_then(|cell| parse_timestamp_in(cell.as_bytes(), order));
        items.entry(id).or_default().extend(stamp.map(|stamp| stamp.micros));
    }
    let mut stamps = Vec::new();
    let mut offsets = vec![0];
    for mut item in items.into_values() {
        item.sort_unstable();
        item.dedup();
        stamps.extend(item);
        offsets.push(stamps.len());
    }
    let regularity = infer_frequency(&stamps, &offsets).ok()?;
    (regularity.gaps > 0).then(|| regularity.frequency.alias())
}
