//! Files of tables, each through every reader of it.

use std::io::{Cursor, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use tabcast_table::{
    Columns, Compression, FileFormat, FrameOptions, GivenRoles, InspectOptions, Limits, PreviewOptions,
    ProfileOptions, ReadError, ReadOptions, check_columns, dataset_hash, find_frequency, frame_hash, inspect,
    preview, profile_data, read_frame, read_panel,
};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::scratch;

static GO_ON: AtomicBool = AtomicBool::new(false);

pub(crate) fn csv(bytes: &[u8]) {
    read(bytes, FileFormat::Csv, None);
    for cut in [false, true] {
        let options = PreviewOptions { path: scratch::path("input"), cut, max_rows: 100, max_columns: 500 };
        if let Some(preview) = expected(preview(&options)) {
            assert!(preview.rows.iter().all(|row| row.len() == preview.columns.len()));
        }
    }
}

/// The first byte says how the rest is packed.
pub(crate) fn packed(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let packing = if first % 2 == 0 { Compression::Gzip } else { Compression::Zstd };
    read(rest, FileFormat::Csv, Some(packing));
}

pub(crate) fn json(bytes: &[u8]) {
    read(bytes, FileFormat::Json, None);
}

pub(crate) fn jsonl(bytes: &[u8]) {
    read(bytes, FileFormat::Jsonl, None);
}

pub(crate) fn parquet(bytes: &[u8]) {
    read(bytes, FileFormat::Parquet, None);
}

pub(crate) fn xls(bytes: &[u8]) {
    read(bytes, FileFormat::Xls, None);
}

pub(crate) fn xlsx(bytes: &[u8]) {
    read(bytes, FileFormat::Xlsx, None);
}

/// Parts of a workbook, which a changed byte of the archive itself would only damage: each begins with a line
/// `--- NAME`.
pub(crate) fn xlsx_parts(bytes: &[u8]) {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let text = String::from_utf8_lossy(bytes);
    for part in text.split("--- ").skip(1) {
        let (name, content) = part.split_once('\n').unwrap_or((part, ""));
        // A name that is there already is refused by the writer.
        if archive.start_file(name, stored).is_ok() {
            archive.write_all(content.as_bytes()).expect("memory");
        }
    }
    let Ok(workbook) = archive.finish() else { return };
    read(workbook.get_ref(), FileFormat::Xlsx, None);
}

/// Reads a file in every way, and holds what they say against each other.
fn read(bytes: &[u8], format: FileFormat, compression: Option<Compression>) {
    let paths: Vec<PathBuf> = vec![scratch::file("input", bytes)];
    let columns = Columns { covariates: covariates(bytes), ..Columns::default() };
    let limits = Limits::default();
    let options = ReadOptions {
        paths: paths.clone(),
        format,
        compression,
        sheet: None,
        columns,
        date_order: None,
        limits,
        threads: 1,
        cancel: &GO_ON,
    };
    let panel = expected(read_panel(&options));
    let is_header_right = expected(check_columns(&options)).is_some();
    assert!(is_header_right || panel.is_none(), "a table is read whose header is refused");
    let frequency = panel.as_ref().map(|panel| {
        assert_eq!(panel.offsets.last(), Some(&panel.timestamps.len()));
        assert_eq!(panel.targets.len(), panel.timestamps.len());
        assert!(panel.targets.iter().all(|target| !target.is_infinite()), "an infinite target");
        assert!(!dataset_hash(panel).is_empty());
        find_frequency(None, "timestamp", &panel.timestamps, &panel.offsets)
    });
    let inspected = expected(inspect(&InspectOptions { read: options, frequency: None }));
    if inspected.is_some_and(|inspected| inspected.is_valid()) {
        assert!(
            matches!(frequency, Some(Ok(_))),
            "an inspection finds nothing in a file that is refused: {frequency:?}"
        );
    }
    let all = FrameOptions {
        paths: paths.clone(),
        format,
        compression,
        sheet: None,
        limits,
        threads: 1,
        cancel: &GO_ON,
    };
    if let Some(frame) = expected(read_frame(&all)) {
        assert_eq!(frame.names.len(), frame.columns.len());
        assert!(!frame_hash(&frame).is_empty());
    }
    let profile = ProfileOptions {
        paths,
        format,
        compression,
        roles: GivenRoles::default(),
        limits,
        threads: 1,
        cancel: &GO_ON,
    };
    expected(profile_data(&profile));
}

/// A covariate in every second file, by its length.
fn covariates(bytes: &[u8]) -> Vec<String> {
    if bytes.len() % 2 == 0 { Vec::new() } else { vec!["price".to_owned()] }
}

/// None for what the sender can put right; nothing else goes wrong with a file that is there.
fn expected<T>(outcome: Result<T, ReadError>) -> Option<T> {
    match outcome {
        Ok(value) => Some(value),
        Err(ReadError::Content(error)) => {
            assert!(!error.code.is_empty() && !error.message.is_empty());
            None
        }
        Err(error) => panic!("no fault of the content: {error}"),
    }
}
