//! The tabular pipeline: from a table with a label column to predictions, metrics and what they rest on.

mod bagging;
mod calibration;
mod control;
mod encode;
mod evaluation;
mod explaining;
mod failure;
mod importance;
mod intervals;
mod labels;
mod learner;
mod loss;
mod matrix;
mod members;
mod metrics;
mod options;
mod outcome;
mod output;
mod prediction;
mod quantile_trees;
mod report;
mod run;
mod selection;
mod split;
mod surrogate;
mod target;
mod timers;
mod times;
mod tree_failure;
mod typing;

pub use tabcast_analyses::ExplainOptions;

pub use control::{Control, Stage};
pub use encode::Encoder;
pub use failure::Failure;
pub use learner::{Fitted, Learner, Lesson, Stop, View};
pub use loss::loss;
pub use matrix::Matrix;
pub use members::{Facts, LINEAR, members};
pub use options::{Config, Extent, InferenceMode, Options, ProblemType};
pub use outcome::{Finished, Metrics, Outcome, Timings};
pub use output::Output;
pub use report::Report;
pub use run::{Profile, Summary, check, run};
pub use target::Target;
pub use typing::{ColumnDecision, NamedColumns, Role, decide, iso_dates};
