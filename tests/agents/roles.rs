//! Each role on each wire: good answers, dressed ones, wrong ones that are corrected, and none.

use hindlore_agents::model::Budget;
use hindlore_agents::provider::Vendor;
use hindlore_agents::roles::curator::{Desk, by_rules};
use hindlore_agents::roles::insight::Reflection;
use hindlore_agents::roles::trace::{Rubric, TraceLimits};
use hindlore_agents::roles::{
    Kind, Options, Takeaway, Trace, Vote, generator, proposed_operations, reflector,
};
use hindlore_testkit::{ModelAnswer, ModelAsked, ScriptedModel, TestMemory};
use serde_json::{Value, json};

use crate::scene::{client, learn, metered, shown, texts};

const LESSON: &str = "Read the unit of a sensor before you compare its values.";

/// A good answer for whichever role asks.
fn good(asked: &ModelAsked) -> Value {
    let text = asked.text();
    if text.contains("final_answer") {
        json!({"reasoning": "r", "final_answer": "60", "bullet_ids": ["b_shown00", "b_made_up"]})
    } else if text.contains("bullet_tags") {
        json!({"lessons": [{"content": LESSON, "type": "failure", "tags": ["Unit Check"]}],
            "error_identification": "compared metres with feet", "root_cause_analysis": "",
            "bullet_tags": [{"id": "b_shown00", "tag": "harmful"}, {"id": "b_made_up", "tag": "helpful"}]})
    } else {
        json!({"reasoning": "r", "operations": [
            {"type": "ADD", "bullet_id": "", "content": LESSON, "section": "SENSORS", "tag": ""},
            {"type": "REMOVE", "bullet_id": "b_made_up", "content": "", "section": "", "tag": ""}]})
    }
}

/// The text allowed around a good answer, and the number of calls.
type Dress = (fn(&ModelAsked) -> ModelAnswer, usize);

const DRESSES: [Dress; 4] = [
    (|asked| ModelAnswer::json(&good(asked)), 1),
    (
        |asked| ModelAnswer::text(format!("Sure:\n```json\n{}\n```\nDone.", good(asked))),
        1,
    ),
    (
        |asked| ModelAnswer::text(format!("{{\"draft\": true}} then {}", good(asked))),
        1,
    ),
    (
        |asked| {
            if asked.text().contains("That was not the form") {
                ModelAnswer::json(&good(asked))
            } else {
                ModelAnswer::text("{\"wrong\": [1, 2]}")
            }
        },
        2,
    ),
];

fn trace() -> Trace {
    Trace {
        question: "Which sensor is higher?".to_owned(),
        answer: "A".to_owned(),
        ground_truth: Some("B".to_owned()),
        feedback: Some("A is given in feet, B in metres.".to_owned()),
        success: Some(false),
        shown: vec![shown(
            "b_shown00",
            "Compare the values of sensors directly.",
        )],
        cited: vec!["b_shown00".to_owned()],
        ..Trace::default()
    }
}

#[tokio::test]
async fn every_role_reads_every_dress_on_every_wire() {
    let trace = trace();
    for vendor in Vendor::ALL {
        for (dress, calls) in DRESSES {
            let server = ScriptedModel::start(dress).unwrap();
            let model = client(&server, vendor);
            let task = generator::Task {
                question: "12 * 5?",
                context: "",
                shown: &trace.shown,
                reflections: &[],
            };
            let asked = generator::generate(&*model, task, None).await;
            let answer = asked.answer.unwrap();
            assert_eq!(answer.final_answer, "60");
            assert_eq!(
                answer.bullet_ids,
                ["b_shown00"],
                "an id that was not shown is none"
            );
            assert_eq!(
                (asked.refused.len(), server.asked().len()),
                (calls - 1, calls)
            );
            let asked = reflector::reflect(&*model, &trace, TraceLimits::default()).await;
            let reflection = asked.answer.unwrap();
            assert_eq!(reflection.takeaways[0].content, LESSON);
            assert_eq!(reflection.votes, [("b_shown00".to_owned(), Vote::Harmful)]);
            let desk = Desk {
                reflection: &reflection,
                shown: &trace.shown,
                near: &[],
                similarity: 0.9,
                topic: None,
                state: "",
                progress: "",
            };
            let asked = proposed_operations::by_model(&*model, desk).await;
            let (operations, refused) =
                proposed_operations::granted(&asked.answer.unwrap(), &trace.shown, None);
            assert_eq!(
                (operations.len(), refused.len()),
                (1, 1),
                "only shown bullets can be changed"
            );
            assert_eq!(server.asked().len(), 3 * calls, "{}", vendor.word());
        }
    }
}

#[tokio::test]
async fn three_wrong_shapes_leave_the_rules() {
    for vendor in Vendor::ALL {
        let server = ScriptedModel::start(|_| ModelAnswer::text("I would rather not.")).unwrap();
        let model = metered(client(&server, vendor), Budget::default());
        let memory = TestMemory::embedded().unwrap();
        let options = Options {
            curates_by_model: true,
            ..Options::default()
        };
        let learned = learn(&memory, Some(&model), &options, &trace(), "d_1").await;
        assert_eq!(
            (learned.reflector.as_str(), learned.curator.as_str()),
            ("rules", "rules")
        );
        assert_eq!(
            learned.refused.len(),
            6,
            "three rounds of each role, with what was refused and why"
        );
        assert!(
            learned
                .refused
                .iter()
                .all(|one| one.why.contains("no JSON object"))
        );
        assert_eq!(learned.notes.len(), 2, "{:?}", learned.notes);
        let held = texts(&memory).await;
        assert!(
            held.iter()
                .any(|text| text.contains("the right answer is `B`")),
            "{held:?}"
        );
        assert_eq!(model.spent().calls, 6);
    }
}

#[tokio::test]
async fn the_published_forms_of_a_reflection_are_read() {
    let forms = [
        json!([{"content": LESSON, "type": "tool", "tags": []}]),
        json!({"lessons": [LESSON]}),
        json!({"reasoning": "r", "error_identification": "wrong unit", "root_cause_analysis": "not read",
            "correct_approach": "convert first", "key_insight": LESSON,
            "bullet_tags": [{"id": "b_shown00", "tag": "neutral"}]}),
    ];
    for form in forms {
        let server = ScriptedModel::in_turn(vec![ModelAnswer::json(&form)]).unwrap();
        let model = client(&server, Vendor::Ollama);
        let asked = reflector::reflect(&*model, &trace(), TraceLimits::default()).await;
        assert_eq!(asked.answer.unwrap().takeaways[0].content, LESSON, "{form}");
    }
}

#[tokio::test]
async fn the_verdict_reaches_the_reflector_however_long_the_turn_was() {
    let server = ScriptedModel::start(|asked| ModelAnswer::json(&good(asked))).unwrap();
    let model = client(&server, Vendor::Anthropic);
    let rubric = |n: usize| Rubric {
        text: format!(
            "requirement {n}: {}",
            "names the unit of each figure ".repeat(3)
        ),
        passed: n.is_multiple_of(2),
    };
    let long = |begin: &str, end: &str| format!("{begin} {} {end}", "x".repeat(9_000));
    let trace = Trace {
        question: long("The context begins.", "How high is the tower?"),
        answer: long("I looked it up.", "It has 40 metres."),
        ground_truth: Some("42 metres".to_owned()),
        feedback: Some("off by two".to_owned()),
        success: Some(false),
        rubrics: (0..24).map(rubric).collect(),
        messages: (0..50)
            .map(|n| {
                hindlore_agents::model::Message::tool(format!("call {n} {}", "x".repeat(2_000)))
            })
            .collect(),
        ..trace()
    };
    reflector::reflect(&*model, &trace, TraceLimits::default())
        .await
        .answer
        .unwrap();
    let sent = server.asked()[0].text();
    for kept in [
        "The context begins.",
        "How high is the tower?",
        "It has 40 metres.",
        "outcome: failure",
        "right answer: 42 metres",
        "feedback: off by two",
        "call 49",
    ] {
        assert!(sent.contains(kept), "{kept}");
    }
    for failed in (1..24).step_by(2) {
        assert!(
            sent.contains(&format!("FAIL: requirement {failed}:")),
            "{failed}"
        );
    }
    assert!(!sent.contains("call 0 "));
    assert!(sent.chars().count() < 11_000, "{}", sent.len());
}

#[test]
fn the_heuristic_reinforces_adds_and_votes() {
    let lesson = |content: &str, kind| Takeaway {
        content: content.to_owned(),
        kind,
        tags: vec!["Unit Check!".to_owned()],
    };
    let reflection = Reflection {
        takeaways: vec![
            lesson("Always convert the units before comparing.", Kind::Failure),
            lesson("The proxy listens on port 8443.", Kind::Domain),
        ],
        votes: vec![("b_2".to_owned(), Vote::Helpful)],
        note: String::new(),
    };
    let near = vec![
        Vec::new(),
        vec![shown("b_7", "The proxy listens on port 8443.")],
    ];
    let shown_bullets = [
        shown("b_1", "Never convert the units before comparing."),
        shown("b_2", "Look at the map."),
    ];
    let desk = Desk {
        reflection: &reflection,
        shown: &shown_bullets,
        near: &near,
        similarity: 0.9,
        topic: Some("sensors"),
        state: "",
        progress: "",
    };
    let operations: Vec<Value> = by_rules(desk)
        .iter()
        .map(|one| serde_json::to_value(one).unwrap())
        .collect();
    assert_eq!(operations[0]["op"], "ADD");
    assert_eq!(operations[0]["tags"], json!(["unit-check", "failure"]));
    assert_eq!(operations[0]["topic"], "sensors");
    assert_eq!(
        operations[1],
        json!({"op": "TAG", "id": "b_1", "harmful": 1}),
        "a failure that contradicts a bullet"
    );
    assert_eq!(
        operations[2],
        json!({"op": "TAG", "id": "b_7", "helpful": 1}),
        "what is there is reinforced"
    );
    assert_eq!(
        operations[3],
        json!({"op": "TAG", "id": "b_2", "helpful": 1})
    );
    assert_eq!(operations.len(), 4);
}

#[tokio::test]
async fn a_general_lesson_is_added_once_and_never_reinforced() {
    let memory = TestMemory::embedded().unwrap();
    let options = Options {
        general_lesson: true,
        ..Options::default()
    };
    let lost = Trace {
        question: "q".to_owned(),
        answer: "a".to_owned(),
        success: Some(false),
        ..Trace::default()
    };
    for number in 0..3 {
        learn(&memory, None, &options, &lost, &format!("d_{number}")).await;
    }
    let view = memory.engine.view(&memory.key).await.unwrap().unwrap();
    assert_eq!(view.bullets.len(), 1);
    assert_eq!(view.bullets[0].counts.helpful, 1);
    let memory = TestMemory::embedded().unwrap();
    let none = learn(&memory, None, &Options::default(), &lost, "d_1").await;
    assert!(
        none.applied.is_none(),
        "outside of classic mode there is none"
    );
    assert!(client(&ScriptedModel::in_turn(vec![]).unwrap(), Vendor::OpenAi).name() == "scripted");
}
