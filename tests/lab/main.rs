//! The laboratory: its tools are right, its executor is blind, and its experiment can fail.

mod executor;
mod stability;
mod tools;
