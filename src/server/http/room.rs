//! The room for bodies, of requests and of large answers, until they are read or sent.
//!
//! All of them together stay below one number of bytes, so that clients which do not finish sending, or do not read
//! their answers, cannot fill the memory. Without room, a body that is late gives way, or the request is refused.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::App;
use super::connections::{Connection, Connections};
use super::problem::crowded;
use hindlore_api::problem::Problem;
use hindlore_api::verb::Effect;

/// Bytes of all bodies at once, unless one alone may have half as many.
const ROOM_BYTES: usize = 48 << 20;
/// Bytes of one permit.
const UNIT_BYTES: usize = 16 << 10;
/// Answers up to this size take no room; there are as many as connections at most.
const SMALL_BYTES: usize = 32 << 10;
/// How often another body is made to give way, and how long it may take to be gone.
const TRIES: usize = 8;
const TRY_TIME: Duration = Duration::from_millis(50);

/// The room.
pub(super) struct Room {
    units: Arc<Semaphore>,
    max: u32,
}

/// The share of a body.
#[derive(Default)]
pub(super) struct Share(Option<OwnedSemaphorePermit>);

impl Room {
    /// For bodies of requests up to a size.
    pub(super) fn new(body_bytes: usize) -> Self {
        let bytes = ROOM_BYTES.max(body_bytes.saturating_mul(2));
        let max = u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX);
        let units = usize::try_from(max).unwrap_or(usize::MAX);
        Self {
            units: Arc::new(Semaphore::new(units.min(Semaphore::MAX_PERMITS))),
            max,
        }
    }

    /// Makes a share large enough for a number of bytes. One body alone never needs more than half of the room.
    ///
    /// # Errors
    /// `too_many_requests` if there is no room, and none gives way.
    pub(super) async fn grow(
        &self,
        share: &mut Share,
        bytes: usize,
        connections: &Connections,
    ) -> Result<(), Problem> {
        let wanted = u32::try_from(bytes.div_ceil(UNIT_BYTES)).unwrap_or(u32::MAX);
        let wanted = wanted.min(self.max / 2);
        let held = share.0.as_ref().map_or(0, |held| held.num_permits());
        let held = u32::try_from(held).unwrap_or(u32::MAX);
        let more = wanted.saturating_sub(held);
        if more == 0 {
            return Ok(());
        }
        let mut taken = self.units.clone().try_acquire_many_owned(more).ok();
        for _ in 0..TRIES {
            if taken.is_some() || !connections.close_one_holder() {
                break;
            }
            let acquired = timeout(TRY_TIME, self.units.clone().acquire_many_owned(more)).await;
            taken = acquired.ok().and_then(Result::ok);
        }
        let taken = taken.ok_or_else(crowded)?;
        match &mut share.0 {
            Some(held) => held.merge(taken),
            none => *none = Some(taken),
        }
        Ok(())
    }
}

/// An answer to be sent, which holds its room until the last byte is on its way.
///
/// `too_many_requests` if there is no room for the answer of a read; a change is always answered.
pub(super) async fn sent(
    app: &App,
    connection: Option<&Connection>,
    text: String,
    effect: Effect,
) -> Result<Bytes, Problem> {
    if text.len() <= SMALL_BYTES {
        return Ok(text.into());
    }
    let mut share = Share::default();
    let grown = app
        .bodies
        .grow(&mut share, text.len(), &app.connections)
        .await;
    if effect == Effect::Reads {
        grown?;
    }
    if let Some(connection) = connection {
        connection.begin_hold();
    }
    Ok(Bytes::from_owner(Held {
        text,
        _share: share,
    }))
}

struct Held {
    text: String,
    _share: Share,
}

impl AsRef<[u8]> for Held {
    fn as_ref(&self) -> &[u8] {
        self.text.as_bytes()
    }
}
