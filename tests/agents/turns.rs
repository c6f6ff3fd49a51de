//! Whole turns: one reading of memory, no success without a judge, and a turn that resumes after any node.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Debug;

use hindlore::EngineError;
use hindlore_agents::agent::turn::Known;
use hindlore_agents::agent::{AgentOptions, Mode, Node, Turn, referee};
use hindlore_agents::model::{Budget, Message};
use hindlore_agents::provider::Vendor;
use hindlore_testkit::{ModelAnswer, ModelAsked, ScriptedModel, TestMemory};
use serde_json::json;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::{Context, SubscriberExt};

use crate::scene::{agent, client, texts};

/// Answers every part of a turn by its question.
fn script(asked: &ModelAsked) -> ModelAnswer {
    let text = asked.text();
    if text.contains("\"thoughts\"") {
        let end = text.contains("Answer:");
        let rated = |word: &str| json!({"thought": if end { format!("Answer: {word}") } else { format!("go {word}") }, "rating": 0.5});
        return ModelAnswer::json(&json!({"thoughts": [rated("left"), rated("right")]}));
    }
    if text.contains("You may use tools") {
        return ModelAnswer::json(&if text.contains("<result") {
            json!({"thought": "t", "final_answer": "60", "bullet_ids": []})
        } else {
            json!({"thought": "t", "tool": "calculator", "input": "12 * 5"})
        });
    }
    if text.contains("Judge whether") {
        return ModelAnswer::json(
            &json!({"verdict": "fail", "reason": "The unit of the answer is missing there."}),
        );
    }
    if text.contains("bullet_tags") {
        let lesson = "Name the unit beside every number of an answer.";
        return ModelAnswer::json(
            &json!({"lessons": [{"content": lesson, "type": "failure", "tags": []}], "bullet_tags": []}),
        );
    }
    ModelAnswer::text("thinking\nAnswer: 60")
}

async fn ended(memory: &TestMemory, server: &ScriptedModel, mode: Mode) -> Turn {
    let agent = agent(
        memory,
        Some(client(server, Vendor::OpenAi)),
        AgentOptions::default(),
    );
    let mut turn = Turn {
        preset: Some(mode),
        ..Turn::new("turn_1", vec![Message::user("What is 12 * 5 metres?")])
    };
    agent
        .run(&mut turn, |_| Ok::<(), EngineError>(()))
        .await
        .unwrap();
    turn
}

/// The natural differences between two runs of a turn.
fn comparable(turn: &Turn) -> Turn {
    let mut turn = turn.clone();
    turn.spent.millis = 0;
    turn.retrieval = None;
    turn.learned = None;
    turn
}

#[tokio::test]
async fn a_turn_goes_on_after_any_node_to_the_same_end() {
    for mode in [Mode::Cot, Mode::Tot, Mode::React] {
        let server = ScriptedModel::start(script).unwrap();
        let whole = TestMemory::embedded().unwrap();
        let expected = ended(&whole, &server, mode).await;
        assert_eq!(
            texts(&whole).await,
            ["Name the unit beside every number of an answer."]
        );
        for stop in 1..=6 {
            let memory = TestMemory::embedded().unwrap();
            let first = agent(
                &memory,
                Some(client(&server, Vendor::OpenAi)),
                AgentOptions::default(),
            );
            let mut turn = Turn {
                preset: Some(mode),
                ..Turn::new("turn_1", vec![Message::user("What is 12 * 5 metres?")])
            };
            for _ in 0..stop {
                first.step(&mut turn).await.unwrap();
            }
            // A dead process leaves only its saved state.
            let kept = serde_json::to_string(&turn).unwrap();
            drop(first);
            let second = agent(
                &memory,
                Some(client(&server, Vendor::OpenAi)),
                AgentOptions::default(),
            );
            let mut turn: Turn = serde_json::from_str(&kept).unwrap();
            second
                .run(&mut turn, |_| Ok::<(), EngineError>(()))
                .await
                .unwrap();
            assert_eq!(
                comparable(&turn),
                comparable(&expected),
                "{mode} stopped after {stop}"
            );
            assert_eq!(texts(&memory).await, texts(&whole).await);
        }
    }
}

#[tokio::test]
async fn learning_twice_for_one_turn_changes_nothing_more() {
    let server = ScriptedModel::start(script).unwrap();
    let memory = TestMemory::embedded().unwrap();
    let agent = agent(
        &memory,
        Some(client(&server, Vendor::OpenAi)),
        AgentOptions::default(),
    );
    let mut turn = Turn::new("turn_1", vec![Message::user("What is 12 * 5 metres?")]);
    while turn.node != Node::Learning {
        agent.step(&mut turn).await.unwrap();
    }
    let before = turn.clone();
    agent.step(&mut turn).await.unwrap();
    let digest = memory
        .engine
        .view(&memory.key)
        .await
        .unwrap()
        .unwrap()
        .content_digest;
    let mut again = before;
    agent.step(&mut again).await.unwrap();
    assert_eq!(
        memory
            .engine
            .view(&memory.key)
            .await
            .unwrap()
            .unwrap()
            .content_digest,
        digest
    );
}

#[tokio::test]
async fn an_answer_alone_is_no_success() {
    let memory = TestMemory::embedded().unwrap();
    memory
        .seed(&["For \"Which port?\", the right answer is `8443`."])
        .await
        .unwrap();
    let asked = |known: Known| {
        let agent = agent(&memory, None, AgentOptions::default());
        async move {
            let mut turn = Turn {
                known,
                ..Turn::new("t", vec![Message::user("Which port?")])
            };
            agent
                .run(&mut turn, |_| Ok::<(), EngineError>(()))
                .await
                .unwrap();
            turn
        }
    };
    let turn = asked(Known::default()).await;
    assert_eq!((turn.answer.as_str(), &turn.verdict), ("8443", &None));
    assert_eq!(turn.cited.len(), 1);
    let right = asked(Known {
        ground_truth: Some("8443".to_owned()),
        ..Known::default()
    })
    .await;
    assert_eq!(right.verdict.unwrap().success, Some(true));
    let view = memory.engine.view(&memory.key).await.unwrap().unwrap();
    assert_eq!(
        view.bullets[0].counts.helpful, 1,
        "only a judged success votes"
    );
}

#[tokio::test]
async fn the_truth_is_learned_and_no_words_of_the_engine() {
    let memory = TestMemory::embedded().unwrap();
    let wrong = |success| Known {
        ground_truth: Some("red".to_owned()),
        success,
        ..Known::default()
    };
    for (number, known) in [wrong(None), wrong(Some(false))].into_iter().enumerate() {
        let agent = agent(&memory, None, AgentOptions::default());
        let question = format!("Which colour has gate {number}?");
        let mut turn = Turn {
            known,
            ..Turn::new(format!("t{number}"), vec![Message::user(question)])
        };
        agent
            .run(&mut turn, |_| Ok::<(), EngineError>(()))
            .await
            .unwrap();
        assert_eq!(turn.verdict.unwrap().success, Some(false));
    }
    let view = memory.engine.view(&memory.key).await.unwrap().unwrap();
    let contents: Vec<&str> = view
        .bullets
        .iter()
        .map(|bullet| bullet.content.as_str())
        .collect();
    assert!(
        contents.len() == 2
            && contents
                .iter()
                .all(|one| one.contains("the right answer is `red`")),
        "{contents:?}"
    );
}

#[test]
fn an_answer_that_equals_the_truth_is_right_whatever_a_judge_says() {
    for (success, answer, expected) in [
        (Some(false), "Red.", true),
        (None, "red", true),
        (Some(true), "The gate is red", true),
        (Some(false), "The gate is red", false),
        (None, "The gate is red", false),
    ] {
        let turn = Turn {
            answer: answer.to_owned(),
            known: Known {
                ground_truth: Some("red".to_owned()),
                success,
                ..Known::default()
            },
            ..Turn::new("t", Vec::new())
        };
        let verdict = referee::known(&turn).unwrap();
        assert_eq!(verdict.success, Some(expected), "{success:?} {answer}");
    }
}

#[tokio::test]
async fn a_bill_above_the_budget_leaves_the_rules_and_says_so() {
    let server = ScriptedModel::start(script).unwrap();
    let memory = TestMemory::embedded().unwrap();
    let budget = Budget {
        calls: Some(1),
        ..Budget::default()
    };
    let agent = agent(
        &memory,
        Some(client(&server, Vendor::OpenAi)),
        AgentOptions {
            budget,
            ..AgentOptions::default()
        },
    );
    let mut turn = Turn::new("t", vec![Message::user("Why is that so?")]);
    agent
        .run(&mut turn, |_| Ok::<(), EngineError>(()))
        .await
        .unwrap();
    assert_eq!(
        (turn.answer.as_str(), turn.spent.calls, server.asked().len()),
        ("60", 1, 1)
    );
    assert!(
        turn.notes.iter().all(|note| note.contains("budget")),
        "{:?}",
        turn.notes
    );
    assert_eq!(
        turn.notes.len(),
        2,
        "nobody judged, and the rules reflected"
    );
}

type Fields = BTreeMap<String, String>;

thread_local! {
    static RECORDED: RefCell<Vec<Fields>> = const { RefCell::new(Vec::new()) };
}

/// Keeps the events of each thread apart: the runtime of one test has one thread, which also runs the engine's own tasks.
///
/// It covers the whole process, because a subscriber of one thread misses each event that another thread met first.
struct Recorder;

struct Reader<'f>(&'f mut Fields);

impl Visit for Reader<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(
            field.name().to_owned(),
            format!("{value:?}").trim_matches('"').to_owned(),
        );
    }
}

impl<S: Subscriber> Layer<S> for Recorder {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::new();
        fields.insert("target".to_owned(), event.metadata().target().to_owned());
        event.record(&mut Reader(&mut fields));
        RECORDED.with_borrow_mut(|events| events.push(fields));
    }
}

#[tokio::test]
async fn memory_is_loaded_once_a_turn_and_contents_stay_out_of_the_log() {
    let server = ScriptedModel::start(script).unwrap();
    let memory = TestMemory::embedded().unwrap();
    memory
        .seed(&["The metres of the SECRETWORD are 12 * 5."])
        .await
        .unwrap();
    let levels = tracing_subscriber::filter::LevelFilter::DEBUG;
    let subscriber = tracing_subscriber::registry().with(Recorder.with_filter(levels));
    tracing::subscriber::set_global_default(subscriber).unwrap();
    for mode in [Mode::Cot, Mode::Tot, Mode::React] {
        RECORDED.with_borrow_mut(Vec::clear);
        ended(&memory, &server, mode).await;
        let events = RECORDED.take();
        let named = |target: &str, name: &str| {
            let is = |fields: &&Fields| {
                fields["target"] == target && fields.get("event").is_some_and(|event| event == name)
            };
            events.iter().filter(is).count()
        };
        assert_eq!(named("hindlore::agent", "loaded"), 1, "{mode}");
        assert_eq!(
            named("hindlore::memory", "inject"),
            1,
            "{mode}: bullets went into a prompt once"
        );
        assert_eq!(named("hindlore::roles", "lessons"), 1, "{mode}");
        assert!(named("hindlore::agent", "thought") >= 1, "{mode}");
        assert_eq!(named("hindlore::roles", "lesson"), 1, "{mode}");
        assert_eq!(
            named("hindlore::agent", "branch") > 0,
            mode == Mode::Tot,
            "{mode}: each branch has its rating"
        );
        assert_eq!(named("hindlore::agent", "tool") > 0, mode == Mode::React);
        assert!(!format!("{events:?}").contains("SECRETWORD"), "{events:?}");
        let previews = events
            .iter()
            .flat_map(|fields| fields.values())
            .filter(|value| value.len() > 200);
        assert_eq!(previews.count(), 0, "a preview has at most 120 characters");
    }
}
