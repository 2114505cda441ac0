//! The leading singular vectors of a large sparse matrix.

use tabcast_statistics::random;

use super::sparse::Sparse;

/// Number of directions beyond those requested, which make the latter accurate (Halko et al. advise 5 to 10).
const MORE: usize = 8;

/// Number of passes that sharpen the directions; singular values of texts fall slowly.
const PASSES: usize = 1;

/// The right singular vectors of the largest singular values, row by row of the columns of `matrix`, and their number:
/// at most `count`, fewer if the rank is lower.
///
/// Source: Halko, Martinsson and Tropp, *Finding structure with randomness*, SIAM Review 53 (2011), algorithms 4.4
/// and 5.1.
pub(crate) fn right_singular_vectors(matrix: &Sparse, count: usize, seed: u64) -> (Vec<f64>, usize) {
    let width = (count + MORE).min(matrix.rows()).min(matrix.width);
    if width == 0 {
        return (Vec::new(), 0);
    }
    let transposed = matrix.transposed();
    let drawn: Vec<f64> =
        (0..(matrix.width * width) as u64).map(|place| random::normal(seed, place)).collect();
    let mut basis = matrix.times(&drawn, width);
    orthonormalise(&mut basis, width);
    for _ in 0..PASSES {
        let mut other = transposed.times(&basis, width);
        orthonormalise(&mut other, width);
        basis = matrix.times(&other, width);
        orthonormalise(&mut basis, width);
    }
    // The small matrix Q'A, transposed here; its singular vectors come from the eigenvectors of its square.
    let small = transposed.times(&basis, width);
    let mut square = vec![0.0; width * width];
    for row in small.chunks(width) {
        for (sums, &a) in square.chunks_mut(width).zip(row) {
            sums.iter_mut().zip(row).for_each(|(sum, &b)| *sum += a * b);
        }
    }
    let (values, vectors) = eigen(square, width);
    let smallest = values[0] * 1e-10;
    let kept = values.iter().take(count).take_while(|&&value| value > smallest && value > 0.0).count();
    let mut result = Vec::with_capacity(matrix.width * kept);
    for row in small.chunks(width) {
        for at in 0..kept {
            let dot: f64 =
                row.iter().enumerate().map(|(from, &value)| value * vectors[from * width + at]).sum();
            result.push(dot / values[at].sqrt());
        }
    }
    (result, kept)
}

/// Makes the columns of a matrix, given by rows, orthonormal; dependent columns become 0. Gram-Schmidt, applied twice
/// for accuracy.
fn orthonormalise(matrix: &mut [f64], width: usize) {
    let rows = matrix.len() / width;
    let mut columns: Vec<Vec<f64>> =
        (0..width).map(|at| (0..rows).map(|row| matrix[row * width + at]).collect()).collect();
    for at in 0..width {
        let (done, rest) = columns.split_at_mut(at);
        let column = &mut rest[0];
        let before = dot(column, column).sqrt();
        for _ in 0..2 {
            for other in done.iter() {
                let share = dot(column, other);
                column.iter_mut().zip(other).for_each(|(value, &other)| *value -= share * other);
            }
        }
        let length = dot(column, column).sqrt();
        let scale = if length > before * 1e-10 { 1.0 / length } else { 0.0 };
        for value in column.iter_mut() {
            *value *= scale;
        }
    }
    for (row, values) in matrix.chunks_mut(width).enumerate() {
        values.iter_mut().zip(&columns).for_each(|(value, column)| *value = column[row]);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    // Four sums, which the processor can add in parallel.
    let mut sums = [0.0; 4];
    let (a_chunks, b_chunks) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a_chunks.remainder().iter().zip(b_chunks.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_chunks.zip(b_chunks) {
        sums.iter_mut().zip(a.iter().zip(b)).for_each(|(sum, (a, b))| *sum += a * b);
    }
    sums.iter().sum::<f64>() + rest
}

/// Eigenvalues in descending order, and eigenvectors as columns, of a symmetric matrix, by the cyclic Jacobi method
/// (Golub and Van Loan, *Matrix Computations*, section 8.5).
fn eigen(mut matrix: Vec<f64>, order: usize) -> (Vec<f64>, Vec<f64>) {
    let mut vectors = vec![0.0; order * order];
    (0..order).for_each(|at| vectors[at * order + at] = 1.0);
    let total: f64 = matrix.iter().map(|value| value * value).sum();
    for _ in 0..30 {
        let mut off = 0.0;
        for p in 0..order {
            for q in p + 1..order {
                let entry = matrix[p * order + q];
                off += entry * entry;
                if entry * entry <= total * 1e-32 {
                    continue;
                }
                let half = (matrix[q * order + q] - matrix[p * order + p]) / (2.0 * entry);
                let tangent = half.signum() / (half.abs() + half.hypot(1.0));
                let cosine = 1.0 / tangent.hypot(1.0);
                let sine = tangent * cosine;
                let turn = |values: &mut [f64], a: usize, b: usize| {
                    let (old_a, old_b) = (values[a], values[b]);
                    values[a] = cosine * old_a - sine * old_b;
                    values[b] = sine * old_a + cosine * old_b;
                };
                for k in 0..order {
                    turn(&mut matrix, k * order + p, k * order + q);
                    turn(&mut vectors, k * order + p, k * order + q);
                }
                for k in 0..order {
                    turn(&mut matrix, p * order + k, q * order + k);
                }
            }
        }
        if off <= total * 1e-28 {
            break;
        }
    }
    let mut places: Vec<usize> = (0..order).collect();
    places.sort_by(|&a, &b| matrix[b * order + b].total_cmp(&matrix[a * order + a]));
    let values = places.iter().map(|&at| matrix[at * order + at]).collect();
    let sorted =
        (0..order * order).map(|place| vectors[place / order * order + places[place % order]]).collect();
    (values, sorted)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn dense(rows: usize, width: usize, entry: impl Fn(usize, usize) -> f64) -> Sparse {
        Sparse {
            starts: (0..=rows).map(|row| row * width).collect(),
            columns: (0..rows * width).map(|place| (place % width) as u32).collect(),
            values: (0..rows * width).map(|place| entry(place / width, place % width) as f32).collect(),
            width,
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// A matrix of rank r is reproduced by its projection on r vectors, which are orthonormal.
        #[test]
        fn a_matrix_of_low_rank_lies_in_the_span(seed: u64, rank in 1usize..5, rows in 8usize..60, width in 8usize..60) {
            let factor = |stream: u64, place: usize| random::bits(seed ^ stream, place as u64) as f64 / u64::MAX as f64 - 0.5;
            let entry = |row: usize, column: usize| -> f64 {
                (0..rank).map(|k| factor(1, row * rank + k) * factor(2, column * rank + k)).sum()
            };
            let matrix = dense(rows, width, entry);
            let (vectors, count) = right_singular_vectors(&matrix, 6, seed);
            prop_assert!((1..=6).contains(&count));
            for a in 0..count {
                for b in 0..count {
                    let product: f64 = vectors.chunks(count).map(|row| row[a] * row[b]).sum();
                    prop_assert!((product - f64::from(u8::from(a == b))).abs() < 1e-6, "{a} {b} {product}");
                }
            }
            let scores = matrix.times(&vectors, count);
            for row in 0..rows {
                for column in 0..width {
                    let back: f64 = (0..count).map(|k| scores[row * count + k] * vectors[column * count + k]).sum();
                    prop_assert!((back - entry(row, column)).abs() < 1e-5);
                }
            }
        }
    }

    #[test]
    fn singular_values_of_a_diagonal_come_in_order() {
        let matrix =
            dense(5, 5, |row, column| if row == column { [2.0, 5.0, 1.0, 0.0, 3.0][row] } else { 0.0 });
        let (vectors, count) = right_singular_vectors(&matrix, 5, 1);
        assert_eq!(count, 4);
        for (at, column) in [1, 4, 0, 2].into_iter().enumerate() {
            assert!((vectors[column * count + at].abs() - 1.0).abs() < 1e-6, "{at}");
        }
        assert_eq!(right_singular_vectors(&dense(3, 4, |_, _| 0.0), 2, 1), (Vec::new(), 0));
        assert_eq!(right_singular_vectors(&dense(0, 4, |_, _| 0.0), 2, 1).1, 0);
    }
}
