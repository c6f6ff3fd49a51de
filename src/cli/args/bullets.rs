//! Arguments of the `bullets` commands.
