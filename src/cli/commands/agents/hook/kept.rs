//! The additions of an event to the memory, written next to the store before the store is asked.
//!
//! A hook has little time, and a busy machine gives it less. From here on the event waits in a file of its own, so the
//! process may end at any moment: the next call finishes the work of this one. The name of the call makes it count
//! once.

use std::path::PathBuf;

use super::run_name::{LastCall, SessionRuns};
use crate::commands::agents::learn::owed::{Owed, RunEnd};
use crate::commands::agents::learn::record::{Names, Record, SessionPart};
use crate::redaction;
use crate::session::Session;
use crate::spool::{self, Spool};
use hindlore::EngineError;
use hindlore::clock::{SystemClock, WallClock, random_id};
use hindlore_api::problem::Problem;
use hindlore_primitives::identity::content_name;
use hindlore_trace::{Action, HookEvent, Moment, Outcome, Step};

/// An event's addition to the memory.
pub(super) struct Kept {
    pub(super) owed: Owed,
    /// Its file; absent where none can be written.
    pub(super) file: Option<PathBuf>,
}

impl Kept {
    /// Records the additions of an event; absent for one without any.
    pub(super) fn of(session: &Session, event: &HookEvent) -> Result<Option<Self>, Problem> {
        let mut runs = SessionRuns::of_event(event);
        if let Moment::AfterTool { step, .. } = &event.moment {
            runs.note_call(last_call(step));
        }
        let owed = match &event.moment {
            Moment::Begins | Moment::SubagentBegins | Moment::BeforeTool { .. } => {
                runs.touch();
                None
            }
            Moment::AfterTool { step, id } if is_evidence(step) => {
                let part = runs.touch();
                let record = call(session, part, (step, id.as_deref()))?;
                Some((record.call.clone(), Owed::Call(Box::new(record))))
            }
            Moment::Rests | Moment::Ends => match runs.end() {
                Some(run) => Some((content_name("end-", run.as_bytes()), end(session, run)?)),
                None => None,
            },
            _ => None,
        };
        let Some((name, owed)) = owed else {
            return Ok(None);
        };
        // Where the disk is full or the folder is not ours, the store is still asked.
        let file =
            Spool::from_settings(&session.settings).and_then(|spool| spool.put(&name, &owed).ok());
        Ok(Some(Self { owed, file }))
    }

    /// Reads the record of another process; absent if it was taken in since.
    pub(super) fn read(file: PathBuf) -> Option<Self> {
        let owed = spool::read(&file).ok()?;
        let file = Some(file);
        Some(Self { owed, file })
    }

    /// The run that has ended; absent for a call.
    pub(super) fn ended_run(&self) -> Option<String> {
        match &self.owed {
            Owed::End(end) => Some(end.ended_run.clone()),
            Owed::Call(_) => None,
        }
    }

    /// Removes the file of a call that was taken in.
    pub(super) fn done(&self) {
        if let Some(file) = &self.file {
            spool::remove(file);
        }
    }
}

fn last_call(step: &Step) -> LastCall {
    match step.outcome {
        Outcome::Refused | Outcome::Interrupted => LastCall::Refused,
        Outcome::Failed => LastCall::Failed,
        _ => LastCall::Worked,
    }
}

/// True for a call from which something can be learned.
fn is_evidence(step: &Step) -> bool {
    let has_result = matches!(step.outcome, Outcome::Worked | Outcome::Failed);
    has_result && (step.action != Action::Unknown || !step.error.is_empty())
}

fn call(
    session: &Session,
    part: SessionPart,
    (step, id): (&Step, Option<&str>),
) -> Result<Record, Problem> {
    let run = part.run();
    let names = Names {
        call: match id {
            // Sent twice, it counts once.
            Some(id) => content_name("call-", format!("{run}\n{id}").as_bytes()),
            None => random_id("call").map_err(|_| EngineError::Stopped)?,
        },
        run,
        began: SystemClock.now(),
    };
    let record = Record::of_call(&session.key()?, &names, (part, step.clone()));
    Ok(record.without_secrets(&redaction::read(&session.settings)?))
}

fn end(session: &Session, run: String) -> Result<Owed, Problem> {
    let key = session.key()?;
    Ok(Owed::End(RunEnd {
        tenant: key.tenant().to_owned(),
        learner: key.learner().to_owned(),
        ended_run: run,
    }))
}
