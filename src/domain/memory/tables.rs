//! The word tables of an engine, and whether they match the policy of a memory.
//!
//! A memory is decided by the tables it was created with. Other tables would decide its history differently,
//! so a mismatch is refused.

use super::bullet::classify::Rules;
use super::policy::{Policy, RULES_VERSION};
use hindlore_text::guard::MergeGuard;

/// The word tables that decisions read; each memory's policy records their digests.
#[derive(Debug)]
pub struct Tables {
    /// Tables of the merge guard: opposites, negations, units and the like.
    pub guard: MergeGuard,
    /// Rules for memory types, topics and concepts.
    pub rules: Rules,
    /// Digests of both, computed once, since every delta compares them.
    digests: (String, String),
}

impl Tables {
    /// Creates tables, with their digests.
    pub fn new(guard: MergeGuard, rules: Rules) -> Self {
        let digests = (guard.digest(), rules.digest());
        Self {
            guard,
            rules,
            digests,
        }
    }

    /// Returns the shipped tables.
    pub fn standard() -> Self {
        Self::new(MergeGuard::standard(), Rules::standard())
    }

    /// Returns the policy with the digests of these tables and the current rules.
    pub fn stamp(&self, policy: Policy) -> Policy {
        let (guard_tables, rule_tables) = self.digests.clone();
        Policy {
            guard_tables,
            rule_tables,
            rules: RULES_VERSION,
            ..policy
        }
    }

    /// Returns true if a memory with this policy was created with these tables and the current rules.
    pub(super) fn match_policy(&self, policy: &Policy) -> bool {
        let (guard, rules) = &self.digests;
        policy.guard_tables == *guard
            && policy.rule_tables == *rules
            && policy.rules == RULES_VERSION
    }
}
