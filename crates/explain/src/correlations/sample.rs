//! Samples the rows of a large table.

use std::borrow::Cow;

use crate::{SeriesRows, Values};

/// All rows, or some in ascending order.
#[derive(Debug)]
pub(super) struct Sample(Option<Vec<usize>>);

impl Sample {
    /// At most `most` rows, evenly spaced.
    pub(super) fn of_rows(rows: usize, most: usize) -> Self {
        Self(
            (rows > most).then(|| {
                (0..most).map(|index| (index as u128 * rows as u128 / most as u128) as usize).collect()
            }),
        )
    }

    /// At most `most` rows of whole series, evenly chosen; the last series may lose its oldest rows.
    pub(super) fn of_series(series: &SeriesRows, most: usize) -> (Self, SeriesRows) {
        if series.rows() <= most {
            return (Self(None), series.clone());
        }
        let ranges: Vec<_> = series.ranges().collect();
        let (mut rows, mut ends) = (Vec::with_capacity(most), Vec::new());
        // The number of series of mean length that would fit, and at least one.
        let count = (ranges.len() as u128 * most as u128 / series.rows() as u128).max(1) as usize;
        for index in 0..count {
            let range = ranges[(index as u128 * ranges.len() as u128 / count as u128) as usize].clone();
            let taken = range.len().min(most - rows.len());
            rows.extend(range.end - taken..range.end);
            ends.push(rows.len());
        }
        (Self(Some(rows)), SeriesRows::new(ends).expect("each end is a count of more rows"))
    }

    pub(super) fn of<'a>(&self, values: &'a Values) -> Cow<'a, Values> {
        let Some(rows) = &self.0 else { return Cow::Borrowed(values) };
        Cow::Owned(match values {
            Values::Numbers(numbers) => Values::Numbers(rows.iter().map(|&row| numbers[row]).collect()),
            Values::Levels { codes, .. } => {
                Values::Levels { codes: rows.iter().map(|&row| codes[row]).collect(), names: Vec::new() }
            }
        })
    }
}
