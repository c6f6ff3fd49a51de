//! The connections to a server, and the auto-commit statements: every statement passes through here or through a
//! transaction, with a database and a deadline, and its answer is read to the end.
//!
//! The driver's `run` on a graph may send a write again after the server has executed it, so it is never used. An
//! auto-commit statement is executed and drained; everything else belongs to a transaction. After a timeout the driver can
//! send nothing more over the connection; then all idle connections are cycled through until the driver meets that one and
//! closes it.
//!
//! In a cluster everything goes to the member that leads, which `members` finds. There an auto-commit statement is sent
//! in a transaction of its own: alone, the driver would repeat it at a member that leads no longer until the limit is
//! over, and its execution would then be in doubt. The price is two round trips.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use neo4rs::{Database, Graph, Query, Row};
use tokio::time::{Instant, sleep, timeout};

use super::circuit_breaker::CircuitBreaker;
use super::connection_limiter::Room;
use super::loopback_padding::{Followed, Transport};
use super::routing::Members;
use super::rows::rows_of;
use super::values::Map;
use crate::error::{Failure, Result};
use crate::options::Neo4jOptions;
use crate::statements::{CLOCK, Statement};
use hindlore_store::StoreResult;

/// Longest wait for a rollback.
const ROLLED_BACK: Duration = Duration::from_secs(2);
/// Pause between two sweeps of the connections while the server does not answer.
const SWEEP_PAUSE: Duration = Duration::from_millis(500);

/// The purpose of an auto-commit statement, which decides the meaning of a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aim {
    /// A read: nothing is ever written.
    Read,
    /// A write: a refusal may come after the commit.
    Write,
}

/// Time limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// For one statement, including the wait for a connection.
    pub(crate) statement: Duration,
    /// For a whole task, including all retries.
    pub(super) work: Duration,
}

/// Connections to one database.
#[derive(Clone)]
pub(crate) struct Executor {
    pub(crate) members: Members,
    database: Arc<str>,
    pub(crate) transport: Transport,
    pub(crate) limits: Limits,
    pub(crate) breaker: CircuitBreaker,
    pub(super) room: Room,
    connections: usize,
    /// Connections that a sweep still has to cycle through; 0 when no sweep is running.
    swept: Arc<AtomicUsize>,
}

impl Executor {
    /// For the database that the options name; connections are made when they are needed.
    pub(crate) fn new(options: &Neo4jOptions) -> StoreResult<Self> {
        Ok(Self {
            members: Members::new(options)?,
            connections: options.all_connections(),
            room: Room::new(options.working_connections(), options.waiting_connections),
            swept: Arc::default(),
            database: options.database.as_str().into(),
            transport: Transport::to(&options.uri),
            limits: Limits {
                statement: Duration::from_millis(options.statement_timeout_ms),
                work: Duration::from_millis(options.work_timeout_ms),
            },
            breaker: CircuitBreaker::new(),
        })
    }

    pub(super) fn query(&self, statement: Statement, parameters: Map, followed: Followed) -> Query {
        self.transport
            .query(statement.sent(), parameters, &self.database, followed)
    }

    /// True when a request with these parameters is sent without delay.
    pub(crate) fn fits(&self, statement: Statement, parameters: &Map) -> bool {
        statement.bytes(parameters) <= self.transport.at_once()
    }

    /// The name of the database.
    pub(crate) fn database(&self) -> &str {
        &self.database
    }

    /// The deadline of a task that starts now.
    pub(crate) fn deadline(&self) -> Instant {
        Instant::now() + self.limits.work
    }

    /// Sends an auto-commit statement. When the connection fails, it is unknown whether the statement was executed, so
    /// only statements that can be repeated may be sent this way.
    pub(crate) async fn auto_commit(
        &self,
        aim: Aim,
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let limit = self.limits.statement;
        self.auto_commit_within(aim, limit, statement, parameters)
            .await
    }

    /// Like `auto_commit`, with its own time limit. The driver itself silently retries transient refusals, with growing
    /// pauses, until the limit.
    pub(crate) async fn auto_commit_within(
        &self,
        aim: Aim,
        limit: Duration,
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let query = self.query(statement, parameters, Followed::ByDemand);
        // The search for the leader counts towards the limit, because it may take requests of its own.
        let work = async {
            let graph = self.members.leader().await?;
            if self.members.are_several() {
                self.in_transaction(&graph, aim, statement, query).await
            } else {
                self.alone(&graph, aim, statement, query).await
            }
        };
        let started = Instant::now();
        let mut place = self.room.enter(started + limit).await?;
        let answer = timeout(limit, place.during(work)).await;
        tracing::trace!(statement = statement.name, took = ?started.elapsed(), "auto-committed");
        let unanswered = || {
            let what = format!("`{}` was not answered in {limit:?}", statement.name);
            Err(Failure::Unknown(what))
        };
        self.heard(answer.unwrap_or_else(|_| unanswered()))
    }

    async fn alone(
        &self,
        graph: &Graph,
        aim: Aim,
        statement: Statement,
        query: Query,
    ) -> Result<Vec<Row>> {
        let before_rows = |error| Failure::from_single_statement(error, statement.name);
        // Once rows arrive, a write may already be committed, so the same error proves less.
        let among_rows = |error| match aim {
            Aim::Read => Failure::from_single_statement(error, statement.name),
            Aim::Write => Failure::from_streamed_write(error, statement.name),
        };
        let database = Database::from(&*self.database);
        let mut rows = Vec::new();
        let begun = graph.execute_on(database, query).await;
        let mut stream = begun.map_err(before_rows)?;
        while let Some(row) = stream.next().await.map_err(among_rows)? {
            rows.push(row);
        }
        Ok(rows)
    }

    async fn in_transaction(
        &self,
        graph: &Graph,
        aim: Aim,
        statement: Statement,
        query: Query,
    ) -> Result<Vec<Row>> {
        let before_commit = |error| Failure::from_driver(error, statement.name);
        let begun = graph.start_txn_on(self.database()).await;
        let mut txn = begun.map_err(before_commit)?;
        let rows = match rows_of(&mut txn, query).await.map_err(before_commit) {
            Ok(rows) => rows,
            Err(failure) => {
                // Left open, it would keep its locks until its connection is used again.
                let _ = timeout(ROLLED_BACK, txn.rollback()).await;
                return Err(failure);
            }
        };
        let ended = txn.commit().await;
        match aim {
            Aim::Read => ended.map_err(before_commit)?,
            Aim::Write => ended.map_err(Failure::from_commit)?,
        }
        Ok(rows)
    }

    /// Closes the breaker when the server has answered; a refusal is an answer, too. One that speaks against the member
    /// has the next request ask who leads.
    pub(super) fn heard<T>(&self, answer: Result<T>) -> Result<T> {
        if let Err(failure) = &answer {
            self.members.hear(failure);
        }
        let has_said = |failure: &Failure| {
            matches!(failure, Failure::Server { .. } | Failure::Doubtful { .. })
        };
        if answer.as_ref().err().is_none_or(has_said) {
            self.breaker.record_success();
        }
        answer
    }

    /// Cycles through all idle connections. The pool is a queue, and the driver closes a connection with a pending answer
    /// only when it takes it out; only that ends its transaction on the server. One harmless read for each connection
    /// therefore reaches it.
    pub(super) fn sweep(&self) {
        // A sweep under way starts its count over: it may have passed the connection in question.
        // The former count shows whether a sweep is under way, so that only one runs.
        if self.swept.swap(self.connections, Ordering::AcqRel) > 0 {
            return;
        }
        let executor = self.clone();
        tokio::spawn(async move {
            let deadline = executor.deadline() + executor.limits.statement;
            while executor.swept.load(Ordering::Acquire) > 0 {
                let heard = executor.auto_commit(Aim::Read, CLOCK, Map::new()).await;
                match heard {
                    Ok(_) => drop(executor.swept.fetch_sub(1, Ordering::AcqRel)),
                    Err(_) if Instant::now() < deadline => sleep(SWEEP_PAUSE).await,
                    Err(_) => executor.swept.store(0, Ordering::Release),
                }
            }
        });
    }
}
