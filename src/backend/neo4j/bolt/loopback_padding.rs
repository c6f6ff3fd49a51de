//! Padding requests over loopback to full TCP segments, because the driver leaves Nagle's algorithm on.
//!
//! The driver writes a request beyond its buffer in pieces: a chunk's length (two bytes), the chunk, then the end mark
//! together with the next message. Without `TCP_NODELAY` (RFC 896) a piece that fills no segment waits until the piece
//! before it is acknowledged, and the receiver delays that by 40 ms (RFC 1122, 4.2.3.2); full segments are acknowledged
//! at once. In a network segments are short, so every such request fills some. On loopback a segment holds 65,483
//! bytes, so most requests fill none. Padding the last chunk until it fills a segment, together with the bytes after
//! it, avoids the wait.
//!
//! Measured against Neo4j 5.26 on loopback, minimum and median of 30 auto-commit writes: 10 kB take 1.7 and 20 ms with
//! padding, 43 and 47 ms without; 60 kB take 0.7 and 1.0 ms, against 42 and 50 ms. From 100 kB on it gains nothing. The
//! price is up to 64 kB more per request, copied within the machine.

use std::net::IpAddr;

use neo4rs::{BoltMap, Query};

use super::values::{Map, packed_header, packed_text};

/// Size of the driver's buffer.
const BUFFER_BYTES: usize = 8_192;
/// Largest chunk that the driver sends.
const CHUNK_BYTES: usize = 65_533;
/// Length of a last chunk that fills a segment together with the message that follows in the same flush. A segment holds
/// 65,483 bytes, including a chunk's length of two; the shortest following message has 17.
const LAST_BYTES: usize = 65_473;
/// `LAST_BYTES` when only the end mark follows.
const LAST_BYTES_ALONE: usize = 65_481;
/// Bytes of a message's signature.
const SIGNATURE_BYTES: usize = 2;
/// Room for the end mark, for the message that may follow in the same flush, and for the lengths.
const FOLLOWING_BYTES: usize = 64;
/// Name of a parameter that no statement reads. It is a map: the server's plan cache distinguishes the types of
/// parameters (and the lengths of texts), but not the contents of maps.
const PADDING: &str = "padding";

/// The message that goes out in the same flush after a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Followed {
    /// PULL or DISCARD.
    ByDemand,
    /// None.
    ByNothing,
}

/// The transport to a server.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Transport {
    /// Unencrypted over this machine's loopback. Encryption cuts its own records, which padding cannot align.
    Loopback,
    /// Any other.
    Network,
}

impl Transport {
    /// The transport to an address.
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

    /// Largest request, in bytes, that is sent without delay.
    pub(crate) fn at_once(self) -> usize {
        match self {
            Self::Loopback => LAST_BYTES,
            Self::Network => BUFFER_BYTES,
        }
    }

    /// A statement with its parameters, padded for this transport.
    pub(super) fn query(
        self,
        text: String,
        parameters: Map,
        database: &str,
        followed: Followed,
    ) -> Query {
        let parameters = match self {
            Self::Loopback => padded(parameters, around(&text, database), followed),
            Self::Network => parameters,
        };
        Query::new(text).with_params(BoltMap::from(parameters))
    }
}

/// Bytes of a request on the wire without its parameters: the statement, the database and the access mode.
fn around(text: &str, database: &str) -> usize {
    let extra = Map::new().with("db", database).with("mode", "w");
    SIGNATURE_BYTES + packed_text(text) + extra.packed_bytes()
}

/// Pads the parameters so that the request's last chunk fills a segment; short requests stay as they are.
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
        // Padding adds at least three bytes, so fill the next chunk instead.
        1 | 2 => with_filling(plain, missing + CHUNK_BYTES),
        _ => with_filling(plain, missing),
    }
}

/// Pads the parameters by `bytes` (at least 3: a name, a length, a text), or by one less where the length header cannot
/// hit it exactly.
fn with_filling(parameters: Map, bytes: usize) -> Map {
    let text = bytes - packed_text("x");
    let text = " ".repeat(text - packed_header(text));
    parameters.with(PADDING, Map::new().with("x", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statements::CREATE_DELTAS;

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
            assert_eq!(Transport::to(uri), Transport::Loopback, "{uri}");
        }
        for uri in [
            "bolt+s://localhost:7687",
            "neo4j+ssc://127.0.0.1",
            "bolt://localhost.example.org",
            "bolt://10.0.0.1:7687",
            "bolt://[fe80::1]",
            "localhost",
        ] {
            assert_eq!(Transport::to(uri), Transport::Network, "{uri}");
        }
        assert_eq!(Transport::Network.at_once(), BUFFER_BYTES);
        assert!(Transport::Loopback.at_once() > 7 * BUFFER_BYTES);
    }
}
