//! Parses numbers.

/// The content of a target cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Value(f64),
    /// Empty, or one of the usual words for a missing value.
    Null,
    /// Infinite, or too large for a double.
    NonFinite,
    /// Anything else.
    Text,
}

/// Powers of ten, exact as doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Parses a plain decimal at the start of `bytes` and returns its length in bytes. `None` for anything but up to 15
/// digits with at most one point; [`parse_number`] handles the rest.
///
/// A mantissa below 2^53 divided by an exact power of ten is correctly rounded (Clinger 1990), so the result is the one
/// that the full algorithm gives.
#[inline]
pub(crate) fn parse_decimal(bytes: &[u8]) -> Option<(f64, usize)> {
    let mut at = usize::from(bytes.first() == Some(&b'-'));
    let start = at;
    let mut mantissa = 0_u64;
    let mut digits = |at: &mut usize| {
        let from = *at;
        while let Some(digit) = bytes.get(*at).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit <= 9)
        {
            mantissa = mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            *at += 1;
        }
        *at - from
    };
    let whole = digits(&mut at);
    let mut fraction = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        fraction = digits(&mut at);
    }
    if whole + fraction == 0 || whole + fraction > 15 {
        return None;
    }
    let value = mantissa as f64 / POWERS[fraction];
    Some((if start == 1 { -value } else { value }, at))
}

/// Parses a whole cell; blanks around it are skipped.
pub(crate) fn parse_number(cell: &[u8]) -> Number {
    let cell = cell.trim_ascii();
    if is_missing(cell) {
        return Number::Null;
    }
    if let Some((value, length)) = parse_decimal(cell)
        && length == cell.len()
    {
        return Number::Value(value);
    }
    let unsigned = cell.strip_prefix(b"-").or_else(|| cell.strip_prefix(b"+")).unwrap_or(cell);
    if unsigned.eq_ignore_ascii_case(b"inf") || unsigned.eq_ignore_ascii_case(b"infinity") {
        return Number::NonFinite;
    }
    // The standard parser also accepts words, so only digits may reach it.
    let plain = cell.iter().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(byte));
    match std::str::from_utf8(cell).ok().filter(|_| plain).and_then(|text| text.parse::<f64>().ok()) {
        Some(value) if value.is_finite() => Number::Value(value),
        Some(_) => Number::NonFinite,
        None => Number::Text,
    }
}

/// The words that pandas treats as missing values, and a lone hyphen.
fn is_missing(cell: &[u8]) -> bool {
    matches!(
        cell,
        b"" | b"NA"
            | b"N/A"
            | b"n/a"
            | b"na"
            | b"#N/A"
            | b"#NA"
            | b"#N/A N/A"
            | b"<NA>"
            | b"NaN"
            | b"nan"
            | b"NAN"
            | b"-NaN"
            | b"-nan"
            | b"1.#IND"
            | b"-1.#IND"
            | b"1.#QNAN"
            | b"-1.#QNAN"
            | b"NULL"
            | b"null"
            | b"Null"
            | b"None"
            | b"none"
            | b"NONE"
            | b"-"
    )
}
