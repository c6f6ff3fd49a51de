//! How much goes in one request, and how much in one transaction.

/// Rows of one request. Many enough to make requests few, few enough for the server's memory.
pub(super) const ROWS: usize = 5_000;
/// New bullets that go in the request of their delta.
pub(super) const ROWS_ALONG: usize = 500;
/// Nodes of one kind in a piece: about a second of work for the server.
pub(super) const PIECE: i64 = 2_000;
/// Rows of a copy that is written in one transaction: bullets and events of a memory, and of one that it replaces
/// there, or all that lessons are.
pub(super) const AT_ONCE: usize = 10_000;
