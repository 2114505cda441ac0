//! Small tables.

use tabcast_table::{Frame, FrameColumn, TextColumn};
use tabcast_tabular::{ColumnDecision, Matrix, Role};

/// A table under construction.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) frame: Frame,
    pub(crate) decisions: Vec<ColumnDecision>,
}

impl Table {
    /// With a column of numbers.
    pub(crate) fn numbers(self, name: &str, role: Role, values: Vec<f64>) -> Self {
        self.with(name, role, values.len(), FrameColumn::Numbers(values))
    }

    /// With a column of texts; empty ones are missing.
    pub(crate) fn texts<T: AsRef<str>>(self, name: &str, role: Role, cells: &[T]) -> Self {
        let mut column = TextColumn::default();
        for cell in cells.iter().map(AsRef::as_ref) {
            let known = column.texts.iter().position(|text| **text == *cell);
            column.codes.push(match known {
                _ if cell.is_empty() => TextColumn::MISSING,
                Some(code) => code as u32,
                None => {
                    column.texts.push(cell.into());
                    column.texts.len() as u32 - 1
                }
            });
        }
        self.with(name, role, cells.len(), FrameColumn::Texts(column))
    }

    fn with(mut self, name: &str, role: Role, rows: usize, column: FrameColumn) -> Self {
        self.frame.names.push(name.to_owned());
        self.frame.columns.push(column);
        self.frame.rows = rows;
        let decision = ColumnDecision {
            name: name.to_owned(),
            role,
            distinct: 0,
            missing: 0,
            leak: None,
            notes: Vec::new(),
        };
        self.decisions.push(decision);
        self
    }
}

/// The column of a feature.
pub(crate) fn column<'a>(matrix: &'a Matrix, name: &str) -> &'a [f64] {
    let names: Vec<&str> = matrix.features.iter().map(|feature| feature.name.as_str()).collect();
    let at = names.iter().position(|other| *other == name);
    &matrix.columns[at.unwrap_or_else(|| panic!("no {name:?} among {names:?}"))]
}

/// Names of all features.
pub(crate) fn names(matrix: &Matrix) -> Vec<&str> {
    matrix.features.iter().map(|feature| feature.name.as_str()).collect()
}

/// The bits of every value, which tell missing ones apart from nothing.
pub(crate) fn bits(matrix: &Matrix) -> Vec<Vec<u64>> {
    matrix.columns.iter().map(|column| column.iter().map(|value| value.to_bits()).collect()).collect()
}
