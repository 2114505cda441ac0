//! The whole engine through its public door: a file in, a table out. One binary, because each takes its time to link.

mod covariates;
mod edge_cases;
mod explaining;
mod external;
mod feature_engineering;
mod fixtures;
mod global;
mod properties;
mod reconciliation;
mod report;
mod run;
mod shards;
mod support;
mod tuned;
