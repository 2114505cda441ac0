//! Small Parquet files that ask for much time or memory.

use std::io::Write;

use crate::support::parquet::{Values, file, table, text, with_footer};
use crate::support::read_bytes;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterPropertiesBuilder, WriterVersion};
use tabcast_table::{ContentError, FileFormat};

const ID: &str = "binary item_id (STRING)";
const TIME: &str = "int64 timestamp (TIMESTAMP(MICROS,false))";
const TARGET: &str = "double target";
const START: i64 = 1_767_225_600_000_000;
const DAY: i64 = 86_400_000_000;

fn refused(bytes: &[u8]) -> ContentError {
    *read_bytes(bytes, FileFormat::Parquet).unwrap_err()
}

/// Rows of one item, with steps of so many microseconds.
fn rows(rows: usize, step: i64) -> Vec<(Values, Option<Vec<i16>>)> {
    vec![
        (Values::Text(vec![b"a".to_vec(); rows]), None),
        (Values::Int64((0..rows as i64).map(|row| START + row * step).collect()), None),
        (Values::Double(vec![1.0; rows]), None),
    ]
}

fn properties() -> WriterPropertiesBuilder {
    WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default()))
}

fn schema() -> String {
    format!("message m {{ required {ID}; required {TIME}; required {TARGET}; }}")
}

#[test]
fn rows_far_beyond_the_size_of_the_file_are_refused_by_the_footer() {
    let bytes = file(&schema(), vec![rows(3_000_000, 0)], properties().build());
    assert!(bytes.len() < 100_000, "{}", bytes.len());
    let error = refused(&bytes);
    assert_eq!((error.code, error.kind.status()), ("decompression_limit", 413));
}

#[test]
fn a_run_of_equal_rows_ends_the_read() {
    let bytes = file(&schema(), vec![rows(200_000, 0)], properties().build());
    let error = refused(&bytes);
    assert_eq!((error.code, error.item.as_deref(), error.count), ("duplicate_rows", Some("a"), None));
    // Few are counted and named as in any other file.
    let error = refused(&file(&schema(), vec![rows(4_000, 0)], properties().build()));
    assert_eq!((error.code, error.count), ("duplicate_rows", Some(3_999)));
}

fn times() -> Values {
    Values::Int64(vec![START, START + DAY, START, START + DAY])
}

fn targets() -> Values {
    Values::Double(vec![1.0, 2.0, 3.0, 4.0])
}

fn four_rows() -> Vec<u8> {
    table([ID, TIME, TARGET], [text(&["a", "a", "b", "b"]), times(), targets()])
}

/// A zigzag varint of a size.
fn size(value: usize) -> Vec<u8> {
    varint(value << 1)
}

fn varint(mut value: usize) -> Vec<u8> {
    let mut out = Vec::new();
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

/// A data page of four values whose header claims to inflate to so many bytes.
fn page(body: &[u8], inflated: usize, encoding: Encoding) -> Vec<u8> {
    let integer = |value: usize| [vec![0x15], size(value)].concat();
    let inner = [integer(4), integer(encoding as usize), integer(3), integer(3), vec![0]].concat();
    let sizes = [integer(0), integer(inflated), integer(body.len())].concat();
    [&sizes, &[0x2c][..], &inner, &[0], body].concat()
}

/// The file with another column chunk in place of the column's own.
fn with_chunk(bytes: &[u8], name: &str, compression: Compression, chunk: &[u8]) -> Vec<u8> {
    let footer = u32::from_le_bytes(*bytes[..bytes.len() - 4].last_chunk().unwrap()) as usize;
    let end = bytes.len() - 8 - footer;
    let longer = [&bytes[..end], chunk, &bytes[end..]].concat();
    with_footer(
        &longer,
        |group| group,
        |column| {
            if column.column_path().string() != name {
                return column;
            }
            let builder = column.into_builder().set_compression(compression);
            let builder = builder.set_dictionary_page_offset(None).set_data_page_offset(end as i64);
            let builder = builder.set_total_compressed_size(chunk.len() as i64);
            builder.set_total_uncompressed_size(chunk.len() as i64).build().unwrap()
        },
    )
}

fn plain_targets() -> Vec<u8> {
    [1.0_f64, 2.0, 3.0, 4.0].iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn pages_that_claim_gigabytes_are_refused_before_they_are_read() {
    let body = plain_targets();
    for (claimed, code) in [
        (1 << 29, "decompression_limit"),
        ((1 << 31) - 1, "decompression_limit"),
        (1 << 27, "decompression_limit"),
        (1 << 33, "corrupt_file"),
    ] {
        let chunk = page(&body, claimed, Encoding::PLAIN);
        for compression in [Compression::UNCOMPRESSED, Compression::SNAPPY, Compression::LZ4_RAW] {
            assert_eq!(
                refused(&with_chunk(&four_rows(), "target", compression, &chunk)).code,
                code,
                "{claimed}"
            );
        }
    }
    let good = page(&body, body.len(), Encoding::PLAIN);
    let read = |chunk: &[u8]| {
        read_bytes(&with_chunk(&four_rows(), "target", Compression::UNCOMPRESSED, chunk), FileFormat::Parquet)
    };
    assert_eq!(read(&good).unwrap().targets, [1.0, 2.0, 3.0, 4.0]);
    // The size once more, at the end of the header: the last one counts.
    let head = good.len() - body.len() - 1;
    let twice = [&good[..head], &[0x05, 4], &size(1 << 30), &[0], &body].concat();
    assert_eq!(read(&twice).unwrap_err().code, "decompression_limit");
    // A size of another type, which the crate would read where it is not.
    let typed = [&good[..head], &[0x01, 4], &size(1 << 30), &[0], &body].concat();
    assert_eq!(read(&typed).unwrap_err().code, "corrupt_file");
    // A list of two thousand million booleans in a field that nobody knows.
    let list = [&good[..head], &[0x49, 0xf1], &varint((1 << 31) - 1), &[0], &body].concat();
    assert_eq!(read(&list).unwrap_err().code, "corrupt_file");
}

#[test]
fn streams_that_inflate_beyond_their_header_are_refused() {
    let zeros = vec![0_u8; 4 << 20];
    let gzip = |bytes: &[u8]| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        writer.write_all(bytes).unwrap();
        writer.finish().unwrap()
    };
    let brotli = |bytes: &[u8]| {
        let mut writer = brotli::CompressorWriter::new(Vec::new(), 4096, 5, 22);
        writer.write_all(bytes).unwrap();
        writer.into_inner()
    };
    let body = plain_targets();
    for (compression, good, bomb) in [
        (Compression::GZIP(GzipLevel::default()), gzip(&body), gzip(&zeros)),
        (Compression::BROTLI(BrotliLevel::default()), brotli(&body), brotli(&zeros)),
    ] {
        let read = |body: &[u8]| {
            let chunk = page(body, 32, Encoding::PLAIN);
            read_bytes(&with_chunk(&four_rows(), "target", compression, &chunk), FileFormat::Parquet)
        };
        assert_eq!(read(&good).unwrap().targets, [1.0, 2.0, 3.0, 4.0]);
        let error = read(&bomb).unwrap_err();
        assert_eq!(error.code, "corrupt_file");
        assert!(error.message.contains("more than its header says"), "{error}");
    }
}

#[test]
fn texts_that_claim_more_than_their_page_are_refused() {
    // A block of 128 values in 4 parts, the number of values, the first length; then no block, and no text.
    let stream = |count: usize, length: usize| [varint(128), varint(4), varint(count), size(length)].concat();
    let read = |encoding, body: &[u8]| {
        let chunk = page(body, body.len(), encoding);
        refused(&with_chunk(&four_rows(), "item_id", Compression::UNCOMPRESSED, &chunk))
    };
    for count in [5, 1 << 31, 1 << 42] {
        assert_eq!(read(Encoding::DELTA_LENGTH_BYTE_ARRAY, &stream(count, 1)).code, "corrupt_file");
        assert_eq!(read(Encoding::DELTA_BYTE_ARRAY, &stream(count, 1)).code, "corrupt_file");
        let second = [stream(1, 0), stream(count, 1)].concat();
        assert_eq!(read(Encoding::DELTA_BYTE_ARRAY, &second).code, "corrupt_file");
    }
}

#[test]
fn texts_that_repeat_each_other_count_in_full() {
    let items = |items: usize, length: usize| {
        let ids = (0..items * 2).map(|row| format!("{}{:07}", "x".repeat(length), row / 2).into_bytes());
        let stamps = (0..items as i64 * 2).map(|row| START + row % 2 * DAY);
        let columns = vec![
            (Values::Text(ids.collect()), None),
            (Values::Int64(stamps.collect()), None),
            (Values::Double(vec![1.0; items * 2]), None),
        ];
        let properties = properties()
            .set_writer_version(WriterVersion::PARQUET_2_0)
            .set_dictionary_enabled(false)
            .set_column_encoding("item_id".into(), Encoding::DELTA_BYTE_ARRAY);
        file(&schema(), vec![columns], properties.build())
    };
    let panel = read_bytes(&items(1_000, 100), FileFormat::Parquet).unwrap();
    assert_eq!((panel.len(), panel.ids.get(999).len()), (1_000, 107));
    let bomb = items(2_000, 30_000);
    assert!(bomb.len() < 200_000, "{}", bomb.len());
    assert_eq!(refused(&bomb).code, "decompression_limit");
}
