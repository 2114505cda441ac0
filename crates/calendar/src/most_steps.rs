/// Numbers that any table may become, however few rows it has.
const FREE: u64 = 5_000_000;
/// Additional steps for each row: a spare part sold every three months has about ninety days per row.
const STEPS_A_ROW: u64 = 100;

/// The maximum number of steps, over all series, that a table with `rows` rows may become if each step takes `columns`
/// numbers. Without a maximum, a small file could exhaust the memory: two rows a century apart span almost a million
/// hours.
///
/// ```
/// use tabcast_calendar::most_steps;
///
/// assert_eq!(most_steps(40_000, 1), 9_000_000);
/// assert_eq!(most_steps(40_000, 5), 5_000_000);
/// ```
pub fn most_steps(rows: usize, columns: usize) -> u64 {
    FREE / columns.max(1) as u64 + STEPS_A_ROW * rows as u64
}
