//! Conversations over HTTP: they continue, they stream, and they belong to one learner.

use std::io::Read;
use std::io::Write;

use serde_json::{Value, json};

use super::served::{Answered, Served};
use crate::world::World;

fn chat(served: &Served, learner: &str, body: &Value) -> Answered {
    let headers = [("Hindlore-Learner", learner)];
    served.send(&served.request("POST", "/v1/agent/chat", &headers, Some(&body.to_string())))
}

#[test]
fn a_conversation_goes_on_and_is_closed_to_every_other_learner() {
    let served = Served::start(&[]);
    let begun = chat(
        &served,
        "alice",
        &json!({"message": "Help me multiply 12 by 5."}),
    );
    assert_eq!(begun.status, 200, "{}", begun.body);
    assert_eq!(begun.body["answer"], "60");
    assert!(
        begun.body["metadata"]["scratch"].get("ace_delta").is_some(),
        "{}",
        begun.body
    );
    let id = begun.body["conversation_id"].as_str().unwrap().to_owned();
    let on = chat(
        &served,
        "alice",
        &json!({"message": "And 7 times 6?", "conversation_id": id}),
    );
    assert_eq!(
        (on.status, &on.body["conversation_id"]),
        (200, &json!(id)),
        "{}",
        on.body
    );
    let asked = on.body["metadata"]["scratch"]["state"]["messages"].clone();
    assert_eq!(
        asked.as_array().map(Vec::len),
        Some(3),
        "what was said before is there: {asked}"
    );
    for (learner, conversation, status) in [
        ("bob", id.as_str(), 403),
        ("nobody", id.as_str(), 403),
        ("alice", "c_0000000000000000.000000000000", 403),
        ("alice", "what is this", 404),
    ] {
        let body = json!({"message": "What was said?", "conversation_id": conversation});
        let refused = chat(&served, learner, &body);
        assert_eq!(
            refused.status, status,
            "{learner} {conversation}: {}",
            refused.body
        );
        assert!(
            !refused.body.to_string().contains("multiply"),
            "{}",
            refused.body
        );
    }
    let history = json!([{"role": "user", "content": "My number is 9."}, {"role": "assistant", "content": "Noted."}]);
    let both = json!({"message": "m", "conversation_id": id, "conversation_history": history});
    assert_eq!(chat(&served, "alice", &both).status, 422);
    let kept = chat(
        &served,
        "alice",
        &json!({"message": "Which one?", "conversation_history": history}),
    );
    assert_eq!(
        kept.body["metadata"]["scratch"]["state"]["messages"]
            .as_array()
            .map(Vec::len),
        Some(3)
    );
}

#[test]
fn a_stream_tells_each_step_before_the_answer_that_it_would_have_given_whole() {
    let served = Served::start(&[]);
    let body = json!({"message": "Help me multiply 12 by 5."});
    let streamed = |accept: &str, body: &Value| {
        let headers = [("Accept", accept)];
        let request = served.request("POST", "/v1/agent/chat", &headers, Some(&body.to_string()));
        let mut stream = served.connect();
        stream.write_all(&request).unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    };
    let text = streamed("application/json;q=0.5, text/event-stream", &body);
    assert!(
        text.to_ascii_lowercase()
            .contains("content-type: text/event-stream"),
        "{text}"
    );
    let events: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("event: "))
        .collect();
    let (last, steps) = events.split_last().unwrap();
    assert_eq!((*last, steps.len() >= 5), ("answer", true), "{events:?}");
    assert!(steps.iter().all(|event| *event == "step"), "{events:?}");
    let data = |line: &str| {
        line.strip_prefix("data: ")
            .map(|data| serde_json::from_str::<Value>(data).unwrap())
    };
    let told: Vec<Value> = text.lines().filter_map(data).collect();
    assert_eq!(told.last().unwrap()["answer"], "60");
    let early = told.iter().find(|step| step["next"] == "learning").unwrap();
    assert_eq!(
        early["answer"], "60",
        "the answer is told before the learning"
    );
    let refused = streamed(
        "text/event-stream",
        &json!({"message": "m", "conversation_id": "x"}),
    );
    assert!(
        refused.contains("event: problem") && refused.contains("\"status\":404"),
        "{refused}"
    );
    let invalid = streamed("text/event-stream", &json!({}));
    assert!(
        invalid.contains("event: problem") || invalid.starts_with("HTTP/1.1 422"),
        "{invalid}"
    );
}

#[test]
fn a_client_that_hangs_up_leaves_the_conversation_whole() {
    let served = Served::over(World::new(), &[]);
    let begun = chat(
        &served,
        "alice",
        &json!({"message": "Help me multiply 12 by 5."}),
    );
    let id = begun.body["conversation_id"].clone();
    let body = json!({"message": "What is 3 + 4?", "conversation_id": id}).to_string();
    let headers = [
        ("Hindlore-Learner", "alice"),
        ("Accept", "text/event-stream"),
    ];
    let request = served.request("POST", "/v1/agent/chat", &headers, Some(&body));
    served.connect().write_all(&request).unwrap();
    let mut asked = 0;
    // The work continues without the client; another message meanwhile is refused with the reason.
    for _ in 0..100 {
        let on = chat(
            &served,
            "alice",
            &json!({"message": "What is 2 + 2?", "conversation_id": id}),
        );
        assert!(matches!(on.status, 200 | 503 | 409), "{}", on.body);
        asked = on.body["metadata"]["scratch"]["state"]["messages"]
            .as_array()
            .map_or(0, Vec::len);
        if asked >= 5 {
            break;
        }
    }
    assert!(
        asked >= 5,
        "the message of the client that left is in the conversation"
    );
}
