//! A thousand turns with a model that fails in every way, in random order: no delta is lost, and every call is billed.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fastrand::Rng;
use hindlore_agents::model::{Budget, Metered, Model, ModelError, Prices, Reply, Request, Usage};
use hindlore_agents::roles::{Options, Trace};
use hindlore_testkit::TestMemory;
use serde_json::json;

use crate::scene::{learn, texts};

/// A model whose answers a seed decides. The wire's handling of faults is tested on the wire; here it is the roles'
/// handling of its results.
struct Faulty {
    random: Mutex<Rng>,
    calls: Mutex<u64>,
}

#[async_trait]
impl Model for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    async fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        *self.calls.lock().unwrap() += 1;
        let mut random = self.random.lock().unwrap();
        let curates = request.messages[0].content.contains("operations");
        let text = match random.u32(..10) {
            0 => return Err(ModelError::Unreachable("gone".to_owned())),
            1 => return Err(ModelError::RateLimited { after: None }),
            2 => return Err(ModelError::NotJson { begins: "<html>".to_owned() }),
            3 => String::new(),
            4 => "{\"lessons\": 3}".to_owned(),
            5 => "```json\n{\"operations\": [{\"type\": \"EXPLODE\"}]}\n```".to_owned(),
            6 => "{\"lessons\": [{\"content\": \"cut off".to_owned(),
            _ if curates => json!({"reasoning": "", "operations": [
                {"type": "ADD", "content": format!("Note number {} of the curator about valves.", random.u32(..)), "bullet_id": ""},
                {"type": "REMOVE", "bullet_id": "b_made_up", "content": ""}]}).to_string(),
            _ => json!({"lessons": [{"content": format!("Close the valve labelled {} before you drain the tank.", names(&mut random)),
                "type": "failure", "tags": []}], "bullet_tags": []}).to_string(),
        };
        Ok(Reply {
            text,
            usage: Usage {
                input_tokens: 7,
                output_tokens: 3,
            },
            ..Reply::default()
        })
    }
}

fn names(random: &mut Rng) -> String {
    (0..8).map(|_| random.lowercase()).collect()
}

#[tokio::test]
async fn no_delta_is_lost_and_every_call_is_billed() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let turns: u64 = std::env::var("AGENT_FAULT_TURNS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(1_000);
    let model = Arc::new(Faulty {
        random: Mutex::new(Rng::with_seed(seed)),
        calls: Mutex::new(0),
    });
    let memory = TestMemory::embedded().unwrap();
    let mut billed = 0;
    for turn in 0..turns {
        let options = Options {
            curates_by_model: turn % 2 == 0,
            ..Options::default()
        };
        let metered = Metered::new(model.clone(), Prices::default(), Budget::default());
        let trace = Trace {
            question: format!("What is the code of gate {turn}?"),
            answer: "unknown".to_owned(),
            ground_truth: Some(format!("code-{}", turn * 7)),
            success: Some(false),
            ..Trace::default()
        };
        let before = texts(&memory).await.len();
        let learned = learn(
            &memory,
            Some(&metered),
            &options,
            &trace,
            &format!("d_{turn}"),
        )
        .await;
        let applied = learned.applied.unwrap_or_else(|| {
            panic!(
                "turn {turn} of seed {seed} left nothing: {:?}",
                learned.notes
            )
        });
        let receipt = applied.receipt;
        assert!(
            receipt.added.len() + receipt.merged.len() + receipt.updated.len() > 0,
            "turn {turn} of seed {seed}"
        );
        if turn % 100 == 0 {
            assert!(
                texts(&memory).await.len() >= before,
                "turn {turn} of seed {seed}"
            );
        }
        if learned.reflector != "faulty" {
            assert!(!learned.notes.is_empty(), "what stood in is told");
        }
        billed += metered.spent().calls;
    }
    assert_eq!(
        billed,
        *model.calls.lock().unwrap(),
        "every call belongs to a turn"
    );
}
