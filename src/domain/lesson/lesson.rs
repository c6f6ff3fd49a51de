//! A lesson: a rule learned from failures, tied to the fingerprints that call for it, with a status
//! that only evidence changes.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::evidence::proof_state::ProofState;
use super::rule::{Rule, classic_rule};
pub use super::status::{Cause, Status};
use hindlore_primitives::identity::{KeyError, hex, length_prefixed, parse_name};
use hindlore_primitives::ids::{ActivationId, FingerprintId, LessonId, derive};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// The reliability of a lesson that nothing is known about.
pub const RELIABILITY_AT_BIRTH: f64 = 0.5;
/// Outcomes that a lesson keeps; older ones stay in their activations.
pub const HISTORY_MAX: usize = 200;
/// Triggers, tags and source runs that a lesson keeps of each.
pub const LINKS_MAX: usize = 64;

/// The owner of lessons: a tenant and a learner. Nothing of one owner is ever combined with anything of another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct LearnerId {
    tenant: String,
    learner: String,
}

impl LearnerId {
    /// Checks and normalises the two names.
    pub fn new(tenant: &str, learner: &str) -> Result<Self, KeyError> {
        Ok(Self {
            tenant: parse_name("tenant", tenant)?,
            learner: parse_name("learner", learner)?,
        })
    }

    /// The tenant itself, which owns the records of none of its learners. No learner can have its empty name.
    pub fn of_tenant(tenant: &str) -> Result<Self, KeyError> {
        Ok(Self {
            tenant: parse_name("tenant", tenant)?,
            learner: String::new(),
        })
    }

    /// The organisation that owns everything below it.
    pub fn tenant(&self) -> &str {
        &self.tenant
    }

    /// The owner of the lessons.
    pub fn learner(&self) -> &str {
        &self.learner
    }

    /// One string that holds both names, each with its length before it.
    pub fn derived(&self) -> String {
        length_prefixed(&[&self.tenant, &self.learner])
    }
}

word_enum! {
    /// How far a lesson reaches.
    Reach {
        /// The task it was learned in.
        Task = "task",
        /// Every task of its domain.
        Domain = "domain",
        /// Everywhere.
        Global = "global",
    }
}

/// Task, domain and tool of a run, a step or a lesson.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The task.
    pub task: Option<String>,
    /// The domain.
    pub domain: Option<String>,
    /// The tool.
    pub tool: Option<String>,
}

impl Place {
    /// Returns true if both name the same task.
    pub fn shares_task(&self, other: &Self) -> bool {
        self.task.is_some() && self.task == other.task
    }

    /// Returns true if both name the same domain, with the same tool or none.
    pub fn shares_domain(&self, other: &Self) -> bool {
        self.domain.is_some() && self.domain == other.domain && self.tool == other.tool
    }
}

/// Number of uses and outcomes of a lesson.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// Activations.
    pub retrieved: u64,
    /// Outcomes with a utility above 0.
    pub helpful: u64,
    /// Outcomes with a utility of 0 or less.
    pub harmful: u64,
}

/// One outcome in the history of a lesson.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct UtilityPoint {
    /// The activation of the outcome.
    pub activation: ActivationId,
    /// Its utility, −1..=1.
    pub utility: f64,
    /// The reliability after it.
    pub reliability: f64,
    /// When it was settled.
    pub at: Timestamp,
}

/// One meeting of two conflicting lessons that was decided by an outcome.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// The other lesson.
    pub other: LessonId,
    /// This one was returned, and helped.
    pub won: bool,
    /// The activation that decided.
    pub activation: ActivationId,
    /// When it was settled.
    pub at: Timestamp,
}

/// A lesson with all that is known of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Lesson {
    /// Derived from owner, normalised rule and first triggers.
    pub id: LessonId,
    /// Its owner.
    pub owner: LearnerId,
    /// Its rule.
    pub rule: Rule,
    /// The fingerprints that call for it, sorted.
    pub triggers: Vec<FingerprintId>,
    /// Tags of the kind of failure, sorted.
    pub tags: Vec<String>,
    /// How far it reaches.
    pub reach: Reach,
    /// Where it was learned.
    pub place: Place,
    /// Its status.
    pub status: Status,
    /// How far it may be relied on, 0..=1.
    pub reliability: f64,
    /// Sum of all utilities: how much it brought in all.
    pub impact: f64,
    /// Uses and outcomes.
    pub counts: Counts,
    /// The last [`HISTORY_MAX`] outcomes, oldest first.
    pub history: Vec<UtilityPoint>,
    /// Decided meetings with conflicting lessons, oldest first, as many.
    pub contests: Vec<Contest>,
    /// The runs it was learned from, oldest first.
    pub source_runs: Vec<String>,
    /// The earlier lesson with the same rule.
    pub restates: Option<LessonId>,
    /// When it was learned.
    pub created_at: Timestamp,
    /// When evidence or wording last changed.
    pub evidence_at: Timestamp,
    /// When it was last returned.
    pub used_at: Option<Timestamp>,
    /// Relevant opportunities since it was last returned.
    pub unused_opportunities: u32,
    /// The state of its proof between decisions.
    pub proof: ProofState,
}

/// The parts of a new lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct NewLesson {
    /// Its owner.
    pub owner: LearnerId,
    /// Its rule.
    pub rule: Rule,
    /// The fingerprints that call for it.
    pub triggers: Vec<FingerprintId>,
    /// Tags of the kind of failure.
    pub tags: Vec<String>,
    /// How far it reaches.
    pub reach: Reach,
    /// Where it was learned.
    pub place: Place,
    /// The run it was learned from.
    pub source_run: Option<String>,
    /// Its status at birth: observed, unless more than one run speaks for it.
    pub status: Status,
    /// When.
    pub at: Timestamp,
}

impl Lesson {
    /// Makes a lesson without evidence.
    pub fn new(new: NewLesson) -> Self {
        let triggers = sorted(new.triggers);
        Self {
            id: lesson_id(&new.owner, &new.rule, &triggers),
            owner: new.owner,
            rule: new.rule,
            triggers,
            tags: sorted(new.tags),
            reach: new.reach,
            place: new.place,
            status: new.status,
            reliability: RELIABILITY_AT_BIRTH,
            impact: 0.0,
            counts: Counts::default(),
            history: Vec::new(),
            contests: Vec::new(),
            source_runs: new.source_run.into_iter().collect(),
            restates: None,
            created_at: new.at,
            evidence_at: new.at,
            used_at: None,
            unused_opportunities: 0,
            proof: ProofState::default(),
        }
    }

    /// Returns true if outcomes or a person have proved it.
    pub fn is_proved(&self) -> bool {
        self.status == Status::Promoted
    }

    /// Returns true if two lessons are called for by a common fingerprint.
    pub fn shares_trigger(&self, other: &Self) -> bool {
        self.triggers
            .iter()
            .any(|trigger| other.triggers.binary_search(trigger).is_ok())
    }
}

/// The identity of a rule with its triggers, which are sorted and without repeats.
pub fn lesson_id(owner: &LearnerId, rule: &Rule, triggers: &[FingerprintId]) -> LessonId {
    let triggers: Vec<String> = triggers.iter().map(FingerprintId::to_string).collect();
    LessonId(derive(&[
        "lesson",
        owner.tenant(),
        owner.learner(),
        &rule.normalised(),
        &triggers.join(","),
    ]))
}

/// The identity that the original program gave: `lsn_` and 20 hexadecimal digits.
pub fn classic_lesson_id(rule: &str, triggers: &[String]) -> String {
    let triggers = sorted(triggers.to_vec());
    let input = format!("{}|{}", classic_rule(rule), triggers.join(","));
    format!("lsn_{}", hex(&Sha256::digest(input)[..10]))
}

/// A list as a sorted set of at most [`LINKS_MAX`].
pub(super) fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list.truncate(LINKS_MAX);
    list
}

/// A lesson with this rule and nothing else, for tests.
#[cfg(test)]
pub(crate) fn plain_lesson(rule: &str) -> Lesson {
    Lesson::new(NewLesson {
        owner: LearnerId::new("t", "l").unwrap(),
        rule: Rule::parse(rule).unwrap(),
        triggers: Vec::new(),
        tags: Vec::new(),
        reach: Reach::Domain,
        place: Place::default(),
        source_run: None,
        status: Status::Candidate,
        at: Timestamp::default(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_depend_on_owner_rule_and_triggers() {
        let id = |learner: &str, rule: &str, triggers: &[u8]| {
            let triggers: Vec<FingerprintId> =
                triggers.iter().map(|n| FingerprintId([*n; 10])).collect();
            lesson_id(
                &LearnerId::new("t", learner).unwrap(),
                &Rule::parse(rule).unwrap(),
                &sorted(triggers),
            )
        };
        let base = id("l", "Use x", &[1, 2]);
        assert_eq!(base, id("l", "Use  x.", &[2, 1, 1]));
        for other in [
            id("m", "Use x", &[1, 2]),
            id("l", "Use y", &[1, 2]),
            id("l", "Use x", &[1]),
        ] {
            assert_ne!(base, other);
        }
        let classic = classic_lesson_id(
            "Use  Lowercase sum() not SUM().",
            &["b".into(), "a".into(), "a".into()],
        );
        assert_eq!(classic, "lsn_e82c24a1b299d56695e8");
    }

    #[test]
    fn only_a_review_or_a_retrial_brings_a_suppressed_lesson_back() {
        use Cause::{Evidence, Restatement, Retrial, Review};
        use Status::{Archived, Candidate, Observed, Promoted, Refuted, Suppressed};
        let table = [
            (Candidate, Promoted, vec![Evidence, Review]),
            (Candidate, Suppressed, vec![Evidence, Review, Restatement]),
            (Promoted, Suppressed, vec![Evidence, Review, Restatement]),
            (Promoted, Candidate, vec![Review]),
            (Suppressed, Candidate, vec![Review, Retrial]),
            (Suppressed, Promoted, vec![]),
            (Archived, Candidate, vec![Review]),
            (Archived, Promoted, vec![]),
            (
                Suppressed,
                Archived,
                vec![Evidence, Review, Retrial, Restatement],
            ),
            (Candidate, Candidate, vec![]),
            (Observed, Candidate, vec![Evidence, Review]),
            (Observed, Promoted, vec![Review]),
            (Observed, Refuted, vec![Evidence, Review]),
            (Observed, Suppressed, vec![Evidence, Review, Restatement]),
            (Candidate, Refuted, vec![Evidence, Review]),
            (Candidate, Observed, vec![]),
            (Promoted, Refuted, vec![Review]),
            (Refuted, Candidate, vec![Review, Retrial]),
            (Refuted, Promoted, vec![Review]),
            (Refuted, Observed, vec![]),
        ];
        for (from, to, causes) in table {
            let allowed: Vec<Cause> = Cause::ALL
                .iter()
                .copied()
                .filter(|cause| from.may_become(to, *cause))
                .collect();
            assert_eq!(allowed, causes, "{from} to {to}");
        }
    }
}
