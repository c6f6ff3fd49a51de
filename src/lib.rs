//! mnemograph keeps what AI agents learn.

pub mod api;
pub mod backend;
pub mod domain;
pub mod engine;
pub mod store;
