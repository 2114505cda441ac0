//! A small network in single precision, its gradient, and an optimiser. Everything is deterministic: sums have a
//! fixed order.

mod adam;
mod layers;
mod product;
mod random;

pub use adam::Adam;
pub use layers::{Activations, Network, WIDTH, count, padded};
pub use product::{LANES, ROWS};
pub use random::Random;
