//! The memories of a store that follow older rules of identity and merging: what newer ones mean to them, and
//! bringing them there.

use serde::Serialize;

use crate::api::problem::Problem;
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

/// What stands in the answer.
#[derive(Serialize)]
struct Shown<'m> {
    tenant: &'m str,
    learner: &'m str,
    scope: &'m str,
    rules: u32,
    newest_rules: u32,
    hashes_anew: u64,
    rejected_anew: Vec<String>,
    merged_apart: Vec<Apart<'m>>,
    upgraded_by: Option<&'m str>,
}

#[derive(Serialize)]
struct Apart<'m> {
    bullet: String,
    into: String,
    reason: &'m str,
}

impl Serialize for RulesOfMemory {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (key, report) = (&self.key, &self.report);
        let apart = report.apart.iter().map(|one| Apart {
            bullet: one.bullet.to_string(),
            into: one.into.to_string(),
            reason: &one.reason,
        });
        let shown = Shown {
            tenant: key.tenant(),
            learner: key.learner(),
            scope: key.scope(),
            rules: if self.delta.is_some() {
                report.to
            } else {
                report.from
            },
            newest_rules: report.to,
            hashes_anew: report.rehashed,
            rejected_anew: report.rejected.iter().map(ToString::to_string).collect(),
            merged_apart: apart.collect(),
            upgraded_by: self.delta.as_deref(),
        };
        shown.serialize(serializer)
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
