//! The actor of one memory: messages wait in its queue and are carried out in groups, one transaction of the
//! store per group.
//!
//! Groups run in a task of the actor, not of the caller, so a cancelled caller leaves nothing half done. The
//! first message that finds the actor idle starts the task; it ends when the queue is empty.

use std::future::poll_fn;
use std::mem::replace;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::sync::{OwnedMutexGuard, oneshot};
use tokio::time::sleep;

use super::creation::create_with;
use super::group::{FailedGroup, fail_all};
use super::message::{Message, Reply};
use super::open_memory::OpenMemory;
use super::queue::Queue;
use super::recording::record_group;
use super::rereading::reread;
use super::transaction::transact;
use crate::context::Context;
use crate::embeddings::compute::compute_missing;
use crate::error::{EngineError, EngineResult};
use crate::history::compaction::compact;
use crate::log;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_store::request::serving;

/// Deferred records of one memory above which a caller waits for a flush before it adds another.
const DEFERRED_MAX: usize = 4_096;
/// Delay before deferred records that could not be written are tried again.
const RETRY_AFTER: Duration = Duration::from_secs(1);

/// One memory with its queue.
pub(crate) struct MemoryActor {
    pub(crate) memory: OpenMemory,
    queue: Queue,
    /// Held while vectors are computed in the background.
    embedding: tokio::sync::Mutex<()>,
}

/// The write lock of a memory. Only its holder may advance the snapshot.
pub(crate) type WriteLock = OwnedMutexGuard<()>;

impl MemoryActor {
    pub(super) fn new(context: Arc<Context>, key: MemoryKey) -> Self {
        Self {
            memory: OpenMemory::new(context, key),
            queue: Queue::default(),
            embedding: tokio::sync::Mutex::default(),
        }
    }

    /// A memory as it was at an earlier moment, which takes no messages.
    pub(super) fn of_past(context: Arc<Context>, memory: Memory) -> Self {
        Self {
            memory: OpenMemory::of_past(context, memory),
            queue: Queue::default(),
            embedding: tokio::sync::Mutex::default(),
        }
    }

    /// Sends a message and waits for its answer.
    pub(crate) async fn ask<T>(
        self: &Arc<Self>,
        message: impl FnOnce(Reply<T>) -> Message,
    ) -> EngineResult<T> {
        let (reply, answer) = oneshot::channel();
        self.post(message(reply));
        // A dropped sender means that the actor's task died with the group in its hands.
        answer.await.unwrap_or(Err(EngineError::Stopped))
    }

    /// Sends a message without waiting.
    pub(crate) fn post(self: &Arc<Self>, message: Message) {
        if !self.memory.is_past() && self.queue.push(message) {
            self.start();
        }
    }

    /// Writes all deferred messages.
    pub(crate) async fn flush(self: &Arc<Self>) -> EngineResult<()> {
        if self.is_idle() {
            return Ok(());
        }
        self.ask(Message::Flush).await
    }

    /// Flushes if too many messages are deferred to accept another.
    pub(crate) async fn make_room(self: &Arc<Self>) -> EngineResult<()> {
        if self.queue.len() < DEFERRED_MAX {
            return Ok(());
        }
        self.flush().await
    }

    /// True while dropping this actor would lose nothing.
    pub(crate) fn is_idle(&self) -> bool {
        self.queue.is_idle()
    }

    /// Waits for the write lock.
    pub(crate) async fn lock(&self) -> WriteLock {
        self.memory.write_lock.clone().lock_owned().await
    }

    /// Drops the deferred messages and the snapshot of an erased memory.
    pub(crate) async fn note_erased(&self) {
        self.queue.drop_deferrable();
        // `forget` takes the snapshot's lock. Under the write lock it cannot meet a long decision, during which every
        // reader would queue after this writer.
        let _lock = self.lock().await;
        self.memory.forget();
    }

    fn start(self: &Arc<Self>) {
        // Made outside the task: a runtime that is shutting down may drop the task before its first poll, and
        // the guard must fail the waiting callers even then.
        let guard = RunGuard(Some(self.clone()));
        let actor = self.clone();
        self.memory
            .context
            .spawn(async move { actor.run(guard).await });
    }

    async fn run(self: &Arc<Self>, mut guard: RunGuard) {
        let context = &self.memory.context;
        let prefers_batching = context.store.hints().prefers_batching;
        loop {
            if let Some(window) = context.options.durability.window() {
                self.queue.wait_for_deadline(window).await;
            }
            let Some(group) = self.queue.next_group() else {
                break;
            };
            let (answered, started) = (group.messages.len(), Instant::now());
            // Taken per group and not for the whole task, so that refreshing readers get their turn in between.
            let lock = self.memory.write_lock.lock().await;
            let running = serving(group.requests, self.run_group(group.messages));
            if let Err(failed) = running.await {
                self.fail(failed);
            }
            // Released before the upkeep below, so that no waiting reader pays for it.
            drop(lock);
            self.compact_if_due();
            // A single caller runs next, so that it need not wait for the catch-up; many would contend for
            // the snapshot's lock.
            if answered == 1 {
                yield_now().await;
            }
            self.memory.snapshot.catch_up();
            self.embed_if_due();
            if prefers_batching {
                self.queue.linger(answered, started.elapsed()).await;
            }
        }
        // The queue is empty, so the guard has no caller left to fail.
        guard.0 = None;
    }

    async fn run_group(&self, messages: Vec<Message>) -> Result<(), FailedGroup> {
        let memory = &self.memory;
        match memory.ensure_loaded(false).await {
            Ok(true) => {}
            Ok(false) => return create_with(memory, messages).await,
            Err(error) => return Err(FailedGroup { messages, error }),
        }
        // A group is one commit, so one message that needs the lock takes the others along.
        if messages.iter().any(Message::needs_lock) {
            if messages.iter().any(Message::is_delta) {
                memory.ensure_learning().await;
            }
            transact(memory, messages).await
        } else {
            record_group(memory, messages).await
        }
    }

    /// Answers a group that could not be written. Deferred records are retried if that can succeed; they are
    /// lost only if the process ends first.
    fn fail(self: &Arc<Self>, failed: FailedGroup) {
        let FailedGroup { messages, error } = failed;
        // An error that stays would keep deferred records waiting for ever, so they fail with the rest.
        if !error.may_pass() {
            return fail_all(messages, &error);
        }
        let (deferred, mut others): (Vec<_>, Vec<_>) =
            messages.into_iter().partition(Message::is_deferrable);
        if !deferred.is_empty() {
            log::records_wait(&self.memory.key, deferred.len(), &error);
            others.extend(self.queue.hold(deferred));
            self.release_later();
        }
        fail_all(others, &error);
    }

    fn release_later(self: &Arc<Self>) {
        // Weak, so that the timer does not keep a memory in process that is closed meanwhile.
        let actor = Arc::downgrade(self);
        // Not spawned on the context, because a shutdown waits for that work: a store that stays away must
        // not keep the process from ending.
        drop(tokio::spawn(async move {
            sleep(RETRY_AFTER).await;
            if let Some(actor) = actor.upgrade()
                && actor.queue.release()
            {
                actor.start();
            }
        }));
    }

    /// Reloads the memory in the background if due.
    pub(super) fn reread_if_due(self: &Arc<Self>) {
        if !self.memory.take_reread_due() {
            return;
        }
        let actor = self.clone();
        self.memory.context.spawn(async move {
            if let Err(error) = reread(&actor.memory).await {
                log::reread_failed(&actor.memory.key, &error);
            }
            actor.memory.note_reread();
        });
    }

    /// Keeps an image in the background if one is due.
    pub(crate) fn image_if_due(self: &Arc<Self>) {
        if !self.memory.take_image_due() {
            return;
        }
        let actor = self.clone();
        self.memory.context.spawn(async move {
            if let Err(error) = actor.memory.put_image().await {
                log::image_not_written(&actor.memory.key, &error);
            }
        });
    }

    /// Computes missing vectors in the background, once for each revision, in a process whose model follows the writes.
    pub(crate) fn embed_if_due(self: &Arc<Self>) {
        let Some(embedder) = self.memory.context.options.embeddings.follower() else {
            return;
        };
        if self.memory.is_past() {
            return;
        }
        let Some(revision) = self.memory.take_embedding_due() else {
            return;
        };
        let (actor, embedder) = (self.clone(), embedder.clone());
        // Not spawned on the context, because a shutdown waits for that work, and the next process continues it.
        drop(tokio::spawn(async move {
            let _turn = actor.embedding.lock().await;
            // Writes that come quickly wait here, and the last of them computes for all.
            if actor.memory.is_embedding_outdated(revision) {
                return;
            }
            if let Err(error) = compute_missing(&actor.memory, &embedder, |_| ()).await {
                log::embedding_failed(&actor.memory.key, &error);
                actor.memory.note_embedding_failed();
            }
        }));
    }

    /// Compacts in the background if due. A failure is logged and retried at the next due tick.
    fn compact_if_due(&self) {
        if !self.memory.take_compaction_due() {
            return;
        }
        let (context, key) = (self.memory.context.clone(), self.memory.key.clone());
        self.memory.context.spawn(async move {
            if let Err(error) = compact(&context, &key).await {
                log::compaction_failed(&key, &error);
            }
        });
    }
}

/// Watches the task of an actor. If the task dies before the queue is empty, the guard fails all waiting
/// callers, and the next message starts a new task on the memory as it is on disk.
struct RunGuard(Option<Arc<MemoryActor>>);

impl Drop for RunGuard {
    fn drop(&mut self) {
        if let Some(actor) = self.0.take() {
            // The task may have died in the middle of a change, so the snapshot is not to be trusted.
            actor.memory.forget();
            actor.queue.stop();
        }
    }
}

/// Lets other tasks run first. tokio's own `yield_now` keeps the task on its present worker thread, which
/// may stay busy with the others; a task woken like this can be stolen by an idle worker.
async fn yield_now() {
    let mut has_yielded = false;
    poll_fn(|context| {
        if replace(&mut has_yielded, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}
