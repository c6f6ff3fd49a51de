//! `doctor costs`: the size of a learner's data, the bound of each kind, and its growth.

use super::open;
use crate::commands::CommandResult;
use crate::output::{Outcome, Tone};
use crate::session::Session;
use hindlore_api::responses::doctor::{CostResponse, CostsResponse};
use hindlore_domain::memory::policy::Policy;
use hindlore_domain::trajectory::{AfterRetention, TrajectoryPolicy};
use hindlore_store::{CHECKPOINTS_KEPT, Cost, CostKind};

/// Counts.
pub(super) async fn run(session: &Session) -> CommandResult {
    let memory = open(session)?;
    let (engine, key) = (&memory.engine, &memory.key);
    let head = engine.head(key).await?;
    let policy = head.map_or_else(Policy::default, |head| head.policy);
    let costs = engine.costs(key.tenant(), key.learner()).await?;
    let trajectories = &engine.rules().trajectories;
    let shown = CostsResponse {
        tenant: key.tenant().to_owned(),
        learner: key.learner().to_owned(),
        costs: costs
            .iter()
            .filter(|cost| cost.count > 0)
            .map(|cost| response(cost, &policy, trajectories))
            .collect(),
    };
    session.output.show(&shown, |page| {
        let row = |cost: &CostResponse| {
            vec![
                cost.kind.to_owned(),
                cost.count.to_string(),
                cost.characters.to_string(),
                cost.bound.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = shown.costs.iter().map(row).collect();
        page.table(&["KIND", "KEPT", "CHARACTERS", "BOUND"], &rows);
        if shown.costs.iter().any(|cost| cost.grows) {
            page.line(
                Tone::Plain,
                "growth takes room, not time: no request reads all of it",
            );
        }
    })?;
    Ok(Outcome::found(!shown.costs.is_empty()))
}

fn response(cost: &Cost, policy: &Policy, trajectories: &TrajectoryPolicy) -> CostResponse {
    let (grows, bound) = bound(cost.kind, policy, trajectories);
    CostResponse {
        kind: cost.kind.word(),
        count: cost.count,
        characters: cost.characters,
        grows,
        bound,
    }
}

/// Whether a kind grows without bound, and its bound in words.
fn bound(kind: CostKind, policy: &Policy, trajectories: &TrajectoryPolicy) -> (bool, String) {
    let grows = |what: &str| (true, what.to_owned());
    match kind {
        CostKind::Bullets => match policy.max_bullets {
            Some(most) => (
                true,
                format!("{most} active in a memory (policy max_bullets); archived ones grow"),
            ),
            None => grows("grow; `policy set max_bullets=20000` bounds the active ones"),
        },
        CostKind::Deltas if policy.delta_days == 0 => {
            grows("grow; `policy set delta_days=30` bounds them")
        }
        CostKind::Deltas => (
            false,
            format!(
                "{} in a memory, and those of the last {} days (policy delta_records, delta_days)",
                policy.delta_records, policy.delta_days
            ),
        ),
        CostKind::Retrievals => (
            false,
            format!(
                "{} in a memory, for {} days (policy retrieval_records, retrieval_days)",
                policy.retrieval_records, policy.retrieval_days
            ),
        ),
        CostKind::Checkpoints => (false, format!("{CHECKPOINTS_KEPT} in a memory")),
        CostKind::Steps if trajectories.after_retention == AfterRetention::Keep => {
            grows("grow; trajectory.after_retention = \"purge\" takes old ones away")
        }
        CostKind::Steps => (
            false,
            format!(
                "{} days after a reflection (trajectory.retention_days)",
                trajectories.retention_days
            ),
        ),
        CostKind::Errors if trajectories.after_retention == AfterRetention::Purge => (
            true,
            format!(
                "grow; texts go {} days after a reflection (trajectory.retention_days)",
                trajectories.retention_days
            ),
        ),
        CostKind::Errors => {
            grows("grow; trajectory.after_retention = \"purge\" takes old texts away")
        }
        CostKind::Receipts if trajectories.receipt_days == 0 => {
            grows("grow; trajectory.receipt_days = 30 bounds them")
        }
        CostKind::Receipts => (
            false,
            format!(
                "{} days (trajectory.receipt_days)",
                trajectories.receipt_days
            ),
        ),
        CostKind::Lessons | CostKind::Runs | CostKind::Activations | CostKind::Decisions => {
            grows("grow")
        }
    }
}
