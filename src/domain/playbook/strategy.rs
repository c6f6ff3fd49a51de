//! A strategy: one piece of advice, and the trajectories that speak for or against it.
//!
//! A trajectory counts once, in every list: its newest verdict replaces older ones. So evidence can be taken from any
//! number of overlapping reflections, in any order, and the counts stay true. Only the newest [`EVIDENCE_MAX`] are
//! kept; an older one that comes back is dropped again, and so is not counted twice either.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::lesson::evidence::interval::{Share, Z90};
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_primitives::word_enum;

/// Longest pattern, in characters.
pub const PATTERN_MAX_CHARS: usize = 2_000;
/// Longest context, in characters.
pub const CONTEXT_MAX_CHARS: usize = 1_000;
/// Trajectories kept as evidence of one strategy; the newest ones.
pub const EVIDENCE_MAX: usize = 500;
/// Trajectories shown as examples of one strategy.
pub const EXAMPLES_MAX: usize = 5;
/// Longest id of a trajectory, in characters.
const TRAJECTORY_MAX_CHARS: usize = 256;
/// Bytes of a strategy id's hash.
const ID_BYTES: usize = 8;

word_enum! {
    /// The subject of a strategy.
    Category {
        /// Advice to do something.
        Helpful = "helpful",
        /// Advice against something.
        Harmful = "harmful",
        /// An observation that depends on the case.
        Neutral = "neutral",
    }
}

/// A trajectory that bears on a strategy.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Evidence {
    /// The trajectory.
    pub trajectory: String,
    /// True if following the pattern went well there.
    pub worked: bool,
    /// When it ended.
    pub at: Timestamp,
}

/// Stated confidence and evidence, such as those of an imported file; they count until there are trajectories.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Stated {
    /// Confidence, 0..=1.
    pub confidence: f64,
    /// Number of trajectories that support it, as stated.
    pub evidence: u32,
}

impl Stated {
    /// Evidence without a stated confidence: as sure as that number of supporting trajectories.
    pub fn of_evidence(evidence: u32) -> Option<Self> {
        let hits = evidence as usize;
        let share = Share { hits, of: hits };
        (evidence > 0).then(|| Self {
            confidence: share.wilson(Z90).lower,
            evidence,
        })
    }
}

/// The sum of two statements: their evidence adds up, and the confidence is their mean by evidence.
pub(super) fn summed(one: Option<Stated>, other: Option<Stated>) -> Option<Stated> {
    let (Some(one), Some(other)) = (one, other) else {
        return one.or(other);
    };
    let weight = |stated: Stated| f64::from(stated.evidence.max(1));
    let confidence = (one.confidence * weight(one) + other.confidence * weight(other))
        / (weight(one) + weight(other));
    Some(Stated {
        confidence,
        evidence: one.evidence.saturating_add(other.evidence),
    })
}

/// A strategy of a playbook.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Strategy {
    /// Its id in the playbook, `s_` and hex digits; stays when the strategy changes.
    pub id: String,
    /// Its category.
    pub category: Category,
    /// The advice.
    pub pattern: String,
    /// When it applies; empty for always.
    pub context: String,
    /// The trajectories that bear on it, ascending by id; at most [`EVIDENCE_MAX`].
    pub evidence: Vec<Evidence>,
    /// The stated evidence.
    pub stated: Option<Stated>,
    /// When it entered the playbook.
    pub created: Timestamp,
    /// When it last changed.
    pub updated: Timestamp,
}

/// A proposed strategy: without id and times.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Proposal {
    /// Its category.
    pub category: Category,
    /// The advice.
    pub pattern: String,
    /// When it applies; empty for always.
    pub context: String,
    /// The trajectories that bear on it.
    pub evidence: Vec<Evidence>,
    /// The stated evidence.
    pub stated: Option<Stated>,
}

impl Proposal {
    /// Checks the texts and numbers, and trims the texts; `Err` has the fault and the remedy.
    pub fn checked(mut self) -> Result<Self, String> {
        self.pattern = checked_text("pattern", &self.pattern, PATTERN_MAX_CHARS)?;
        if self.pattern.is_empty() {
            return Err("the pattern of a strategy is empty; write the advice".to_owned());
        }
        self.context = checked_text("context", &self.context, CONTEXT_MAX_CHARS)?;
        for one in &self.evidence {
            let chars = one.trajectory.chars().count();
            let is_sound = (1..=TRAJECTORY_MAX_CHARS).contains(&chars)
                && !one.trajectory.contains(|c: char| c.is_control());
            if !is_sound {
                return Err(format!(
                    "`{}` names no trajectory; give 1 to {TRAJECTORY_MAX_CHARS} characters without control characters",
                    one.trajectory.escape_debug()
                ));
            }
        }
        match self.stated {
            Some(stated) if !(0.0..=1.0).contains(&stated.confidence) => Err(format!(
                "the confidence {} is not a number from 0 to 1",
                stated.confidence
            )),
            _ => Ok(self),
        }
    }
}

fn checked_text(what: &str, text: &str, chars_max: usize) -> Result<String, String> {
    let text = text.trim();
    let chars = text.chars().count();
    if chars > chars_max {
        return Err(format!(
            "the {what} of a strategy has {chars} characters; the limit is {chars_max}"
        ));
    }
    if let Some(control) = text
        .chars()
        .find(|c| c.is_control() && !matches!(c, '\n' | '\t'))
    {
        return Err(format!(
            "the {what} of a strategy holds the control character U+{:04X}; remove it",
            u32::from(control)
        ));
    }
    Ok(text.to_owned())
}

impl Strategy {
    /// Makes a strategy of a proposal; equal proposals of one playbook get the same id.
    pub fn new(playbook: &str, proposal: Proposal, now: Timestamp) -> Self {
        let category = proposal.category.word();
        let hash = derived_hash(&[playbook, category, &proposal.pattern, &proposal.context]);
        Self {
            id: format!("s_{}", hex(&hash[..ID_BYTES])),
            category: proposal.category,
            pattern: proposal.pattern,
            context: proposal.context,
            evidence: united(&[], &proposal.evidence),
            stated: proposal.stated,
            created: now,
            updated: now,
        }
    }

    /// The advice with when it applies.
    pub fn sentence(&self) -> String {
        sentence(&self.pattern, &self.context)
    }

    /// Trajectories in which it worked, and in which it failed.
    pub fn votes(&self) -> (usize, usize) {
        let worked = self.evidence.iter().filter(|one| one.worked).count();
        (worked, self.evidence.len() - worked)
    }

    /// Trajectories that support it: those that failed, of one to avoid; those that worked, of any other.
    pub fn supporting(&self) -> impl Iterator<Item = &Evidence> {
        let wanted = self.category != Category::Harmful;
        self.evidence.iter().filter(move |one| one.worked == wanted)
    }

    /// The newest trajectories that support it, newest first; at most [`EXAMPLES_MAX`].
    pub fn examples(&self) -> Vec<&str> {
        let mut examples: Vec<&Evidence> = self.supporting().collect();
        examples.sort_by(|a, b| (b.at, &a.trajectory).cmp(&(a.at, &b.trajectory)));
        let names = examples.into_iter().map(|one| one.trajectory.as_str());
        names.take(EXAMPLES_MAX).collect()
    }

    /// Its number of trajectories, or the stated number if there are none.
    pub fn evidence_count(&self) -> u32 {
        match (self.evidence.len(), self.stated) {
            (0, Some(stated)) => stated.evidence,
            (count, _) => u32::try_from(count).unwrap_or(u32::MAX),
        }
    }

    /// The content in one form, without times of its own: equal texts mean equal strategies.
    pub fn canonical(&self) -> String {
        let mut parts = vec![
            self.id.clone(),
            self.category.word().to_owned(),
            self.pattern.clone(),
            self.context.clone(),
            self.stated.map_or_else(String::new, |stated| {
                format!("{:016x}/{}", stated.confidence.to_bits(), stated.evidence)
            }),
        ];
        parts.extend(self.evidence.iter().map(|one| {
            let mark = if one.worked { '+' } else { '-' };
            format!("{mark}{}@{}", one.trajectory, one.at.millis())
        }));
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        hindlore_primitives::identity::length_prefixed(&parts)
    }
}

/// Advice with its condition, if it has one.
pub fn sentence(pattern: &str, context: &str) -> String {
    if context.is_empty() {
        return pattern.to_owned();
    }
    format!("{pattern} ({context})")
}

/// Two lists of evidence as one: each trajectory once with its newest word, ascending; the newest [`EVIDENCE_MAX`].
///
/// Of two verdicts at the same time the bad one wins, so that the order of the lists does not matter.
pub fn united(known: &[Evidence], more: &[Evidence]) -> Vec<Evidence> {
    let mut newest: BTreeMap<&str, &Evidence> = BTreeMap::new();
    for one in known.iter().chain(more) {
        let stands = newest
            .get(one.trajectory.as_str())
            .is_none_or(|other| (one.at, !one.worked) > (other.at, !other.worked));
        if stands {
            newest.insert(&one.trajectory, one);
        }
    }
    let mut all: Vec<&Evidence> = newest.into_values().collect();
    all.sort_by(|a, b| (b.at, &b.trajectory).cmp(&(a.at, &a.trajectory)));
    all.truncate(EVIDENCE_MAX);
    all.sort_by(|a, b| a.trajectory.cmp(&b.trajectory));
    all.into_iter().cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence(trajectory: &str, worked: bool, at: i64) -> Evidence {
        Evidence {
            trajectory: trajectory.to_owned(),
            worked,
            at: Timestamp::from_millis(at),
        }
    }

    #[test]
    fn a_trajectory_counts_once_with_its_newest_word_in_any_order() {
        let one = [evidence("a", true, 1), evidence("b", true, 5)];
        let two = [
            evidence("b", false, 5),
            evidence("a", false, 2),
            evidence("c", true, 1),
        ];
        let all = united(&one, &two);
        assert_eq!(all, united(&two, &one));
        assert_eq!(
            all,
            [
                evidence("a", false, 2),
                evidence("b", false, 5),
                evidence("c", true, 1)
            ]
        );
        assert_eq!(united(&all, &one), all);
    }

    #[test]
    fn what_was_dropped_as_too_old_is_not_counted_when_it_comes_back() {
        let many: Vec<Evidence> = (0..600)
            .map(|n| evidence(&format!("t{n:03}"), true, n))
            .collect();
        let kept = united(&[], &many);
        assert_eq!(
            (kept.len(), kept[0].trajectory.as_str()),
            (EVIDENCE_MAX, "t100")
        );
        assert_eq!(united(&kept, &many[..100]), kept);
    }

    #[test]
    fn proposals_are_checked_before_anything_is_made_of_them() {
        let proposal = |pattern: &str, context: &str, confidence: f64| Proposal {
            category: Category::Helpful,
            pattern: pattern.to_owned(),
            context: context.to_owned(),
            evidence: Vec::new(),
            stated: Some(Stated {
                confidence,
                evidence: 1,
            }),
        };
        assert_eq!(
            proposal("  run it ", "", 1.0).checked().unwrap().pattern,
            "run it"
        );
        for (wrong, said) in [
            (proposal(" \n", "", 0.5), "empty"),
            (proposal(&"x".repeat(2_001), "", 0.5), "2001 characters"),
            (proposal("x", "a\u{7}", 0.5), "U+0007"),
            (proposal("x", "", 1.5), "1.5 is not a number from 0 to 1"),
            (proposal("x", "", f64::NAN), "NaN is not a number"),
        ] {
            let error = wrong.checked().unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        let mut named = proposal("x", "", 0.5);
        named.evidence.push(evidence("", true, 1));
        assert!(named.checked().unwrap_err().contains("names no trajectory"));
    }

    #[test]
    fn examples_are_the_newest_that_support_it() {
        let proposal = Proposal {
            category: Category::Harmful,
            pattern: "x".to_owned(),
            context: String::new(),
            evidence: (0..8)
                .map(|n| evidence(&format!("t{n}"), n == 7, n))
                .collect(),
            stated: Some(Stated {
                confidence: 0.4,
                evidence: 9,
            }),
        };
        let strategy = Strategy::new("pb", proposal, Timestamp::from_millis(9));
        assert_eq!(strategy.examples(), ["t6", "t5", "t4", "t3", "t2"]);
        assert_eq!((strategy.votes(), strategy.evidence_count()), ((1, 7), 8));
    }
}
