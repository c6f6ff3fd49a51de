//! The part of the story of all surfaces that is about the agent and sessions, without a model.

use serde_json::json;

use super::parity::{Step, ending, fed, step};

/// A turn, a conversation, and a session.
pub(super) fn an_agent_works() -> Vec<Step> {
    let messages = json!([{"role": "user", "content": "Help me multiply 12 by 5."}]);
    let session = json!([
        {"role": "user", "content": "list it"},
        {"role": "assistant", "content": "I will."},
        {"role": "user", "content": "now grease the bearings"},
    ]);
    let ended = json!([
        {"role": "user", "content": "Which grease for the bearings?"},
        {"role": "assistant", "content": "The red one."},
    ]);
    let stated = json!([{"role": "user", "content": "The bearings take the blue grease."}]);
    vec![
        fed(
            &json!({"messages": messages, "topic": "sums"}),
            step(
                "agent.run",
                json!({"messages": messages, "topic": "sums"}),
                "agent run",
            ),
        ),
        step(
            "agent.chat",
            json!({"message": "What is 3 + 4?"}),
            "agent chat What~is~3~+~4?",
        ),
        fed(
            &session,
            step(
                "session.prepare",
                json!({"messages": session, "top_k": 2}),
                "session prepare --top-k 2",
            ),
        ),
        fed(
            &ended,
            step(
                "session.record",
                json!({"session": "s-1", "messages": ended, "passed": false, "ground_truth": "the blue one"}),
                "session record s-1 --failed --ground-truth the~blue~one",
            ),
        ),
        fed(
            &stated,
            step(
                "session.keep",
                json!({"messages": stated, "tags": ["chat"]}),
                "session keep --tag chat",
            ),
        ),
        ending(1, step("model.check", json!({}), "model check")),
        step("status", json!({}), "status"),
    ]
}

/// A person's correction is released, and another one is dismissed.
pub(super) fn a_person_corrects() -> Vec<Step> {
    let proposed = |text: &str| {
        step(
            "bullets.propose",
            json!({"text": text, "session": "s1", "turn": 2}),
            &format!("bullets propose {text} --session s1 --turn 2"),
        )
    };
    vec![
        step(
            "remember",
            json!({"text": "Label every crate.", "tags": ["yard"], "importance": 0.9}),
            "remember Label every crate. --tag yard --importance 0.9",
        ),
        step(
            "recall",
            json!({"question": "what about a crate", "limit": 2}),
            "recall what about a crate --limit 2",
        ),
        step(
            "forget",
            json!({"text": "label crate"}),
            "forget label crate",
        ),
        proposed("we oil the gate on Monday"),
        step("bullets.proposed", json!({}), "bullets proposed"),
        step("bullets.release", json!({"id": "p_"}), "bullets release p_"),
        proposed("never paint the bell"),
        step("bullets.dismiss", json!({"id": "p_"}), "bullets dismiss p_"),
        step(
            "lessons.state",
            json!({"text": "LESSON oil: WRONG oil --gate -> CORRECT oil gate"}),
            "lessons state LESSON~oil:~WRONG~oil~--gate~->~CORRECT~oil~gate",
        ),
    ]
}
