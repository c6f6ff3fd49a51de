//! The commands `bullets`: list, search and change the bullets of a memory, and release proposed ones.

pub(crate) mod edit;
pub(crate) mod list;
pub(crate) mod pin;
pub(crate) mod proposed;
pub(crate) mod reject;
pub(crate) mod remove;
pub(crate) mod search;
pub(crate) mod show;
