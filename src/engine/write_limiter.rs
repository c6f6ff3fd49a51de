//! Lanes: the number of writes of one learner that may wait at its lock at once.
//!
//! The store decides one write of a learner at a time. A waiting write keeps a connection, so a busy learner would take
//! them all; in a lane the others wait in the process, where waiting costs nothing.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use hindlore_domain::lesson::lesson::LearnerId;

/// Writes of a learner that may be in the store at once: one that is decided, and one that begins meanwhile.
const WIDTH: usize = 2;
/// Lanes above which the unused ones are dropped.
const MANY: usize = 1_024;

/// The lanes in use.
#[derive(Debug, Default)]
pub(super) struct Lanes {
    open: Mutex<HashMap<LearnerId, Weak<Semaphore>>>,
}

impl Lanes {
    /// Waits for a place in the lane of a learner, in the order of asking; it is given back when it is dropped. A lane is
    /// never closed, so there is always a place in the end.
    pub(super) async fn enter(&self, owner: &LearnerId) -> Option<OwnedSemaphorePermit> {
        self.lane(owner).acquire_owned().await.ok()
    }

    fn lane(&self, owner: &LearnerId) -> Arc<Semaphore> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(lane) = open.get(owner).and_then(Weak::upgrade) {
            return lane;
        }
        // A semaphore without users holds no state, so its lane can be made again at any time.
        if open.len() >= MANY {
            open.retain(|_, lane| lane.strong_count() > 0);
        }
        let lane = Arc::new(Semaphore::new(WIDTH));
        open.insert(owner.clone(), Arc::downgrade(&lane));
        lane
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    #[tokio::test]
    async fn a_lane_holds_few_and_is_nobody_elses() {
        let lanes = Lanes::default();
        let owner = |name: &str| LearnerId::new("tenant", name).unwrap();
        let (ann, bob) = (owner("ann"), owner("bob"));
        let held = (lanes.enter(&ann).await, lanes.enter(&ann).await);
        let blocked = timeout(Duration::from_millis(20), lanes.enter(&ann)).await;
        assert!(blocked.is_err());
        lanes.enter(&bob).await;
        drop(held);
        lanes.enter(&ann).await;
    }
}
