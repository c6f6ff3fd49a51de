//! How a file is opened.

/// How a file is opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EmbeddedOptions {
    /// How long a write waits for other processes, in milliseconds.
    pub busy_timeout_ms: u64,
    /// True: an answered write survives a power cut. False: it survives the end of the process, and a
    /// power cut takes at most the last writes, never their order.
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
