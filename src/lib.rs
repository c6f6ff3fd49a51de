//! mnemograph keeps what AI agents learn.

pub mod domain;
pub mod store;
