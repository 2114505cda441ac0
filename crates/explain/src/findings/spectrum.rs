//! How strongly the variation of a series concentrates on few frequencies.

use std::f64::consts::TAU;

/// Maximum number of frequency bands.
const BANDS: usize = 64;

/// One minus the entropy of the spectrum over the entropy of a flat one: 0 for white noise, towards 1 for a pure cycle.
/// 0 for fewer than eight values and for constants.
///
/// The periodogram of the values without their mean, padded with zeros to a power of two, is summed over at most 64
/// bands of equal width.
///
/// Source: Goerg, Forecastable component analysis, ICML 2013, definition 3.1.
pub(super) fn forecastability(values: &[f64]) -> f64 {
    let count = values.len();
    if count < 8 {
        return 0.0;
    }
    let mean = values.iter().sum::<f64>() / count as f64;
    let farthest = values.iter().map(|value| (value - mean).abs()).fold(0.0, f64::max);
    // The rounding error of a constant has no spectrum.
    if farthest <= 1e-12 * mean.abs() {
        return 0.0;
    }
    let length = count.next_power_of_two();
    let mut real: Vec<f64> = values.iter().map(|value| value - mean).collect();
    real.resize(length, 0.0);
    let mut imaginary = vec![0.0; length];
    transform(&mut real, &mut imaginary);
    let half = length / 2;
    let width = half.div_ceil(BANDS);
    let powers: Vec<f64> = (1..=half)
        .map(|bin| real[bin] * real[bin] + imaginary[bin] * imaginary[bin])
        .collect::<Vec<f64>>()
        .chunks(width)
        .map(|band| band.iter().sum())
        .collect();
    let total: f64 = powers.iter().sum();
    if total <= 0.0 || !total.is_finite() {
        return 0.0;
    }
    let entropy: f64 =
        powers.iter().map(|power| power / total).filter(|p| *p > 0.0).map(|p| -p * p.ln()).sum();
    (1.0 - entropy / (powers.len() as f64).ln()).clamp(0.0, 1.0)
}

/// The discrete Fourier transform in place, for a power-of-two length (Cooley and Tukey, 1965).
fn transform(real: &mut [f64], imaginary: &mut [f64]) {
    let length = real.len();
    let bits = length.trailing_zeros();
    for index in 0..length {
        let other = index.reverse_bits() >> (usize::BITS - bits);
        if index < other {
            real.swap(index, other);
            imaginary.swap(index, other);
        }
    }
    let turns: Vec<(f64, f64)> =
        (0..length / 2).map(|k| (-TAU * k as f64 / length as f64).sin_cos()).collect();
    let mut size = 2;
    while size <= length {
        let (half, stride) = (size / 2, length / size);
        for first in (0..length).step_by(size) {
            for k in 0..half {
                let (sine, cosine) = turns[k * stride];
                let (a, b) = (first + k, first + k + half);
                let re = real[b] * cosine - imaginary[b] * sine;
                let im = real[b] * sine + imaginary[b] * cosine;
                (real[b], imaginary[b]) = (real[a] - re, imaginary[a] - im);
                (real[a], imaginary[a]) = (real[a] + re, imaginary[a] + im);
            }
        }
        size *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabcast_statistics::random::normal;

    #[test]
    fn the_transform_is_the_sum_that_defines_it() {
        let values: Vec<f64> = (0..16).map(|t| normal(3, t)).collect();
        let (mut real, mut imaginary) = (values.clone(), vec![0.0; 16]);
        transform(&mut real, &mut imaginary);
        for bin in 0..16 {
            let angle = |t: usize| TAU * (bin * t) as f64 / 16.0;
            let re: f64 = values.iter().enumerate().map(|(t, value)| value * angle(t).cos()).sum();
            let im: f64 = values.iter().enumerate().map(|(t, value)| -value * angle(t).sin()).sum();
            assert!((real[bin] - re).abs() < 1e-12 && (imaginary[bin] - im).abs() < 1e-12, "{bin}");
        }
    }

    #[test]
    fn noise_is_near_zero_and_a_cycle_near_one() {
        for count in [60, 200, 1000] {
            let noise: Vec<f64> = (0..count).map(|t| normal(5, t)).collect();
            let cycle: Vec<f64> = (0..count).map(|t| (TAU * t as f64 / 12.0).sin()).collect();
            assert!(forecastability(&noise) < 0.15, "{}", forecastability(&noise));
            assert!(forecastability(&cycle) > 0.5, "{}", forecastability(&cycle));
        }
        assert_eq!(forecastability(&[0.1; 50]), 0.0);
        assert_eq!(forecastability(&[1.0; 3]), 0.0);
    }
}
