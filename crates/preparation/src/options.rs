//! The requested preparation.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tabcast_calendar::Frequency;
use tabcast_table::{Columns, FrameOptions};

/// One call of [`prepare`](crate::prepare).
#[derive(Debug, Clone)]
pub struct Options<'a> {
    /// The dataset: files that form one table.
    pub input: FrameOptions<'a>,
    /// The roles of the columns; a hierarchy names the series, and its columns are kept.
    pub columns: Columns,
    /// The frequency of the data; none: inferred if needed. Ignored if a step is given.
    pub freq: Option<Frequency>,
    /// What to do with the rows.
    pub preparation: Preparation,
    /// The Parquet file to write.
    pub output: PathBuf,
}

/// How to prepare the rows, in this order: filters, series and steps, anomalies, missing steps.
#[derive(Debug, Clone)]
pub struct Preparation {
    /// A row is used if all of them hold.
    pub filters: Vec<RowFilter>,
    /// Columns whose values together name a series, instead of the item id. Empty: all rows are one series. None: the
    /// item id names it.
    pub series_columns: Option<Vec<String>>,
    /// The steps that rows are combined into; none: rows keep their times.
    pub step: Option<Frequency>,
    /// How targets of one series and step are aggregated.
    pub aggregate: Aggregate,
    /// How targets of one series and time are aggregated before that; none: like those of a step.
    pub across: Option<Aggregate>,
    /// How to treat steps without a value.
    pub missing: MissingHandling,
    /// How to treat anomalies.
    pub anomalies: AnomalyHandling,
}

/// A condition on the cells of one column.
#[derive(Debug, Clone, PartialEq, Deserialize, ts_rs::TS)]
pub struct RowFilter {
    /// Any column of the table.
    pub column: String,
    /// How its cells are compared.
    pub op: Operator,
    /// The values to compare with: two for `between`, one or more for `in` and `not_in`, otherwise one.
    pub values: Vec<String>,
}

/// How cells are compared. Missing cells are equal to nothing: only `ne` and `not_in` hold for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
#[ts(rename = "FilterOperator")]
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
    /// A text that contains the value.
    Contains,
    /// At least the first value and at most the second.
    Between,
}

impl Operator {
    /// The name in requests.
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

/// How several targets are aggregated; missing ones are ignored, and the result is missing if all are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub enum Aggregate {
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The largest of them.
    Max,
    /// The smallest of them.
    Min,
}

/// How to treat steps between the first and the last value of a series that have no row, or a row without a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
#[ts(rename = "MissingDataHandling")]
pub enum MissingHandling {
    /// Take the value before.
    Ffill,
    /// Take the value after.
    Bfill,
    /// Interpolate linearly between the two.
    Interpolate,
    /// Take zero.
    Zero,
    /// Take the mean of the series.
    Mean,
    /// Leave out rows without a target.
    Drop,
    /// Leave them without a value.
    None,
}

impl MissingHandling {
    /// Whether every step gets a value.
    pub(crate) fn fills(self) -> bool {
        !matches!(self, Self::Drop | Self::None)
    }
}

/// How to treat anomalies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
#[derive(ts_rs::TS)]
pub enum AnomalyHandling {
    /// Do not look for them.
    None,
    /// Report them and change nothing.
    Flag,
    /// Replace them with the nearest ordinary value.
    Clip,
    /// Interpolate linearly between their neighbours.
    Interpolate,
    /// Treat them as missing.
    Remove,
}
