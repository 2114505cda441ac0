//! What is asked for.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tabcast_calendar::Frequency;
use tabcast_table::{Columns, FrameOptions};

/// One call of [`prepare`](crate::prepare).
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The dataset: files that are one table.
    pub input: FrameOptions<'a>,
    /// Which columns play which role; a hierarchy names the series, and its columns are kept.
    pub columns: Columns,
    /// The frequency that the data have; none: it is inferred where it is needed. Not looked at with a step.
    pub freq: Option<Frequency>,
    /// What to do with the rows.
    pub preparation: Preparation,
    /// The Parquet file to write.
    pub output: PathBuf,
}

/// What to do with the rows, in this order: filters, series and steps, anomalies, missing steps.
#[derive(Debug, Clone)]
pub struct Preparation {
    /// Rows are used for which all of them hold.
    pub filters: Vec<RowFilter>,
    /// Columns whose values together name a series in place of the item id; empty: all rows are one series; none: the
    /// item id names it.
    pub series_columns: Option<Vec<String>>,
    /// The steps that rows are combined into; none: rows keep their times.
    pub step: Option<Frequency>,
    /// How targets of one series and step become one.
    pub aggregate: Aggregate,
    /// How targets of one series and time become one before that; none: as those of a step do.
    pub across: Option<Aggregate>,
    /// What becomes of steps without a value.
    pub missing: MissingHandling,
    /// What becomes of values that stand out.
    pub anomalies: AnomalyHandling,
}

/// A condition on the cells of one column.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct RowFilter {
    /// Any column of the table.
    pub column: String,
    /// How its cells are compared.
    pub op: Operator,
    /// What with: two of `between`, one or more of `in` and `not_in`, else one.
    pub values: Vec<String>,
}

/// How cells are compared. Missing ones are equal to nothing: only `ne` and `not_in` hold for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FilterOperator"))]
pub enum Operator {
    /// Equal to the value.
    Eq,
    /// Not equal to it.
    Ne,
    /// Equal to one of the values.
    In,
    /// Equal to none of them.
    NotIn,
    /// Greater, or later.
    Gt,
    /// Greater or equal.
    Gte,
    /// Less, or earlier.
    Lt,
    /// Less or equal.
    Lte,
    /// A text that the value is a part of.
    Contains,
    /// Not less than the first value and not greater than the second.
    Between,
}

impl Operator {
    /// Its name in requests.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Eq => "eq",
            Self::Ne => "ne",
            Self::In => "in",
            Self::NotIn => "not_in",
            Self::Gt => "gt",
            Self::Gte => "gte",
            Self::Lt => "lt",
            Self::Lte => "lte",
            Self::Contains => "contains",
            Self::Between => "between",
        }
    }
}

/// How targets that fall together become one; missing ones do not count, and nothing but missing ones is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum Aggregate {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The largest of them.
    Max,
    /// The least of them.
    Min,
}

/// What becomes of steps between the first and the last value of a series that have no row, or a row without a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "MissingDataHandling"))]
pub enum MissingHandling {
    /// The value before.
    Ffill,
    /// The value behind.
    Bfill,
    /// A straight line between the two.
    Interpolate,
    /// Zero.
    Zero,
    /// The mean of the series.
    Mean,
    /// Rows without a target are left out.
    Drop,
    /// Nothing.
    None,
}

impl MissingHandling {
    /// Whether every step gets a value.
    pub(crate) fn fills(self) -> bool {
        !matches!(self, Self::Drop | Self::None)
    }
}

/// What becomes of values that stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub enum AnomalyHandling {
    /// They are not looked for.
    None,
    /// They are reported.
    Flag,
    /// They become the largest or least value that would not stand out.
    Clip,
    /// They become the straight line between their neighbours.
    Interpolate,
    /// They are taken for missing.
    Remove,
}
