//! The messages that wait for one memory, and when the next group of them goes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;

use super::message::Message;
use crate::engine::error::EngineError;

/// Messages of one group. Larger groups would hold the store's lock for too long.
const GROUP_MAX: usize = 64;
/// The next group lingers for at most this fraction (1 in N) of the time that the last one took.
const LINGER_SHARE: u32 = 4;
/// The longest linger.
const LINGER_MAX: Duration = Duration::from_millis(10);

/// The queue of an actor.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Rung when as many wait as were wanted.
    complete: Notify,
    /// Rung when something comes that cannot wait.
    due: Notify,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Message>,
    is_running: bool,
    /// Messages that the actor lingers for; 0 while it does not.
    wanted: usize,
    /// When the oldest deferrable message came.
    deferred_since: Option<Instant>,
    /// Deferrable messages that could not be written, until they are tried again. They count as waiting, so
    /// that whoever defers more has to wait for them.
    held: VecDeque<Message>,
}

impl State {
    /// Puts held messages before all that came later; they are due.
    fn release_held(&mut self) {
        let later = std::mem::take(&mut self.waiting);
        self.waiting = std::mem::take(&mut self.held);
        self.waiting.extend(later);
        self.deferred_since = None;
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a message into the queue. True: the actor was idle, and needs a task.
    pub(super) fn push(&self, message: Message) -> bool {
        let mut queue = self.state();
        let is_deferrable = message.is_deferrable();
        if is_deferrable {
            queue.deferred_since.get_or_insert_with(Instant::now);
        }
        if matches!(message, Message::Flush(_)) {
            queue.release_held();
        }
        if !is_deferrable || queue.waiting.len() + 1 >= GROUP_MAX {
            self.due.notify_one();
        }
        queue.waiting.push_back(message);
        if queue.wanted > 0 && queue.waiting.len() >= queue.wanted {
            queue.wanted = 0;
            self.complete.notify_one();
        }
        !std::mem::replace(&mut queue.is_running, true)
    }

    /// Waits a little for callers who have just been answered: they mostly ask again at once. The first of
    /// them would otherwise go without the rest, and two halves that wait for each other's transactions would
    /// never become one group.
    pub(super) async fn linger(&self, answered: usize, took: Duration) {
        if answered < 2 {
            return;
        }
        {
            let mut queue = self.state();
            if queue.waiting.len() >= GROUP_MAX {
                return;
            }
            queue.wanted = (queue.waiting.len() + answered).min(GROUP_MAX);
        }
        let patience = (took / LINGER_SHARE).min(LINGER_MAX);
        // Whether they came or not, work goes on; a late ring is heard at the next linger, and harmless.
        let _ = timeout(patience, self.complete.notified()).await;
        self.state().wanted = 0;
    }

    /// Takes the next group, or marks the actor idle.
    pub(super) fn next_group(&self) -> Option<Vec<Message>> {
        let mut queue = self.state();
        if queue.waiting.is_empty() {
            queue.is_running = false;
            return None;
        }
        let size = queue.waiting.len().min(GROUP_MAX);
        let group = queue.waiting.drain(..size).collect();
        // What stays is more than a group, and does not wait.
        queue.deferred_since = None;
        Some(group)
    }

    /// Number of messages that wait, those included that are tried again later.
    pub(super) fn len(&self) -> usize {
        let queue = self.state();
        queue.waiting.len() + queue.held.len()
    }

    /// True while nothing would be lost with this queue.
    pub(super) fn is_idle(&self) -> bool {
        let queue = self.state();
        !queue.is_running && queue.waiting.is_empty() && queue.held.is_empty()
    }

    /// Keeps messages that could not be written, with all deferrable ones that wait, until they are released
    /// or a flush comes. Returns the flushes that wait for them.
    pub(super) fn hold(&self, failed: Vec<Message>) -> Vec<Message> {
        let mut queue = self.state();
        queue.held.extend(failed);
        let mut flushes = Vec::new();
        for message in std::mem::take(&mut queue.waiting) {
            if message.is_deferrable() {
                queue.held.push_back(message);
            } else if matches!(message, Message::Flush(_)) {
                flushes.push(message);
            } else {
                queue.waiting.push_back(message);
            }
        }
        queue.deferred_since = None;
        flushes
    }

    /// Lets held messages go with the next group. True: the actor needs a task for that.
    pub(super) fn release(&self) -> bool {
        let mut queue = self.state();
        if queue.held.is_empty() {
            return false;
        }
        queue.release_held();
        self.due.notify_one();
        !std::mem::replace(&mut queue.is_running, true)
    }

    /// Waits until something that waits here must go: the oldest deferrable message is `window` old, another
    /// message came, or a group is full.
    pub(super) async fn wait_for_deadline(&self, window: Duration) {
        while let Some(rest) = self.rest_of(window) {
            let _ = timeout(rest, self.due.notified()).await;
        }
    }

    /// How long all that waits here can still wait; `None` when it is due, or when nothing waits.
    fn rest_of(&self, window: Duration) -> Option<Duration> {
        let queue = self.state();
        if queue.waiting.len() >= GROUP_MAX || !queue.waiting.iter().all(Message::is_deferrable) {
            return None;
        }
        let rest = window.saturating_sub(queue.deferred_since?.elapsed());
        (!rest.is_zero()).then_some(rest)
    }

    /// Drops deferrable messages: the memory that they belong to is gone.
    pub(super) fn drop_deferrable(&self) {
        let mut queue = self.state();
        queue.waiting.retain(|message| !message.is_deferrable());
        queue.held.clear();
        queue.deferred_since = None;
        self.due.notify_one();
    }

    /// The actor's task has died: fails all that wait.
    pub(super) fn stop(&self) {
        let mut queue = self.state();
        queue.is_running = false;
        for message in queue.waiting.drain(..) {
            message.fail(EngineError::Stopped);
        }
    }
}
