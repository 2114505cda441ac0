//! A NUL is no character of any table, whatever its format.

use tabcast_table::{Columns, FileFormat, HierarchyColumns};

use crate::support::parquet::{self, Values};
use crate::support::read_files;

/// A Parquet file with an item id, a grouping column and a covariate.
fn parquet_file(item: &str, group: &str, kind: &str) -> Vec<u8> {
    let schema = "message m { required binary item_id (UTF8); required binary group (UTF8); \
        required int32 timestamp (DATE); required double target; required binary kind (UTF8); }";
    let texts = |odd: &str| parquet::text(&["a", odd, "a", odd]);
    let columns = [
        texts(item),
        texts(group),
        Values::Int32(vec![19_700, 19_700, 19_701, 19_701]),
        Values::Double(vec![1.0, 2.0, 3.0, 4.0]),
        texts(kind),
    ];
    let columns = columns.into_iter().map(|values| (values, None)).collect();
    parquet::file(schema, vec![columns], parquet_properties())
}

fn parquet_properties() -> ::parquet::file::properties::WriterProperties {
    ::parquet::file::properties::WriterProperties::builder().build()
}

#[test]
fn a_nul_in_a_text_of_a_parquet_file_is_refused_as_in_a_csv() {
    for (column, file) in [
        ("item_id", parquet_file("b\0", "b", "b")),
        ("group", parquet_file("b", "\0b", "b")),
        ("kind", parquet_file("b", "b", "b\0c")),
    ] {
        let error = read_files(&[&file], FileFormat::Parquet, |options| {
            options.columns = Columns { covariates: vec!["kind".to_owned()], ..Columns::default() };
            if column == "group" {
                options.columns.hierarchy = Some(HierarchyColumns {
                    columns: vec!["group".to_owned()],
                    separator: "/".to_owned(),
                    total_label: "total".to_owned(),
                });
            }
        })
        .expect_err(column);
        assert_eq!((error.code, error.kind.status()), ("nul_bytes", 415), "{column}");
        assert_eq!(error.column.as_deref(), Some(column));
        assert!(error.suggestion.is_some(), "{column}");
    }
}

#[test]
fn a_nul_in_a_text_of_json_is_refused_as_in_a_csv() {
    let row = |item: &str, kind: &str, day: u32| {
        format!(r#"{{"item_id":"{item}","kind":"{kind}","timestamp":"2026-01-0{day}","target":1}}"#)
    };
    for (item, kind) in [("a\\u0000", "k"), ("a", "k\\u0000")] {
        let rows = [row(item, kind, 1), row(item, kind, 2)];
        for (format, text) in
            [(FileFormat::Json, format!("[{}]", rows.join(","))), (FileFormat::Jsonl, rows.join("\n"))]
        {
            let error = read_files(&[text.as_bytes()], format, |options| {
                options.columns.covariates = vec!["kind".to_owned()];
            })
            .expect_err("a NUL");
            assert_eq!((error.code, error.kind.status()), ("nul_bytes", 415), "{text}");
        }
    }
}
