//! Short traces of real tools with the lesson that a person would note, or none.

use serde::Deserialize;
use serde_json::Value;

use crate::lesson::learning::contrast::learn;
use crate::lesson::learning::contrast::phrases::tests::fits as fits_pattern;
use crate::lesson::learning::quality::QualityRules;
use crate::lesson::rule::RULE_MAX_CHARS;
use crate::lesson::trace::{TraceFailure, TraceStep};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};

const TRACES: &str = include_str!("../../../../../tests/data/lesson_traces.jsonl");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Graded {
    id: String,
    kind: String,
    steps: Vec<GradedStep>,
    /// A pattern that one lesson fits; absent where none is right.
    expect: Option<String>,
    /// Texts that no lesson may hold.
    reject: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GradedStep {
    action: Value,
    error: Option<String>,
}

fn trace_of(steps: &[GradedStep]) -> Vec<TraceStep> {
    let failure = |step: &GradedStep| {
        let message = step.error.clone()?;
        let prints = Fingerprinter::default().of(&Evidence {
            error: Value::from(message.as_str()),
            action: step.action.clone(),
            ..Evidence::default()
        });
        Some(TraceFailure {
            fingerprint: prints.fine.id,
            coarse: prints.coarse.id,
            message,
        })
    };
    let read = |(at, step): (usize, &GradedStep)| TraceStep {
        step: at as u32 + 1,
        action: step.action.clone(),
        plan_step: None,
        failure: failure(step),
    };
    steps.iter().enumerate().map(read).collect()
}

#[test]
fn graded_traces_give_the_lessons_that_a_person_would_note() {
    let (mut right, mut wrong, mut all) = (0_usize, 0_usize, 0_usize);
    for line in TRACES.lines() {
        let graded: Graded = serde_json::from_str(line).unwrap();
        let mut learned = learn(&trace_of(&graded.steps), |_| 0);
        learned.retain(|one| QualityRules::standard().objection(&one.rule).is_none());
        let rules: Vec<&str> = learned.iter().map(|one| one.rule.as_str()).collect();
        for one in &learned {
            assert!(one.rule.as_str().chars().count() <= RULE_MAX_CHARS);
        }
        let fits = |pattern: &Option<String>, text: &str| {
            pattern
                .as_ref()
                .is_some_and(|pattern| fits_pattern(pattern, text))
        };
        let has_it = rules.iter().any(|rule| fits(&graded.expect, rule));
        let has_bad = rules.iter().any(|rule| fits(&graded.reject, rule));
        // Where a person would note nothing, only the forms named as wrong are refused.
        let is_silent =
            graded.expect.is_none() && (rules.is_empty() || (graded.reject.is_some() && !has_bad));
        let is_right = (has_it || is_silent) && !has_bad;
        // An unexpected lesson is wrong; a missing one is only missing.
        let is_wrong = has_bad || (!rules.is_empty() && !has_it && !is_silent);
        if !is_right {
            println!(
                "{} {}: {rules:#?}, expected {:?}",
                graded.kind, graded.id, graded.expect
            );
        }
        (all, right, wrong) = (
            all + 1,
            right + usize::from(is_right),
            wrong + usize::from(is_wrong),
        );
    }
    let share = |part: usize| part as f64 / all as f64;
    println!(
        "{all} traces: right {:.3}, wrong {:.3}",
        share(right),
        share(wrong)
    );
    assert!(all >= 40, "{all}");
    assert!(share(right) >= 0.97, "{right} of {all} are right");
    assert!(share(wrong) <= 0.01, "{wrong} of {all} are wrong");
}
