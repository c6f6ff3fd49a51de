//! The queue of one memory, and when its next group goes.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;
use tokio::time::timeout;

use super::message::Message;
use crate::error::EngineError;
use hindlore_store::request::{Requests, current};

/// Maximum messages per group. Larger groups would hold the store's lock for too long.
const GROUP_MAX: usize = 64;
/// Longest linger as a fraction (1 in N) of the duration of the last group.
const LINGER_SHARE: u32 = 4;
/// Longest linger in absolute time.
const LINGER_MAX: Duration = Duration::from_millis(10);

/// The queue of an actor.
#[derive(Default)]
pub(super) struct Queue {
    state: Mutex<State>,
    /// Notified once `wanted` messages wait.
    complete: Notify,
    /// Notified when a message arrives that cannot wait.
    due: Notify,
}

/// A message, and the requests that it is for.
struct Waiting {
    message: Message,
    requests: Option<Requests>,
}

impl From<Message> for Waiting {
    fn from(message: Message) -> Self {
        Self {
            message,
            requests: None,
        }
    }
}

/// Messages to write together, and the requests that they are for.
pub(super) struct Group {
    pub(super) messages: Vec<Message>,
    pub(super) requests: Option<Requests>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    is_running: bool,
    /// Number of messages the actor lingers for; 0 while it does not linger.
    wanted: usize,
    /// Arrival of the oldest deferrable message.
    deferred_since: Option<Instant>,
    /// Deferrable messages that could not be written, until they are retried. They count towards the limit of
    /// deferred messages, so a store that stays away slows callers down instead of filling the process.
    held: VecDeque<Message>,
}

impl State {
    /// Moves held messages to the front of the queue; they are due.
    fn release_held(&mut self) {
        // The held messages are older, and a flush that arrives now must find them in front of itself.
        let later = std::mem::take(&mut self.waiting);
        let held = std::mem::take(&mut self.held);
        // Those who asked for them have their answer.
        self.waiting = held.into_iter().map(Waiting::from).collect();
        self.waiting.extend(later);
        // A queue without this time is due at once.
        self.deferred_since = None;
    }
}

impl Queue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Appends a message. Returns true if the actor was idle and needs a task.
    pub(super) fn push(&self, message: Message) -> bool {
        let mut queue = self.state();
        let is_deferrable = message.is_deferrable();
        if is_deferrable {
            // The oldest message sets the time; a later one must not postpone it.
            queue.deferred_since.get_or_insert_with(Instant::now);
        }
        if matches!(message, Message::Flush(_)) {
            queue.release_held();
        }
        // A full group gains nothing from a longer wait.
        if !is_deferrable || queue.waiting.len() + 1 >= GROUP_MAX {
            self.due.notify_one();
        }
        // Here, in the task of the caller, it is known who asks.
        queue.waiting.push_back(Waiting {
            message,
            requests: current(),
        });
        if queue.wanted > 0 && queue.waiting.len() >= queue.wanted {
            queue.wanted = 0;
            self.complete.notify_one();
        }
        // Under the same lock as the end of the task, so that no message relies on a task that has just ended.
        !std::mem::replace(&mut queue.is_running, true)
    }

    /// Waits a little for the callers just answered, most of whom ask again at once. Without it the first of
    /// them would start a group alone, and callers would split into two halves that alternate and never form
    /// one group.
    pub(super) async fn linger(&self, answered: usize, took: Duration) {
        // A single caller has no group to complete; the wait would only delay it.
        if answered < 2 {
            return;
        }
        // A block, because the lock must not be held across the wait.
        {
            let mut queue = self.state();
            if queue.waiting.len() >= GROUP_MAX {
                return;
            }
            queue.wanted = (queue.waiting.len() + answered).min(GROUP_MAX);
        }
        let patience = (took / LINGER_SHARE).min(LINGER_MAX);
        // A timeout is fine: work continues with those who came. A notification left over from here only cuts the next
        // linger short.
        let _ = timeout(patience, self.complete.notified()).await;
        self.state().wanted = 0;
    }

    /// Takes the next group, or marks the actor idle.
    pub(super) fn next_group(&self) -> Option<Group> {
        let mut queue = self.state();
        if queue.waiting.is_empty() {
            queue.is_running = false;
            return None;
        }
        let size = queue.waiting.len().min(GROUP_MAX);
        let (mut messages, mut requests) = (Vec::with_capacity(size), Vec::new());
        for waiting in queue.waiting.drain(..size) {
            messages.push(waiting.message);
            requests.extend(waiting.requests.iter().flat_map(|all| all.iter().cloned()));
        }
        // More than a group was waiting, so the rest is due and needs no deadline.
        queue.deferred_since = None;
        Some(Group {
            messages,
            requests: (!requests.is_empty()).then(|| requests.into()),
        })
    }

    /// Number of waiting messages, including those held for a retry.
    pub(super) fn len(&self) -> usize {
        let queue = self.state();
        queue.waiting.len() + queue.held.len()
    }

    /// True while dropping this queue would lose nothing.
    pub(super) fn is_idle(&self) -> bool {
        let queue = self.state();
        !queue.is_running && queue.waiting.is_empty() && queue.held.is_empty()
    }

    /// Holds back messages that could not be written, with all deferrable ones in the queue, until a release
    /// or a flush. Returns the flushes that wait for them, which must fail as well.
    pub(super) fn hold(&self, failed: Vec<Message>) -> Vec<Message> {
        let mut queue = self.state();
        queue.held.extend(failed);
        let mut flushes = Vec::new();
        for waiting in std::mem::take(&mut queue.waiting) {
            if waiting.message.is_deferrable() {
                queue.held.push_back(waiting.message);
            } else if matches!(waiting.message, Message::Flush(_)) {
                flushes.push(waiting.message);
            } else {
                queue.waiting.push_back(waiting);
            }
        }
        // No deferrable message is left in the queue whose window could run.
        queue.deferred_since = None;
        flushes
    }

    /// Returns held messages to the queue. True if the actor needs a task for them.
    pub(super) fn release(&self) -> bool {
        let mut queue = self.state();
        if queue.held.is_empty() {
            return false;
        }
        queue.release_held();
        self.due.notify_one();
        !std::mem::replace(&mut queue.is_running, true)
    }

    /// Waits until a message is due: the oldest deferrable one is `window` old, a message that cannot wait
    /// arrives, or a group is full.
    pub(super) async fn wait_for_deadline(&self, window: Duration) {
        while let Some(rest) = self.rest_of(window) {
            let _ = timeout(rest, self.due.notified()).await;
            // A loop: a permit left over from an earlier message ends the wait early, and the deadline decides.
        }
    }

    /// Time left until a message is due; `None` if one is due or none waits.
    fn rest_of(&self, window: Duration) -> Option<Duration> {
        let queue = self.state();
        if queue.waiting.len() >= GROUP_MAX
            || !queue.waiting.iter().all(|one| one.message.is_deferrable())
        {
            return None;
        }
        let rest = window.saturating_sub(queue.deferred_since?.elapsed());
        (!rest.is_zero()).then_some(rest)
    }

    /// Drops deferrable messages of an erased memory.
    pub(super) fn drop_deferrable(&self) {
        let mut queue = self.state();
        queue.waiting.retain(|one| !one.message.is_deferrable());
        queue.held.clear();
        queue.deferred_since = None;
        // A task that waits for the dropped messages must look again.
        self.due.notify_one();
    }

    /// Fails all waiting messages after the actor's task died.
    pub(super) fn stop(&self) {
        let mut queue = self.state();
        queue.is_running = false;
        // Held records stay: the retry that is already timed starts a new task for them.
        for waiting in queue.waiting.drain(..) {
            waiting.message.fail(EngineError::Stopped);
        }
    }
}
