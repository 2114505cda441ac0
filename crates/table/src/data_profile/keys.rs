//! Values as keys: equal values have equal keys in all threads.

use std::hash::{BuildHasher, Hasher, RandomState};

use tabcast_calendar::{DateOrder, Micros, parse_timestamp, parse_timestamp_in};

use crate::column_profile::is_boolean;
use crate::covariates::Cell;
use crate::frame::{Class, Texts, classify};
use crate::interner::hash;

/// Seed of the keys of texts, which depend on nothing else. In one of ten million files with a million texts, two texts
/// share a key.
const TEXT_SEED: u64 = 0x2545_f491_4f6c_dd1d;
/// Words that are missing among numbers and values among texts.
pub(super) const WORDS: [&str; 5] = ["-", "none", "None", "NONE", "?"];

/// The key of a cell without a value.
pub(super) fn missing() -> u64 {
    Cell::missing().bits()
}

pub(super) fn of_text(text: &[u8]) -> u64 {
    hash(text, TEXT_SEED)
}

/// The meaning of a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// Missing among numbers.
    Word,
    Infinite,
    Boolean(bool),
    /// `None`: it depends on an order of dates that is unknown or different.
    Timestamp(Option<Micros>),
    Text,
}

/// The parsed text of a stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Said {
    pub(super) meaning: Meaning,
    pub(super) key: u64,
}

impl Said {
    fn of(text: &[u8], order: Option<DateOrder>) -> Said {
        let meaning = match classify(text) {
            Class::Word => Meaning::Word,
            Class::Infinite => Meaning::Infinite,
            _ => match is_boolean(text) {
                Some(value) => Meaning::Boolean(value),
                None => match parse_timestamp_in(text, order) {
                    Some(stamp) => Meaning::Timestamp(Some(stamp.micros)),
                    None if DateOrder::is_needed(text) => Meaning::Timestamp(None),
                    None => Meaning::Text,
                },
            },
        };
        Said { meaning, key: of_text(text) }
    }
}

/// The meanings of all texts of a column in a stretch; dates whose year comes last are read in this order.
pub(super) fn said(texts: &Texts, order: Option<DateOrder>) -> Vec<Said> {
    (0..texts.len()).map(|number| Said::of(texts.get(number as u32), order)).collect()
}

/// The key of a cell.
#[inline]
pub(super) fn of_cell(cell: Cell, said: &[Said]) -> u64 {
    cell.as_text().map_or_else(|| cell.bits(), |text| said[text as usize].key)
}

/// Reads numbers as timestamps (years, days as digits, epochs); caches the last one, because most rows repeat the row
/// before.
#[derive(Debug, Default)]
pub(super) struct NumericTimes {
    last: Option<(u64, Option<Micros>)>,
}

impl NumericTimes {
    pub(super) fn of(&mut self, number: f64) -> Option<Micros> {
        let bits = number.to_bits();
        match self.last {
            Some((last, time)) if last == bits => time,
            _ => {
                let stamp = parse_timestamp(number.to_string().as_bytes());
                let time = stamp.map(|stamp| stamp.micros);
                self.last = Some((bits, time));
                time
            }
        }
    }
}

/// Spreads keys over a hash table. It is seeded, so that no file can be crafted to collide.
#[derive(Debug, Clone)]
pub(super) struct Spread {
    seed: u64,
}

impl Default for Spread {
    fn default() -> Spread {
        Spread { seed: RandomState::new().hash_one(0_u8) | 1 }
    }
}

impl BuildHasher for Spread {
    type Hasher = SpreadKey;

    fn build_hasher(&self) -> SpreadKey {
        SpreadKey { state: self.seed }
    }
}

pub(super) struct SpreadKey {
    state: u64,
}

impl Hasher for SpreadKey {
    fn finish(&self) -> u64 {
        self.state
    }

    fn write(&mut self, bytes: &[u8]) {
        self.state = hash(bytes, self.state);
    }

    fn write_u64(&mut self, key: u64) {
        let product = u128::from(self.state ^ key) * 0x9e37_79b9_7f4a_7c15_u128;
        self.state = (product as u64 ^ (product >> 64) as u64).wrapping_mul(self.state | 1);
    }
}
