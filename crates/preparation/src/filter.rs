//! Applies a filter to a column, by the type of the column.

use std::collections::HashMap;
use std::hash::Hash;

use tabcast_calendar::{DateOrder, DateOrders, Decision, Micros, parse_timestamp_in};
use tabcast_table::{ContentError, Kind, TextColumn, WantedColumn, shorten};

use crate::span::Span;
use crate::{Operator, RowFilter};

/// Clears the rows in `used` for which the filter does not hold.
pub(crate) fn apply(
    filter: &RowFilter,
    column: &WantedColumn,
    used: &mut [bool],
) -> Result<(), Box<ContentError>> {
    check_count(filter)?;
    match column {
        WantedColumn::Times(times, _) => {
            let spans = spans(filter)?;
            let is_missing = |time: Micros| time == Micros::MIN;
            retain(used, times, |time| {
                if is_missing(*time) {
                    holds_for_missing(filter.op)
                } else {
                    holds_for_time(filter.op, &spans, *time)
                }
            });
        }
        WantedColumn::Numbers(numbers) | WantedColumn::Target(numbers, _) => {
            let mut values = numbers_of(filter)?;
            if matches!(filter.op, Operator::In | Operator::NotIn) {
                values.sort_by(f64::total_cmp);
            }
            retain(used, numbers, |number| {
                if number.is_nan() {
                    holds_for_missing(filter.op)
                } else {
                    holds_for_number(filter.op, &values, *number)
                }
            });
        }
        WantedColumn::Texts(column) => {
            let holds = texts_that_hold(filter, column)?;
            retain(used, &column.codes, |code| match holds.get(*code as usize) {
                Some(holds) => *holds,
                None => holds_for_missing(filter.op),
            });
        }
    }
    Ok(())
}

fn retain<T>(used: &mut [bool], cells: &[T], holds: impl Fn(&T) -> bool) {
    for (used, cell) in used.iter_mut().zip(cells) {
        *used = *used && holds(cell);
    }
}

fn holds_for_missing(op: Operator) -> bool {
    matches!(op, Operator::Ne | Operator::NotIn)
}

fn check_count(filter: &RowFilter) -> Result<(), Box<ContentError>> {
    let count = filter.values.len();
    let (is_right, wanted) = match filter.op {
        Operator::Between => (count == 2, "two values"),
        Operator::In | Operator::NotIn => (count > 0, "a value at least"),
        _ => (count == 1, "one value"),
    };
    if is_right {
        return Ok(());
    }
    Err(wrong(
        filter,
        &format!("needs {wanted} and has {count}"),
        &format!("Give '{}' {wanted}.", filter.op.name()),
    ))
}

/// The error for an invalid filter; the message begins with the filter.
fn wrong(filter: &RowFilter, message: &str, suggestion: &str) -> Box<ContentError> {
    let (op, column) = (filter.op.name(), shorten(&filter.column));
    let message = format!("The filter '{op}' on the column '{column}' {message}");
    let error = ContentError::new("invalid_filter", Kind::Content, message);
    Box::new(error.column(&filter.column).suggestion(suggestion))
}

fn no_comparison(filter: &RowFilter, kind: &str) -> Box<ContentError> {
    let suggestion = "Use one of eq, ne, in and not_in, or another column.";
    wrong(filter, &format!("cannot be used, because the column has {kind}"), suggestion)
}

fn spans(filter: &RowFilter) -> Result<Vec<Span>, Box<ContentError>> {
    if filter.op == Operator::Contains {
        return Err(no_comparison(filter, "times"));
    }
    let span = |value: &String| {
        Span::parse(value).ok_or_else(|| {
            let message = format!("compares times, and '{}' is none", shorten(value));
            wrong(filter, &message, "Write times as 2026-01-31 or 2026-01-31 13:45:00.")
        })
    };
    let mut spans: Vec<Span> = filter.values.iter().map(span).collect::<Result<_, _>>()?;
    if matches!(filter.op, Operator::In | Operator::NotIn) {
        spans = merged(spans);
    }
    Ok(spans)
}

/// The same times as spans that ascend and do not overlap: there may be very many, and as many rows.
fn merged(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_unstable_by_key(|span| span.start);
    let mut merged: Vec<Span> = Vec::with_capacity(spans.len());
    for span in spans {
        match merged.last_mut() {
            Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
            _ => merged.push(span),
        }
    }
    merged
}

/// Whether a time is in one of the spans, which ascend and do not overlap.
fn is_within(spans: &[Span], time: Micros) -> bool {
    let at = spans.partition_point(|span| span.start <= time);
    at > 0 && time < spans[at - 1].end
}

fn numbers_of(filter: &RowFilter) -> Result<Vec<f64>, Box<ContentError>> {
    if filter.op == Operator::Contains {
        return Err(no_comparison(filter, "numbers"));
    }
    let number = |value: &String| {
        number_of(value).ok_or_else(|| {
            let message = format!("compares numbers, and '{}' is none", shorten(value));
            wrong(filter, &message, "Write numbers with a decimal point and without thousands separators.")
        })
    };
    filter.values.iter().map(number).collect()
}

/// `true` and `false` are numbers in a numeric column, as in the table.
fn number_of(text: &str) -> Option<f64> {
    match text.trim() {
        text if text.eq_ignore_ascii_case("true") => Some(1.0),
        text if text.eq_ignore_ascii_case("false") => Some(0.0),
        text => text.parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

fn holds_for_time(op: Operator, spans: &[Span], time: Micros) -> bool {
    match op {
        Operator::Eq | Operator::In => is_within(spans, time),
        Operator::Ne | Operator::NotIn => !is_within(spans, time),
        Operator::Gt => time >= spans[0].end,
        Operator::Gte => time >= spans[0].start,
        Operator::Lt => time < spans[0].start,
        Operator::Lte => time < spans[0].end,
        Operator::Between => spans[0].start <= time && time < spans[1].end,
        Operator::Contains => false,
    }
}

fn holds_for_number(op: Operator, values: &[f64], number: f64) -> bool {
    match op {
        Operator::Eq => number == values[0],
        Operator::Ne => number != values[0],
        // The values are sorted, because there may be very many.
        Operator::In => is_among(values, number),
        Operator::NotIn => !is_among(values, number),
        Operator::Gt => number > values[0],
        Operator::Gte => number >= values[0],
        Operator::Lt => number < values[0],
        Operator::Lte => number <= values[0],
        Operator::Between => (values[0]..=values[1]).contains(&number),
        Operator::Contains => false,
    }
}

fn is_among(sorted: &[f64], number: f64) -> bool {
    let at = sorted.partition_point(|value| *value < number);
    sorted.get(at).is_some_and(|value| *value == number)
}

/// Whether the filter holds for each text. Equality compares texts; order compares numbers or times if all texts are
/// such.
fn texts_that_hold(filter: &RowFilter, column: &TextColumn) -> Result<Vec<bool>, Box<ContentError>> {
    let texts = column.texts.iter().map(|text| text.trim());
    match filter.op {
        Operator::Eq | Operator::In | Operator::Ne | Operator::NotIn => {
            let is_equal = equal_texts(filter, column);
            let negated = holds_for_missing(filter.op);
            Ok(is_equal.into_iter().map(|is_equal| is_equal != negated).collect())
        }
        Operator::Contains => {
            let part = filter.values[0].trim().to_lowercase();
            Ok(texts.map(|text| text.to_lowercase().contains(&part)).collect())
        }
        Operator::Gt | Operator::Gte | Operator::Lt | Operator::Lte | Operator::Between => {
            if let Some(numbers) = texts.clone().map(number_of).collect::<Option<Vec<f64>>>() {
                let values = numbers_of(filter)?;
                return Ok(numbers
                    .iter()
                    .map(|number| holds_for_number(filter.op, &values, *number))
                    .collect());
            }
            let order = order_of(column);
            let times = texts.map(|text| time_of(text, order));
            if let Some(times) = times.collect::<Option<Vec<Micros>>>() {
                let spans = spans(filter)?;
                return Ok(times.iter().map(|time| holds_for_time(filter.op, &spans, *time)).collect());
            }
            Err(no_comparison(filter, "texts"))
        }
    }
}

/// The order of dates whose year comes last, from all texts of the column.
fn order_of(column: &TextColumn) -> Option<DateOrder> {
    let mut orders = DateOrders::default();
    for text in &column.texts {
        orders.note(text.as_bytes());
    }
    match orders.decide() {
        Decision::Order(order) => Some(order),
        Decision::NotNeeded | Decision::Ambiguous => None,
    }
}

fn time_of(text: &str, order: Option<DateOrder>) -> Option<Micros> {
    parse_timestamp_in(text.as_bytes(), order).map(|stamp| stamp.micros)
}

/// Which texts are equal to a value: exactly, or ignoring case if none is exactly equal, or as numbers or times.
fn equal_texts(filter: &RowFilter, column: &TextColumn) -> Vec<bool> {
    let texts: Vec<&str> = column.texts.iter().map(|text| text.trim()).collect();
    let mut is_equal = vec![false; texts.len()];
    let exact = places_by(&texts, |text| Some(text.to_owned()));
    let folded = places_by(&texts, |text| Some(text.to_lowercase()));
    let numbers = places_by(&texts, |text| number_of(text).map(bits));
    let mut spans = Vec::new();
    for value in filter.values.iter().map(|value| value.trim()) {
        let same = exact
            .get(value)
            .or_else(|| folded.get(&value.to_lowercase()))
            .or_else(|| numbers.get(&bits(number_of(value)?)));
        if let Some(places) = same {
            for place in places {
                is_equal[*place] = true;
            }
        } else {
            spans.extend(Span::parse(value));
        }
    }
    if !spans.is_empty() {
        let (spans, order) = (merged(spans), order_of(column));
        for (is_equal, text) in is_equal.iter_mut().zip(&texts) {
            *is_equal |= time_of(text, order).is_some_and(|time| is_within(&spans, time));
        }
    }
    is_equal
}

/// Indices of texts by their comparison key, because there may be very many of both.
fn places_by<K: Hash + Eq>(texts: &[&str], key: impl Fn(&str) -> Option<K>) -> HashMap<K, Vec<usize>> {
    let mut places: HashMap<K, Vec<usize>> = HashMap::new();
    for (place, text) in texts.iter().enumerate() {
        if let Some(key) = key(text) {
            places.entry(key).or_default().push(place);
        }
    }
    places
}

/// Equal numbers have equal bits, including 0 and -0.
fn bits(number: f64) -> u64 {
    (number + 0.0).to_bits()
}
