//! What each member makes of rows that its fold held back, and what the best mixture of them does.
//!
//! `cargo run --release -p tabcast-tabular --example score_members -- FILE LABEL classification|regression TEST_ROWS
//! FOLDS MOST_ROWS [NAME]...`
//!
//! Rows whose numbers stand in the file `TEST_ROWS` are left out, as the settings of the members are chosen by this
//! program. Names are parts of members' names; without one, all are scored.

use std::collections::HashSet;
use std::env;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tabcast_statistics::random::{bits, shuffled};
use tabcast_table::{FileFormat, Frame, FrameColumn, FrameOptions, Limits, TextColumn, read_frame};
use tabcast_tabular::{Encoder, Facts, Lesson, NamedColumns, Target, decide, loss, members};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let [_, path, label, task, test_rows, folds, most_rows, names @ ..] = arguments.as_slice() else {
        return Err("usage: FILE LABEL classification|regression TEST_ROWS FOLDS MOST_ROWS [NAME]...".into());
    };
    let (folds, most_rows): (usize, usize) = (folds.parse()?, most_rows.parse()?);
    let cancel = AtomicBool::new(false);
    let frame = read_frame(&FrameOptions {
        paths: vec![PathBuf::from(path)],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    })
    .map_err(|error| format!("{error:?}"))?;
    let column = frame.position(label).ok_or("no such label")?;
    let test: HashSet<u32> =
        fs::read_to_string(test_rows)?.split_whitespace().map(str::parse).collect::<Result<_, _>>()?;
    let mut rows: Vec<u32> = (0..frame.rows as u32).filter(|row| !test.contains(row)).collect();
    rows.retain(|&row| match &frame.columns[column] {
        FrameColumn::Numbers(values) => !values[row as usize].is_nan(),
        FrameColumn::Texts(texts) => texts.codes[row as usize] != TextColumn::MISSING,
    });
    let drawn = shuffled(99, rows.len());
    let mut rows: Vec<u32> = drawn.iter().take(most_rows).map(|&place| rows[place as usize]).collect();
    rows.sort_unstable();
    let target = target_of(&frame, column, &rows, task == "classification");
    // As in a run: asked from within, the pool's threads need no waking for each little task.
    rayon::scope(|_| score(&frame, column, &rows, &target, folds, names));
    Ok(())
}

fn target_of(frame: &Frame, column: usize, rows: &[u32], is_classification: bool) -> Target {
    let values: Vec<f64> = match &frame.columns[column] {
        FrameColumn::Numbers(values) => rows.iter().map(|&row| values[row as usize]).collect(),
        FrameColumn::Texts(texts) => rows.iter().map(|&row| f64::from(texts.codes[row as usize])).collect(),
    };
    if !is_classification {
        return Target::Values(values);
    }
    let mut levels = values.clone();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    let class = |value: &f64| levels.partition_point(|level| level < value) as u32;
    Target::Classes { labels: values.iter().map(class).collect(), classes: levels.len() }
}

fn score(frame: &Frame, column: usize, rows: &[u32], target: &Target, folds: usize, names: &[String]) {
    let decisions = decide(frame, NamedColumns { label: column, time: None }, rows, target);
    let fold_of = |place: u32| bits(7, u64::from(place)) % folds as u64;
    let outputs = target.outputs();
    let classes = if let Target::Classes { classes, .. } = target { Some(*classes) } else { None };
    let facts = Facts { rows: rows.len() - rows.len() / folds, classes };
    let mut found: Vec<(&str, Vec<f64>)> = Vec::new();
    println!("{}: {} rows", frame.names[column], rows.len());
    for member in members(&facts) {
        if !(names.is_empty() || names.iter().any(|name| member.name().contains(name.as_str()))) {
            continue;
        }
        let mut predictions = vec![0.0; rows.len() * outputs];
        let (mut seconds, mut encoding, mut size) = (0.0, 0.0, String::new());
        let done = (0..folds as u64).all(|fold| {
            let (held_back, known): (Vec<u32>, Vec<u32>) =
                (0..rows.len() as u32).partition(|&place| fold_of(place) == fold);
            let of_frame =
                |places: &[u32]| -> Vec<u32> { places.iter().map(|&place| rows[place as usize]).collect() };
            let began = Instant::now();
            let known_target = target.select(&known);
            let (encoder, training) =
                Encoder::fit(member.view(), frame, &decisions, &of_frame(&known), &known_target, fold);
            let validation = encoder.transform(frame, &of_frame(&held_back));
            encoding += began.elapsed().as_secs_f64();
            let began = Instant::now();
            let lesson = Lesson {
                training: &training,
                target: &known_target,
                validation: &validation,
                validation_target: &target.select(&held_back),
                seed: fold,
            };
            let Some(fitted) = member.fit(&lesson, &|| false) else { return false };
            let out = fitted.predict(&validation);
            seconds += began.elapsed().as_secs_f64();
            if let Some(trees) = fitted.trees() {
                size = format!("{} trees", trees.trees.len());
            }
            for (out, &place) in out.chunks_exact(outputs).zip(&held_back) {
                predictions[place as usize * outputs..][..outputs].copy_from_slice(out);
            }
            true
        });
        if !done {
            println!("  {:32} none", member.name());
            continue;
        }
        let loss = loss(target, &predictions);
        println!("  {:32} {loss:<12.6} {seconds:6.2} s {encoding:6.2} s to encode {size}", member.name());
        found.push((member.name(), predictions));
    }
    mix(target, &found);
}

/// Prints what a greedy mixture with replacement reaches (Caruana, 2004).
fn mix(target: &Target, found: &[(&str, Vec<f64>)]) {
    let Some((_, first)) = found.first() else { return };
    let mut sum = vec![0.0; first.len()];
    let mut counts = vec![0; found.len()];
    let mut kept = counts.clone();
    let mut least = f64::INFINITY;
    for round in 1..=50 {
        let with = |predictions: &Vec<f64>| -> Vec<f64> {
            sum.iter().zip(predictions).map(|(sum, more)| (sum + more) / f64::from(round)).collect()
        };
        let losses = found.iter().map(|(_, predictions)| loss(target, &with(predictions)));
        let Some((best, reached)) = losses.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        counts[best] += 1;
        for (sum, more) in sum.iter_mut().zip(&found[best].1) {
            *sum += more;
        }
        if reached < least {
            (least, kept) = (reached, counts.clone());
        }
    }
    let whole: i32 = kept.iter().sum();
    let shares = found.iter().zip(&kept).filter(|(_, count)| **count > 0);
    let shares: Vec<String> = shares
        .map(|((name, _), &count)| format!("{name} {:.2}", f64::from(count) / f64::from(whole)))
        .collect();
    println!("  {:32} {least:<12.6} {}", "mixture", shares.join(", "));
}
