//! The wires: requests, answers, and the handling of every other reply.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hindlore_agents::model::{Budget, Message, Model, ModelError, Request};
use hindlore_agents::provider::Vendor;
use hindlore_testkit::{ModelAnswer, ScriptedModel};

use crate::scene::{KEY, client, metered};

fn question() -> Request {
    Request::new(vec![Message::system("rules"), Message::user("12 * 5?")])
}

#[tokio::test]
async fn every_wire_carries_a_question_and_its_answer() {
    for vendor in Vendor::ALL {
        let server = ScriptedModel::start(|asked| {
            assert!(
                asked.text().contains("rules") && asked.text().contains("12 * 5?"),
                "{}",
                asked.body
            );
            ModelAnswer::text("60")
        })
        .unwrap();
        let model = client(&server, vendor);
        let reply = model.complete(&question()).await.unwrap();
        assert_eq!(
            (reply.text.as_str(), reply.attempts),
            ("60", 1),
            "{}",
            vendor.word()
        );
        assert_eq!(
            (reply.usage.input_tokens, reply.usage.output_tokens),
            (10, 5)
        );
        let asked = &server.asked()[0];
        let is_key = |(_, value): &(String, String)| value.contains(KEY);
        assert!(asked.headers.iter().any(is_key) && !asked.path.contains(KEY));
    }
}

#[tokio::test]
async fn what_fails_on_the_way_is_tried_again_with_the_same_request() {
    for vendor in Vendor::ALL {
        for broken in [
            ModelAnswer::Status(500),
            ModelAnswer::Dropped,
            ModelAnswer::Truncated,
            ModelAnswer::Hang,
            ModelAnswer::RateLimited(0),
        ] {
            let server =
                ScriptedModel::in_turn(vec![broken.clone(), ModelAnswer::text("60")]).unwrap();
            let reply = client(&server, vendor).complete(&question()).await;
            let reply =
                reply.unwrap_or_else(|error| panic!("{} {broken:?}: {error}", vendor.word()));
            assert_eq!((reply.text.as_str(), reply.attempts), ("60", 2));
            let asked = server.asked();
            assert_eq!(asked[0].body, asked[1].body);
        }
    }
}

#[tokio::test]
async fn what_cannot_be_mended_has_a_name_and_hides_the_key() {
    let code = |error: &ModelError| error.code();
    for vendor in Vendor::ALL {
        for (answer, expected, calls) in [
            (ModelAnswer::Status(500), "model_failed", 2),
            (ModelAnswer::Status(401), "model_refused", 1),
            (ModelAnswer::Html, "model_not_json", 1),
            (ModelAnswer::Hang, "model_timed_out", 2),
            (ModelAnswer::Truncated, "model_unreachable", 2),
            (ModelAnswer::RateLimited(3600), "model_rate_limited", 1),
            (
                ModelAnswer::Raw(serde_json::json!({"hello": KEY})),
                "model_changed",
                1,
            ),
        ] {
            let server = ScriptedModel::in_turn(vec![answer.clone()]).unwrap();
            let began = Instant::now();
            let error = client(&server, vendor)
                .complete(&question())
                .await
                .unwrap_err();
            assert_eq!(
                code(&error),
                expected,
                "{} {answer:?}: {error}",
                vendor.word()
            );
            assert_eq!(server.asked().len(), calls, "{} {answer:?}", vendor.word());
            assert!(!format!("{error}{error:?}").contains(KEY), "{error}");
            assert!(began.elapsed() < Duration::from_secs(5));
        }
    }
}

#[tokio::test]
async fn a_vendor_that_repeats_the_key_is_not_quoted_with_it() {
    let server = ScriptedModel::start(|_| ModelAnswer::Status(400)).unwrap();
    let error = client(&server, Vendor::OpenAi)
        .complete(&question())
        .await
        .unwrap_err();
    assert!(error.to_string().contains("scripted failure 400"));
    let nobody = ScriptedModel::in_turn(vec![ModelAnswer::text("x")]).unwrap();
    let url = nobody.url();
    let settings = hindlore_agents::provider::Settings {
        vendor: Vendor::OpenAi,
        url: format!(
            "{}@nowhere.invalid",
            url.replace("127", &format!("u:{KEY}@127"))
        ),
        model: "m".to_owned(),
        key: Some(KEY.to_owned()),
        temperature: 0.0,
        max_tokens: 1,
        timeout: Duration::from_millis(200),
        retries: 0,
    };
    let outcome = match hindlore_agents::provider::Client::new(settings) {
        Ok(client) => client.complete(&question()).await.unwrap_err().to_string(),
        Err(why) => why,
    };
    assert!(!outcome.contains(KEY), "{outcome}");
}

#[tokio::test]
async fn a_budget_ends_a_run_and_every_call_is_on_its_bill() {
    let server = ScriptedModel::start(|_| ModelAnswer::Text("60".to_owned(), 1_000, 500)).unwrap();
    let model = client(&server, Vendor::Gemini);
    let limits = [
        (
            Budget {
                calls: Some(2),
                ..Budget::default()
            },
            "calls",
        ),
        (
            Budget {
                tokens: Some(2_000),
                ..Budget::default()
            },
            "tokens",
        ),
        (
            Budget {
                dollars: Some(0.003),
                ..Budget::default()
            },
            "dollars",
        ),
    ];
    for (budget, named) in limits {
        let before = server.asked().len();
        let metered = metered(Arc::clone(&model), budget);
        for _ in 0..2 {
            metered.complete(&question()).await.unwrap();
        }
        let error = metered.complete(&question()).await.unwrap_err();
        assert_eq!(error.code(), "over_budget");
        assert!(error.to_string().contains(named), "{error}");
        let spent = metered.spent();
        assert_eq!((spent.calls, spent.tokens(), spent.failed), (2, 3_000, 0));
        assert!((spent.dollars - 0.004).abs() < 1e-12, "{}", spent.dollars);
        assert_eq!(
            server.asked().len() - before,
            2,
            "a call above the budget is never sent"
        );
    }
}
