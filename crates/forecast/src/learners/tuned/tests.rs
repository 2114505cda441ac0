use proptest::prelude::*;
use tabcast_calendar::Frequency;

use super::file::{PREFIX, checksum};
use super::heads::Heads;
use super::judge::{Verdict, windows};
use super::model::{TunedModel, hash};
use super::*;
use crate::covariates::engineered::{FeatureEngineering, Recipe};
use crate::covariates::regressors::NamedColumn;
use crate::history::History;
use crate::learners::global::{Task, effort};
use crate::{Failure, Preset};

/// A model of a few series with every part that a file can have.
fn model() -> TunedModel {
    let frequency = Frequency::parse("D").expect("a frequency");
    let training_series: Vec<History> = (0..12)
        .map(|series| {
            let values: Vec<f64> = (0..80)
                .map(|day: u32| {
                    f64::from(10 + series + day % 7) + f64::from(day * (series + 3) * 37 % 101) / 50.0
                })
                .collect();
            let regressors = vec![(0..80).map(|day: u32| f64::from(day * 7 % 5)).collect(); 2];
            History { steps: 79, regressors, values, ..History::default() }
        })
        .collect();
    let recipe = Recipe::of(&FeatureEngineering::default()).expect("allowed").expect("switched on");
    let task = Task { frequency, horizon: 5, season: 7, long: 7, recipe };
    let histories: Vec<(&History, usize)> = training_series.iter().map(|history| (history, 80)).collect();
    let mut effort = effort(Preset::Balanced, false);
    effort.rounds = 5;
    effort.is_recursive = true;
    let heads = Heads::learn(&histories, &task, effort, &|| false);
    let Verdict { weights, calibration } = Verdict::learn(&[], TuneLoss::Wql);
    let column = |covariate: &str, category: Option<&str>| NamedColumn {
        covariate: covariate.to_owned(),
        category: category.map(str::to_owned),
    };
    let mut seen: Vec<u64> = ["a", "b", "Ärger"].into_iter().map(hash).collect();
    seen.sort_unstable();
    TunedModel {
        frequency,
        horizon: 5,
        target: "sales".to_owned(),
        loss: TuneLoss::Wql,
        columns: vec![column("price", None), column("kind", Some("größer"))],
        recipe: task.recipe,
        heads,
        weights,
        calibration,
        seen,
        training_series: vec![hash("a"), hash("b")],
    }
}

#[test]
fn a_file_gives_the_model_back_to_the_last_bit() {
    let model = model();
    assert!(model.heads.trees.is_some() && model.heads.linear.is_some() && model.heads.short.is_some());
    let bytes = model.encode().expect("memory takes everything");
    let back = TunedModel::decode(&bytes).expect("a model");
    assert_eq!(back.encode().expect("memory takes everything"), bytes);
    assert_eq!((back.columns, back.target, back.seen), (model.columns, model.target, model.seen));
}

#[test]
fn cut_and_damaged_files_are_refused() {
    let bytes = model().encode().expect("memory takes everything");
    for length in (0..bytes.len()).step_by(97) {
        assert!(matches!(TunedModel::decode(&bytes[..length]), Err(Failure::Model(_))), "{length}");
    }
    for place in (0..bytes.len()).step_by(61) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 1 << (place % 8);
        assert!(matches!(TunedModel::decode(&flipped), Err(Failure::Model(_))), "{place}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    /// Bytes with wrong content and a valid checksum: no checksum detects them, and they must not panic.
    #[test]
    fn files_with_a_right_checksum_and_wrong_content_do_not_panic(
        changes in proptest::collection::vec((0.0..1.0, any::<u8>()), 1..4),
        cut in 0.0..1.0,
    ) {
        let whole = model().encode().expect("memory takes everything");
        for (place, value) in changes {
            // The first bytes hold the sizes and names.
            for reach in [300.0, whole.len() as f64 - PREFIX as f64 - 1.0] {
                let mut bytes = whole.clone();
                bytes[PREFIX + (place * reach) as usize] = value;
                checksum(&mut bytes);
                let _ = TunedModel::decode(&bytes);
                bytes.truncate(PREFIX + (cut * (whole.len() - PREFIX) as f64) as usize);
                checksum(&mut bytes);
                prop_assert!(TunedModel::decode(&bytes).is_err());
            }
        }
    }
}

#[test]
fn windows_are_whole_horizons_from_the_end_while_enough_is_left() {
    let bounds = |length: usize| -> Vec<(usize, usize)> {
        windows(length, 7, 3).into_iter().map(|window| (window.start, window.end)).collect()
    };
    assert_eq!(bounds(100), [(93, 100), (86, 93), (79, 86)]);
    // A short history holds back a quarter, in a single window.
    assert_eq!(bounds(20), [(15, 20)]);
    assert_eq!(bounds(30), [(23, 30)]);
    assert_eq!(bounds(7), [(6, 7)]);
    assert!(bounds(6).is_empty() && bounds(0).is_empty());
}
