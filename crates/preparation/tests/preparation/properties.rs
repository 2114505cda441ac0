//! What holds for any data.

use std::fmt::Write;

use proptest::prelude::*;
use tabcast_calendar::parse_timestamp;

use crate::support::{date, filter, good, named, prepared};

/// Rows of up to four series, each with a day, a whole target or none, and a price.
fn rows() -> impl Strategy<Value = Vec<(u8, i64, Option<i32>, i32)>> {
    let target = prop_oneof![4 => (-1000..1000_i32).prop_map(Some), 1 => Just(None)];
    prop::collection::vec((0..4_u8, 0..120_i64, target, -50..50_i32), 1..200)
}

fn table(rows: &[(u8, i64, Option<i32>, i32)]) -> String {
    let mut csv = "item_id,timestamp,target,price\n".to_owned();
    for (item, day, target, price) in rows {
        let target = target.map_or_else(String::new, |target| target.to_string());
        writeln!(csv, "s{item},{},{target},{price}", date(1_704_067_200_000_000 + day * 86_400_000_000))
            .expect("text");
    }
    csv
}

fn sum(column: &[String]) -> f64 {
    column.iter().filter(|text| !text.is_empty()).map(|text| text.parse::<f64>().expect("a number")).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// The targets are whole numbers, so that sums are exact.
    #[test]
    fn sums_over_weeks_are_the_sum_over_the_rows_of_these_weeks(rows in rows()) {
        let csv = table(&rows);
        let Ok(weeks) = prepared(&csv, |request| request.step = Some("W-SUN".into())) else { return Ok(()) };
        let with_target = weeks.column("timestamp").into_iter().zip(weeks.column("target"));
        let labels: Vec<i64> = with_target
            .filter(|(_, target)| !target.is_empty())
            .map(|(day, _)| parse_timestamp(day.as_bytes()).expect("a day").micros)
            .collect();
        if labels.is_empty() {
            return Ok(());
        }
        let (first, last) = (labels.iter().min().copied().unwrap_or(0), labels.iter().max().copied().unwrap_or(0));
        let from = date(first - 6 * 86_400_000_000);
        // Where a week was dropped, its rows are in no sum.
        let covered = good(&csv, |request| {
            request.filters = vec![filter("timestamp", "between", &[from.as_str(), &date(last)])];
        });
        prop_assert_eq!(sum(&weeks.column("target")), sum(&covered.column("target")));
    }

    #[test]
    fn filters_partition_the_rows(rows in rows(), price in -60..60_i32) {
        let csv = table(&rows);
        let price = price.to_string();
        let used = |op: &str| prepared(&csv, |request| request.filters = vec![filter("price", op, &[&price])])
            .map_or(0, |prepared| prepared.summary.rows_used);
        let all = rows.len() as u64;
        prop_assert_eq!(used("lt") + used("gte"), all);
        prop_assert_eq!(used("gt") + used("lte"), all);
        prop_assert_eq!(used("eq") + used("ne"), all);
        prop_assert_eq!(used("in") + used("not_in"), all);
    }

    #[test]
    fn rows_read_are_used_or_taken_out_and_used_ones_are_steps_or_combined(rows in rows(), price in -50..50_i32) {
        let price = price.to_string();
        let outcome = prepared(&table(&rows), |request| {
            request.filters = vec![filter("price", "gte", &[&price]), filter("item_id", "ne", &["s1"])];
            request.step = Some("D".into());
            request.aggregate = named("mean");
        });
        let Ok(prepared) = outcome else { return Ok(()) };
        let summary = prepared.summary;
        let taken: u64 = summary.filtered.iter().map(|filter| filter.rows).sum();
        prop_assert_eq!(summary.rows_used + taken, summary.rows_read);
        let kept = summary.rows_written + summary.rows_combined;
        prop_assert_eq!(kept == summary.rows_used, summary.warnings.is_empty());
        prop_assert!(kept <= summary.rows_used);
    }

    #[test]
    fn the_bytes_depend_on_neither_threads_nor_the_order_of_whole_numbers(rows in rows()) {
        let of = |rows: &[(u8, i64, Option<i32>, i32)], threads: usize| prepared(&table(rows), |request| {
            request.threads = threads;
            request.step = Some("W-SUN".into());
            request.missing = named("interpolate");
            request.columns.covariates = vec!["price".into()];
        }).ok().map(|prepared| prepared.bytes);
        prop_assert_eq!(of(&rows, 1), of(&rows, 3));
        let reversed: Vec<_> = rows.iter().rev().copied().collect();
        prop_assert_eq!(of(&rows, 2), of(&reversed, 2));
    }

    /// Between the first and the last value nothing is missing afterwards, and values that were there stay.
    #[test]
    fn filled_series_have_every_step_once(rows in rows()) {
        for method in ["ffill", "bfill", "interpolate", "zero", "mean"] {
            let outcome = prepared(&table(&rows), |request| {
                request.step = Some("D".into());
                request.missing = named(method);
            });
            let Ok(prepared) = outcome else { return Ok(()) };
            let lines: Vec<(String, i64, String)> = (0..prepared.frame.rows).map(|row| {
                let time = parse_timestamp(prepared.cell("timestamp", row).as_bytes()).expect("a day").micros;
                (prepared.cell("item_id", row), time, prepared.cell("target", row))
            }).collect();
            for series in lines.chunk_by(|left, right| left.0 == right.0) {
                let first = series.iter().position(|line| !line.2.is_empty());
                let last = series.iter().rposition(|line| !line.2.is_empty());
                let (Some(first), Some(last)) = (first, last) else { continue };
                let between = &series[first..=last];
                prop_assert!(between.iter().all(|line| !line.2.is_empty()));
                prop_assert!(between.windows(2).all(|pair| pair[1].1 - pair[0].1 == 86_400_000_000));
            }
        }
    }
}
