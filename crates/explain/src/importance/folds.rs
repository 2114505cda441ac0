//! Assigns rows to folds.

use std::collections::BTreeSet;

use tabcast_statistics::random;

use crate::Skip;

/// Maximum number of folds.
const FOLDS: usize = 4;

/// The fold of each of the rows 0, 1, 2...: rows of a group share a fold, and groups are assigned at random. Two groups
/// make two folds; a single group cannot be held back from itself.
pub(super) fn folds(groups: &[u32], seed: u64) -> Result<Vec<usize>, Skip> {
    let distinct: Vec<u32> = groups.iter().copied().collect::<BTreeSet<u32>>().into_iter().collect();
    if distinct.len() < 2 {
        return Err(Skip::NotEnoughRows);
    }
    let count = FOLDS.min(distinct.len());
    let mut fold_of = vec![0; distinct.len()];
    for (place, group) in random::shuffled(seed, distinct.len()).into_iter().enumerate() {
        fold_of[group as usize] = place % count;
    }
    // Every group is in `distinct`, so its index is the number of smaller ones.
    Ok(groups.iter().map(|group| fold_of[distinct.partition_point(|known| known < group)]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_stay_together_and_folds_are_of_about_equal_size() {
        let groups: Vec<u32> = (0..1200).map(|row| (row / 100) * 7).collect();
        let found = folds(&groups, 1).unwrap();
        assert!((0..1200).all(|row| found[row] == found[row / 100 * 100]));
        for fold in 0..FOLDS {
            let rows = found.iter().filter(|&&of| of == fold).count();
            assert!((200..=300).contains(&rows), "{rows}");
        }
        assert_eq!(folds(&[4, 4, 9], 0).unwrap().iter().max(), Some(&1));
        assert_eq!(folds(&[4, 4], 0), Err(Skip::NotEnoughRows));
    }
}
