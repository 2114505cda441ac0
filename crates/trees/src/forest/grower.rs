//! Grows one tree.

use super::draw::{Dice, draw_split};
use super::{Aim, ForestParams};
use crate::Tree;
use crate::boosting::binning::{Binning, sample_rows};
use crate::boosting::candidate::{BinSet, has};
use crate::boosting::grown::{Grown, GrownNode};
use crate::boosting::partition::partition;
use crate::boosting::table::Table;

/// State shared by all trees.
pub(super) struct Grower<'a> {
    params: &'a ForestParams,
    table: &'a Table,
    binnings: &'a [Binning],
    aim: Aim<'a>,
    /// Overall shares of the classes.
    prior: Vec<f64>,
}

/// Rows that are still to be split.
struct Open {
    from: usize,
    to: usize,
    /// The parent node, and whether this is its left child.
    above: Option<(usize, bool)>,
}

/// The best split drawn.
struct Best {
    score: f64,
    feature: usize,
    left_bins: BinSet,
}

impl<'a> Grower<'a> {
    pub(super) fn new(
        params: &'a ForestParams,
        table: &'a Table,
        binnings: &'a [Binning],
        aim: Aim<'a>,
    ) -> Self {
        let mut prior = Vec::new();
        if let Aim::Classes { labels, classes } = aim {
            prior = vec![0.0; classes];
            for &label in labels {
                prior[label as usize] += 1.0 / labels.len() as f64;
            }
        }
        Self { params, table, binnings, aim, prior }
    }

    pub(super) fn grow(&self, seed: u64) -> Tree {
        let mut dice = Dice::new(seed);
        let mut rows = sample_rows(self.table.rows, self.params.tree_rows, dice.bits());
        let mut scratch = vec![0; rows.len()];
        let most_leaves = (self.params.most_values / self.aim.outputs()).max(1);
        let min_rows = self.params.min_rows.max(rows.len().div_ceil(most_leaves));
        let mut order: Vec<usize> = (0..self.binnings.len()).collect();
        let mut grown = Grown::default();
        let mut open = vec![Open { from: 0, to: rows.len(), above: None }];
        while let Some(Open { from, to, above }) = open.pop() {
            let best = self.best(&rows[from..to], min_rows, &mut order, &mut dice);
            let child =
                if best.is_some() { grown.nodes.len() as i32 } else { Tree::to_leaf(grown.leaves.len()) };
            if let Some((parent, is_left)) = above {
                let parent = &mut grown.nodes[parent];
                *(if is_left { &mut parent.left } else { &mut parent.right }) = child;
            }
            let Some(Best { score, feature, left_bins }) = best else {
                grown.leaves.push(from..to);
                continue;
            };
            let bin = self.table.column(feature);
            let middle = from + partition(&mut rows[from..to], &mut scratch[from..to], &left_bins, &bin);
            let node = grown.nodes.len();
            grown.nodes.push(GrownNode { feature, left_bins, left: 0, right: 0, gain: score });
            open.push(Open { from: middle, to, above: Some((node, false)) });
            open.push(Open { from, to: middle, above: Some((node, true)) });
        }
        let covers = grown.leaves.iter().map(|leaf| leaf.len() as f64).collect();
        let values = grown.leaves.iter().flat_map(|leaf| self.leaf(&rows[leaf.clone()])).collect();
        grown.to_tree(self.binnings, values, covers, 0)
    }

    /// The best of the splits drawn for a node.
    fn best(&self, rows: &[u32], min_rows: usize, order: &mut [usize], dice: &mut Dice) -> Option<Best> {
        if rows.len() < 2 * min_rows {
            return None;
        }
        let sums = Sums::of(self.aim, rows)?;
        let mut wanted = self.params.draws(order.len());
        let mut bins = Vec::with_capacity(rows.len());
        let mut best: Option<Best> = None;
        for place in 0..order.len() {
            if wanted == 0 {
                break;
            }
            let other = place + dice.below(order.len() - place);
            order.swap(place, other);
            let feature = order[place];
            bins.clear();
            let bin = self.table.column(feature);
            bins.extend(rows.iter().map(|&row| bin(row)));
            // A feature that is constant here does not count as drawn.
            let Some(left_bins) = draw_split(&self.binnings[feature], &bins, dice) else { continue };
            wanted -= 1;
            let Some(score) = sums.score(&left_bins, &bins, min_rows) else { continue };
            if best.as_ref().is_none_or(|best| score > best.score) {
                best = Some(Best { score, feature, left_bins });
            }
        }
        best
    }

    /// The values of a leaf in the prediction.
    fn leaf(&self, rows: &[u32]) -> Vec<f64> {
        let trees = self.params.trees as f64;
        match self.aim {
            Aim::Values(values) => {
                let sum: f64 = rows.iter().map(|&row| values[row as usize]).sum();
                vec![sum / rows.len() as f64 / trees]
            }
            Aim::Classes { labels, classes } => {
                let prior_rows = self.params.prior_rows;
                let mut shares: Vec<f64> = self.prior.iter().map(|share| share * prior_rows).collect();
                for &row in rows {
                    shares[labels[row as usize] as usize] += 1.0;
                }
                let whole = (rows.len() as f64 + prior_rows) * trees;
                for share in &mut shares {
                    *share /= whole;
                }
                if classes == 2 { vec![shares[1]] } else { shares }
            }
        }
    }
}

/// The targets of a node's rows, with the sums needed to score a split.
enum Sums {
    Values { targets: Vec<f64>, whole: f64 },
    Classes { labels: Vec<u32>, counts: Vec<f64> },
}

impl Sums {
    /// None if all targets are equal.
    fn of(aim: Aim<'_>, rows: &[u32]) -> Option<Self> {
        match aim {
            Aim::Values(values) => {
                let first = values[rows[0] as usize];
                // Subtracting the common level keeps the precision of sums of squares.
                let targets: Vec<f64> = rows.iter().map(|&row| values[row as usize] - first).collect();
                let whole = targets.iter().sum();
                targets.iter().any(|target| *target != 0.0).then_some(Self::Values { targets, whole })
            }
            Aim::Classes { labels, classes: 2 } => {
                let targets: Vec<f64> = rows.iter().map(|&row| f64::from(labels[row as usize])).collect();
                let whole: f64 = targets.iter().sum();
                (whole > 0.0 && whole < rows.len() as f64).then_some(Self::Values { targets, whole })
            }
            Aim::Classes { labels, classes } => {
                let labels: Vec<u32> = rows.iter().map(|&row| labels[row as usize]).collect();
                let mut counts = vec![0.0; classes];
                for &label in &labels {
                    counts[label as usize] += 1.0;
                }
                labels.iter().any(|&label| label != labels[0]).then_some(Self::Classes { labels, counts })
            }
        }
    }

    /// Decrease of the sum of squares; none if a side has too few rows.
    fn score(&self, left_bins: &BinSet, bins: &[u8], min_rows: usize) -> Option<f64> {
        let rows = bins.len() as f64;
        match self {
            Self::Values { targets, whole } => {
                let (mut count, mut sum) = (0.0, 0.0);
                for (target, &bin) in targets.iter().zip(bins) {
                    let share = f64::from(u8::from(has(left_bins, bin)));
                    count += share;
                    sum += share * target;
                }
                let others = rows - count;
                let right = whole - sum;
                allows(count, others, min_rows)
                    .then(|| sum * sum / count + right * right / others - whole * whole / rows)
            }
            Self::Classes { labels, counts } => {
                let mut lefts = vec![0.0; counts.len()];
                for (&label, &bin) in labels.iter().zip(bins) {
                    lefts[label as usize] += f64::from(u8::from(has(left_bins, bin)));
                }
                let count: f64 = lefts.iter().sum();
                let others = rows - count;
                if !allows(count, others, min_rows) {
                    return None;
                }
                let fall = |(left, whole): (&f64, &f64)| {
                    let right = whole - left;
                    left * left / count + right * right / others - whole * whole / rows
                };
                Some(lefts.iter().zip(counts).map(fall).sum())
            }
        }
    }
}

fn allows(left: f64, right: f64, min_rows: usize) -> bool {
    left.min(right) >= min_rows as f64
}
