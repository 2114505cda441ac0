//! Text through gzip and zstd.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::support::{read_bytes, read_files, rows};
use flate2::write::GzEncoder;
use tabcast_table::{Compression, ContentError, FileFormat, Panel};

fn table(rows: usize) -> String {
    let mut text = String::from("item_id,timestamp,target\n");
    for row in 0..rows {
        let (item, second) = (row % 7, row / 7);
        writeln!(text, "item-{item},{},{}.25", 1_700_000_000 + second, row % 1_000).unwrap();
    }
    text
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 3).unwrap()
}

fn read(bytes: &[u8], compression: Compression) -> Result<Panel, Box<ContentError>> {
    read_files(&[bytes], FileFormat::Csv, |options| options.compression = Some(compression))
}

fn code(bytes: &[u8], compression: Compression) -> (&'static str, u16) {
    let error = read(bytes, compression).unwrap_err();
    assert!(error.suggestion.is_some(), "{error}");
    (error.code, error.kind.status())
}

#[test]
fn packed_text_is_the_text() {
    // More than one block, so that blocks are cut from the stream.
    let text = table(100_000);
    let expected = rows(&read_bytes(text.as_bytes(), FileFormat::Csv).unwrap());
    let (first, second) = text.as_bytes().split_at(text.len() / 3);
    for (packed, compression) in [
        (gzip(text.as_bytes()), Compression::Gzip),
        ([gzip(first), gzip(second), gzip(b"")].concat(), Compression::Gzip),
        (zstd(text.as_bytes()), Compression::Zstd),
        ([zstd(first), zstd(second)].concat(), Compression::Zstd),
    ] {
        assert!(rows(&read(&packed, compression).unwrap()) == expected, "{compression:?}");
    }
    let lines = "{\"item_id\":1,\"timestamp\":\"2026-01-01\",\"target\":1}\n{\"item_id\":1,\"timestamp\":\"2026-01-02\",\"target\":2}\n";
    let array = format!("[{}]", lines.trim().replace('\n', ","));
    for (text, format) in [(lines, FileFormat::Jsonl), (array.as_str(), FileFormat::Json)] {
        let change = |options: &mut tabcast_table::ReadOptions| options.compression = Some(Compression::Zstd);
        assert_eq!(read_files(&[&zstd(text.as_bytes())], format, change).unwrap().rows, 2);
    }
}

#[test]
fn what_is_not_packed_so_or_is_damaged_is_refused() {
    let text = table(20_000);
    let (gzip, zstd) = (gzip(text.as_bytes()), zstd(text.as_bytes()));
    let mismatch = ("format_mismatch", 415);
    assert_eq!(code(text.as_bytes(), Compression::Gzip), mismatch);
    assert_eq!(code(&zstd, Compression::Gzip), mismatch);
    assert_eq!(code(&gzip, Compression::Zstd), mismatch);
    assert_eq!(code(b"", Compression::Gzip), ("empty_file", 400));
    for (bytes, compression) in [(&gzip, Compression::Gzip), (&zstd, Compression::Zstd)] {
        for length in [bytes.len() - 1, bytes.len() / 2, 12] {
            assert_eq!(
                code(&bytes[..length], compression),
                ("corrupt_file", 415),
                "{compression:?} {length}"
            );
        }
        let mut changed = bytes.clone();
        let middle = changed.len() / 2;
        changed[middle..middle + 8].fill(0xA5);
        assert!(read(&changed, compression).is_err(), "{compression:?}");
    }
    for format in [FileFormat::Parquet, FileFormat::Xlsx, FileFormat::Xls] {
        let packed = read_files(&[&gzip], format, |options| options.compression = Some(Compression::Gzip));
        assert_eq!(packed.unwrap_err().code, "unsupported_compression");
    }
    assert_eq!(read_bytes(&gzip, FileFormat::Csv).unwrap_err().code, "format_mismatch");
}

#[test]
fn a_bomb_is_refused_while_it_inflates() {
    // Blank lines are skipped by every reader, so nothing else ends the read.
    let header = b"item_id,timestamp,target\n";
    let blank = vec![b'\n'; 1 << 20];
    let mut gzip = GzEncoder::new(Vec::new(), flate2::Compression::best());
    let mut zstd = zstd::Encoder::new(Vec::new(), 3).unwrap();
    gzip.write_all(header).unwrap();
    zstd.write_all(header).unwrap();
    for _ in 0..512 {
        gzip.write_all(&blank).unwrap();
        zstd.write_all(&blank).unwrap();
    }
    let (gzip, zstd) = (gzip.finish().unwrap(), zstd.finish().unwrap());
    for (bytes, compression) in [(gzip, Compression::Gzip), (zstd, Compression::Zstd)] {
        assert_eq!(code(&bytes, compression), ("decompression_limit", 413));
        for format in [FileFormat::Json, FileFormat::Jsonl] {
            let change = |options: &mut tabcast_table::ReadOptions| options.compression = Some(compression);
            assert!(read_files(&[&bytes], format, change).is_err());
        }
    }
}
