//! What makes no hierarchy is refused by name, or counted.

use std::fmt::Write as _;

use super::{
    LEVELS, TABLE, cells, columns, csv, ids, long_table, objects, parquet, quoted, read, read_parts, refusal,
    refused, two, usual,
};
use crate::support::biff;
use crate::support::parquet::{Values, file, text as texts_of};
use crate::support::workbook::{Cell, text, texts, xlsx};
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use tabcast_table::{Columns, FileFormat};

#[test]
fn missing_values_are_counted_and_named() {
    let good = csv(&TABLE);
    let line = |item: &str, state: &str, store: &str| format!("{item},2026-02-01,,{state},1,{store}\n");
    let bad = format!("{good}{}{}{}", line("a", "CA", ""), line("", "", "1"), line("\"\"", "CA", "1"));
    assert_eq!(refusal(read(&bad, &usual())), refused("missing_hierarchy_value", "store", 11, 3));
    let mut many = bad.clone();
    (0..6).for_each(|_| many += &line("", "CA", "1"));
    let error = read(&many, &usual()).unwrap_err();
    assert_eq!(error.count, Some(9));
    assert!(
        error.message.ends_with("data row 11 of column 'store'; data rows 11, 12, 13, 14, 15 and more"),
        "{error}"
    );
    // In the second of two files, and far behind the first block.
    let second = format!("{}{}", csv(&[]), line("a", "", "1"));
    let error = read_parts(&[good.as_bytes(), second.as_bytes()], FileFormat::Csv, &usual());
    assert_eq!(refusal(error), refused("missing_hierarchy_value", "state", 11, 1));
    let mut far = long_table(100_000, |_| String::new(), |row| [row % 3, row % 3]);
    far += "x,1,1,,leaf\nx,1,1,top,\n";
    assert_eq!(refusal(read(&far, &two())), refused("missing_hierarchy_value", "top", 100_001, 2));
    let lines = r#"{"state":"CA","store":1,"item":"x","timestamp":1999,"target":1}
{"state":"CA","item":"x","timestamp":2000,"target":1}
{"state":null,"store":1,"item":"x","timestamp":2001,"target":1}
{"state":"CA","store":1,"item":"","timestamp":2002,"target":1}"#;
    let outcome = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &usual());
    assert_eq!(refusal(outcome), refused("missing_hierarchy_value", "store", 2, 3));
    let mut table = cells(&TABLE[..2]);
    table.push(vec![Cell::Number(1.0), text("2026-02-01"), Cell::Empty, Cell::Number(1.0), text("CA")]);
    table.push(vec![Cell::Number(1.0), text("2026-02-01"), text("x"), Cell::Number(1.0)]);
    for (bytes, format) in [
        (xlsx(&[("Data", table.clone())]), FileFormat::Xlsx),
        (biff::xls(&[("Data", table)]), FileFormat::Xls),
    ] {
        let outcome = read_parts(&[&bytes], format, &usual());
        assert_eq!(refusal(outcome), refused("missing_hierarchy_value", "item", 3, 2));
    }
    let schema = "message m { required int32 timestamp; required double target; optional binary top (UTF8); \
        optional int32 leaf; }";
    let group = vec![
        (Values::Int32(vec![1999, 2000, 2001, 2002]), None),
        (Values::Double(vec![1.0; 4]), None),
        (texts_of(&["a", "", "a"]), Some(vec![1, 1, 1, 0])),
        (Values::Int32(vec![1, 1, 1]), Some(vec![1, 1, 0, 1])),
    ];
    let bytes = file(schema, vec![group], WriterProperties::builder().build());
    let outcome = read_parts(&[&bytes], FileFormat::Parquet, &two());
    assert_eq!(refusal(outcome), refused("missing_hierarchy_value", "top", 2, 3));
}

fn paths(paths: &[[&str; 2]]) -> String {
    let mut text = String::from("top,leaf,timestamp,target\n");
    for (row, [top, leaf]) in paths.iter().enumerate() {
        writeln!(text, "{},{},{},1", quoted(top), quoted(leaf), 1_000_000_000 + row).unwrap();
    }
    text
}

#[test]
fn separators_within_values_are_refused() {
    for (separator, top, leaf, column) in [
        ("/", "a/", "b", Some("top")),
        ("/", "a", "b/c", Some("leaf")),
        ("/", "a", "/", Some("leaf")),
        (" - ", "a - b", "c", Some("top")),
        (" - ", "a -", "c", Some("top")),
        (" - ", "a", "- c", None),
        ("::", "a::b", "c", Some("top")),
        // Joined to `a:::b`, which would come back as `a` and `:b`.
        ("::", "a:", "b", Some("top")),
        ("::", "a", ":b", None),
        ("::", "a", "b:", None),
        ("aa", "xa", "b", Some("top")),
        ("aa", "x", "ab", None),
        ("aa", "x", "baa", Some("leaf")),
        ("aa", "a", "b", Some("top")),
        ("aba", "xab", "c", Some("top")),
        ("aba", "xa", "c", None),
        ("abab", "xab", "c", Some("top")),
        ("➜➜", "x➜", "c", Some("top")),
    ] {
        let good = [["x", "y"], ["x", "y"]];
        let bad = [[top, leaf], [top, leaf], ["x", "y"], [top, leaf]];
        let outcome =
            read(&paths(&[good.as_slice(), &bad].concat()), &columns(&["top", "leaf"], separator, "t"));
        match column {
            Some(column) => {
                let error = outcome.as_ref().unwrap_err();
                assert!(error.message.ends_with("; data rows 3, 4, 6"), "{error}");
                assert_eq!(refusal(outcome), refused("separator_in_hierarchy", column, 3, 3), "{separator}");
            }
            None => assert!(ids(&outcome.unwrap()).contains(&format!("{top}{separator}{leaf}").as_str())),
        }
    }
    // Rows whose composites would be equal: the good one comes first, or last.
    for order in [[["x", "ab"], ["xa", "b"]], [["xa", "b"], ["x", "ab"]]] {
        let [first, second] = order;
        let row = if first[0] == "x" { 3 } else { 1 };
        let outcome = read(&paths(&[first, first, second, second]), &columns(&["top", "leaf"], "aa", "t"));
        assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "top", row, 2));
    }
    // Behind the first block, in every format.
    let mut far = long_table(80_000, |_| String::new(), |row| [row % 3, row % 3]);
    far += "x,1,1,a/b,leaf\n";
    assert_eq!(refusal(read(&far, &two())), refused("separator_in_hierarchy", "top", 80_001, 1));
    let lines = r#"{"state":"CA","store":"1/2","item":"x","timestamp":1999,"target":1}"#;
    let outcome = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &usual());
    assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "store", 1, 1));
    let sheet = texts(&[&["top", "leaf", "timestamp", "target"], &["a", "b/", "1999", "1"]]);
    let outcome = read_parts(&[&xlsx(&[("Data", sheet)])], FileFormat::Xlsx, &two());
    assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "leaf", 1, 1));
    // Numbers are printed first: the decimal point of 2.5 is a separator here.
    let schema = "message m { required double top; required int32 leaf; required int32 timestamp; required double \
        target; }";
    let group = vec![
        (Values::Double(vec![2.0, 2.5]), None),
        (Values::Int32(vec![1, 1]), None),
        (Values::Int32(vec![1999, 2000]), None),
        (Values::Double(vec![1.0; 2]), None),
    ];
    let bytes = file(schema, vec![group], WriterProperties::builder().build());
    let outcome = read_parts(&[&bytes], FileFormat::Parquet, &columns(&["top", "leaf"], ".", "t"));
    assert_eq!(refusal(outcome), refused("separator_in_hierarchy", "top", 2, 1));
}

#[test]
fn the_total_label_is_the_id_of_no_other_node() {
    for (label, top, leaf, column) in [
        ("total", "total", "b", Some("top")),
        ("total", "a", "total", None),
        ("total", "Total", "b", None),
        ("total", "total ", "b", None),
        ("total", "totals", "b", None),
        ("a/b", "a", "b", Some("leaf")),
        ("a/b", "a", "bc", None),
        ("a/b/", "a", "b", None),
        ("/", "a", "b", None),
        ("a/", "a", "b", None),
    ] {
        let table = paths(&[["x", "y"], ["x", "y"], [top, leaf], [top, leaf]]);
        let outcome = read(&table, &columns(&["top", "leaf"], "/", label));
        match column {
            Some(column) => {
                let error = outcome.as_ref().unwrap_err();
                assert!(error.message.contains(&format!("'{label}'")), "{error}");
                assert!(error.message.ends_with("; data rows 3, 4"), "{error}");
                assert_eq!(refusal(outcome), refused("total_label_taken", column, 3, 2), "{label}");
            }
            None => assert_eq!(outcome.unwrap().len(), 2, "{label} {top} {leaf}"),
        }
    }
    // A middle node of three, and every row of it.
    let table = "a,b,c,timestamp,target\nx,y,z,1999,1\nx,y,w,1999,1\nx,v,z,1999,1\n";
    let outcome = read(table, &columns(&["a", "b", "c"], "/", "x/y"));
    assert_eq!(refusal(outcome), refused("total_label_taken", "b", 1, 2));
    // `xa` and `aa` begin the id `xaaab`, but no node ends there.
    let table = paths(&[["x", "ab"], ["x", "ab"]]);
    assert_eq!(read(&table, &columns(&["top", "leaf"], "aa", "xa")).unwrap().len(), 1);
    let lines = r#"{"top":"total","leaf":1,"timestamp":1999,"target":1}"#;
    let outcome = read_parts(&[lines.as_bytes()], FileFormat::Jsonl, &two());
    assert_eq!(refusal(outcome), refused("total_label_taken", "top", 1, 1));
}

#[test]
fn columns_of_the_hierarchy_have_to_be_there_once_and_for_nothing_else() {
    let text = csv(&TABLE);
    let read = |columns: &Columns| {
        let error = *read(&text, columns).unwrap_err();
        (error.code, error.column.clone().unwrap_or_default(), error.suggestion.unwrap_or_default())
    };
    let (code, column, suggestion) = read(&columns(&["state", "stores", "item"], "/", "t"));
    assert_eq!((code, column.as_str()), ("missing_column", "stores"));
    assert_eq!(suggestion, "Correct hierarchy_columns; the closest column is 'store'.");
    let (code, _, suggestion) = read(&columns(&["region"], "/", "t"));
    assert_eq!(
        (code, suggestion.as_str()),
        ("missing_column", "Correct hierarchy_columns, or leave the column out there.")
    );
    for levels in [["state", "state"], ["state", "timestamp"], ["target", "state"]] {
        let (code, column, suggestion) = read(&columns(&levels, "/", "t"));
        assert_eq!(code, "duplicate_column");
        assert!(
            levels.contains(&column.as_str()) && suggestion.contains("hierarchy_columns"),
            "{suggestion}"
        );
    }
    let covariates = vec!["note".to_owned(), "item".to_owned()];
    let (code, column, _) = read(&Columns { covariates, ..usual() });
    assert_eq!((code, column.as_str()), ("duplicate_column", "item"));
    let many: Vec<String> = (0..21).map(|level| level.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let long = "x".repeat(17);
    for (levels, separator, label) in [
        (&[][..], "/", "t"),
        (&many, "/", "t"),
        (&LEVELS, "", "t"),
        (&LEVELS, &long, "t"),
        (&LEVELS, "\0", "t"),
        (&LEVELS, "/", ""),
    ] {
        let error = *self::read(&text, &columns(levels, separator, label)).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("invalid_hierarchy", 422), "{error}");
    }
    let missing = columns(&["state", "stores", "item"], "/", "t");
    for (bytes, format) in [
        (objects(&TABLE).join("\n").into_bytes(), FileFormat::Jsonl),
        (xlsx(&[("Data", cells(&TABLE))]), FileFormat::Xlsx),
        (parquet(&TABLE), FileFormat::Parquet),
    ] {
        let error = read_parts(&[&bytes], format, &missing).unwrap_err();
        assert_eq!((error.code, error.column.as_deref()), ("missing_column", Some("stores")));
        assert!(error.suggestion.is_some_and(|text| text.contains("closest column is 'store'")));
        for columns in [columns(&["state", "target"], "/", "t"), columns(&["item", "item"], "/", "t")] {
            assert_eq!(read_parts(&[&bytes], format, &columns).unwrap_err().code, "duplicate_column");
        }
    }
    // A later file without the column is a matter of the files.
    let second = "item,timestamp,note,state,target\nx,2026-01-01,,CA,1\n";
    let error = read_parts(&[text.as_bytes(), second.as_bytes()], FileFormat::Csv, &usual()).unwrap_err();
    assert_eq!(error.code, "schema_mismatch");
}

#[test]
fn crossed_columns_are_a_warning_with_the_count_of_values() {
    let crossed = |table: &[[&str; 3]]| {
        let mut text = String::from("a,b,c,timestamp,target\n");
        for [a, b, c] in table {
            for year in [1999, 2000] {
                writeln!(text, "{a},{b},{c},{year},1").unwrap();
            }
        }
        let panel = read(&text, &columns(&["a", "b", "c"], "--", "t")).unwrap();
        panel.warnings.first().map(|warning| (warning.code.clone(), warning.count, warning.message.clone()))
    };
    assert_eq!(crossed(&[["1", "x", "p"], ["1", "x", "q"], ["1", "y", "r"], ["2", "z", "s"]]), None);
    // The same value in columns of different depth is no crossing.
    assert_eq!(crossed(&[["1", "1", "1"], ["2", "2", "2"]]), None);
    let (code, count, message) =
        crossed(&[["1", "x", "p"], ["1", "y", "p"], ["2", "x", "p"], ["2", "x", "q"], ["3", "x", "q"]])
            .unwrap();
    assert_eq!((&*code, count), ("crossed_hierarchy", 3));
    assert!(
        message.starts_with(
            "3 values of the hierarchy stand below more than one parent, the first of them 'x' of column 'b'"
        ),
        "{message}"
    );
    // `1-!` sorts before `1--`, and `1` has its series as neighbours all the same.
    let (_, count, message) = crossed(&[["1", "x", "p"], ["1", "y", "q"], ["1-!", "x", "r"]]).unwrap();
    assert_eq!(count, 1, "{message}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    /// Whatever is taken comes apart again, and nothing is refused that would.
    #[test]
    fn composites_come_apart_again(
        separator in "a|ab|aa|aba|::|/|ab:ab|-",
        table in proptest::collection::vec(proptest::collection::vec("[ab:/]{1,4}", 3), 1..6),
    ) {
        let mut text = String::from("x,y,z,timestamp,target\n");
        for (row, values) in table.iter().enumerate() {
            for copy in 0..2 {
                writeln!(text, "{},{}", values.join(","), format_args!("{},1", 1_000_000_000 + row * 2 + copy)).unwrap();
            }
        }
        let comes_apart = |values: &Vec<String>| {
            // From either place where a value ends, the separator is the first thing that is found.
            let joined = values.join(&separator);
            joined.split(separator.as_str()).map(str::to_owned).collect::<Vec<_>>() == *values
        };
        let is_good = table.iter().all(comes_apart);
        match read(&text, &columns(&["x", "y", "z"], &separator, "total")) {
            Ok(panel) => {
                prop_assert!(is_good);
                let mut distinct = table.clone();
                distinct.sort();
                distinct.dedup();
                let mut found: Vec<Vec<String>> =
                    panel.ids.iter().map(|id| id.split(separator.as_str()).map(str::to_owned).collect()).collect();
                found.sort();
                prop_assert_eq!(found, distinct);
            }
            Err(error) => {
                prop_assert_eq!(error.code, "separator_in_hierarchy");
                prop_assert!(!is_good);
                let first = table.iter().position(|values| !comes_apart(values)).unwrap() as u64 * 2 + 1;
                let count = table.iter().filter(|values| !comes_apart(values)).count() as u64 * 2;
                prop_assert_eq!((error.row, error.count), (Some(first), Some(count)));
            }
        }
    }
}
