//! Which series rows belong to.

use crate::support::{filter, good, named, refused};

const SALES: &str = "\
shop,region,timestamp,target,price,promo,note
1,North,2024-01-01,1,2,true,
1,North,2024-01-02,2,,false,first
2,North,2024-01-01,10,4,false,second
2,North,2024-01-02,,6,,
3,South,2024-01-01,100,1,,x
3,South,2024-01-02,,,,
";

fn columns(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn a_column_names_the_series_and_equal_times_become_one() {
    let prepared = good(SALES, |request| request.series_columns = Some(columns(&["region"])));
    let expected = ["North 2024-01-01 11", "North 2024-01-02 2", "South 2024-01-01 100", "South 2024-01-02"];
    assert_eq!(prepared.lines(), expected);
    assert_eq!((prepared.summary.series_before, prepared.summary.series_after), (2, 2));
    assert_eq!(prepared.summary.rows_combined, 2);
    let prepared = good(SALES, |request| {
        request.series_columns = Some(columns(&["region"]));
        request.aggregate = named("mean");
    });
    assert_eq!(prepared.column("target"), ["5.5", "2", "100", ""]);
}

#[test]
fn covariates_become_their_mean_or_their_first_text() {
    let prepared = good(SALES, |request| {
        request.series_columns = Some(columns(&["region"]));
        request.columns.covariates = vec!["price".into(), "promo".into(), "note".into()];
    });
    assert_eq!(prepared.column("price"), ["3", "6", "1", ""]);
    assert_eq!(prepared.column("promo"), ["0.5", "0", "", ""]);
    assert_eq!(prepared.column("note"), ["second", "first", "x", ""]);
}

#[test]
fn several_columns_are_joined_and_none_makes_one_series() {
    let prepared = good(SALES, |request| request.series_columns = Some(columns(&["region", "shop"])));
    assert_eq!(prepared.column("item_id")[..3], ["North::1", "North::1", "North::2"]);
    assert_eq!((prepared.summary.series_before, prepared.summary.series_after), (3, 3));
    let prepared = good(SALES, |request| request.series_columns = Some(columns(&[])));
    assert_eq!(prepared.lines(), ["all 2024-01-01 111", "all 2024-01-02 2"]);
    assert_eq!(prepared.summary.series_before, 1);
}

#[test]
fn values_that_could_not_be_told_apart_are_refused() {
    let table = "x,y,timestamp,target\na::b,c,2024-01-01,1\na,b::c,2024-01-01,1\n";
    let error = refused(table, |request| request.series_columns = Some(columns(&["x", "y"])));
    assert_eq!((error.code, error.item.as_deref()), ("ambiguous_item_id", Some("a::b::c")));
    let table = "x,y,timestamp,target\na,,2024-01-01,1\nb,c,2024-01-01,1\n";
    let error = refused(table, |request| request.series_columns = Some(columns(&["x", "y"])));
    assert_eq!((error.code, error.column.as_deref()), ("missing_hierarchy_value", Some("y")));
    let prepared = good(table, |request| {
        request.series_columns = Some(columns(&["x", "y"]));
        request.filters = vec![filter("x", "eq", &["b"])];
    });
    assert_eq!(prepared.lines(), ["b::c 2024-01-01 1"]);
    let error = refused(table, |request| request.series_columns = Some(columns(&["y"])));
    assert_eq!((error.code, error.column.as_deref()), ("missing_item_id", Some("y")));
    let error = refused(table, |request| request.series_columns = Some(columns(&["z"])));
    assert_eq!((error.code, error.column.as_deref()), ("missing_column", Some("z")));
    let error = refused(table, |request| request.series_columns = Some(columns(&["timestamp"])));
    assert_eq!(error.code, "duplicate_column");
}

#[test]
fn values_may_have_the_separator_as_long_as_ids_differ() {
    let table = "x,y,timestamp,target\na:,b,2024-01-01,1\na,::b,2024-01-01,2\n";
    let prepared = good(table, |request| request.series_columns = Some(columns(&["x", "y"])));
    assert_eq!(prepared.column("item_id"), ["a::::b", "a:::b"]);
}

#[test]
fn a_hierarchy_names_the_series_and_its_columns_are_kept() {
    let hierarchy = tabcast_table::HierarchyColumns {
        columns: vec!["region".into(), "shop".into()],
        separator: "/".into(),
        total_label: "total".into(),
    };
    let prepared = good(SALES, |request| request.hierarchy = Some(hierarchy.clone()));
    assert_eq!(prepared.frame.names, ["item_id", "timestamp", "target", "region", "shop"]);
    assert_eq!(prepared.cell("item_id", 0), "North/1");
    assert_eq!(prepared.cell("shop", 5), "3");
    let error = refused(SALES, |request| {
        request.hierarchy = Some(hierarchy);
        request.series_columns = Some(columns(&["region"]));
    });
    assert_eq!(error.code, "invalid_preparation");
}

#[test]
fn without_series_columns_and_step_duplicates_are_left_for_the_reader_to_judge() {
    let table = "item_id,timestamp,target\na,2024-01-02,1\na,2024-01-01,2\na,2024-01-01,3\n";
    let prepared = good(table, |_| {});
    assert_eq!(prepared.lines(), ["a 2024-01-01 2", "a 2024-01-01 3", "a 2024-01-02 1"]);
    assert_eq!(prepared.summary.rows_combined, 0);
}

#[test]
fn more_series_than_may_be_are_refused() {
    let error = refused(SALES, |request| {
        request.series_columns = Some(columns(&["shop"]));
        request.limits.max_series = 2;
    });
    assert_eq!(error.code, "too_many_series");
}
