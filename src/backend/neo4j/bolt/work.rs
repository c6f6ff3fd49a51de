//! Running tasks: each detached, and retried after passing failures until its deadline.
//!
//! Tasks are detached so that a dropped future leaves no open transaction. After a lost answer the same task runs again;
//! it knows that an answer was lost, and looks for its own writes before it writes.

use std::time::Duration;

use async_trait::async_trait;
use tokio::time::{Instant, sleep};

use super::circuit_breaker::{ProbePermit, Waited};
use super::executor::{Aim, Executor};
use super::random::chance;
use super::transaction::Transaction;
use super::values::Map;
use crate::error::{Failure, Result};
use crate::statements::Statement;
use hindlore_store::request::{current, serving};
use neo4rs::Row;

const FIRST_PAUSE: Duration = Duration::from_millis(4);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// Attempts that may fail for want of server memory. Others may have used it up, but this task may also need too much.
const CRAMPED_MAX: u32 = 3;
/// Attempts without a leader: an election takes a second or two, and a member that never leads refuses for ever.
const LEADERLESS_MAX: u32 = 14;
/// Attempts that may end in doubt with a code that is not transient.
const DOUBTED_MAX: u32 = 3;
/// How long a read waits for a server that does not answer. A read can be repeated; a write that gave up would leave
/// its caller in doubt.
const READ_PATIENCE: Duration = Duration::from_secs(4);
/// Pause between probes of an unreachable server: it bounds how late all waiting tasks resume.
const PROBE_PAUSE: Duration = Duration::from_millis(250);

/// A unit of work: everything between BEGIN and COMMIT.
#[async_trait]
pub(crate) trait Task: Send + 'static {
    /// The result.
    type Output: Send + 'static;

    /// Tries the work in one auto-commit request. `None`: impossible, and nothing was written.
    async fn ahead(&mut self, _executor: &Executor) -> Result<Option<Self::Output>> {
        Ok(None)
    }

    /// True when this task may succeed after a failure that is final for other tasks.
    fn is_passing(&self, _failure: &Failure) -> bool {
        false
    }

    /// Does the work once. `was_lost`: an earlier attempt may have been committed.
    async fn attempt(&mut self, tx: &mut Transaction, was_lost: bool) -> Result<Self::Output>;
}

/// The caller's decision between reading and writing; it runs again when the transaction is retried.
pub(crate) type Decision<I, O> = Box<dyn FnMut(I) -> O + Send>;

/// Runs a decision on a blocking thread, since it may take long and may panic. `decision` is `None` meanwhile, and after
/// a panic.
pub(crate) async fn decided<I, O>(decision: &mut Option<Decision<I, O>>, known: I) -> Result<O>
where
    I: Send + 'static,
    O: Send + 'static,
{
    let mut decide = decision.take().ok_or(Failure::Stopped)?;
    let deciding = tokio::task::spawn_blocking(move || {
        let made = decide(known);
        (made, decide)
    });
    match deciding.await {
        Ok((made, decide)) => {
            *decision = Some(decide);
            Ok(made)
        }
        Err(error) if error.is_panic() => Err(Failure::Panicked(error.to_string())),
        Err(_) => Err(Failure::Stopped),
    }
}

/// Runs a task to its end.
pub(crate) async fn carry_out<T: Task>(executor: &Executor, task: T) -> Result<T::Output> {
    let executor = executor.clone();
    detached(async move { repeat(&executor, task).await }).await
}

/// Sends a read, with retries until it is answered.
pub(crate) async fn send(
    executor: &Executor,
    statement: Statement,
    parameters: Map,
) -> Result<Vec<Row>> {
    let sent = until_answered(executor, Aim::Read, statement, parameters).await;
    sent.map(|(rows, _)| rows)
        .map_err(Failure::into_read_failure)
}

/// Sends a repeatable write, with retries until it is answered. Also returns whether an earlier answer was lost: then the
/// statement may have run twice, or found its own earlier rows.
pub(crate) async fn send_anew(
    executor: &Executor,
    statement: Statement,
    parameters: Map,
) -> Result<(Vec<Row>, bool)> {
    until_answered(executor, Aim::Write, statement, parameters).await
}

async fn until_answered(
    executor: &Executor,
    aim: Aim,
    statement: Statement,
    parameters: Map,
) -> Result<(Vec<Row>, bool)> {
    let executor = executor.clone();
    detached(async move {
        let mut pauses = Pauses::until(executor.deadline(), &executor);
        if aim == Aim::Read {
            pauses.patience = READ_PATIENCE;
        }
        let mut was_lost = false;
        loop {
            pauses.before(was_lost).await?;
            let limit = pauses.limit();
            match executor
                .auto_commit_within(aim, limit, statement, parameters.clone())
                .await
            {
                Ok(rows) => return Ok((rows, was_lost)),
                Err(failure) => {
                    // Sticky: after a lost answer, no later refusal proves that nothing was written.
                    was_lost |= failure.is_unknown();
                    let is_passing = failure.is_passing();
                    pauses.after(failure, is_passing, was_lost).await?;
                }
            }
        }
    })
    .await
}

async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    // In the new task, too, it is known for whom this is.
    match tokio::spawn(serving(current(), work)).await {
        Ok(result) => result,
        Err(error) if error.is_panic() => Err(Failure::Panicked(error.to_string())),
        Err(_) => Err(Failure::Stopped),
    }
}

async fn repeat<T: Task>(executor: &Executor, mut task: T) -> Result<T::Output> {
    let deadline = executor.deadline();
    let mut pauses = Pauses::until(deadline, executor);
    let mut was_lost = false;
    // Ahead of the lock only once: after a failure, the lock is needed to see the earlier writes.
    match task.ahead(executor).await {
        Ok(Some(output)) => return Ok(output),
        Ok(None) => {}
        Err(failure) => {
            was_lost = failure.is_unknown();
            let is_passing = failure.is_passing();
            pauses.after(failure, is_passing, was_lost).await?;
        }
    }
    loop {
        pauses.before(was_lost).await?;
        match once(executor, &mut task, deadline, was_lost).await {
            Ok(output) => return Ok(output),
            Err(failure) => {
                was_lost |= failure.is_unknown();
                let is_passing = failure.is_passing() || task.is_passing(&failure);
                pauses.after(failure, is_passing, was_lost).await?;
            }
        }
    }
}

async fn once<T: Task>(
    executor: &Executor,
    task: &mut T,
    deadline: Instant,
    was_lost: bool,
) -> Result<T::Output> {
    let mut tx = executor.begin(deadline).await?;
    match task.attempt(&mut tx, was_lost).await {
        Ok(output) => {
            tx.commit().await?;
            Ok(output)
        }
        Err(failure) => {
            // Awaited, so that the next attempt does not meet the locks of this one.
            tx.rollback().await;
            Err(failure)
        }
    }
}

/// The pauses between attempts: growing and randomised, until a deadline. While the breaker is open, one task probes and
/// the others wait for it.
struct Pauses<'r> {
    next: Duration,
    began: Instant,
    /// How long to wait for a server that does not answer.
    patience: Duration,
    deadline: Instant,
    executor: &'r Executor,
    /// Connection failures in a row.
    cuts: u32,
    /// Attempts that failed for want of server memory.
    cramped: u32,
    /// Attempts that ended in doubt.
    doubted: u32,
    /// Attempts without a leader, or with an expired login.
    leaderless: u32,
    /// Held while this task is the one that probes.
    probe: Option<ProbePermit>,
}

impl<'r> Pauses<'r> {
    fn until(deadline: Instant, executor: &'r Executor) -> Self {
        Self {
            next: FIRST_PAUSE,
            began: Instant::now(),
            patience: executor.limits.work,
            deadline,
            executor,
            cuts: 0,
            cramped: 0,
            doubted: 0,
            leaderless: 0,
            probe: None,
        }
    }

    /// When to give up: earlier while the server does not answer.
    fn end(&self) -> Instant {
        if self.executor.breaker.is_open() {
            self.deadline.min(self.began + self.patience)
        } else {
            self.deadline
        }
    }

    /// The limit of one attempt.
    fn limit(&self) -> Duration {
        let left = self.end().saturating_duration_since(Instant::now());
        // A probe gets its chance, even if the wait for it took all of the time.
        self.executor.limits.statement.min(left.max(PROBE_PAUSE))
    }

    /// Waits before an attempt while the breaker is open and another task probes.
    async fn before(&mut self, was_lost: bool) -> Result<()> {
        if self.probe.is_some() || !self.executor.breaker.is_open() {
            return Ok(());
        }
        match self.executor.breaker.wait(self.end()).await {
            // The pauses have grown while the server was away; that does not apply to a server that answers.
            Waited::Returned => self.next = FIRST_PAUSE,
            Waited::MyTurn(probe) => self.probe = Some(probe),
            Waited::TooLong if was_lost => return Err(Failure::Away.after_lost_answer()),
            Waited::TooLong => return Err(Failure::Away),
        }
        Ok(())
    }

    /// Counts a failure; returns how long to pause after it.
    fn pause(&mut self, failure: &Failure) -> Duration {
        self.cuts = if failure.is_cut() { self.cuts + 1 } else { 0 };
        // A single cut may concern one connection; two in a row count against the server.
        if self.cuts >= 2 {
            self.executor.breaker.record_failure();
        }
        // Between half and one and a half, so that tasks that failed together do not come back together.
        let spread = 0.5 + chance();
        if !self.executor.breaker.is_open() {
            return self.next.mul_f64(spread);
        }
        // `before` will wait for the probing task, so no pause is needed here.
        if self.probe.is_none() {
            Duration::ZERO
        } else {
            PROBE_PAUSE.mul_f64(spread)
        }
    }

    /// Waits before the next attempt, or returns the failure when there should be none. Once an answer was lost, no later
    /// failure proves that nothing was written.
    async fn after(&mut self, failure: Failure, is_passing: bool, was_lost: bool) -> Result<()> {
        let pause = self.pause(&failure);
        self.cramped += u32::from(failure.is_want_of_memory());
        self.doubted += u32::from(failure.is_final_doubt());
        let is_leaderless = failure.is_of_the_moment() || self.executor.members.may_pass(&failure);
        self.leaderless += u32::from(is_leaderless);
        let is_hopeless = !(is_passing || is_leaderless)
            || self.cramped >= CRAMPED_MAX
            || self.doubted >= DOUBTED_MAX
            || self.leaderless >= LEADERLESS_MAX;
        if is_hopeless || Instant::now() + pause >= self.end() {
            return Err(if was_lost {
                failure.after_lost_answer()
            } else {
                failure
            });
        }
        tracing::debug!(?failure, ?pause, "the store tries again");
        sleep(pause).await;
        self.next = (self.next * 2).min(LONGEST_PAUSE);
        Ok(())
    }
}
