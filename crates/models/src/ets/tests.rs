//! Compares recursions and variances with other implementations and with simulation.

use super::fitted::SmoothingFit;
use super::form::{Error, Form, Season, Smoothing, Trend};
use super::state::State;
use crate::Fit;
use crate::adjustment::Adjustment;

fn noise(step: usize) -> f64 {
    ((step * step * 37 + step * 11) % 101) as f64 / 101.0 - 0.5
}

fn run(form: Form, smoothing: Smoothing, start: State, values: &[f64]) -> SmoothingFit {
    let (none, _) = Adjustment::remove(values, &[]);
    SmoothingFit::run(form, smoothing, start, values, none, 1)
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64], relative: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= relative * expected.abs(), "{found} instead of {expected}");
    }
}

/// statsforecast 2.1.1, `ets_f(y, 4, model="AAA", damped=False)`: its parameters and initial states, then its fitted
/// values and means.
#[test]
fn additive_form_agrees_with_statsforecast_at_its_parameters() {
    let values: Vec<f64> = (0..60)
        .map(|t| 100.0 + 1.5 * t as f64 + 12.0 * [3.0, -1.0, 0.0, -2.0][t % 4] + 6.0 * noise(t))
        .collect();
    let smoothing = Smoothing {
        alpha: 0.001_825_491_372_910_572_3,
        beta: 0.000_107_720_376_966_510_54,
        gamma: 0.000_1,
        phi: 1.0,
    };
    let season = vec![
        35.580_637_881_220_08,
        -11.274_678_644_889_683,
        0.283_556_606_530_269_7,
        -24.589_515_842_860_663,
    ];
    let start = State { level: 98.478_959_414_852, slope: 1.494_841_515_325_693_8, season };
    let form = Form { error: Error::Additive, trend: Trend::Additive, season: Season::Additive };
    let fit = run(form, smoothing, start, &values);
    assert_close(
        &fit.fitted()[..3],
        &[135.554_438_811_397_77, 90.189_025_529_489_16, 103.240_207_988_217_6],
        1e-12,
    );
    assert_close(&fit.fitted()[58..], &[186.954_370_697_534_5, 163.577_896_486_021_4], 1e-12);
    let forecast = fit.forecast(9);
    let means = [
        225.246_354_023_469_17,
        179.885_901_208_052_1,
        192.938_973_617_071_6,
        169.560_780_265_416_24,
        231.225_803_708_924_27,
        185.865_350_893_507_18,
        198.918_423_302_526_72,
        175.540_229_950_871_32,
        237.205_253_394_379_38,
    ];
    assert_close(&forecast.mean, &means, 1e-12);
}

/// statsforecast 2.1.1, `ets_f(y, 4, model="MAM")`: its parameters and initial states, then its fitted values and
/// means. Variances of this class are not compared: statsforecast uses another formula.
#[test]
fn multiplicative_form_agrees_with_statsforecast_at_its_parameters() {
    let values: Vec<f64> = (0..60)
        .map(|t| (100.0 + 1.5 * t as f64) * [1.3, 0.9, 1.0, 0.8][t % 4] * (1.0 + 0.06 * noise(t)))
        .collect();
    let smoothing = Smoothing {
        alpha: 1.002_031_933_609e-4,
        beta: 1.043_269_138_556e-4,
        gamma: 1.146_623_913_809e-4,
        phi: 1.0,
    };
    let start = State {
        level: 98.511_546_562_033,
        slope: 1.489_582_543_450,
        season: vec![1.294_900_785_934, 0.906_736_135_47, 1.003_035_338_892, 0.795_327_739_704],
    };
    let form = Form { error: Error::Multiplicative, trend: Trend::Additive, season: Season::Multiplicative };
    let fit = run(form, smoothing, start, &values);
    assert_close(&fit.fitted()[..3], &[129.491_540_672_976, 92.024_809_932_38, 103.291_879_513_538], 1e-8);
    assert_close(&fit.fitted()[58..], &[186.961_303_639_901, 149.430_076_287_584], 1e-6);
    let means = [245.222_064_532_136, 173.064_015_085_944, 192.938_220_964_676, 154.169_547_948_019];
    assert_close(&fit.forecast(4).mean, &means, 1e-6);
}

/// Simulates the defining equations, with errors that are normal by the sum of twelve uniform numbers.
#[test]
fn variances_agree_with_simulation() {
    const PATHS: usize = 40_000;
    const HORIZON: usize = 6;
    let smoothing = Smoothing { alpha: 0.4, beta: 0.1, gamma: 0.2, phi: 0.9 };
    for (error, season, states) in [
        (Error::Additive, Season::None, &[][..]),
        (Error::Additive, Season::Additive, &[0.6, -0.3, -0.9, 0.6]),
        (Error::Multiplicative, Season::None, &[]),
        (Error::Multiplicative, Season::Additive, &[0.6, -0.3, -0.9, 0.6]),
        (Error::Multiplicative, Season::Multiplicative, &[1.2, 0.9, 0.7, 1.2]),
    ] {
        let form = Form { error, trend: Trend::Damped, season };
        let start = State { level: 10.0, slope: 0.3, season: states.to_vec() };
        let values: Vec<f64> =
            (0..16).map(|t| (9.0 + [3.0, 0.0, -1.0, 2.0][t % 4]) * (1.0 + 0.4 * noise(t))).collect();
        let relative = error == Error::Multiplicative;
        let fit = run(form, smoothing, start.clone(), &values);
        let mut end = start;
        let mut squares = 0.0;
        for (step, value) in values.iter().enumerate() {
            let forecast = end.forecast(form, &smoothing, step);
            squares += ((value - forecast) / if relative { forecast } else { 1.0 }).powi(2);
            end.observe(form, &smoothing, step, *value);
        }
        let sigma = (squares / 15.0).sqrt();
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        let mut uniform = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let (mut sums, mut sums_of_squares) = ([0.0; HORIZON], [0.0; HORIZON]);
        for _ in 0..PATHS {
            let mut path = end.clone();
            for ahead in 0..HORIZON {
                let error = sigma * ((0..12).map(|_| uniform()).sum::<f64>() - 6.0);
                let forecast = path.forecast(form, &smoothing, 16 + ahead);
                let value = forecast + error * if relative { forecast } else { 1.0 };
                path.observe(form, &smoothing, 16 + ahead, value);
                sums[ahead] += value;
                sums_of_squares[ahead] += value * value;
            }
        }
        let forecast = fit.forecast(HORIZON);
        for ahead in 0..HORIZON {
            let mean = sums[ahead] / PATHS as f64;
            let sd = (sums_of_squares[ahead] / PATHS as f64 - mean * mean).sqrt();
            assert_close(&[forecast.mean[ahead], forecast.sd[ahead]], &[mean, sd], 0.015);
        }
    }
}
