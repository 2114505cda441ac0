//! The distinct values of a column, counted up to a limit.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::keys::{self, Spread, WORDS};

/// Maximum count of distinct values; at the maximum, there may be more.
pub(super) const COUNTED: usize = 10_000;
/// Above this number of distinct values, a column has no list of most frequent values.
const LISTABLE: usize = 1_000;
/// Maximum number of listed values.
pub(super) const LISTED: usize = 200;
/// Longer values are not listed.
const LONGEST: usize = 100;

/// A position in the table: stretch and row.
pub(super) type Place = (u64, u32);

/// Bounded in size: few values with their counts, more values without counts, or only the fact that there are many. The
/// content does not depend on the order of the rows or on threads, except for the first position of each value, which
/// is the first in the file.
#[derive(Debug)]
pub(super) enum Distinct {
    Few(HashMap<u64, Value, Spread>),
    Some(HashSet<u64, Spread>),
    Many,
}

#[derive(Debug)]
pub(super) struct Value {
    count: u64,
    first: Place,
    shown: Shown,
}

/// How to show a value in the list.
#[derive(Debug, Clone)]
pub(super) enum Shown {
    /// The key is the number.
    Number,
    Text(Box<str>),
    TooLong,
}

impl Shown {
    pub(super) fn of(text: &[u8]) -> Shown {
        if text.len() > LONGEST {
            return Shown::TooLong;
        }
        Shown::Text(String::from_utf8_lossy(text).into())
    }
}

impl Default for Distinct {
    fn default() -> Distinct {
        Distinct::Few(HashMap::default())
    }
}

impl Distinct {
    /// Adds `count` occurrences of a value, the first of them at `first`.
    #[inline]
    pub(super) fn add(&mut self, key: u64, count: u64, first: Place, shown: impl FnOnce() -> Shown) {
        match self {
            Distinct::Many => return,
            Distinct::Some(keys) => {
                keys.insert(key);
            }
            Distinct::Few(values) => match values.entry(key) {
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    known.count += count;
                    known.first = known.first.min(first);
                }
                Entry::Vacant(free) => {
                    free.insert(Value { count, first, shown: shown() });
                }
            },
        }
        self.shrink();
    }

    fn shrink(&mut self) {
        if let Distinct::Few(values) = self
            && values.len() > LISTABLE
        {
            *self = Distinct::Some(values.keys().copied().collect());
        }
        if let Distinct::Some(keys) = self
            && keys.len() > COUNTED
        {
            *self = Distinct::Many;
        }
    }

    pub(super) fn is_many(&self) -> bool {
        matches!(self, Distinct::Many)
    }

    pub(super) fn append(&mut self, other: Distinct) {
        match (&mut *self, other) {
            (Distinct::Many, _) => {}
            (_, Distinct::Many) => *self = Distinct::Many,
            (Distinct::Few(_), Distinct::Few(values)) => {
                for (key, Value { count, first, shown }) in values {
                    self.add(key, count, first, || shown);
                }
            }
            (Distinct::Some(keys), other) => {
                keys.extend(other.keys());
                self.shrink();
            }
            (Distinct::Few(values), Distinct::Some(mut keys)) => {
                keys.extend(values.keys());
                *self = Distinct::Some(keys);
                self.shrink();
            }
        }
    }

    fn keys(self) -> Vec<u64> {
        match self {
            Distinct::Few(values) => values.into_keys().collect(),
            Distinct::Some(keys) => keys.into_iter().collect(),
            Distinct::Many => Vec::new(),
        }
    }

    /// Number of distinct values, at most [`COUNTED`].
    pub(super) fn len(&self) -> usize {
        match self {
            Distinct::Few(values) => values.len(),
            Distinct::Some(keys) => keys.len(),
            Distinct::Many => COUNTED,
        }
    }

    /// Removes the words that are missing among numbers.
    pub(super) fn without_words(&mut self) {
        for word in WORDS {
            let key = keys::of_text(word.as_bytes());
            match self {
                Distinct::Few(values) => drop(values.remove(&key)),
                Distinct::Some(keys) => drop(keys.remove(&key)),
                Distinct::Many => {}
            }
        }
    }

    /// The most frequent values; equally frequent ones in the order of the file.
    pub(super) fn most_frequent(&self) -> Vec<String> {
        let Distinct::Few(values) = self else { return Vec::new() };
        let mut order: Vec<(&u64, &Value)> = values.iter().collect();
        order.sort_unstable_by_key(|(_, value)| (u64::MAX - value.count, value.first));
        let texts = order.into_iter().filter_map(|(key, value)| match &value.shown {
            Shown::Number => Some(f64::from_bits(*key).to_string()),
            Shown::Text(text) => Some(text.to_string()),
            Shown::TooLong => None,
        });
        texts.take(LISTED).collect()
    }
}
