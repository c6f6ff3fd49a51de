//! Bringing a memory to newer rules of identity, merging and linking.
//!
//! Hashes are worked out anew; nothing is merged and nothing is split. Newer rules tell apart what older ones
//! took for one text, never the other way round, so that no two bullets come to claim one hash. What was
//! decided before is not decided again: whoever upgrades a memory puts a checkpoint before the delta.

use super::aggregate::Memory;
use super::application::DeltaApplication;
use super::bullet::{Bullet, BulletId, Status};
use super::delta::{Delta, DeltaId, Operation, RulesChange};
use super::policy::{Policy, RULES_VERSION};
use super::tables::Tables;

/// Merges of which an upgrade tells what the newer rules say.
const MERGES_MAX: usize = 10_000;

/// The digest of the word tables that the first rules were shipped with.
const FIRST_TABLES: &str = "008b4478133eb79918df1cf36d0951725e7417612e81d87e59e7c06b62a35e3d";

/// What newer rules mean to a memory.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct UpgradeReport {
    /// The version of the rules that the memory was decided by.
    pub from: u32,
    /// The version that it is brought to.
    pub to: u32,
    /// Bullets whose hash becomes another: the case of their text means something.
    pub rehashed: u64,
    /// Those among them that were rejected: their text in another case is no longer barred.
    pub rejected: Vec<BulletId>,
    /// Bullets that were merged away and that the newer rules would keep.
    pub apart: Vec<MergedApart>,
}

/// A bullet that was merged into another one from which newer rules keep it apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MergedApart {
    /// The bullet, archived.
    pub bullet: BulletId,
    /// What holds its advice now.
    pub into: BulletId,
    /// Why they would stay two.
    pub reason: String,
}

/// True for a memory that older rules decided.
pub fn is_older(policy: &Policy) -> bool {
    policy.rules < RULES_VERSION
}

/// True when the word tables of an older memory are known to be the shipped ones, as those at hand are: then
/// the newer tables are those that its owner chose.
pub fn has_shipped_tables(policy: &Policy, tables: &Tables) -> bool {
    policy.guard_tables == FIRST_TABLES && tables.is_shipped()
}

/// Says what an upgrade means to a memory; absent when it follows the newest rules.
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

/// The delta that brings a memory to the newest rules; it is sent once.
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
    // Nothing is refined because of it.
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
    /// Runs an upgrade.
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

    /// Changes the policy; where another one tells texts apart in another way, the hashes follow.
    pub(super) fn change_policy(&mut self, policy: Policy) {
        let is_same = policy.identity() == self.policy.identity();
        self.draft.set_policy(policy.clone());
        self.policy = policy;
        if !is_same {
            self.rehash();
        }
    }

    /// Works all hashes out anew. Where texts that were two become one to the memory, the first holds the hash,
    /// and both stay as they are.
    fn rehash(&mut self) {
        let identity = self.policy.identity();
        for bullet in self.draft.memory().bullets() {
            let hash = bullet.content.hash_in(identity);
            let holder = self.draft.memory().holder(hash);
            let is_taken = holder.is_some_and(|holder| holder.id != bullet.id);
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
