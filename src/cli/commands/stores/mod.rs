//! The commands about a whole store: they check, copy, export and erase its contents.

pub(crate) mod analyze;
pub(crate) mod backup;
pub(crate) mod browser;
pub(crate) mod digest;
pub(crate) mod doctor;
pub(crate) mod erase;
pub(crate) mod export;
pub(crate) mod import;
mod import_lessons;
pub(crate) mod migrate;
pub(crate) mod replay;
