//! The transport: addresses, connections, transactions, and values on the wire.

pub(super) mod address;
mod circuit_breaker;
pub(super) mod codes;
mod connection_limiter;
pub(super) mod contention_backoff;
pub(super) mod executor;
mod loopback_padding;
pub(super) mod numbers;
pub(super) mod pieces;
pub(super) mod random;
mod routing;
pub(super) mod row_writes;
mod rows;
pub(super) mod times;
pub(super) mod tls;
pub(super) mod transaction;
pub(super) mod values;
pub(super) mod work;
