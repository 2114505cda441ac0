//! A run in shards gives the files of a run in one process, byte for byte, and refuses files that do not belong to it.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use tabcast_forecast::{
    Config, Control, ExplainOptions, Failure, JoinOptions, Options, Output, ShardOptions, Summary,
    TuneConfig, TuneLoss, TuneOptions, fine_tune, forecast_shard, join, plan, run,
};
use tabcast_table::Columns;
use tempfile::TempDir;

use crate::support::{named, options, uniform};

const FILES: [&str; 4] = ["forecast.parquet", "forecast.csv", "report.json", "findings.json"];

/// Daily sales of shops with a promotion; every seventh shop is new, every eleventh sells something on few days.
fn shops(folder: &TempDir, shops: usize) -> PathBuf {
    const DAYS: usize = 130;
    let mut noise = uniform();
    let mut text = "item_id,timestamp,target,promo,colour\n".to_owned();
    for shop in 0..shops {
        let begins = if shop % 7 == 3 { DAYS - 6 - shop % 9 } else { 0 };
        for day in begins..DAYS + 6 {
            let promo = u8::from(noise() < 0.2);
            let season = [0.0, 5.0, 10.0, 5.0, 0.0, 20.0, 25.0][day % 7];
            let sales = 50.0 + shop as f64 + season + f64::from(promo) * 30.0 + 4.0 * noise();
            let sales = if shop % 11 == 5 && noise() < 0.8 { 0.0 } else { sales };
            let target = if day < DAYS { format!("{sales:.2}") } else { String::new() };
            let colour = if noise() < 0.5 { "red" } else { "blue" };
            let stamp = 1_704_067_200 + 86_400 * day;
            writeln!(text, "shop {shop:03},{stamp},{target},{promo},{colour}").expect("a string takes it");
        }
    }
    let path = folder.path().join("shops.csv");
    fs::write(&path, text).expect("a file");
    path
}

/// Options that cut the series into several shards.
fn in_shards(path: &Path, preset: &str) -> Options {
    Options { preset: named(preset), shard_seconds: 1e-3, ..options(path) }
}

fn output(folder: &Path, max_csv_bytes: u64) -> Output {
    fs::create_dir_all(folder.join("analyses")).expect("a folder");
    Output {
        parquet_path: folder.join("forecast.parquet"),
        csv_path: folder.join("forecast.csv"),
        max_csv_bytes,
        report_path: folder.join("report.json"),
        findings_path: Some(folder.join("findings.json")),
        analyses_dir: Some(folder.join("analyses")),
    }
}

/// A run in shards, one after the other.
struct InShards {
    folder: TempDir,
    shards: usize,
    options: Options,
    max_csv_bytes: u64,
}

impl InShards {
    fn plan(options: Options, max_csv_bytes: u64) -> Self {
        let folder = TempDir::new().expect("a folder");
        let path = folder.path().join("plan");
        fs::create_dir(&path).expect("a folder");
        let config = Config::resolve(options.clone()).expect("options");
        let whole = output(&folder.path().join("whole"), max_csv_bytes);
        let planned = plan(&config, &whole, &path, &Control::new()).expect("a plan");
        assert_eq!(planned.summary, None);
        Self { folder, shards: planned.shards, options, max_csv_bytes }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join("plan").join(name)
    }

    fn part(&self, shard: usize) -> PathBuf {
        self.folder.path().join(format!("part-{shard}"))
    }

    fn shard(&self, shard: usize) -> ShardOptions {
        ShardOptions {
            plan_path: self.path("plan.bin"),
            series_path: self.path(&format!("series-{shard}.bin")),
            folder: self.part(shard),
            max_csv_bytes: self.max_csv_bytes,
            model_path: self.options.model_path.clone(),
            threads: 1 + shard % 2,
            budget: None,
        }
    }

    fn forecast(&self, shard: usize) -> Result<(), Failure> {
        fs::create_dir_all(self.part(shard)).expect("a folder");
        forecast_shard(&self.shard(shard), &Control::new()).map(|_| ())
    }

    fn join(&self) -> Result<Summary, Failure> {
        let options = JoinOptions {
            plan_path: self.path("plan.bin"),
            explained_path: self.path("explained.bin"),
            parts: (0..self.shards).map(|shard| self.part(shard)).collect(),
            model_path: self.options.model_path.clone(),
            threads: 2,
            budget: None,
        };
        join(&options, &output(&self.folder.path().join("whole"), self.max_csv_bytes), &Control::new())
    }

    fn file(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.folder.path().join("whole").join(name)).ok()
    }
}

/// Runs both ways and compares every file; returns the number of shards.
fn compare(options: Options, max_csv_bytes: u64) -> usize {
    let whole = TempDir::new().expect("a folder");
    let config = Config::resolve(options.clone()).expect("options");
    let expected =
        run(&config, &output(whole.path(), max_csv_bytes), &Control::new()).expect("a run in one process");
    let run = InShards::plan(options, max_csv_bytes);
    for shard in (0..run.shards).rev() {
        run.forecast(shard).expect("a shard");
    }
    let summary = run.join().expect("the parts fit");
    assert_eq!(Summary { timings: expected.timings, ..summary }, expected);
    let analyses = fs::read_dir(whole.path().join("analyses")).expect("a folder");
    let analyses: Vec<String> = analyses
        .map(|entry| format!("analyses/{}", entry.expect("an entry").file_name().to_string_lossy()))
        .collect();
    for name in FILES.into_iter().chain(analyses.iter().map(String::as_str)) {
        assert!(run.file(name) == fs::read(whole.path().join(name)).ok(), "{name} differs");
    }
    run.shards
}

fn with_covariates(options: Options) -> Options {
    let covariates = ["promo", "colour"].map(str::to_owned).to_vec();
    Options { columns: Columns { covariates, ..Columns::default() }, ..options }
}

#[test]
fn the_files_are_those_of_one_process_with_every_preset() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 40);
    for (preset, least) in [("fast", 5), ("balanced", 40), ("best", 40)] {
        assert!(compare(in_shards(&path, preset), 1 << 30) >= least, "{preset}");
    }
}

#[test]
fn covariates_and_analyses_are_those_of_one_process() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 12);
    let explain = Some(ExplainOptions::default());
    let shards = compare(with_covariates(Options { explain, ..in_shards(&path, "balanced") }), 1 << 30);
    assert_eq!(shards, 12);
}

#[test]
fn a_csv_that_is_too_long_is_left_out() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 12);
    let rows = 12 * 6;
    // Enough for each shard, and not for all of them.
    let run = InShards::plan(in_shards(&path, "fast"), rows * 150);
    for shard in 0..run.shards {
        run.forecast(shard).expect("a shard");
        assert!(run.part(shard).join("forecast.csv").exists());
    }
    assert!(!run.join().expect("the parts fit").csv_written);
    assert_eq!(run.file("forecast.csv"), None);
    compare(in_shards(&path, "fast"), rows * 150);
    compare(in_shards(&path, "fast"), 100);
}

#[test]
fn a_fine_tuned_model_forecasts_shards() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 30);
    let model = folder.path().join("model.bin");
    let tuning = TuneOptions {
        forecast: with_covariates(in_shards(&path, "fast")),
        model_path: model.clone(),
        loss: TuneLoss::Mae,
        validation_windows: 1,
    };
    fine_tune(&TuneConfig::resolve(tuning).expect("options"), &Control::new()).expect("a model");
    let asked = with_covariates(Options { model_path: Some(model), ..in_shards(&path, "fast") });
    assert!(compare(asked.clone(), 1 << 30) > 3);
    let mut run = InShards::plan(asked, 1 << 30);
    run.options.model_path = None;
    assert!(matches!(run.forecast(0), Err(Failure::Options(message)) if message.contains("model_path")));
}

#[test]
fn few_series_are_one_shard_and_forecast_at_once() {
    let folder = TempDir::new().expect("a folder");
    let path = shops(&folder, 5);
    let config = Config::resolve(Options { preset: named("fast"), ..options(&path) }).expect("options");
    let whole = folder.path().join("whole");
    let planned = plan(&config, &output(&whole, 1 << 30), folder.path(), &Control::new()).expect("a run");
    assert_eq!(planned.shards, 1);
    assert_eq!(planned.summary.map(|summary| summary.num_items), Some(5));
    assert!(whole.join("report.json").exists() && !folder.path().join("plan.bin").exists());
}

#[test]
fn files_that_do_not_fit_are_refused() {
    fn refused(result: Result<impl Sized, Failure>) -> String {
        match result {
            Err(Failure::Shard(message)) => message,
            Err(other) => panic!("{other}"),
            Ok(_) => panic!("it was not refused"),
        }
    }
    let folder = TempDir::new().expect("a folder");
    let run = InShards::plan(in_shards(&shops(&folder, 12), "fast"), 1 << 30);
    let other = InShards::plan(Options { prediction_length: 7, ..run.options.clone() }, 1 << 30);
    for shard in 0..run.shards {
        run.forecast(shard).expect("a shard");
        other.forecast(shard).expect("a shard");
    }

    // Rows and parts of another shard and of another plan.
    let series = run.path("series-0.bin");
    let kept = fs::read(&series).expect("a file");
    fs::copy(other.path("series-0.bin"), &series).expect("a copy");
    assert!(refused(run.forecast(0)).contains("another plan"));
    fs::copy(run.path("explained.bin"), &series).expect("a copy");
    assert!(refused(run.forecast(0)).contains("not those of a shard"));
    fs::copy(run.path("series-1.bin"), &series).expect("a copy");
    run.forecast(0).expect("a shard, and not this one");
    assert!(refused(run.join()).contains("part of shard 0"));
    fs::write(&series, &kept).expect("a file");
    run.forecast(0).expect("a shard");
    let part = run.part(0).join("part.bin");
    let done = fs::read(&part).expect("a file");
    for source in [run.part(1), other.part(0)] {
        fs::copy(source.join("part.bin"), &part).expect("a copy");
        assert!(refused(run.join()).contains("part of shard 0"));
    }
    fs::write(&part, &done).expect("a file");

    // Damage: a flipped bit, a file cut short, another release, no such file at all.
    let mut flipped = kept.clone();
    let middle = flipped.len() / 2;
    flipped[middle] ^= 1;
    let mut newer = kept.clone();
    newer[8] = 2;
    for (bytes, expected) in [
        (&flipped[..], "is damaged"),
        (&kept[..kept.len() - 1], "is damaged"),
        (&newer, "another release"),
        (&kept[..20], "too short"),
        (&[b'x'; 100], "no such file"),
    ] {
        fs::write(&series, bytes).expect("a file");
        assert!(refused(run.forecast(0)).contains(expected), "{expected}");
    }
    fs::remove_file(&series).expect("a file");
    assert!(matches!(run.forecast(0), Err(Failure::Io { .. })));
    fs::write(&series, &kept).expect("a file");

    // A part that is missing, and one that is one too many.
    run.forecast(0).expect("the rows are back");
    fs::remove_file(&part).expect("a file");
    assert!(matches!(run.join(), Err(Failure::Io { .. })));
    run.forecast(0).expect("a shard");
    assert!(run.join().is_ok());
}

#[test]
fn a_cancelled_shard_stops() {
    let folder = TempDir::new().expect("a folder");
    let run = InShards::plan(in_shards(&shops(&folder, 12), "fast"), 1 << 30);
    fs::create_dir_all(run.part(0)).expect("a folder");
    let control = Control::new();
    control.cancel();
    assert!(matches!(forecast_shard(&run.shard(0), &control), Err(Failure::Cancelled)));
}
