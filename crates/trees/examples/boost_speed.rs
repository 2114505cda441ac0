//! Times one training run on raw columns and prints a line of JSON: wall and CPU seconds, peak memory, losses.
//!
//! `cargo run --release -p tabcast-trees --example boost_speed -- FOLDER LOSS [SETTING=VALUE ...]`
//!
//! `FOLDER` holds `columns.txt` (a line a feature: its name, a blank, `n` for numbers or `c` for category codes),
//! `train.f64` and, if wanted, `test.f64` and `valid.f64`: little-endian f64, column after column, the target last.
//! `LOSS` is `squared`, `huber:DELTA`, `pinball:LEVEL,...`, `logistic`, `softmax:CLASSES`, `poisson` or
//! `tweedie:POWER`. Settings are `rounds`, `rate`, `leaves`, `depth`, `oblivious` (levels), `min_rows`, `l2`, `rows`
//! and `columns` (shares), `patience`, `threads` and `seed`; `model` names a file for the trained model.

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use std::{env, fs};

use tabcast_trees::boosting::{Booster, Growth, Labelled, Loss, Params};
use tabcast_trees::{Ensemble, Feature, Rows};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, loss, settings @ ..] = arguments.as_slice() else {
        return Err("FOLDER LOSS [SETTING=VALUE ...]".into());
    };
    let folder = Path::new(folder);
    let mut params = Params::new(parse_loss(loss)?);
    let (mut threads, mut model) = (1, None);
    for setting in settings {
        let (name, value) = setting.split_once('=').ok_or("a setting is NAME=VALUE")?;
        if name == "threads" {
            threads = value.parse()?;
        } else if name == "model" {
            model = Some(value);
        } else {
            set(&mut params, name, value)?;
        }
    }
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    let features = read_features(&folder.join("columns.txt"))?;
    let train = read_columns(&folder.join("train.f64"), features.len() + 1)?;
    let valid = folder.join("valid.f64");
    let valid = if valid.exists() { read_columns(&valid, features.len() + 1)? } else { Vec::new() };

    let columns = views(&train);
    let (target, columns) = columns.split_last().ok_or("no column")?;
    let rows = Rows::new(columns)?;
    let labelled = Labelled { rows: &rows, target, weights: None };
    let valid_columns = views(&valid);
    let valid_rows = Rows::new(valid_columns.split_last().map_or(&[], |(_, columns)| columns))?;
    let validation =
        valid_columns.last().map(|&target| Labelled { rows: &valid_rows, target, weights: None });

    let (start, cpu) = (Instant::now(), cpu_seconds()?);
    let (ensemble, report) =
        Booster::new(params.clone()).train(&features, &labelled, validation.as_ref(), None)?;
    let (wall, cpu) = (start.elapsed().as_secs_f64(), cpu_seconds()? - cpu);
    let test = folder.join("test.f64");
    let test = if test.exists() {
        test_loss(&test, &ensemble, &params.loss)?.to_string()
    } else {
        "null".to_owned()
    };
    if let Some(model) = model {
        ensemble.write(&mut fs::File::create(model)?)?;
    }
    println!(
        r#"{{"rows": {}, "features": {}, "threads": {threads}, "trees": {}, "leaves": {}, "wall_s": {wall:.3}, "cpu_s": {cpu:.2}, "peak_mib": {:.0}, "training_loss": {:.6}, "test_loss": {test}}}"#,
        rows.len(),
        features.len(),
        ensemble.trees.len(),
        ensemble.trees.iter().map(tabcast_trees::Tree::leaves).sum::<usize>(),
        peak_mib()?,
        report.training_loss,
    );
    Ok(())
}

fn parse_loss(text: &str) -> Result<Loss, Box<dyn Error>> {
    let (name, value) = text.split_once(':').unwrap_or((text, ""));
    Ok(match name {
        "squared" => Loss::SquaredError,
        "huber" => Loss::Huber { delta: value.parse()? },
        "pinball" => Loss::Pinball { levels: value.split(',').map(str::parse).collect::<Result<_, _>>()? },
        "logistic" => Loss::Logistic,
        "softmax" => Loss::Softmax { classes: value.parse()? },
        "poisson" => Loss::Poisson,
        "tweedie" => Loss::Tweedie { power: value.parse()? },
        _ => return Err(format!("loss {name}").into()),
    })
}

fn set(params: &mut Params, name: &str, value: &str) -> Result<(), Box<dyn Error>> {
    match (name, &mut params.growth) {
        ("rounds", _) => params.rounds = value.parse()?,
        ("rate", _) => params.learning_rate = value.parse()?,
        ("leaves", Growth::LeafWise { leaves, .. }) => *leaves = value.parse()?,
        ("depth", Growth::LeafWise { depth, .. }) => *depth = Some(value.parse()?),
        ("oblivious", growth) => *growth = Growth::Oblivious { depth: value.parse()? },
        ("min_rows", _) => params.min_rows = value.parse()?,
        ("l2", _) => params.l2 = value.parse()?,
        ("rows", _) => params.row_fraction = value.parse()?,
        ("columns", _) => params.column_fraction = value.parse()?,
        ("patience", _) => params.patience = Some(value.parse()?),
        ("seed", _) => params.seed = value.parse()?,
        _ => return Err(format!("setting {name}").into()),
    }
    Ok(())
}

fn read_features(path: &Path) -> Result<Vec<Feature>, Box<dyn Error>> {
    let parse = |line: &str| {
        let (name, kind) = line.rsplit_once(' ').ok_or("a line is NAME KIND")?;
        Ok(if kind == "c" { Feature::categorical(name, Vec::new()) } else { Feature::numeric(name) })
    };
    fs::read_to_string(path)?.lines().map(parse).collect()
}

fn read_columns(path: &Path, count: usize) -> Result<Vec<Vec<f64>>, Box<dyn Error>> {
    let bytes = fs::read(path)?;
    let (numbers, _) = bytes.as_chunks::<8>();
    let rows = numbers.len() / count;
    if rows == 0 {
        return Err(format!("{} has no row", path.display()).into());
    }
    Ok(numbers
        .chunks_exact(rows)
        .map(|column| column.iter().copied().map(f64::from_le_bytes).collect())
        .collect())
}

fn views(columns: &[Vec<f64>]) -> Vec<&[f64]> {
    columns.iter().map(Vec::as_slice).collect()
}

fn test_loss(path: &Path, ensemble: &Ensemble, loss: &Loss) -> Result<f64, Box<dyn Error>> {
    let test = read_columns(path, ensemble.features.len() + 1)?;
    let columns = views(&test);
    let (target, columns) = columns.split_last().ok_or("no column")?;
    let rows = Rows::new(columns)?;
    let mut margins = vec![0.0; rows.len() * ensemble.outputs];
    ensemble.margins(&rows, &mut margins)?;
    let losses = target.iter().zip(margins.chunks_exact(ensemble.outputs));
    Ok(losses.map(|(&target, margins)| loss.of_row(target, margins)).sum::<f64>() / rows.len() as f64)
}

/// User and system time of the process, from the kernel (in hundredths of a second).
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    let fields: Vec<&str> = stat.rsplit_once(')').ok_or("no process name")?.1.split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

fn peak_mib() -> Result<f64, Box<dyn Error>> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).ok_or("no peak memory")?;
    Ok(line.trim().trim_end_matches(" kB").trim().parse::<f64>()? / 1024.0)
}
