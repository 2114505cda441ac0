//! Encodes categories as statistics of the labels of their rows.

use tabcast_statistics::random;

use super::levels::{Levels, UNSEEN};
use crate::Target;

/// Number of parts for cross-fitting.
const PARTS: u8 = 5;

/// Weight of the mean over all levels relative to a row of the level.
const PRIOR_WEIGHT: f64 = 1.0;

/// Maximum number of classes with a statistic of their own.
const MOST_CLASSES: usize = 10;

/// The numbers whose means are the statistics: the label itself, or whether it is a given class.
#[derive(Debug, Clone)]
pub(crate) struct Outcomes {
    /// The quantity of each mean, as part of a name.
    pub(crate) names: Vec<String>,
    /// One number per row, for each outcome.
    values: Vec<Vec<f64>>,
    /// The part of each row, 0 to `PARTS` - 1.
    parts: Vec<u8>,
}

impl Outcomes {
    /// One outcome for values and for two classes, one per class for up to ten classes, otherwise those of the ten most
    /// frequent.
    pub(crate) fn new(target: &Target, seed: u64) -> Self {
        let mut parts = vec![0; target.len()];
        for (place, row) in random::shuffled(seed, target.len()).into_iter().enumerate() {
            parts[row as usize] = (place % usize::from(PARTS)) as u8;
        }
        let (names, values) = match target {
            Target::Values(values) => (vec!["mean label".to_owned()], vec![values.clone()]),
            Target::Classes { labels, classes } => {
                let chosen = match *classes {
                    2 => vec![1],
                    few if few <= MOST_CLASSES => (0..few as u32).collect(),
                    many => frequent(labels, many),
                };
                let of =
                    |&class: &u32| labels.iter().map(|&label| f64::from(u8::from(label == class))).collect();
                (
                    chosen.iter().map(|class| format!("share of class {class}")).collect(),
                    chosen.iter().map(of).collect(),
                )
            }
        };
        Self { names, values, parts }
    }
}

/// The most frequent classes, in descending order.
fn frequent(labels: &[u32], classes: usize) -> Vec<u32> {
    let mut counts = vec![0; classes];
    for &label in labels {
        counts[label as usize] += 1;
    }
    let mut chosen: Vec<u32> = (0..classes as u32).collect();
    chosen.sort_by_key(|&class| std::cmp::Reverse(counts[class as usize]));
    chosen.truncate(MOST_CLASSES);
    chosen
}

/// Sums of one outcome over the fitted rows of each level.
#[derive(Debug, Clone)]
pub(crate) struct TargetStatistic {
    /// The statistic of each level, then that of missing cells, then that of unseen levels.
    means: Vec<f64>,
}

impl TargetStatistic {
    /// Fits outcome `at`, and returns the statistic of each fitted row.
    ///
    /// The label of a row must not leak into its features. Its statistic therefore comes from the table without its
    /// part of the rows, with the mean of those others (cross-fitting: Micci-Barreca, 2001; Pargent, Pfisterer, Thomas
    /// and Bischl, *Regularized target encoding outperforms traditional methods in supervised machine learning with
    /// high cardinality features*, 2022). Statistics of the preceding rows in a random order (Prokhorenkova et al.,
    /// *`CatBoost`*, 2018) use less data: with them, the loss of oblivious trees on held-back training rows rose by 1 %
    /// on titanic, 2 % on adult, and 18 % on the 201 rows of `auto_imports`.
    pub(crate) fn fit(levels: &Levels, of_rows: &[u32], outcomes: &Outcomes, at: usize) -> (Self, Vec<f64>) {
        let values = &outcomes.values[at];
        // Summed anew for each part: subtracting a part from the total would keep the last bits of its labels.
        let without = |part: u8| {
            let mut sums = vec![Sum::default(); levels.len() + 1];
            let mut all = Sum::default();
            for ((&level, &value), &of) in of_rows.iter().zip(values).zip(&outcomes.parts) {
                if of != part {
                    sums[(level as usize).min(levels.len())].add(value);
                    all.add(value);
                }
            }
            let prior = all.sum / all.rows.max(1.0);
            let means = sums.iter().map(|sum| sum.mean(prior)).chain([prior]).collect();
            Self { means }
        };
        let others: Vec<Self> = (0..PARTS).map(without).collect();
        let of_row = |(&level, &part): (&u32, &u8)| others[usize::from(part)].of(level);
        let crossed = of_rows.iter().zip(&outcomes.parts).map(of_row).collect();
        (without(PARTS), crossed)
    }

    /// The statistic of a level.
    pub(crate) fn of(&self, level: u32) -> f64 {
        let last = self.means.len() - 1;
        if level == UNSEEN { self.means[last] } else { self.means[(level as usize).min(last - 1)] }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    sum: f64,
    rows: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.rows += 1.0;
    }

    fn mean(self, prior: f64) -> f64 {
        (self.sum + PRIOR_WEIGHT * prior) / (self.rows + PRIOR_WEIGHT)
    }
}
