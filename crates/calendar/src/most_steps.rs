/// So many numbers may be made of any table.
const FREE: u64 = 5_000_000;
/// And so many steps for each of its rows: a part that is sold every three months has ninety days a row.
const STEPS_A_ROW: u64 = 100;

/// How many steps may be made of a table with so many rows, all its series together, where each of them takes as many
/// numbers as there are `columns`: two rows a century apart stand for a million hours, and a megabyte of such series
/// for more than a machine holds.
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
