//! Text columns.

use tabcast_table::{TextColumn, shorten};

use super::dates::order_of;
use super::{Finding, reading, uniform};
use crate::Role;

/// With this many rows, a pattern among all of them is no accident.
const ENOUGH: usize = 20;
/// Minimum share of rows of one kind.
const MOST: f64 = 0.95;
/// Numbers mixed with texts are levels if there are at most this many.
const FEW_NUMBERS: usize = 20;
/// Minimum mean number of words for sentences.
const SENTENCE: f64 = 4.0;
/// Up to the first number of levels there are always few enough for a category; beyond the second always too many.
const LEVELS: std::ops::RangeInclusive<usize> = 10..=50;
/// Levels are rare if there is more than one per this many rows.
const ROWS_A_LEVEL: usize = 20;

/// The role of a text column. `is_time`: the request names it as the order of the rows.
pub(super) fn find(column: &TextColumn, rows: &[u32], is_time: bool) -> Finding {
    let levels = Levels::count(column, rows);
    let (distinct, missing) = (levels.rows.len(), rows.len() - levels.known);
    if let Some(finding) = uniform(distinct, missing) {
        return finding;
    }
    let dates = levels.readable(|text| reading::date(text).is_some());
    if dates.is_most(&levels) {
        let note = dates.sentence("dates", &levels);
        return Finding { role: Role::Date, distinct, missing: missing + dates.others, notes: vec![note] };
    }
    if let Some(order) = order_of(&levels.rows.iter().map(|(text, _)| *text)) {
        let dates = levels.readable(|text| order.parse(text.as_bytes()).is_some());
        let note = format!("{} Their {} comes first.", dates.sentence("dates", &levels), order.first());
        return Finding { role: Role::Date, distinct, missing: missing + dates.others, notes: vec![note] };
    }
    let numbers = levels.readable(|text| reading::number(text).is_some());
    if numbers.is_most(&levels) && numbers.distinct > FEW_NUMBERS {
        let note = numbers.sentence("numbers", &levels);
        return Finding {
            role: Role::Number,
            distinct,
            missing: missing + numbers.others,
            notes: vec![note],
        };
    }
    let is_unique = distinct == rows.len() && distinct >= ENOUGH;
    let is_sentence = || levels.mean_words() >= SENTENCE && distinct * 2 > levels.known;
    let is_rare =
        distinct > *LEVELS.end() || (distinct > *LEVELS.start() && distinct * ROWS_A_LEVEL > levels.known);
    let (role, note) = match levels.rows[..] {
        [(first, _), (second, _)] if reading::are_boolean([first, second]) => {
            (Role::Boolean, format!("Its values are '{first}' and '{second}'."))
        }
        _ if is_sentence() => (
            Role::Text,
            format!("Its values are texts of {:.0} words on average, most of them different.", levels.mean_words()),
        ),
        _ if is_unique && !is_time => (
            Role::Identifier,
            "It has another text in every row, so it is taken for an identifier: kept in the output and not learned \
                from."
                .to_owned(),
        ),
        _ if is_rare => {
            let known = levels.known;
            let why = if distinct * ROWS_A_LEVEL > known {
                "so that many of them are rare".to_owned()
            } else {
                format!("about {} rows each", known / distinct)
            };
            (Role::HighCardinality, format!("It has {distinct} different texts in {known} rows, {why}."))
        }
        _ => (Role::Category, format!("It has {distinct} different {}.", if distinct == 1 { "text" } else { "texts" })),
    };
    Finding { role, distinct, missing, notes: vec![note] }
}

/// The texts of the training rows.
struct Levels<'a> {
    /// Each text with its number of rows.
    rows: Vec<(&'a str, usize)>,
    /// Number of rows with a text.
    known: usize,
}

/// Number of texts that can be read as something else.
struct Readable<'a> {
    /// Number of rows that cannot.
    others: usize,
    distinct: usize,
    /// The first text that cannot.
    first_other: Option<&'a str>,
}

impl<'a> Levels<'a> {
    fn count(column: &'a TextColumn, rows: &[u32]) -> Levels<'a> {
        let mut counts = vec![0; column.texts.len()];
        for &row in rows {
            if let Some(count) = counts.get_mut(column.codes[row as usize] as usize) {
                *count += 1;
            }
        }
        let counted = column.texts.iter().zip(counts).filter(|(_, count)| *count > 0);
        let rows: Vec<_> = counted.map(|(text, count)| (&**text, count)).collect();
        Levels { known: rows.iter().map(|(_, count)| count).sum(), rows }
    }

    fn readable(&self, reads: impl Fn(&str) -> bool) -> Readable<'a> {
        let mut found = Readable { others: 0, distinct: 0, first_other: None };
        for &(text, count) in &self.rows {
            if reads(text) {
                found.distinct += 1;
            } else {
                found.others += count;
                found.first_other.get_or_insert(text);
                // A few texts are enough to decide most columns of words.
                if found.others as f64 > (1.0 - MOST) * self.known as f64 {
                    break;
                }
            }
        }
        found
    }

    fn mean_words(&self) -> f64 {
        let words: usize =
            self.rows.iter().map(|(text, count)| text.split_whitespace().count() * count).sum();
        words as f64 / self.known as f64
    }
}

impl Readable<'_> {
    fn is_most(&self, levels: &Levels) -> bool {
        self.distinct > 1 && (levels.known - self.others) as f64 >= MOST * levels.known as f64
    }

    fn sentence(&self, kind: &str, levels: &Levels) -> String {
        match self.first_other {
            None => format!("All its texts are {kind}."),
            Some(other) => format!(
                "Of {} texts all but {} are {kind}; the others, such as '{}', count as missing.",
                levels.known,
                self.others,
                shorten(other)
            ),
        }
    }
}
