//! Which rows are used.

use crate::support::{filter, good, header, refused};

/// A row a kind of trouble: upper and lower case, numbers, days with a time, missing cells, codes.
const TABLE: &str = "\
item_id,timestamp,target,region,price,code,launch
a,2024-03-30 09:00,1,North,1.5,007,2020-01-01
a,2024-03-31 00:00,2,north,2,7,2020-06-01
a,2024-03-31 23:59,3,South,10,008,2021-01-01
a,2024-04-01 00:00,4,,,8,2021-06-01
a,2024-04-02 00:00,5,NORTHWEST,-3,009,2022-01-01
";

/// Targets of the rows that a filter leaves.
fn left(column: &str, op: &str, values: &[&str]) -> String {
    let prepared = good(TABLE, |request| request.filters = vec![filter(column, op, values)]);
    assert_eq!(prepared.summary.rows_used + prepared.summary.filtered[0].rows, 5);
    prepared.column("target").join("")
}

#[test]
fn numbers_are_compared_as_numbers() {
    assert_eq!(left("price", "eq", &["2.0"]), "2");
    assert_eq!(left("price", "ne", &["2"]), "1345");
    assert_eq!(left("price", "gt", &["1.5"]), "23");
    assert_eq!(left("price", "gte", &["1.5"]), "123");
    assert_eq!(left("price", "lt", &["2"]), "15");
    assert_eq!(left("price", "lte", &["2"]), "125");
    assert_eq!(left("price", "between", &["1.5", "10"]), "123");
    assert_eq!(left("price", "in", &["10", "-3"]), "35");
    assert_eq!(left("price", "not_in", &["10", "-3"]), "124");
    assert_eq!(left("target", "gte", &["4"]), "45");
}

#[test]
fn a_date_is_its_whole_day_month_or_year() {
    assert_eq!(left("timestamp", "lte", &["2024-03-31"]), "123");
    assert_eq!(left("timestamp", "lt", &["2024-03-31"]), "1");
    assert_eq!(left("timestamp", "gt", &["2024-03-31"]), "45");
    assert_eq!(left("timestamp", "gte", &["2024-03-31"]), "2345");
    assert_eq!(left("timestamp", "eq", &["2024-03-31"]), "23");
    assert_eq!(left("timestamp", "ne", &["2024/03/31"]), "145");
    assert_eq!(left("timestamp", "between", &["2024-03-31", "2024-04-01"]), "234");
    assert_eq!(left("timestamp", "eq", &["2024-03"]), "123");
    assert_eq!(left("timestamp", "eq", &["2024"]), "12345");
    assert_eq!(left("timestamp", "lte", &["20240331"]), "123");
    assert_eq!(left("timestamp", "lte", &["2024-03-31 12:00"]), "12");
    assert_eq!(left("timestamp", "in", &["2024-03-30", "2024-04-02"]), "15");
    assert_eq!(left("timestamp", "in", &["2024-04-02", "2024-03-31 12:00", "2024-03", "2024-03-30"]), "1235");
    assert_eq!(left("timestamp", "not_in", &["2024-04-02", "2024-03-30", "2024-03-30 09:00"]), "234");
    assert_eq!(left("timestamp", "eq", &["2024Q1"]), "123");
    assert_eq!(left("timestamp", "gt", &["2024 Q1"]), "45");
    assert_eq!(left("timestamp", "eq", &["2024-W14"]), "45");
    assert_eq!(left("timestamp", "eq", &["2024-W13-6"]), "1");
    assert_eq!(left("timestamp", "eq", &["Mar 2024"]), "123");
    assert_eq!(left("timestamp", "lte", &["31 March 2024"]), "123");
    assert_eq!(left("timestamp", "lte", &["2024-03-31T12"]), "12");
    assert_eq!(left("timestamp", "lte", &["2024-03-31 12 UTC"]), "12");
}

#[test]
fn dates_whose_year_comes_last_are_compared_in_the_order_of_their_column() {
    let table = "item_id,timestamp,target,launch\n\
        a,30/03/2024 09:00,1,03/31/2020\na,31/03/2024 00:00,2,06/01/2020\na,31/03/2024 23:59,3,12/01/2019\n";
    let left = |column, op, value| {
        let prepared = good(table, |request| request.filters = vec![filter(column, op, &[value])]);
        assert_eq!(prepared.summary.warnings[0].code, "dates_day_first");
        prepared.column("target").join("")
    };
    assert_eq!(left("timestamp", "gte", "2024-03-31"), "23");
    assert_eq!(left("launch", "gte", "2020-06-01"), "2");
    assert_eq!(left("launch", "eq", "2020-03"), "1");
    let ambiguous = table.replace("30/03", "01/03").replace("31/03", "02/03");
    assert_eq!(refused(&ambiguous, |_| {}).code, "ambiguous_dates");
}

#[test]
fn texts_are_compared_exactly_and_without_case_where_none_is_equal() {
    assert_eq!(left("region", "eq", &["North"]), "1");
    assert_eq!(left("region", "eq", &["NORTH"]), "12");
    assert_eq!(left("region", "in", &["south", "north"]), "23");
    assert_eq!(left("region", "ne", &["north"]), "1345");
    assert_eq!(left("region", "not_in", &["north", "South"]), "145");
    assert_eq!(left("region", "contains", &["NoRtH"]), "125");
    assert_eq!(left("region", "contains", &["west"]), "5");
}

#[test]
fn columns_of_dates_that_are_not_the_timestamp_are_compared_as_times() {
    assert_eq!(left("launch", "lte", &["2021"]), "1234");
    assert_eq!(left("launch", "between", &["2020-06-01", "2021-01-01"]), "23");
    assert_eq!(left("launch", "eq", &["2020"]), "12");
    assert_eq!(left("launch", "not_in", &["2021", "2020-06", "2022-01-01"]), "1");
}

#[test]
fn ids_are_texts_and_codes_of_digits_keep_their_zeros() {
    let table = "item_id,timestamp,target\n007,2024-01-01,1\n7,2024-01-01,2\n12,2024-01-01,3\n";
    let used = |op: &str, values: &[&str]| {
        good(table, |request| request.filters = vec![filter("item_id", op, values)])
            .column("item_id")
            .join(" ")
    };
    assert_eq!(used("eq", &["7"]), "7");
    assert_eq!(used("eq", &["007"]), "7".replace('7', "007"));
    assert_eq!(used("gt", &["7"]), "12");
    let grouped = good(table, |request| {
        request.filters = vec![filter("item_id", "eq", &["007"])];
        request.series_columns = Some(Vec::new());
    });
    assert_eq!(grouped.lines(), ["all 2024-01-01 1"]);
}

#[test]
fn filters_are_counted_one_after_the_other() {
    let prepared = good(TABLE, |request| {
        request.filters = vec![filter("price", "gte", &["1.5"]), filter("region", "eq", &["NORTH"])];
    });
    let rows: Vec<u64> = prepared.summary.filtered.iter().map(|filter| filter.rows).collect();
    assert_eq!((prepared.summary.rows_read, prepared.summary.rows_used, rows), (5, 2, vec![2, 1]));
}

#[test]
fn what_no_filter_can_do_is_refused_with_the_column() {
    let of = |column: &str, op: &str, values: &[&str]| {
        refused(TABLE, |request| request.filters = vec![filter(column, op, values)])
    };
    let error = of("price", "gt", &["abc"]);
    assert_eq!((error.code, error.column.as_deref()), ("invalid_filter", Some("price")));
    assert!(error.message.contains("'abc'"), "{}", error.message);
    assert!(of("timestamp", "gt", &["soon"]).message.contains("compares times"));
    assert!(of("timestamp", "contains", &["2024"]).message.contains("has times"));
    assert!(of("price", "contains", &["1"]).message.contains("has numbers"));
    assert!(of("region", "gt", &["North"]).message.contains("has texts"));
    assert!(of("price", "between", &["1"]).message.contains("two values"));
    assert!(of("price", "eq", &["1", "2"]).message.contains("one value"));
    assert!(of("price", "in", &[]).message.contains("a value at least"));
}

#[test]
fn a_column_that_is_not_there_is_named_with_the_nearest() {
    let change = |request: &mut tabcast_preparation::Request| {
        request.filters = vec![filter("regoin", "eq", &["North"])];
    };
    let error = refused(TABLE, change);
    assert_eq!((error.code, error.column.as_deref()), ("missing_column", Some("regoin")));
    assert_eq!(error.suggestion.as_deref(), Some("Correct filters; the closest column is 'region'."));
    let Err(tabcast_preparation::Failure::Content(seen)) = header(TABLE, change) else { panic!("no error") };
    assert_eq!(*seen, error);
    assert!(header(TABLE, |request| request.filters = vec![filter("region", "eq", &["?"])]).is_ok());
}

#[test]
fn no_row_left_names_the_filter_that_took_out_the_most() {
    let error = refused(TABLE, |request| {
        request.filters = vec![filter("price", "gte", &["10"]), filter("region", "eq", &["Nort"])];
    });
    assert_eq!((error.code, error.column.as_deref(), error.count), ("no_rows_left", Some("price"), Some(4)));
    let error = refused(TABLE, |request| request.filters = vec![filter("region", "eq", &["Nort"])]);
    assert_eq!(error.column.as_deref(), Some("region"));
    assert!(error.suggestion.is_some_and(|text| text.contains("'North'")));
}

#[test]
fn rows_that_are_not_used_may_be_wrong() {
    let table = "item_id,timestamp,target\na,2024-01-01,1\nsum,total,n.a.\na,2024-01-02,x\n";
    let error = refused(table, |_| {});
    assert_eq!((error.code, error.row), ("unparseable_timestamp", Some(2)));
    let error = refused(table, |request| request.filters = vec![filter("item_id", "eq", &["a"])]);
    assert_eq!((error.code, error.row, error.count), ("non_numeric_target", Some(3), Some(1)));
    let table = "item_id,timestamp,target\na,2024-01-01,inf\n,2024-01-02,1\n";
    assert_eq!(refused(table, |_| {}).code, "missing_item_id");
    let error = refused(table, |request| request.filters = vec![filter("item_id", "eq", &["a"])]);
    assert_eq!(error.code, "non_finite_target");
}

#[test]
fn a_series_of_which_only_the_future_is_left_is_no_series() {
    let table = "item_id,timestamp,target,price\na,2024-01-01,1,5\na,2024-01-02,2,5\na,2024-01-03,,5\nb,2024-01-01,1,9\nb,2024-01-02,,5\nc,2024-01-01,,5\n";
    let prepared = good(table, |request| request.filters = vec![filter("price", "lt", &["9"])]);
    assert_eq!(prepared.column("item_id"), ["a", "a", "a"]);
    assert_eq!(prepared.summary.series_after, 1);
    let warning = &prepared.summary.warnings[0];
    assert_eq!(warning.message, "2 series have no value left after the filters and are not forecast.");
    let prepared = good(table, |_| {});
    // `c` has no value at all, which the reader tells.
    assert_eq!((prepared.summary.series_after, prepared.summary.warnings.len()), (3, 0));
    let prepared = good(table, |request| request.filters = vec![filter("timestamp", "gt", &["2024-01-02"])]);
    // Of all series: the reader tells.
    assert_eq!(prepared.column("item_id"), ["a"]);
}
