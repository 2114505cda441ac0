//! Cramér's V of two categorical columns.

use tabcast_statistics::chi_square_upper_tail;

use super::association::{Association, Method};
use super::column::{Cells, Column, NO_LEVEL};

/// None if one column has a single level among the rows with both values, or as many levels as there are rows.
///
/// The p value is that of Pearson's chi-square test without Yates' correction.
///
/// Source: Bergsma, A bias-correction for Cramér's V and Tschuprow's T, Journal of the Korean Statistical Society 42
/// (2013), 323-328.
pub(super) fn cramers_v(a: &Column<'_>, b: &Column<'_>) -> Option<Association> {
    let (Cells::Codes { codes: of_a, levels: a_levels }, Cells::Codes { codes: of_b, levels: b_levels }) =
        (&a.cells, &b.cells)
    else {
        return None;
    };
    let (mut a_counts, mut b_counts, mut rows) = (vec![0_u32; *a_levels], vec![0_u32; *b_levels], 0);
    for (&a, &b) in of_a.iter().zip(of_b).filter(|&(&a, &b)| a != NO_LEVEL && b != NO_LEVEL) {
        a_counts[a as usize] += 1;
        b_counts[b as usize] += 1;
        rows += 1;
    }
    let used = |counts: &[u32]| counts.iter().filter(|&&count| count > 0).count() as f64;
    let (n, r, k) = (f64::from(rows), used(&a_counts), used(&b_counts));
    if r < 2.0 || k < 2.0 || r >= n || k >= n {
        return None;
    }
    let mean_square = mean_square_contingency(a, of_a, of_b, &a_counts, &b_counts);
    let corrected = (mean_square - (r - 1.0) * (k - 1.0) / (n - 1.0)).max(0.0);
    let of_levels = |levels: f64| (levels - 1.0) * (n - levels) / (n - 1.0);
    let value = (corrected / of_levels(r).min(of_levels(k))).sqrt().min(1.0);
    let p_value = chi_square_upper_tail(n * mean_square, (r - 1.0) * (k - 1.0));
    Some(Association { method: Method::CramersV, value, n: rows as usize, p_value })
}

/// Chi-square divided by the number of rows, from the non-empty cells of the table, level by level of `a`.
fn mean_square_contingency(
    a: &Column<'_>,
    of_a: &[u32],
    of_b: &[u32],
    a_counts: &[u32],
    b_counts: &[u32],
) -> f64 {
    let mut cells = vec![0_u32; b_counts.len()];
    let mut sum = 0.0;
    for group in a.order.chunk_by(|&one, &next| of_a[one as usize] == of_a[next as usize]) {
        let levels = || group.iter().map(|&row| of_b[row as usize]).filter(|&level| level != NO_LEVEL);
        levels().for_each(|level| cells[level as usize] += 1);
        let row_count = f64::from(a_counts[of_a[group[0] as usize] as usize]);
        for level in levels() {
            let count = f64::from(std::mem::take(&mut cells[level as usize]));
            sum += count * count / (row_count * f64::from(b_counts[level as usize]));
        }
    }
    (sum - 1.0).max(0.0)
}
