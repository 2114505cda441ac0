//! The matrix product of the network, in blocks that stay in registers.

/// All dimensions but the number of rows are multiples of this, so blocks have no ragged ends.
pub const LANES: usize = 8;
/// Number of rows computed together; the number of rows is a multiple of it.
pub const ROWS: usize = 4;

/// Adds `a b` to `c`, row by row: `a` has `inner` columns, `b` and `c` have `columns`.
///
/// The order of the additions is fixed, so the sums do not depend on the machine or the thread.
pub(super) fn add_product(c: &mut [f32], a: &[f32], b: &[f32], inner: usize, columns: usize) {
    debug_assert!(columns.is_multiple_of(LANES) && c.len().is_multiple_of(ROWS * columns));
    for (c, a) in c.chunks_exact_mut(ROWS * columns).zip(a.chunks_exact(ROWS * inner)) {
        for first in (0..columns).step_by(LANES) {
            let mut sums = [[0.0_f32; LANES]; ROWS];
            let (a0, rest) = a.split_at(inner);
            let (a1, rest) = rest.split_at(inner);
            let (a2, a3) = rest.split_at(inner);
            let rows = a0.iter().zip(a1).zip(a2.iter().zip(a3));
            for (((x0, x1), (x2, x3)), b) in rows.zip(b.chunks_exact(columns)) {
                let b: &[f32] = &b[first..first + LANES];
                for (sums, x) in sums.iter_mut().zip([x0, x1, x2, x3]) {
                    for (sum, b) in sums.iter_mut().zip(b) {
                        *sum += x * b;
                    }
                }
            }
            for (c, sums) in c.chunks_exact_mut(columns).zip(&sums) {
                for (c, sum) in c[first..first + LANES].iter_mut().zip(sums) {
                    *c += sum;
                }
            }
        }
    }
}

/// Writes the transpose of `a`, which has `columns` columns, to `transposed`.
pub(super) fn transpose(transposed: &mut [f32], a: &[f32], columns: usize) {
    let rows = a.len() / columns;
    for (row, a) in a.chunks_exact(columns).enumerate() {
        for (column, &value) in a.iter().enumerate() {
            transposed[column * rows + row] = value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_that_of_the_definition_and_transposing_twice_changes_nothing() {
        let (rows, inner, columns) = (8, 5, 16);
        let a: Vec<f32> = (0..rows * inner).map(|k| (k * 7 % 11) as f32 - 4.0).collect();
        let b: Vec<f32> = (0..inner * columns).map(|k| (k * 5 % 13) as f32 - 6.0).collect();
        let mut c = vec![1.0; rows * columns];
        add_product(&mut c, &a, &b, inner, columns);
        for row in 0..rows {
            for column in 0..columns {
                let sum: f32 = (0..inner).map(|k| a[row * inner + k] * b[k * columns + column]).sum();
                assert_eq!(c[row * columns + column], 1.0 + sum);
            }
        }
        let (mut once, mut twice) = (vec![0.0; b.len()], vec![0.0; b.len()]);
        transpose(&mut once, &b, columns);
        transpose(&mut twice, &once, inner);
        assert_eq!(twice, b);
    }
}
