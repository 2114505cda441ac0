use std::error::Error;
use std::fmt;

/// The bottom series that a rule was broken by: indices into the paths that were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offenders {
    /// How many.
    pub count: usize,
    /// The first five of them, ascending.
    pub first: Vec<usize>,
}

/// Why there is no tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TreeError {
    /// No path or no node was given.
    Empty,
    /// The separator has no character.
    EmptySeparator,
    /// Paths with another number of parts than most have.
    UnequalDepth {
        /// The parts that most paths have.
        expected: usize,
        /// The others.
        paths: Offenders,
    },
    /// Paths with nothing before, between or after their separators.
    EmptyPart(Offenders),
    /// Paths that are, or begin with a prefix that is, the name of the grand total.
    TotalLabelTaken(Offenders),
    /// Paths that equal the path before them.
    Duplicate(Offenders),
    /// Paths that sort before the path before them, by bytes.
    NotAscending(Offenders),
    /// More nodes than 32 bits count.
    TooManyNodes,
    /// Node 0 has a parent.
    NoRoot,
    /// Another node than node 0 has no parent.
    SecondRoot(usize),
    /// A node that does not stand behind its parent.
    ParentNotBefore(usize),
}

/// Why nothing was reconciled.
#[derive(Debug, Clone, PartialEq)]
pub enum ReconcileError {
    /// An array does not have the length that the tree asks for.
    WrongLength {
        /// Which.
        what: &'static str,
        /// The length that it must have.
        expected: usize,
        /// The length that it has.
        found: usize,
    },
    /// A base forecast is not a finite number.
    NotFinite {
        /// Its node.
        node: usize,
        /// Its lane.
        lane: usize,
    },
}

impl fmt::Display for TreeError {
    fn fmt(&self, _formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        unimplemented!()
    }
}

impl Error for TreeError {}

impl fmt::Display for ReconcileError {
    fn fmt(&self, _formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        unimplemented!()
    }
}

impl Error for ReconcileError {}
