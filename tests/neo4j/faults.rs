//! Lost answers: what was carried out and never confirmed is neither lost nor done twice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mnemograph::backend::neo4j::Neo4jStore;
use mnemograph::domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, TagCounts};
use mnemograph::domain::memory::key::MemoryKey;
use mnemograph::domain::memory::query::Query;
use mnemograph::engine::clock::SystemClock;
use mnemograph::engine::{Engine, EngineOptions, RetrieveRequest};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::server::Server;
use crate::subject::fresh;

/// The Bolt message COMMIT with its frame.
const COMMIT: &[u8] = &[0, 2, 0xB0, 0x12, 0, 0];
/// A part of the one-request retrieval.
const TOUCH: &[u8] = b"AS fits";

/// Passes bytes on, and cuts the connection instead of every n-th answer to a write.
struct Proxy {
    every: usize,
    seen: AtomicUsize,
    cut: AtomicUsize,
}

impl Proxy {
    async fn start(target: String, every: usize) -> (Arc<Self>, SocketAddr) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let proxy = Arc::new(Self {
            every,
            seen: AtomicUsize::new(0),
            cut: AtomicUsize::new(0),
        });
        let shared = proxy.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = TcpStream::connect(&target).await.unwrap();
                tokio::spawn(shared.clone().pass(client, server));
            }
        });
        (proxy, address)
    }

    async fn pass(self: Arc<Self>, mut client: TcpStream, mut server: TcpStream) {
        let cut = AtomicBool::new(false);
        let (mut up, mut down) = (vec![0; 1 << 16], vec![0; 1 << 16]);
        loop {
            tokio::select! {
                read = client.read(&mut up) => {
                    let Ok(length @ 1..) = read else { return };
                    if self.is_to_be_cut(&up[..length]) {
                        cut.store(true, Ordering::SeqCst);
                    }
                    if server.write_all(&up[..length]).await.is_err() {
                        return;
                    }
                }
                read = server.read(&mut down) => {
                    let Ok(length @ 1..) = read else { return };
                    // The server has answered, so it was carried out; nobody will know.
                    if cut.load(Ordering::SeqCst) {
                        self.cut.fetch_add(1, Ordering::SeqCst);
                        return;
                    }
                    if client.write_all(&down[..length]).await.is_err() {
                        return;
                    }
                }
            }
        }
    }

    fn is_to_be_cut(&self, bytes: &[u8]) -> bool {
        let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        (has(COMMIT) || has(TOUCH)) && self.seen.fetch_add(1, Ordering::SeqCst) % self.every == 1
    }
}

pub(crate) async fn lost_answers(server: Server) {
    let target = server.uri.split("://").nth(1).unwrap().to_owned();
    let (proxy, address) = Proxy::start(target, 4).await;
    let mut options = server.options();
    options.uri = format!("bolt://{address}");
    let store = Arc::new(Neo4jStore::connect(options).await.unwrap());
    let engine = Engine::new(store, Arc::new(SystemClock), EngineOptions::default());
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let new = NewBullet {
        content: "read the file before you write it".to_owned(),
        ..NewBullet::default()
    };
    let delta = |id: String, operation| Delta::new(DeltaId::parse(&id).unwrap(), vec![operation]);
    let first = delta("d_first".to_owned(), Operation::Add(Box::new(new)));
    let made = engine.apply_delta(&key, first).await.unwrap().receipt;
    let bullet = made.added[0];
    let (mut deltas, mut retrieved) = (1, 0);
    for number in 0..40 {
        let vote = Operation::Tag(TagCounts {
            id: bullet.into(),
            helpful: 1,
            harmful: 0,
            neutral: 0,
        });
        let vote = delta(format!("d_{number}"), vote);
        for _ in 0..1 + number % 3 {
            engine.apply_delta(&key, vote.clone()).await.unwrap();
        }
        deltas += 1;
        let request = RetrieveRequest::new(Query::new("how to read a file"));
        let answer = engine.retrieve(&key, request).await.unwrap();
        retrieved += u64::from(answer.retrieval.is_some());
    }
    let direct = Arc::new(Neo4jStore::connect(server.options()).await.unwrap());
    let direct = Engine::new(direct, Arc::new(SystemClock), EngineOptions::default());
    let view = direct.view(&key).await.unwrap().unwrap();
    let voted = view.bullets.iter().find(|one| one.id == bullet).unwrap();
    assert_eq!(voted.counts.helpful, 40);
    assert_eq!((view.revision, view.clock), (deltas, deltas + retrieved));
    assert_eq!(
        view.digest,
        engine.view(&key).await.unwrap().unwrap().digest
    );
    assert!(direct.verify(&key).await.unwrap().differences.is_empty());
    let cut = proxy.cut.load(Ordering::SeqCst);
    assert!(cut >= 10, "only {cut} answers were cut");
}
