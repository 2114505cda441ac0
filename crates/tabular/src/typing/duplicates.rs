//! Finds columns that duplicate another.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use rayon::prelude::*;
use tabcast_table::{Frame, FrameColumn};

use super::{ColumnDecision, Role};

/// For each feature, the first feature before it with the same cells.
///
/// Levels that correspond one to one are the same, whatever their texts: their numbers by first row are equal.
pub(super) fn duplicates(frame: &Frame, decisions: &[ColumnDecision]) -> Vec<Option<usize>> {
    let hashes: Vec<u64> = frame.columns.par_iter().map(hash).collect();
    let mut first: HashMap<u64, Vec<usize>> = HashMap::new();
    let mut found = vec![None; frame.columns.len()];
    for place in (0..found.len()).filter(|place| decisions[*place].role.is_feature()) {
        let alike = first.entry(hashes[place]).or_default();
        found[place] = alike.iter().copied().find(|&other| {
            let are_levels = [other, place].iter().all(|column| is_level(decisions[*column].role));
            are_equal(&frame.columns[other], &frame.columns[place], are_levels)
        });
        if found[place].is_none() {
            alike.push(place);
        }
    }
    found
}

fn is_level(role: Role) -> bool {
    matches!(role, Role::Boolean | Role::Category | Role::HighCardinality)
}

fn hash(column: &FrameColumn) -> u64 {
    let mut hasher = DefaultHasher::new();
    match column {
        FrameColumn::Numbers(numbers) => numbers.iter().for_each(|number| bits(*number).hash(&mut hasher)),
        FrameColumn::Texts(column) => column.codes.hash(&mut hasher),
    }
    hasher.finish()
}

fn are_equal(left: &FrameColumn, right: &FrameColumn, are_levels: bool) -> bool {
    match (left, right) {
        (FrameColumn::Numbers(left), FrameColumn::Numbers(right)) => {
            left.iter().zip(right).all(|(left, right)| bits(*left) == bits(*right))
        }
        (FrameColumn::Texts(left), FrameColumn::Texts(right)) => {
            left.codes == right.codes && (are_levels || left.texts == right.texts)
        }
        _ => false,
    }
}

fn bits(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { (number + 0.0).to_bits() }
}
