//! Times whose order the whole column tells, and those that need none, in every format and every way in.

use std::borrow::Cow;
use std::sync::atomic::AtomicBool;

use proptest::prelude::*;
use tabcast_calendar::parse_timestamp;
use tabcast_table::{
    ContentError, FileFormat, FrameOptions, InspectOptions, Limits, Panel, Preview, PreviewOptions,
    ProfileOptions, ReadError, ReadOptions, Wanted, WantedColumn, dataset_hash, inspect, preview,
    profile_data, read_columns, read_panel,
};

use crate::support::workbook::text as cell;
use crate::support::{Folder, biff, options_for, parquet, read_bytes, read_files, workbook};

const HEAD: &str = "item_id,timestamp,target\n";
const ALL: [FileFormat; 6] = [
    FileFormat::Csv,
    FileFormat::Json,
    FileFormat::Jsonl,
    FileFormat::Parquet,
    FileFormat::Xlsx,
    FileFormat::Xls,
];

/// A file of one series with these stamps as texts, and the numbers of the rows as targets.
fn file(stamps: &[&str], format: FileFormat) -> Vec<u8> {
    let rows = stamps.iter().enumerate();
    let object =
        |(row, stamp): (usize, &&str)| format!(r#"{{"item_id":"a","timestamp":"{stamp}","target":{row}}}"#);
    let sheet = || {
        let mut sheet = workbook::texts(&[&["item_id", "timestamp", "target"]]);
        sheet.extend(
            rows.clone().map(|(row, stamp)| vec![cell("a"), cell(stamp), workbook::Cell::Number(row as f64)]),
        );
        vec![("Sheet", sheet)]
    };
    match format {
        FileFormat::Csv => {
            let rows: Vec<String> = rows.map(|(row, stamp)| format!("a,\"{stamp}\",{row}\n")).collect();
            format!("{HEAD}{}", rows.concat()).into_bytes()
        }
        FileFormat::Json => format!("[{}]", rows.map(object).collect::<Vec<_>>().join(",")).into_bytes(),
        FileFormat::Jsonl => rows.map(object).collect::<Vec<_>>().join("\n").into_bytes(),
        FileFormat::Parquet => {
            let targets = parquet::Values::Double(rows.map(|(row, _)| row as f64).collect());
            parquet::table(
                ["binary item_id (STRING)", "binary timestamp (STRING)", "double target"],
                [parquet::text(&vec!["a"; stamps.len()]), parquet::text(stamps), targets],
            )
        }
        FileFormat::Xlsx => workbook::xlsx(&sheet()),
        FileFormat::Xls => biff::xls(&sheet()),
    }
}

fn read(stamps: &[&str], format: FileFormat) -> Result<Panel, Box<ContentError>> {
    read_bytes(&file(stamps, format), format)
}

/// Days from a text of ISO dates or times.
fn times(stamps: &[&str]) -> Vec<i64> {
    stamps.iter().map(|stamp| parse_timestamp(stamp.as_bytes()).unwrap().micros).collect()
}

fn warned(panel: &Panel) -> Vec<(&str, &str, u64)> {
    panel.warnings.iter().map(|warning| (&*warning.code, warning.message.as_str(), warning.count)).collect()
}

#[test]
fn every_format_reads_the_day_or_the_month_first_as_the_column_tells() {
    let iso = ["2024-12-01", "2024-12-31", "2025-01-02"];
    let day_first = "dates_day_first";
    let month_first = "dates_month_first";
    for format in ALL {
        let expected = read(&iso, format).unwrap();
        for (stamps, code, example) in [
            (["01/12/2024", "31/12/2024", "02/01/2025"], day_first, "31/12/2024"),
            (["12/01/2024", "12/31/2024", "1/2/2025"], month_first, "12/31/2024"),
            (["1.12.2024", "31.12.2024", "2.1.2025"], day_first, "31.12.2024"),
            (["01-12-2024 0:00", "31-12-2024 00:00", "2025-01-02"], day_first, "31-12-2024 00:00"),
            (["12/1/2024 12:00 AM", "12/31/2024", "1/2/2025"], month_first, "12/31/2024"),
        ] {
            let panel =
                read(&stamps, format).unwrap_or_else(|error| panic!("{format:?} {stamps:?}: {error}"));
            assert_eq!(dataset_hash(&panel), dataset_hash(&expected), "{format:?} {stamps:?}");
            let first = if code == day_first { "day" } else { "month" };
            let message = format!("Dates such as {example} were read with the {first} first.");
            let count = stamps.iter().filter(|stamp| !stamp.starts_with("2025")).count() as u64;
            assert_eq!(warned(&panel), [(code, message.as_str(), count)]);
        }
        assert_eq!(warned(&expected), []);
    }
}

#[test]
fn every_format_reads_quarters_weeks_and_names_of_months() {
    for format in ALL {
        for (stamps, iso) in [
            (["2024Q1", "2024 Q2", "2024-Q3"], ["2024-01-01", "2024-04-01", "2024-07-01"]),
            (["2024-W01", "2024 W02", "2024W03"], ["2024-01-01", "2024-01-08", "2024-01-15"]),
            (["Jan 2024", "2024 feb", "March-2024"], ["2024-01-01", "2024-02-01", "2024-03-01"]),
            (["1-Jan-2024", "2 JAN 2024", "January 3, 2024"], ["2024-01-01", "2024-01-02", "2024-01-03"]),
        ] {
            let panel = read(&stamps, format).unwrap();
            assert_eq!(
                (panel.timestamps.clone(), warned(&panel)),
                (times(&iso).into(), vec![]),
                "{format:?}"
            );
        }
    }
}

#[test]
fn dates_that_no_other_date_explains_are_refused() {
    for format in ALL {
        let error = read(&["03/04/2024", "03/05/2024"], format).unwrap_err();
        assert_eq!((error.code, error.kind.status()), ("ambiguous_dates", 422), "{format:?}");
        assert_eq!((error.column.as_deref(), error.row, error.count), (Some("timestamp"), None, Some(2)));
        assert!(error.message.contains("'03/04/2024' is 2024-04-03 or 2024-03-04"), "{}", error.message);
        assert!(error.suggestion.unwrap().contains("year first"), "{}", error.message);
    }
    let code = |stamps: &[&str]| read(stamps, FileFormat::Csv).map_err(|error| (error.code, error.row));
    // Hours of one day say nothing of its month.
    assert_eq!(code(&["01/02/2024 00:00", "01/02/2024 01:00"]).unwrap_err(), ("ambiguous_dates", None));
    // Firsts of months and of years do, and 1 January is the same either way.
    let panel = read(&["01/02/2024", "01/03/2024"], FileFormat::Csv).unwrap();
    assert_eq!(panel.timestamps, times(&["2024-02-01", "2024-03-01"]));
    let panel = read(&["02/01/2024", "03/01/2024"], FileFormat::Csv).unwrap();
    assert_eq!(panel.timestamps, times(&["2024-02-01", "2024-03-01"]));
    let panel = read(&["01/01/2023", "01/01/2024"], FileFormat::Csv).unwrap();
    assert_eq!(
        (panel.timestamps.clone(), panel.warnings.len()),
        (times(&["2023-01-01", "2024-01-01"]).into(), 0)
    );
}

#[test]
fn dates_that_contradict_the_others_are_wrong_cells() {
    let refused = |stamps: &[&str]| {
        let error = read(stamps, FileFormat::Csv).unwrap_err();
        (error.code, error.row, error.count, error.message)
    };
    let (code, row, count, message) = refused(&["13/01/2024", "14/01/2024", "01/15/2024", "16/01/2024"]);
    assert_eq!((code, row, count), ("unparseable_timestamp", Some(3), Some(1)));
    assert!(message.contains("'01/15/2024' in data row 3"), "{message}");
    assert_eq!(refused(&["12/31/2024", "31/12/2025", "12/30/2024"]).1, Some(2));
    // Two digits of a year, days that there are not, and nothing.
    assert_eq!(refused(&["13/01/24", "14/01/24"]).2, Some(2));
    assert_eq!(refused(&["13/01/2024", "30/02/2024"]).1, Some(2));
    assert_eq!(refused(&["13/01/2024", ""]).1, Some(2));
    // A column that begins in another way is one of ISO dates.
    assert_eq!(refused(&["2024-01-12", "13/01/2024"]).1, Some(2));
    assert_eq!(refused(&["soon", "13/01/2024"]).2, Some(2));
    // Empty cells before the first date are not its beginning.
    assert_eq!(refused(&["", "13/01/2024", "14/01/2024"]), {
        let message =
            "1 row has a timestamp that cannot be read; the first is '' in data row 1 of column 'timestamp'";
        ("unparseable_timestamp", Some(1), Some(1), message.to_owned())
    });
}

#[test]
fn texts_beside_dates_that_a_spreadsheet_made_of_others_are_refused() {
    let sheet = |stamps: [workbook::Cell; 3]| {
        let mut sheet = workbook::texts(&[&["item_id", "timestamp", "target"]]);
        sheet.extend(stamps.map(|stamp| vec![cell("a"), stamp, workbook::Cell::Number(1.0)]));
        workbook::xlsx(&[("Sheet", sheet)])
    };
    // What was 12/01/2024, 13/01/2024 and 14/01/2024, the first of them taken for 1 December.
    for order in [[0, 1, 2], [1, 2, 0]] {
        let stamps = [workbook::Cell::Date(45_627.0), cell("13/01/2024"), cell("14/01/2024")];
        let bytes = sheet(order.map(|place: usize| stamps[place].clone()));
        let error = read_bytes(&bytes, FileFormat::Xlsx).unwrap_err();
        assert_eq!((error.code, error.count), ("unparseable_timestamp", Some(2)));
        let (_, wrong, _) = columns_of(Wanted::Times, &bytes, FileFormat::Xlsx).unwrap();
        assert_eq!(wrong.len(), 2);
    }
}

#[test]
fn files_that_are_one_table_share_an_order() {
    let part = |stamps: &[&str]| file(stamps, FileFormat::Csv);
    let (first, second) = (part(&["01/02/2024", "02/02/2024"]), part(&["03/02/2024", "13/02/2024"]));
    let panel = read_files(&[&first, &second], FileFormat::Csv, |_| {}).unwrap();
    assert_eq!(panel.timestamps, times(&["2024-02-01", "2024-02-02", "2024-02-03", "2024-02-13"]));
    assert_eq!(warned(&panel)[0].2, 4);
    let iso = part(&["2024-02-01", "2024-02-02"]);
    let error = read_files(&[&iso, &second], FileFormat::Csv, |_| {}).unwrap_err();
    assert_eq!((error.code, error.row), ("unparseable_timestamp", Some(3)));
    // What ends a read is told, and not what it might have come to.
    let error =
        read_files(&[&first, b"item_id,timestamp,target\na,03/02/2024,1\n\"a"], FileFormat::Csv, |_| {});
    assert_eq!(error.unwrap_err().code, "ragged_row");
}

#[test]
fn an_order_that_is_given_is_not_looked_for() {
    let bytes = file(&["03/04/2024", "04/04/2024"], FileFormat::Csv);
    let read = |order| {
        let panel =
            read_files(&[&bytes], FileFormat::Csv, |options| options.date_order = Some(order)).unwrap();
        assert_eq!(warned(&panel), []);
        panel.timestamps
    };
    assert_eq!(read(tabcast_calendar::DateOrder::DayFirst), times(&["2024-04-03", "2024-04-04"]));
    assert_eq!(read(tabcast_calendar::DateOrder::MonthFirst), times(&["2024-03-04", "2024-04-04"]));
}

/// Runs with options for files in a folder.
fn with_file<T>(bytes: &[u8], format: FileFormat, work: impl FnOnce(ReadOptions) -> T) -> T {
    let folder = Folder::new();
    std::fs::write(folder.path("input"), bytes).unwrap();
    let cancel = AtomicBool::new(false);
    work(options_for(vec![folder.path("input")], format, &cancel))
}

#[test]
fn an_inspection_says_how_dates_were_read() {
    let inspected = |stamps: &[&str]| {
        let bytes = file(stamps, FileFormat::Csv);
        with_file(&bytes, FileFormat::Csv, |read| inspect(&InspectOptions { read, frequency: None })).unwrap()
    };
    let check = |stamps: &[&str]| {
        let inspection = inspected(stamps);
        let check = inspection.checks.iter().find(|check| check.name.name() == "timestamps").unwrap().clone();
        (check.status.name(), check.count, check.sample_rows, check.message)
    };
    let (status, count, rows, message) = check(&["30/12/2024", "31/12/2024", "01/01/2025"]);
    assert_eq!((status, count, rows), ("warning", 3, vec![]));
    assert_eq!(message, "Dates such as 30/12/2024 were read with the day first.");
    let inspection = inspected(&["30/12/2024", "31/12/2024", "01/01/2025"]);
    assert_eq!(inspection.warnings[0].code, "dates_day_first");
    assert_eq!(
        (inspection.columns[1].kind.name(), inspection.start),
        ("timestamp", Some(times(&["2024-12-30"])[0]))
    );
    let (status, count, rows, message) = check(&["03/04/2024", "03/05/2024"]);
    assert_eq!((status, count, rows), ("failed", 2, vec![1, 2]));
    assert!(message.contains("'03/04/2024' is 2024-04-03 or 2024-03-04"), "{message}");
    let (status, _, rows, _) = check(&["30/12/2024", "12/31/2024", "01/01/2025"]);
    assert_eq!((status, rows), ("failed", vec![2]));
}

/// Times, rows that are none, and warnings.
type Times = (Vec<i64>, Vec<usize>, Vec<Cow<'static, str>>);

fn columns(stamps: &[&str], format: FileFormat) -> Result<Times, ReadError> {
    columns_as(Wanted::Times, stamps, format)
}

fn columns_as(wanted: Wanted, stamps: &[&str], format: FileFormat) -> Result<Times, ReadError> {
    columns_of(wanted, &file(stamps, format), format)
}

fn columns_of(wanted: Wanted, bytes: &[u8], format: FileFormat) -> Result<Times, ReadError> {
    with_file(bytes, format, |read| {
        let options = FrameOptions {
            paths: read.paths,
            format,
            compression: None,
            sheet: None,
            limits: Limits::default(),
            threads: 2,
            cancel: read.cancel,
        };
        let table = read_columns(&options, &[("timestamp".to_owned(), wanted)])?;
        let Some(WantedColumn::Times(times, wrong)) = &table.columns[0] else { panic!("{table:?}") };
        let wrong = wrong.rows.iter().map(|(row, _)| *row).collect();
        Ok((times.clone(), wrong, table.warnings.into_iter().map(|warning| warning.code).collect()))
    })
}

#[test]
fn a_column_of_times_is_read_in_its_order() {
    for format in ALL {
        let (found, wrong, warnings) =
            columns(&["02/01/2024", "31/01/2024 13:30", "1/31/2024"], format).unwrap();
        assert_eq!(found[..2], times(&["2024-01-02", "2024-01-31 13:30"]), "{format:?}");
        assert_eq!(wrong, [2]);
        assert_eq!(warnings, ["dates_day_first"]);
        match columns(&["03/04/2024", "03/05/2024"], format) {
            Err(ReadError::Content(error)) => {
                assert_eq!((error.code, error.column.as_deref()), ("ambiguous_dates", Some("timestamp")));
            }
            other => panic!("{other:?}"),
        }
        let (found, wrong, _) = columns_as(Wanted::Stamps, &["2024-01-01", "31/01/2024"], format).unwrap();
        assert_eq!((found[0], wrong), (times(&["2024-01-01"])[0], vec![1]));
        let (_, wrong, warnings) = columns(&["2024-01-01", "31/01/2024"], format).unwrap();
        assert_eq!((wrong, warnings.len()), (vec![1], 0));
    }
    let (found, _, warnings) =
        columns(&["31/01/2024 00:00+01:00", "31/01/2024 12:00"], FileFormat::Csv).unwrap();
    assert_eq!(found, times(&["2024-01-30 23:00", "2024-01-31 12:00"]));
    assert_eq!(warnings, ["dates_day_first", "mixed_time_zones"]);
}

fn previewed(text: &str) -> Preview {
    let folder = Folder::new();
    std::fs::write(folder.path("input"), text).unwrap();
    preview(&PreviewOptions { path: folder.path("input"), cut: false, max_rows: 5, max_columns: 20 }).unwrap()
}

/// Rows of a table with a stamp in the first column and a number in the second.
fn numbered<S: AsRef<str>>(head: &str, stamps: &[S]) -> String {
    let rows = stamps.iter().enumerate();
    let rows: Vec<String> =
        rows.map(|(row, stamp)| format!("{},{}.5\n", stamp.as_ref(), row * 7 % 10)).collect();
    format!("{head}\n{}", rows.concat())
}

/// The first 28 days of January and of February as they are written.
fn days(write: impl Fn(u32, u32) -> String) -> Vec<String> {
    (1..=2)
        .flat_map(|month| (1..=28).map(move |day| (month, day)))
        .map(|(month, day)| write(month, day))
        .collect()
}

#[test]
fn a_preview_and_a_profile_find_every_form() {
    let quarters = (2015..2025).flat_map(|year| (1..=4).map(move |quarter| format!("{year} Q{quarter}")));
    let weeks = (1..=50).map(|week| format!("2023-W{week:02}"));
    for (stamps, freq) in [
        (days(|month, day| format!("{day:02}/{month:02}/2023")), "D"),
        (days(|month, day| format!("{month}/{day}/2023")), "D"),
        (days(|month, day| format!("{day}.{month}.2023 00:00")), "D"),
        (days(|month, day| format!("2023{month:02}{day:02}")), "D"),
        (days(|month, day| format!("{day}-{}-2023", ["Jan", "feb"][month as usize - 1])), "D"),
        (quarters.collect(), "QS"),
        (weeks.collect(), "W-MON"),
    ] {
        let table = numbered("when,y", &stamps);
        let detected = previewed(&table).detected;
        assert_eq!(
            (detected.timestamp.as_deref(), detected.target.as_deref()),
            (Some("when"), Some("y")),
            "{table}"
        );
        assert_eq!(detected.frequency.as_deref(), Some(freq), "{table}");
        let profile = profiled(&table);
        assert_eq!(profile.roles.timestamp.as_deref(), Some("when"), "{table}");
        let series = profile.series.unwrap_or_else(|| panic!("{:?}", profile.unreadable));
        assert_eq!((series.freq.as_deref(), series.num_items), (Some(freq), 1), "{table}");
        assert_eq!(profile.columns[0].kind.name(), "timestamp");
    }
}

fn profiled(text: &str) -> tabcast_table::DataProfile {
    with_file(text.as_bytes(), FileFormat::Csv, |read| {
        profile_data(&ProfileOptions {
            paths: read.paths,
            format: FileFormat::Csv,
            compression: None,
            roles: tabcast_table::GivenRoles::default(),
            limits: Limits::default(),
            threads: 2,
            cancel: read.cancel,
        })
    })
    .unwrap()
}

#[test]
fn a_profile_says_that_dates_can_be_read_both_ways() {
    let profile = profiled("when,y\n03/04/2024,1\n03/05/2024,2\n04/05/2024,4\n");
    assert_eq!((profile.roles.timestamp.as_deref(), profile.series), (Some("when"), None));
    let reason = profile.unreadable.unwrap();
    assert!(reason.contains("'03/04/2024' is 2024-04-03 or 2024-03-04"), "{reason}");
    assert!(reason.ends_with("Write dates with the year first, as in 2024-04-03."), "{reason}");
    assert_eq!(previewed("when,y\n03/04/2024,1\n03/05/2024,2\n").detected.frequency, None);
    // Only the last of very many rows tells.
    let mut stamps = vec!["03/04/2024".to_owned(); 120_000];
    stamps.push("13/04/2024".to_owned());
    let rows = stamps.iter().enumerate();
    let rows: Vec<String> = rows.map(|(row, stamp)| format!("i{row},{stamp},{row}\n")).collect();
    let profile = profiled(&format!("item_id,when,y\n{}", rows.concat()));
    let series = profile.series.unwrap();
    assert_eq!((series.start, series.end), (times(&["2024-04-03"])[0], times(&["2024-04-13"])[0]));
}

#[test]
fn numbers_of_eight_digits_say_when_only_if_all_of_them_are_days() {
    let when = |head: &str, stamps: &[String]| {
        let table = numbered(head, stamps);
        let found = previewed(&table).detected.timestamp;
        assert_eq!(profiled(&table).roles.timestamp, found, "{table}");
        found
    };
    let days = days(|month, day| format!("2023{month:02}{day:02}"));
    assert_eq!(when("wk_commencing,y", &days).as_deref(), Some("wk_commencing"));
    assert_eq!(when("x,y", &days).as_deref(), Some("x"));
    assert_eq!(when("x,y", &days[..6]).as_deref(), Some("x"));
    assert_eq!(when("x,y", &days[..5]), None);
    assert_eq!(when("day of sale,y", &days[..2]).as_deref(), Some("day of sale"));
    assert_eq!(when("day of sale,y", &days[..1]), None);
    // Numbers of things are not days, whatever they look like, and neither are columns with one number that is no day.
    for name in ["article_no", "sku", "order number", "product id"] {
        assert_eq!(when(&format!("{name},y"), &days), None, "{name}");
    }
    let numbers: Vec<String> = (0..56).map(|number| (20_230_101 + number).to_string()).collect();
    assert_eq!(when("x,y", &numbers), None);
    assert_eq!(when("ean,y", &["40123455".to_owned(), "40123456".to_owned()]), None);
    assert_eq!(when("x,y", &[days.clone(), vec!["18991231".to_owned()]].concat()), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever the order that a column is written in, it is the panel of the same days in ISO form, or is refused.
    #[test]
    fn days_in_any_order_are_the_days_that_were_meant(
        days in proptest::collection::btree_set((2020_i32..2026, 1_u32..13, 1_u32..29), 2..20), by_day in any::<bool>()
    ) {
        let written = |write: &dyn Fn(i32, u32, u32) -> String| -> Vec<String> {
            days.iter().map(|(year, month, day)| write(*year, *month, *day)).collect()
        };
        let read = |stamps: Vec<String>| {
            let stamps: Vec<&str> = stamps.iter().map(String::as_str).collect();
            read(&stamps, FileFormat::Csv)
        };
        let iso = read(written(&|year, month, day| format!("{year}-{month:02}-{day:02}"))).unwrap();
        let found = read(written(&|year, month, day| {
            if by_day { format!("{day:02}/{month:02}/{year}") } else { format!("{month:02}/{day:02}/{year}") }
        }));
        let is_told = days.iter().any(|(_, _, day)| *day > 12) || days.iter().all(|(_, month, day)| month == day);
        match found {
            Ok(panel) if is_told => prop_assert_eq!(panel.timestamps, iso.timestamps),
            // All are the first of a month, or the same day of January.
            Ok(panel) => {
                let is_first = days.iter().all(|(_, _, day)| *day == 1);
                let is_january = days.iter().all(|(_, month, _)| *month == 1);
                prop_assert!(is_first != is_january);
                prop_assert_eq!(panel.timestamps == iso.timestamps, is_first);
            }
            Err(error) => prop_assert!(!is_told && error.code == "ambiguous_dates", "{}", error),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]

    /// The same whatever the number of threads, for a file of several blocks.
    #[test]
    fn threads_change_nothing(place in 0_usize..60_000) {
        let stamp = |row| if row == place { "13/04/2024" } else { "03/04/2024" };
        let row = |later: &str, row: usize| format!("i{row},{}{later},{row}\n", stamp(row));
        let rows = |later: &str| (0..60_000).map(|number| row(later, number)).collect::<Vec<_>>().concat();
        let bytes = format!("{HEAD}{}{}", rows(" 1:00"), rows(" 2:00"));
        let outcomes = [1, 3].map(|threads| {
            with_file(bytes.as_bytes(), FileFormat::Csv, |read| read_panel(&ReadOptions { threads, ..read })).unwrap()
        });
        prop_assert_eq!(&outcomes[0], &outcomes[1]);
        prop_assert_eq!(warned(&outcomes[0]), [("dates_day_first", "Dates such as 13/04/2024 1:00 were read with the \
            day first.", 120_000)]);
    }
}
