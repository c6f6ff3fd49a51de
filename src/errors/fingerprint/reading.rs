//! Reads the evidence of a failed step into a normaliser: the error's text, or its data in the order of their keys, and
//! without either the transition itself.

use serde_json::Value;
use sha2::{Digest, Sha256};

use super::normaliser::Normaliser;
use super::{Evidence, structure};
use hindlore_primitives::ids::FingerprintId;

/// JSON larger than this is read as text.
const JSON_MAX_BYTES: usize = 16 * 1_024;
/// Levels of nesting that are read.
const DEPTH_MAX: usize = 16;

/// The role of the texts inside data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// The message of an error, which the coarse level keeps.
    Message,
    /// Values, which the coarse level masks.
    Quoted,
}

/// Puts a failed step: its error alone, or the transition where there is no error text.
pub(super) fn put_step(normaliser: &mut Normaliser, evidence: &Evidence) {
    normaliser.clear();
    match &evidence.error {
        Value::String(text) => put_error(normaliser, text),
        other => put_value(normaliser, other, Strings::Message, 0),
    }
    // The same text is the same error, whether or not a caller reports the action with it.
    if normaliser.fine().is_empty() {
        put_transition(normaliser, evidence);
    }
}

/// Puts an error text, which may be JSON as HTTP services send it.
pub(super) fn put_error(normaliser: &mut Normaliser, text: &str) {
    match embedded_json(text) {
        Some(value) => put_value(normaliser, &value, Strings::Message, 0),
        None => normaliser.put_text(text),
    }
}

/// Returns the identities of the normalised text, fine and coarse.
pub(super) fn ids(normaliser: &Normaliser) -> (FingerprintId, FingerprintId) {
    let fine = hashed(normaliser.fine());
    if normaliser.fine() == normaliser.coarse() {
        return (fine, fine);
    }
    (fine, hashed(normaliser.coarse()))
}

/// Puts keys and values in the order of the keys.
fn put_value(normaliser: &mut Normaliser, value: &Value, strings: Strings, depth: usize) {
    if depth > DEPTH_MAX {
        return;
    }
    match value {
        Value::Object(map) => {
            for (key, item) in structure::sorted(map) {
                normaliser.put_text(key);
                if item.is_string() && is_identifying(key) {
                    normaliser.put_identifier();
                } else {
                    put_value(normaliser, item, strings, depth + 1);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                put_value(normaliser, item, strings, depth + 1);
            }
        }
        Value::String(text) if strings == Strings::Quoted => normaliser.put_quoted(text),
        Value::String(text) => normaliser.put_text(text),
        Value::Null => {}
        plain => normaliser.put_text(&plain.to_string()),
    }
}

fn put_transition(normaliser: &mut Normaliser, evidence: &Evidence) {
    let parts = [
        ("before", &evidence.state),
        ("action", &evidence.action),
        ("after", &evidence.state_after),
    ];
    for (name, value) in parts {
        if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
            continue;
        }
        normaliser.put_text(name);
        let strings = if value.is_string() {
            Strings::Message
        } else {
            Strings::Quoted
        };
        put_value(normaliser, value, strings, 0);
    }
    if !evidence.reason.trim().is_empty() {
        normaliser.put_text("reason");
        normaliser.put_text(&evidence.reason);
    }
}

/// Whether a key announces a value that differs between occurrences.
fn is_identifying(key: &str) -> bool {
    let mut plain: Vec<u8> = key.bytes().filter(u8::is_ascii_alphanumeric).collect();
    plain.make_ascii_lowercase();
    [
        &b"trace"[..],
        b"traceid",
        b"tracingid",
        b"spanid",
        b"requestid",
        b"reqid",
        b"xrequestid",
        b"correlationid",
        b"sessionid",
        b"eventid",
        b"instanceid",
        b"uuid",
        b"guid",
        b"nonce",
        b"etag",
    ]
    .contains(&plain.as_slice())
}

/// JSON that an error text consists of.
fn embedded_json(text: &str) -> Option<Value> {
    let text = text.trim();
    let looks_like = (text.starts_with('{') && text.ends_with('}'))
        || (text.starts_with('[') && text.ends_with(']'));
    if !looks_like || text.len() > JSON_MAX_BYTES {
        return None;
    }
    serde_json::from_str(text).ok()
}

fn hashed(identity: &str) -> FingerprintId {
    let mut hasher = Sha256::new();
    hasher.update([b'f', b'p', Normaliser::VERSION, 0]);
    hasher.update(identity);
    let mut id = [0; 10];
    id.copy_from_slice(&hasher.finalize()[..10]);
    FingerprintId(id)
}
