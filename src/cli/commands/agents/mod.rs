//! The commands about agents: they connect an agent, run one, and let it learn.

pub(crate) mod adapt;
pub(crate) mod agent;
pub(crate) mod clbench;
pub(crate) mod compare;
pub(crate) mod hook;
pub(crate) mod install;
pub(crate) mod learn;
pub(crate) mod statements;
