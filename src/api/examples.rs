//! An example of a request for every verb: its required fields, with values that its reader accepts.
//!
//! The values are a table by the names of fields, because a field of one name means the same in most verbs; an entry with
//! the name of a verb is for that one. A test calls every verb with its example.

use serde_json::{Map, Value, json};

use super::catalog::Registered;
use super::check::words_of;

/// Values of fields, as JSON; `VERB FIELD` is for one verb alone.
const VALUES: &[(&str, &str)] = &[
    ("activation", r#""a_00000000000000000000""#),
    ("bullet", r#""b_00000000000000000000""#),
    ("bullets.dismiss id", r#""p_1""#),
    ("bullets.release id", r#""p_1""#),
    ("by", r#""agent:bob""#),
    ("conflicts.resolve other", r#""b_11111111111111111111""#),
    (
        "create_entities",
        r#"[{"name": "Ann", "entity_type": "person", "observations": ["repairs pumps"]}]"#,
    ),
    ("delta.undo id", r#""d_1""#),
    ("description", r#""repair the pump""#),
    ("error", r#""unknown option --widht""#),
    ("error_reduction", "0.5"),
    ("fields", r#"{"max_bullets": 1000}"#),
    ("group", r#""ops""#),
    ("id", r#""b_00000000000000000000""#),
    ("into", r#""bob""#),
    ("leader", r#""user:ann""#),
    ("learner", r#""default""#),
    ("lessons.explain id", r#""l_00000000000000000000""#),
    (
        "lessons.import text",
        r#""{\"lesson\": \"check the fuse before the motor\", \"session_id\": 3, \"eval_score\": 0.8}""#,
    ),
    ("lessons.review id", r#""l_00000000000000000000""#),
    ("lessons.show id", r#""l_00000000000000000000""#),
    ("limit", "20"),
    ("member", r#""agent:bob""#),
    ("memory.rollback id", r#""c-1""#),
    (
        "messages",
        r#"[{"role": "user", "content": "The pump needs priming before each start."}]"#,
    ),
    ("name", r#""ci""#),
    ("one", r#""b_00000000000000000000""#),
    (
        "operations",
        r#"[{"op": "ADD", "content": "Close the valve after every run.", "tags": ["pump"]}]"#,
    ),
    ("playbook", r#""pumps""#),
    (
        "playbook.import text",
        r#""{\"strategies\": [{\"pattern\": \"Keep it short.\"}]}""#,
    ),
    ("query", r#""start the pump""#),
    ("feedback helped", r#"["b_00000000000000000000"]"#),
    ("message", r#""How do I start the pump?""#),
    ("reason", r#""it is out of date""#),
    (
        "records",
        r#"[{"content": "Close the valve after every run."}]"#,
    ),
    ("reflection", r#""rf_1""#),
    ("retrieval", r#""r_1""#),
    ("run", r#""r1""#),
    ("scope", r#""default""#),
    ("session", r#""s1""#),
    (
        "steps",
        r#"[{"run": "r1", "action": "plot --widht 3", "error": "unknown option --widht", "exit_code": 2}]"#,
    ),
    ("strategies", r#"[{"pattern": "Prime the pump first."}]"#),
    ("subject", r#""agent:bob""#),
    ("success", "1.0"),
    ("task", r#""start the pump""#),
    ("text", r#""Close the valve after every run.""#),
    ("trajectories", r#"["t1"]"#),
    ("trajectory", r#""t1""#),
    ("trajectory.feedback message", r#""it took too long""#),
    ("words", r#""valve""#),
];

/// Fields of some verbs that are shown although they may be left out.
const MORE: &[(&str, &[&str])] = &[
    ("bullets.edit", &["text"]),
    ("delta.apply", &["operations"]),
    ("conflicts.resolve", &["reason"]),
    ("feedback", &["helped"]),
    ("forget", &["text"]),
    ("graph.change", &["create_entities"]),
    ("lessons.retrieve", &["error"]),
    ("memory.import", &["records"]),
    ("playbook.curate", &["trajectories"]),
    ("playbook.create", &["playbook", "strategies"]),
    ("playbook.update", &["playbook", "strategies"]),
    ("runs.start", &["run"]),
    ("share.testify", &["by"]),
    ("trajectory.feedback", &["message"]),
    ("trajectory.log", &["description"]),
];
/// The size of a page, which every list shows.
const PAGE: &str = "limit";

/// Returns the example of a request for a verb.
pub fn example(verb: &Registered) -> Value {
    let request = verb.request();
    let required = request["required"].as_array().into_iter().flatten();
    let required = required.filter_map(Value::as_str);
    let more = MORE.iter().filter(|(name, _)| *name == verb.name);
    let more = more.flat_map(|(_, fields)| fields.iter().copied());
    let is_list = verb.method() == "GET" && !request["properties"][PAGE].is_null();
    let more = more.chain(is_list.then_some(PAGE));
    let field = |field: &str| {
        let value = known(verb.name, field);
        let value = value.unwrap_or_else(|| plain(&request["properties"][field]));
        (field.to_owned(), value)
    };
    Value::Object(required.chain(more).map(field).collect::<Map<_, _>>())
}

fn known(verb: &str, field: &str) -> Option<Value> {
    let own = format!("{verb} {field}");
    let find = |name: &str| VALUES.iter().find(|(known, _)| *known == name);
    let (_, text) = find(&own).or_else(|| find(field))?;
    serde_json::from_str(text).ok()
}

/// A value of a schema that no table names.
fn plain(schema: &Value) -> Value {
    if let Some(words) = schema.as_object().and_then(words_of) {
        return words
            .first()
            .map(|word| (*word).clone())
            .unwrap_or_default();
    }
    match schema["type"].as_str() {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(1.into()),
        Some("boolean") => true.into(),
        Some("array") => json!([plain(&schema["items"])]),
        Some("object") => json!({}),
        _ => "text".into(),
    }
}
