//! A clock that records the times it returns, and can replay them.
//!
//! The engine reads the clock and never compares times with it, so two runs with equal records and requests
//! make equal memories, down to the last timestamp.

use std::sync::{Arc, Mutex, PoisonError};

use hindlore::clock::WallClock;
use hindlore_primitives::timestamp::Timestamp;

/// A clock with a record.
#[derive(Debug)]
pub struct RecordedClock {
    source: Source,
    told: Mutex<Vec<Timestamp>>,
}

#[derive(Debug)]
enum Source {
    /// Makes the record.
    Clock(Arc<dyn WallClock>),
    /// Replays the record.
    Record(Vec<Timestamp>),
}

impl RecordedClock {
    /// A clock that returns another clock's times, and records them.
    pub fn recording(clock: Arc<dyn WallClock>) -> Self {
        Self::new(Source::Clock(clock))
    }

    /// A clock that replays a record. After the last time it stops; for an empty record it shows the start of 1970.
    pub fn playing(record: Vec<Timestamp>) -> Self {
        Self::new(Source::Record(record))
    }

    fn new(source: Source) -> Self {
        Self {
            source,
            told: Mutex::default(),
        }
    }

    /// The times returned so far, in order.
    pub fn record(&self) -> Vec<Timestamp> {
        let told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.clone()
    }
}

impl WallClock for RecordedClock {
    fn now(&self) -> Timestamp {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        let now = match &self.source {
            Source::Clock(clock) => clock.now(),
            Source::Record(record) => {
                let moment = record.get(told.len()).or(record.last());
                moment.copied().unwrap_or(Timestamp::from_millis(0))
            }
        };
        told.push(now);
        now
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{TemporaryStore, seed_texts};
    use hindlore::Engine;
    use hindlore::clock::SystemClock;

    #[test]
    fn a_record_is_told_again_and_then_stands_still() {
        let moments = [5, 7, 7].map(Timestamp::from_millis);
        let clock = RecordedClock::playing(moments.to_vec());
        let told = [(); 5].map(|()| clock.now().millis());
        assert_eq!(told, [5, 7, 7, 7, 7]);
        assert_eq!(clock.record().len(), 5);
        assert_eq!(RecordedClock::playing(Vec::new()).now().millis(), 0);
    }

    #[tokio::test]
    async fn an_equal_record_makes_an_equal_memory() {
        let recording = Arc::new(RecordedClock::recording(Arc::new(SystemClock)));
        let first = lived(recording.clone()).await;
        let playing = Arc::new(RecordedClock::playing(recording.record()));
        let second = lived(playing.clone()).await;
        assert_eq!(first, second);
        assert_eq!(recording.record(), playing.record());
        assert!(first.bullets[0].created_at.millis() > 0);
    }

    async fn lived(clock: Arc<dyn WallClock>) -> hindlore::MemoryView {
        let store = TemporaryStore::new().unwrap();
        let opened = Arc::new(store.open().unwrap());
        let engine = Engine::new(opened, clock, hindlore::EngineOptions::default());
        let key = hindlore_domain::memory::key::MemoryKey::new("t", "l", "s").unwrap();
        for text in ["one thing at a time", "close the valve", "open the file"] {
            seed_texts(&engine, &key, &[text]).await.unwrap();
        }
        engine.view(&key).await.unwrap().unwrap()
    }
}
