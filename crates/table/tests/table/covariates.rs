//! Further columns of CSV and Parquet files.

use std::fmt::Write;

use crate::support::parquet::{Values, file, text, with_footer};
use crate::support::{Folder, read_columns, rows};
use parquet::file::properties::WriterProperties;
use tabcast_calendar::Frequency;
use tabcast_table::{
    Columns, ContentError, CovariateValues, FileFormat, FutureValues, Limits, MAX_CATEGORIES,
    MISSING_CATEGORY, Panel, dataset_hash, future_values,
};

const START: i64 = 1_767_225_600_000_000;
const DAY: i64 = 86_400_000_000;

fn read_as(
    bytes: &[u8],
    format: FileFormat,
    names: &[&str],
    threads: usize,
) -> Result<Panel, Box<ContentError>> {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, bytes).unwrap();
    let covariates = names.iter().map(|name| (*name).to_owned()).collect();
    let columns = Columns { covariates, ..Columns::default() };
    read_columns(&path, format, columns, Limits::default(), threads)
}

fn read(text: &str, names: &[&str]) -> Result<Panel, Box<ContentError>> {
    read_as(text.as_bytes(), FileFormat::Csv, names, 2)
}

fn numbers(panel: &Panel, index: usize) -> &[f64] {
    match &panel.covariates[index].values {
        CovariateValues::Numbers(values) => values,
        other => panic!("{other:?}"),
    }
}

/// The cells of a column of categories, `None` for a missing one.
fn categories(panel: &Panel, index: usize) -> Vec<Option<&str>> {
    match &panel.covariates[index].values {
        CovariateValues::Categories { codes, names } => codes
            .iter()
            .map(|code| (*code != MISSING_CATEGORY).then(|| names[*code as usize].as_str()))
            .collect(),
        other => panic!("{other:?}"),
    }
}

fn warning_codes(panel: &Panel) -> Vec<&str> {
    panel.warnings.iter().map(|warning| &*warning.code).collect()
}

const TABLE: &str = "region,item_id,price,timestamp,open,target,note,day\n\
    south,b,4,2026-01-02,False,40,x,2026-01-02\n\
    north,a,1.5,2026-01-01,true,10,,2026-01-01\n\
    ,b,,2026-01-01,TRUE,30,\"q,\"\"\",2026-01-01\n\
    south,a,-2e0,2026-01-02,false,20,7.0,2026-01-02\n\
    north,b,NA,2026-01-03,,,7,\n";

#[test]
fn covariates_are_sorted_and_grouped_like_the_targets() {
    let panel = read(TABLE, &["price", "region", "open", "note", "day"]).unwrap();
    assert_eq!(&panel.targets[..4], [10.0, 20.0, 30.0, 40.0]);
    let price = numbers(&panel, 0);
    assert_eq!((&price[..2], price[3]), (&[1.5, -2.0][..], 4.0));
    assert!(price[2].is_nan() && price[4].is_nan());
    assert_eq!(categories(&panel, 1), [Some("north"), Some("south"), None, Some("south"), Some("north")]);
    let open = numbers(&panel, 2);
    assert_eq!(&open[..4], [1.0, 0.0, 1.0, 0.0]);
    assert!(open[4].is_nan());
    assert_eq!(categories(&panel, 3), [None, Some("7"), Some("q,\""), Some("x"), Some("7")]);
    let days = [Some("2026-01-01"), Some("2026-01-02"), Some("2026-01-01"), Some("2026-01-02"), None];
    assert_eq!(categories(&panel, 4), days);
    assert_eq!(warning_codes(&panel), ["mixed_covariate"]);
    let names: Vec<&str> = panel.covariates.iter().map(|covariate| covariate.name.as_str()).collect();
    assert_eq!(names, ["price", "region", "open", "note", "day"]);
    assert!(read(TABLE, &[]).unwrap().covariates.is_empty());
}

/// Rows of one group of the Parquet form of `TABLE`.
fn parquet(range: std::ops::Range<usize>) -> Vec<(Values, Option<Vec<i16>>)> {
    fn pick<T: Clone>(range: &std::ops::Range<usize>, cells: &[Option<T>]) -> (Vec<T>, Option<Vec<i16>>) {
        let cells = &cells[range.clone()];
        (
            cells.iter().flatten().cloned().collect(),
            Some(cells.iter().map(|cell| i16::from(cell.is_some())).collect()),
        )
    }
    let texts = |cells: &[Option<&str>]| {
        let (cells, levels) = pick(&range, cells);
        (text(&cells), levels)
    };
    let days = (START / DAY) as i32;
    let (times, time_levels) = pick(&range, &[1, 0, 0, 1, 2].map(|day| Some(START + day * DAY)));
    let (targets, target_levels) = pick(&range, &[Some(40.0), Some(10.0), Some(30.0), Some(20.0), None]);
    let (price, price_levels) = pick(&range, &[Some(4.0), Some(1.5), None, Some(-2.0), Some(f64::NAN)]);
    let (open, open_levels) = pick(&range, &[Some(false), Some(true), Some(true), Some(false), None]);
    let (day, day_levels) = pick(&range, &[Some(days + 1), Some(days), Some(days), Some(days + 1), None]);
    vec![
        texts(&[Some("b"), Some("a"), Some("b"), Some("a"), Some("b")]),
        (Values::Int64(times), time_levels),
        (Values::Double(targets), target_levels),
        (Values::Double(price), price_levels),
        texts(&[Some("south"), Some("north"), None, Some(" south "), Some("north")]),
        (Values::Boolean(open), open_levels),
        texts(&[Some("x"), None, Some("q,\""), Some("7"), Some("7.0")]),
        (Values::Int32(day), day_levels),
    ]
}

const SCHEMA: &str = "message m { optional binary item_id (STRING); optional int64 timestamp (TIMESTAMP(MICROS,false)); \
    optional double target; optional double price; optional binary region (STRING); optional boolean open; \
    optional binary note; optional int32 day (DATE); }";

#[test]
fn both_formats_give_the_same_covariates_and_the_same_hash() {
    let names = ["price", "region", "open", "note", "day"];
    let csv = read(TABLE, &names).unwrap();
    let bytes = file(SCHEMA, vec![parquet(0..2), parquet(2..5)], WriterProperties::default());
    for threads in [1, 2, 4] {
        let panel = read_as(&bytes, FileFormat::Parquet, &names, threads).unwrap();
        assert_eq!(rows(&panel), rows(&csv));
        assert_eq!(format!("{:?}", panel.covariates), format!("{:?}", csv.covariates));
        assert_eq!(dataset_hash(&panel), dataset_hash(&csv));
    }
    let turned = read(TABLE, &["day", "note", "region", "open", "price"]).unwrap();
    assert_eq!(dataset_hash(&turned), dataset_hash(&csv));
    let hashes: std::collections::HashSet<String> = [
        csv,
        read(TABLE, &[]).unwrap(),
        read(TABLE, &["price"]).unwrap(),
        read(TABLE, &["open"]).unwrap(),
        read(&TABLE.replace("-2e0", "2e0"), &["price"]).unwrap(),
        read(TABLE, &["region"]).unwrap(),
        read(&TABLE.replace("south", "sooth"), &["region"]).unwrap(),
        read(&TABLE.replace("north,a", "south,a"), &["region"]).unwrap(),
    ]
    .iter()
    .map(dataset_hash)
    .collect();
    assert_eq!(hashes.len(), 8);
    // Without covariates the hash is the one that the first release had.
    let plain = read("item_id,timestamp,target\na,2026-01-01,1\na,2026-01-02,2\n", &[]).unwrap();
    assert_eq!(dataset_hash(&plain), "e959f91ca6f7faeb520527ac8dd055a88e9b0bbedaf646074998148ee93389b3");
}

#[test]
fn columns_that_cannot_be_covariates_are_named() {
    let refused = |names: &[&str]| {
        let error = read(TABLE, names).unwrap_err();
        (error.code, error.kind.status(), error.column.unwrap(), error.message)
    };
    let (code, status, column, message) = refused(&["price", "weather"]);
    assert_eq!((code, status, column.as_str()), ("missing_column", 422, "weather"));
    assert!(message.contains("'region', 'item_id', 'price'"), "{message}");
    let suggestion = |name: &str| read(TABLE, &[name]).unwrap_err().suggestion.unwrap();
    assert_eq!(suggestion("Prize"), "Correct covariates; the closest column is 'price'.");
    assert_eq!(suggestion("reigon"), "Correct covariates; the closest column is 'region'.");
    assert_eq!(suggestion("weather"), "Correct covariates, or leave the column out there.");
    for names in [&["target"][..], &["price", "price"]] {
        let (code, status, column, message) = refused(names);
        assert_eq!((code, status, column.as_str()), ("duplicate_column", 422, *names.last().unwrap()));
        assert!(message.contains("twice"), "{message}");
    }
    let bytes = file(SCHEMA, vec![parquet(0..5)], WriterProperties::default());
    let refused = |names: &[&str]| read_as(&bytes, FileFormat::Parquet, names, 2).unwrap_err().code;
    assert_eq!((refused(&["weather"]), refused(&["target"])), ("missing_column", "duplicate_column"));
    let latin = "message m { required binary item_id; required int32 timestamp (DATE); required double target; \
        required binary x; }";
    let columns = || {
        vec![
            (text(&["a", "a"]), None),
            (Values::Int32(vec![1, 2]), None),
            (Values::Double(vec![1.0, 2.0]), None),
        ]
    };
    for (cell, code) in [(b"M\xfc".to_vec(), "unsupported_encoding"), (vec![b'x'; 40_000], "cell_too_long")] {
        let mut columns = columns();
        columns.push((Values::Text(vec![cell.clone(), cell]), None));
        let bytes = file(latin, vec![columns], WriterProperties::default());
        let error = read_as(&bytes, FileFormat::Parquet, &["x"], 2).unwrap_err();
        assert_eq!((error.code, error.column.as_deref()), (code, Some("x")));
        assert!(read_as(&bytes, FileFormat::Parquet, &[], 2).is_ok());
    }
    // Counted with the other columns before anything is decoded.
    let huge = with_footer(
        &bytes,
        |group| group,
        |column| {
            let lies = column.column_path().string() == "price";
            let values = if lies { 1 << 40 } else { column.num_values() };
            column.into_builder().set_num_values(values).build().unwrap()
        },
    );
    assert!(read_as(&huge, FileFormat::Parquet, &[], 2).is_ok());
    assert_eq!(read_as(&huge, FileFormat::Parquet, &["price"], 2).unwrap_err().code, "corrupt_file");
}

/// Hourly rows of 40 items with a column of so many categories, one of bare numbers, one of both, and one of nothing.
fn large(categories: usize) -> String {
    let mut text = String::from("item_id,timestamp,target,class,price,mixed,none\n");
    for row in 0..60_000 {
        let (item, second) = (row * 7 % 40, 1_600_000_000 + (row / 40) * 3600);
        let mixed = if row % 1000 == 999 { "none of them".to_owned() } else { (row % 10).to_string() };
        writeln!(text, "i{item},{second},{row},c{},{}.5,{mixed},", row * 17 % categories, row % 977).unwrap();
    }
    text
}

#[test]
fn the_number_of_threads_changes_no_covariate() {
    let names = ["class", "price", "mixed", "none"];
    let text = large(MAX_CATEGORIES);
    let one = read_as(text.as_bytes(), FileFormat::Csv, &names, 1).unwrap();
    for threads in [2, 5] {
        let panel = read_as(text.as_bytes(), FileFormat::Csv, &names, threads).unwrap();
        assert_eq!((&panel.covariates, &panel.warnings), (&one.covariates, &one.warnings));
    }
    for (row, target) in one.targets.iter().enumerate() {
        let number = *target as usize;
        assert_eq!(numbers(&one, 1)[row], (number % 977) as f64 + 0.5);
    }
    let class = categories(&one, 0);
    assert!(one.targets.iter().zip(class).all(|(target, class)| {
        class == Some(format!("c{}", *target as usize * 17 % MAX_CATEGORIES).as_str())
    }));
    assert!(
        matches!(&one.covariates[2].values, CovariateValues::Categories { names, .. } if names.len() == 11)
    );
    // The column without a value is of no use, and neither is one with too many: a warning each, no error.
    assert_eq!(warning_codes(&one), ["mixed_covariate", "unusable_covariate"]);
    let text = large(MAX_CATEGORIES + 1);
    for threads in [1, 2, 5] {
        let panel = read_as(text.as_bytes(), FileFormat::Csv, &names, threads).unwrap();
        assert_eq!(warning_codes(&panel), ["unusable_covariate", "mixed_covariate", "unusable_covariate"]);
        for index in [0, 3] {
            assert!(matches!(panel.covariates[index].values, CovariateValues::Unusable { .. }));
        }
        assert_eq!(panel.covariates[1..3], one.covariates[1..3]);
    }
}

#[test]
fn words_for_a_missing_value_are_categories_in_a_column_of_categories() {
    let promo = ["none", "flash", "", "NaN", "inf", "none"];
    let price = ["1", "none", "", "NaN", "NA", "2"];
    let words = ["none", "NaN", "", "null", "-", "N/A"];
    let csv = (0..6).fold(String::from("item_id,timestamp,target,promo,price,words\n"), |text, row| {
        format!("{text}a,2026-01-0{},1,{},{},{}\n", row + 1, promo[row], price[row], words[row])
    });
    let schema = "message m { required binary item_id; required int32 timestamp (DATE); required double target; \
        required binary promo; required binary price; required binary words; }";
    let group = vec![
        (text(&["a"; 6]), None),
        (Values::Int32((20_454..20_460).collect()), None),
        (Values::Double(vec![1.0; 6]), None),
        (text(&promo), None),
        (text(&price), None),
        (text(&words), None),
    ];
    let parquet = file(schema, vec![group], WriterProperties::default());
    for (bytes, format) in [(csv.as_bytes(), FileFormat::Csv), (parquet.as_slice(), FileFormat::Parquet)] {
        let panel = read_as(bytes, format, &["promo", "price", "words"], 2).unwrap();
        let expected = promo.map(|cell| (!cell.is_empty()).then_some(cell));
        assert_eq!(categories(&panel, 0), expected, "{format:?}");
        let price = numbers(&panel, 1);
        assert_eq!((price[0], price[5]), (1.0, 2.0));
        assert!(price[1..5].iter().all(|value| value.is_nan()));
        assert!(matches!(panel.covariates[2].values, CovariateValues::Unusable { .. }));
        assert_eq!(warning_codes(&panel), ["unusable_covariate"]);
    }
}

#[test]
fn a_text_among_numbers_is_reported_with_its_row() {
    // Long enough for several blocks; the items are not in order, and their ids do not decide which row is first.
    let table = |texts: &[usize]| {
        let mut text = String::from("item_id,timestamp,target,price\n");
        for row in 0..200_000 {
            let second = 1_600_000_000 + row / 40 * 3600;
            write!(text, "i{},{second},1,", row * 7 % 40).unwrap();
            match row {
                row if texts.contains(&row) => writeln!(text, "n/v{}", "!".repeat(row % 100)),
                row if row % 1000 == 0 => writeln!(text, "NA"),
                row => writeln!(text, "{}", row % 50),
            }
            .unwrap();
        }
        text
    };
    let message = |texts: &[usize], threads| {
        let panel = read_as(table(texts).as_bytes(), FileFormat::Csv, &["price"], threads).unwrap();
        assert!(matches!(panel.covariates[0].values, CovariateValues::Categories { .. }));
        assert_eq!(warning_codes(&panel), ["mixed_covariate"]);
        assert_eq!(panel.warnings[0].count, texts.len() as u64);
        panel.warnings[0].message.clone()
    };
    for threads in [1, 4] {
        assert_eq!(
            message(&[150_000], threads),
            "The covariate 'price' has numbers, but 1 of its cells is no number, so all its values are used as categories; \
            the first is 'n/v' in data row 150001."
        );
        let several = message(&[199_999, 123_499, 180_001], threads);
        assert!(several.contains("but 3 of its cells are no number"), "{several}");
        let shown = format!("the first is 'n/v{}…' in data row 123500.", "!".repeat(37));
        assert!(several.contains(&shown), "{several}");
    }
    let plain = read_as(table(&[]).as_bytes(), FileFormat::Csv, &["price"], 2).unwrap();
    assert!(plain.warnings.is_empty() && numbers(&plain, 0).len() == 200_000);
    // No number at all: nothing is mixed.
    assert!(read(TABLE, &["region", "day"]).unwrap().warnings.is_empty());
}

#[test]
fn infinite_values_are_missing_and_counted() {
    let panel = read(&TABLE.replace("1.5", "inf").replace("-2e0", "1e999"), &["price"]).unwrap();
    assert_eq!(numbers(&panel, 0).iter().filter(|value| value.is_nan()).count(), 4);
    assert_eq!((&*panel.warnings[0].code, panel.warnings[0].count), ("infinite_covariate", 2));
}

#[test]
fn future_values_are_complete_absent_or_refused() {
    let daily = Frequency::parse("D").unwrap();
    let table = |rows: &[&str]| {
        let text = format!("item_id,timestamp,target,price,promo,past\n{}\n", rows.join("\n"));
        read(&text, &["price", "promo", "past"]).unwrap()
    };
    let mut rows = vec![
        "a,2026-01-01,1,1,yes,5",
        "a,2026-01-02,2,2,no,5",
        "a,2026-01-03,,3,yes,",
        "a,2026-01-04,,4,no,",
        "b,2026-01-05,1,1,yes,5",
        "b,2026-01-06,2,2,no,5",
        "b,2026-01-08,,9,no,",
        "b,2026-01-07,,8,no,",
        "b,2026-01-09,,,,7",
    ];
    let (known, none) = (FutureValues::Complete, FutureValues::None);
    assert_eq!(future_values(&table(&rows), daily, 2, |_| 0).unwrap(), [known, known, none]);
    assert_eq!(future_values(&table(&rows), daily, 1, |_| 0).unwrap(), [known, known, none]);
    let refused = |panel: &Panel, horizon| {
        let error = *future_values(panel, daily, horizon, |_| 0).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("partial_future_covariate", 422));
        (error.column.unwrap(), error.item.unwrap(), error.count.unwrap())
    };
    assert_eq!(refused(&table(&rows), 3), ("price".into(), "a".into(), 2));
    rows[7] = "b,2026-01-07,,8,,";
    assert_eq!(refused(&table(&rows), 2), ("promo".into(), "b".into(), 1));
    let beside = rows[3].replace("2026-01-04", "2026-01-04T07:00:00");
    rows[3] = &beside;
    assert_eq!(refused(&table(&rows), 2), ("price".into(), "a".into(), 1));
    let many: Vec<String> =
        (0..9).flat_map(|item| (1..=2).map(move |day| format!("s{item},2026-01-0{day},1,1,yes,5"))).collect();
    let mut rows: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(future_values(&table(&rows), daily, 2, |_| 0).unwrap(), [none; 3]);
    rows.push("s8,2026-01-03,,1,,");
    let error = future_values(&table(&rows), daily, 1, |_| 0).unwrap_err();
    assert!(error.message.contains("8 items: 's0', 's1', 's2', 's3', 's4'") && !error.message.contains("s5"));
}
