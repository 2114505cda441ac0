//! An order that places related columns next to each other.

/// The leaves of the average-linkage clustering tree, given the distances of `count` columns, row by row.
///
/// Joined clusters are turned so that the adjoining ends are as close as possible.
///
/// Source: Sokal and Michener (1958); distances are updated as in Lance and Williams, Computer Journal 9 (1967).
pub(super) fn clustered_order(mut distances: Vec<f64>, count: usize) -> Vec<u32> {
    let between = distances.clone();
    let mut clusters: Vec<Vec<u32>> = (0..count as u32).map(|column| vec![column]).collect();
    while let Some((a, b)) = closest(&distances, &clusters, count) {
        let (a_size, b_size) = (clusters[a].len() as f64, clusters[b].len() as f64);
        for other in 0..count {
            let mean = (a_size * distances[a * count + other] + b_size * distances[b * count + other])
                / (a_size + b_size);
            distances[a * count + other] = mean;
            distances[other * count + a] = mean;
        }
        let (left, right) = (std::mem::take(&mut clusters[a]), std::mem::take(&mut clusters[b]));
        clusters[a] = joined(left, right, |a, b| between[a as usize * count + b as usize]);
    }
    clusters.into_iter().flatten().collect()
}

/// The first of the closest pairs of non-empty clusters.
fn closest(distances: &[f64], clusters: &[Vec<u32>], count: usize) -> Option<(usize, usize)> {
    let alive: Vec<usize> = (0..count).filter(|&cluster| !clusters[cluster].is_empty()).collect();
    let pairs = alive.iter().enumerate().flat_map(|(at, &a)| alive[at + 1..].iter().map(move |&b| (a, b)));
    pairs.min_by(|&(a, b), &(c, d)| distances[a * count + b].total_cmp(&distances[c * count + d]))
}

fn joined(mut left: Vec<u32>, mut right: Vec<u32>, distance: impl Fn(u32, u32) -> f64) -> Vec<u32> {
    let ends = |cluster: &[u32]| [cluster[0], cluster[cluster.len() - 1]];
    let ([a_first, a_last], [b_first, b_last]) = (ends(&left), ends(&right));
    let turns = [
        (distance(a_last, b_first), false, false),
        (distance(a_last, b_last), false, true),
        (distance(a_first, b_first), true, false),
        (distance(a_first, b_last), true, true),
    ];
    let best = turns.into_iter().min_by(|one, other| one.0.total_cmp(&other.0));
    let (_, turn_left, turn_right) = best.unwrap_or_default();
    if turn_left {
        left.reverse();
    }
    if turn_right {
        right.reverse();
    }
    left.append(&mut right);
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points on a line; `scipy.cluster.hierarchy.linkage(points, "average")` of scipy 1.17.1 joins 1 with 3 (at 1), 0
    /// with 4 (at 2), these (at 5.5), and 2 with them (at 40.25).
    #[test]
    fn points_on_a_line_are_put_in_their_order() {
        let points: [f64; 5] = [10.0, 4.0, 46.5, 3.0, 8.0];
        let distances = points.iter().flat_map(|a| points.iter().map(move |b| (a - b).abs())).collect();
        assert_eq!(clustered_order(distances, 5), [3, 1, 4, 0, 2]);
    }

    #[test]
    fn none_and_one_are_in_order() {
        assert!(clustered_order(Vec::new(), 0).is_empty());
        assert_eq!(clustered_order(vec![0.0], 1), [0]);
    }
}
