//! The members of a cluster: who leads, and connections to it. A single server is a cluster of one.
//!
//! An address of the scheme `bolt` is that server. With `neo4j`, the addresses are asked in turn who leads, by the
//! routing table that the server keeps for drivers; everything is then sent to the leader, reads as well. So no lagging
//! member can answer a read with an older state than its caller wrote, and no bookmark is needed, which the driver
//! could neither send nor get with a statement of its own. One case is left: a new leader has all commits, but may not
//! have applied them yet. It applies in order, so a small write through a leader before anything else ([`TAKE_LEAD`])
//! makes all earlier commits visible there.
//!
//! The table is asked for again when its time is over, and when an answer speaks against the member: it leads no longer,
//! may only be read, cannot be reached, or does not answer. The driver can route by itself, but only with its unstable
//! protocol, and without either of these two.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use neo4rs::{Database, Graph, Query, Row};
use tokio::time::{Instant, timeout};

use super::address::Addresses;
use super::random::token;
use super::rows::rows_of;
use super::values::Map;
use crate::error::{Failure, Result};
use crate::options::Neo4jOptions;
use crate::schema::migrations::TARGET;
use crate::statements::{ROUTING, Statement, TAKE_LEAD};
use hindlore_store::StoreResult;

/// Longest wait for one of several members to name the leader.
const ASK_MAX: Duration = Duration::from_secs(5);
/// Bounds of the time for which a routing table holds.
const HOLDS: [Duration; 2] = [Duration::from_secs(5), Duration::from_secs(300)];
const NOT_A_LEADER: &str = "Neo.ClientError.Cluster.NotALeader";

/// The members that are known, and the one that leads; clones are handles to the same.
#[derive(Clone)]
pub(crate) struct Members {
    shared: Arc<Shared>,
}

struct Shared {
    options: Neo4jOptions,
    addresses: Addresses,
    /// Held during a search for the leader.
    asking: tokio::sync::Mutex<()>,
    known: Mutex<Known>,
}

struct Known {
    /// Connections by URI.
    graphs: BTreeMap<String, Graph>,
    /// Whom to ask who leads: first the one that answered last.
    routers: Vec<String>,
    leader: Option<Leader>,
    are_several: bool,
}

#[derive(Clone)]
struct Leader {
    graph: Graph,
    /// When to ask again; never for an address that is not routed.
    until: Option<Instant>,
}

/// The members for one role.
#[derive(serde::Deserialize)]
struct Servers {
    addresses: Vec<String>,
    role: String,
}

impl Members {
    pub(super) fn new(options: &Neo4jOptions) -> StoreResult<Self> {
        let addresses = Addresses::parse(&options.uri)?;
        let routers = addresses.uris();
        let mut graphs = BTreeMap::new();
        for uri in &routers {
            graphs.insert(uri.clone(), options.graph(uri)?);
        }
        let fixed = if addresses.are_routed() {
            None
        } else {
            graphs.first_key_value().map(|(_, graph)| Leader {
                graph: graph.clone(),
                until: None,
            })
        };
        let known = Known {
            graphs,
            routers,
            leader: fixed,
            are_several: false,
        };
        Ok(Self {
            shared: Arc::new(Shared {
                options: options.clone(),
                addresses,
                asking: tokio::sync::Mutex::new(()),
                known: Mutex::new(known),
            }),
        })
    }

    /// True when the last routing table named several members.
    pub(super) fn are_several(&self) -> bool {
        self.known().are_several
    }

    /// Connections to the member that leads.
    pub(super) async fn leader(&self) -> Result<Graph> {
        match self.known_leader() {
            Some(graph) => Ok(graph),
            // Boxed, since it is rare and every statement would be deeper by it.
            None => Box::pin(self.find()).await,
        }
    }

    /// Hears of a failure; one that speaks against the member has the next request ask who leads.
    pub(super) fn hear(&self, failure: &Failure) {
        let speaks_against = failure.is_of_the_moment()
            || failure.is_read_only()
            || failure.is_absence()
            || failure.is_cut()
            || matches!(failure, Failure::Unknown(_) | Failure::Late(_));
        if speaks_against && self.shared.addresses.are_routed() {
            self.known().leader = None;
        }
    }

    /// True when the same work may succeed at another member.
    pub(super) fn may_pass(&self, failure: &Failure) -> bool {
        failure.is_read_only() && self.are_several()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        let known = self.shared.known.lock();
        known.unwrap_or_else(PoisonError::into_inner)
    }

    fn known_leader(&self) -> Option<Graph> {
        let known = self.known();
        let leader = known.leader.as_ref()?;
        let holds = leader.until.is_none_or(|until| Instant::now() < until);
        holds.then(|| leader.graph.clone())
    }

    async fn find(&self) -> Result<Graph> {
        let _turn = self.shared.asking.lock().await;
        // Another request may have found the leader while this one waited for its turn.
        if let Some(found) = self.known_leader() {
            return Ok(found);
        }
        // Copied, because the lock must not be held during the requests.
        let routers = self.known().routers.clone();
        let own_limit = Duration::from_millis(self.shared.options.connect_timeout_ms);
        let limit = if routers.len() > 1 {
            ASK_MAX.min(own_limit)
        } else {
            own_limit
        };
        let mut last = Failure::Away;
        for router in routers {
            let found = timeout(limit, self.ask(&router)).await;
            match found.unwrap_or(Err(Failure::Late(ROUTING.name))) {
                Ok(leader) => {
                    self.known().leader = Some(leader.clone());
                    return Ok(leader.graph);
                }
                Err(failure) => {
                    tracing::debug!(?failure, "a member did not say who leads");
                    last = failure;
                }
            }
        }
        Err(last)
    }

    /// Asks one member who leads, and has that one catch up.
    async fn ask(&self, router: &str) -> Result<Leader> {
        let graph = self.graph(router)?;
        let named = Map::new().with("database", self.shared.options.database.as_str());
        let rows = match self.send(&graph, ROUTING, named).await {
            Ok(rows) => rows,
            // A server without this procedure, or a user who may not call it: any member passes requests on.
            Err(failure @ Failure::Server { .. }) if !failure.is_passing() => {
                tracing::warn!(?failure, "nobody says who leads; `{router}` is taken to");
                return Ok(self.alone(router, graph));
            }
            Err(failure) => return Err(failure),
        };
        let row = rows.first().ok_or(Failure::Late(ROUTING.name))?;
        let servers: Vec<Servers> = row.get("servers")?;
        let all: BTreeSet<&String> = servers.iter().flat_map(|role| &role.addresses).collect();
        let writers: Vec<&String> = servers
            .iter()
            .filter(|role| role.role == "WRITE")
            .flat_map(|role| &role.addresses)
            .collect();
        // The address that a single server gives may be one that only it can reach; the one that we have answers.
        if all.len() == 1 && !writers.is_empty() {
            return Ok(self.alone(router, graph));
        }
        let members = all.into_iter().map(|address| self.member(address));
        self.remember(router, members.collect());
        let writer = writers.first().ok_or_else(|| Failure::Server {
            code: NOT_A_LEADER.to_owned(),
            message: "the routing table names no member that may be written to".to_owned(),
        })?;
        let leader = self.graph(&self.member(writer))?;
        let marked = Map::new()
            .with("target", TARGET)
            .with("token", token().as_str());
        match self.send(&leader, TAKE_LEAD, marked).await {
            Err(failure) if !failure.is_read_only() => return Err(failure),
            _ => tracing::info!(writer, "leads"),
        }
        let seconds: i64 = row.get("ttl")?;
        let holds = Duration::from_secs(u64::try_from(seconds).unwrap_or_default());
        Ok(Leader {
            graph: leader,
            until: Some(Instant::now() + holds.clamp(HOLDS[0], HOLDS[1])),
        })
    }

    fn member(&self, address: &str) -> String {
        self.shared.addresses.member(address)
    }

    /// A single server: it leads until it fails.
    fn alone(&self, router: &str, graph: Graph) -> Leader {
        self.remember(router, Vec::new());
        Leader { graph, until: None }
    }

    /// Keeps whom to ask next time: the one that answered, the addresses that were given, and the members that it named.
    fn remember(&self, router: &str, members: Vec<String>) {
        let mut known = self.known();
        known.are_several = !members.is_empty();
        let mut routers = vec![router.to_owned()];
        for other in self.shared.addresses.uris().into_iter().chain(members) {
            if !routers.contains(&other) {
                routers.push(other);
            }
        }
        // Connections to a member that left the cluster are closed with their pool.
        known.graphs.retain(|uri, _| routers.contains(uri));
        known.routers = routers;
    }

    fn graph(&self, uri: &str) -> Result<Graph> {
        if let Some(graph) = self.known().graphs.get(uri) {
            return Ok(graph.clone());
        }
        let made = self.shared.options.graph(uri).map_err(Failure::Store)?;
        self.known().graphs.insert(uri.to_owned(), made.clone());
        Ok(made)
    }

    /// Sends a statement to one member. In a transaction, so that the driver does not repeat it there.
    async fn send(&self, graph: &Graph, statement: Statement, parameters: Map) -> Result<Vec<Row>> {
        let work = async {
            let query = Query::new(statement.sent()).with_params(parameters.into());
            let database = Database::from(self.shared.options.database.as_str());
            let mut txn = graph.start_txn_on(database).await?;
            let rows = rows_of(&mut txn, query).await?;
            txn.commit().await?;
            Ok(rows)
        };
        work.await
            .map_err(|error| Failure::from_driver(error, statement.name))
    }
}
