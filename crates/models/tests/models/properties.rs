//! Properties that hold for every series.

use proptest::prelude::*;
use tabcast_models::{Series, registry};

/// Series of 2 to 80 values at any scale, some of them with repeated values and zeros.
fn any_series() -> impl Strategy<Value = Vec<f64>> {
    let value = prop_oneof![4 => -100.0..100.0_f64, 1 => Just(0.0), 1 => (0..5).prop_map(f64::from)];
    (prop::collection::vec(value, 2..80), -40..40_i32, any::<bool>()).prop_map(
        |(values, exponent, positive)| {
            let scale = 2.0_f64.powi(exponent);
            values.into_iter().map(|value| scale * if positive { value.abs() + 0.1 } else { value }).collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn forecasts_are_finite_and_quantiles_ordered(values in any_series(), season in 1..14_usize) {
        for model in registry() {
            let Ok(fit) = model.fit(&Series::with_season(&values, season)) else { continue };
            let forecast = fit.forecast(15);
            for step in 0..15 {
                let quantiles = [0.01, 0.1, 0.5, 0.9, 0.99].map(|level| forecast.quantile(step, level));
                prop_assert!(forecast.mean[step].is_finite(), "{}: {:?}", model.name(), forecast);
                prop_assert!(quantiles.iter().all(|quantile| quantile.is_finite()), "{}", model.name());
                prop_assert!(quantiles.is_sorted(), "{}: {:?}", model.name(), quantiles);
            }
        }
    }

    #[test]
    fn a_power_of_two_scales_forecasts_exactly(values in any_series(), exponent in -200..200_i32) {
        let factor = 2.0_f64.powi(exponent);
        let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
        for model in registry() {
            let (Ok(fit), Ok(scaled_fit)) =
                (model.fit(&Series::with_season(&values, 4)), model.fit(&Series::with_season(&scaled, 4)))
            else {
                continue;
            };
            let (forecast, scaled_forecast) = (fit.forecast(6), scaled_fit.forecast(6));
            for step in 0..6 {
                prop_assert_eq!(forecast.mean[step] * factor, scaled_forecast.mean[step], "{}", model.name());
                prop_assert_eq!(forecast.sd[step] * factor, scaled_forecast.sd[step], "{}", model.name());
            }
        }
    }

    #[test]
    fn the_same_series_gives_the_same_bits(values in any_series()) {
        let series = Series { season_length: 7, periods: &[7], ..Series::without_season(&values) };
        for model in registry() {
            if let (Ok(first), Ok(second)) = (model.fit(&series), model.fit(&series)) {
                prop_assert_eq!(first.forecast(9), second.forecast(9));
            }
        }
    }
}
