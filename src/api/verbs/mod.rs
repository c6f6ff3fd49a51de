//! The verbs, one file per noun: their requests, and their calls to the engine.

pub mod bullet_changes;
pub mod bullets;
pub mod conflicts;
pub mod consolidation;
pub mod deltas;
pub mod erase;
pub mod errors;
pub mod export;
pub mod import;
pub mod import_lessons;
mod import_room;
pub mod lesson_brief;
pub mod lesson_retrieval;
pub mod lessons;
pub mod memory;
pub mod memory_brief;
pub mod playbook_exchange;
pub mod playbook_views;
pub mod playbooks;
pub mod policy;
pub mod reflections;
pub mod retrieval;
pub mod runs;
pub mod store;
pub mod trajectory;
pub mod trajectory_views;
