//! What `bench` measures: readers, operating points and the form of reports.

mod memory;
mod merges;
mod retrieval;
