//! Imports models of other libraries, so that their trees can be explained, stored and used for prediction.

mod assemble;
mod lightgbm;
mod lightgbm_fields;
mod lightgbm_tree;
mod xgboost;
mod xgboost_tree;
