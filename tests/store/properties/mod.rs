//! Properties: invariants of every history, checked on random ones.
//!
//! Every case follows from a seed, which a failure prints. `HINDLORE_SEED` runs that one seed alone, `HINDLORE_CASES`
//! multiplies the number of cases. Models are written from the rules, by brute force, and share no code with their
//! subjects but tokenisers and the merge guard.

mod adopted;
mod adopting;
mod chance;
mod consolidating;
mod cpu_time;
mod digests;
mod faults;
mod faulty_store;
mod history;
mod instances;
mod present;
mod readers;
mod rebased;
mod refusals;
mod replays;
mod resending;
mod undoing;
mod waiting;
mod world;
