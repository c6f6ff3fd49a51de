//! The only way to the server: every statement passes through here, with a database, a deadline, and its answer read to
//! the end.
//!
//! The driver's `run` on a graph may send a write again after the server has executed it, so it is never used. An
//! auto-commit statement is executed and drained; everything else belongs to a transaction that ends in a commit or a
//! rollback. A dropped transaction would keep its locks until its connection is used again, so dropping one here rolls it
//! back. After a timeout the driver can send nothing more over the connection; then all idle connections are cycled
//! through until the driver meets that one and closes it.
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

use neo4rs::{Database, Graph, Query, Row, Txn};
use tokio::time::{Instant, sleep, timeout, timeout_at};

use super::circuit_breaker::CircuitBreaker;
use super::error::{Failure, Result};
use super::loopback_padding::{Followed, Transport};
use super::statements::{CLOCK, Statement, TELL_REQUESTS};
use super::values::Map;
use mnemograph_store::request::current;

/// Longest wait for a rollback; afterwards the server ends the transaction by its own timeout.
const ROLLBACK_MS: u64 = 2_000;
/// Characters of ids of requests in the metadata of a transaction, of which the server takes 2,048 in all.
const METADATA_MAX: usize = 1_500;
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

/// Connections to one database.
#[derive(Clone)]
pub(super) struct Executor {
    graph: Graph,
    database: Arc<str>,
    pub(super) transport: Transport,
    pub(super) limits: Limits,
    pub(super) breaker: CircuitBreaker,
    connections: usize,
    /// Connections that a sweep still has to cycle through; 0 when no sweep is running.
    swept: Arc<AtomicUsize>,
}

impl Executor {
    pub(super) fn new(
        graph: Graph,
        connections: usize,
        database: &str,
        transport: Transport,
        limits: Limits,
    ) -> Self {
        Self {
            connections,
            swept: Arc::default(),
            graph,
            database: database.into(),
            transport,
            limits,
            breaker: CircuitBreaker::new(),
        }
    }

    fn query(&self, statement: Statement, parameters: Map, followed: Followed) -> Query {
        self.transport
            .query(statement.sent(), parameters, &self.database, followed)
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
        let query = self.query(statement, parameters, Followed::ByDemand);
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
        let answer = timeout(limit, work).await;
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
    fn heard<T>(&self, answer: Result<T>) -> Result<T> {
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
    fn sweep(&self) {
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

    /// Begins a transaction, which says for which requests it is, where somebody told their ids.
    pub(super) async fn begin(&self, deadline: Instant) -> Result<Transaction> {
        let mut transaction = self.begin_unnamed(deadline).await?;
        if let Some(requests) = current() {
            let metadata = Map::new().with("requests", named(&requests).as_str());
            let told = Map::new().with("metadata", metadata);
            transaction.send(TELL_REQUESTS, told).await?;
        }
        Ok(transaction)
    }

    async fn begin_unnamed(&self, deadline: Instant) -> Result<Transaction> {
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

/// The ids of requests, as many as fit into what the server takes.
fn named(requests: &[Arc<str>]) -> String {
    let mut text = String::new();
    for id in requests {
        if text.len() + id.len() >= METADATA_MAX {
            text.push_str(" …");
            break;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(id);
    }
    text
}

/// A transaction, rolled back when dropped without a commit.
pub(super) struct Transaction {
    txn: Option<Txn>,
    executor: Executor,
    deadline: Instant,
    /// In piecewise mode: the guard that each further transaction starts with.
    pieces: Option<(Statement, Map)>,
    /// An answer timed out, so the driver sends nothing more over this connection.
    is_owed: bool,
}

impl Transaction {
    fn until(&self) -> Instant {
        self.deadline
            .min(Instant::now() + self.executor.limits.statement)
    }

    /// Commits, and switches to piecewise mode: from now on each statement is committed once it is answered, and the next
    /// transaction starts with `guard`, which must return a row.
    pub(super) async fn go_on_in_pieces(
        &mut self,
        guard: Statement,
        parameters: Map,
    ) -> Result<()> {
        self.pieces = Some((guard, parameters));
        self.end_piece().await
    }

    /// Leaves piecewise mode: the following statements are committed together.
    pub(super) fn go_on_as_one(&mut self) {
        self.pieces = None;
    }

    /// In piecewise mode, commits and begins the next transaction.
    async fn end_piece(&mut self) -> Result<()> {
        // `begin` replaces the whole transaction, so the guard is kept across it.
        let Some((guard, parameters)) = self.pieces.take() else {
            return Ok(());
        };
        self.end().await?;
        *self = self.executor.begin(self.executor.deadline()).await?;
        let held = self.send(guard, parameters.clone()).await?;
        // Another transaction removed or replaced the guard's subject between the pieces.
        if held.is_empty() {
            return Err(Failure::begun_anew());
        }
        self.pieces = Some((guard, parameters));
        Ok(())
    }

    /// Sends a statement and returns its rows.
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
        // RUN goes out alone; the driver pulls with the first `next`.
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

    /// Sends a statement and discards its rows, in one round trip.
    pub(super) async fn execute(&mut self, statement: Statement, parameters: Map) -> Result<()> {
        // RUN and DISCARD leave in one flush.
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

    /// Commits. Once the request is sent, most failures leave the outcome unknown.
    pub(super) async fn commit(mut self) -> Result<()> {
        self.end().await
    }

    async fn end(&mut self) -> Result<()> {
        let until = self.until();
        let txn = self.txn.take().ok_or(Failure::Stopped)?;
        match timeout_at(until, txn.commit()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Failure::from_commit(error)),
            // The request may have arrived.
            Err(_) => Err(Failure::Unknown(
                "COMMIT was not answered in time".to_owned(),
            )),
        }
    }

    /// Rolls back, if the server can be reached.
    pub(super) async fn rollback(mut self) {
        let Some(txn) = self.txn.take() else { return };
        if self.is_owed {
            // No rollback can be sent over this connection; the transaction ends when the sweep closes it.
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
        // Without a runtime nothing can be sent, and the server ends the transaction by its timeout.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(roll_back(txn));
        }
    }
}

/// Rolls back within a limit. After a failed statement the server answers "ignored": it has already rolled back.
async fn roll_back(txn: Txn) {
    let limit = Duration::from_millis(ROLLBACK_MS);
    if timeout(limit, txn.rollback()).await.is_err() {
        tracing::warn!("a rollback was not answered; its locks stay until the server notices");
    }
}
