//! The word tables of an engine, and their match with the policy of a memory.

use super::classify::Rules;
use super::policy::{Policy, RULES_VERSION};
use crate::text::guard::MergeGuard;

/// The word tables that decisions read; their digests stand in each memory's policy.
#[derive(Debug)]
pub struct Tables {
    /// Negation words, opposites and the like.
    pub guard: MergeGuard,
    /// Memory types, topics and concepts.
    pub rules: Rules,
    /// Digests of the two, computed once: every delta compares them.
    digests: (String, String),
}

impl Tables {
    /// Tables of one's own.
    pub fn new(guard: MergeGuard, rules: Rules) -> Self {
        let digests = (guard.digest(), rules.digest());
        Self {
            guard,
            rules,
            digests,
        }
    }

    /// The shipped tables.
    pub fn standard() -> Self {
        Self::new(MergeGuard::standard(), Rules::standard())
    }

    /// The policy with the digests of these tables.
    pub fn stamp(&self, policy: Policy) -> Policy {
        let (guard_tables, rule_tables) = self.digests.clone();
        Policy {
            guard_tables,
            rule_tables,
            rules: RULES_VERSION,
            ..policy
        }
    }

    /// True when the guard's tables are the shipped ones.
    pub(super) fn is_shipped(&self) -> bool {
        self.digests.0 == MergeGuard::standard().digest()
    }

    /// True when a memory was made with these tables.
    pub(super) fn match_policy(&self, policy: &Policy) -> bool {
        policy.guard_tables == self.digests.0 && policy.rule_tables == self.digests.1
    }
}
