//! Fine-tuned models: trained from a file, applied to others.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tabcast_forecast::{
    Config, Control, Failure, FeatureEngineering, Options, TuneConfig, TuneLoss, TuneOptions, TuneSummary,
    check, fine_tune,
};
use tempfile::TempDir;

use crate::support::{Finished, check_invariants, forecast, named, options, rows, uniform};

/// Days of `series` shops whose week and promotions matter alike everywhere; `length` days, then `ahead` days with
/// covariates alone.
fn shops(series: usize, first: usize, length: usize, ahead: usize) -> String {
    let mut text = String::from("item_id,timestamp,target,promo,kind\n");
    let mut noise = uniform();
    for id in first..first + series {
        let size = 20.0 + 7.0 * (id % 9) as f64;
        for day in 0..length + ahead {
            let promo = usize::from((day * 5 + id * 3) % 11 < 2);
            let kind = ["small", "large", "other"][(day + id) % 3];
            let week = 1.0 + 0.3 * ((day % 7) as f64 - 3.0) / 3.0;
            let value = size * week * (1.0 + 0.5 * promo as f64) + noise();
            let target = if day < length { format!("{value:.3}") } else { String::new() };
            let date = format!("{}-{:02}-{:02}", 2024 + day / 336, day / 28 % 12 + 1, day % 28 + 1);
            writeln!(text, "s{id:03},{date},{target},{promo},{kind}").expect("a string takes everything");
        }
    }
    text
}

/// Consecutive days, whatever the month.
fn days(text: &str) -> String {
    let mut lines = text.lines();
    let mut out = format!("{}\n", lines.next().expect("a header"));
    let (mut last, mut day) = (String::new(), 0_i64);
    for line in lines {
        let (id, rest) = line.split_once(',').expect("cells");
        let (_, rest) = rest.split_once(',').expect("cells");
        day = if id == last { day + 1 } else { 0 };
        id.clone_into(&mut last);
        let seconds = 1_704_067_200 + day * 86_400;
        writeln!(out, "{id},{seconds},{rest}").expect("a string takes everything");
    }
    out
}

struct Bench {
    folder: TempDir,
}

impl Bench {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a folder") }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, text).expect("a file");
        path
    }

    fn train(&self, input: &Path, change: impl FnOnce(&mut TuneOptions)) -> Result<TuneSummary, Failure> {
        let mut tuning = TuneOptions {
            forecast: Options { preset: named("fast"), prediction_length: 7, ..options(input) },
            model_path: self.path("model.bin"),
            loss: TuneLoss::Mae,
            validation_windows: 2,
        };
        change(&mut tuning);
        fine_tune(&TuneConfig::resolve(tuning)?, &Control::new())
    }

    fn apply(&self, input: &Path, change: impl FnOnce(&mut Options)) -> Result<Finished, Failure> {
        let mut asked =
            Options { prediction_length: 7, model_path: Some(self.path("model.bin")), ..options(input) };
        change(&mut asked);
        forecast(asked)
    }
}

fn code(result: Result<Finished, Failure>) -> String {
    match result {
        Err(Failure::Content(error)) => {
            assert!(error.suggestion.is_some(), "{}", error.message);
            error.code.to_owned()
        }
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it was not refused"),
    }
}

fn count(finished: &Finished, code: &str) -> u64 {
    finished.summary.warnings.iter().filter(|warning| warning.code == code).map(|warning| warning.count).sum()
}

#[test]
fn a_model_forecasts_series_that_it_has_seen_and_others() {
    let bench = Bench::new();
    let input = bench.write("train.csv", &days(&shops(40, 0, 150, 0)));
    let covariates = vec!["promo".to_owned(), "kind".to_owned()];
    let summary = bench
        .train(&input, |tuning| {
            tuning.forecast.columns.covariates.clone_from(&covariates);
            tuning.forecast.feature_engineering = Some(FeatureEngineering::default());
        })
        .expect("a model");
    assert_eq!((summary.num_items, summary.rows, summary.freq.as_str()), (40, 6_000, "D"));
    assert_eq!(summary.covariates, covariates);
    assert!(summary.features.contains(&"rolling_std_14".to_owned()));
    assert_eq!(summary.size_bytes, fs::metadata(bench.path("model.bin")).expect("a file").len());
    for metrics in [summary.candidate, summary.baseline] {
        let all = [metrics.mae, metrics.mse, metrics.rmse, metrics.mape, metrics.smape, metrics.wql];
        assert!(all.iter().all(|measure| measure.is_some_and(f64::is_finite)), "{metrics:?}");
    }

    // Ten series that were there, ten that were not, and one with two observations.
    let mut text = days(&shops(20, 30, 90, 7));
    text.push_str("zz,1704067200,20,0,small\nzz,1704153600,24,1,large\n");
    for day in 2..9 {
        writeln!(text, "zz,{},,0,small", 1_704_067_200 + day * 86_400).expect("a string takes everything");
    }
    let later = bench.write("later.csv", &text);
    let with = |threads: usize| {
        bench
            .apply(&later, |options| {
                options.threads = threads;
                options.columns.covariates.clone_from(&covariates);
            })
            .expect("a forecast")
    };
    let finished = with(2);
    check_invariants("tuned", &finished);
    assert_eq!(finished.summary.rows, 21 * 7);
    assert_eq!(count(&finished, "unseen_series"), 11);
    assert_eq!(count(&finished, "features_longer_than_history"), 1);
    assert_eq!(with(1).csv, finished.csv, "the number of threads changes nothing");
    let report = &finished.report;
    assert!(report["features"].as_array().expect("names").len() > 20);
    assert_eq!(report["classes"][0]["members"][0], "tuned_direct");

    // The promotions of the steps ahead were understood: forecasts are near what was left out.
    let truth = shops(20, 30, 97, 0);
    let mut actual: Vec<f64> = Vec::new();
    for series in 0..20 {
        let lines = truth.lines().skip(1 + series * 97 + 90).take(7);
        actual.extend(
            lines.map(|line| line.split(',').nth(2).expect("a cell").parse::<f64>().expect("a number")),
        );
    }
    let missed: f64 =
        rows(&finished.csv).iter().zip(&actual).map(|(row, actual)| (row.mean - actual).abs()).sum();
    let size: f64 = actual.iter().sum();
    assert!(missed < 0.1 * size, "{missed} of {size}");
}

#[test]
fn every_loss_trains_and_the_same_options_give_the_same_bytes() {
    let bench = Bench::new();
    let input = bench.write("train.csv", &days(&shops(6, 0, 70, 0)));
    let mut first: Option<Vec<u8>> = None;
    for loss in ["mae", "mse", "rmse", "mape", "smape", "wql", "mae"] {
        let summary = bench
            .train(&input, |tuning| {
                tuning.loss = named(loss);
                tuning.validation_windows = 1;
                tuning.forecast.threads = if first.is_some() { 1 } else { 2 };
            })
            .expect(loss);
        assert!(summary.candidate.mae.is_some(), "{loss}");
        let bytes = fs::read(bench.path("model.bin")).expect("a file");
        match &first {
            None => first = Some(bytes),
            Some(first) => assert_eq!(*first == bytes, loss == "mae", "{loss}"),
        }
    }
}

#[test]
fn what_does_not_fit_the_model_is_refused_with_a_suggestion() {
    let bench = Bench::new();
    let promo = vec!["promo".to_owned()];
    let input = bench.write("train.csv", &days(&shops(12, 0, 60, 0)));
    bench.train(&input, |tuning| tuning.forecast.columns.covariates.clone_from(&promo)).expect("a model");
    let good = bench.write("good.csv", &days(&shops(12, 0, 60, 7)));
    let past_only = bench.write("past.csv", &days(&shops(12, 0, 60, 0)));
    let hourly: String = days(&shops(2, 0, 60, 7));
    let hourly: String = hourly
        .lines()
        .map(|line| match line.split(',').nth(1).and_then(|cell| cell.parse::<i64>().ok()) {
            Some(seconds) => {
                let hour = 1_704_067_200 + (seconds - 1_704_067_200) / 24;
                line.replacen(&seconds.to_string(), &hour.to_string(), 1) + "\n"
            }
            None => line.to_owned() + "\n",
        })
        .collect();
    let hourly = bench.write("hourly.csv", &hourly);
    let without = bench.write("without.csv", &days(&shops(12, 0, 60, 7)).replace("promo", "offer"));

    let horizon = bench.apply(&good, |options| options.prediction_length = 8);
    assert_eq!(code(horizon), "model_horizon_exceeded");
    assert_eq!(code(bench.apply(&hourly, |_| ())), "model_frequency_mismatch");
    let given = bench.apply(&good, |options| options.freq = Some("W".to_owned()));
    assert_eq!(code(given), "model_frequency_mismatch");
    assert_eq!(code(bench.apply(&without, |_| ())), "model_columns_mismatch");
    assert_eq!(code(bench.apply(&past_only, |_| ())), "model_columns_mismatch");
    let target = bench.apply(&good, |options| options.columns.target = "promo".to_owned());
    assert_eq!(code(target), "model_columns_mismatch");
    // The same before a job is accepted.
    let asked = Options { model_path: Some(bench.path("model.bin")), prediction_length: 9, ..options(&good) };
    let refused = check(&Config::resolve(asked).expect("options"), &Control::new());
    assert!(matches!(refused, Err(Failure::Content(error)) if error.code == "model_horizon_exceeded"));
    // What it needs is read even when it is not asked for; what it does not know is reported.
    let more = bench
        .apply(&good, |options| options.columns.covariates = vec!["kind".to_owned()])
        .expect("a forecast");
    assert_eq!((count(&more, "covariate_not_in_model"), count(&more, "unseen_series")), (1, 0));
}

#[test]
fn a_damaged_model_is_a_failure() {
    let bench = Bench::new();
    let input = bench.write("train.csv", &days(&shops(3, 0, 40, 0)));
    bench.train(&input, |_| ()).expect("a model");
    let path = bench.path("model.bin");
    let bytes = fs::read(&path).expect("the model");
    let mut damaged: Vec<Vec<u8>> = vec![Vec::new(), bytes[..10].to_vec(), bytes[..bytes.len() - 1].to_vec()];
    for place in [0, 9, 13, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut flipped = bytes.clone();
        flipped[place] ^= 16;
        damaged.push(flipped);
    }
    for bytes in damaged {
        fs::write(&path, bytes).expect("a file");
        assert!(matches!(bench.apply(&input, |_| ()), Err(Failure::Model(_))));
    }
    fs::remove_file(&path).expect("removed");
    assert!(matches!(bench.apply(&input, |_| ()), Err(Failure::Io { .. })));
}

#[test]
fn hardly_any_data_gives_a_model_and_no_measures() {
    let bench = Bench::new();
    let input = bench.write("train.csv", &days(&shops(2, 0, 3, 0)));
    let summary = bench.train(&input, |_| ()).expect("a model");
    assert_eq!(summary.candidate.mae, None);
    let finished = bench.apply(&input, |_| ()).expect("a forecast");
    check_invariants("hardly any data", &finished);
}

#[test]
fn a_training_says_what_it_could_not_learn() {
    let bench = Bench::new();
    let codes = |summary: &TuneSummary| -> Vec<String> {
        summary.warnings.iter().map(|warning| warning.code.to_string()).collect()
    };
    let even = bench.write("even.csv", "item_id,timestamp,target\na,2024-01-01,5\na,2024-01-02,5\n");
    assert_eq!(codes(&bench.train(&even, |_| {}).expect("a model")), ["nothing_learned"]);

    let input = bench.write("train.csv", &days(&shops(12, 0, 60, 0)));
    assert!(codes(&bench.train(&input, |_| {}).expect("a model")).is_empty());
    let long = |tuning: &mut TuneOptions| {
        tuning.forecast.feature_engineering =
            Some(FeatureEngineering { lag_periods: vec![1, 500], ..FeatureEngineering::default() });
    };
    assert_eq!(codes(&bench.train(&input, long).expect("a model")), ["features_longer_than_history"]);
    let hurried =
        bench.train(&input, |tuning| tuning.forecast.budget = Some(Duration::ZERO)).expect("a model");
    assert!(codes(&hurried).contains(&"training_cut_short".to_owned()), "{:?}", hurried.warnings);
}

#[test]
fn what_a_training_would_say_of_covariates_is_not_what_a_forecast_would() {
    let bench = Bench::new();
    let input = bench.write("train.csv", &days(&shops(4, 0, 60, 0)));
    let warned = |is_training: bool| {
        let mut asked = Options { is_training, ..options(&input) };
        asked.columns.covariates = vec!["promo".to_owned()];
        let (_, warnings) =
            check(&Config::resolve(asked).expect("options"), &Control::new()).expect("a table");
        warnings.iter().any(|warning| warning.code == "past_only_covariate")
    };
    assert!(warned(false) && !warned(true));
}

#[test]
fn options_that_make_no_sense_and_cancellation_end_it() {
    let bench = Bench::new();
    let input = bench.write("train.csv", &days(&shops(3, 0, 40, 0)));
    for change in [
        (|tuning| tuning.validation_windows = 0) as fn(&mut TuneOptions),
        |tuning| tuning.validation_windows = 6,
        |tuning| tuning.forecast.model_path = Some("model.bin".into()),
    ] {
        assert!(matches!(bench.train(&input, change), Err(Failure::Options(_))));
    }
    let tuning = TuneOptions {
        forecast: options(&input),
        model_path: bench.path("never.bin"),
        loss: TuneLoss::Mae,
        validation_windows: 1,
    };
    let control = Control::new();
    control.cancel();
    let outcome = fine_tune(&TuneConfig::resolve(tuning).expect("options"), &control);
    assert!(matches!(outcome, Err(Failure::Cancelled)));
    assert!(!bench.path("never.bin").exists());
}
