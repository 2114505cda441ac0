//! Tables whose rows lie in files.

use std::path::PathBuf;

use crate::support::parquet::{Values, file, text};
use crate::support::{Folder, options_for, read_files};
use parquet::file::properties::WriterProperties;
use std::sync::atomic::AtomicBool;
use tabcast_table::{FileFormat, ReadError, Scratch, dataset_hash, read_panel};

const SERIES: usize = 40;
const STEPS: usize = 50;

/// Rows of several series, each with the latest first, one series after the other or one step after the other.
fn cells(is_by_step: bool) -> Vec<(String, String, f64)> {
    let cell = |series: usize, step: usize| {
        let day = STEPS - step;
        (
            format!("item-{series}"),
            format!("2025-{:02}-{:02}", 1 + day / 25, 1 + day % 25),
            (series * 100 + step) as f64,
        )
    };
    let places = (0..SERIES * STEPS).map(|place| {
        if is_by_step { (place % SERIES, place / SERIES) } else { (place / STEPS, place % STEPS) }
    });
    places.map(|(series, step)| cell(series, step)).collect()
}

/// The same rows in two files of each format.
fn files(cells: &[(String, String, f64)]) -> [(FileFormat, Vec<Vec<u8>>); 3] {
    let halves = || cells.chunks(cells.len() / 2);
    let csv = halves().map(|rows| {
        let rows = rows.iter().map(|(id, time, target)| format!("{id},{time},{target}\n"));
        (String::from("item_id,timestamp,target\n") + &rows.collect::<String>()).into_bytes()
    });
    let jsonl = halves().map(|rows| {
        let row = |(id, time, target): &(String, String, f64)| {
            format!("{{\"item_id\":\"{id}\",\"timestamp\":\"{time}\",\"target\":{target}}}\n")
        };
        rows.iter().map(row).collect::<String>().into_bytes()
    });
    let schema = "message m { required binary item_id (UTF8); required binary timestamp (UTF8); required double \
        target; }";
    let parquet = halves().map(|rows| {
        let groups = rows.chunks(300).map(|rows| {
            let ids: Vec<&str> = rows.iter().map(|(id, ..)| id.as_str()).collect();
            let times: Vec<&str> = rows.iter().map(|(_, time, _)| time.as_str()).collect();
            let targets = rows.iter().map(|(.., target)| *target).collect();
            vec![(text(&ids), None), (text(&times), None), (Values::Double(targets), None)]
        });
        file(schema, groups.collect(), WriterProperties::builder().build())
    });
    [
        (FileFormat::Csv, csv.collect()),
        (FileFormat::Jsonl, jsonl.collect()),
        (FileFormat::Parquet, parquet.collect()),
    ]
}

#[test]
fn rows_in_files_make_the_same_panel() {
    for is_by_step in [false, true] {
        for (format, files) in files(&cells(is_by_step)) {
            let files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
            let expected = read_files(&files, format, |_| {}).unwrap();
            for threads in [1, 3] {
                let folder = Folder::new();
                let scratch = Scratch { folder: folder.path(""), after_rows: 1 };
                let panel = read_files(&files, format, |options| {
                    (options.threads, options.scratch) = (threads, Some(scratch));
                })
                .unwrap();
                assert_eq!(panel, expected, "{format:?}, by step: {is_by_step}, {threads} threads");
                assert_eq!(dataset_hash(&panel), dataset_hash(&expected));
                assert_eq!(panel.clone().targets.into_vec(), expected.targets.clone().into_vec());
                assert_eq!(panel.select(&[3, 1]), expected.select(&[3, 1]));
                let names = std::fs::read_dir(folder.path("")).unwrap().count();
                assert_eq!(names, 0, "the files have no names");
            }
        }
    }
}

#[test]
fn pages_that_were_given_back_come_back() {
    let (_, csv) = &files(&cells(true))[0];
    let files: Vec<&[u8]> = csv.iter().map(Vec::as_slice).collect();
    let folder = Folder::new();
    let read = |scratch| read_files(&files, FileFormat::Csv, |options| options.scratch = scratch).unwrap();
    let (panel, expected) = (read(Some(Scratch { folder: folder.path(""), after_rows: 1 })), read(None));
    // The pages are given back again and again meanwhile.
    for _ in 0..5 {
        std::thread::sleep(std::time::Duration::from_millis(30));
        assert_eq!(panel, expected);
    }
}

#[test]
fn a_missing_folder_is_an_error_of_the_disk() {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, "item_id,timestamp,target\na,2025-01-01,1\na,2025-01-02,2\n").unwrap();
    let cancel = AtomicBool::new(false);
    let mut options = options_for(vec![path], FileFormat::Csv, &cancel);
    options.scratch = Some(Scratch { folder: PathBuf::from("/does/not/exist"), after_rows: 1 });
    assert!(matches!(read_panel(&options), Err(ReadError::Io(_))));
}
