use tabcast_calendar::Frequency;

use super::*;
use crate::covariates::engineered::FeatureEngineering;

fn layout(horizon: usize) -> Layout {
    let block = FeatureEngineering::default();
    Layout {
        recipe: Recipe::of(&block).expect("allowed").expect("switched on"),
        frequency: Frequency::parse("D").expect("a frequency"),
        season: 7,
        horizon,
        columns: 0,
    }
}

fn noise() -> impl FnMut() -> f64 {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / f64::from(1_u32 << 24) - 0.5
    }
}

/// Daily values that return to their mean after a shock.
fn histories(count: usize, length: usize) -> Vec<History> {
    let mut noise = noise();
    (0..count)
        .map(|series| {
            let mut shock = 0.0;
            let values = (0..length)
                .map(|at| {
                    shock = 0.6 * shock + noise();
                    20.0 + series as f64 + (at % 7) as f64 + shock
                })
                .collect::<Vec<f64>>();
            History { steps: length as i64 - 1, values, ..History::default() }
        })
        .collect()
}

fn learn(histories: &[History], horizon: usize, held_back: usize) -> Option<RidgeModel> {
    let training_series: Vec<(&History, usize)> =
        histories.iter().map(|history| (history, history.values.len() - held_back)).collect();
    RidgeModel::learn(&training_series, layout(horizon), &|| false)
}

#[test]
fn what_series_have_in_common_is_learned() {
    let histories = histories(40, 120);
    let model = learn(&histories, 7, 7).expect("enough to learn from");
    let (mut ridge, mut naive) = (0.0, 0.0);
    for history in &histories {
        let forecast = model.forecast(history, 113, 7).expect("a forecast");
        for step in 0..7 {
            ridge += (forecast.mean[step] - history.values[113 + step]).abs();
            naive += (history.values[106 + step] - history.values[113 + step]).abs();
        }
        assert!(forecast.sd.iter().all(|sd| *sd > 0.0));
    }
    assert!(ridge < 0.9 * naive, "{ridge} and {naive}");
}

#[test]
fn coefficients_do_not_depend_on_the_number_of_threads_or_the_future() {
    let mut histories = histories(150, 60);
    let with = |histories: &[History], threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        pool.install(|| learn(histories, 5, 10).expect("a model"))
    };
    let one = with(&histories, 1);
    assert_eq!(one, with(&histories, 3));
    for history in &mut histories {
        history.values[50..].fill(1e6);
    }
    assert_eq!(one, with(&histories, 2));
}

#[test]
fn forecasts_follow_level_and_scale_and_odd_histories_do_no_harm() {
    let mut panel = histories(40, 60);
    let usual = panel[0].values.clone();
    let model = learn(&panel, 5, 0).expect("a model");
    let forecast = |values: Vec<f64>| {
        let history = History { steps: values.len() as i64 - 1, values, ..History::default() };
        model.forecast(&history, history.values.len(), 5)
    };
    // Growth is computed from the values themselves, so only the unit may change.
    let plain = forecast(usual.clone()).expect("a forecast");
    for scale in [1e-9, 1e12] {
        let scaled = forecast(usual.iter().map(|value| scale * value).collect()).expect("a forecast");
        for (a, b) in plain.mean.iter().zip(&scaled.mean) {
            assert!((b / scale - a).abs() < 1e-9 * a.abs());
        }
    }
    assert!(forecast(vec![4.0; 60]).is_none(), "it does not vary");
    assert!(forecast(usual[..7].to_vec()).is_none(), "shorter than a season and a step");
    let cold = forecast(usual[..9].to_vec()).expect("most lags are missing");
    assert!(cold.mean.iter().all(|mean| mean.is_finite()));
    let swing = (0..60).map(|at| if at % 2 == 0 { f64::MAX } else { -f64::MAX }).collect();
    if let Some(odd) = forecast(swing) {
        assert!(odd.mean.iter().all(|mean| !mean.is_nan()));
    }
    for (place, history) in panel.iter_mut().enumerate().take(3) {
        history.values[30 + place] = 1e300;
    }
    let odd = learn(&panel, 5, 0).expect("a model");
    let again = odd.forecast(&panel[9], 60, 5).expect("a forecast");
    assert!(again.mean.iter().all(|mean| mean.is_finite()));
}

#[test]
fn too_little_and_an_interruption_give_none() {
    assert!(learn(&histories(2, 15), 5, 0).is_none());
    let histories = histories(40, 60);
    let training_series: Vec<(&History, usize)> = histories.iter().map(|history| (history, 60)).collect();
    assert!(RidgeModel::learn(&training_series, layout(5), &|| true).is_none());
}
