//! Small dense linear systems.

/// Solves `matrix · x = right` for a symmetric positive definite matrix of `right.len()` rows, stored row by row in
/// `matrix`; only its lower triangle is read. The factor overwrites `matrix`, the solution overwrites `right`.
///
/// Returns false, with both in an unspecified state, when the matrix is not numerically positive definite.
///
/// # Panics
///
/// If `matrix` does not have `right.len()` squared values.
#[must_use]
pub fn solve_positive_definite(matrix: &mut [f64], right: &mut [f64]) -> bool {
    let definite = factorise_positive_definite(matrix, right.len());
    if definite {
        solve_factorised(matrix, right);
    }
    definite
}

/// Overwrites the lower triangle of a symmetric positive definite matrix, row by row, with its factor for
/// [`solve_factorised`].
///
/// Returns false, with the matrix in an unspecified state, when it is not numerically positive definite.
///
/// Source: Cholesky factorisation, Golub and Van Loan, Matrix Computations, 4th edition, section 4.2.
///
/// # Panics
///
/// If `matrix` does not have `order` squared values.
#[must_use]
pub fn factorise_positive_definite(matrix: &mut [f64], order: usize) -> bool {
    assert_eq!(matrix.len(), order * order, "the matrix is not square");
    for row in 0..order {
        for column in 0..=row {
            let (above, below) = matrix.split_at(row * order);
            let upper = if column == row { &below[..column] } else { &above[column * order..][..column] };
            let product: f64 = below[..column].iter().zip(upper).map(|(a, b)| a * b).sum();
            let rest = below[column] - product;
            matrix[row * order + column] = if column == row {
                // A pivot that lost all its digits to cancellation means a singular matrix.
                if rest.is_nan() || rest <= below[column] * f64::EPSILON || rest <= 0.0 {
                    return false;
                }
                rest.sqrt()
            } else {
                rest / matrix[column * order + column]
            };
        }
    }
    true
}

/// Overwrites `right` with the solution of the system whose factorisation is `factor`.
///
/// # Panics
///
/// If `factor` does not have `right.len()` squared values.
pub fn solve_factorised(factor: &[f64], right: &mut [f64]) {
    let order = right.len();
    assert_eq!(factor.len(), order * order, "the factor is not square");
    for row in 0..order {
        let known: f64 = (0..row).map(|column| factor[row * order + column] * right[column]).sum();
        right[row] = (right[row] - known) / factor[row * order + row];
    }
    for row in (0..order).rev() {
        let known: f64 = (row + 1..order).map(|below| factor[below * order + row] * right[below]).sum();
        right[row] = (right[row] - known) / factor[row * order + row];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_system_with_a_known_solution() {
        let mut matrix = [4.0, 0.0, 0.0, 2.0, 5.0, 0.0, 1.0, 3.0, 6.0];
        // Right side for x = (1, -2, 3) with the full symmetric matrix.
        let mut right = [3.0, 1.0, 13.0];
        assert!(solve_positive_definite(&mut matrix, &mut right));
        for (found, expected) in right.iter().zip([1.0, -2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn refuses_singular_indefinite_and_unfinished_matrices() {
        assert!(!solve_positive_definite(&mut [1.0, 1.0, 1.0, 1.0], &mut [1.0, 1.0]));
        assert!(!solve_positive_definite(&mut [1.0, 0.0, 2.0, 1.0], &mut [1.0, 1.0]));
        assert!(!solve_positive_definite(&mut [f64::NAN], &mut [1.0]));
        assert!(solve_positive_definite(&mut [], &mut []));
    }
}
