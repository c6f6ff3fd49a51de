//! Memories that follow older rules of identity and merging: the consequences of newer rules for them, and their
//! upgrade.

use crate::api::problem::Problem;
use crate::api::responses::migrated::RulesResponse;
use crate::cli::output::{Page, Tone, upgrades};
use crate::cli::session::Session;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::UpgradeReport;
use crate::engine::Engine;

/// A memory that follows older rules, or did until now.
#[derive(Debug)]
pub(super) struct RulesOfMemory {
    key: MemoryKey,
    report: UpgradeReport,
    /// The delta that upgraded it.
    delta: Option<String>,
}

impl From<&RulesOfMemory> for RulesResponse {
    fn from(memory: &RulesOfMemory) -> Self {
        Self::new(&memory.key, &memory.report, memory.delta.clone())
    }
}

/// Reports the consequences of newer rules for the memories that follow older ones.
pub(super) async fn survey(session: &Session) -> Result<Vec<RulesOfMemory>, Problem> {
    let engine = session.engine()?;
    let mut found = Vec::new();
    for key in engine.memories_of_older_rules().await? {
        let work = engine.survey_upgrade(&key);
        let report = session.wait(&format!("reading {key}"), work).await?;
        found.extend(report.map(|report| RulesOfMemory {
            key,
            report,
            delta: None,
        }));
    }
    Ok(found)
}

/// Upgrades all memories of the store.
pub(super) async fn apply(
    session: &Session,
    engine: &Engine,
) -> Result<Vec<RulesOfMemory>, Problem> {
    let mut done = Vec::new();
    for key in engine.memories_of_older_rules().await? {
        let work = engine.upgrade(&key);
        let upgraded = session.wait(&format!("upgrading {key}"), work).await?;
        done.extend(upgraded.map(|one| RulesOfMemory {
            key,
            report: one.report,
            delta: Some(one.applied.receipt.delta.to_string()),
        }));
    }
    Ok(done)
}

/// Shows the memories.
pub(super) fn write(page: &mut Page, memories: &[RulesOfMemory]) {
    for one in memories {
        page.line(Tone::Heading, format_args!("{}", one.key));
        upgrades::write(page, &one.report);
        match &one.delta {
            Some(delta) => page.line(Tone::Good, format_args!("brought to them by {delta}")),
            None => page.line(
                Tone::Bad,
                "`hindlore migrate apply` brings it to the newer rules, as does its next delta",
            ),
        }
    }
}
