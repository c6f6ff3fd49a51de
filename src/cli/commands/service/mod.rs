//! The commands that serve other programs, and those that control their access.

pub(crate) mod call;
pub(crate) mod keys;
pub(crate) mod mcp;
#[cfg(unix)]
pub(crate) mod resident;
pub(crate) mod serve;
pub(crate) mod sharing;
