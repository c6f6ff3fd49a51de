//! A run stays open while a command runs in it, however long that takes: it is begun with the command, and refreshed at
//! intervals.

use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};

use super::record::{Names, place};
use crate::args::learn::LearnArgs;
use crate::session::Session;
use hindlore::lessons::{About, StartRun};
use hindlore_domain::lesson::lesson::Place;

/// The shortest and the longest time between two signs of life.
const EVERY: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(300));
/// Signs of life within the idle time.
const PER_IDLE_TIME: u32 = 3;

/// Keeps a run open until this is dropped.
pub(super) struct Alive(#[expect(dead_code, reason = "to be dropped")] oneshot::Sender<()>);

impl Alive {
    /// Begins a run that several calls belong to, at the side of its command: a store that is busy must not hold
    /// the command up. A call without one has nothing to keep open.
    pub(super) fn begin(session: &Session, args: &LearnArgs, names: &Names) -> Option<Self> {
        args.run.as_ref()?;
        let session = session.aside(EVERY.1);
        let start = StartRun {
            id: Some(names.run.clone()),
            place: Place {
                tool: args.place.tool.clone(),
                ..place(args)
            },
            about: About {
                scope: session.key().ok().map(|key| key.scope().to_owned()),
                ..About::default()
            },
            ..StartRun::default()
        };
        let (alive, ended) = oneshot::channel();
        let runtime = Handle::current();
        // Opening a store blocks, and this must not take a thread from the waiter for the command.
        tokio::task::spawn_blocking(move || runtime.block_on(keep(session, start, ended)));
        Some(Self(alive))
    }
}

async fn keep(session: Session, start: StartRun, mut ended: oneshot::Receiver<()>) {
    let mut every = EVERY.1;
    loop {
        // Opened each time: a store that is held open for hours delays other users of it.
        if let Ok(opened) = session.open_lessons() {
            let idle = Duration::from_millis(u64::from(opened.engine.options().lessons.idle_ms));
            every = (idle / PER_IDLE_TIME).clamp(EVERY.0, EVERY.1);
            let telling = opened.engine.start_run(&opened.owner, start.clone());
            tokio::select! {
                // A failed refresh is repeated the next time, or with the step.
                _ = timeout(every, telling) => {}
                _ = &mut ended => return,
            }
        }
        tokio::select! {
            () = sleep(every) => {}
            _ = &mut ended => return,
        }
    }
}
