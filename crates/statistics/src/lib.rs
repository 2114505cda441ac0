//! Optimisers, distributions and linear algebra shared by the model crates.
