//! Makers of lessons, runs and questions with everything in place that a test does not care about.

use hindlore_domain::lesson::activation::{Activation, RetrievalChannel, Trigger, activation_id};
use hindlore_domain::lesson::lesson::{LearnerId, Lesson, NewLesson, Place, Reach, Status};
use hindlore_domain::lesson::retrieval::query::{Call, LessonQuery, RankingMode};
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::lesson::run::{InForce, Occurrence, RunRecord};
use hindlore_errors::fingerprint::{Evidence, Fingerprinter, Fingerprints, Level};
use hindlore_errors::tag::TagRules;
use hindlore_primitives::ids::FingerprintId;
use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

pub(crate) const DAY_MS: i64 = 86_400_000;

pub(crate) fn at(day: i64) -> Timestamp {
    Timestamp::from_millis(1_750_000_000_000 + day * DAY_MS)
}

pub(crate) fn owner() -> LearnerId {
    LearnerId::new("t", "learner").unwrap()
}

pub(crate) fn place(task: &str, domain: &str) -> Place {
    Place {
        task: Some(task.to_owned()),
        domain: Some(domain.to_owned()),
        tool: None,
    }
}

pub(crate) fn prints(error: &str) -> Fingerprints {
    Fingerprinter::default().of(&Evidence {
        error: Value::from(error),
        ..Evidence::default()
    })
}

pub(crate) fn fp(n: u8) -> FingerprintId {
    FingerprintId([n; 10])
}

/// A domain-wide lesson about an error in the domain `grid`, learned in the run `source`.
pub(crate) fn lesson(rule: &str, error: &str, source: &str) -> Lesson {
    let prints = prints(error);
    Lesson::new(NewLesson {
        owner: owner(),
        rule: Rule::parse(rule).unwrap(),
        triggers: prints.ids(),
        tags: TagRules::standard().of_text(error),
        reach: Reach::Domain,
        place: place("report", "grid"),
        source_run: Some(source.to_owned()),
        status: Status::Candidate,
        at: at(0),
    })
}

/// A question after an error in the domain `grid`.
pub(crate) fn on_error(error: &str) -> LessonQuery {
    LessonQuery {
        owner: owner(),
        call: Call::OnError {
            fingerprints: prints(error),
            action: None,
            is_hub: false,
        },
        text: error.to_owned(),
        tags: TagRules::standard().of_text(error),
        place: place("report", "grid"),
        max_results: None,
        mode: RankingMode::Direct,
        at: at(1),
    }
}

/// A run of the task `report` on a day, with failures at steps.
pub(crate) fn run(id: &str, day: i64, failures: &[(u32, u8)]) -> RunRecord {
    let occurrences = failures.iter().map(|(step, n)| Occurrence {
        step: *step,
        fine: fp(*n),
        coarse: fp(*n),
    });
    RunRecord {
        id: id.to_owned(),
        place: place("report", "grid"),
        passed: None,
        score: None,
        steps: 10,
        occurrences: occurrences.collect(),
        in_force: Vec::new(),
        followed: Vec::new(),
        subjects: (1..=9).map(|n| format!("cmd{n}")).collect(),
        control: false,
        ended_at: at(day),
    }
}

/// The run with a lesson in force from a step on.
pub(crate) fn with(mut run: RunRecord, lesson: &Lesson, from_step: u32) -> RunRecord {
    run.in_force.push(InForce {
        lesson: lesson.id,
        from_step,
        triggers: lesson.triggers.clone(),
    });
    run
}

pub(crate) fn activation(
    lesson: &Lesson,
    run: &RunRecord,
    moment: Trigger,
    step: u32,
) -> Activation {
    let trigger = (moment == Trigger::OnError).then(|| (lesson.triggers[0], Level::Fine));
    Activation {
        id: activation_id(&run.id, lesson.id, moment, step),
        run: run.id.clone(),
        lesson: lesson.id,
        moment,
        step,
        trigger,
        lane: RetrievalChannel::Strict,
        score: 0.5,
        withheld: false,
        beat: Vec::new(),
        at: run.ended_at,
        outcome: None,
    }
}

/// A lesson triggered by the fingerprint `n` alone.
pub(crate) fn about(n: u8) -> Lesson {
    Lesson::new(NewLesson {
        owner: owner(),
        rule: Rule::parse(&format!("WRONG cmd{n} a → CORRECT cmd{n} b")).unwrap(),
        triggers: vec![fp(n)],
        tags: vec!["syntax_structure".to_owned()],
        reach: Reach::Domain,
        place: place("report", "grid"),
        source_run: None,
        status: Status::Candidate,
        at: at(0),
    })
}
