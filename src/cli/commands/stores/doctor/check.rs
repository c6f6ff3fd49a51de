//! `doctor check`: examines settings, store, and memories.

use super::findings::remedy;
use super::taken::taken_unchecked;
use super::{keys, looked as page_of, open, secrecy, unsound};
use crate::commands::CommandResult;
use crate::output::Outcome;
use crate::output::words::plural;
use crate::session::unknown_names;
use crate::session::{OpenMemory, Session};
#[cfg(feature = "neo4j")]
use hindlore::clock::{SystemClock, WallClock};
use hindlore_api::problem::Problem;
use hindlore_api::responses::doctor::{CheckResponse, Looked};
use hindlore_domain::memory::policy::Policy;

/// Maximum memories verified; the rest is counted.
const MEMORIES_MAX: usize = 200;
/// Share of the bullet limit from which a warning is shown.
const NEARLY_FULL: f64 = 0.9;

/// Checks.
pub(super) async fn run(session: &Session) -> CommandResult {
    let local = session.engine_options()?.policy;
    let mut looked = settings(session);
    looked.push(secrecy::redaction(session));
    let (found, is_ready) = server(session).await?;
    looked.extend(found);
    // A server is opened only if that changes nothing in it.
    if is_ready {
        let memory = open(session)?;
        looked.extend(secrecy::files(session));
        looked.extend(store(&memory).await?);
        looked.extend(memories(session, &memory, &local).await?);
    }
    let shown = CheckResponse::new(looked);
    session.output.show(&shown, |page| {
        let checks = shown.checks.iter();
        checks.for_each(|one| page_of::write(page, one));
    })?;
    match shown.errors {
        0 => Ok(Outcome::Done),
        count => Err(unsound(format!("the check found {}", plural(count, "error"))).with_hint(
            "each error says what to do; `hindlore doctor verify` names what differs in a memory",
        )),
    }
}

fn settings(session: &Session) -> Vec<Looked> {
    let faults = session.faults();
    if !faults.is_empty() {
        let said = faults
            .iter()
            .map(|fault| Looked::error("settings", fault.to_string()));
        return said.collect();
    }
    let file = session.settings.file();
    let said = match file {
        Some(path) => format!(
            "from `{}`, environment and flags; all are valid",
            path.display()
        ),
        None => "no file; environment and flags are valid".to_owned(),
    };
    vec![Looked::ok("settings", said)]
}

/// The server of the store, if any, and whether the store may be opened.
#[cfg(feature = "neo4j")]
async fn server(session: &Session) -> Result<(Vec<Looked>, bool), Problem> {
    use hindlore_neo4j::Neo4jStore;
    let Some(options) = session.server_options()? else {
        return Ok((Vec::new(), true));
    };
    let now = || SystemClock.now();
    let report = Neo4jStore::diagnose(options.clone(), &now).await?;
    let looked = super::server::judge(&report, &options);
    Ok((looked, super::server::is_ready(&report)))
}

#[cfg(not(feature = "neo4j"))]
async fn server(_: &Session) -> Result<(Vec<Looked>, bool), Problem> {
    Ok((Vec::new(), true))
}

async fn store(memory: &OpenMemory) -> Result<Vec<Looked>, Problem> {
    let engine = &memory.engine;
    let schema = engine.schema().await?;
    let version = format!("version {} of {}", schema.stored, schema.engine);
    let mut looked = vec![if schema.pending.is_empty() {
        Looked::ok("schema", version)
    } else {
        let pending = schema.pending.join(", ");
        let said = format!("{version}; to be applied by `migrate apply`: {pending}");
        Looked::note("schema", said)
    }];
    let findings = engine.check().await?;
    if findings.is_empty() {
        looked.push(Looked::ok("store", "whole; all references lead somewhere"));
    }
    looked.extend(findings.into_iter().map(|finding| {
        if finding.is_error {
            Looked::error(&finding.subject, finding.message)
        } else {
            Looked::note(&finding.subject, finding.message)
        }
    }));
    Ok(looked)
}

async fn memories(
    session: &Session,
    memory: &OpenMemory,
    local: &Policy,
) -> Result<Vec<Looked>, Problem> {
    let keys = keys(session, memory).await?;
    let mut looked = Vec::new();
    for (number, key) in (1..).zip(keys.iter().take(MEMORIES_MAX)) {
        let name = key.to_string();
        let what = format!("memory {number} of {}: replaying events", keys.len());
        let work = memory.engine.verify(key);
        let verified = session
            .wait_counting(&what, || memory.engine.progress(), work)
            .await;
        let is_told = verified.is_err();
        match verified {
            Ok(verified) if verified.is_sound => {
                let said = format!("sound, {} replayed", plural(verified.events, "event"));
                looked.push(Looked::ok(&name, said));
            }
            Ok(verified) => {
                let count = verified.differences.len()
                    + verified.mismatches.len()
                    + verified.links.len()
                    + verified.shape.len()
                    + verified.policy.len();
                let said = match verified.unreplayable() {
                    Some(what) => remedy(key, &what),
                    None => format!("differs from its events: {}", plural(count, "difference")),
                };
                looked.push(Looked::error(&name, said));
            }
            Err(problem) => looked.push(Looked::error(&name, problem.to_string())),
        }
        match memory.engine.view(key).await {
            Ok(Some(view)) => {
                let wrong = view.policy.problem();
                looked.extend(wrong.map(|said| Looked::error(&name, said)));
                looked.extend(room(&name, &view.policy, view.status_counts.active));
                looked.extend(tables(&name, &view.policy, local));
                looked.extend(taken_unchecked(&name, &view));
            }
            Ok(None) => {}
            // The failed verification above has reported it.
            Err(_) if is_told => {}
            Err(error) => looked.push(Looked::error(&name, Problem::from(error).to_string())),
        }
    }
    if keys.len() > MEMORIES_MAX {
        let said = format!("only {MEMORIES_MAX} of {} were verified", keys.len());
        looked.push(Looked::note("memories", said));
    }
    if keys.is_empty() {
        let said = match unknown_names::absent_name(session).await? {
            Some(said) => said,
            None => "there is none yet".to_owned(),
        };
        looked.push(Looked::note("memories", said));
    }
    Ok(looked)
}

/// A memory that will soon forget its weakest bullets.
#[allow(clippy::cast_precision_loss)]
fn room(name: &str, policy: &Policy, active: u64) -> Option<Looked> {
    let limit = policy.max_bullets?;
    let is_nearly_full = active as f64 >= limit as f64 * NEARLY_FULL;
    is_nearly_full.then(|| {
        let said = format!("{active} of at most {limit} bullets; the weakest will be archived");
        Looked::note(name, said)
    })
}

/// A memory that needs other word tables than the local ones.
fn tables(name: &str, policy: &Policy, local: &Policy) -> Option<Looked> {
    let is_same =
        policy.guard_tables == local.guard_tables && policy.rule_tables == local.rule_tables;
    (!is_same).then(|| {
        let said = "made with other word tables than those of this configuration; deltas will be \
                    refused until `rules` and `antonyms` name the same tables; after an upgrade, \
                    `export` it and `import` the file into another scope or store";
        Looked::note(name, said)
    })
}
