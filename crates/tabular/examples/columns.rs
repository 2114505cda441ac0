//! Prints what every column of a CSV file is taken for, by all of its rows: `columns <file> <label>`.

use std::sync::atomic::AtomicBool;

use tabcast_table::{FileFormat, FrameColumn, FrameOptions, Limits, TextColumn, read_frame};
use tabcast_tabular::{NamedColumns, Target, decide};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (path, label) = arguments.next().zip(arguments.next()).ok_or("usage: columns <file> <label>")?;
    let cancel = AtomicBool::new(false);
    let frame = read_frame(&FrameOptions {
        paths: vec![path.into()],
        format: FileFormat::Csv,
        compression: None,
        sheet: None,
        limits: Limits::default(),
        threads: 2,
        cancel: &cancel,
    })?;
    let label = frame.position(&label).ok_or("there is no such column")?;
    let all = 0..frame.rows as u32;
    let (rows, target) = match &frame.columns[label] {
        FrameColumn::Numbers(values) => {
            let rows: Vec<u32> = all.filter(|row| !values[*row as usize].is_nan()).collect();
            let target = Target::Values(rows.iter().map(|row| values[*row as usize]).collect());
            (rows, target)
        }
        FrameColumn::Texts(column) => {
            let rows: Vec<u32> =
                all.filter(|row| column.codes[*row as usize] != TextColumn::MISSING).collect();
            let labels = rows.iter().map(|row| column.codes[*row as usize]).collect();
            (rows, Target::Classes { labels, classes: column.texts.len() })
        }
    };
    for decision in decide(&frame, NamedColumns { label, time: None }, &rows, &target) {
        println!(
            "{:30} {:17} {:6} distinct {:6} missing  {}",
            decision.name,
            decision.role.name(),
            decision.distinct,
            decision.missing,
            decision.notes.join(" ")
        );
    }
    Ok(())
}
