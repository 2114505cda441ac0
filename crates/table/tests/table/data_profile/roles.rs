//! Which columns are taken for what.

use std::fmt::Write;

use tabcast_table::{DataProfile, FileFormat};

use super::{csv, daily, day, profile_with, series_of};

fn roles(profile: &DataProfile) -> [Option<&str>; 3] {
    let roles = &profile.roles;
    [roles.timestamp.as_deref(), roles.target.as_deref(), roles.item_id.as_deref()]
}

/// Rows of `series` series of 20 days each; `cells` makes the cells behind the date.
fn panel(head: &str, series: usize, cells: impl Fn(usize, usize) -> String) -> String {
    let mut text = format!("{head}\n");
    for index in 0..series {
        for row in 0..20 {
            writeln!(text, "{},{}", day(row), cells(index, row)).unwrap();
        }
    }
    text
}

#[test]
fn usual_names_come_before_contents_and_contents_decide() {
    let text = panel("Order Date,Store Nbr,zip,Units Sold,discount", 3, |store, row| {
        format!("{store},{},{},0.{}", 1000 + store, row % 7, row % 3)
    });
    let profile = csv(&text);
    assert_eq!(roles(&profile), [Some("Order Date"), Some("Units Sold"), Some("Store Nbr")]);
    // A discount moves what is sold.
    assert_eq!(profile.roles.other_targets, [""; 0]);
    // A name alone is not enough.
    let text = panel("when,target,amount", 1, |_, row| format!("none at all {},{}", row % 3, row % 7));
    assert_eq!(roles(&csv(&text)), [Some("when"), Some("amount"), None]);
}

#[test]
fn several_columns_of_times_and_numbers_are_all_named() {
    let text = panel("updated_at,date,revenue,visits,price,flag,row_id", 1, |_, row| {
        format!(
            "{},{},{},{}.5,{},{}",
            day(row + 3),
            10 * row + row % 3,
            row % 9,
            row % 4,
            row % 2,
            1000 + row
        )
    });
    let profile = csv(&text);
    assert_eq!(roles(&profile), [Some("date"), Some("revenue"), None]);
    assert_eq!(profile.roles.other_timestamps, ["updated_at"]);
    assert_eq!(profile.roles.other_targets, ["visits"]);
}

#[test]
fn years_and_epochs_are_times_where_their_name_says_so() {
    let text = (1990..2020).map(|year| format!("{year},{}\n", year % 7)).collect::<Vec<_>>().concat();
    let profile = csv(&format!("year,population\n{text}"));
    assert_eq!(roles(&profile), [Some("year"), Some("population"), None]);
    assert_eq!(profile.columns[0].kind.name(), "timestamp");
    assert_eq!(series_of(&profile).start_text(), "1990-01-01T00:00:00Z");
    assert_eq!(series_of(&profile).freq.as_deref(), Some("YS"));
    let text = (0..30)
        .map(|hour| format!("{},{}\n", 1_767_225_600 + hour * 3600, hour % 7))
        .collect::<Vec<_>>()
        .concat();
    assert_eq!(series_of(&csv(&format!("ts,load\n{text}"))).freq.as_deref(), Some("h"));
}

#[test]
fn numbers_name_series_where_their_name_says_so() {
    let profile = csv(&panel("date,store,sales", 4, |store, row| format!("{},{}", 100 + store, row % 7)));
    assert_eq!(roles(&profile), [Some("date"), Some("sales"), Some("store")]);
    assert_eq!(series_of(&profile).num_items, 4);
}

#[test]
fn a_row_number_names_no_series() {
    let profile = csv(&daily("date,id,sales", 30, |row| format!("{row},{}", row % 7)));
    assert_eq!(roles(&profile), [Some("date"), Some("sales"), None]);
    assert_eq!(series_of(&profile).num_items, 1);
}

#[test]
fn a_text_beside_a_single_series_names_none() {
    let profile =
        csv(&daily("date,weather,sales", 60, |row| format!("{},{}", ["sun", "rain"][row % 2], row % 7)));
    assert_eq!(roles(&profile), [Some("date"), Some("sales"), None]);
    assert_eq!(series_of(&profile).num_items, 1);
}

#[test]
fn columns_that_cross_name_the_series_together() {
    let text = panel("date,product,store,kind,sales", 12, |series, row| {
        format!("p{},s{},k{},{}", series % 4, series / 4, row % 2, row % 7)
    });
    let profile = csv(&text);
    assert_eq!(roles(&profile), [Some("date"), Some("sales"), None]);
    let series = series_of(&profile);
    assert_eq!(series.num_items, 12);
    assert_eq!(series.hierarchy_columns, ["store", "product"]);
    assert!(profile.columns[1].is_static && profile.columns[2].is_static && !profile.columns[3].is_static);
}

#[test]
fn a_column_that_belongs_to_one_of_those_that_cross_stands_above_it() {
    let text = panel("date,region,store,sku,sales", 12, |series, row| {
        let store = series / 3;
        format!("r{},s{store},k{},{}", store / 2, series % 3, row % 7)
    });
    assert_eq!(series_of(&csv(&text)).hierarchy_columns, ["region", "store", "sku"]);
}

#[test]
fn what_moves_a_target_is_none() {
    let text = panel("date,price,staff,calls,stock,emails", 1, |_, row| {
        format!("{}.5,{},{},{},{}", row % 4, row % 5, 10 * row + row % 3, row % 6, row % 9)
    });
    let profile = csv(&text);
    assert_eq!(roles(&profile), [Some("date"), Some("calls"), None]);
    assert_eq!(profile.roles.other_targets, [""; 0]);
    // Where there is nothing else, it is what is left.
    let text = panel("date,price", 1, |_, row| format!("{}.5", row % 4));
    assert_eq!(roles(&csv(&text)), [Some("date"), Some("price"), None]);
    // What is known for the rows behind the last target is not what shall be forecast.
    let text = panel("date,first,second,third", 1, |_, row| {
        let target = if row < 15 { format!("{}", row % 7) } else { String::new() };
        format!("{target},{},{}", row % 5, if row < 15 { "4" } else { "" })
    });
    let profile = csv(&text);
    assert_eq!(roles(&profile), [Some("date"), Some("first"), None]);
    assert!(!profile.roles.other_targets.contains(&"second".to_owned()));
}

#[test]
fn what_the_first_rows_do_not_tell_all_rows_do() {
    // Wide enough that 4,000 rows are looked at first, all of one store and one country.
    let padding = (0..498).map(|column| format!("x{column}")).collect::<Vec<_>>();
    let mut text = format!("country,store,product,status,date,sales,{}\n", padding[..494].join(","));
    let blank = ",0".repeat(494);
    for series in 0..60 {
        for row in 0..100 {
            let status = if series > 50 { "new" } else { "old" };
            writeln!(text, "de,s{},p{},{status},{},{}{blank}", series / 45, series % 45, day(row), row % 7)
                .unwrap();
        }
    }
    let profile = csv(&text);
    assert_eq!(roles(&profile), [Some("date"), Some("sales"), None]);
    assert_eq!(series_of(&profile).hierarchy_columns, ["store", "product"]);
    assert_eq!(series_of(&profile).num_items, 60);
}

#[test]
fn given_columns_win() {
    let text = panel("date,store,region,sales,price", 3, |store, row| {
        format!("s{store},r{store},{},{row}.5", row % 7)
    });
    let given = |name: &str| Some(name.to_owned());
    let profile = profile_with(&[text.as_bytes()], FileFormat::Csv, 2, |options| {
        options.roles.item_id = given("region");
        options.roles.target = given("price");
    });
    assert_eq!(roles(&profile.unwrap()), [Some("date"), Some("price"), Some("region")]);
    let missing = profile_with(&[text.as_bytes()], FileFormat::Csv, 2, |options| {
        options.roles.timestamp = given("dates");
    });
    let error = missing.unwrap_err();
    assert_eq!((error.code, error.column.as_deref()), ("missing_column", Some("dates")));
}
