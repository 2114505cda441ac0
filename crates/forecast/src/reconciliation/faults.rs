//! Errors for ids that make no tree, in the terms of the request.

use tabcast_reconcile::{Offenders, TreeError};
use tabcast_table::{ContentError, Kind, Panel, shorten};

use super::Reconciliation;
use crate::Failure;

/// Number of items that a message names.
const NAMED: usize = 5;

/// Maximum number of levels below the total, the same as for columns. Each level may have a node for every series.
const MAX_LEVELS: usize = 20;

/// Refuses ids with too many parts before memory is reserved for their nodes.
pub(super) fn check_levels(wanted: &Reconciliation, panel: &Panel) -> Result<(), Failure> {
    let separator = wanted.separator.as_str();
    let mut deep = Offenders::default();
    for (series, id) in panel.ids.iter().enumerate() {
        if id.matches(separator).count() >= MAX_LEVELS {
            deep.add(series);
        }
    }
    if deep.count == 0 {
        return Ok(());
    }
    let message = format!("have more than {MAX_LEVELS} parts between '{separator}'");
    let suggestion = "Leave out levels, or set separator to a text that stands between fewer parts.";
    Err(content_error("too_many_levels", &deep, &message, suggestion, panel))
}

/// The first few items, quoted.
pub(super) fn named(series: &[usize], panel: &Panel) -> String {
    let names: Vec<String> =
        series.iter().take(NAMED).map(|&index| format!("'{}'", shorten(panel.ids.get(index)))).collect();
    names.join(", ")
}

/// The content error for faulty ids; the other tree errors cannot occur with the ids of a panel.
pub(super) fn tree_error(error: &TreeError, wanted: &Reconciliation, panel: &Panel) -> Failure {
    let separator = &wanted.separator;
    let (code, offenders, message, suggestion) = match error {
        TreeError::UnequalDepth { expected, paths } => (
            "hierarchy_depth",
            paths,
            format!("do not have {expected} parts between '{separator}', as most items have"),
            "Give all item ids the same number of parts, or name the hierarchy_columns.",
        ),
        TreeError::EmptyPart(paths) => (
            "missing_hierarchy_value",
            paths,
            format!("have an empty part before, between or after '{separator}'"),
            "Give every level a name, or set separator to the text that stands between the levels.",
        ),
        TreeError::TotalLabelTaken(paths) => (
            "total_label_taken",
            paths,
            format!(
                "have '{}', the id of the grand total, as the id of a level",
                shorten(&wanted.total_label)
            ),
            "Set total_label to a name that no item and no group has.",
        ),
        error => return Failure::InvalidForecast(format!("the ids make no tree: {error}")),
    };
    content_error(code, offenders, &message, suggestion, panel)
}

fn content_error(
    code: &'static str,
    offenders: &Offenders,
    message: &str,
    suggestion: &str,
    panel: &Panel,
) -> Failure {
    let message = format!("{} of the items {message}: {}", offenders.count, named(&offenders.first, panel));
    let error = ContentError::new(code, Kind::Content, message).count(offenders.count as u64);
    let error = match offenders.first.first() {
        Some(&first) => error.item(panel.ids.get(first)),
        None => error,
    };
    error.suggestion(suggestion).into()
}
