//! Models of other libraries, so that their trees can be explained, stored and predicted with here.

mod assemble;
mod lightgbm;
mod lightgbm_fields;
mod lightgbm_tree;
mod xgboost;
mod xgboost_tree;
