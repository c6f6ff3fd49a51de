//! The memories of a store that follow older rules of identity and merging: what newer ones mean to them, and
//! bringing them there.

use crate::api::problem::Problem;
use crate::api::responses::migrated::RulesResponse;
use crate::cli::output::{Page, Tone, upgrades};
use crate::cli::session::Session;
use crate::domain::memory::key::MemoryKey;
use crate::domain::memory::upgrade::UpgradeReport;
use crate::engine::Engine;

/// A memory that follows older rules, or followed them until now.
#[derive(Debug)]
pub(super) struct RulesOfMemory {
    key: MemoryKey,
    report: UpgradeReport,
    /// The delta that brought it to the newest.
    delta: Option<String>,
}

impl From<&RulesOfMemory> for RulesResponse {
    fn from(memory: &RulesOfMemory) -> Self {
        Self::of(&memory.key, &memory.report, memory.delta.clone())
    }
}

/// Says what newer rules mean to the memories of the store that follow older ones.
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

/// Brings all memories of the store to the newest rules.
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

/// Shows them.
pub(super) fn write(page: &mut Page, memories: &[RulesOfMemory]) {
    for one in memories {
        page.line(Tone::Heading, format_args!("{}", one.key));
        upgrades::write(page, &one.report);
        match &one.delta {
            Some(delta) => page.line(Tone::Good, format_args!("brought to them by {delta}")),
            None => page.line(
                Tone::Bad,
                "`mnemograph migrate apply` brings it to the newer rules, as does its next delta",
            ),
        }
    }
}
