//! The connections to a server, and the auto-commit statements: every statement passes through here or through a
//! transaction, with a database, a deadline, the names that the database has, and its answer read to the end.
//!
//! The driver's `run` on a graph may send a write again after the server has executed it, so it is never used. An
//! auto-commit statement is executed and drained; everything else belongs to a transaction. After a timeout the driver can
//! send nothing more over the connection; then all idle connections are cycled through until the driver meets that one and
//! closes it.
//!
//! Bookmarks are not kept: the driver offers them only with its unstable protocol, and never for auto-commit statements.
//! A single server needs none, since all readers see what it has committed. In a cluster every transaction asks for the
//! writer, to which any member of a `neo4j://` address routes (`dbms.routing.enabled`, on by default), and every write
//! takes the memory's lock there before it reads, so no decision is made on an old state. Only a read that decides
//! nothing may be stale for a moment after a change of leader; its clock is then behind the known one, and the memory is
//! reloaded.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use neo4rs::{Database, Graph, Query, Row};
use tokio::time::{Instant, sleep, timeout};

use super::circuit_breaker::CircuitBreaker;
use super::error::{Failure, Result};
use super::loopback_padding::{Followed, Transport};
use super::naming::{KnownNaming, Naming, TARGET};
use super::room::Room;
use super::statements::{CLOCK, NAMING, Statement};
use super::values::Map;

/// Pause between two looks at the naming while it is being changed.
const RENAMING_PAUSE: Duration = Duration::from_millis(200);
/// Pause between two sweeps of the connections while the server does not answer.
const SWEEP_PAUSE: Duration = Duration::from_millis(500);

/// The purpose of an auto-commit statement, which decides what a refusal proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// A read: nothing is ever written.
    Read,
    /// A write: a refusal may come after the commit.
    Write,
}

/// Time limits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// For one statement, including the wait for a connection.
    pub(super) statement: Duration,
    /// For a whole task, including all retries.
    pub(super) work: Duration,
}

/// How many connections there may be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Connections {
    /// For work that waits for nobody.
    pub(super) working: usize,
    /// More, for work that waits for a lock.
    pub(super) waiting: usize,
}

impl Connections {
    /// All of them.
    pub(super) fn all(self) -> usize {
        self.working + self.waiting
    }
}

/// Connections to one database.
#[derive(Clone)]
pub(super) struct Executor {
    pub(super) graph: Graph,
    database: Arc<str>,
    pub(super) transport: Transport,
    pub(super) limits: Limits,
    pub(super) breaker: CircuitBreaker,
    pub(super) naming: Arc<KnownNaming>,
    pub(super) room: Room,
    connections: usize,
    /// Connections that a sweep still has to cycle through; 0 when no sweep is running.
    swept: Arc<AtomicUsize>,
}

impl Executor {
    pub(super) fn new(
        graph: Graph,
        connections: Connections,
        database: &str,
        transport: Transport,
        limits: Limits,
    ) -> Self {
        Self {
            connections: connections.all(),
            room: Room::new(connections.working, connections.waiting),
            swept: Arc::default(),
            graph,
            database: database.into(),
            transport,
            limits,
            breaker: CircuitBreaker::new(),
            naming: Arc::new(KnownNaming::new()),
        }
    }

    pub(super) fn query(
        &self,
        naming: Naming,
        statement: Statement,
        parameters: Map,
        followed: Followed,
    ) -> Query {
        let parameters = naming.parameters(statement, parameters);
        self.transport
            .query(naming.text(statement), parameters, &self.database, followed)
    }

    /// The naming of the database; waits while it is being changed.
    async fn naming_for(&self, statement: Statement) -> Result<Naming> {
        if Naming::is_of_no_matter_to(statement) {
            return Ok(Naming::Prefixed);
        }
        match self.naming.get() {
            Some(known) => Ok(known),
            // Boxed, since it is rare and every statement would be deeper by it.
            None => Box::pin(self.look_up_naming()).await,
        }
    }

    async fn look_up_naming(&self) -> Result<Naming> {
        let deadline = self.deadline();
        loop {
            let asked = self.naming.now();
            let query = self.naming_query(Followed::ByDemand);
            let rows = timeout(self.limits.statement, self.pull(query)).await;
            let rows = rows.map_err(|_| Failure::Late(NAMING.name))?;
            let rows = rows.map_err(|error| Failure::from_driver(error, NAMING.name))?;
            if let Some(naming) = self.naming.learn(&rows, asked)? {
                return Ok(naming);
            }
            if Instant::now() >= deadline {
                return Err(Failure::being_renamed());
            }
            sleep(RENAMING_PAUSE).await;
        }
    }

    /// The request that looks up the naming.
    pub(super) fn naming_query(&self, followed: Followed) -> Query {
        let named = Map::new().with("target", TARGET);
        self.query(Naming::Prefixed, NAMING, named, followed)
    }

    async fn pull(&self, query: Query) -> neo4rs::Result<Vec<Row>> {
        let mut rows = Vec::new();
        let database = Database::from(&*self.database);
        let mut stream = self.graph.execute_on(database, query).await?;
        while let Some(row) = stream.next().await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// True when a request with these parameters is sent without delay.
    pub(super) fn fits(&self, statement: Statement, parameters: &Map) -> bool {
        statement.bytes(parameters) <= self.transport.at_once()
    }

    /// The name of the database.
    pub(super) fn database(&self) -> &str {
        &self.database
    }

    /// The deadline of a task that starts now.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.limits.work
    }

    /// Sends an auto-commit statement. When the connection fails, it is unknown whether the statement was executed, so
    /// only statements that can be repeated may be sent this way.
    pub(super) async fn auto_commit(
        &self,
        aim: Aim,
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let limit = self.limits.statement;
        self.auto_commit_within(aim, limit, statement, parameters)
            .await
    }

    /// The same with its own time limit. The driver itself retries transient refusals, with growing pauses and without
    /// telling, until the limit.
    pub(super) async fn auto_commit_within(
        &self,
        aim: Aim,
        limit: Duration,
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let naming = self.naming_for(statement).await?;
        let query = self.query(naming, statement, parameters, Followed::ByDemand);
        let before_rows = |error| Failure::from_single_statement(error, statement.name);
        // Once rows arrive, a write may already be committed, so the same error proves less.
        let among_rows = |error| match aim {
            Aim::Read => Failure::from_single_statement(error, statement.name),
            Aim::Write => Failure::from_streamed_write(error, statement.name),
        };
        let work = async {
            let database = Database::from(&*self.database);
            let mut rows = Vec::new();
            let begun = self.graph.execute_on(database, query).await;
            let mut stream = begun.map_err(before_rows)?;
            while let Some(row) = stream.next().await.map_err(among_rows)? {
                rows.push(row);
            }
            Ok(rows)
        };
        let started = Instant::now();
        let mut place = self.room.enter(started + limit).await?;
        let answer = timeout(limit, place.during(work)).await;
        tracing::trace!(statement = statement.name, took = ?started.elapsed(), "auto-committed");
        match answer {
            Ok(answer) => self.heard(answer),
            Err(_) => Err(Failure::Unknown(format!(
                "`{}` was not answered in {limit:?}",
                statement.name
            ))),
        }
    }

    /// Closes the breaker when the server has answered; a refusal is an answer, too.
    pub(super) fn heard<T>(&self, answer: Result<T>) -> Result<T> {
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
