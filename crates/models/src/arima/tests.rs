//! Compares likelihoods and forecasts with other implementations.

use super::differencing::Differencing;
use super::exact::{Estimate, Problem};
use super::fitted::{ArimaFit, Modelled};
use super::order::{Arma, Order};
use super::regression::{Design, Wave};
use super::whitening::Whitening;
use crate::{Fit, Model, Series};

fn noise(step: usize) -> f64 {
    ((step * step * 37 + step * 11) % 101) as f64 / 101.0 - 0.5
}

fn seasonal() -> Vec<f64> {
    (0..40).map(|t| 10.0 + 3.0 * noise(t) + 2.0 * noise(t / 2) + [3.0, -1.0, 0.0, -2.0][t % 4]).collect()
}

fn arma(order: Order, coefficients: &[f64]) -> Arma {
    let mut arma = Arma::white(order, 4);
    arma.coefficients[..coefficients.len()].copy_from_slice(coefficients);
    arma
}

/// The fit of a model with unit error variance.
fn fit(values: &[f64], differencing: Differencing, arma: Arma, regression: Vec<f64>) -> ArimaFit {
    let degrees = values.len() - differencing.length - arma.order.len() - regression.len();
    let estimate = Estimate { arma, regression, sum_of_squares: degrees as f64, log_likelihood: 0.0 };
    let modelled =
        Modelled { values, skipped: 0, logarithmic: false, differencing, design: Design::default() };
    ArimaFit::new(modelled, &estimate, &mut Whitening::default()).expect("stationary")
}

#[track_caller]
fn assert_close(found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() <= 1e-8 * expected.abs(), "{found} instead of {expected}");
    }
}

const STATIONARY: Order = Order { p: 2, seasonal_p: 1, q: 1, seasonal_q: 1, constant: true };
const STATIONARY_COEFFICIENTS: [f64; 5] = [0.55, -0.2, 0.5, 0.4, -0.3];

/// statsmodels 0.15.0, `SARIMAX(y, exog=ones, order=(2, 0, 1), seasonal_order=(1, 0, 1, 4))` with scale concentrated,
/// tolerance 0 and mean 9.5.
#[test]
fn a_stationary_model_agrees_with_statsmodels_at_its_parameters() {
    let values = seasonal();
    let centred: Vec<f64> = values.iter().map(|value| value - 9.5).collect();
    let arma = arma(STATIONARY, &STATIONARY_COEFFICIENTS);
    let found = Problem { values: &centred, columns: &[] }.evaluate(&arma, &mut Whitening::default());
    let found = found.expect("stationary");
    assert_close(
        &[found.log_likelihood, found.sum_of_squares / 40.0],
        &[-106.662_552_690_994_66, 11.786_788_725_734_338],
    );
    let fit = fit(&values, Differencing::new(0, 0, 4), arma, vec![9.5]);
    let fitted = fit.fitted();
    assert_close(
        &[fitted[0], fitted[1], fitted[2], fitted[3], fitted[38], fitted[39]],
        &[
            9.5,
            10.124_250_061_785_256,
            7.828_968_670_527_644,
            11.663_876_952_360_784,
            7.672_687_153_554_692,
            8.837_635_990_187_529,
        ],
    );
    let forecast = fit.forecast(6);
    assert_close(
        &forecast.mean,
        &[
            9.446_593_982_795_57,
            9.083_281_887_138_599,
            9.379_210_892_923_362,
            9.074_219_898_862_64,
            9.887_504_947_294_575,
            9.401_641_042_510_303,
        ],
    );
    let scale = 11.786_788_725_734_338_f64.sqrt();
    let sds: Vec<f64> = forecast.sd.iter().map(|sd| sd * scale).collect();
    assert_close(
        &sds,
        &[
            3.433_189_293_626_392,
            4.735_437_207_985_822,
            4.863_153_837_343_37,
            4.863_346_990_424_096_5,
            4.883_332_958_281_981,
            4.911_587_450_393_649,
        ],
    );
}

/// statsmodels 0.15.0, `SARIMAX(y, order=(1, 1, 1), seasonal_order=(1, 1, 1, 4))`: the likelihood with simple
/// differencing, values and forecasts of the levels with exact diffuse initial states and unit variance.
#[test]
fn a_differenced_model_agrees_with_statsmodels_at_its_parameters() {
    let mut level = 50.0;
    let values: Vec<f64> = seasonal()
        .iter()
        .map(|change| {
            level += change - 10.0;
            level
        })
        .collect();
    let differencing = Differencing::new(1, 1, 4);
    let order = Order { p: 1, seasonal_p: 1, q: 1, seasonal_q: 1, constant: false };
    let arma = arma(order, &[0.5, 0.3, -0.4, -0.6]);
    let differenced = differencing.apply(&values);
    let found = Problem { values: &differenced, columns: &[] }.evaluate(&arma, &mut Whitening::default());
    let found = found.expect("stationary");
    assert_close(
        &[found.log_likelihood, found.sum_of_squares / 35.0],
        &[-45.944_612_373_173_19, 0.795_581_258_245_951_5],
    );
    let fit = fit(&values, differencing, arma, Vec::new());
    let fitted = fit.fitted();
    assert!(fitted[4].is_nan());
    // The first difference has no earlier value, so its forecast is zero.
    assert_close(&[fitted[5]], &[47.930_693_069_306_94]);
    assert_close(
        &[fitted[6], fitted[20], fitted[39]],
        &[50.680_354_173_262_71, 52.510_980_839_931_584, 47.307_284_204_621_084],
    );
    let forecast = fit.forecast(9);
    assert_close(
        &forecast.mean,
        &[
            50.165_864_587_581_81,
            49.391_095_968_801_345,
            48.331_287_129_194_67,
            45.848_730_430_603_73,
            49.253_390_734_633_03,
            48.441_947_324_067_28,
            47.522_222_244_354_516,
            45.060_792_930_193_05,
            48.448_504_492_694_63,
        ],
    );
    assert_close(
        &forecast.sd,
        &[
            1.000_011_810_837_320_8,
            1.486_618_179_082_836,
            1.879_506_313_957_233,
            2.216_569_104_882_646_4,
            2.911_347_250_687_157_4,
            3.511_737_715_891_379_6,
            4.042_258_272_859_951,
            4.519_301_396_680_745,
            5.234_154_799_295_18,
        ],
    );
}

#[test]
fn the_steady_state_changes_nothing() {
    let values: Vec<f64> = (0..600).map(noise).collect();
    let arma = arma(STATIONARY, &STATIONARY_COEFFICIENTS);
    let mut whitening = Whitening::default();
    assert!(whitening.run(&arma, &[&values]));
    let (errors, log_determinant) = (whitening.errors[0].clone(), whitening.log_determinant);
    assert!(whitening.run_to_the_end(&arma, &values).is_some());
    for (error, exact) in errors.iter().zip(&whitening.errors[0]) {
        assert!((error - exact).abs() < 1e-9);
    }
    assert!((log_determinant - whitening.log_determinant).abs() < 1e-7);
}

/// The effect of a regressor is found under autocorrelated errors, dependent columns do no harm, and known future
/// values reach the forecast.
#[test]
fn regressors_explain_what_they_caused() {
    let pulse = |t: usize| if t.is_multiple_of(7) { 5.0 } else { 0.0 };
    let mut state = 0.0;
    let values: Vec<f64> = (0..120)
        .map(|t| {
            state = 0.6 * state + noise(t);
            20.0 + 3.0 * pulse(t) + state
        })
        .collect();
    let column: Vec<f64> = (0..134).map(pulse).collect();
    let doubled = column.iter().map(|value| 2.0 * value + 1.0).collect();
    let regressors = [column, vec![4.0; 134], doubled, vec![0.0; 134]];
    for model in [&super::Arima as &dyn Model, &super::FourierArima] {
        let series = Series { regressors: &regressors, ..Series::without_season(&values) };
        let forecast = model.fit(&series).expect("long enough").forecast(14);
        for (step, mean) in forecast.mean.iter().enumerate() {
            let expected = 20.0 + 3.0 * pulse(120 + step);
            assert!((mean - expected).abs() < 1.0, "step {step}: {mean} instead of {expected}");
        }
        assert!(forecast.sd.iter().all(|sd| *sd < 1.0), "{:?}", forecast.sd);
    }
}

#[test]
fn dependent_columns_are_dropped() {
    let line: Vec<f64> = (0..50).map(f64::from).collect();
    let sum = line.iter().enumerate().map(|(t, value)| value + noise(t)).collect();
    let wave = Wave { frequency: 0.25, is_sine: true };
    let regressors = [line, (0..50).map(noise).collect(), sum, vec![1.0; 50], vec![1.0; 49]];
    let mut design = Design::new(&regressors, 0, 50, vec![wave, wave]);
    // After a difference, the line becomes the constant that the model has anyway.
    let mut differenced = design.clone();
    differenced.drop_dependent(50, &Differencing::new(1, 0, 1));
    design.drop_dependent(50, &Differencing::new(0, 0, 1));
    assert_eq!((design.len(), differenced.len()), (3, 2));
}

#[test]
fn roots_are_judged_by_partial_autocorrelations() {
    let of = |coefficients: &[f64]| {
        let order = Order { p: coefficients.len(), seasonal_p: 0, q: 0, seasonal_q: 0, constant: false };
        arma(order, coefficients)
    };
    // Roots 1.25 and 2: (1 - 0.8 z) (1 - 0.5 z).
    assert!(of(&[1.3, -0.4]).has_roots_beyond(1.24));
    assert!(!of(&[1.3, -0.4]).has_roots_beyond(1.26));
    assert!(!of(&[2.0, -1.0]).has_roots_beyond(1.0));
    assert!(!of(&[f64::NAN]).has_roots_beyond(1.0));
}

/// Long series and long seasons end in reasonable time, with finite forecasts.
#[test]
fn long_series_and_long_seasons_are_no_trouble() {
    let values: Vec<f64> = (0..20_000)
        .map(|t| 50.0 + 9.0 * (t as f64 * std::f64::consts::TAU / 288.0).sin() + noise(t))
        .collect();
    for (length, season) in [(20_000, 288), (20_000, 24), (20_000, 1), (600, 288), (300, 288), (30, 288)] {
        let values = &values[..length];
        let periods = [season];
        for model in [&super::Arima as &dyn Model, &super::FourierArima] {
            let series =
                Series { season_length: season, periods: &periods, ..Series::without_season(values) };
            let fit = model.fit(&series).expect("long enough");
            assert_eq!(fit.fitted().len(), length);
            let forecast = fit.forecast(288);
            assert!(forecast.mean.iter().chain(&forecast.sd).all(|value| value.is_finite()));
        }
    }
}
