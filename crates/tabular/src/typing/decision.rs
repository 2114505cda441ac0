//! What was decided about a column, and why.

/// What a column is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Numbers; where the cells are texts, those that are no number are missing.
    Number,
    /// Two values, as words (`yes` and `no`) or as the numbers 0 and 1.
    Boolean,
    /// A few levels, or numbers that stand for them.
    Category,
    /// So many levels that each is rare.
    HighCardinality,
    /// Texts that are dates, with or without a time of day.
    Date,
    /// Sentences.
    Text,
    /// Another value in every row: kept in the output, not learned from.
    Identifier,
    /// One value: not learned from.
    Constant,
    /// No value: not learned from.
    Empty,
    /// The same cells as another column: not learned from.
    Duplicate {
        /// Place of the other column, which comes before this one.
        of: usize,
    },
    /// What is to be predicted.
    Label,
}

impl Role {
    /// The word for it in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Category => "category",
            Self::HighCardinality => "high_cardinality",
            Self::Date => "date",
            Self::Text => "text",
            Self::Identifier => "identifier",
            Self::Constant => "constant",
            Self::Empty => "empty",
            Self::Duplicate { .. } => "duplicate",
            Self::Label => "label",
        }
    }

    /// Whether members learn from such a column.
    pub fn is_feature(self) -> bool {
        matches!(
            self,
            Self::Number | Self::Boolean | Self::Category | Self::HighCardinality | Self::Date | Self::Text
        )
    }
}

/// A column of the table as it will be used; decisions stand in the order of the columns.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDecision {
    /// Its name.
    pub name: String,
    /// What it is taken for.
    pub role: Role,
    /// Distinct values among the training rows, without the missing one.
    pub distinct: usize,
    /// Training rows without a value in this role: a text in a column of numbers counts.
    pub missing: usize,
    /// How well the column predicts the label alone, where that is suspicious: the area under the curve, or R squared.
    pub leak: Option<f64>,
    /// Sentences for the report, the reason first.
    pub notes: Vec<String>,
}
