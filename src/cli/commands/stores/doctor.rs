//! Command `doctor`: is the store sound, and is every memory what its events made of it?
//!
//! Anything unsound ends with exit code 2 after the report, so that scripts notice.

mod adopt;
mod agents;
mod audit;
mod check;
mod costs;
mod findings;
mod looked;
mod repair;
mod secrecy;
#[cfg(feature = "neo4j")]
mod server;
mod taken;
mod verify;

pub(in crate::commands) use agents::connected;

use crate::args::doctor::{DoctorArgs, DoctorCommand};
use crate::commands::CommandResult;
use crate::place;
use crate::session::{OpenMemory, Session};
use hindlore_api::problem::Problem;
use hindlore_domain::memory::key::MemoryKey;

/// Examines.
pub(crate) async fn run(session: &Session, args: DoctorArgs) -> CommandResult {
    match args.what.unwrap_or(DoctorCommand::Check) {
        DoctorCommand::Check => check::run(session).await,
        DoctorCommand::Audit(args) => audit::run(session, &args),
        DoctorCommand::Agents => agents::run(session).await,
        DoctorCommand::Costs => costs::run(session).await,
        DoctorCommand::Verify(args) => verify::run(session, args).await,
        DoctorCommand::Adopt(args) => adopt::run(session, args).await,
        DoctorCommand::Repair(args) => repair::run(session, &args).await,
    }
}

/// Opens an existing store: a doctor makes no patients.
fn open(session: &Session) -> Result<OpenMemory, Problem> {
    if let Some(store) = session.settings.text("store") {
        place::must_exist(store)?;
    }
    session.open_there()
}

/// The memories of the tenant, or of the given learner.
async fn keys(session: &Session, memory: &OpenMemory) -> Result<Vec<MemoryKey>, Problem> {
    let settings = &session.settings;
    let learner = settings
        .text("learner")
        .filter(|_| settings.is_given("learner"));
    let memories = memory.engine.memories(memory.key.tenant(), learner).await?;
    Ok(memories.into_iter().map(|memory| memory.key).collect())
}

/// The problem for an unsound store or memory.
fn unsound(what: String) -> Problem {
    Problem::new("not_sound", what).with_hint(
        "`hindlore doctor verify` names what differs; `doctor adopt --yes` makes a change by hand \
         part of the history, `doctor repair` redraws what contradicts it",
    )
}
