//! The commands `policy`: show and change the policy of a memory.

pub(crate) mod set;
pub(crate) mod show;
