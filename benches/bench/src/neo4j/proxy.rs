//! A proxy that counts the messages between the driver and the server.
//!
//! It reads the frames of Bolt, so that it counts the messages that were sent: a request is a RUN, a commit a COMMIT or
//! a RUN outside of a transaction, a turn a group of messages after which the driver waits.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Bytes that a client sends, and a server answers, before messages begin.
const CLIENT_HANDSHAKE: usize = 20;
const SERVER_HANDSHAKE: usize = 4;

const RUN: u8 = 0x10;
const BEGIN: u8 = 0x11;
const COMMIT: u8 = 0x12;
const ROLLBACK: u8 = 0x13;

/// The counts so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Counts {
    /// Statements.
    pub(super) requests: u64,
    /// Transactions that were to be committed.
    pub(super) commits: u64,
    /// Times that the driver waited for the server.
    pub(super) turns: u64,
}

impl Counts {
    /// The counts since.
    pub(super) fn since(self, earlier: Self) -> Self {
        Self {
            requests: self.requests - earlier.requests,
            commits: self.commits - earlier.commits,
            turns: self.turns - earlier.turns,
        }
    }
}

#[derive(Debug, Default)]
struct Counters {
    requests: AtomicU64,
    commits: AtomicU64,
    turns: AtomicU64,
}

/// A running proxy; it ends when this is dropped.
#[derive(Debug)]
pub(super) struct Proxy {
    /// Where it listens.
    pub(super) address: SocketAddr,
    counters: Arc<Counters>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Listens on a free port of this machine and passes everything on to `target`.
    pub(super) async fn start(target: String) -> std::io::Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let counters = Arc::new(Counters::default());
        let shared = counters.clone();
        let accepting = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let Ok(server) = TcpStream::connect(&target).await else {
                    continue;
                };
                tokio::spawn(pass(client, server, shared.clone()));
            }
        });
        Ok(Self {
            address,
            counters,
            accepting,
        })
    }

    /// The counts so far, over all connections.
    pub(super) fn counts(&self) -> Counts {
        let read = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
        Counts {
            requests: read(&self.counters.requests),
            commits: read(&self.counters.commits),
            turns: read(&self.counters.turns),
        }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn pass(mut client: TcpStream, mut server: TcpStream, counters: Arc<Counters>) {
    let (mut up, mut down) = (vec![0; 1 << 16], vec![0; 1 << 16]);
    let mut talk = Talk::new();
    loop {
        tokio::select! {
            read = client.read(&mut up) => {
                let Ok(length @ 1..) = read else { return };
                talk.client_says(&up[..length], &counters);
                if server.write_all(&up[..length]).await.is_err() {
                    return;
                }
            }
            read = server.read(&mut down) => {
                let Ok(length @ 1..) = read else { return };
                talk.server_says(&down[..length]);
                if client.write_all(&down[..length]).await.is_err() {
                    return;
                }
            }
        }
    }
}

/// The counts of one connection.
struct Talk {
    asked: Frames,
    answered: Frames,
    /// The server has sent something since the driver last did.
    was_answered: bool,
    in_transaction: bool,
}

impl Talk {
    fn new() -> Self {
        Self {
            asked: Frames::after(CLIENT_HANDSHAKE),
            answered: Frames::after(SERVER_HANDSHAKE),
            was_answered: true,
            in_transaction: false,
        }
    }

    fn client_says(&mut self, bytes: &[u8], counters: &Counters) {
        for message in self.asked.read(bytes) {
            if std::mem::replace(&mut self.was_answered, false) {
                counters.turns.fetch_add(1, Ordering::SeqCst);
            }
            match message {
                BEGIN => self.in_transaction = true,
                COMMIT => {
                    self.in_transaction = false;
                    counters.commits.fetch_add(1, Ordering::SeqCst);
                }
                ROLLBACK => self.in_transaction = false,
                RUN => {
                    counters.requests.fetch_add(1, Ordering::SeqCst);
                    let alone = u64::from(!self.in_transaction);
                    counters.commits.fetch_add(alone, Ordering::SeqCst);
                }
                _ => {}
            }
        }
    }

    fn server_says(&mut self, bytes: &[u8]) {
        self.was_answered |= !self.answered.read(bytes).is_empty();
    }
}

/// Cuts a stream of bytes into messages and reads the sort of each: a message is a list of chunks, each with its length
/// before it, that ends with an empty one; its first byte marks it as a structure, its second gives the kind.
struct Frames {
    /// Bytes of the handshake that are still to come.
    handshake: usize,
    /// Bytes of the chunk that are still to come.
    chunk: usize,
    /// First byte of the length of the next chunk.
    length: Option<u8>,
    /// Bytes of the message so far.
    seen: usize,
}

impl Frames {
    fn after(handshake: usize) -> Self {
        Self {
            handshake,
            chunk: 0,
            length: None,
            seen: 0,
        }
    }

    /// The sorts of the messages that begin in these bytes.
    fn read(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut sorts = Vec::new();
        let skipped = self.handshake.min(bytes.len());
        self.handshake -= skipped;
        let mut rest = &bytes[skipped..];
        while let Some((first, after)) = rest.split_first() {
            if self.chunk == 0 {
                self.header(*first);
                rest = after;
                continue;
            }
            if self.seen == 1 {
                sorts.push(*first);
            }
            // The first two bytes are looked at one by one, the others are passed over.
            let step = match self.seen {
                0 | 1 => 1,
                _ => self.chunk.min(rest.len()),
            };
            self.seen += step;
            self.chunk -= step;
            rest = &rest[step..];
        }
        sorts
    }

    fn header(&mut self, byte: u8) {
        let Some(high) = self.length.take() else {
            self.length = Some(byte);
            return;
        };
        self.chunk = usize::from(u16::from_be_bytes([high, byte]));
        if self.chunk == 0 {
            self.seen = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(sort: u8, body: &[u8]) -> Vec<u8> {
        let mut whole = vec![0xB1, sort];
        whole.extend_from_slice(body);
        let mut framed = Vec::new();
        for chunk in whole.chunks(7) {
            framed.extend_from_slice(&(chunk.len() as u16).to_be_bytes());
            framed.extend_from_slice(chunk);
        }
        framed.extend_from_slice(&[0, 0]);
        framed
    }

    #[test]
    fn messages_are_found_wherever_the_bytes_are_cut() {
        let mut bytes = vec![0x60; CLIENT_HANDSHAKE];
        for (sort, body) in [
            (RUN, &b"a long statement that takes chunks"[..]),
            (0x3F, b""),
            (RUN, b"x"),
        ] {
            bytes.extend(message(sort, body));
        }
        for size in [1, 2, 3, 5, 64, 1_000] {
            let mut frames = Frames::after(CLIENT_HANDSHAKE);
            let found: Vec<u8> = bytes
                .chunks(size)
                .flat_map(|some| frames.read(some))
                .collect();
            assert_eq!(found, [RUN, 0x3F, RUN], "in pieces of {size}");
        }
    }

    #[test]
    fn a_transaction_is_one_commit_and_a_lone_statement_another() {
        let counters = Counters::default();
        let mut talk = Talk::new();
        talk.asked.handshake = 0;
        talk.answered.handshake = 0;
        let mut said = |sorts: &[u8]| {
            let bytes: Vec<u8> = sorts.iter().flat_map(|sort| message(*sort, b"")).collect();
            talk.client_says(&bytes, &counters);
            talk.server_says(&message(0x70, b""));
        };
        for sorts in [&[BEGIN][..], &[RUN, 0x3F], &[COMMIT], &[0x0F], &[RUN, 0x3F]] {
            said(sorts);
        }
        let read = |counter: &AtomicU64| counter.load(Ordering::SeqCst);
        assert_eq!(read(&counters.requests), 2);
        assert_eq!(read(&counters.commits), 2);
        assert_eq!(read(&counters.turns), 5);
    }
}
