//! What is asked for.

use std::path::PathBuf;

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
    /// Columns whose values together name a series in place of the item id; empty: all rows are one series; none: the item
    /// id names it.
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
#[derive(Debug, Clone, PartialEq)]
pub struct RowFilter {
    /// Any column of the table.
    pub column: String,
    /// How its cells are compared.
    pub op: Operator,
    /// What with: two of `between`, one or more of `in` and `not_in`, else one.
    pub values: Vec<String>,
}

/// Gives every value of a list of choices the name that it has in requests.
macro_rules! named {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $value:ident = $name:literal),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kind { $($(#[$doc])* $value),+ }

        impl $kind {
            /// The value by its name in requests.
            pub fn from_name(name: &str) -> Option<Self> {
                match name { $($name => Some(Self::$value),)+ _ => None }
            }

            /// Its name in requests.
            pub fn name(self) -> &'static str {
                match self { $(Self::$value => $name),+ }
            }
        }
    };
}

named! {
    /// How cells are compared. Missing ones are equal to nothing: only `ne` and `not_in` hold for them.
    Operator {
        /// Equal to the value.
        Eq = "eq",
        /// Not equal to it.
        Ne = "ne",
        /// Equal to one of the values.
        In = "in",
        /// Equal to none of them.
        NotIn = "not_in",
        /// Greater, or later.
        Gt = "gt",
        /// Greater or equal.
        Gte = "gte",
        /// Less, or earlier.
        Lt = "lt",
        /// Less or equal.
        Lte = "lte",
        /// A text that the value is a part of.
        Contains = "contains",
        /// Not less than the first value and not greater than the second.
        Between = "between",
    }
}

named! {
    /// How targets that fall together become one; missing ones do not count, and nothing but missing ones is missing.
    Aggregate {
        /// Their sum.
        Sum = "sum",
        /// Their mean.
        Mean = "mean",
        /// The largest of them.
        Max = "max",
        /// The least of them.
        Min = "min",
    }
}

named! {
    /// What becomes of steps between the first and the last value of a series that have no row, or a row without a target.
    MissingHandling {
        /// The value before.
        Ffill = "ffill",
        /// The value behind.
        Bfill = "bfill",
        /// A straight line between the two.
        Interpolate = "interpolate",
        /// Zero.
        Zero = "zero",
        /// The mean of the series.
        Mean = "mean",
        /// Rows without a target are left out.
        Drop = "drop",
        /// Nothing.
        None = "none",
    }
}

named! {
    /// What becomes of values that stand out.
    AnomalyHandling {
        /// They are not looked for.
        None = "none",
        /// They are reported.
        Flag = "flag",
        /// They become the largest or least value that would not stand out.
        Clip = "clip",
        /// They become the straight line between their neighbours.
        Interpolate = "interpolate",
        /// They are taken for missing.
        Remove = "remove",
    }
}
