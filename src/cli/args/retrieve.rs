//! Arguments of the `retrieve` commands.
