//! What a bullet must reach to matter: bounds on scores, and their inverses.
//!
//! Forward bounds need no room, since the score rises with its parts also after rounding. Inverses do:
//! they divide and take differences, so each is rounded to the generous side.

use super::super::family::Family;
use super::super::policy::Profile;
use super::super::ranking::Parts;
use super::super::relevance::{bend, unbend};
use super::super::strength_order::GROUPS;
use super::{Group, LONG, Search};

/// Steps of relevance for which the strength that a bullet needs is worked out.
const STEPS: usize = 8;
/// Room for the rounding of differences and quotients, relative to their terms.
const SLACK: f64 = 1e-11;

/// What a bullet of a list must have to matter: the more own relevance, the less strength.
#[derive(Clone, Copy)]
pub(super) struct Needs {
    /// The least own relevance, at the greatest strength of the group.
    pub(super) own: f64,
    /// Steps of own relevance above that, per unit.
    steps_per_own: f64,
    /// The least level in the order of strength, by step.
    levels: [f32; STEPS],
}

impl Needs {
    /// Nothing of the group matters.
    const IMPOSSIBLE: Self = Self {
        own: f64::INFINITY,
        steps_per_own: 0.0,
        levels: [f32::INFINITY; STEPS],
    };

    /// True when a bullet with at most this own relevance and level can matter.
    #[inline]
    pub(super) fn are_met(&self, own: f64, level: f32) -> bool {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let step = ((own - self.own) * self.steps_per_own) as usize;
        own >= self.own && level >= self.levels[step.min(STEPS - 1)]
    }
}

impl Search<'_, '_> {
    /// The most relevance of a bullet that none of the sources before `read` holds, nor any neighbour.
    pub(super) fn relevance_left(&self, read: usize) -> f64 {
        let words = self.sources.get(read).map_or_else(
            || self.sources.iter().filter(|source| source.is_word).count(),
            |source| source.words_before,
        );
        self.relevance_of(self.scorer.matcher.most_from(words))
    }

    pub(super) fn relevance_of(&self, own: f64) -> f64 {
        match self.scorer.profile {
            Profile::Engine => bend(own * (1.0 + self.lent) * (1.0 + SLACK)),
            _ => own,
        }
    }

    /// The most bonus of such a bullet. A neighbour that lends may be read long after the bonus of the
    /// bullet that it lends to.
    pub(super) fn bonus_left(&self, read: usize) -> f64 {
        let from = if self.scorer.is_linked { 0 } else { read };
        self.sources.get(from).map_or(0.0, |source| source.bonus)
    }

    /// The score that a bullet of a group must reach to matter; absent when none can.
    pub(super) fn limit(&self, group: &Group, relevance: f64, strength: f64) -> Option<f64> {
        let floor = match self.scorer.profile {
            Profile::Engine => self.scorer.policy().floor,
            _ => 0.0,
        };
        if group.can_pass && relevance >= floor && self.is_strong_enough(strength) {
            return Some(self.best.least_passed());
        }
        (relevance > 0.0).then(|| self.best.least_failed())
    }

    /// False when no bullet with this strength part, or less, passes the least score asked for.
    pub(super) fn is_strong_enough(&self, strength: f64) -> bool {
        let least = self.scorer.query.min_score;
        let decays = Family::of(self.scorer.profile) == Family::Decayed;
        match (self.scorer.policy().is_classic(), decays) {
            (false, _) => strength >= least,
            (true, true) => {
                let raw = strength * self.scorer.strength_unit();
                raw * (1.0 + SLACK) + f64::MIN_POSITIVE >= least
            }
            (true, false) => true,
        }
    }

    pub(super) fn bound(&self, group: &Group, relevance: f64, strength: f64, bonus: f64) -> f64 {
        self.scorer.combined(&Parts {
            relevance,
            strength,
            memory_type: group.priority,
            bonus,
        })
    }

    /// True when a bullet of a group with at most these parts can matter.
    pub(super) fn can_matter(
        &self,
        group: &Group,
        relevance: f64,
        strength: f64,
        bonus: f64,
    ) -> bool {
        let limit = self.limit(group, relevance, strength);
        limit.is_some_and(|limit| self.bound(group, relevance, strength, bonus) >= limit)
    }

    /// About how many bullets the orders would have to give after `read` sources.
    pub(super) fn bullets_left(&self, read: usize) -> usize {
        let (relevance, bonus) = (self.relevance_left(read), self.bonus_left(read));
        let clock = self.scorer.memory.clock();
        let left = |number: usize| {
            let group = &self.groups[number];
            let Some(strength) = group.strength else {
                return 0;
            };
            if !self.can_matter(group, relevance, strength, bonus) {
                return 0;
            }
            let limit = self.limit(group, relevance, strength);
            let limit = limit.unwrap_or(f64::INFINITY);
            let needed = self.strength_needed(group, relevance, bonus, limit);
            let level = self.order.level_at_least(number, needed, clock);
            self.order.count_from(number, group.place, level)
        };
        (0..GROUPS).map(left).sum()
    }

    /// The least decaying factor at which a bullet can reach a limit; `relevance` and `bonus` are what
    /// it has besides.
    pub(super) fn strength_needed(
        &self,
        group: &Group,
        relevance: f64,
        bonus: f64,
        limit: f64,
    ) -> f64 {
        let weight = self.scorer.weights.strength;
        let rest = self.bound(group, relevance, 0.0, bonus);
        let needed = quotient(limit, rest, weight) * self.scorer.strength_unit();
        needed * (1.0 - SLACK)
    }

    /// What a bullet of a source must have to matter, or to make a neighbour matter.
    pub(super) fn needs(&self, read: usize) -> [Needs; GROUPS] {
        let mut needs: [Needs; GROUPS] = std::array::from_fn(|group| self.needs_of(read, group));
        if self.scorer.is_linked {
            // A neighbour of another group, or a stronger one, can matter through this bullet.
            let own = needs
                .iter()
                .fold(f64::INFINITY, |own, need| own.min(need.own));
            needs.fill(Needs {
                own: own / (1.0 + self.lent) * (1.0 - SLACK),
                steps_per_own: 0.0,
                levels: [f32::NEG_INFINITY; STEPS],
            });
        }
        needs
    }

    pub(super) fn needs_of(&self, read: usize, number: usize) -> Needs {
        let group = &self.groups[number];
        let (relevance, bonus) = (self.relevance_left(read), self.bonus_left(read));
        let limit = self.limit(group, relevance, group.strongest);
        if limit.is_none() || self.order.is_empty(number) {
            return Needs::IMPOSSIBLE;
        }
        let own = self.own_needed(group, bonus).max(0.0);
        let most = self
            .scorer
            .matcher
            .most_from(self.sources[read].words_before);
        if own > most * (1.0 + self.lent) * (1.0 + 1e-6) {
            return Needs::IMPOSSIBLE;
        }
        // A short list is read sooner than steps are worked out.
        let is_long = self.sources[read].slots.len() >= LONG;
        let step = if is_long {
            (most - own).max(0.0) / STEPS as f64
        } else {
            0.0
        };
        let level = |at: usize| {
            // The last step has no end but what any bullet can have.
            let end = if at + 1 < STEPS {
                own + step * (at + 1) as f64
            } else {
                most
            };
            let relevance = self.relevance_of(end * (1.0 + 1e-6));
            let Some(limit) = self.limit(group, relevance, group.strongest) else {
                return f32::INFINITY;
            };
            let needed = self.strength_needed(group, relevance, bonus, limit);
            let clock = self.scorer.memory.clock();
            #[allow(clippy::cast_possible_truncation)]
            let level = self.order.level_at_least(number, needed, clock) as f32;
            level.next_down()
        };
        let steps_per_own = if step > 0.0 { 1.0 / step } else { 0.0 };
        if step > 0.0 {
            Needs {
                own,
                steps_per_own,
                levels: std::array::from_fn(level),
            }
        } else {
            Needs {
                own,
                steps_per_own,
                levels: [level(STEPS - 1); STEPS],
            }
        }
    }

    /// The least own relevance with which a bullet of a group can matter, however strong it is.
    pub(super) fn own_needed(&self, group: &Group, bonus: f64) -> f64 {
        let can_pass = group.can_pass && self.is_strong_enough(group.strongest);
        self.own_for(self.bound(group, 0.0, group.strongest, bonus), can_pass)
    }

    /// The least own relevance with which a bullet can matter; `rest` is what its other parts add to its
    /// score at most.
    pub(super) fn own_for(&self, rest: f64, can_pass: bool) -> f64 {
        let scorer = self.scorer;
        let own_for = |limit: f64| {
            let needed = quotient(limit, rest, scorer.weights.relevance);
            match scorer.profile {
                Profile::Engine => unbend(needed),
                _ => needed,
            }
        };
        let failed = own_for(self.best.least_failed());
        if !can_pass {
            return failed;
        }
        let passed = own_for(self.best.least_passed());
        if scorer.profile == Profile::Engine {
            let floor = unbend(scorer.policy().floor) * (1.0 - SLACK);
            return passed.max(floor).min(failed);
        }
        passed
    }
}

/// (limit − rest) / weight, rounded down with room to spare; what no weight can change is −∞ or +∞.
fn quotient(limit: f64, rest: f64, weight: f64) -> f64 {
    let missing = limit - rest - SLACK * (limit.abs() + rest.abs());
    if missing <= 0.0 || missing.is_nan() {
        return f64::NEG_INFINITY;
    }
    if weight > 0.0 {
        missing / weight * (1.0 - SLACK)
    } else {
        f64::INFINITY
    }
}
