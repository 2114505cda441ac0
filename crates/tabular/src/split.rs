//! Splits rows into training rows, test rows and folds.

use tabcast_statistics::random;

use crate::Target;

/// Number of groups of similar values from which a regression's rows are drawn equally.
const STRATA: usize = 20;
/// With more rows, one part is held back once, instead of each part in turn.
const MOST_FOLDED: usize = 50_000;
/// Up to this many rows, all folds are drawn this many times: small tables gain most from more models.
const REPEATS: [(usize, usize); 3] = [(1_000, 4), (2_500, 3), (5_000, 2)];

/// Rows, as indices into the labelled ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fold {
    pub(crate) training: Vec<u32>,
    pub(crate) validation: Vec<u32>,
}

/// The kind of split.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SplitKind {
    /// At random within each class.
    Stratified,
    /// At random, spread over the range of the values.
    Random,
    /// The last rows are held back.
    TimeOrdered,
}

impl SplitKind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Stratified => "stratified",
            Self::Random => "random",
            Self::TimeOrdered => "time_ordered",
        }
    }

    pub(crate) fn of(target: &Target, times: Option<&[f64]>) -> Self {
        match (target, times) {
            (_, Some(_)) => Self::TimeOrdered,
            (Target::Classes { .. }, None) => Self::Stratified,
            (Target::Values(_), None) => Self::Random,
        }
    }
}

/// Splits the labelled rows into training rows, a share `ratio` of them, and rows held back for the evaluation; both
/// ascend. A class with a single row is only trained on. Every other class keeps at least one training row: at most
/// half of these classes' rows are held back, however many single-row classes there are.
pub(crate) fn hold_out(
    target: &Target,
    times: Option<&[f64]>,
    ratio: f64,
    seed: u64,
) -> (Vec<u32>, Vec<u32>) {
    let rows = target.len();
    let mut order = order(target, times, seed);
    let held = ((rows as f64 * (1.0 - ratio)).round() as usize).clamp(1, rows - 1);
    let mut is_held = vec![false; rows];
    if times.is_some() {
        order[rows - held..].iter().for_each(|&row| is_held[row as usize] = true);
    } else {
        // Holds back evenly spaced rows of the order, so that each class has its share.
        let alone = alone(target);
        order.retain(|&row| !alone[row as usize]);
        let held = held.min(order.len() / 2);
        let start = random::unit(seed, u64::MAX);
        for (place, &row) in order.iter().enumerate() {
            let steps = |at: usize| (at as f64 * held as f64 / order.len() as f64 + start).floor();
            is_held[row as usize] = steps(place + 1) > steps(place);
        }
    }
    (0..rows as u32).partition(|&row| !is_held[row as usize])
}

/// Number of folds and of repeats, for this many rows and the share that each fold holds back.
pub(crate) fn fold_count(rows: usize, share: f64) -> (usize, usize) {
    if rows > MOST_FOLDED {
        return (1, 1);
    }
    let folds = ((1.0 / share).round() as usize).clamp(2, 10);
    (folds, REPEATS.iter().find(|(most, _)| rows <= *most).map_or(1, |(_, repeats)| *repeats))
}

/// Folds over these rows, `folds` per repeat; a single fold holds `share` of them back. In order of time, a fold holds
/// back a stretch of time.
pub(crate) fn fold(
    rows: &[u32],
    target: &Target,
    times: Option<&[f64]>,
    (folds, repeats): (usize, usize),
    share: f64,
    seed: u64,
) -> Vec<Fold> {
    let part = target.select(rows);
    let times: Option<Vec<f64>> = times.map(|times| rows.iter().map(|&row| times[row as usize]).collect());
    if folds == 1 {
        let (training, validation) = hold_out(&part, times.as_deref(), 1.0 - share, seed);
        let pick = |places: Vec<u32>| places.iter().map(|&place| rows[place as usize]).collect();
        return vec![Fold { training: pick(training), validation: pick(validation) }];
    }
    // Drawing stretches again would give the same ones.
    let repeats = if times.is_some() { 1 } else { repeats };
    (0..repeats)
        .flat_map(|repeat| {
            let seed = random::bits(seed, repeat as u64);
            let order = order(&part, times.as_deref(), seed);
            let mut fold_of = vec![0; rows.len()];
            for (place, &row) in order.iter().enumerate() {
                fold_of[row as usize] = if times.is_some() {
                    place * folds / order.len()
                } else {
                    // Each run of as many rows as there are folds gives every fold one row, in a random order.
                    let (run, at) = (place / folds, place % folds);
                    random::shuffled(random::bits(seed, run as u64), folds)[at] as usize
                };
            }
            (0..folds)
                .map(move |held| {
                    let (validation, training): (Vec<usize>, Vec<usize>) =
                        (0..fold_of.len()).partition(|&row| fold_of[row] == held);
                    let pick = |places: Vec<usize>| places.iter().map(|&place| rows[place]).collect();
                    Fold { training: pick(training), validation: pick(validation) }
                })
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Rows in order of time, or by class or value, random among equals.
fn order(target: &Target, times: Option<&[f64]>, seed: u64) -> Vec<u32> {
    let mut order = random::shuffled(seed, target.len());
    match (times, target) {
        // Rows without a time come first; equal times keep the order of the file.
        (Some(times), _) => {
            order.sort_unstable();
            order.sort_by(|&a, &b| {
                let key = |row: u32| {
                    if times[row as usize].is_nan() { f64::NEG_INFINITY } else { times[row as usize] }
                };
                key(a).total_cmp(&key(b))
            });
        }
        (None, Target::Classes { labels, .. }) => order.sort_by_key(|&row| labels[row as usize]),
        (None, Target::Values(values)) => {
            let mut sorted: Vec<u32> = (0..values.len() as u32).collect();
            sorted.sort_by(|&a, &b| values[a as usize].total_cmp(&values[b as usize]));
            let mut stratum = vec![0; values.len()];
            for (place, &row) in sorted.iter().enumerate() {
                stratum[row as usize] = place * STRATA / sorted.len();
            }
            order.sort_by_key(|&row| stratum[row as usize]);
        }
    }
    order
}

/// Whether each row is the only one of its class.
fn alone(target: &Target) -> Vec<bool> {
    match target {
        Target::Classes { labels, classes } => {
            let mut rows = vec![0_usize; *classes];
            for &label in labels {
                rows[label as usize] += 1;
            }
            labels.iter().map(|&label| rows[label as usize] == 1).collect()
        }
        Target::Values(values) => vec![false; values.len()],
    }
}

#[cfg(test)]
#[path = "split_tests.rs"]
mod tests;
