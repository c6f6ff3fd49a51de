//! mnemograph keeps what AI agents learn.

pub mod api;
pub mod domain;
pub mod store;
