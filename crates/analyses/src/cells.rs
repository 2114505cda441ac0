//! The features' own values in the reported rows.

use tabcast_explain::{Features, Values};
use tabcast_table::TableColumn;

use crate::tables::Texts;

/// Names of levels by feature; numeric features have none.
pub(crate) struct Cells<'a>(&'a Features);

impl<'a> Cells<'a> {
    pub(crate) fn new(features: &'a Features) -> Self {
        Self(features)
    }

    /// The names of a feature's levels; none for a numeric feature, or for a group of features.
    pub(crate) fn levels(&self, feature: &str) -> Option<&'a [String]> {
        let column = self.0.columns().iter().find(|column| column.name == feature)?;
        if let Values::Levels { names, .. } = &column.values { Some(names) } else { None }
    }

    /// The name for the code of a level; none if it is missing.
    pub(crate) fn name(levels: &[String], code: f64) -> Option<&str> {
        if code.is_nan() { None } else { levels.get(code as usize).map(String::as_str) }
    }

    /// The column of cells, one per row: numbers, unless one of the features has levels.
    pub(crate) fn column(&self, lines: &[(&str, f64)]) -> TableColumn {
        let is_leveled = self.0.columns().iter().any(|column| matches!(column.values, Values::Levels { .. }));
        if !is_leveled {
            return TableColumn::Numbers(lines.iter().map(|(_, value)| *value).collect());
        }
        let mut texts = Texts::default();
        for &(feature, value) in lines {
            match self.levels(feature) {
                Some(levels) => match Self::name(levels, value) {
                    Some(name) => texts.push(name),
                    None => texts.push_missing(),
                },
                None if value.is_nan() => texts.push_missing(),
                // Turns -0 into 0.
                None => texts.push(&(value + 0.0).to_string()),
            }
        }
        texts.finish()
    }
}

#[cfg(test)]
mod tests {
    use tabcast_explain::Feature;

    use super::*;

    #[test]
    fn levels_are_named_and_numbers_stay_numbers() {
        let size = Feature { name: "size".to_owned(), values: Values::Numbers(vec![1.5, f64::NAN]) };
        let names = ["red", "blue"].map(str::to_owned).to_vec();
        let colour =
            Feature { name: "colour".to_owned(), values: Values::Levels { codes: vec![1, 0], names } };
        let lines = [("size", 1.5), ("colour", 1.0), ("size", f64::NAN), ("colour", f64::NAN)];
        let numbers = Features::new(2, vec![size.clone()]).unwrap();
        assert!(
            matches!(Cells::new(&numbers).column(&lines[..1]), TableColumn::Numbers(cells) if cells == [1.5])
        );
        let mixed = Features::new(2, vec![size, colour]).unwrap();
        let TableColumn::Texts(column) = Cells::new(&mixed).column(&lines) else { panic!("texts") };
        let cells: Vec<_> = (0..4).map(|row| column.get(row)).collect();
        assert_eq!(cells, [Some("1.5"), Some("blue"), None, None]);
    }
}
