//! The domain of lessons as its users see it: the defects of the original asserted absent, the
//! lifecycle from worked examples, retrieval and gates against small models of their own, and the verbs of
//! the engine on a store.

mod before_action;
mod conflicts;
mod erasing;
mod fingerprints;
mod input;
mod late_result;
mod lifecycle;
mod loops;
mod numbering;
mod opposites;
mod proofs;
mod retrieval;
mod scene;
mod session_start;
mod settling;
mod traces;
mod trajectories;
mod trajectory_retention;
mod verbs;
mod verdicts;
mod world;
