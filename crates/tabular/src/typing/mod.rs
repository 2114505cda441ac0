//! Decides the role of each column from the training rows, with a reason for each decision.
//!
//! The thresholds are rules of thumb of the field; none was fitted to a data set. Only names and cells of features are
//! used, plus the labels of training rows for suspected leaks.

mod dates;
mod decision;
mod duplicates;
mod leak;
mod numbers;
mod reading;
mod texts;

use rayon::prelude::*;
use tabcast_table::{Frame, FrameColumn};

use crate::Target;
pub use dates::iso_dates;
pub use decision::{ColumnDecision, Role};
use duplicates::duplicates;
use leak::suspicion;
pub(crate) use reading::{date, number};

/// The columns named in the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamedColumns {
    /// Index of the column to predict.
    pub label: usize,
    /// Index of the column that orders the rows, if any; it is never an identifier.
    pub time: Option<usize>,
}

/// A role and its reason.
struct Finding {
    role: Role,
    distinct: usize,
    missing: usize,
    notes: Vec<String>,
}

/// Decides the role of every column of the table.
///
/// `rows` are the training rows, and `target` has their labels in the same order. Runs on the current thread pool; the
/// outcome does not depend on it.
pub fn decide(frame: &Frame, named: NamedColumns, rows: &[u32], target: &Target) -> Vec<ColumnDecision> {
    let mut decisions: Vec<ColumnDecision> = (0..frame.columns.len())
        .into_par_iter()
        .map(|place| {
            let name = &frame.names[place];
            let mut finding = match &frame.columns[place] {
                FrameColumn::Numbers(numbers) => {
                    numbers::find(numbers, rows, name, named.time == Some(place))
                }
                FrameColumn::Texts(column) => texts::find(column, rows, named.time == Some(place)),
            };
            if place == named.label {
                finding.role = Role::Label;
                finding.notes = vec!["It is the label that is to be predicted.".to_owned()];
            }
            let column = &frame.columns[place];
            let is_feature = finding.role.is_feature();
            let leak = is_feature.then(|| suspicion(column, finding.role, rows, target)).flatten();
            finding.notes.extend(leak.map(|score| leak::sentence(score, target)));
            let Finding { role, distinct, missing, notes } = finding;
            ColumnDecision { name: name.clone(), role, distinct, missing, leak, notes }
        })
        .collect();
    for (place, of) in duplicates(frame, &decisions).into_iter().enumerate() {
        if let Some(of) = of {
            let note = format!(
                "It says the same as the column '{}' in every row, so it is not used.",
                tabcast_table::shorten(&decisions[of].name)
            );
            decisions[place].role = Role::Duplicate { of };
            decisions[place].notes = vec![note];
            decisions[place].leak = None;
        }
    }
    decisions
}

/// A column without values or with a single one.
fn uniform(distinct: usize, missing: usize) -> Option<Finding> {
    let (role, note) = match (distinct, missing) {
        (0, _) => (Role::Empty, "It has no value in the rows that are learned from, so it is not used."),
        (1, 0) => {
            (Role::Constant, "It has the same value in all rows that are learned from, so it is not used.")
        }
        _ => return None,
    };
    Some(Finding { role, distinct, missing, notes: vec![note.to_owned()] })
}
