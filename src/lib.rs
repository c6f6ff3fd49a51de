//! mnemograph keeps what AI agents learn.

pub mod api;
pub mod backend;
pub mod cli;
pub mod config;
pub mod domain;
pub mod engine;
pub mod store;
