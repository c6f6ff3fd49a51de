//! The options of an embedded store.

/// Options for opening a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmbeddedOptions {
    /// How long a write waits for other processes, in milliseconds.
    pub busy_timeout_ms: u64,
    /// True: an answered write survives a power cut. False: it survives a crash of the process; a power cut may lose the
    /// last writes, but never an earlier one before a later one.
    pub durable: bool,
}

impl Default for EmbeddedOptions {
    fn default() -> Self {
        Self {
            busy_timeout_ms: 30_000,
            durable: true,
        }
    }
}
