//! Metrics of how well scores rank positives before negatives.

/// Rows in ascending order of a score, with the end of each run of equal scores.
#[derive(Debug)]
pub(super) struct Ranking {
    order: Vec<u32>,
    /// Exclusive ends of the runs.
    ends: Vec<u32>,
}

impl Ranking {
    pub(super) fn new(score: impl Fn(usize) -> f64, rows: usize) -> Self {
        let mut order: Vec<u32> = (0..rows as u32).collect();
        order.sort_by(|&a, &b| score(a as usize).total_cmp(&score(b as usize)));
        let mut ends = Vec::new();
        for at in 1..=rows {
            if at == rows || score(order[at] as usize) != score(order[at - 1] as usize) {
                ends.push(at as u32);
            }
        }
        Self { order, ends }
    }

    /// Runs of equal scores from the lowest up: weights of positives and negatives.
    fn runs(&self, is_positive: &dyn Fn(usize) -> bool, weights: &[f64]) -> Vec<(f64, f64)> {
        let mut from = 0;
        let sum = |&end: &u32| {
            let (mut positive, mut negative) = (0.0, 0.0);
            for &row in &self.order[from..end as usize] {
                let weight = weights[row as usize];
                if is_positive(row as usize) { positive += weight } else { negative += weight }
            }
            from = end as usize;
            (positive, negative)
        };
        self.ends.iter().map(sum).collect()
    }

    /// Area under the receiver operating characteristic: the share of pairs in the right order, ties counting half.
    pub(super) fn roc_auc(&self, is_positive: &dyn Fn(usize) -> bool, weights: &[f64]) -> Option<f64> {
        let (mut positives, mut negatives, mut right) = (0.0, 0.0, 0.0);
        for (positive, negative) in self.runs(is_positive, weights) {
            right += positive * (negatives + negative / 2.0);
            positives += positive;
            negatives += negative;
        }
        (positives > 0.0 && negatives > 0.0).then(|| right / (positives * negatives))
    }

    /// Average precision: precision at each threshold, weighted by the recall that it adds.
    pub(super) fn average_precision(
        &self,
        is_positive: &dyn Fn(usize) -> bool,
        weights: &[f64],
    ) -> Option<f64> {
        let (mut positives, mut all, mut area) = (0.0, 0.0, 0.0);
        for (positive, negative) in self.runs(is_positive, weights).into_iter().rev() {
            positives += positive;
            all += positive + negative;
            if all > 0.0 {
                area += positive * positives / all;
            }
        }
        (positives > 0.0).then(|| area / positives)
    }
}
