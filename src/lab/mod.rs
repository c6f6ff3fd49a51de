//! The laboratory: does a memory help, shown by a controlled experiment without any model.
//!
//! A trial-and-error executor ([`executor`]) works with tools that it does not know ([`tool`], [`world`])
//! in three arms ([`advisor`], [`memory`]) along the learning protocol ([`protocol`]); [`stability`]
//! repeats it over seeds, plants wrong lessons, and says what the figures are, goals that are missed
//! included. Deliberately absent: anything that depends on the name of a tool or a task, and any way for
//! the executor to learn in which arm it is.

pub mod advisor;
pub mod chance;
pub mod error;
pub mod executor;
pub mod feedback;
pub mod generate;
pub mod memory;
pub mod plot;
pub mod protocol;
pub mod report;
pub mod stability;
pub mod statistics;
pub mod tokens;
pub mod tool;
pub mod world;
