//! Answers as the vendors document them, and the effect of one that has changed.

use std::time::Duration;

use serde_json::{Value, json};

use super::settings::{Settings, Vendor};
use super::wires::wire_of;
use crate::model::message::Form;
use crate::model::{Message, ModelError, Request};

fn settings(vendor: Vendor) -> Settings {
    Settings {
        vendor,
        url: vendor.url().to_owned(),
        model: "m".to_owned(),
        key: Some("k-1".to_owned()),
        temperature: 0.2,
        max_tokens: 64,
        timeout: Duration::from_secs(1),
        retries: 0,
    }
}

/// An answer in the documented form of each wire, with everything that the documents show around it.
fn documented(vendor: Vendor) -> Value {
    match vendor {
        Vendor::OpenAi => json!({
            "id": "chatcmpl-B9MBs8", "object": "chat.completion", "created": 1_741_569_952, "model": "gpt-5.4",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": "Hello", "refusal": null, "annotations": []},
                "logprobs": null, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 19, "completion_tokens": 10, "total_tokens": 29,
                "prompt_tokens_details": {"cached_tokens": 0}, "completion_tokens_details": {"reasoning_tokens": 0}},
            "service_tier": "default",
        }),
        Vendor::Anthropic => json!({
            "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-x",
            "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": "Hello", "citations": null}],
            "stop_reason": "end_turn", "stop_sequence": null,
            "usage": {"input_tokens": 15, "cache_creation_input_tokens": 1, "cache_read_input_tokens": 3, "output_tokens": 10},
        }),
        Vendor::Gemini => json!({
            "candidates": [{"content": {"parts": [{"text": "aside", "thought": true}, {"text": "Hello"}], "role": "model"},
                "finishReason": "STOP", "avgLogprobs": -0.1, "index": 0}],
            "usageMetadata": {"promptTokenCount": 19, "candidatesTokenCount": 8, "thoughtsTokenCount": 2,
                "totalTokenCount": 29, "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 19}]},
            "modelVersion": "gemini-2.5-flash", "responseId": "r",
        }),
        Vendor::Ollama => json!({
            "model": "m", "created_at": "2025-10-17T23:14:07Z", "message": {"role": "assistant", "content": "Hello"},
            "done": true, "done_reason": "stop", "total_duration": 174_560_334, "load_duration": 101_397_084,
            "prompt_eval_count": 19, "prompt_eval_duration": 13_074_791, "eval_count": 10, "eval_duration": 52_479_709,
        }),
    }
}

#[test]
fn documented_answers_are_read_with_their_bill() {
    for vendor in Vendor::ALL {
        let reply = (wire_of(vendor).reply)(&documented(vendor)).unwrap();
        assert_eq!(reply.text, "Hello", "{}", vendor.word());
        assert_eq!(
            (reply.usage.input_tokens, reply.usage.output_tokens),
            (19, 10),
            "{}",
            vendor.word()
        );
        assert!(!reply.is_cut);
    }
}

#[test]
fn a_changed_answer_is_told_by_its_field() {
    let cases = [
        (
            Vendor::OpenAi,
            "/choices/0/message/content",
            "choices[0].message.content",
        ),
        (Vendor::OpenAi, "/choices", "choices"),
        (Vendor::Anthropic, "/content", "content"),
        (Vendor::Anthropic, "/content/1/text", "content[].text"),
        (
            Vendor::Gemini,
            "/candidates/0/content/parts",
            "candidates[0].content.parts",
        ),
        (
            Vendor::Gemini,
            "/usageMetadata/promptTokenCount",
            "usageMetadata.promptTokenCount",
        ),
        (Vendor::Ollama, "/message/content", "message.content"),
        (Vendor::Ollama, "/eval_count", "eval_count"),
    ];
    for (vendor, at, named) in cases {
        let mut body = documented(vendor);
        *body.pointer_mut(at).unwrap() = json!({"another": "form"});
        let error = (wire_of(vendor).reply)(&body).unwrap_err();
        let ModelError::Field { field, .. } = &error else {
            panic!("{error:?}");
        };
        assert_eq!(*field, named);
        assert!(error.to_string().contains(named));
    }
}

#[test]
fn each_wire_asks_for_the_form_and_keeps_the_key_out_of_address_and_body() {
    let request = Request {
        messages: vec![
            Message::system("rules"),
            Message::user("q"),
            Message::assistant("a"),
            Message::user("q2"),
        ],
        temperature: None,
        form: Some(Form {
            name: "n",
            schema: json!({"type": "object"}),
        }),
    };
    for (vendor, form) in [
        (Vendor::OpenAi, "/response_format/json_schema/schema/type"),
        (Vendor::Anthropic, "/output_config/format/schema/type"),
        (Vendor::Gemini, "/generationConfig/responseJsonSchema/type"),
        (Vendor::Ollama, "/format/type"),
    ] {
        let settings = settings(vendor);
        let wire = wire_of(vendor);
        let body = (wire.body)(&settings, &request);
        assert_eq!(
            body.pointer(form),
            Some(&json!("object")),
            "{}",
            vendor.word()
        );
        let sent = format!("{}{body}", (wire.path)(&settings));
        assert!(!sent.contains("k-1") && sent.contains("rules") && sent.contains("q2"));
        assert!(
            (wire.headers)(&settings)
                .iter()
                .any(|(_, value)| value.ends_with("k-1"))
        );
        assert!(!format!("{settings:?}").contains("k-1"));
    }
}
