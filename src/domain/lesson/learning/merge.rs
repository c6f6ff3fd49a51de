//! The place of a new lesson: it is new, it equals an existing one, or it repeats one in other words.
//!
//! A suppressed lesson must not come back under another name: not through import, not through a merge, and not in other
//! words. It stays suppressed until it is reviewed.

use crate::lesson::conflict::ConflictRules;
use crate::lesson::lesson::{Contest, HISTORY_MAX, Lesson, Status, UtilityPoint, sorted};
use crate::lesson::rule::Rule;
use hindlore_primitives::ids::LessonId;
use hindlore_text::guard::MergeGuard;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::search_terms;

/// Minimum similarity of the terms of two rules with equal meaning (Jaccard).
pub const RESTATEMENT_MIN: f64 = 0.8;

/// The placement of a new lesson.
#[derive(Clone, PartialEq, Debug)]
pub enum Placement {
    /// Nothing like it exists.
    New(Lesson),
    /// An equal rule with a common trigger exists; this is their merge, under the older id.
    Merged(Lesson),
    /// A live lesson has the same meaning in other words; this is that lesson with the new evidence.
    Confirmed(Lesson),
    /// A suppressed or archived lesson has the same meaning in other words: kept for audit, linked, and suppressed from
    /// birth.
    Inherits(Lesson),
}

impl Placement {
    /// The lesson that is written.
    pub fn lesson(&self) -> &Lesson {
        match self {
            Self::New(lesson)
            | Self::Merged(lesson)
            | Self::Confirmed(lesson)
            | Self::Inherits(lesson) => lesson,
        }
    }
}

/// Decides about a new lesson; `existing` are those of its owner that share a trigger, in any status.
pub fn place(
    mut new: Lesson,
    existing: &[Lesson],
    conflicts: &ConflictRules,
    guard: &MergeGuard,
) -> Placement {
    let mut near: Vec<&Lesson> = existing
        .iter()
        .filter(|old| old.owner == new.owner && (old.id == new.id || old.shares_trigger(&new)))
        .collect();
    // The one that is out of use decides, else the oldest.
    near.sort_by_key(|old| (old.status.is_watched(), old.created_at, old.id));
    let normalised = new.rule.normalised();
    if let Some(same) = near.iter().find(|old| old.rule.normalised() == normalised) {
        return Placement::Merged(merge(same, &new));
    }
    let Some(said) = near
        .iter()
        .find(|old| restates(&new, old, conflicts, guard))
    else {
        return Placement::New(new);
    };
    if said.status.is_watched() {
        let mut confirmed = merge(said, &new);
        confirmed.rule = said.rule.clone();
        return Placement::Confirmed(confirmed);
    }
    new.status = said.status;
    new.restates = Some(said.id);
    Placement::Inherits(new)
}

/// Returns true if two rules have the same meaning in other words.
pub fn restates(a: &Lesson, b: &Lesson, conflicts: &ConflictRules, guard: &MergeGuard) -> bool {
    // Asked before conflicts are: two names of one run each look like two ways to do it.
    if differ_in_numbered_names(&a.rule, &b.rule) || give_the_same_reason(&a.rule, &b.rule) {
        return true;
    }
    if conflicts.of_rules(&a.rule, &b.rule).is_some() {
        return false;
    }
    if let (Some(ours), Some(theirs)) = (a.rule.correct(), b.rule.correct()) {
        // The patterns are the content of the rule; the words around them are not.
        return (a.rule.wrong(), ours) == (b.rule.wrong(), theirs);
    }
    let (left, right) = (a.rule.as_str(), b.rule.as_str());
    let alike = jaccard(&terms(left), &terms(right)) >= RESTATEMENT_MIN;
    alike
        && guard
            .check_claims(&guard.features(left), &guard.features(right))
            .is_none()
}

/// Returns true if two contrasts differ only in the number at the end of a path or a branch, as
/// `HEAD:topic/s2` and `HEAD:topic/s3` do.
fn differ_in_numbered_names(a: &Rule, b: &Rule) -> bool {
    let folded = |side: &str| -> String {
        let words = side.split_whitespace().map(|word| {
            if word.contains('/') {
                word.trim_end_matches(|c: char| c.is_ascii_digit())
            } else {
                word
            }
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let sides = |rule: &Rule| Some((folded(rule.wrong()?), folded(rule.correct()?)));
    sides(a).is_some() && sides(a) == sides(b)
}

/// Returns true if two rules name no cure and quote the same message of the same tool: how much of the call
/// either of them keeps is no difference.
fn give_the_same_reason(a: &Rule, b: &Rule) -> bool {
    let parts = |rule: &Rule| -> Option<(String, String)> {
        if rule.correct().is_some() {
            return None;
        }
        let text = rule.as_str();
        let (action, reason) = match rule.wrong() {
            Some(wrong) => (wrong, text.split_once(" — ")?.1),
            None => text
                .split_once(": ")
                .filter(|(tool, _)| !tool.contains(' '))?,
        };
        let tool = action
            .split(|c: char| c == '(' || c.is_whitespace())
            .next()?;
        Some((
            tool.to_owned(),
            reason.trim_end_matches(['.', ' ']).to_owned(),
        ))
    };
    parts(a).is_some() && parts(a) == parts(b)
}

/// The search terms of a text as a sorted set: stems, without the words that only hold it together.
fn terms(text: &str) -> Vec<String> {
    let mut terms = search_terms(text);
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Joins two lessons under the id of the first: triggers united, counts added, history joined.
///
/// Evidence that both hold, as after an import of the same data, counts once.
pub fn merge(kept: &Lesson, other: &Lesson) -> Lesson {
    let mut merged = kept.clone();
    let is_known = |point: &&UtilityPoint| {
        kept.history
            .iter()
            .any(|own| own.activation == point.activation)
    };
    let repeated: Vec<&UtilityPoint> = other.history.iter().filter(is_known).collect();
    let again = repeated.len() as u64;
    let again_helpful = repeated.iter().filter(|point| point.utility > 0.0).count() as u64;
    merged.triggers = sorted([kept.triggers.as_slice(), &other.triggers].concat());
    merged.tags = sorted([kept.tags.as_slice(), &other.tags].concat());
    merged.counts.retrieved += other.counts.retrieved.saturating_sub(again);
    merged.counts.helpful += other.counts.helpful.saturating_sub(again_helpful);
    merged.counts.harmful += other.counts.harmful.saturating_sub(again - again_helpful);
    merged.impact += other.impact - repeated.iter().map(|point| point.utility).sum::<f64>();
    merged.history = joined(&kept.history, &other.history, |point| {
        (point.at, point.activation)
    });
    merged.contests = joined(&kept.contests, &other.contests, |contest: &Contest| {
        (contest.at, contest.activation)
    });
    merged.reliability = if other.history.len() > kept.history.len() {
        other.reliability
    } else {
        kept.reliability
    };
    for run in &other.source_runs {
        if !merged.source_runs.contains(run)
            && merged.source_runs.len() < crate::lesson::lesson::LINKS_MAX
        {
            merged.source_runs.push(run.clone());
        }
    }
    merged.reach = kept.reach.max(other.reach);
    merged.status = joined_status(kept.status, other.status);
    merged.created_at = kept.created_at.min(other.created_at);
    merged.evidence_at = kept.evidence_at.max(other.evidence_at);
    merged.used_at = kept.used_at.max(other.used_at);
    // Relearning is no use: a rule that each run relearns would never be archived or tried again.
    merged.unused_opportunities = if other.used_at > kept.used_at {
        other.unused_opportunities
    } else {
        kept.unused_opportunities
    };
    merged.proof = kept.proof.joined(&other.proof);
    merged
}

/// A lesson that is out of use wins over a live one, or a merge would bring it back.
fn joined_status(a: Status, b: Status) -> Status {
    const STRONGEST_FIRST: [Status; 5] = [
        Status::Suppressed,
        Status::Refuted,
        Status::Archived,
        Status::Promoted,
        Status::Candidate,
    ];
    let mut order = STRONGEST_FIRST.into_iter();
    let strongest = order.find(|status| a == *status || b == *status);
    strongest.unwrap_or(Status::Observed)
}

fn joined<T: Clone, K: Ord>(a: &[T], b: &[T], key: impl Fn(&T) -> K) -> Vec<T> {
    let mut all: Vec<T> = a.iter().chain(b).cloned().collect();
    all.sort_by_key(|item| key(item));
    all.dedup_by_key(|item| key(item));
    all.drain(..all.len().saturating_sub(HISTORY_MAX));
    all
}

/// The conflicts of a lesson with others that share a trigger: the other, and the reason.
pub fn conflicts_of<'l>(
    lesson: &Lesson,
    others: &'l [Lesson],
    rules: &ConflictRules,
) -> Vec<(LessonId, crate::lesson::conflict::ConflictReason)> {
    others
        .iter()
        .filter_map(|other: &'l Lesson| {
            rules
                .between(lesson, other)
                .map(|reason| (other.id, reason))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_that_differ_only_in_one_case_say_the_same() {
        let rule = |text: &str| Rule::parse(text).unwrap();
        for (a, b, same) in [
            (
                "WRONG git push <1> main → CORRECT git push <1> HEAD:topic/s2",
                "WRONG git push <1> main → CORRECT git push <1> HEAD:topic/s31",
                true,
            ),
            (
                "WRONG nvm use <1> → CORRECT nvm use 18",
                "WRONG nvm use <1> → CORRECT nvm use 20",
                false,
            ),
            (
                "pay: the sum is not the total",
                "WRONG pay(… parts[].amount=<num>) — the sum is not the total",
                true,
            ),
            (
                "pay: the sum is not the total",
                "WRONG refund(…) — the sum is not the total",
                false,
            ),
            (
                "WRONG rm <path> — Permission denied",
                "WRONG rm <path> — Is a directory",
                false,
            ),
        ] {
            let (a, b) = (rule(a), rule(b));
            let is_same = differ_in_numbered_names(&a, &b) || give_the_same_reason(&a, &b);
            assert_eq!(is_same, same, "{a:?} {b:?}");
        }
    }
}
