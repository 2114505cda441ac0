//! Frequencies, stamps and grids through the public interface. One binary, because each takes its time to link.

mod civil_time;
mod date_orders;
mod frequency;
mod panels;
mod periods;
mod timestamps;
