//! Sums of products of scores that are correlated over time.

/// The sum of the products of scores with each other and, with decreasing weights, with those of earlier steps: `n`
/// times their long-run covariance matrix, row by row, which is positive semi-definite.
///
/// `scores` has a row of `width` for each step, with zeros for missing steps, so that only rows that are exactly `lag`
/// steps apart are multiplied (Parzen, 1963); `n` is the number of steps that are not missing.
///
/// Source: Newey and West, A simple, positive semi-definite, heteroskedasticity and autocorrelation consistent
/// covariance matrix, Econometrica 55 (1987), 703-708: weights `1 - lag / (L + 1)` up to lag `L = floor(4 (n /
/// 100)^(2/9))`, the rule of Newey and West, Review of Economic Studies 61 (1994), for these weights.
pub(super) fn long_run_products(scores: &[f64], width: usize, n: usize) -> Vec<f64> {
    let most = (4.0 * (n as f64 / 100.0).powf(2.0 / 9.0)).floor() as usize;
    let mut products = vec![0.0; width * width];
    for lag in 0..=most {
        let weight = 1.0 - lag as f64 / (most + 1) as f64;
        let later = scores.get(lag * width..).unwrap_or_default();
        for (now, before) in later.chunks_exact(width).zip(scores.chunks_exact(width)) {
            for a in 0..width {
                for b in 0..width {
                    let product = weight * now[a] * before[b];
                    products[a * width + b] += product;
                    if lag > 0 {
                        products[b * width + a] += product;
                    }
                }
            }
        }
    }
    products
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lags_count_less_the_further_they_are() {
        // n = 10: L = floor(4 · 0.1^(2/9)) = 2. Lag 0: 1 + 4 + 9 = 14; lag 1: 2 + 6 = 8, lag 2: 3; 14 + 2 (2/3 · 8 +
        // 3/3).
        let products = long_run_products(&[1.0, 2.0, 3.0], 1, 10);
        assert!((products[0] - (14.0 + 2.0 * (16.0 / 3.0 + 1.0))).abs() < 1e-12, "{products:?}");
    }

    #[test]
    fn a_missing_row_keeps_its_neighbours_apart() {
        // Only lag 2 links the two: 1 + 9 + 2 · 3/3.
        assert!((long_run_products(&[1.0, 0.0, 3.0], 1, 10)[0] - 12.0).abs() < 1e-12);
    }
}
