//! The levels of a category.

use tabcast_table::{Frame, FrameColumn, TextColumn};

/// The levels of a column in the fitted rows, numbered by frequency.
#[derive(Debug, Clone)]
pub(crate) struct Levels {
    column: usize,
    key: Key,
    /// Number of rows of each level, descending.
    pub(crate) counts: Vec<u32>,
    /// Number of rows without a level.
    pub(crate) missing: u32,
}

#[derive(Debug, Clone)]
enum Key {
    /// The level of each distinct text of the table.
    Texts(Vec<u32>),
    /// Numbers in ascending order, each with its level.
    Numbers(Vec<(f64, u32)>),
}

/// The level of an empty cell.
pub(crate) const MISSING: u32 = u32::MAX;
/// The level of a value that no fitted row has.
pub(crate) const UNSEEN: u32 = u32::MAX - 1;

impl Levels {
    /// Counts the levels of these rows. Equally frequent texts keep their order in the table; equally frequent numbers
    /// are ascending.
    pub(crate) fn fit(frame: &Frame, column: usize, rows: &[u32]) -> Self {
        match &frame.columns[column] {
            FrameColumn::Texts(texts) => {
                let mut counts = vec![0; texts.texts.len()];
                let mut missing = 0;
                for &row in rows {
                    match texts.codes[row as usize] {
                        TextColumn::MISSING => missing += 1,
                        code => counts[code as usize] += 1,
                    }
                }
                let (order, counts_of_levels) = by_frequency(&counts);
                let mut levels = vec![UNSEEN; counts.len()];
                for (level, &code) in order.iter().enumerate() {
                    levels[code] = level as u32;
                }
                Self { column, key: Key::Texts(levels), counts: counts_of_levels, missing }
            }
            FrameColumn::Numbers(numbers) => {
                // Adding 0 turns -0 into 0.
                let mut values: Vec<f64> = rows.iter().map(|&row| numbers[row as usize] + 0.0).collect();
                values.retain(|value| !value.is_nan());
                let missing = (rows.len() - values.len()) as u32;
                values.sort_unstable_by(f64::total_cmp);
                let runs: Vec<&[f64]> = values.chunk_by(|a, b| a == b).collect();
                let counts: Vec<u32> = runs.iter().map(|run| run.len() as u32).collect();
                let (order, counts_of_levels) = by_frequency(&counts);
                let mut key: Vec<(f64, u32)> = runs.iter().map(|run| (run[0], 0)).collect();
                for (level, &place) in order.iter().enumerate() {
                    key[place].1 = level as u32;
                }
                Self { column, key: Key::Numbers(key), counts: counts_of_levels, missing }
            }
        }
    }

    /// The level of each row; [`MISSING`] or [`UNSEEN`] if it has none.
    pub(crate) fn of(&self, frame: &Frame, rows: &[u32]) -> Vec<u32> {
        match (&self.key, &frame.columns[self.column]) {
            (Key::Texts(levels), FrameColumn::Texts(texts)) => {
                let level = |&row: &u32| match texts.codes[row as usize] {
                    TextColumn::MISSING => MISSING,
                    code => levels[code as usize],
                };
                rows.iter().map(level).collect()
            }
            (Key::Numbers(key), FrameColumn::Numbers(numbers)) => {
                let level = |&row: &u32| match numbers[row as usize] + 0.0 {
                    value if value.is_nan() => MISSING,
                    value => key
                        .binary_search_by(|(known, _)| known.total_cmp(&value))
                        .map_or(UNSEEN, |place| key[place].1),
                };
                rows.iter().map(level).collect()
            }
            _ => unreachable!("a column keeps its kind within a table"),
        }
    }

    /// The text of the first `count` levels.
    pub(crate) fn names(&self, frame: &Frame, count: usize) -> Vec<String> {
        let mut names = vec![String::new(); self.counts.len().min(count)];
        let mut put = |level: u32, name: &dyn Fn() -> String| {
            if let Some(slot) = names.get_mut(level as usize) {
                *slot = name();
            }
        };
        match (&self.key, &frame.columns[self.column]) {
            (Key::Texts(levels), FrameColumn::Texts(texts)) => {
                for (&level, text) in levels.iter().zip(&texts.texts) {
                    put(level, &|| text.to_string());
                }
            }
            (Key::Numbers(key), _) => {
                for &(value, level) in key {
                    put(level, &|| value.to_string());
                }
            }
            _ => unreachable!("a column keeps its kind within a table"),
        }
        names
    }

    /// Number of levels.
    pub(crate) fn len(&self) -> usize {
        self.counts.len()
    }
}

/// Indices of the counts above 0, largest first, and those counts.
fn by_frequency(counts: &[u32]) -> (Vec<usize>, Vec<u32>) {
    let mut order: Vec<usize> = (0..counts.len()).filter(|&place| counts[place] > 0).collect();
    order.sort_by_key(|&place| std::cmp::Reverse(counts[place]));
    let sorted = order.iter().map(|&place| counts[place]).collect();
    (order, sorted)
}
