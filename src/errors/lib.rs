//! Reads a failed step: its action, the part of it that failed, its fingerprint, and its tags.
//!
//! The same error must have the same identity wherever it happens, so the literals of one occurrence (paths, numbers,
//! times) are masked before anything is hashed. Everything here is a function of its input: no state, no clock.
//!
//! # Example
//!
//! ```
//! use hindlore_errors::{fingerprint::Fingerprinter, shell::program};
//!
//! let mut fingerprinter = Fingerprinter::default();
//! let monday = fingerprinter.of_text("/home/ann/a.db: no answer after 30 s");
//! let tuesday = fingerprinter.of_text("/srv/b.db: no answer after 5 s");
//! assert_eq!(monday, tuesday);
//! assert_ne!(monday, fingerprinter.of_text("permission denied"));
//! assert_eq!(program("sudo -u ann /usr/bin/tar -cf notes.tar ."), "tar");
//! ```

pub mod action;
pub mod fingerprint;
pub mod shell;
pub mod tag;
mod tag_table;
pub mod value;
