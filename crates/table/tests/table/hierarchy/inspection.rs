//! What an inspection says of a hierarchy.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use super::{columns, two};
use crate::support::{Folder, options_for};
use tabcast_table::{CheckStatus, Columns, FileFormat, InspectOptions, Inspection, ReadOptions, inspect};

fn inspected(text: &str, columns: Columns) -> Inspection {
    let folder = Folder::new();
    let path = folder.path("input");
    std::fs::write(&path, text).unwrap();
    let cancel = AtomicBool::new(false);
    let options = ReadOptions { columns, ..options_for(vec![path], FileFormat::Csv, &cancel) };
    inspect(&InspectOptions { read: options, frequency: None }).unwrap()
}

#[test]
fn an_inspection_reports_the_hierarchy_with_its_checks() {
    let good = {
        let mut text = String::from("top,leaf,timestamp,target\n");
        for leaf in 0..4 {
            (1..=20).for_each(|day| writeln!(text, "t{},l{leaf},2026-01-{day:02},1", leaf % 2).unwrap());
        }
        text
    };
    let found = inspected(&good, two());
    assert!(found.is_valid() && found.warnings.is_empty(), "{found:?}");
    assert_eq!((found.rows, found.items, found.columns.len()), (Some(80), Some(4), 4));
    let status = |found: &Inspection, name: &str| {
        let check = found.checks.iter().find(|check| check.name.name() == name).unwrap();
        (check.status, check.count, check.sample_rows.clone())
    };
    let bad =
        format!("{good},l1,2026-02-01,1\nt/1,l1,2026-02-01,1\ntotal,l9,2026-02-01,1\nt0,,2026-02-01,x\n");
    let found = inspected(&bad, two());
    assert_eq!(status(&found, "nulls"), (CheckStatus::Failed, 2, vec![81, 84]));
    assert_eq!(status(&found, "required_columns"), (CheckStatus::Failed, 2, vec![82, 83]));
    assert_eq!(status(&found, "numeric_target"), (CheckStatus::Failed, 1, vec![84]));
    assert_eq!((found.rows, found.items), (Some(84), Some(4)));
    let crossed = format!("{good}t1,l0,2026-01-01,1\nt1,l0,2026-01-02,1\n");
    let found = inspected(&crossed, two());
    assert_eq!(status(&found, "required_columns"), (CheckStatus::Warning, 1, vec![]));
    assert!(found.is_valid() && found.warnings[0].code == "crossed_hierarchy");
    let ids = good.replace("top,", "item_id,top,").replace("\nt", "\nx,t");
    let found = inspected(&ids, two());
    assert_eq!(status(&found, "required_columns"), (CheckStatus::Failed, 1, vec![]));
    assert_eq!((found.items, status(&found, "duplicates").0), (Some(4), CheckStatus::Passed));
    let found = inspected(&good, columns(&["top", "shop", "leaf", "leaf"], "/", "t"));
    assert_eq!((found.rows, status(&found, "required_columns")), (None, (CheckStatus::Failed, 2, vec![])));
    let found = inspected(&good, columns(&["top", "leaf"], "", "t"));
    assert_eq!(status(&found, "required_columns").0, CheckStatus::Failed);
}
