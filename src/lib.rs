//! mnemograph keeps what AI agents learn.

pub mod domain;
pub mod engine;
pub mod store;
