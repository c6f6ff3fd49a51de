//! The sizes of requests and transactions.

/// Rows of one request: enough to keep requests few, and few enough for the server's memory.
pub(crate) const ROWS: usize = 5_000;
/// Largest number of new bullets in the request of their delta.
pub(crate) const ROWS_ALONG: usize = 500;
/// Nodes of one kind deleted in one piece: about a second of work for the server.
pub(crate) const PIECE: i64 = 2_000;
/// Largest number of rows of a copy in one transaction: the bullets and events of a memory and of the one it replaces, or
/// all rows of a learner's lessons.
pub(crate) const AT_ONCE: usize = 10_000;
