//! A proxy that understands Bolt, between an engine and a server. Its test decides about each message: it is passed on,
//! delayed, answered by the proxy, or the connection is cut before the server got the message or before the client got
//! the answer.
//!
//! It only knows the framing, the kind of a message, and which messages end a transaction; it passes their content on
//! byte by byte.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Mutex, watch};

use crate::server::Server;

/// Bytes of the handshake, before the first message: magic and four versions.
const HANDSHAKE: usize = 20;

/// The request of a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Hello,
    Begin,
    Commit,
    Rollback,
    Reset,
    /// A statement; inside of a transaction or one of its own.
    Run {
        alone: bool,
    },
    Pull,
    Other,
}

/// A message of a client.
pub(crate) struct Message<'a> {
    pub(crate) kind: Kind,
    pub(crate) bytes: &'a [u8],
    /// Bytes of answers that all clients have got so far.
    pub(crate) answered: u64,
}

impl Message<'_> {
    /// True when the message has a part.
    pub(crate) fn has(&self, part: &str) -> bool {
        let part = part.as_bytes();
        self.bytes.windows(part.len()).any(|window| window == part)
    }

    /// True for a statement that writes, by its words; texts of trials that ask this must not hold them.
    pub(crate) fn is_write(&self) -> bool {
        let words = ["SET ", "CREATE ", "MERGE ", "DELETE "];
        matches!(self.kind, Kind::Run { .. }) && words.iter().any(|word| self.has(word))
    }

    /// True when the server has written something for good once it has carried out this message.
    pub(crate) fn ends_a_write(&self) -> bool {
        let writes_alone = self.has("AS recorded") || self.has("AS changed");
        self.kind == Kind::Commit || self.kind == Kind::Run { alone: true } && writes_alone
    }
}

/// The treatment of a message.
#[derive(Clone, Debug)]
pub(crate) enum Fate {
    Pass,
    /// The connection ends and the server never sees the message.
    CutBefore,
    /// The server carries the message out, and the connection ends before the client hears of it.
    CutAfter,
    /// The answer waits.
    Delay(Duration),
    /// The server never sees the message; the client gets a failure with a code.
    Refuse(&'static str),
    /// The server carries the message out, and the client gets a failure at the end, with a code.
    Deny(&'static str),
    /// The server never sees the statement; the client gets these columns, and rows as they are on the wire.
    Answer(&'static [&'static str], Vec<Vec<u8>>),
}

type Plan = dyn Fn(&Message<'_>) -> Fate + Send + Sync;

/// A proxy and its observations.
pub(crate) struct Proxy {
    address: SocketAddr,
    target: String,
    plan: Box<Plan>,
    is_down: AtomicBool,
    /// Ends the connections that are open when the proxy goes down.
    downs: watch::Sender<usize>,
    connections: AtomicUsize,
    messages: AtomicUsize,
    cuts: AtomicUsize,
    /// Bytes of answers that the clients have got.
    answered: Arc<AtomicU64>,
    /// The longest time from the first byte of a client's message to its last, in microseconds.
    longest_us: AtomicU64,
}

impl Proxy {
    /// Starts a proxy in front of a server.
    pub(crate) async fn start(
        server: &Server,
        plan: impl Fn(&Message<'_>) -> Fate + Send + Sync + 'static,
    ) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Arc::new(Self {
            address: listener.local_addr().unwrap(),
            target: server.uri.split("://").nth(1).unwrap().to_owned(),
            plan: Box::new(plan),
            is_down: AtomicBool::new(false),
            downs: watch::Sender::new(0),
            connections: AtomicUsize::new(0),
            messages: AtomicUsize::new(0),
            cuts: AtomicUsize::new(0),
            answered: Arc::default(),
            longest_us: AtomicU64::new(0),
        });
        let shared = proxy.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                shared.connections.fetch_add(1, Ordering::SeqCst);
                if !shared.is_down.load(Ordering::SeqCst) {
                    tokio::spawn(shared.clone().connect(client));
                }
            }
        });
        proxy
    }

    /// Starts a proxy that passes everything on, and counts commits.
    pub(crate) async fn counting(server: &Server) -> (Arc<Self>, Arc<AtomicUsize>) {
        let commits = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&commits);
        let count = move |message: &Message<'_>| {
            counter.fetch_add(usize::from(message.ends_a_write()), Ordering::SeqCst);
            Fate::Pass
        };
        (Self::start(server, count).await, commits)
    }

    /// The server as it is seen through the proxy.
    pub(crate) fn seen(&self, server: &Server) -> Server {
        Server {
            uri: format!("bolt://{}", self.address),
            ..server.clone()
        }
    }

    /// Its host and port.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on, every connection ends at once, as where a server has been stopped.
    pub(crate) fn go_down(&self) {
        self.is_down.store(true, Ordering::SeqCst);
        self.downs.send_modify(|downs| *downs += 1);
    }

    /// The server can be reached again.
    pub(crate) fn come_back(&self) {
        self.is_down.store(false, Ordering::SeqCst);
    }

    /// Connections that clients have made.
    pub(crate) fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }

    /// Messages that clients have sent.
    pub(crate) fn messages(&self) -> usize {
        self.messages.load(Ordering::SeqCst)
    }

    /// Connections that were cut because of a message.
    pub(crate) fn cuts(&self) -> usize {
        self.cuts.load(Ordering::SeqCst)
    }

    /// The longest that a client's message took to arrive, first byte to last, since this was last asked.
    pub(crate) fn longest_arrival(&self) -> Duration {
        Duration::from_micros(self.longest_us.swap(0, Ordering::SeqCst))
    }

    async fn connect(self: Arc<Self>, client: TcpStream) {
        let mut downs = self.downs.subscribe();
        let Ok(server) = TcpStream::connect(&self.target).await else {
            return;
        };
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        let (from_client, to_client) = client.into_split();
        let (from_server, to_server) = server.into_split();
        let state = Arc::new(Answers::new(to_client, self.answered.clone()));
        let asks = self.clone().pass_on(from_client, to_server, state.clone());
        // Whichever ends first ends both: the halves are dropped, and with them the connections.
        tokio::select! {
            _ = asks => {}
            _ = state.give_back(from_server) => {}
            _ = downs.changed() => {}
        }
        if state.was_cut.load(Ordering::SeqCst) {
            self.cuts.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn fate(&self, kind: Kind, bytes: &[u8]) -> Fate {
        let answered = self.answered.load(Ordering::SeqCst);
        (self.plan)(&Message {
            kind,
            bytes,
            answered,
        })
    }

    /// Reads the client's messages. `None` once the connection ends.
    async fn pass_on(
        self: Arc<Self>,
        mut from: OwnedReadHalf,
        mut to: OwnedWriteHalf,
        answers: Arc<Answers>,
    ) -> Option<()> {
        let mut handshake = [0; HANDSHAKE];
        from.read_exact(&mut handshake).await.ok()?;
        to.write_all(&handshake).await.ok()?;
        let mut is_open = false;
        // The proxy's own answer to the next PULL.
        let mut rows: Option<Vec<u8>> = None;
        loop {
            let (framed, took) = read_message(&mut from).await?;
            let took_us = u64::try_from(took.as_micros()).unwrap();
            self.longest_us.fetch_max(took_us, Ordering::SeqCst);
            self.messages.fetch_add(1, Ordering::SeqCst);
            let bytes = &framed[2..];
            let kind = kind_of(bytes, is_open);
            match kind {
                Kind::Begin => is_open = true,
                Kind::Commit | Kind::Rollback => is_open = false,
                Kind::Reset => {
                    is_open = false;
                    answers.has_failed.store(false, Ordering::SeqCst);
                }
                _ => {}
            }
            if answers.has_failed.load(Ordering::SeqCst) {
                answers.put(&ignored()).await?;
                continue;
            }
            if kind == Kind::Pull
                && let Some(rows) = rows.take()
            {
                answers.put(&rows).await?;
                continue;
            }
            match self.fate(kind, bytes) {
                Fate::Pass => {}
                Fate::Delay(pause) => answers.delay(pause),
                Fate::CutBefore => {
                    answers.was_cut.store(true, Ordering::SeqCst);
                    return None;
                }
                Fate::CutAfter => {
                    // A statement of its own is written when its rows have been pulled.
                    let summaries = if kind == Kind::Commit { 1 } else { 2 };
                    answers.last.store(summaries, Ordering::SeqCst);
                }
                Fate::Deny(code) => {
                    let summaries = if kind == Kind::Commit { 1 } else { 2 };
                    *answers.denied.lock().await = Some((summaries, code));
                }
                Fate::Answer(columns, told) => {
                    answers.put(&success(columns)).await?;
                    rows = Some(records(&told));
                    continue;
                }
                Fate::Refuse(code) => {
                    answers.has_failed.store(true, Ordering::SeqCst);
                    answers.put(&failure(code)).await?;
                    continue;
                }
            }
            to.write_all(&framed).await.ok()?;
        }
    }
}

/// The way back to the client.
struct Answers {
    to: Mutex<OwnedWriteHalf>,
    /// Bytes that all clients have got.
    answered: Arc<AtomicU64>,
    /// Summaries that are swallowed before the connection is cut; 0 when it is not to be.
    last: AtomicUsize,
    was_cut: AtomicBool,
    pause_us: AtomicUsize,
    /// Which of the next summaries is replaced by a failure, and the code of that failure.
    denied: Mutex<Option<(usize, &'static str)>>,
    /// The proxy sent the client a failure: until it resets the connection, nothing it sends is carried out.
    has_failed: AtomicBool,
}

impl Answers {
    fn new(to: OwnedWriteHalf, answered: Arc<AtomicU64>) -> Self {
        Self {
            to: Mutex::new(to),
            answered,
            last: AtomicUsize::new(0),
            was_cut: AtomicBool::new(false),
            pause_us: AtomicUsize::new(0),
            denied: Mutex::new(None),
            has_failed: AtomicBool::new(false),
        }
    }

    fn delay(&self, pause: Duration) {
        let pause = usize::try_from(pause.as_micros()).unwrap();
        self.pause_us.store(pause, Ordering::SeqCst);
    }

    async fn put(&self, bytes: &[u8]) -> Option<()> {
        self.to.lock().await.write_all(bytes).await.ok()?;
        self.answered
            .fetch_add(bytes.len() as u64, Ordering::SeqCst);
        Some(())
    }

    async fn give_back(&self, mut from: OwnedReadHalf) -> Option<()> {
        let mut version = [0; 4];
        from.read_exact(&mut version).await.ok()?;
        self.put(&version).await?;
        loop {
            let (framed, _) = read_message(&mut from).await?;
            let pause = self.pause_us.swap(0, Ordering::SeqCst);
            if pause > 0 {
                tokio::time::sleep(Duration::from_micros(pause as u64)).await;
            }
            let is_doomed = self.last.load(Ordering::SeqCst) > 0;
            if is_doomed {
                let is_summary = framed.get(3).is_some_and(|signature| *signature != 0x71);
                if is_summary && self.last.fetch_sub(1, Ordering::SeqCst) == 1 {
                    self.was_cut.store(true, Ordering::SeqCst);
                    return None;
                }
                continue;
            }
            match self.denial(&framed).await {
                None => self.put(&framed).await?,
                Some(code) => {
                    self.has_failed.store(true, Ordering::SeqCst);
                    self.put(&failure(code)).await?;
                }
            }
        }
    }

    /// The code that replaces this answer, if one does.
    async fn denial(&self, framed: &[u8]) -> Option<&'static str> {
        let mut denied = self.denied.lock().await;
        let (summaries, code) = (*denied)?;
        match framed.get(3) {
            Some(0x71) => None,
            Some(0x70) if summaries == 1 => {
                *denied = None;
                Some(code)
            }
            Some(0x70) => {
                *denied = Some((summaries - 1, code));
                None
            }
            // The server itself sent a failure.
            _ => {
                *denied = None;
                None
            }
        }
    }
}

/// Reads one message with its frame: chunks, each after its length, and an empty one. A message of several chunks is
/// put together into one when it fits, so that the offset of its kind is fixed. Gives the time from its first length to
/// its last byte, too.
async fn read_message(from: &mut OwnedReadHalf) -> Option<(Vec<u8>, Duration)> {
    let mut framed = Vec::new();
    let mut begun = Instant::now();
    loop {
        let length = from.read_u16().await.ok()?;
        if framed.is_empty() {
            begun = Instant::now();
        }
        framed.extend_from_slice(&length.to_be_bytes());
        if length == 0 {
            match framed.len() {
                // An empty chunk between messages keeps a connection alive and is no message.
                2 => framed.clear(),
                _ => return Some((framed, begun.elapsed())),
            }
            continue;
        }
        let start = framed.len();
        framed.resize(start + usize::from(length), 0);
        from.read_exact(&mut framed[start..]).await.ok()?;
    }
}

fn kind_of(bytes: &[u8], is_open: bool) -> Kind {
    match bytes.get(1) {
        Some(0x01) => Kind::Hello,
        Some(0x0F) => Kind::Reset,
        Some(0x10) => Kind::Run { alone: !is_open },
        Some(0x11) => Kind::Begin,
        Some(0x12) => Kind::Commit,
        Some(0x13) => Kind::Rollback,
        Some(0x3F) => Kind::Pull,
        _ => Kind::Other,
    }
}

/// The answer to a message that follows a failure.
fn ignored() -> Vec<u8> {
    vec![0, 2, 0xB0, 0x7E, 0, 0]
}

/// A failure with a code.
fn failure(code: &str) -> Vec<u8> {
    let mut body = vec![0xB1, 0x7F, 0xA2];
    for word in ["code", code, "message", "the proxy said no"] {
        body.extend(packed(word));
    }
    framed_as(&body)
}

/// An answer that all went well, with the names of columns.
fn success(columns: &[&str]) -> Vec<u8> {
    let mut body = vec![0xB1, 0x70, 0xA1];
    body.extend(packed("fields"));
    body.push(0x90 | u8::try_from(columns.len()).unwrap());
    body.extend(columns.iter().flat_map(|column| packed(column)));
    framed_as(&body)
}

/// All rows of a statement, and that these are all.
fn records(rows: &[Vec<u8>]) -> Vec<u8> {
    let record = |row: &Vec<u8>| framed_as(&[&[0xB1, 0x71], row.as_slice()].concat());
    rows.iter().flat_map(record).chain(success(&[])).collect()
}

/// A text as it is on the wire.
pub(crate) fn packed(text: &str) -> Vec<u8> {
    let mut out = vec![0xD0, u8::try_from(text.len()).unwrap()];
    out.extend_from_slice(text.as_bytes());
    out
}

fn framed_as(body: &[u8]) -> Vec<u8> {
    let length = u16::try_from(body.len()).unwrap();
    [&length.to_be_bytes(), body, &[0, 0]].concat()
}
