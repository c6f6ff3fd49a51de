//! A candidate: a rule that is proposed after a run, and the checks that every proposal passes.

use serde::Deserialize;

use super::quality::QualityRules;
use super::rejection::{CANDIDATES_MAX, Rejection};
use crate::lesson::lesson::Reach;
use crate::lesson::rule::Rule;
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::word_enum;

/// Triggers and steps that one proposal may name.
const NAMED_MAX: usize = 64;
/// The longest answer of a model that is read, in bytes.
const MODEL_JSON_MAX_BYTES: usize = 64 * 1_024;

word_enum! {
    /// The source of a lesson.
    Origin {
        /// The comparison of a failure with its cure.
        Contrast = "contrast",
        /// A language model.
        Model = "model",
        /// A person.
        User = "user",
        /// A file of another system.
        Import = "import",
    }
}

/// A proposed lesson.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The fingerprints that shall call for it.
    pub triggers: Vec<FingerprintId>,
    /// Its rule.
    pub rule: Rule,
    /// How far it shall reach.
    pub reach: Reach,
    /// The steps that show it.
    pub evidence_steps: Vec<u32>,
    /// Its source.
    pub origin: Origin,
}

/// The contents of the run: nothing else may be named as evidence.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct RunFacts {
    /// Every fingerprint of the run, sorted.
    pub fingerprints: Vec<FingerprintId>,
    /// Every step of the run, sorted.
    pub steps: Vec<u32>,
}

/// Parts proposals into those that become lessons and those that do not, with the reason.
pub fn admit(
    proposals: Vec<Candidate>,
    run: &RunFacts,
    rules: &QualityRules,
) -> (Vec<Candidate>, Vec<(Candidate, Rejection)>) {
    let (mut admitted, mut rejected) = (Vec::<Candidate>::new(), Vec::new());
    for proposal in proposals {
        let repeated = admitted
            .iter()
            .any(|known| known.rule.normalised() == proposal.rule.normalised());
        let objection = if repeated {
            Some(Rejection::Repeated)
        } else {
            objection(&proposal, run, rules)
        };
        match objection {
            Some(reason) => rejected.push((proposal, reason)),
            None if admitted.len() == CANDIDATES_MAX => {
                rejected.push((proposal, Rejection::TooMany))
            }
            None => admitted.push(proposal),
        }
    }
    (admitted, rejected)
}

fn objection(proposal: &Candidate, run: &RunFacts, rules: &QualityRules) -> Option<Rejection> {
    if proposal.triggers.is_empty() {
        return Some(Rejection::NoTrigger);
    }
    if let Some(foreign) = proposal
        .triggers
        .iter()
        .find(|id| run.fingerprints.binary_search(id).is_err())
    {
        return Some(Rejection::ForeignTrigger(*foreign));
    }
    if proposal.evidence_steps.is_empty() {
        return Some(Rejection::NoEvidence);
    }
    if let Some(foreign) = proposal
        .evidence_steps
        .iter()
        .find(|step| run.steps.binary_search(step).is_err())
    {
        return Some(Rejection::ForeignStep(*foreign));
    }
    rules.objection(&proposal.rule)
}

/// The strict form in which a model answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelAnswer {
    lessons: Vec<ModelLesson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelLesson {
    trigger_fingerprints: Vec<String>,
    rule_text: String,
    scope_hint: String,
    evidence_steps: Vec<u32>,
}

/// Reads the strict JSON of a model: a list of lessons, or an object with the list as `lessons`.
///
/// A single bad lesson refuses the answer: a model that breaks the form is asked again.
pub fn from_model_json(text: &str) -> Result<Vec<Candidate>, String> {
    if text.len() > MODEL_JSON_MAX_BYTES {
        return Err(format!(
            "the answer has {} bytes; the limit is {MODEL_JSON_MAX_BYTES}",
            text.len()
        ));
    }
    let text = text.trim();
    let lessons = if text.starts_with('[') {
        serde_json::from_str::<Vec<ModelLesson>>(text)
    } else {
        serde_json::from_str::<ModelAnswer>(text).map(|answer| answer.lessons)
    };
    let lessons = lessons.map_err(|error| format!("the answer is not the asked JSON: {error}"))?;
    lessons.into_iter().map(read).collect()
}

fn read(lesson: ModelLesson) -> Result<Candidate, String> {
    if lesson
        .trigger_fingerprints
        .len()
        .max(lesson.evidence_steps.len())
        > NAMED_MAX
    {
        return Err(format!(
            "a lesson names more than {NAMED_MAX} fingerprints or steps"
        ));
    }
    let triggers: Result<Vec<FingerprintId>, _> = lesson
        .trigger_fingerprints
        .iter()
        .map(|text| text.parse().map_err(|error| format!("{error}")))
        .collect();
    Ok(Candidate {
        triggers: triggers?,
        rule: Rule::parse(&lesson.rule_text).map_err(|error| error.to_string())?,
        reach: lesson.scope_hint.parse()?,
        evidence_steps: lesson.evidence_steps,
        origin: Origin::Model,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> RunFacts {
        RunFacts {
            fingerprints: vec![FingerprintId([1; 10]), FingerprintId([2; 10])],
            steps: vec![1, 2, 3],
        }
    }

    fn candidate(rule: &str, triggers: &[u8], steps: &[u32]) -> Candidate {
        Candidate {
            triggers: triggers.iter().map(|n| FingerprintId([*n; 10])).collect(),
            rule: Rule::parse(rule).unwrap(),
            reach: Reach::Domain,
            evidence_steps: steps.to_vec(),
            origin: Origin::Model,
        }
    }

    #[test]
    fn every_proposal_goes_through_the_same_door() {
        let rule = "WRONG RANK DESC n → CORRECT RANK n desc";
        let proposals = vec![
            candidate(rule, &[1], &[2]),
            candidate(&format!("{rule}."), &[2], &[2]),
            candidate("Quote file names: LOAD \"f.csv\"", &[], &[2]),
            candidate("Quote file names: LOAD \"f.csv\"", &[9], &[2]),
            candidate("Quote file names: LOAD \"f.csv\"", &[1, 2], &[]),
            candidate("Quote file names: LOAD \"f.csv\"", &[1, 2], &[4]),
            candidate("Always be careful.", &[1], &[1]),
        ];
        let (admitted, rejected) = admit(proposals, &facts(), &QualityRules::standard());
        assert_eq!(admitted.len(), 1);
        let reasons: Vec<Rejection> = rejected.into_iter().map(|(_, reason)| reason).collect();
        assert_eq!(
            reasons[..5],
            [
                Rejection::Repeated,
                Rejection::NoTrigger,
                Rejection::ForeignTrigger(FingerprintId([9; 10])),
                Rejection::NoEvidence,
                Rejection::ForeignStep(4)
            ]
        );
        assert!(
            matches!(&reasons[5], Rejection::Platitude(_)),
            "{:?}",
            reasons[5]
        );
        let many = (0..9)
            .map(|n| candidate(&format!("Use --flag{n}"), &[1], &[1]))
            .collect();
        let (admitted, rejected) = admit(many, &facts(), &QualityRules::standard());
        assert_eq!((admitted.len(), rejected.len()), (CANDIDATES_MAX, 3));
        assert!(
            rejected
                .iter()
                .all(|(_, reason)| *reason == Rejection::TooMany)
        );
    }

    #[test]
    fn a_model_answers_in_strict_json() {
        let id = FingerprintId([1; 10]);
        let lesson = format!(
            r#"{{"trigger_fingerprints": ["{id}"], "rule_text": "Use x()", "scope_hint": "task", "evidence_steps": [1]}}"#
        );
        for text in [
            format!("[{lesson}]"),
            format!(r#" {{"lessons": [{lesson}]}} "#),
        ] {
            let read = from_model_json(&text).unwrap();
            assert_eq!(
                (read[0].triggers.as_slice(), read[0].reach),
                ([id].as_slice(), Reach::Task)
            );
        }
        assert!(from_model_json(r#"{"lessons": []}"#).unwrap().is_empty());
        for wrong in [
            "",
            "no",
            "{}",
            "[1]",
            "```json\n[]\n```",
            &format!("[{}]", lesson.replace("task", "universe")),
            &format!("[{}]", lesson.replace("fp_", "xx_")),
            &format!("[{}]", lesson.replace("Use x()", " ")),
            &format!(
                "[{}]",
                lesson.replace("\"scope_hint\"", "\"extra\": 1, \"scope_hint\"")
            ),
            &format!("[{}]", lesson.replace("[1]", "[-1]")),
            &" ".repeat(70_000),
        ] {
            assert!(
                from_model_json(wrong).is_err(),
                "{}",
                &wrong[..wrong.len().min(80)]
            );
        }
    }
}
