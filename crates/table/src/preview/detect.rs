//! Which columns look like the ones that a forecast needs.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use tabcast_calendar::{Micros, infer_frequency, parse_timestamp};

use super::Detected;
use super::records::Records;
use crate::number::{Number, parse_number};

/// Names that people give, most telling first, in lower case.
const TIMESTAMPS: [&str; 12] = [
    "timestamp",
    "ds",
    "datetime",
    "date_time",
    "date",
    "time",
    "day",
    "week",
    "month",
    "period",
    "ts",
    "year",
];
const TARGETS: [&str; 16] = [
    "target",
    "y",
    "value",
    "values",
    "sales",
    "demand",
    "quantity",
    "qty",
    "units",
    "amount",
    "revenue",
    "volume",
    "consumption",
    "load",
    "price",
    "count",
];
const ITEM_IDS: [&str; 18] = [
    "item_id",
    "unique_id",
    "series_id",
    "id",
    "series",
    "item",
    "sku",
    "product_id",
    "product",
    "store_id",
    "store",
    "sensor_id",
    "sensor",
    "customer_id",
    "location",
    "region",
    "category",
    "name",
];

/// Names decide before contents do; a column has one role at most.
pub(crate) fn detect(records: &Records) -> Detected {
    let columns: Vec<Column> = (0..records.header.len()).map(|index| Column::of(records, index)).collect();
    let named = |names: &[&str], fits: fn(&Column) -> bool, taken: &[Option<usize>]| {
        names.iter().find_map(|name| {
            let mut places = (0..columns.len()).filter(|place| {
                records.header[*place].to_lowercase() == *name && !taken.contains(&Some(*place))
            });
            places.find(|place| columns[*place].values == 0 || fits(&columns[*place]))
        })
    };
    let looking = |fits: fn(&Column) -> bool, taken: &[Option<usize>]| {
        (0..columns.len()).find(|place| !taken.contains(&Some(*place)) && fits(&columns[*place]))
    };
    let timestamp = named(&TIMESTAMPS, Column::is_timestamp, &[]);
    let target = named(&TARGETS, Column::is_numeric, &[timestamp]);
    let item_id = named(&ITEM_IDS, |_| true, &[timestamp, target]);
    let timestamp = timestamp.or_else(|| looking(Column::is_plainly_timestamp, &[target, item_id]));
    let target = target.or_else(|| looking(Column::varies, &[timestamp, item_id]));
    let item_id = item_id.or_else(|| looking(Column::repeats, &[timestamp, target]));
    let name = |place: Option<usize>| place.map(|place| records.header[place].clone().into_owned());
    Detected {
        frequency: timestamp.and_then(|timestamp| frequency(records, timestamp, item_id)),
        timestamp: name(timestamp),
        target: name(target),
        item_id: name(item_id),
    }
}

/// What the cells of a column are; empty ones do not count.
#[derive(Default)]
struct Column {
    values: usize,
    timestamps: usize,
    numbers: usize,
    distinct: usize,
}

impl Column {
    fn of(records: &Records, index: usize) -> Column {
        let mut column = Column::default();
        let mut distinct = HashSet::new();
        for cell in records.rows.iter().filter_map(|row| row.get(index)) {
            let number = parse_number(cell.as_bytes());
            if number == Number::Null {
                continue;
            }
            column.values += 1;
            column.numbers += usize::from(matches!(number, Number::Value(_)));
            column.timestamps += usize::from(parse_timestamp(cell.as_bytes()).is_some());
            distinct.insert(cell.trim());
        }
        column.distinct = distinct.len();
        column
    }

    fn is_timestamp(&self) -> bool {
        self.values > 0 && self.timestamps == self.values
    }

    /// Numbers of four or more digits may be timestamps as well, so that alone says nothing.
    fn is_plainly_timestamp(&self) -> bool {
        self.is_timestamp() && self.numbers < self.values
    }

    fn is_numeric(&self) -> bool {
        self.values > 0 && self.numbers == self.values
    }

    fn varies(&self) -> bool {
        self.is_numeric() && self.distinct > 1
    }

    fn repeats(&self) -> bool {
        self.numbers == 0 && self.timestamps == 0 && self.distinct > 0 && self.distinct < self.values
    }
}

/// The frequency of all rows that have a timestamp, within their items.
fn frequency(records: &Records, timestamp: usize, item_id: Option<usize>) -> Option<String> {
    let mut items: BTreeMap<&str, Vec<Micros>> = BTreeMap::new();
    for row in &records.rows {
        let id = item_id.and_then(|index| row.get(index)).map_or("", Cow::as_ref);
        let stamp = row.get(timestamp).and_then(|cell| parse_timestamp(cell.as_bytes()));
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
