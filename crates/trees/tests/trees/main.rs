//! Trees through the public door: predictions, files, explanations, foreign models.

mod brute;
mod files;
mod imports;
mod pairs;
mod predictions;
mod random;
mod shapley;
