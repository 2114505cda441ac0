//! Local forecasting models, one file each.
