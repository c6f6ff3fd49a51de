//! The wall clock and randomness, which the domain may not use.

use std::fmt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use hindlore_primitives::identity::hex;
use hindlore_primitives::timestamp::Timestamp;

/// A source of the current time.
pub trait WallClock: Send + Sync + fmt::Debug {
    /// The current time.
    fn now(&self) -> Timestamp;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemClock;

impl WallClock for SystemClock {
    fn now(&self) -> Timestamp {
        // A clock before 1970 reads as 1970, so that a misconfigured machine still works.
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// A clock that shows the time it was set to; for tests and demonstrations.
#[derive(Debug, Default)]
pub struct SetClock(AtomicI64);

impl SetClock {
    /// Makes a clock that shows `moment`.
    pub fn at(moment: Timestamp) -> Self {
        Self(AtomicI64::new(moment.millis()))
    }

    /// Moves the clock.
    pub fn set(&self, moment: Timestamp) {
        self.0.store(moment.millis(), Ordering::SeqCst);
    }
}

impl WallClock for SetClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(self.0.load(Ordering::SeqCst))
    }
}

/// Makes a random id with a prefix: 80 random bits from the machine.
pub fn random_id(prefix: &str) -> Result<String, getrandom::Error> {
    Ok(format!("{prefix}_{}", random_hex(10)?))
}

/// Makes this many random bytes, in hex.
pub fn random_hex(bytes: usize) -> Result<String, getrandom::Error> {
    let mut random = vec![0; bytes];
    getrandom::fill(&mut random)?;
    Ok(hex(&random))
}
