//! What holds for every panel, with every preset.

use proptest::prelude::*;

use crate::edge_cases::{PRESETS, Table, stamps};
use crate::support::{check_invariants, rows};

/// A few series of 2 to 60 values: noise, counts, zeros and jumps, at one of many scales.
fn any_panel() -> impl Strategy<Value = Vec<Vec<f64>>> {
    let value = prop_oneof![
        6 => -100.0..100.0_f64,
        2 => Just(0.0),
        2 => (0..5).prop_map(f64::from),
        1 => prop_oneof![Just(1e9), Just(-1e9), Just(1e-9)],
    ];
    let series = (prop::collection::vec(value, 2..60), any::<bool>()).prop_map(|(values, positive)| {
        values.into_iter().map(|value: f64| if positive { value.abs() } else { value }).collect::<Vec<f64>>()
    });
    prop::collection::vec(series, 1..4)
}

fn any_alias() -> impl Strategy<Value = &'static str> {
    prop_oneof![Just("D"), Just("MS"), Just("h"), Just("YS"), Just("W-MON")]
}

fn table(alias: &str, panel: &[Vec<f64>], factor: f64) -> Table {
    let mut table = Table::new();
    for (index, values) in panel.iter().enumerate() {
        let scaled: Vec<f64> = values.iter().map(|value| value * factor).collect();
        table.add(&format!("s{index}"), &stamps(alias, "2024-01-01", values.len()), &scaled);
    }
    table
}

fn few() -> ProptestConfig {
    ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(few())]

    /// Finite numbers, quantiles that ascend, the mean between the 0.1 and the 0.9 quantile; and not below zero where
    /// the history never was.
    #[test]
    fn every_forecast_is_sound(panel in any_panel(), alias in any_alias(), horizon in 1..20_usize) {
        let table = table(alias, &panel, 1.0);
        for preset in PRESETS {
            let finished = table.run(preset, horizon, |_| {}).expect("a forecast");
            check_invariants(preset, &finished);
            for (values, rows) in panel.iter().zip(rows(&finished.csv).chunks(horizon)) {
                if values.iter().all(|&value| value >= 0.0) {
                    let sound = rows.iter().all(|row| row.mean >= 0.0 && row.quantiles[0] >= 0.0);
                    prop_assert!(sound, "{} {:?}: {:?}", preset, values, rows);
                }
            }
        }
    }

    /// A power of two changes exponents only, so that forecasts in other units are the same forecasts bit by bit.
    #[test]
    fn a_power_of_two_scales_forecasts_exactly(panel in any_panel(), alias in any_alias(), exponent in -60..60_i32) {
        let factor = 2.0_f64.powi(exponent);
        for preset in PRESETS {
            let forecast = |factor: f64| {
                rows(&table(alias, &panel, factor).run(preset, 6, |_| {}).expect("a forecast").csv)
            };
            for (unit, scaled) in forecast(1.0).iter().zip(forecast(factor)) {
                prop_assert_eq!(unit.mean * factor, scaled.mean, "{} {:?}", preset, unit);
                let quantiles: Vec<f64> = unit.quantiles.iter().map(|quantile| quantile * factor).collect();
                prop_assert_eq!(quantiles, scaled.quantiles, "{} {:?}", preset, unit);
            }
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing(panel in any_panel(), alias in any_alias(), threads in 2..6_usize) {
        let table = table(alias, &panel, 1.0);
        for preset in PRESETS {
            let with = |threads| table.run(preset, 6, |options| options.threads = threads).expect("a forecast").csv;
            prop_assert_eq!(with(threads), with(1), "{}", preset);
        }
    }
}
