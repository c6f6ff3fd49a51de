//! Changes the policy of a memory and recomputes its hashes.
//!
//! A recomputation neither merges nor splits bullets: if two texts become equal, both bullets stay.

use super::application::DeltaApplication;
use crate::memory::bullet::Status;
use crate::memory::policy::Policy;

impl DeltaApplication<'_, '_> {
    /// Changes the policy; recomputes the hashes if it distinguishes texts differently.
    pub(crate) fn change_policy(&mut self, policy: Policy) {
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
