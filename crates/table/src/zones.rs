//! The UTC offsets of the timestamps as written.

use crate::Warning;

/// Number of rows with each offset; rows without an offset are not counted.
#[derive(Debug, Default)]
pub(crate) struct Zones(Vec<(i32, u64)>);

impl Zones {
    pub(crate) fn count(&mut self, offset_seconds: i32, rows: u64) {
        match self.0.iter_mut().find(|(known, _)| *known == offset_seconds) {
            Some((_, count)) => *count += rows,
            None => self.0.push((offset_seconds, rows)),
        }
    }

    pub(crate) fn merge(&mut self, other: &Zones) {
        for (offset, rows) in &other.0 {
            self.count(*offset, *rows);
        }
    }

    /// The warning `mixed_time_zones`, unless all of `rows` rows carry the same offset, or none.
    pub(crate) fn warning(&self, rows: u64) -> Option<Warning> {
        let without = rows - self.0.iter().map(|(_, count)| count).sum::<u64>();
        let most = self.0.iter().map(|(_, count)| *count).max().unwrap_or(0).max(without);
        (most < rows).then(|| Warning {
            code: "mixed_time_zones".into(),
            message: "Timestamps carry different UTC offsets; all were converted to UTC, and those without an offset \
                were taken as UTC.".into(),
            count: rows - most,
        })
    }
}
