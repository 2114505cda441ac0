//! What the other columns have to do with the series.

use std::fmt::Write;

use super::{column, csv, day, noise, series_of};

/// `items` series of 30 days; `cells` makes what stands behind the target.
fn table(head: &str, items: usize, cells: impl Fn(usize, usize) -> String) -> String {
    let mut text = format!("item_id,date,sales,{head}\n");
    for item in 0..items {
        for row in 0..30 {
            writeln!(text, "i{item},{},{},{}", day(row), (row * 7 + item) % 11, cells(item, row)).unwrap();
        }
    }
    text
}

fn hierarchy(text: &str) -> Vec<String> {
    series_of(&csv(text)).hierarchy_columns.clone()
}

#[test]
fn columns_that_nest_are_a_hierarchy_from_the_coarsest() {
    let text =
        table("city,country,region", 16, |item, _| format!("c{},n{},r{}", item / 2, item / 8, item / 4));
    assert_eq!(hierarchy(&text), ["country", "region", "city", "item_id"]);
    let profile = csv(&text);
    assert!(["city", "country", "region", "item_id"].iter().all(|name| column(&profile, name).is_static));
    assert!(!column(&profile, "date").is_static && !column(&profile, "sales").is_static);
}

#[test]
fn columns_that_cross_are_not_in_one_chain() {
    let text = table("left,right", 12, |item, _| format!("l{},r{}", item % 3, item % 4));
    assert_eq!(hierarchy(&text), ["left", "item_id"]);
    let text = table("left,right,half", 12, |item, _| format!("l{},r{},h{}", item % 3, item % 4, item % 2));
    assert_eq!(hierarchy(&text), ["half", "right", "item_id"]);
}

#[test]
fn a_column_that_says_the_same_is_one_level() {
    let text = table("name,region,region_name", 12, |item, _| format!("n{item},r{},R{}", item / 4, item / 4));
    assert_eq!(hierarchy(&text), ["region", "item_id"]);
    assert_eq!(hierarchy(&table("name", 12, |item, _| format!("n{item}"))), [""; 0]);
}

#[test]
fn levels_have_one_value_a_series_and_no_gap() {
    let changes =
        |item: usize, row: usize| if row > 20 && item == 3 { "x".into() } else { format!("r{}", item / 4) };
    let profile = csv(&table("region", 12, changes));
    assert_eq!(
        (series_of(&profile).hierarchy_columns.len(), column(&profile, "region").is_static),
        (0, false)
    );
    let gap = |item: usize, row: usize| {
        if row == 20 && item == 3 { String::new() } else { format!("r{}", item / 4) }
    };
    let profile = csv(&table("region", 12, gap));
    assert_eq!(
        (series_of(&profile).hierarchy_columns.len(), column(&profile, "region").is_static),
        (0, true)
    );
    let constant = table("country", 12, |_, _| "de".into());
    assert_eq!((hierarchy(&constant).len(), column(&csv(&constant), "country").is_static), (0, true));
}

#[test]
fn one_series_has_no_hierarchy() {
    assert_eq!(hierarchy(&table("region,kind", 1, |_, row| format!("r,k{}", row % 2))), [""; 0]);
}

#[test]
fn columns_that_move_with_the_target_are_named_strongest_first() {
    let mut random = noise(3);
    let mut text = "item_id,date,sales,promo,price,noise,open,area\n".to_owned();
    for item in 0..10 {
        for row in 0..60 {
            let (promo, price, other, open) = (random() > 0.7, random() * 3.0, random(), row % 7 != 6);
            let sales =
                20.0 * f64::from(u8::from(open)) + 6.0 * f64::from(u8::from(promo)) - price + random();
            writeln!(
                text,
                "i{item},{},{sales:.3},{},{price:.3},{other:.3},{open},{item}5",
                day(row),
                u8::from(promo)
            )
            .unwrap();
        }
    }
    let profile = csv(&text);
    assert_eq!(series_of(&profile).suspected_covariates, ["open", "promo", "price"]);
    assert!(column(&profile, "area").is_static);
}

#[test]
fn columns_without_values_are_nothing() {
    let profile = csv(&table("a,b", 3, |_, _| ",NA".into()));
    let series = series_of(&profile);
    assert!(series.suspected_covariates.is_empty() && series.hierarchy_columns.is_empty());
    assert!(!column(&profile, "a").is_static && !column(&profile, "b").is_static);
}
