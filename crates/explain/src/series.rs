//! Assigns rows to series.

use std::ops::Range;

/// The rows of a panel: series by series, each in chronological order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeriesRows {
    ends: Vec<usize>,
}

impl SeriesRows {
    /// From the exclusive end of each series. None unless the ends ascend; a series may be empty.
    pub fn new(ends: Vec<usize>) -> Option<Self> {
        ends.is_sorted().then_some(Self { ends })
    }

    /// Number of series.
    pub fn count(&self) -> usize {
        self.ends.len()
    }

    /// Number of rows of all series.
    pub fn rows(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// The rows of each series.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        self.ends
            .iter()
            .enumerate()
            .map(|(index, &end)| if index == 0 { 0..end } else { self.ends[index - 1]..end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_follow_each_other() {
        let rows = SeriesRows::new(vec![3, 3, 7]).unwrap();
        assert_eq!((rows.count(), rows.rows()), (3, 7));
        assert_eq!(rows.ranges().collect::<Vec<_>>(), [0..3, 3..3, 3..7]);
        assert_eq!(SeriesRows::new(Vec::new()).map(|none| none.rows()), Some(0));
    }

    #[test]
    fn ends_that_do_not_ascend_are_refused() {
        assert_eq!(SeriesRows::new(vec![4, 3]), None);
    }
}
