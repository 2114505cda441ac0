//! Reads texts as numbers, dates or booleans.

use tabcast_calendar::{Micros, parse_timestamp};

/// The number of a text; codes such as `007` or `+49` are no numbers.
pub(crate) fn number(text: &str) -> Option<f64> {
    let digits = text.trim_start_matches('-').as_bytes();
    let is_code = match digits {
        [b'+', rest @ ..] => rest.iter().all(u8::is_ascii_digit),
        [b'0', second, ..] => second.is_ascii_digit(),
        // More digits than a double can hold.
        _ => digits.len() > 15 && digits.iter().all(u8::is_ascii_digit),
    };
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    if is_code || !plain { None } else { text.parse().ok().filter(|value: &f64| value.is_finite()) }
}

/// The instant of a text; digits alone are no date.
pub(crate) fn date(text: &str) -> Option<Micros> {
    let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if is_digits { None } else { parse_timestamp(text.as_bytes()).map(|stamp| stamp.micros) }
}

/// Whether two texts are words for yes and no, in either order.
pub(super) fn are_boolean(texts: [&str; 2]) -> bool {
    const PAIRS: [[&str; 2]; 6] =
        [["true", "false"], ["yes", "no"], ["y", "n"], ["t", "f"], ["on", "off"], ["1", "0"]];
    let texts = texts.map(str::to_lowercase);
    PAIRS
        .iter()
        .any(|[yes, no]| (texts[0] == *yes && texts[1] == *no) || (texts[0] == *no && texts[1] == *yes))
}

/// Whether a column name suggests a row identifier: `id`, `user_id`, `PassengerId`, `uuid`, `index`, `row`.
pub(super) fn names_rows(name: &str) -> bool {
    let name = name.trim();
    let lower = name.to_lowercase();
    let words =
        ["id", "uuid", "guid", "index", "idx", "row", "rownum", "row_number", "no", "nr", "unnamed: 0"];
    let tails = ["_id", " id", "-id", ".id", "_uuid", "_guid", "_index", "_idx"];
    words.contains(&lower.as_str())
        || tails.iter().any(|tail| lower.ends_with(tail))
        || name.ends_with("Id") && name.chars().rev().nth(2).is_some_and(char::is_lowercase)
        || name.ends_with("ID") && name.chars().rev().nth(2).is_some_and(char::is_lowercase)
}
