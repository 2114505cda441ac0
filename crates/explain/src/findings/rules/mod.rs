//! One finding per rule: each rule is a function from the known facts to a finding, or to none.

mod against_naive;
mod bias;
mod comparison;
mod coverage;
mod intermittent;
mod level_shift;
mod outliers;
mod outlook;
mod quality;
mod season;
mod trend;
mod trend_change;
mod uncertainty;

pub use against_naive::{Accuracy, Standing};
pub use bias::Bias;
pub use comparison::Comparison;
pub use coverage::Coverage;
pub use intermittent::Intermittent;
pub use level_shift::LevelShift;
pub use outliers::Outliers;
pub use outlook::Outlook;
pub use quality::{Constant, Grade, Missing, Negatives, ShortHistory, StaleEnd};
pub use season::Season;
pub use trend::Trend;
pub use trend_change::TrendChange;
pub use uncertainty::Uncertainty;

pub(super) use against_naive::{against_naive, skill_of, standing_of};
pub(super) use bias::bias;
pub(super) use comparison::compare;
pub(super) use coverage::coverage;
pub(super) use intermittent::intermittent;
pub(super) use level_shift::{find_shift, level_shift};
pub(super) use outliers::outliers;
pub(super) use outlook::outlook;
pub(super) use quality::{constant, missing, missing_share, negatives, short_history, stale_end};
pub(super) use season::season;
pub(super) use trend::trend;
pub(super) use trend_change::trend_change;
pub(super) use uncertainty::uncertainty;
