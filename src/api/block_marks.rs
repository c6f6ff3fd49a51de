//! The marks of the block that an export writes into a file of somebody else, and that an import leaves out.

/// The line before the block.
pub(super) const BEGIN: &str = "<!-- mnemograph:begin -->";
/// The line behind it.
pub(super) const END: &str = "<!-- mnemograph:end -->";
