//! Reduces the number of columns.

use tabcast_trees::Rows;
use tabcast_trees::boosting::{Growth, Params};

use super::ImportanceError;
use super::columns::{Columns, LeftOut, Reason, borrow};
use super::surrogate::{params, train};
use crate::{Features, Stop};

const ROUNDS: usize = 30;
const DEPTH: usize = 4;

/// Keeps the `most` columns with the largest gain in a quick fit, in the order of `columns`, and names the others. If
/// not all copies of a column fit, the first ones stay.
pub(super) fn keep_most_informative(
    columns: Columns,
    features: &Features,
    target: &[f64],
    most: usize,
    seed: u64,
    stop: Stop<'_>,
) -> Result<(Columns, Vec<LeftOut>), ImportanceError> {
    if columns.sources.iter().map(Vec::len).sum::<usize>() <= most {
        return Ok((columns, Vec::new()));
    }
    let gains = quick_gains(&columns, target, seed, stop)?;
    let mut order: Vec<usize> = (0..gains.len()).collect();
    order.sort_by(|&a, &b| gains[b].total_cmp(&gains[a]).then(a.cmp(&b)));
    let by_gain = order.iter().flat_map(|&at| columns.sources[at].iter().copied());
    let stays: Vec<usize> = by_gain.take(most).collect();
    let mut kept = Columns { features: Vec::new(), values: Vec::new(), sources: Vec::new() };
    let mut others = Vec::new();
    for ((feature, values), sources) in columns.features.into_iter().zip(columns.values).zip(columns.sources)
    {
        let (own, gone): (Vec<usize>, Vec<usize>) = sources.into_iter().partition(|at| stays.contains(at));
        others.extend(gone);
        if !own.is_empty() {
            kept.features.push(feature);
            kept.values.push(values);
            kept.sources.push(own);
        }
    }
    others.sort_unstable();
    let left_out =
        |at: usize| LeftOut { feature: features.columns()[at].name.clone(), reason: Reason::LessInformative };
    Ok((kept, others.into_iter().map(left_out).collect()))
}

fn quick_gains(
    columns: &Columns,
    target: &[f64],
    seed: u64,
    stop: Stop<'_>,
) -> Result<Vec<f64>, ImportanceError> {
    let borrowed = borrow(&columns.values);
    let params = Params {
        growth: Growth::Oblivious { depth: DEPTH },
        rounds: ROUNDS,
        learning_rate: 0.3,
        max_bins: 32,
        ..params(target.len(), seed)
    };
    let (_, report) = train(params, &columns.features, (&Rows::new(&borrowed)?, target), None, stop)?;
    Ok(report.importance)
}
