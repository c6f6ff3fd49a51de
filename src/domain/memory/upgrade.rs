//! Upgrades a memory to newer rules of identity, merging and linking.
//!
//! An upgrade recomputes hashes; it neither merges nor splits bullets. Newer rules distinguish more texts than
//! older ones, never fewer, so no two bullets come to claim one hash. Earlier events are not decided again: the
//! engine writes a checkpoint before the upgrade, and replays start from there.

use super::aggregate::Memory;
use super::application::DeltaApplication;
use super::bullet::{Bullet, BulletId, Kind, Status};
use super::delta::{Delta, DeltaId, Operation, RulesChange};
use super::policy::{Policy, RULES_VERSION};
use super::tables::Tables;

/// Maximum earlier merges that a survey checks against the newer rules.
const MERGES_MAX: usize = 10_000;

/// SHA-256 of the word tables that earlier rules were shipped with, in hex, the first rules first.
const SHIPPED_TABLES: [&str; 2] = [
    "008b4478133eb79918df1cf36d0951725e7417612e81d87e59e7c06b62a35e3d",
    "c0a2e908f2ab3ddcead74cff5746b9d4735d6b48e2721b4d8bc2d5d2869ec97a",
];

/// The effects of newer rules on a memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UpgradeReport {
    /// Version of the rules that the memory follows.
    pub from: u32,
    /// Version that the upgrade leads to.
    pub to: u32,
    /// Bullets whose hash changes, because the case of their text means something.
    pub rehashed: u64,
    /// Rejected bullets among them: their text in another case is no longer rejected.
    pub rejected: Vec<BulletId>,
    /// Merged bullets that the newer rules would keep apart.
    pub apart: Vec<MergedApart>,
}

/// A merged bullet that the newer rules would keep apart from its survivor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergedApart {
    /// The archived bullet.
    pub bullet: BulletId,
    /// The surviving bullet.
    pub into: BulletId,
    /// Why the newer rules would keep them apart.
    pub reason: String,
}

/// Returns true if a memory follows older rules.
pub fn is_older(policy: &Policy) -> bool {
    policy.rules < RULES_VERSION
}

/// Returns true if an older memory has the shipped word tables, and so do `tables`. Then the upgrade may replace
/// them without overriding a choice of the owner.
pub fn has_shipped_tables(policy: &Policy, tables: &Tables) -> bool {
    SHIPPED_TABLES.contains(&policy.guard_tables.as_str()) && tables.is_shipped()
}

/// Returns the effects of an upgrade on a memory; `None` if it follows the newest rules.
pub fn survey(memory: &Memory, tables: &Tables) -> Option<UpgradeReport> {
    let policy = memory.policy();
    if !is_older(policy) {
        return None;
    }
    let newer = newer(policy, tables);
    let mut report = UpgradeReport {
        from: policy.rules,
        to: newer.rules,
        ..UpgradeReport::default()
    };
    let mut compared = 0;
    for bullet in memory.bullets() {
        if bullet.content.hash_in(newer.identity()) != bullet.content_hash() {
            report.rehashed += 1;
            if bullet.status == Status::Rejected {
                report.rejected.push(bullet.id);
            }
        }
        if bullet.merged_into.is_some() && !newer.is_classic() && compared < MERGES_MAX {
            compared += 1;
            report.apart.extend(apart(memory, &bullet, tables));
        }
    }
    Some(report)
}

/// Returns the delta that upgrades a memory to the newest rules. Its id follows from key and version, so it is
/// applied once.
pub fn upgrading(memory: &Memory, tables: &Tables) -> Delta {
    let newer = newer(memory.policy(), tables);
    let version = newer.rules.to_string();
    let id = DeltaId::derive(&["upgrade", &memory.key().derived(), &version]);
    let change = RulesChange {
        rules: newer.rules,
        guard_tables: newer.guard_tables,
    };
    let mut delta = Delta::new(id, vec![Operation::Upgrade(change)]);
    delta.reasoning = Some(format!(
        "brings the memory to version {version} of the rules of identity and merging"
    ));
    delta.expected_revision = Some(memory.revision());
    // Marked as an undo, so that it refines nothing.
    delta.undo = true;
    delta
}

fn newer(policy: &Policy, tables: &Tables) -> Policy {
    Policy {
        rule_tables: policy.rule_tables.clone(),
        ..tables.stamp(policy.clone())
    }
}

fn apart(memory: &Memory, bullet: &Bullet, tables: &Tables) -> Option<MergedApart> {
    let survivor = memory.survivor(bullet.id)?;
    // Its sources were never taken for equal.
    if survivor.kind == Kind::Consolidated {
        return None;
    }
    let features = |bullet: &Bullet| tables.guard.features(bullet.content.as_str());
    let reason = tables
        .guard
        .check(&features(bullet), &features(&survivor))?;
    Some(MergedApart {
        bullet: bullet.id,
        into: survivor.id,
        reason: reason.to_string(),
    })
}

impl DeltaApplication<'_, '_> {
    /// Runs one UPGRADE.
    pub(super) fn upgrade(&mut self, change: &RulesChange) -> Result<(), String> {
        let (from, to) = (self.policy.rules, change.rules);
        if to <= from || to > RULES_VERSION {
            return Err(format!(
                "a memory under version {from} of the rules cannot be brought to version {to}"
            ));
        }
        self.change_policy(Policy {
            rules: to,
            guard_tables: change.guard_tables.clone(),
            ..self.policy.clone()
        });
        Ok(())
    }

    /// Changes the policy; recomputes the hashes if it distinguishes texts differently.
    pub(super) fn change_policy(&mut self, policy: Policy) {
        let is_same = policy.identity() == self.policy.identity();
        self.draft.set_policy(policy.clone());
        self.policy = policy;
        if !is_same {
            self.rehash();
        }
    }

    /// Recomputes all hashes. If two texts become equal, the first bullet holds the hash, and both stay as they
    /// are.
    fn rehash(&mut self) {
        let identity = self.policy.identity();
        for bullet in self.draft.memory().bullets() {
            let hash = bullet.content.hash_in(identity);
            let holder = self.draft.memory().holder(hash);
            let is_taken = holder.is_some_and(|holder| holder.id != bullet.id);
            // Active and rejected bullets must be found by their text; an archived one may have released it.
            let takes_part = bullet.status != Status::Archived;
            if hash == bullet.content_hash() && (bullet.holds_hash || !takes_part || is_taken) {
                continue;
            }
            self.draft.edit(bullet.id, |bullet| {
                bullet.other_hash = bullet.content.hash_by(identity);
                bullet.holds_hash = (bullet.holds_hash || takes_part) && !is_taken;
            });
        }
    }
}
