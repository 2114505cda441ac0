use rayon::prelude::*;

/// Number of parts of the sum. It must not depend on the number of threads, otherwise the last bits of the result
/// would.
const PARTS: usize = 16;

/// The inner products of the columns of a matrix of rows x columns, which `fill` writes row by row. The result is
/// columns x columns, of which only the lower triangle is filled.
pub(crate) fn gram(rows: usize, columns: usize, fill: impl Fn(usize, &mut [f64]) + Sync) -> Vec<f64> {
    let step = rows.div_ceil(PARTS).max(1);
    let starts: Vec<usize> = (0..rows).step_by(step).collect();
    let part = |&start: &usize| {
        let mut sum = vec![0.0; columns * columns];
        let mut values = vec![0.0; columns];
        for row in start..(start + step).min(rows) {
            fill(row, &mut values);
            for (column, &factor) in values.iter().enumerate() {
                let line = &mut sum[column * columns..][..=column];
                for (product, value) in line.iter_mut().zip(&values) {
                    *product += factor * value;
                }
            }
        }
        sum
    };
    let parts: Vec<Vec<f64>> = starts.par_iter().map(part).collect();
    let mut total = vec![0.0; columns * columns];
    for part in parts {
        for (sum, value) in total.iter_mut().zip(part) {
            *sum += value;
        }
    }
    total
}
