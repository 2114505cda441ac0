//! Parquet files, good and bad.

use crate::support::parquet::{Values, file, table, text, with_footer};
use crate::support::{Folder, read_bytes, read_with, rows};
use parquet::basic::{Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaDataReader, RowGroupMetaData};
use parquet::file::properties::{WriterProperties, WriterVersion};
use proptest::prelude::*;
use tabcast_table::{FileFormat, Limits, dataset_hash};

const ID: &str = "binary item_id (STRING)";
const TIME: &str = "int64 timestamp (TIMESTAMP(MICROS,false))";
const TARGET: &str = "double target";
const START: i64 = 1_767_225_600_000_000;
const DAY: i64 = 86_400_000_000;

fn ids() -> Values {
    text(&["a", "a", "b", "b"])
}

fn times() -> Values {
    Values::Int64(vec![START, START + DAY, START, START + DAY])
}

fn targets() -> Values {
    Values::Double(
        vec![1.0, 2.0, 3.0, f64::NAN + 0.0]
            .into_iter()
            .map(|value| if value.is_nan() { 4.0 } else { value })
            .collect(),
    )
}

fn good() -> Vec<u8> {
    table([ID, TIME, TARGET], [ids(), times(), targets()])
}

fn code(bytes: &[u8]) -> (&'static str, u16) {
    let error = read_bytes(bytes, FileFormat::Parquet).unwrap_err();
    assert!(
        error.kind.status() != 415 || error.suggestion.is_some() || error.code == "unsupported_encoding",
        "{error}"
    );
    (error.code, error.kind.status())
}

#[test]
fn every_type_of_column_gives_the_same_panel() {
    let expected = rows(&read_bytes(&good(), FileFormat::Parquet).unwrap());
    assert_eq!(expected.len(), 4);
    let stamps = |unit: i64| {
        Values::Int64(
            [START, START + DAY, START, START + DAY].iter().map(|stamp| stamp * 1000 / unit).collect(),
        )
    };
    let day = (START / DAY) as i32;
    let days = || Values::Int32(vec![day, day + 1, day, day + 1]);
    let julian = day as u32 + 2_440_588;
    for (timestamp, values) in [
        ("int64 timestamp (TIMESTAMP(MILLIS,true))", stamps(1_000_000)),
        ("int64 timestamp (TIMESTAMP(NANOS,true))", stamps(1)),
        ("int64 timestamp (TIMESTAMP_MILLIS)", stamps(1_000_000)),
        ("int64 timestamp", stamps(1_000_000_000)),
        ("int32 timestamp (DATE)", days()),
        ("int32 timestamp", Values::Int32(vec![20_260_101, 20_260_102, 20_260_101, 20_260_102])),
        ("int96 timestamp", Values::Int96(vec![(0, julian), (0, julian + 1), (0, julian), (0, julian + 1)])),
        (
            "binary timestamp (UTF8)",
            text(&["2026-01-01", "2026-01-02T00:00:00Z", "2026/01/01", "2026-01-02 00:00:00"]),
        ),
    ] {
        let panel =
            read_bytes(&table([ID, timestamp, TARGET], [ids(), values, targets()]), FileFormat::Parquet);
        assert_eq!(
            rows(&panel.unwrap_or_else(|error| panic!("{timestamp}: {error}"))),
            expected,
            "{timestamp}"
        );
    }
    for (target, values) in [
        ("float target", Values::Float(vec![1.0, 2.0, 3.0, 4.0])),
        ("int32 target", Values::Int32(vec![1, 2, 3, 4])),
        ("int64 target", Values::Int64(vec![1, 2, 3, 4])),
        ("int64 target (DECIMAL(10,2))", Values::Int64(vec![100, 200, 300, 400])),
        ("fixed_len_byte_array(16) target (DECIMAL(38,2))", Values::Fixed(big_endian(16, 100))),
        ("fixed_len_byte_array(3) target (DECIMAL(6,0))", Values::Fixed(big_endian(3, 1))),
        ("fixed_len_byte_array(32) target (DECIMAL(76,2))", Values::Fixed(big_endian(32, 100))),
        ("binary target (DECIMAL(20,2))", Values::Text(big_endian(2, 100))),
        ("int32 target (INTEGER(8,false))", Values::Int32(vec![1, 2, 3, 4])),
        ("binary target (UTF8)", text(&["1", "2.0", " 3", "4e0"])),
    ] {
        let panel = read_bytes(&table([ID, TIME, target], [ids(), times(), values]), FileFormat::Parquet);
        assert_eq!(rows(&panel.unwrap_or_else(|error| panic!("{target}: {error}"))), expected, "{target}");
    }
    let signed = [-150_i64, 2, i64::MAX, i64::MIN].map(|value| i128::from(value).to_be_bytes().to_vec());
    let target = "fixed_len_byte_array(16) target (DECIMAL(38,2))";
    let panel = read_bytes(
        &table([ID, TIME, target], [ids(), times(), Values::Fixed(signed.to_vec())]),
        FileFormat::Parquet,
    );
    assert_eq!(
        panel.unwrap_or_else(|error| panic!("{target}: {error}")).targets,
        [-1.5, 0.02, 92_233_720_368_547_758.07, -92_233_720_368_547_758.08]
    );
}

#[test]
fn ids_of_every_type_are_printed_as_they_are() {
    for (item_id, values, printed) in [
        ("int64 item_id", Values::Int64(vec![-7, -7, 12, 12]), ["-7", "12"]),
        ("int32 item_id (INTEGER(32,false))", Values::Int32(vec![-1, -1, 5, 5]), ["4294967295", "5"]),
        ("double item_id", Values::Double(vec![0.5, 0.5, 2.0, 2.0]), ["0.5", "2"]),
        ("binary item_id", text(&["a\u{1}", "a\u{1}", "é", "é"]), ["a\u{1}", "é"]),
    ] {
        let panel =
            read_bytes(&table([item_id, TIME, TARGET], [values, times(), targets()]), FileFormat::Parquet)
                .unwrap();
        assert_eq!(panel.ids.iter().collect::<Vec<_>>(), printed, "{item_id}");
    }
}

#[test]
fn encodings_row_groups_and_nulls_do_not_matter() {
    let folder = Folder::new();
    let schema = "message m { optional double x; optional binary item_id (STRING); repeated binary tags (STRING); \
                  optional int64 timestamp (TIMESTAMP(MICROS,true)); optional double target; }";
    let mut files = Vec::new();
    for (compression, version, dictionary) in [
        (Compression::UNCOMPRESSED, WriterVersion::PARQUET_1_0, true),
        (Compression::SNAPPY, WriterVersion::PARQUET_2_0, false),
        (Compression::ZSTD(ZstdLevel::default()), WriterVersion::PARQUET_2_0, true),
        (Compression::GZIP(GzipLevel::default()), WriterVersion::PARQUET_1_0, false),
    ] {
        let properties = || {
            WriterProperties::builder()
                .set_compression(compression)
                .set_writer_version(version)
                .set_dictionary_enabled(dictionary)
                .build()
        };
        let present = || Some(vec![1, 1]);
        let group = |id: &str, target: Vec<f64>, levels: Vec<i16>| {
            vec![
                (Values::Double(vec![]), Some(vec![0, 0])),
                (text(&[id, id]), present()),
                (text(&["t", "u"]), present()),
                (Values::Int64(vec![START, START + DAY]), present()),
                (Values::Double(target), Some(levels)),
            ]
        };
        let groups = vec![group("b", vec![3.0, 4.0], vec![1, 1]), group("a", vec![1.0, 2.0], vec![1, 1]), {
            let mut later = group("a", vec![], vec![0, 0]);
            later[3] = (Values::Int64(vec![START + 2 * DAY, START + 3 * DAY]), present());
            later
        }];
        files.push(file(schema, groups, properties()));
    }
    let csv = b"item_id,timestamp,target\na,2026-01-01,1\na,2026-01-02,2\na,2026-01-03,\na,2026-01-04,\nb,2026-01-01,3\nb,2026-01-02,4\n";
    let expected = read_bytes(csv, FileFormat::Csv).unwrap();
    for bytes in &files {
        std::fs::write(folder.path("file"), bytes).unwrap();
        for threads in [1, 2, 4] {
            let panel =
                read_with(&folder.path("file"), FileFormat::Parquet, Limits::default(), threads).unwrap();
            assert_eq!(rows(&panel), rows(&expected));
            assert_eq!(dataset_hash(&panel), dataset_hash(&expected));
        }
    }
}

#[test]
fn wrong_cells_are_counted() {
    let optional = |name: &str| format!("message m {{ optional {ID}; optional {TIME}; optional {name}; }}");
    let with_levels = |levels: [Vec<i16>; 3], target: Values| {
        let count = |levels: &[i16]| levels.iter().filter(|level| **level > 0).count();
        let columns = [
            Values::Text(vec![b"a".to_vec(); count(&levels[0])]),
            Values::Int64((0..count(&levels[1]) as i64).map(|day| START + day * DAY).collect()),
            target,
        ];
        file(
            &optional(TARGET),
            vec![columns.into_iter().zip(levels.map(Some)).collect()],
            WriterProperties::default(),
        )
    };
    let error = |bytes: Vec<u8>| {
        let error = read_bytes(&bytes, FileFormat::Parquet).unwrap_err();
        (error.code, error.row, error.count)
    };
    let all = || vec![1, 1, 1];
    assert_eq!(
        error(with_levels([vec![1, 0, 0], all(), all()], Values::Double(vec![1.0; 3]))),
        ("missing_item_id", Some(2), Some(2))
    );
    assert_eq!(
        error(with_levels([all(), vec![1, 1, 0], all()], Values::Double(vec![1.0; 3]))),
        ("unparseable_timestamp", Some(3), Some(1))
    );
    assert_eq!(
        error(with_levels([all(), all(), all()], Values::Double(vec![1.0, f64::INFINITY, 1.0]))),
        ("non_finite_target", Some(2), Some(1))
    );
    assert_eq!(
        error(with_levels([all(), all(), vec![0, 0, 0]], Values::Double(vec![]))),
        ("all_null_target", None, Some(1))
    );
    assert_eq!(
        error(with_levels([all(), all(), all()], Values::Double(vec![f64::NAN, 1.0, f64::NAN]))),
        ("too_few_observations", None, Some(1))
    );
    let far = Values::Int64(vec![i64::MAX, i64::MIN, START, START]);
    assert_eq!(
        error(table([ID, TIME, TARGET], [ids(), far, targets()])),
        ("timestamp_out_of_range", Some(1), Some(2))
    );
    let words = text(&["1", "1,000", "x", "2"]);
    assert_eq!(
        error(table([ID, TIME, "binary target (UTF8)"], [ids(), times(), words])),
        ("non_numeric_target", Some(2), Some(2))
    );
    let latin = Values::Text(vec![b"a".to_vec(), b"M\xfc".to_vec(), b"b".to_vec(), b"b".to_vec()]);
    assert_eq!(
        error(table(["binary item_id", TIME, TARGET], [latin, times(), targets()])),
        ("unsupported_encoding", Some(2), None)
    );
    let long = "x".repeat(40_000);
    assert_eq!(
        error(table([ID, TIME, TARGET], [text(&["a", "a", &long, &long]), times(), targets()])),
        ("cell_too_long", Some(3), None)
    );
}

/// One to four times `unit`, in so many bytes.
fn big_endian(bytes: usize, unit: u8) -> Vec<Vec<u8>> {
    (1..=4_u16)
        .map(|times| {
            let mut value = vec![0; bytes.saturating_sub(2)];
            value.extend((times * u16::from(unit)).to_be_bytes());
            value
        })
        .collect()
}

#[test]
fn unsuitable_columns_are_named() {
    let uuid = "fixed_len_byte_array(16) target (UUID)";
    assert_eq!(
        code(&table([ID, TIME, uuid], [ids(), times(), Values::Fixed(big_endian(16, 1))])),
        ("unsupported_type", 415)
    );
    assert_eq!(
        code(&table([ID, TIME, "boolean target"], [ids(), times(), Values::Boolean(vec![true; 4])])),
        ("unsupported_type", 415)
    );
    assert_eq!(
        code(&table([ID, "double timestamp", TARGET], [ids(), targets(), targets()])),
        ("unsupported_type", 415)
    );
    assert_eq!(
        code(&table(["boolean item_id", TIME, TARGET], [Values::Boolean(vec![true; 4]), times(), targets()])),
        ("unsupported_type", 415)
    );
    assert_eq!(
        code(&table([ID, TIME, "double value"], [ids(), times(), targets()])),
        ("missing_column", 422)
    );
    assert_eq!(code(&table([ID, TIME, TIME], [ids(), times(), times()])), ("duplicate_column", 422));
    let nested = "message m { required binary item_id (STRING); required int64 timestamp (TIMESTAMP(MICROS,false)); \
                  required group target { required double value; } }";
    let columns = || vec![(ids(), None), (times(), None), (targets(), None)];
    assert_eq!(code(&file(nested, vec![columns()], WriterProperties::default())), ("nested_column", 415));
    let list = format!("message m {{ repeated {ID}; required {TIME}; required {TARGET}; }}");
    let repeated = vec![
        (text(&["a", "a"]), Some(vec![1, 1])),
        (Values::Int64(vec![START, START + DAY]), None),
        (Values::Double(vec![1.0, 2.0]), None),
    ];
    assert_eq!(code(&file(&list, vec![repeated], WriterProperties::default())), ("nested_column", 415));
    let twice =
        format!("message m {{ required {ID}; required {TIME}; required {TARGET}; required double target; }}");
    let columns = vec![(ids(), None), (times(), None), (targets(), None), (targets(), None)];
    assert_eq!(code(&file(&twice, vec![columns], WriterProperties::default())), ("duplicate_column", 422));
}

#[test]
fn files_that_are_no_parquet_or_damaged_are_refused() {
    assert_eq!(code(b""), ("empty_file", 400));
    assert_eq!(code(b"item_id,timestamp,target\na,2026-01-01,1\n"), ("format_mismatch", 415));
    assert_eq!(code(b"PAREencrypted"), ("format_mismatch", 415));
    assert_eq!(code(b"PAR1"), ("corrupt_file", 415));
    assert_eq!(code(b"PAR1\xff\xff\xff\xffPAR1"), ("corrupt_file", 415));
    let good = good();
    for length in (4..good.len()).step_by(7) {
        assert_eq!(code(&good[..length]), ("corrupt_file", 415), "{length}");
    }
    let empty = file(
        &format!("message m {{ required {ID}; required {TIME}; required {TARGET}; }}"),
        vec![],
        WriterProperties::default(),
    );
    assert_eq!(code(&empty), ("no_rows", 400));
}

#[test]
fn footers_that_lie_are_refused_before_anything_is_allocated() {
    let good = good();
    let keep_group = |group: RowGroupMetaData| group;
    let keep_column = |column: ColumnChunkMetaData| column;
    let huge = 1_i64 << 40;
    let grow = |group: RowGroupMetaData| group.into_builder().set_num_rows(huge).build().unwrap();
    let values = |count: i64| {
        move |column: ColumnChunkMetaData| column.into_builder().set_num_values(count).build().unwrap()
    };
    assert_eq!(code(&with_footer(&good, keep_group, values(huge))), ("corrupt_file", 415));
    assert_eq!(code(&with_footer(&good, grow, values(huge))), ("too_many_rows", 413));
    assert_eq!(code(&with_footer(&good, keep_group, values(-1))), ("corrupt_file", 415));
    let negative = |group: RowGroupMetaData| group.into_builder().set_num_rows(-4).build().unwrap();
    assert_eq!(code(&with_footer(&good, negative, keep_column)), ("corrupt_file", 415));
    let beyond =
        |column: ColumnChunkMetaData| column.into_builder().set_total_compressed_size(huge).build().unwrap();
    assert_eq!(code(&with_footer(&good, keep_group, beyond)), ("corrupt_file", 415));
    let bomb = |column: ColumnChunkMetaData| {
        column.into_builder().set_total_uncompressed_size(huge).build().unwrap()
    };
    assert_eq!(code(&with_footer(&good, keep_group, bomb)), ("decompression_limit", 413));
    let before = |column: ColumnChunkMetaData| {
        column.into_builder().set_dictionary_page_offset(Some(-9)).build().unwrap()
    };
    assert_eq!(code(&with_footer(&good, keep_group, before)), ("corrupt_file", 415));
    let more = |group: RowGroupMetaData| group.into_builder().set_num_rows(9).build().unwrap();
    assert_eq!(code(&with_footer(&good, more, values(9))), ("corrupt_file", 415));
    let folder = Folder::new();
    std::fs::write(folder.path("file"), &good).unwrap();
    for (limits, expected) in [
        (Limits { max_rows: 3, ..Limits::default() }, "too_many_rows"),
        (Limits { max_columns: 2, ..Limits::default() }, "too_many_columns"),
        (Limits { max_series: 1, ..Limits::default() }, "too_many_series"),
    ] {
        assert_eq!(
            read_with(&folder.path("file"), FileFormat::Parquet, limits, 2).unwrap_err().code,
            expected
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn changed_bytes_give_a_panel_or_an_error(changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut bytes = good();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let _ = read_bytes(&bytes, FileFormat::Parquet);
    }
}

#[test]
fn a_dictionary_that_was_given_up_in_the_middle_of_a_column_does_not_matter() {
    let schema = "message m { required binary item_id (STRING); required int64 timestamp (TIMESTAMP(MICROS,true)); \
        required double target; }";
    let ids: Vec<String> = (0..4_000).map(|row| format!("item-{:05}", row / 2)).collect();
    let columns = || {
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let stamps = (0..4_000).map(|row| START + row % 2 * DAY).collect();
        let targets = (0..4_000).map(f64::from).collect();
        vec![(text(&ids), None), (Values::Int64(stamps), None), (Values::Double(targets), None)]
    };
    let write = |dictionary: bool| {
        let properties = WriterProperties::builder()
            .set_dictionary_enabled(dictionary)
            .set_dictionary_page_size_limit(4_096)
            .set_write_batch_size(100)
            .build();
        file(schema, vec![columns()], properties)
    };
    let (mixed, plain) = (write(true), write(false));
    let footer = ParquetMetaDataReader::new().parse_and_finish(&bytes::Bytes::from(mixed.clone())).unwrap();
    let pages = footer.row_group(0).column(0).page_encoding_stats_mask().unwrap();
    assert!(pages.is_set(Encoding::PLAIN) && pages.is_set(Encoding::RLE_DICTIONARY), "{pages:?}");
    let (mixed, plain) = (read_bytes(&mixed, FileFormat::Parquet), read_bytes(&plain, FileFormat::Parquet));
    assert_eq!(mixed.unwrap(), plain.unwrap());
}
