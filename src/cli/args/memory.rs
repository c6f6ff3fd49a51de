//! Arguments of the `memory` commands.
