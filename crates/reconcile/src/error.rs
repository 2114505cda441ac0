use std::error::Error;
use std::fmt;

/// The bottom series that break a rule, as indices into the given paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Offenders {
    /// Their number.
    pub count: usize,
    /// The first five of them, ascending.
    pub first: Vec<usize>,
}

impl Offenders {
    const SHOWN: usize = 5;

    /// Adds a series; they must come in ascending order.
    pub fn add(&mut self, series: usize) {
        self.count += 1;
        if self.first.len() < Self::SHOWN {
            self.first.push(series);
        }
    }

    pub(crate) fn into_result(self, error: impl FnOnce(Self) -> TreeError) -> Result<(), TreeError> {
        if self.count == 0 { Ok(()) } else { Err(error(self)) }
    }
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeError {
    /// No path or no node was given.
    Empty,
    /// The separator is empty.
    EmptySeparator,
    /// Paths with another number of parts than most.
    UnequalDepth {
        /// The number of parts of most paths.
        expected: usize,
        /// The others.
        paths: Offenders,
    },
    /// Paths with an empty part before, between or after their separators.
    EmptyPart(Offenders),
    /// Paths that equal the name of the grand total, or start with it as a prefix.
    TotalLabelTaken(Offenders),
    /// Paths that equal the path before them.
    Duplicate(Offenders),
    /// Paths that sort before the path before them, by bytes.
    NotAscending(Offenders),
    /// More nodes, or a longer path, than 32 bits can count.
    TooManyNodes,
    /// Node 0 has a parent.
    NoRoot,
    /// A node other than node 0 has no parent.
    SecondRoot(usize),
    /// A node does not come after its parent.
    ParentNotBefore(usize),
}

impl fmt::Display for TreeError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => formatter.write_str("a tree needs a series"),
            Self::EmptySeparator => formatter.write_str("the separator is empty"),
            Self::UnequalDepth { expected, paths } => {
                write!(
                    formatter,
                    "{} paths do not have {expected} parts like most, first {:?}",
                    paths.count, paths.first
                )
            }
            Self::EmptyPart(paths) => {
                write!(formatter, "{} paths have an empty part, first {:?}", paths.count, paths.first)
            }
            Self::TotalLabelTaken(paths) => {
                write!(
                    formatter,
                    "{} paths are or begin with the name of the grand total, first {:?}",
                    paths.count, paths.first
                )
            }
            Self::Duplicate(paths) => {
                write!(formatter, "{} paths occur twice, first {:?}", paths.count, paths.first)
            }
            Self::NotAscending(paths) => {
                write!(formatter, "{} paths are not in order, first {:?}", paths.count, paths.first)
            }
            Self::TooManyNodes => formatter.write_str("the tree has more nodes than 32 bits count"),
            Self::NoRoot => formatter.write_str("node 0 has a parent"),
            Self::SecondRoot(node) => write!(formatter, "node {node} has no parent, and is not node 0"),
            Self::ParentNotBefore(node) => write!(formatter, "node {node} does not stand behind its parent"),
        }
    }
}

impl Error for TreeError {}

/// Why nothing was reconciled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReconcileError {
    /// An array does not have the length that the tree requires.
    WrongLength {
        /// Which array.
        what: &'static str,
        /// The required length.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// A base forecast is not a finite number.
    NotFinite {
        /// Its node.
        node: usize,
        /// Its lane.
        lane: usize,
    },
    /// The method needs an array that was not given.
    Missing {
        /// Which array.
        what: &'static str,
    },
    /// Sums of the base forecasts exceed the range of a double.
    Overflow,
    /// More residuals per node than the shrinkage of a covariance supports: the work grows with their square.
    TooManyColumns {
        /// The maximum.
        most: usize,
        /// The number given.
        found: usize,
    },
}

impl ReconcileError {
    pub(crate) fn unless_length(
        what: &'static str,
        values: &[f64],
        rows: usize,
        columns: usize,
    ) -> Result<(), Self> {
        // If it saturates, the product is longer than any array.
        let expected = rows.saturating_mul(columns);
        if values.len() == expected {
            Ok(())
        } else {
            Err(Self::WrongLength { what, expected, found: values.len() })
        }
    }
}

impl fmt::Display for ReconcileError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WrongLength { what, expected, found } => {
                write!(formatter, "the {what} must be {expected} numbers, not {found}")
            }
            Self::NotFinite { node, lane } => {
                write!(formatter, "the base forecast of node {node} in lane {lane} is not a finite number")
            }
            Self::Missing { what } => write!(formatter, "the method needs {what}"),
            Self::Overflow => formatter.write_str("the base forecasts are too large to be added up"),
            Self::TooManyColumns { most, found } => {
                write!(formatter, "{found} residuals a node are more than {most}")
            }
        }
    }
}

impl Error for ReconcileError {}
