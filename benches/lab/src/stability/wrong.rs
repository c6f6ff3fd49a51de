//! Right lessons turned wrong: reversed, exchanged for another error, and as a ban of the working form.

use hindlore::lessons::ImportedLesson;
use hindlore_domain::lesson::lesson::{Lesson, Reach, Status};
use hindlore_domain::lesson::rule::Rule;

/// How reliable a wrong lesson claims to be.
const CLAIMED: f64 = 0.8;

/// The wrong lessons that one right lesson makes, by their kinds.
pub(super) fn turned(model: &Lesson) -> Vec<(&'static str, ImportedLesson)> {
    let (Some(wrong), Some(correct)) = (model.rule.wrong(), model.rule.correct()) else {
        return Vec::new();
    };
    let head = correct.split_whitespace().next().unwrap_or(correct);
    let rules = [
        ("turned round", Rule::contrast(correct, wrong)),
        (
            "one error for another",
            Rule::contrast(wrong, &format!("{correct} {head}")),
        ),
        (
            "ban of what works",
            Rule::failure(correct, "this never works"),
        ),
    ];
    let made = rules
        .into_iter()
        .filter_map(|(kind, rule)| Some((kind, rule?)));
    made.map(|(kind, rule)| (kind, offered(model, rule, CLAIMED)))
        .collect()
}

/// A lesson as another program offers it: called for where `model` is, and from nobody's run.
pub(super) fn offered(model: &Lesson, rule: Rule, reliability: f64) -> ImportedLesson {
    ImportedLesson {
        rule,
        triggers: model.triggers.clone(),
        tags: model.tags.clone(),
        reach: Reach::Domain,
        place: model.place.clone(),
        status: Status::Candidate,
        reliability,
        counts: Default::default(),
        impact: 0.0,
        source_runs: Vec::new(),
        created_at: None,
        evidence_at: None,
    }
}
