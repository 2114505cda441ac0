use serde::Serialize;

use crate::findings::decomposition::Decomposition;

/// Values far from trend, season and neighbours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Outliers {
    /// Number of outliers.
    pub count: usize,
    /// Share of the examined steps.
    pub share: f64,
    /// The steps of at most the three largest, ascending.
    pub steps: Vec<usize>,
    /// The step of the largest.
    pub largest: usize,
    /// The observed value there.
    pub value: f64,
    /// The value that trend, season and neighbours suggest there.
    pub expected: f64,
    /// First examined step.
    pub from: usize,
    /// Last examined step.
    pub to: usize,
}

const NAMED: usize = 3;

pub(crate) fn outliers(of: &Decomposition) -> Option<Outliers> {
    let expected = |at: usize| of.adjusted[at] + of.season[at];
    let mut sorted = of.outliers.clone();
    let distance = |at: usize| (of.values[at] - expected(at)).abs();
    sorted.sort_by(|&left, &right| distance(right).total_cmp(&distance(left)));
    let &largest = sorted.first()?;
    sorted.truncate(NAMED);
    sorted.sort_unstable();
    Some(Outliers {
        count: of.outliers.len(),
        share: of.outliers.len() as f64 / of.values.len() as f64,
        steps: sorted.into_iter().map(|at| of.start + at).collect(),
        largest: of.start + largest,
        value: of.values[largest] * of.scale,
        expected: expected(largest) * of.scale,
        from: of.start,
        to: of.start + of.values.len() - 1,
    })
}
