//! Several calls in one request: each for itself, in their order, with the rights of each.

use serde_json::{Value, json};

use super::served::{Answered, Served};
use crate::world::World;

fn batch(served: &Served, headers: &[(&str, &str)], body: &Value) -> Answered {
    served.send(&served.request("POST", "/v1/batch", headers, Some(&body.to_string())))
}

fn calls() -> Vec<Value> {
    vec![
        json!({"verb": "bullets.add", "request": {"text": "grease the bearings of the lathe"}}),
        json!({"verb": "bullets.pin", "request": {"id": "b_nobody"}}),
        json!({"verb": "retrieve", "request": {"query": "grease the bearings"}}),
        json!({"verb": "digest"}),
    ]
}

#[test]
fn each_call_answers_or_fails_for_itself() {
    let served = Served::over(World::seeded(), &[]);
    let answered = batch(&served, &[], &json!({"calls": calls()}));
    assert_eq!(answered.status, 200, "{}", answered.body);
    let answers = answered.body["answers"].as_array().unwrap();
    assert_eq!(answers.len(), 4);
    assert_eq!(answers[0]["answer"]["added"].as_array().unwrap().len(), 1);
    assert!(answers[1]["problem"]["code"].is_string() && answers[1].get("answer").is_none());
    assert!(
        answers[2]["answer"]["results"][0]["content"]
            .as_str()
            .unwrap()
            .contains("lathe")
    );
    assert_eq!(answers[3]["answer"]["clock"], 3);
    let stopped = batch(
        &served,
        &[],
        &json!({"calls": calls(), "stop_at_problem": true}),
    );
    assert_eq!(stopped.body["answers"].as_array().unwrap().len(), 2);
}

#[test]
fn a_batch_that_is_none_is_refused_as_a_whole() {
    let served = Served::start(&[]);
    let many: Vec<Value> = (0..101).map(|_| json!({"verb": "digest"})).collect();
    for body in [
        json!({}),
        json!({"calls": []}),
        json!({"calls": many}),
        json!({"calls": [{"verb": 7}]}),
        json!({"calls": [{"verb": "digest", "request": []}]}),
        json!({"calls": [{"verb": "digest"}], "more": true}),
    ] {
        let refused = batch(&served, &[], &body);
        assert_eq!(
            (refused.status, &refused.body["code"]),
            (422, &json!("invalid_request")),
            "{body}"
        );
    }
    let unknown = batch(&served, &[], &json!({"calls": [{"verb": "bullets.ad"}]}));
    let problem = &unknown.body["answers"][0]["problem"];
    assert!(
        problem["hint"].as_str().unwrap().contains("bullets.add"),
        "{problem}"
    );
}

#[test]
fn a_key_goes_no_further_in_a_batch() {
    let world = World::seeded();
    let key = world.json("key create reader --rights read")["token"]
        .as_str()
        .unwrap()
        .to_owned();
    let served = Served::over(world, &["--require-keys"]);
    let bearer = format!("Bearer {key}");
    let answered = batch(
        &served,
        &[("Authorization", &bearer)],
        &json!({"calls": calls()}),
    );
    let answers = &answered.body["answers"];
    assert_eq!(answers[0]["problem"]["code"], "not_allowed");
    assert!(answers[3]["answer"]["clock"].is_number());
    assert_eq!(batch(&served, &[], &json!({"calls": calls()})).status, 401);
    assert_eq!(served.world.digest()["revision"], 1);
}
