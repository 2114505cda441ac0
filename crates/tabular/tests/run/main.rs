//! The whole pipeline through its front door: files in, files out.

mod explaining;
mod importance;
mod labels;
mod missing;
mod output;
mod quality;
mod refusals;
mod support;
mod unreadable;
