//! The one way to the server: every statement goes through here, with a database, a deadline, and its
//! answer read to the end.
//!
//! The driver's `run` on a graph may send a write again after the server has carried it out, so it is
//! never used: a statement on its own is executed and drained, everything else belongs to a transaction
//! that ends in a commit or a rollback. A transaction that is dropped would keep its locks until the
//! connection is used again, so dropping one here rolls it back; one whose answer did not come in time cannot be
//! rolled back any more, and the connections are gone through until its own was met and closed.
//!
//! Bookmarks are not kept. The driver hands them out only with its unstable protocol, and even there not
//! for a statement on its own. One server needs none: what it has committed everybody reads. In a cluster
//! every transaction here asks for the writer, which an address with `neo4j://` lets any member pass on
//! (`dbms.routing.enabled`, on unless somebody turned it off), and every write takes the memory's lock there
//! before it reads, so no decision is made on an old state. What may be old for a moment after a change of
//! leader is a read that decides nothing; a clock behind our own tells, and the memory is loaded again.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use neo4rs::{Database, Graph, Query, Row, Txn};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::circuit_breaker::CircuitBreaker;
use super::error::{Failure, Result};
use super::statements::{CLOCK, Statement};
use super::values::Map;
use super::wire::{Followed, Wire};

/// How long a rollback may take; after that the server ends the transaction by its own rules.
const ROLLBACK_MS: u64 = 2_000;
/// The pause before the next question, while the server is silent and a connection is to be closed.
const SWEEP_PAUSE: Duration = Duration::from_millis(500);

/// What a statement of its own is sent for, which decides what a refusal tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Aim {
    /// Asking: whatever it comes to, nothing was written.
    Ask,
    /// Writing: a refusal may come when it is already committed.
    Write,
}

/// How long things may take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// One statement, the wait for a connection included.
    pub(super) statement: Duration,
    /// A whole unit of work with all its repetitions.
    pub(super) work: Duration,
}

/// Connections to one database.
#[derive(Clone)]
pub(super) struct Executor {
    graph: Graph,
    database: Arc<str>,
    pub(super) wire: Wire,
    pub(super) limits: Limits,
    pub(super) breaker: CircuitBreaker,
    connections: usize,
    /// Connections that are still to be looked at; 0 while nobody does.
    swept: Arc<AtomicUsize>,
}

impl Executor {
    pub(super) fn new(
        (graph, connections): (Graph, usize),
        (database, wire): (&str, Wire),
        limits: Limits,
    ) -> Self {
        Self {
            connections,
            swept: Arc::default(),
            graph,
            database: database.into(),
            wire,
            limits,
            breaker: CircuitBreaker::new(),
        }
    }

    fn query(&self, statement: Statement, parameters: Map, followed: Followed) -> Query {
        self.wire
            .query(statement.sent(), parameters, (&self.database, followed))
    }

    /// True when a request with these parameters leaves without waiting on its way.
    pub(super) fn fits(&self, statement: Statement, parameters: &Map) -> bool {
        statement.bytes(parameters) <= self.wire.at_once()
    }

    /// The name of the database.
    pub(super) fn database(&self) -> &str {
        &self.database
    }

    /// The moment at which a unit of work that starts now must have ended.
    pub(super) fn deadline(&self) -> Instant {
        Instant::now() + self.limits.work
    }

    /// Sends a statement that is a transaction of its own. When it fails on the way, nobody knows
    /// whether it was carried out: only what can be repeated may be sent like this.
    pub(super) async fn alone(
        &self,
        aim: Aim,
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let limit = self.limits.statement;
        self.alone_within((aim, limit), statement, parameters).await
    }

    /// The same with a limit of its own. The driver itself repeats what the server refuses for a passing reason,
    /// with growing pauses, until the limit.
    pub(super) async fn alone_within(
        &self,
        (aim, limit): (Aim, Duration),
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let query = self.query(statement, parameters, Followed::ByDemand);
        let before_rows = |error| Failure::from_single_statement(error, statement.name);
        let among_rows = |error| match aim {
            Aim::Ask => Failure::from_single_statement(error, statement.name),
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
        let answer = timeout(limit, work).await;
        tracing::trace!(statement = statement.name, took = ?started.elapsed(), "asked alone");
        match answer {
            Ok(answer) => self.heard(answer),
            Err(_) => Err(Failure::Unknown(format!(
                "`{}` was not answered in {limit:?}",
                statement.name
            ))),
        }
    }

    /// Notes that the server has answered, also when it said no.
    fn heard<T>(&self, answer: Result<T>) -> Result<T> {
        let has_said = |failure: &Failure| {
            matches!(failure, Failure::Server { .. } | Failure::Doubtful { .. })
        };
        if answer.as_ref().err().is_none_or(has_said) {
            self.breaker.record_success();
        }
        answer
    }

    /// Has every connection looked at that is not in use. The driver closes one on which an answer is owed when it
    /// takes it out, the one that was put back first, and only that ends its transaction on the server.
    fn sweep(&self) {
        if self.swept.swap(self.connections, Ordering::AcqRel) > 0 {
            return;
        }
        let executor = self.clone();
        tokio::spawn(async move {
            let deadline = executor.deadline() + executor.limits.statement;
            while executor.swept.load(Ordering::Acquire) > 0 {
                let heard = executor.alone(Aim::Ask, CLOCK, Map::new()).await;
                match heard {
                    Ok(_) => drop(executor.swept.fetch_sub(1, Ordering::AcqRel)),
                    Err(_) if Instant::now() < deadline => sleep(SWEEP_PAUSE).await,
                    Err(_) => executor.swept.store(0, Ordering::Release),
                }
            }
        });
    }

    /// Begins a transaction.
    pub(super) async fn begin(&self, deadline: Instant) -> Result<Transaction> {
        let until = deadline.min(Instant::now() + self.limits.statement);
        let begin = self.graph.start_txn_on(&*self.database);
        match timeout_at(until, begin).await {
            Ok(begun) => {
                let txn =
                    self.heard(begun.map_err(|error| Failure::from_driver(error, "BEGIN")))?;
                Ok(Transaction {
                    txn: Some(txn),
                    executor: self.clone(),
                    deadline,
                    pieces: None,
                    is_owed: false,
                })
            }
            Err(_) => Err(Failure::Late("BEGIN")),
        }
    }
}

/// A transaction; it is rolled back unless it is committed.
pub(super) struct Transaction {
    txn: Option<Txn>,
    executor: Executor,
    deadline: Instant,
    /// What each further transaction begins with, where every statement has one of its own.
    pieces: Option<(Statement, Map)>,
    /// An answer did not come in time: the driver sends nothing over this connection any more.
    is_owed: bool,
}

impl Transaction {
    fn until(&self) -> Instant {
        self.deadline
            .min(Instant::now() + self.executor.limits.statement)
    }

    /// Commits what was done. From now on every statement is committed once it was answered, and the next
    /// one begins with `guard`, which must give a row.
    pub(super) async fn go_on_in_pieces(
        &mut self,
        guard: Statement,
        parameters: Map,
    ) -> Result<()> {
        self.pieces = Some((guard, parameters));
        self.end_piece().await
    }

    /// What is done from now on is committed as a whole again.
    pub(super) fn go_on_as_one(&mut self) {
        self.pieces = None;
    }

    /// Commits where statements are committed one by one, and begins again.
    async fn end_piece(&mut self) -> Result<()> {
        let Some((guard, parameters)) = self.pieces.take() else {
            return Ok(());
        };
        self.end().await?;
        *self = self.executor.begin(self.executor.deadline()).await?;
        let held = self.send(guard, parameters.clone()).await?;
        if held.is_empty() {
            return Err(Failure::begun_anew());
        }
        self.pieces = Some((guard, parameters));
        Ok(())
    }

    /// Sends a statement and gives its rows.
    pub(super) async fn query(
        &mut self,
        statement: Statement,
        parameters: Map,
    ) -> Result<Vec<Row>> {
        let rows = self.send(statement, parameters).await?;
        self.end_piece().await?;
        Ok(rows)
    }

    async fn send(&mut self, statement: Statement, parameters: Map) -> Result<Vec<Row>> {
        let until = self.until();
        let query = self
            .executor
            .query(statement, parameters, Followed::ByNothing);
        let txn = self.txn.as_mut().ok_or(Failure::Stopped)?;
        let work = async {
            let mut rows = Vec::new();
            let mut stream = txn.execute(query).await?;
            while let Some(row) = stream.next(&mut *txn).await? {
                rows.push(row);
            }
            Ok(rows)
        };
        let started = Instant::now();
        let answer = timeout_at(until, work).await;
        tracing::trace!(statement = statement.name, took = ?started.elapsed(), "asked");
        match answer {
            Ok(answer) => {
                self.heard(answer.map_err(|error| Failure::from_driver(error, statement.name)))
            }
            Err(_) => self.heard(Err(Failure::Late(statement.name))),
        }
    }

    fn heard<T>(&mut self, answer: Result<T>) -> Result<T> {
        self.is_owed |= matches!(answer, Err(Failure::Late(_)));
        answer
    }

    /// Sends a statement whose rows nobody wants, in one turn.
    pub(super) async fn execute(&mut self, statement: Statement, parameters: Map) -> Result<()> {
        let until = self.until();
        let query = self
            .executor
            .query(statement, parameters, Followed::ByDemand);
        let txn = self.txn.as_mut().ok_or(Failure::Stopped)?;
        let started = Instant::now();
        let outcome = timeout_at(until, txn.run(query)).await;
        tracing::trace!(statement = statement.name, took = ?started.elapsed(), "executed");
        let outcome = match outcome {
            Ok(outcome) => outcome
                .map(|_| ())
                .map_err(|error| Failure::from_driver(error, statement.name)),
            Err(_) => Err(Failure::Late(statement.name)),
        };
        self.heard(outcome)?;
        self.end_piece().await
    }

    /// Commits. Whatever goes wrong once the request is on its way leaves the outcome unknown.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.end().await
    }

    async fn end(&mut self) -> Result<()> {
        let until = self.until();
        let txn = self.txn.take().ok_or(Failure::Stopped)?;
        match timeout_at(until, txn.commit()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Failure::from_commit(error)),
            Err(_) => Err(Failure::Unknown(
                "COMMIT was not answered in time".to_owned(),
            )),
        }
    }

    /// Rolls back, as far as the server can be reached.
    pub(super) async fn rollback(mut self) {
        let Some(txn) = self.txn.take() else { return };
        if self.is_owed {
            drop(txn);
            self.executor.sweep();
        } else {
            roll_back(txn).await
        }
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        let Some(txn) = self.txn.take() else { return };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(roll_back(txn));
        }
    }
}

/// After a failed statement the server answers a rollback with "ignored", which is as good.
async fn roll_back(txn: Txn) {
    let limit = Duration::from_millis(ROLLBACK_MS);
    if timeout(limit, txn.rollback()).await.is_err() {
        tracing::warn!("a rollback was not answered; its locks stay until the server notices");
    }
}
