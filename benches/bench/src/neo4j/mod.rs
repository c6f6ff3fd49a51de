//! `hindlore-bench neo4j`: the cost of the Neo4j backend, compared with the server's own floor, and with other memories
//! that keep their items in the same server.
//!
//! Everything is written below a scratch tenant of the named store and erased at the end. Calls to be compared take
//! turns. Figures of a server that others use at the same time mean little, which is why every row is a ratio.

pub(super) mod bare;
mod ingest;
mod known;
mod peers;
mod proxy;
mod race;
mod retrieval;
mod scratch;
mod texts;

use self::retrieval::Memories;
use self::scratch::Scratch;
use super::{EvalError, Peers, Progress, Report};
use hindlore_neo4j::Neo4jOptions;

/// How much is measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Bullets of the memories that are measured, ascending.
    pub items: Vec<u64>,
    /// Bullets of one batch ingest.
    pub ingest: u64,
    /// Rounds of batch ingest.
    pub rounds: usize,
    /// Timed calls of each kind.
    pub calls: usize,
    /// Calls before a peer has its turn.
    pub block: usize,
    /// Calls that a slow peer makes instead.
    pub peer_calls: usize,
    /// Clients that insert the same items at once.
    pub clients: usize,
    /// Items that they insert.
    pub raced: u64,
}

impl Plan {
    /// Everything, which takes most of an hour with all peers.
    pub fn full() -> Self {
        Self {
            items: vec![1_000, 10_000],
            ingest: 20_000,
            rounds: 3,
            calls: 400,
            block: 10,
            peer_calls: 40,
            clients: 8,
            raced: 100,
        }
    }

    /// A first impression.
    pub fn quick() -> Self {
        Self {
            items: vec![1_000],
            ingest: 2_000,
            rounds: 1,
            calls: 100,
            block: 10,
            peer_calls: 10,
            ..Self::full()
        }
    }

    /// Untimed calls: the first statements of a server are slower.
    fn warm(&self) -> usize {
        self.calls.div_ceil(2)
    }
}

/// Measures.
///
/// # Errors
/// When the server cannot be reached or written to. A missing peer is a row with the reason.
pub async fn run(
    options: Neo4jOptions,
    mut plan: Plan,
    peers: &Peers,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    plan.items.sort_unstable();
    plan.items.dedup();
    let scratch = Scratch::new(options);
    progress(&format!("scratch tenant {}", scratch.tenant));
    let measured = measure(&scratch, &plan, peers, progress).await;
    // The written data is removed, also when the rest failed.
    let erased = scratch.erase_all().await;
    let report = measured?;
    erased.map(|()| report)
}

async fn measure(
    scratch: &Scratch,
    plan: &Plan,
    peers: &Peers,
    progress: Progress<'_>,
) -> Result<Report, EvalError> {
    let mut report = Report::new("neo4j");
    let mut sizes = Vec::new();
    for size in &plan.items {
        progress(&format!("retrieval at {size}"));
        let memories = Memories::make(scratch, *size).await?;
        retrieval::measure(scratch, &memories, plan, &mut report).await?;
        sizes.push((*size, memories));
    }
    progress("batch ingest");
    ingest::measure(scratch, plan, &mut report).await?;
    for (size, memories) in &sizes {
        progress(&format!("add at {size}"));
        report.push(peers::own_add(memories, (*size, plan)).await?);
    }
    progress("clients at once");
    let ours = race::ours(scratch, plan, &mut report).await?;
    for peer in known::KNOWN {
        progress(peer.name);
        let beside = peers::Beside {
            peers,
            scratch,
            plan,
            sizes: &sizes,
            raced: ours,
        };
        beside.measure(peer, &mut report).await?;
    }
    Ok(report)
}
