//! Tests whether a series needs differencing.

/// The 5 % critical value of the test for stationarity around a level (table 1 of the source).
const CRITICAL_5_PERCENT: f64 = 0.463;

/// The KPSS statistic for stationarity around a level: the mean square of the partial sums of the deviations from
/// the mean, over the long-run variance with Bartlett weights up to lag `3·sqrt(n)/13`; 0 for a constant series.
///
/// Source: Kwiatkowski, Phillips, Schmidt and Shin, Testing the null hypothesis of stationarity against the
/// alternative of a unit root, Journal of Econometrics 54 (1992).
pub fn kpss_statistic(values: &[f64]) -> f64 {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count.max(1.0);
    let deviations: Vec<f64> = values.iter().map(|value| value - mean).collect();
    let longest = (3.0 * count.sqrt() / 13.0) as usize;
    let product = |lag: usize| -> f64 {
        deviations
            .iter()
            .zip(&deviations[lag.min(deviations.len())..])
            .map(|(before, now)| before * now)
            .sum()
    };
    let mut long_run = product(0);
    for lag in 1..=longest {
        long_run += 2.0 * (1.0 - lag as f64 / (longest + 1) as f64) * product(lag);
    }
    let (mut partial, mut squares) = (0.0, 0.0);
    for deviation in &deviations {
        partial += deviation;
        squares += partial * partial;
    }
    if long_run > 0.0 { squares / (count * long_run) } else { 0.0 }
}

/// Whether stationarity around a level is rejected at the 5 % level.
pub fn has_unit_root(values: &[f64]) -> bool {
    kpss_statistic(values) > CRITICAL_5_PERCENT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_walk_has_a_unit_root_and_noise_has_none() {
        let noise: Vec<f64> = (0..200).map(|t| f64::from((t * t * 37 + t * 11) % 101) / 101.0).collect();
        let walk: Vec<f64> = noise.iter().enumerate().map(|(t, e)| t as f64 + e).collect();
        assert!(!has_unit_root(&noise));
        assert!(has_unit_root(&walk));
    }

    #[test]
    fn agrees_with_a_hand_computed_case() {
        // Lag 0; deviations -1.5, -0.5, 0.5, 1.5; partial sums -1.5, -2, -1.5, 0; squares 8.5; variance sum 5.
        assert!((kpss_statistic(&[1.0, 2.0, 3.0, 4.0]) - 8.5 / 20.0).abs() < 1e-15);
        assert_eq!(kpss_statistic(&[2.0; 9]), 0.0);
        assert_eq!(kpss_statistic(&[]), 0.0);
    }
}
