//! Rows prepared through the public interface. One binary, because each takes its time to link.

mod axes;
mod filters;
mod forecast;
mod grouping;
mod mending;
mod properties;
mod steps;
mod support;
