//! Room on the connections: work that waits for another's lock gives its place to work that need not.
//!
//! A lock is held in the server, and a wait for it keeps a connection busy. A memory that another program has locked
//! would so take every connection in turn, and block all other memories. So work has a place among a small number, and
//! loses it to others when its answer is late; the number that may wait without those places is bounded, too.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, sleep, timeout_at};

use crate::error::{Failure, Result};

/// Time after which an answer is late: far beyond the time of a statement that waits for no lock.
const LATE: Duration = Duration::from_millis(200);

/// The places.
#[derive(Clone, Debug)]
pub(super) struct Room {
    working: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Room {
    /// Room for `working` tasks, and for `waiting` more that wait.
    pub(super) fn new(working: usize, waiting: usize) -> Self {
        Self {
            working: Arc::new(Semaphore::new(working)),
            waiting: Arc::new(Semaphore::new(waiting)),
        }
    }

    /// Takes a place, in the order of asking.
    pub(super) async fn enter(&self, until: Instant) -> Result<Slot> {
        let place = timeout_at(until, self.working.clone().acquire_owned()).await;
        let place = place.map_err(|_| Failure::Late("a free connection"))?;
        Ok(Slot {
            held: Some(place.map_err(|_| Failure::Stopped)?),
            is_aside: false,
            waiting: self.waiting.clone(),
        })
    }
}

/// A place, given back when dropped.
#[derive(Debug)]
pub(super) struct Slot {
    held: Option<OwnedSemaphorePermit>,
    is_aside: bool,
    waiting: Arc<Semaphore>,
}

impl Slot {
    /// Awaits an answer; when it is late, others may have the place.
    pub(super) async fn during<T>(&mut self, work: impl Future<Output = T>) -> T {
        // Pinned, because the same work is awaited further after its answer was late.
        let mut work = std::pin::pin!(work);
        if !self.is_aside {
            tokio::select! {
                done = &mut work => return done,
                () = sleep(LATE) => self.step_aside(),
            }
        }
        work.await
    }

    /// Changes to a place among those that wait, unless all of them are taken.
    fn step_aside(&mut self) {
        if let Ok(aside) = self.waiting.clone().try_acquire_owned() {
            self.held = Some(aside);
            self.is_aside = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn is_free(room: &Room) -> bool {
        room.enter(Instant::now() + LATE / 4).await.is_ok()
    }

    #[tokio::test]
    async fn late_work_makes_room_and_no_more_than_may_wait() {
        let room = Room::new(1, 1);
        let until = || Instant::now() + LATE * 20;
        let mut late = room.enter(until()).await.unwrap();
        assert!(!is_free(&room).await);
        late.during(sleep(LATE * 2)).await;
        let mut second = room.enter(until()).await.unwrap();
        second.during(sleep(LATE * 2)).await;
        assert!(!is_free(&room).await, "the one place to wait was taken");
        drop(late);
        second.during(sleep(LATE * 2)).await;
        assert!(is_free(&room).await);
    }

    #[tokio::test]
    async fn quick_work_keeps_its_place_until_it_ends() {
        let room = Room::new(1, 1);
        let mut quick = room.enter(Instant::now() + LATE).await.unwrap();
        assert_eq!(quick.during(async { 7 }).await, 7);
        assert!(!is_free(&room).await);
        drop(quick);
        assert!(is_free(&room).await);
    }
}
