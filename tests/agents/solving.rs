//! Ways of working as worked examples, and compared with a model of brute force.

use std::collections::BTreeMap;

use fastrand::Rng;
use hindlore::EngineError;
use hindlore_agents::agent::cot::majority;
use hindlore_agents::agent::plan::plan;
use hindlore_agents::agent::tree::best;
use hindlore_agents::agent::work::Thought;
use hindlore_agents::agent::{AgentOptions, AnswerForm, Mode, Numbers, Turn};
use hindlore_agents::model::Message;
use hindlore_agents::provider::Vendor;
use hindlore_testkit::{ModelAnswer, ScriptedModel, TestMemory};
use serde_json::json;

use crate::scene::{agent, client};

#[test]
fn plans_are_those_of_the_table() {
    let numbers = |drafts| Numbers {
        drafts,
        ..Numbers::default()
    };
    let react = plan(Mode::React, &numbers(5));
    assert_eq!(
        (react.max_turns, react.temperature, react.drafts),
        (8, 0.2, 1)
    );
    let tot = plan(Mode::Tot, &numbers(1));
    assert_eq!((tot.breadth, tot.depth, tot.temperature), (3, 2, 0.2));
    for (drafts, temperature) in [(1, 0.2), (5, 0.7)] {
        let cot = plan(Mode::Cot, &numbers(drafts));
        assert_eq!((cot.drafts, cot.temperature), (drafts, temperature));
    }
    let set = Numbers {
        breadth: 4,
        depth: 3,
        max_turns: 2,
        temperature: Some(1.5),
        ..Numbers::default()
    };
    let (tot, react) = (plan(Mode::Tot, &set), plan(Mode::React, &set));
    assert_eq!((tot.breadth, tot.depth, tot.temperature), (4, 3, 1.5));
    assert_eq!((react.max_turns, react.depth), (2, 0));
}

#[test]
fn the_majority_is_that_of_a_count() {
    let mut random = Rng::with_seed(fastrand::u64(..));
    for _ in 0..1_000 {
        let drafts: Vec<String> = (0..random.usize(1..9))
            .map(|_| format!("because\nAnswer: {}", random.u8(..3)))
            .collect();
        let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (place, draft) in drafts.iter().enumerate() {
            counts.entry(draft).or_insert((0, place)).0 += 1;
        }
        let expected = counts
            .iter()
            .max_by_key(|(_, (count, place))| (*count, usize::MAX - place));
        assert_eq!(
            majority(&drafts),
            expected.map(|(draft, _)| *draft),
            "{drafts:?}"
        );
    }
    assert_eq!(majority(&[]), None);
}

#[test]
fn the_beam_is_that_of_a_sort_over_all_branches() {
    let mut random = Rng::with_seed(fastrand::u64(..));
    for _ in 0..1_000 {
        let parents: Vec<(Thought, Vec<(String, f64)>)> = (0..random.usize(1..4))
            .map(|parent| {
                let chain = vec![format!("p{parent}")];
                let branches = (0..random.usize(1..5)).map(|branch| {
                    (
                        format!("b{parent}{branch}"),
                        f64::from(random.u8(..4)) / 4.0,
                    )
                });
                (
                    Thought {
                        chain,
                        rating: 1.0,
                        depth: 1,
                    },
                    branches.collect(),
                )
            })
            .collect();
        let mut all: Vec<(f64, usize, String)> = Vec::new();
        for (_, branches) in &parents {
            for (text, rating) in branches.iter().take(3) {
                all.push((*rating, all.len(), text.clone()));
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let expected: Vec<&String> = all.iter().take(3).map(|(_, _, text)| text).collect();
        let found = best(&parents, 3, 2);
        let found: Vec<&String> = found.iter().map(|thought| &thought.chain[1]).collect();
        assert_eq!(found, expected);
    }
}

async fn solved(mode: Mode, drafts: u32, server: &ScriptedModel, question: &str) -> Turn {
    let numbers = Numbers {
        drafts,
        ..Numbers::default()
    };
    solved_by(mode, numbers, server, question).await
}

async fn solved_by(mode: Mode, numbers: Numbers, server: &ScriptedModel, question: &str) -> Turn {
    let memory = TestMemory::embedded().unwrap();
    let options = AgentOptions {
        numbers,
        judges: false,
        learns: false,
        ..AgentOptions::default()
    };
    let agent = agent(&memory, Some(client(server, Vendor::Gemini)), options);
    let mut turn = Turn {
        preset: Some(mode),
        ..Turn::new("t", vec![Message::user(question)])
    };
    agent
        .run(&mut turn, |_| Ok::<(), EngineError>(()))
        .await
        .unwrap();
    turn
}

#[tokio::test]
async fn drafts_vote() {
    let answers = [
        "Answer: 7",
        "so\nAnswer: 8",
        "Answer: **8**",
        "Answer: 9",
        "Answer: 8.",
    ];
    let server = ScriptedModel::in_turn(answers.map(ModelAnswer::text).to_vec()).unwrap();
    let turn = solved(Mode::Cot, 5, &server, "q").await;
    assert_eq!(
        (turn.answer.as_str(), turn.drafts.len(), turn.spent.calls),
        ("8", 5, 5)
    );
}

#[tokio::test]
async fn a_beam_carries_on_the_best() {
    let server = ScriptedModel::start(|asked| {
        let rated = |all: &[(&str, f64)]| {
            let all: Vec<_> = all
                .iter()
                .map(|(thought, rating)| json!({"thought": thought, "rating": rating}))
                .collect();
            ModelAnswer::json(&json!({"thoughts": all}))
        };
        let text = asked.text();
        if text.contains("go left") {
            rated(&[("Answer: wall", 0.1)])
        } else if text.contains("go right") {
            rated(&[("Answer: door", 0.9), ("Answer: window", 0.3)])
        } else if text.contains("go back") {
            rated(&[("Answer: home", 8.5)])
        } else {
            rated(&[
                ("go left", 0.9),
                ("go right", 0.5),
                ("go back", 0.4),
                ("beyond the breadth", 1.0),
            ])
        }
    })
    .unwrap();
    let turn = solved(Mode::Tot, 1, &server, "Which way?").await;
    assert_eq!(turn.answer, "door");
    assert_eq!(
        server.asked().len(),
        4,
        "one call for the first depth, one for each kept thought of the second"
    );
    assert_eq!(turn.beam.len(), 3);
}

#[tokio::test]
async fn tools_are_called_and_their_failures_are_text() {
    let steps = [
        json!({"thought": "try", "tool": "abacus", "input": "1"}),
        json!({"thought": "calculate", "tool": "calculator", "input": "12 /"}),
        json!({"thought": "again", "tool": "calculator", "input": "12 * 5"}),
        json!({"thought": "look", "tool": "memory_search", "input": "valves"}),
        json!({"thought": "done", "final_answer": "60", "tool": "", "bullet_ids": []}),
    ];
    let server = ScriptedModel::in_turn(steps.iter().map(ModelAnswer::json).collect()).unwrap();
    let turn = solved(Mode::React, 1, &server, "12 * 5?").await;
    assert_eq!(turn.answer, "60");
    let results: Vec<(&str, bool)> = turn
        .steps
        .iter()
        .map(|step| (step.result.as_str(), step.failed))
        .collect();
    assert!(
        results[0]
            .0
            .contains("no tool `abacus`; there are calculator, memory_search")
            && results[0].1
    );
    assert!(results[1].1);
    assert_eq!(results[2], ("60", false));
    assert_eq!(results[3], ("nothing is known of it", false));
    assert!(
        server.asked()[3].text().contains("60"),
        "the model sees what tools said"
    );
    let endless = ScriptedModel::in_turn(vec![ModelAnswer::json(&steps[2])]).unwrap();
    let turn = solved(Mode::React, 1, &endless, "12 * 5?").await;
    assert_eq!(
        (turn.steps.len(), turn.answer.as_str()),
        (8, "60"),
        "what a tool last said stands for an answer"
    );
    assert!(turn.notes[0].contains("within 8 steps"));
}

#[tokio::test]
async fn an_answer_that_is_wanted_whole_is_neither_cut_nor_asked_for_in_a_form() {
    let whole = Numbers {
        form: AnswerForm::Whole,
        ..Numbers::default()
    };
    let text = "# Report\n\nAnswer: 3 berths\n\nEnd.";
    for (mode, reply) in [
        (Mode::Cot, json!(text)),
        (
            Mode::Tot,
            json!({"thoughts": [{"thought": text, "rating": 1}]}),
        ),
        (Mode::React, json!({"thought": "t", "final_answer": text})),
    ] {
        let reply = reply
            .as_str()
            .map_or_else(|| reply.to_string(), str::to_owned);
        let server = ScriptedModel::in_turn(vec![ModelAnswer::text(reply)]).unwrap();
        let turn = solved_by(mode, whole, &server, "Write the report.").await;
        assert_eq!(turn.answer, text, "{mode}");
        let asked = server.asked();
        assert!(
            asked
                .iter()
                .all(|one| !one.text().contains("with `Answer:`"))
        );
    }
}
