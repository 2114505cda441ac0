//! The decision about a column, with its reason.

/// The role of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Numbers; in a text column, texts that are no numbers are missing.
    Number,
    /// Two values, as words (`yes` and `no`) or as the numbers 0 and 1.
    Boolean,
    /// A few levels, or numbers that represent levels.
    Category,
    /// A large number of levels, each of them rare.
    HighCardinality,
    /// Texts that are dates, with or without a time of day.
    Date,
    /// Sentences.
    Text,
    /// A different value in every row: copied to the output, not learned from.
    Identifier,
    /// A single value: not learned from.
    Constant,
    /// No values: not learned from.
    Empty,
    /// The same cells as another column: not learned from.
    Duplicate {
        /// Index of the other column, which comes before this one.
        of: usize,
    },
    /// The column to predict.
    Label,
}

impl Role {
    /// The name in reports.
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

/// A column of the table and its role; decisions are in the order of the columns.
#[derive(Debug, Clone, PartialEq)]
pub struct ColumnDecision {
    /// Its name.
    pub name: String,
    /// The role assigned to it.
    pub role: Role,
    /// Number of distinct values among the training rows, without the missing one.
    pub distinct: usize,
    /// Number of training rows without a value in this role; a text in a numeric column counts.
    pub missing: usize,
    /// How well the column alone predicts the label, if suspiciously well: the area under the curve, or R squared.
    pub leak: Option<f64>,
    /// Sentences for the report, the reason first.
    pub notes: Vec<String>,
}
