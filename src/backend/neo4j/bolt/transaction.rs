//! Transactions: begun on a connection, and ended by a commit or a rollback.
//!
//! A dropped transaction would keep its locks until its connection is used again, so dropping one here rolls it back.

use std::sync::Arc;
use std::time::Duration;

use neo4rs::{Row, Txn};
use tokio::time::{Instant, timeout, timeout_at};

use super::connection_limiter::Slot;
use super::executor::Executor;
use super::loopback_padding::Followed;
use super::rows::rows_of;
use super::values::Map;
use crate::error::{Failure, Result};
use crate::statements::{Statement, TELL_REQUESTS};
use hindlore_store::request::current;

/// Longest wait for a rollback; afterwards the server ends the transaction by its own timeout.
const ROLLBACK_MS: u64 = 2_000;
/// Characters of ids of requests in the metadata of a transaction, of which the server takes 2,048 in all.
const METADATA_MAX: usize = 1_500;

impl Executor {
    /// Begins a transaction, with the ids of its requests as metadata where they are known.
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
        let mut place = self.room.enter(until).await?;
        let begin = async {
            let graph = self.members.leader().await?;
            let begun = graph.start_txn_on(self.database()).await;
            begun.map_err(|error| Failure::from_driver(error, "BEGIN"))
        };
        let begun = timeout_at(until, place.during(begin)).await;
        let txn = self.heard(begun.unwrap_or(Err(Failure::Late("BEGIN"))))?;
        Ok(Transaction {
            txn: Some(txn),
            executor: self.clone(),
            deadline,
            pieces: None,
            is_owed: false,
            place,
        })
    }
}

/// The ids of requests, as many as fit into the metadata.
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
pub(crate) struct Transaction {
    txn: Option<Txn>,
    executor: Executor,
    deadline: Instant,
    /// In piecewise mode: the guard that each further transaction starts with.
    pieces: Option<(Statement, Map)>,
    /// An answer timed out, so the driver sends nothing more over this connection.
    is_owed: bool,
    place: Slot,
}

impl Transaction {
    fn until(&self) -> Instant {
        self.deadline
            .min(Instant::now() + self.executor.limits.statement)
    }

    /// Commits, and switches to piecewise mode: from now on each statement is committed once it is answered, and the next
    /// transaction starts with `guard`, which must return a row.
    pub(crate) async fn go_on_in_pieces(
        &mut self,
        guard: Statement,
        parameters: Map,
    ) -> Result<()> {
        self.pieces = Some((guard, parameters));
        self.end_piece().await
    }

    /// Leaves piecewise mode: the following statements are committed together.
    pub(crate) fn go_on_as_one(&mut self) {
        self.pieces = None;
    }

    /// In piecewise mode, commits and begins the next transaction.
    async fn end_piece(&mut self) -> Result<()> {
        // `begin` replaces the whole transaction, so the guard is kept across it.
        let Some((guard, parameters)) = self.pieces.take() else {
            return Ok(());
        };
        self.end().await?;
        // Each piece has the whole time: a large copy takes longer than one task may.
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
    pub(crate) async fn query(
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
        let query = self
            .executor
            .query(statement, parameters, Followed::ByNothing);
        let until = self.until();
        let txn = self.txn.as_mut().ok_or(Failure::Stopped)?;
        let work = rows_of(txn, query);
        let started = Instant::now();
        let answer = timeout_at(until, self.place.during(work)).await;
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
        if let Err(failure) = &answer {
            self.executor.members.hear(failure);
        }
        answer
    }

    /// Sends a statement and discards its rows, in one round trip.
    pub(crate) async fn execute(&mut self, statement: Statement, parameters: Map) -> Result<()> {
        // RUN and DISCARD leave in one flush.
        let until = self.until();
        let query = self
            .executor
            .query(statement, parameters, Followed::ByDemand);
        let txn = self.txn.as_mut().ok_or(Failure::Stopped)?;
        let started = Instant::now();
        let outcome = timeout_at(until, self.place.during(txn.run(query))).await;
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
        let ended = match timeout_at(until, txn.commit()).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Failure::from_commit(error)),
            // The request may have arrived.
            Err(_) => Err(Failure::Unknown(
                "COMMIT was not answered in time".to_owned(),
            )),
        };
        self.heard(ended)
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
