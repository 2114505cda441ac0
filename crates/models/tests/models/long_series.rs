//! Long series, and seasons as long as a day of five minutes.

use tabcast_models::{Series, find};

#[test]
fn twenty_thousand_five_minute_steps_are_forecast() {
    let noise = |t: usize| ((t * t * 37 + t * 11) % 101) as f64 / 101.0 - 0.5;
    let truth = |t: usize| 50.0 + 20.0 * ((t % 288) as f64 * std::f64::consts::TAU / 288.0).sin();
    let values: Vec<f64> = (0..20_000).map(|t| truth(t) + noise(t)).collect();
    let series = Series { season_length: 288, periods: &[288, 2016], ..Series::without_season(&values) };
    for model in ["dotm", "auto_theta", "theta_boxcox", "mstl", "level_shape", "damped_growth"] {
        let forecast = find(model).expect("registered").fit(&series).expect("long enough").forecast(288);
        let worst =
            (0..288).map(|step| (forecast.mean[step] - truth(20_000 + step)).abs()).fold(0.0, f64::max);
        assert!(worst < 3.0, "{model}: {worst}");
    }
}

#[test]
fn a_season_as_long_as_the_series_is_no_season() {
    let values: Vec<f64> = (0..200).map(|t| 10.0 + f64::from(t % 5)).collect();
    for model in ["dotm", "auto_theta", "theta_boxcox", "mstl", "damped_growth"] {
        let forecast = |season| {
            let fit = find(model).expect("registered").fit(&Series::with_season(&values, season));
            fit.expect("long enough").forecast(10)
        };
        assert_eq!(forecast(200), forecast(1), "{model}");
        assert_eq!(forecast(500), forecast(1), "{model}");
    }
}
