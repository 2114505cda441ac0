//! Builds trees from the paths of their bottom series.

use crate::error::{Offenders, TreeError};

/// Checks every path; returns their common number of parts.
pub(crate) fn survey<'a, I>(paths: I, separator: &str, total_label: &str) -> Result<usize, TreeError>
where
    I: Iterator<Item = &'a str> + Clone,
{
    if separator.is_empty() {
        return Err(TreeError::EmptySeparator);
    }
    let (mut descents, mut duplicates) = (Offenders::default(), Offenders::default());
    let (mut hollow, mut labelled) = (Offenders::default(), Offenders::default());
    // Number of paths with 1, 2, 3... parts.
    let mut depths: Vec<usize> = Vec::new();
    let mut ends = Vec::new();
    let mut previous = None;
    for (series, path) in paths.clone().enumerate() {
        match previous.map(|before: &str| before.as_bytes().cmp(path.as_bytes())) {
            Some(std::cmp::Ordering::Equal) => duplicates.add(series),
            Some(std::cmp::Ordering::Greater) => descents.add(series),
            Some(std::cmp::Ordering::Less) | None => {}
        }
        previous = Some(path);
        if part_ends(path, separator, &mut ends) {
            hollow.add(series);
        }
        if path.starts_with(total_label) && ends.contains(&total_label.len()) {
            labelled.add(series);
        }
        depths.resize(depths.len().max(ends.len()), 0);
        depths[ends.len() - 1] += 1;
    }
    descents.into_result(TreeError::NotAscending)?;
    duplicates.into_result(TreeError::Duplicate)?;
    hollow.into_result(TreeError::EmptyPart)?;
    let expected = depths.iter().zip(1..).max_by_key(|&(count, _)| count).ok_or(TreeError::Empty)?.1;
    let mut uneven = Offenders::default();
    if depths.iter().filter(|&&count| count > 0).count() > 1 {
        for (series, path) in paths.enumerate() {
            part_ends(path, separator, &mut ends);
            if ends.len() != expected {
                uneven.add(series);
            }
        }
    }
    uneven.into_result(|paths| TreeError::UnequalDepth { expected, paths })?;
    labelled.into_result(TreeError::TotalLabelTaken)?;
    Ok(expected)
}

/// Replaces `ends` by the ends of the path's parts; returns whether a part is empty.
fn part_ends(path: &str, separator: &str, ends: &mut Vec<usize>) -> bool {
    ends.clear();
    let mut hollow = false;
    let mut start = 0;
    for (at, _) in path.match_indices(separator) {
        hollow |= at == start;
        ends.push(at);
        start = at + separator.len();
    }
    ends.push(path.len());
    hollow || start == path.len()
}

/// The nodes of a tree, level by level.
pub(crate) struct Layout {
    pub(crate) parents: Vec<u32>,
    pub(crate) prefixes: Vec<(u32, u32)>,
}

impl Layout {
    /// For paths checked by [`survey`]: a first pass counts the nodes of each level, a second one numbers them.
    pub(crate) fn of<'a, I>(paths: I, separator: &str, depth: usize) -> Result<Self, TreeError>
    where
        I: Iterator<Item = &'a str> + Clone,
    {
        let mut sizes = vec![0_usize; depth];
        visit(paths.clone(), separator, |_, first_new, _| {
            for size in &mut sizes[first_new..] {
                *size += 1;
            }
        });
        let nodes = sizes.iter().sum::<usize>() + 1;
        if u32::try_from(nodes).is_err() {
            return Err(TreeError::TooManyNodes);
        }
        let mut parents = vec![0; nodes];
        let mut prefixes = vec![(0, 0); nodes];
        // The next free node of each level, and the nodes on the current path.
        let mut next: Vec<usize> =
            sizes.iter().scan(1, |start, size| Some(std::mem::replace(start, *start + size))).collect();
        let mut current = vec![0; depth + 1];
        let mut too_long = false;
        visit(paths, separator, |series, first_new, ends| {
            for level in first_new..depth {
                let node = next[level];
                next[level] += 1;
                parents[node] = current[level];
                current[level + 1] = node as u32;
                too_long |= u32::try_from(ends[level]).is_err();
                prefixes[node] = (series as u32, ends[level] as u32);
            }
        });
        if too_long { Err(TreeError::TooManyNodes) } else { Ok(Self { parents, prefixes }) }
    }
}

/// Calls `each` with every path's index, the first of its parts that differs from all earlier paths, and the ends of
/// its parts. Sorted paths with a common prefix are adjacent, so comparing with the previous path is enough.
fn visit<'a>(
    paths: impl Iterator<Item = &'a str>,
    separator: &str,
    mut each: impl FnMut(usize, usize, &[usize]),
) {
    let mut ends = Vec::new();
    let mut previous = "";
    for (series, path) in paths.enumerate() {
        part_ends(path, separator, &mut ends);
        let same = previous.bytes().zip(path.bytes()).take_while(|(one, other)| one == other).count();
        // A part is only shared together with the separator after it: `a` is no part of `ab/c`.
        let shared = if series == 0 { 0 } else { ends.partition_point(|end| end + separator.len() <= same) };
        each(series, shared.min(ends.len() - 1), &ends);
        previous = path;
    }
}
