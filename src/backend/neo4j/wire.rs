//! How a request leaves this process: on a machine's own loopback it is made as long as a segment there.
//!
//! The driver sends what is larger than its buffer in pieces: a chunk's length (two bytes), the chunk, at last
//! the end mark with what follows it. It leaves TCP's gathering of small pieces on (no `TCP_NODELAY`; RFC 896), so
//! a piece that fills no segment waits until the one before is confirmed, and that is put off for 40 ms
//! (RFC 1122, 4.2.3.2). Full segments are confirmed at once. In a network, whose segments are short, each such
//! request has some; on loopback one holds 65,483 bytes, and every request between 8 and 64 KB waited 44 ms. Where the
//! last chunk and what follows it are just enough to fill a segment, it takes 1 ms.

use std::net::IpAddr;

use neo4rs::{BoltMap, Query};

use super::values::{Map, packed_header, packed_text};

/// The driver's buffer.
const BUFFER_BYTES: usize = 8_192;
/// The most bytes of one chunk, as the driver cuts them.
const CHUNK_BYTES: usize = 65_533;
/// Bytes of a last chunk that fills a segment only together with the request that follows in the same flush. The
/// segment holds 65,483 with two of a length before; the shortest request that follows has 17.
const LAST_BYTES: usize = 65_473;
/// The same where nothing follows but the end mark.
const LAST_BYTES_ALONE: usize = 65_481;
/// Bytes of the signature of a message.
const SIGNATURE_BYTES: usize = 2;
/// Bytes of the end mark and of what may follow in the same flush, and room for the lengths.
const FOLLOWING_BYTES: usize = 64;
/// Name of the parameter that no statement reads. It is a map, so that the server plans a statement once for
/// all lengths of it.
const PADDING: &str = "padding";

/// What goes out in the same flush after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Followed {
    /// A demand for its rows, or that they be dropped.
    ByDemand,
    /// Nothing.
    ByNothing,
}

/// The way to a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wire {
    /// Unencrypted through this machine's loopback.
    Loopback,
    /// Any other.
    Network,
}

impl Wire {
    /// The way to an address.
    pub(super) fn to(uri: &str) -> Self {
        let (scheme, rest) = uri.split_once("://").unwrap_or_default();
        let authority = rest.split(['/', '?']).next().unwrap_or_default();
        let host = authority.rsplit('@').next().unwrap_or_default();
        let host = match host.strip_prefix('[') {
            Some(six) => six.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let is_own = host.eq_ignore_ascii_case("localhost")
            || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback());
        if is_own && !scheme.contains('+') {
            Self::Loopback
        } else {
            Self::Network
        }
    }

    /// Bytes of the largest request that leaves without waiting on its way.
    pub(super) fn at_once(self) -> usize {
        match self {
            Self::Loopback => LAST_BYTES,
            Self::Network => BUFFER_BYTES,
        }
    }

    /// A statement with its parameters, as it goes out.
    pub(super) fn query(
        self,
        text: String,
        parameters: Map,
        (database, followed): (&str, Followed),
    ) -> Query {
        let parameters = match self {
            Self::Loopback => padded(parameters, around(&text, database), followed),
            Self::Network => parameters,
        };
        Query::new(text).with_params(BoltMap::from(parameters))
    }
}

/// Bytes of a request on the wire without its parameters: the statement, the database and that it may write.
fn around(text: &str, database: &str) -> usize {
    let extra = Map::new().with("db", database).with("mode", "w");
    SIGNATURE_BYTES + packed_text(text) + extra.packed_bytes()
}

/// Parameters that make the request as long as it should be.
fn padded(parameters: Map, around: usize, followed: Followed) -> Map {
    let plain = parameters.with(PADDING, Map::new());
    let bytes = around + plain.packed_bytes();
    if bytes + FOLLOWING_BYTES <= BUFFER_BYTES {
        return plain;
    }
    let last = match followed {
        Followed::ByDemand => LAST_BYTES,
        Followed::ByNothing => LAST_BYTES_ALONE,
    };
    let missing = (CHUNK_BYTES + last - bytes % CHUNK_BYTES) % CHUNK_BYTES;
    match missing {
        0 => plain,
        1 | 2 => with_filling(plain, missing + CHUNK_BYTES),
        _ => with_filling(plain, missing),
    }
}

/// Parameters with so many bytes more, at least three: a name of one letter, the length of a text, and the text. One
/// byte less where a text with its length cannot have that many.
fn with_filling(parameters: Map, bytes: usize) -> Map {
    let text = bytes - packed_text("x");
    let text = " ".repeat(text - packed_header(text));
    parameters.with(PADDING, Map::new().with("x", text))
}

#[cfg(test)]
mod tests {
    use super::super::statements::CREATE_DELTAS;
    use super::*;

    /// Bytes of the request that the parameters of `size` bytes become, and of its last chunk.
    fn lengths(size: usize, followed: Followed) -> (usize, usize) {
        let around = around(&CREATE_DELTAS.sent(), "neo4j");
        let parameters = Map::new().with("content", "x".repeat(size));
        let bytes = around + padded(parameters, around, followed).packed_bytes();
        (bytes, (bytes - 1) % CHUNK_BYTES + 1)
    }

    #[test]
    fn what_fits_into_the_buffer_stays_as_it_is() {
        let around = around(&CREATE_DELTAS.sent(), "neo4j");
        for size in [0, 10, 1_000, BUFFER_BYTES - around - 100] {
            let (bytes, _) = lengths(size, Followed::ByDemand);
            let content = Map::new().with("content", "x".repeat(size));
            let plain = around + content.with(PADDING, Map::new()).packed_bytes();
            assert_eq!(bytes, plain, "{size}");
            assert!(bytes + FOLLOWING_BYTES <= BUFFER_BYTES, "{size}: {bytes}");
        }
    }

    #[test]
    fn the_last_chunk_of_what_does_not_fills_a_segment() {
        for size in (8_192..200_000).step_by(97).chain(62_000..66_000) {
            let (bytes, last) = lengths(size, Followed::ByDemand);
            assert!(
                (LAST_BYTES - 1..=LAST_BYTES).contains(&last),
                "{size}: {last}"
            );
            assert!(bytes <= size + 70_000, "{size}: {bytes}");
            let (_, last) = lengths(size, Followed::ByNothing);
            assert!(
                (LAST_BYTES_ALONE - 1..=LAST_BYTES_ALONE).contains(&last),
                "{size}: {last}"
            );
        }
    }

    #[test]
    fn only_an_unencrypted_way_to_this_machine_is_loopback() {
        for uri in [
            "bolt://localhost:7687",
            "neo4j://LOCALHOST",
            "bolt://127.0.0.1:7687/?x=1",
            "bolt://me@127.8.0.1",
            "bolt://[::1]:7687",
        ] {
            assert_eq!(Wire::to(uri), Wire::Loopback, "{uri}");
        }
        for uri in [
            "bolt+s://localhost:7687",
            "neo4j+ssc://127.0.0.1",
            "bolt://localhost.example.org",
            "bolt://10.0.0.1:7687",
            "bolt://[fe80::1]",
            "localhost",
        ] {
            assert_eq!(Wire::to(uri), Wire::Network, "{uri}");
        }
        assert_eq!(Wire::Network.at_once(), BUFFER_BYTES);
        assert!(Wire::Loopback.at_once() > 7 * BUFFER_BYTES);
    }
}
