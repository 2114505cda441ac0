//! The panel pipeline: grid, models, combination, quantiles, output.
