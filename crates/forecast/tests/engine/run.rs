//! What a run promises beside its numbers: determinism, cancellation, progress, caps, timings.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use tabcast_forecast::{Config, Control, Failure, Output, check, run, stages};
use tabcast_progress::Stage;
use tabcast_table::Columns;
use tempfile::TempDir;

use crate::support::{forecast, named, options, rows, uniform};

/// A CSV of `series` daily series of `length` values with trend, week and noise.
fn panel(folder: &TempDir, series: usize, length: usize) -> PathBuf {
    let mut text = String::from("item_id,timestamp,target\n");
    let mut noise = uniform();
    for id in 0..series {
        for step in 0..length {
            let value = 50.0 + id as f64 + 0.1 * step as f64 + 5.0 * ((step % 7) as f64) + 8.0 * noise();
            let stamp = 1_577_836_800 + step as i64 * 86_400;
            writeln!(text, "s{id:05},{stamp},{value}").expect("a string takes everything");
        }
    }
    let path = folder.path().join("panel.csv");
    fs::write(&path, text).expect("the panel is written");
    path
}

#[test]
fn the_same_bytes_come_out_for_any_number_of_threads_and_any_row_order() {
    let folder = TempDir::new().expect("a folder");
    let input = panel(&folder, 40, 60);
    let run_with = |threads: usize, preset: &str, path: &PathBuf| {
        let mut options = options(path);
        options.threads = threads;
        options.preset = named(preset);
        options.prediction_length = 14;
        let finished = forecast(options).expect("a forecast");
        (fs::read(&finished.parquet).expect("the Parquet file"), finished.csv, finished.summary.dataset_hash)
    };
    let text = fs::read_to_string(&input).expect("the panel");
    let (header, body) = text.split_once('\n').expect("a header");
    let reversed: Vec<&str> = body.lines().rev().collect();
    let shuffled = folder.path().join("reversed.csv");
    fs::write(&shuffled, format!("{header}\n{}\n", reversed.join("\n")))
        .expect("the reversed panel is written");
    for preset in ["fast", "balanced", "best"] {
        let one = run_with(1, preset, &input);
        assert!(run_with(5, preset, &input) == one, "threads, {preset}");
        assert!(run_with(2, preset, &shuffled) == one, "row order, {preset}");
    }
}

#[test]
fn a_forecast_in_parquet_can_be_forecast_again() {
    let folder = TempDir::new().expect("a folder");
    let mut first = options(&panel(&folder, 5, 60));
    first.prediction_length = 28;
    let finished = forecast(first).expect("a forecast");
    let mut second = options(&finished.parquet);
    second.columns = Columns { target: "mean".to_owned(), ..Columns::default() };
    let again = forecast(second).expect("a forecast of the forecast");
    assert_eq!(again.summary.num_items, 5);
    assert_eq!(rows(&again.csv)[0].timestamp, "2020-03-29 00:00:00");
}

/// `best` on a panel, to files in the same folder.
fn long_run(folder: &TempDir, series: usize, length: usize) -> (Config, Output) {
    let mut options = options(&panel(folder, series, length));
    options.preset = named("best");
    options.prediction_length = 28;
    let output = Output {
        parquet_path: folder.path().join("out.parquet"),
        csv_path: folder.path().join("out.csv"),
        max_csv_bytes: u64::MAX,
        report_path: folder.path().join("report.json"),
        findings_path: None,
        analyses_dir: None,
    };
    (Config::resolve(options).expect("sound options"), output)
}

#[test]
fn a_cancelled_run_stops_and_progress_goes_from_stage_to_stage() {
    let folder = TempDir::new().expect("a folder");
    let (config, output) = long_run(&folder, 60, 120);
    let control = Control::new();
    assert_eq!(control.progress(), (Stage::QUEUED, 0.0));
    let outcome = thread::scope(|scope| {
        let running = scope.spawn(|| run(&config, &output, &control));
        let mut seen = 0.0;
        while !running.is_finished() {
            let (stage, fraction) = control.progress();
            assert!(fraction >= seen, "progress went back from {seen} to {fraction} in {}", stage.name);
            seen = fraction;
            if stage == stages::FIT && fraction > 0.1 {
                control.cancel();
            }
            thread::sleep(Duration::from_millis(1));
        }
        running.join().expect("the run does not panic")
    });
    assert!(matches!(outcome, Err(Failure::Cancelled)), "got {outcome:?}");
    assert!(control.progress().1 < 0.98);
}

/// One series is one unit of work: a run that looked at the flag between series only would finish this one.
#[test]
fn a_run_is_cancelled_inside_its_only_series() {
    let folder = TempDir::new().expect("a folder");
    let (config, output) = long_run(&folder, 1, 20_000);
    let control = Control::new();
    let outcome = thread::scope(|scope| {
        let running = scope.spawn(|| run(&config, &output, &control));
        while control.progress().0 != stages::BACKTEST && !running.is_finished() {
            thread::yield_now();
        }
        control.cancel();
        running.join().expect("the run does not panic")
    });
    assert!(matches!(outcome, Err(Failure::Cancelled)), "got {outcome:?}");
    assert_eq!(control.progress().0, stages::BACKTEST, "the fit for the forecast itself was never begun");
    assert!(!output.report_path.exists());
}

#[test]
fn a_csv_that_grows_too_large_is_given_up_and_the_parquet_stays() {
    let folder = TempDir::new().expect("a folder");
    let config = Config::resolve(options(&panel(&folder, 20, 40))).expect("sound options");
    let output = Output {
        parquet_path: folder.path().join("out.parquet"),
        csv_path: folder.path().join("out.csv"),
        max_csv_bytes: 500,
        report_path: folder.path().join("report.json"),
        findings_path: None,
        analyses_dir: None,
    };
    let summary = run(&config, &output, &Control::new()).expect("a forecast");
    assert!(!summary.csv_written);
    assert!(!output.csv_path.exists() && output.parquet_path.exists());
    assert_eq!((summary.num_items, summary.rows), (20, 120));
    let timings = summary.timings;
    for part in [timings.ingest, timings.validate, timings.fit, timings.predict, timings.write] {
        assert!(part >= 0.0 && part.is_finite());
    }
}

#[test]
fn a_check_counts_the_steps_of_gaps_whatever_lies_off_the_grid() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("gaps.csv");
    let mut text = "item_id,timestamp,target\na,2000-01-01 12:00:00,\n".to_owned();
    for day in 1..=20 {
        writeln!(text, "a,2001-01-{day:02},{day}").expect("a string takes everything");
    }
    text.push_str("a,2011-01-01,3\n");
    fs::write(&path, text).expect("a file");
    let mut options = options(&path);
    options.freq = Some("D".to_owned());
    let config = Config::resolve(options).expect("options");
    let (profile, _) = check(&config, &Control::new()).expect("a profile");
    assert_eq!((profile.rows, profile.steps), (22, Some(4_018)));
}

#[test]
fn a_check_profiles_a_sound_dataset() {
    let folder = TempDir::new().expect("a folder");
    let config = Config::resolve(options(&panel(&folder, 4, 33))).expect("sound options");
    let (profile, warnings) = check(&config, &Control::new()).expect("a profile");
    assert_eq!((profile.rows, profile.series, profile.min_length, profile.max_length), (132, 4, 33, 33));
    assert_eq!((profile.freq.as_str(), profile.nodes, profile.steps), ("D", None, Some(132)));
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn levels_may_come_in_any_order_and_do_not_change_the_mean() {
    let folder = TempDir::new().expect("a folder");
    let input = panel(&folder, 3, 50);
    let with_levels = |levels: &[f64]| {
        let mut options = options(&input);
        options.quantile_levels = levels.to_vec();
        rows(&forecast(options).expect("a forecast").csv)
    };
    let default = with_levels(&[]);
    let few = with_levels(&[0.9, 0.1]);
    for (a, b) in default.iter().zip(&few) {
        assert_eq!(a.mean, b.mean);
        assert_eq!((a.quantiles[0], a.quantiles[8]), (b.quantiles[0], b.quantiles[1]));
    }
}

#[test]
fn options_that_the_caller_should_have_refused_are_named() {
    let refuse = |change: &dyn Fn(&mut tabcast_forecast::Options), word: &str| {
        let mut options = options(&PathBuf::from("none.csv"));
        change(&mut options);
        match Config::resolve(options) {
            Err(Failure::Options(message)) => assert!(message.contains(word), "{message}"),
            other => panic!("{word}: {other:?}"),
        }
    };
    refuse(&|options| options.prediction_length = 0, "prediction_length");
    refuse(&|options| options.input_paths.clear(), "input_paths");
    for level in [0.0, 1.0, -0.1, f64::NAN] {
        refuse(&|options| options.quantile_levels = vec![0.5, level], "quantile");
    }
    refuse(&|options| options.quantile_levels = (1..=100).map(|i| f64::from(i) / 101.0).collect(), "99");
}
