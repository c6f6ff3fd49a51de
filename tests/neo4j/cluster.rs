//! A scripted cluster of three members: proxies in front of one real server that name the leader, refuse writes to
//! followers, and let members fall out of date. It reproduces a client's view, not consensus.
//!
//! A member that does not lead refuses to write. The last writer has applied everything; all other members are then out
//! of date, and reads from them return nothing until a write goes through them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use hindlore::{Engine, RetrieveRequest};
use hindlore_contract::subject::fresh;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_store::DeltaPage;

use crate::children::engine;
use crate::outage::note;
use crate::proxy::{Fate, Kind, Message, Proxy, packed};
use crate::server::Server;

const MEMBERS: usize = 3;
const NOT_A_LEADER: &str = "Neo.ClientError.Cluster.NotALeader";
const NOT_WRITABLE: &str = "Neo.ClientError.General.ForbiddenOnReadOnlyDatabase";
const NOT_REPLICATED: &str = "Neo.TransientError.Cluster.ReplicationFailure";
/// Routing tables that name the old leader after a change.
const OLD_TABLES: usize = 2;
const DELTAS_PER_CHANGE: usize = 20;

/// When the leader changes, and the client's view of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    /// Before a statement that writes, which is refused.
    AtWrite,
    /// As `AtWrite`, with another code.
    AtWriteOfReplica,
    /// At a COMMIT that is refused.
    AtCommit,
    /// At a COMMIT that is carried out and denied.
    Denied,
    /// At a COMMIT that is carried out, and its answer lost.
    Lost,
    /// At a COMMIT that never arrives, by a member that cannot be reached until the next change.
    Gone,
    /// Between two requests.
    Quiet,
}

const CHANGES: [Change; 7] = [
    Change::AtWrite,
    Change::AtWriteOfReplica,
    Change::AtCommit,
    Change::Denied,
    Change::Lost,
    Change::Gone,
    Change::Quiet,
];

#[derive(Default)]
struct Member {
    address: OnceLock<String>,
    /// Something that it has not applied was written through another.
    is_behind: AtomicBool,
    /// The open transaction has written.
    has_written: AtomicBool,
    is_gone: AtomicBool,
}

#[derive(Default)]
struct Cluster {
    members: [Member; MEMBERS],
    leader: AtomicUsize,
    /// The leader by the routing tables, and how many more name it.
    told: Mutex<(usize, usize)>,
    armed: Mutex<Option<Change>>,
    changes: AtomicUsize,
    refusals: AtomicUsize,
    /// Reads answered by a member that was out of date.
    old_reads: AtomicUsize,
}

impl Cluster {
    /// Starts the members; gives the server as seen through all of them.
    async fn start(server: &Server) -> (Arc<Self>, Server) {
        let cluster = Arc::new(Self::default());
        let mut addresses = Vec::new();
        for number in 0..MEMBERS {
            let shared = cluster.clone();
            let plan = move |message: &Message<'_>| shared.fate(number, message);
            let address = Proxy::start(server, plan).await.address().to_string();
            cluster.members[number]
                .address
                .set(address.clone())
                .unwrap();
            addresses.push(format!("neo4j://{address}"));
        }
        let seen = Server {
            uri: addresses.join(","),
            ..server.clone()
        };
        (cluster, seen)
    }

    fn fate(&self, number: usize, message: &Message<'_>) -> Fate {
        let member = &self.members[number];
        if member.is_gone.load(Ordering::SeqCst) {
            return Fate::CutBefore;
        }
        match message.kind {
            Kind::Run { .. } if message.has("getRoutingTable") => {
                Fate::Answer(&["ttl", "servers"], vec![self.table()])
            }
            Kind::Run { .. } if message.is_write() => self.write(number),
            Kind::Run { .. } if member.is_behind.load(Ordering::SeqCst) => {
                self.old_reads.fetch_add(1, Ordering::SeqCst);
                Fate::Answer(&[], Vec::new())
            }
            Kind::Reset => {
                member.has_written.store(false, Ordering::SeqCst);
                Fate::Pass
            }
            Kind::Commit if member.has_written.swap(false, Ordering::SeqCst) => self.commit(number),
            _ => Fate::Pass,
        }
    }

    fn write(&self, number: usize) -> Fate {
        let code = match self.take(&[Change::AtWrite, Change::AtWriteOfReplica], number) {
            Some(Change::AtWriteOfReplica) => NOT_WRITABLE,
            _ => NOT_A_LEADER,
        };
        if number != self.leader.load(Ordering::SeqCst) {
            self.refusals.fetch_add(1, Ordering::SeqCst);
            return Fate::Refuse(code);
        }
        self.members[number]
            .has_written
            .store(true, Ordering::SeqCst);
        Fate::Pass
    }

    fn commit(&self, number: usize) -> Fate {
        let at_commit = [Change::AtCommit, Change::Denied, Change::Lost, Change::Gone];
        let change = self.take(&at_commit, number);
        let fate = match change {
            None if number != self.leader.load(Ordering::SeqCst) => Fate::Refuse(NOT_A_LEADER),
            None => Fate::Pass,
            Some(Change::Denied) => Fate::Deny(NOT_REPLICATED),
            Some(Change::Lost) => Fate::CutAfter,
            Some(Change::Gone) => {
                self.members[number].is_gone.store(true, Ordering::SeqCst);
                Fate::CutBefore
            }
            Some(_) => Fate::Refuse(NOT_A_LEADER),
        };
        if matches!(fate, Fate::Pass | Fate::Deny(_) | Fate::CutAfter) {
            for (other, member) in self.members.iter().enumerate() {
                member.is_behind.store(other != number, Ordering::SeqCst);
            }
        }
        fate
    }

    /// Takes the change that is armed, if it is one of these and the member leads; then another leads.
    fn take(&self, changes: &[Change], number: usize) -> Option<Change> {
        let mut armed = self.armed.lock().unwrap();
        let is_due = armed.is_some_and(|change| changes.contains(&change));
        if !is_due || number != self.leader.load(Ordering::SeqCst) {
            return None;
        }
        self.change();
        armed.take()
    }

    /// Makes the next member the leader; routing tables name the old one for a while.
    fn change(&self) {
        let old = self.leader.load(Ordering::SeqCst);
        *self.told.lock().unwrap() = (old, OLD_TABLES);
        self.leader.store((old + 1) % MEMBERS, Ordering::SeqCst);
        self.changes.fetch_add(1, Ordering::SeqCst);
    }

    /// Prepares a change, and brings absent members back.
    fn arm(&self, change: Change) {
        for member in &self.members {
            member.is_gone.store(false, Ordering::SeqCst);
        }
        if change == Change::Quiet {
            self.change();
        } else {
            *self.armed.lock().unwrap() = Some(change);
        }
    }

    /// The row of a routing table: how long it holds, and who writes, reads and routes.
    fn table(&self) -> Vec<u8> {
        let mut told = self.told.lock().unwrap();
        let leader = match *told {
            (_, 0) => self.leader.load(Ordering::SeqCst),
            (old, left) => {
                *told = (old, left - 1);
                old
            }
        };
        let addresses = |chosen: &dyn Fn(usize) -> bool| -> Vec<&String> {
            let all = self.members.iter().enumerate();
            let chosen = all.filter(|(number, _)| chosen(*number));
            chosen
                .map(|(_, member)| member.address.get().unwrap())
                .collect()
        };
        // A list of two: 300 in two bytes, and a list of three maps.
        let mut row = vec![0x92, 0xC9, 0x01, 0x2C, 0x93];
        for (role, addresses) in [
            ("WRITE", addresses(&|number| number == leader)),
            ("READ", addresses(&|number| number != leader)),
            ("ROUTE", addresses(&|_| true)),
        ] {
            row.push(0xA2);
            row.extend([packed("role"), packed(role), packed("addresses")].concat());
            row.push(0x90 | u8::try_from(addresses.len()).unwrap());
            row.extend(addresses.iter().flat_map(|address| packed(address)));
        }
        // A record is a list of values, which the row's own list is.
        row
    }
}

/// How often the leader changes.
fn changes() -> usize {
    let set = std::env::var("HINDLORE_TEST_LEADER_CHANGES");
    set.map_or(50, |set| set.parse().unwrap())
}

/// The view of readers without the lock: the newest delta, and the revision in the list of memories.
async fn seen(engine: &Engine, key: &MemoryKey) -> (u64, u64) {
    let page = DeltaPage {
        below_revision: None,
        limit: 1,
    };
    let newest = engine.deltas(key, page).await.unwrap();
    let memories = engine.memories(key.tenant(), None).await.unwrap();
    let newest = newest.first().map_or(0, |delta| delta.revision);
    (
        newest,
        memories
            .first()
            .map_or(0, |memory| memory.head.as_ref().unwrap().position.revision),
    )
}

/// The leader changes again and again in the middle of writes: each delta is applied once, and no read is older than what
/// its caller wrote.
pub(crate) async fn leader_changes(server: Server) {
    let (cluster, routed) = Cluster::start(&server).await;
    let writer = engine(&routed, "routed").await;
    let key = MemoryKey::new(&fresh("tenant"), "learner", "scope").unwrap();
    let mut revision = 0;
    for number in 0..changes() {
        cluster.arm(CHANGES[number % CHANGES.len()]);
        for _ in 0..DELTAS_PER_CHANGE {
            revision += 1;
            let delta = note(
                &format!("d_{revision}"),
                &format!("the note {revision} of many"),
            );
            let applied = writer.apply_delta(&key, delta).await.unwrap();
            assert_eq!(applied.receipt.revision, revision);
            assert_eq!(seen(&writer, &key).await, (revision, revision));
        }
        let asked = RetrieveRequest::new(Query::new("note"));
        let answer = writer.retrieve(&key, asked).await.unwrap();
        assert_eq!(answer.memories[0].revision, revision);
        // An engine that begins now, and is given two addresses, of which the first may be gone.
        if number % 10 == 5 {
            let address = |number: usize| cluster.members[number % MEMBERS].address.get();
            let (one, two) = (address(number).unwrap(), address(number + 1).unwrap());
            let newcomer = Server {
                uri: format!("neo4j://{one},{two}"),
                ..server.clone()
            };
            let newcomer = engine(&newcomer, "newcomer").await;
            assert_eq!(seen(&newcomer, &key).await, (revision, revision));
        }
    }
    assert_eq!(cluster.changes.load(Ordering::SeqCst), changes());
    assert!(cluster.refusals.load(Ordering::SeqCst) >= changes() / 4);
    assert_eq!(cluster.old_reads.load(Ordering::SeqCst), 0);
    let direct = engine(&server, "direct").await;
    let known = direct.view(&key).await.unwrap().unwrap();
    assert_eq!(
        (known.revision, known.bullets.len() as u64),
        (revision, revision)
    );
    assert!(direct.verify(&key).await.unwrap().is_sound);
}
