//! The verbs of one memory: they change its bullets, retrieve them, and take feedback on them.

pub(super) mod answers;
mod apply_delta;
pub(super) mod bullets;
mod change_bullet;
pub(super) mod conflicts;
pub(super) mod feedback;
mod find_bullet;
pub(super) mod forget_bullet;
pub(super) mod list_memories;
pub(super) mod memory_figures;
pub(super) mod memory_picture;
pub(super) mod memory_status;
pub(super) mod name_feedback;
pub(super) mod policy;
pub(super) mod prepared_delta;
pub(super) mod read_bullets;
pub(super) mod retrieval;
mod send_delta;
