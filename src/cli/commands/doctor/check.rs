//! `doctor check`: settings, store and memories in one look.

use serde::Serialize;
use serde_json::{Value, json};

use super::{keys, open, unsound};
use crate::api::problem::Problem;
use crate::cli::commands::CommandResult;
use crate::cli::output::{Outcome, Page, Tone};
use crate::cli::session::{OpenMemory, Session};
use crate::domain::memory::policy::Policy;

/// Memories that are verified; the rest is counted.
const MEMORIES_MAX: usize = 200;
/// Bullets in a memory up to which a limit is worth a warning.
const NEARLY_FULL: f64 = 0.9;

/// Something that was looked at.
#[derive(Debug, Serialize)]
struct Looked {
    /// What.
    subject: String,
    /// `ok`, `note` or `error`.
    state: &'static str,
    /// What was seen.
    message: String,
}

impl Looked {
    fn new(subject: &str, state: &'static str, message: impl Into<String>) -> Self {
        Self {
            subject: subject.to_owned(),
            state,
            message: message.into(),
        }
    }
}

/// Checks.
pub(super) async fn run(session: &Session) -> CommandResult {
    // Reads the word tables and the policy, so settings that cannot be used are told here.
    let local = session.engine_options()?.policy;
    let memory = open(session)?;
    let mut looked = vec![settings(session)];
    looked.extend(store(&memory).await?);
    looked.extend(memories(session, &memory, &local).await?);
    let errors = looked.iter().filter(|one| one.state == "error").count();
    let document: Value = json!({"sound": errors == 0, "errors": errors, "checks": looked});
    session.output.show(&document, |page| {
        looked.iter().for_each(|one| write(page, one))
    })?;
    match errors {
        0 => Ok(Outcome::Done),
        count => Err(unsound(format!("the check found {count} errors"))),
    }
}

fn settings(session: &Session) -> Looked {
    let file = session.settings.file();
    let said = match file {
        Some(path) => format!(
            "from `{}`, environment and flags; all are valid",
            path.display()
        ),
        None => "no file; environment and flags are valid".to_owned(),
    };
    Looked::new("settings", "ok", said)
}

async fn store(memory: &OpenMemory) -> Result<Vec<Looked>, Problem> {
    let store = memory.engine.store();
    let schema = store.schema().await?;
    let version = format!("version {} of {}", schema.stored, schema.engine);
    let mut looked = vec![match schema.pending.is_empty() {
        true => Looked::new("schema", "ok", version),
        false => {
            let pending = schema.pending.join(", ");
            let said = format!("{version}; to be applied by `migrate apply`: {pending}");
            Looked::new("schema", "note", said)
        }
    }];
    let findings = store.check().await?;
    if findings.is_empty() {
        looked.push(Looked::new(
            "store",
            "ok",
            "whole; all references lead somewhere",
        ));
    }
    looked.extend(findings.into_iter().map(|finding| {
        let state = if finding.is_error { "error" } else { "note" };
        Looked::new(&finding.subject, state, finding.message)
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
    for key in keys.iter().take(MEMORIES_MAX) {
        let name = key.to_string();
        let work = memory.engine.verify(key);
        match session.wait("replaying the events", work).await {
            Ok(verified) if verified.is_sound => {
                let said = format!("sound, {} events replayed", verified.events);
                looked.push(Looked::new(&name, "ok", said));
            }
            Ok(verified) => {
                let count = verified.differences.len() + verified.mismatches.len();
                let said = format!("not what the events made of it: {count} differences");
                looked.push(Looked::new(&name, "error", said));
            }
            Err(problem) => looked.push(Looked::new(&name, "error", problem.to_string())),
        }
        if let Some(view) = memory.engine.view(key).await? {
            looked.extend(room(&name, &view.policy, view.census.active));
            looked.extend(tables(&name, &view.policy, local));
        }
    }
    if keys.len() > MEMORIES_MAX {
        let said = format!("only {MEMORIES_MAX} of {} were verified", keys.len());
        looked.push(Looked::new("memories", "note", said));
    }
    if keys.is_empty() {
        looked.push(Looked::new("memories", "note", "there is none yet"));
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
        Looked::new(name, "note", said)
    })
}

/// A memory that needs other word tables than those at hand.
fn tables(name: &str, policy: &Policy, local: &Policy) -> Option<Looked> {
    let is_same =
        policy.guard_tables == local.guard_tables && policy.rule_tables == local.rule_tables;
    (!is_same).then(|| {
        let said = "made with other word tables than those of this configuration; deltas will be \
                    refused until `rules` and `antonyms` name the same tables";
        Looked::new(name, "note", said)
    })
}

fn write(page: &mut Page, one: &Looked) {
    let tone = match one.state {
        "ok" => Tone::Good,
        "error" => Tone::Bad,
        _ => Tone::Plain,
    };
    let mark = format!("{:<6}", one.state);
    page.hanging(tone, &mark, &format!("{}: {}", one.subject, one.message));
}
