//! Arguments of the `files` commands.
