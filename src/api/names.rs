//! Secrets in the names of a request: ids, runs, groups, files, and the keys of objects.
//!
//! Texts are redacted by the engine, which counts them. A name has to match again later, so that a secret in one is
//! replaced by a mark that is always the same for the same secret. Every request passes here before a verb reads it.

use serde_json::{Map, Value};

use hindlore_domain::memory::key::MemoryKey;
use hindlore_redact::{Redactor, Sweep};

/// Fields that hold a name; a list of names counts as the field.
const NAME_FIELDS: &[&str] = &[
    "activation",
    "bullet",
    "by",
    "call",
    "conversation_id",
    "delete_entities",
    "entity",
    "entity_type",
    "file",
    "from",
    "group",
    "harmed",
    "helped",
    "id",
    "ids",
    "ignored",
    "into",
    "leader",
    "learner",
    "lesson",
    "member",
    "name",
    "names",
    "object",
    "one",
    "only_learner",
    "other",
    "parent",
    "playbook",
    "playbooks",
    "reflection",
    "reflections",
    "relation_type",
    "retrieval",
    "run",
    "scope",
    "sections",
    "session",
    "source_id",
    "sources",
    "step_id",
    "subject",
    "target_id",
    "to",
    "trajectories",
    "trajectory",
    "used",
];

/// Levels of a request that are read.
const DEPTH_MAX: u8 = 64;

/// How a string of a request is redacted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// A name, which has to match again.
    Name,
    /// A text that no code after the verb redacts.
    Text,
    /// A text that the engine redacts.
    Other,
}

/// Replaces the secrets in the names of a request, and in its texts where the engine does not.
pub(super) fn redact(redactor: &Redactor, verb: &str, request: &mut Value) {
    // Playbooks are stored as they come.
    let texts = if verb.starts_with("playbook.") {
        Kind::Text
    } else {
        Kind::Other
    };
    if redactor.is_on() {
        walk(&mut redactor.sweep(), request, (texts, texts), 0);
    }
}

/// Replaces the secrets in the names of a memory.
pub(super) fn redacted_key(redactor: &Redactor, key: MemoryKey) -> MemoryKey {
    if !redactor.is_on() {
        return key;
    }
    let mut sweep = redactor.sweep();
    let [mut tenant, mut learner, mut scope] =
        [key.tenant(), key.learner(), key.scope()].map(str::to_owned);
    for name in [&mut tenant, &mut learner, &mut scope] {
        sweep.name(name);
    }
    // A mark may make a name too long; then it is refused later, with its own message.
    MemoryKey::new(&tenant, &learner, &scope).unwrap_or(key)
}

/// Redacts a value by its kind; `texts` is the kind of values below it that are no names.
fn walk(sweep: &mut Sweep<'_>, value: &mut Value, (kind, texts): (Kind, Kind), depth: u8) {
    match value {
        _ if depth > DEPTH_MAX => {}
        Value::String(text) => match kind {
            Kind::Name => sweep.name(text),
            Kind::Text => sweep.text(text),
            Kind::Other => {}
        },
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| walk(sweep, item, (kind, texts), depth + 1)),
        Value::Object(fields) => object(sweep, fields, texts, depth),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn object(sweep: &mut Sweep<'_>, fields: &mut Map<String, Value>, texts: Kind, depth: u8) {
    let mut renamed = Vec::new();
    for (field, value) in fields.iter_mut() {
        let kind = match NAME_FIELDS.binary_search(&field.as_str()) {
            Ok(_) => Kind::Name,
            Err(_) => texts,
        };
        walk(sweep, value, (kind, texts), depth + 1);
        let mut name = field.clone();
        sweep.name(&mut name);
        if name != *field {
            renamed.push((field.clone(), name));
        }
    }
    for (old, new) in renamed {
        if let Some(value) = fields.remove(&old) {
            fields.insert(new, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_secret_in_a_name_is_always_the_same_mark_and_two_secrets_are_two() {
        assert!(NAME_FIELDS.is_sorted());
        let secret = |letter: &str| format!("glpat-{}7{}", "x4Kq2ZnR9".repeat(2), letter.repeat(2));
        let mut request = json!({
            "run": format!("run of {}", secret("m")),
            "id": secret("m"),
            "sources": [secret("n")],
            "metadata": {secret("m"): {"plain": 1}},
            "text": secret("m"),
        });
        redact(&Redactor::default(), "runs.start", &mut request);
        let id = request["id"].as_str().unwrap().to_owned();
        assert!(id.starts_with("<secret:") && id.len() == 15, "{id}");
        assert_eq!(request["run"], format!("run of {id}"));
        assert_eq!(request["metadata"][&id]["plain"], 1);
        assert_ne!(request["sources"][0], id);
        // A text is the engine's to redact and to count.
        assert_eq!(request["text"], secret("m"));
        let again = request.clone();
        redact(&Redactor::default(), "runs.start", &mut request);
        assert_eq!(request, again);
    }

    #[test]
    fn ids_of_ours_and_hashes_stay() {
        let mut request = json!({
            "id": "l_0123456789abcdef0123",
            "run": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b",
            "retrieval": "6fa459ea-ee8a-3ca4-894e-db77e160355e",
            "subject": "agent:alice",
        });
        let before = request.clone();
        redact(&Redactor::default(), "runs.start", &mut request);
        assert_eq!(request, before);
    }

    #[test]
    fn a_scope_keeps_no_token_of_an_address() {
        let scope = format!(
            "host.example/a/b?private_token=glpat-{}7",
            "x4Kq2ZnR9".repeat(2)
        );
        let key = MemoryKey::new("t", "l", &scope).unwrap();
        let key = redacted_key(&Redactor::default(), key);
        assert!(
            key.scope()
                .starts_with("host.example/a/b?private_token=<secret:")
        );
    }
}
