//! The fingerprint: the identity of an error, from its structure and not from its literals.
//!
//! It is a stateless function: two instances that never talk give one error the same fingerprint, which
//! a parser that learns templates in order of arrival cannot. The normaliser's version is part of what
//! is hashed, so that a change of rules makes new fingerprints and never silently joins old ones.
//!
//! Each error has two: *fine* keeps quoted text, *coarse* masks it. Without quoted text they are one.

mod class;
mod classic;
mod fold;
mod lists;
mod scan;
mod shape;
mod sink;
mod structure;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

pub use self::classic::{classic_fingerprint, classic_normalised};
use self::scan::{Quotes, scan};
use self::sink::{Form, Mask, Sink};
pub use super::ids::FingerprintId;
use crate::text::words::is_unspaced;
use crate::word_enum;

/// The version of every rule and list below this folder; it is part of each fingerprint.
pub const NORMALISER_VERSION: u32 = 1;

/// The longest normalised text that is kept for reading and comparing, in characters.
pub const NORMALISED_MAX_CHARS: usize = 1_000;

/// JSON larger than this is read as text.
const JSON_MAX_BYTES: usize = fold::TEXT_MAX_BYTES;
/// Levels of nesting that are read.
const DEPTH_MAX: usize = 16;

word_enum! {
    /// Which of the two fingerprints of an error.
    Level {
        /// Quoted text is kept.
        Fine = "fine",
        /// Quoted text is masked.
        Coarse = "coarse",
    }
}

/// A fingerprint with the normalised text that a reader sees.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Its identity.
    pub id: FingerprintId,
    /// The pieces with typed masks, cut to [`NORMALISED_MAX_CHARS`].
    pub normalised: String,
}

impl Fingerprint {
    /// The pieces of the normalised text as a sorted set, for comparing two fingerprints.
    pub fn pieces(&self) -> Vec<String> {
        pieces(&self.normalised)
    }
}

/// The two fingerprints of one error.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fingerprints {
    /// With quoted text.
    pub fine: Fingerprint,
    /// Without it; equal to `fine` when nothing is quoted.
    pub coarse: Fingerprint,
}

impl Fingerprints {
    /// Tells on which level an id stands here.
    pub fn level_of(&self, id: FingerprintId) -> Option<Level> {
        if self.fine.id == id {
            return Some(Level::Fine);
        }
        (self.coarse.id == id).then_some(Level::Coarse)
    }

    /// The ids, fine first, each once.
    pub fn ids(&self) -> Vec<FingerprintId> {
        let mut ids = vec![self.fine.id, self.coarse.id];
        ids.dedup();
        ids
    }
}

/// What is known about a failed step, as the adapter reported it; absent parts are `Null`.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Evidence {
    /// The error: a text, or JSON.
    pub error: Value,
    /// The state before the action.
    pub state: Value,
    /// The action: a command line, a list of arguments, or a tool call.
    pub action: Value,
    /// The state after it.
    pub state_after: Value,
    /// Why the step counts as failed.
    pub reason: String,
}

/// Computes fingerprints, and keeps its buffers from one to the next.
pub struct Fingerprinter {
    folded: String,
    fine: Sink,
    coarse: Sink,
}

impl Default for Fingerprinter {
    fn default() -> Self {
        Self::in_form(Form::Identity)
    }
}

impl Fingerprinter {
    fn in_form(form: Form) -> Self {
        Self {
            folded: String::new(),
            fine: Sink::new(form),
            coarse: Sink::new(form),
        }
    }

    /// The fine and the coarse fingerprint of a text alone; this is the fast way for log lines.
    pub fn of_text(&mut self, text: &str) -> (FingerprintId, FingerprintId) {
        self.clear();
        let differ = match embedded_json(text) {
            Some(value) => self.put_value(&value, Strings::Message, 0),
            None => self.put_text(text),
        };
        self.ids(&Context::default(), differ)
    }

    /// The fingerprints of a failed step.
    pub fn of(&mut self, evidence: &Evidence) -> Fingerprints {
        let context = self.put(evidence);
        let (fine, coarse) = self.ids(&context, true);
        let mut shown = Self::in_form(Form::Shown);
        shown.put(evidence);
        Fingerprints {
            fine: cut(fine, shown.fine.text()),
            coarse: cut(coarse, shown.coarse.text()),
        }
    }

    fn put(&mut self, evidence: &Evidence) -> Context {
        self.clear();
        match &evidence.error {
            Value::String(text) => match embedded_json(text) {
                Some(value) => self.put_value(&value, Strings::Message, 0),
                None => self.put_twice(text),
            },
            other => self.put_value(other, Strings::Message, 0),
        };
        if self.fine.text().is_empty() {
            // The signature holds state and action in full.
            self.put_transition(evidence);
            return Context::default();
        }
        Context {
            state: structure::of_state(&evidence.state),
            action: structure::of_action(&evidence.action),
        }
    }

    fn clear(&mut self) {
        self.fine.clear();
        self.coarse.clear();
    }

    /// Puts the pieces of a text; tells whether the coarse ones were put, which they are only when
    /// something is quoted.
    fn put_text(&mut self, text: &str) -> bool {
        fold::fold_into(&fold::bounded(text), &mut self.folded);
        let quoted = scan(&self.folded, Quotes::Keep, &mut self.fine);
        if quoted {
            scan(&self.folded, Quotes::Mask, &mut self.coarse);
        }
        quoted
    }

    fn put_twice(&mut self, text: &str) -> bool {
        if !self.put_text(text) {
            scan(&self.folded, Quotes::Mask, &mut self.coarse);
        }
        true
    }

    /// Puts keys and values in the order of the keys.
    fn put_value(&mut self, value: &Value, strings: Strings, depth: usize) -> bool {
        if depth > DEPTH_MAX {
            return true;
        }
        match value {
            Value::Object(map) => {
                for (key, item) in structure::sorted(map) {
                    self.put_twice(key);
                    self.put_value(item, strings, depth + 1);
                }
            }
            Value::Array(items) => {
                for item in items {
                    self.put_value(item, strings, depth + 1);
                }
            }
            Value::String(text) if strings == Strings::Quoted => {
                fold::fold_into(&fold::bounded(text), &mut self.folded);
                scan(&self.folded, Quotes::Keep, &mut self.fine);
                self.coarse.mask(Mask::Quoted);
            }
            Value::String(text) => {
                self.put_twice(text);
            }
            Value::Null => {}
            plain => {
                self.put_twice(&plain.to_string());
            }
        }
        true
    }

    fn put_transition(&mut self, evidence: &Evidence) {
        let parts = [
            ("before", &evidence.state),
            ("action", &evidence.action),
            ("after", &evidence.state_after),
        ];
        for (name, value) in parts {
            if value.is_null() || value.as_str().is_some_and(|text| text.trim().is_empty()) {
                continue;
            }
            self.put_twice(name);
            let strings = if value.is_string() {
                Strings::Message
            } else {
                Strings::Quoted
            };
            self.put_value(value, strings, 0);
        }
        if !evidence.reason.trim().is_empty() {
            self.put_twice("reason");
            self.put_twice(&evidence.reason);
        }
    }

    fn ids(&self, context: &Context, differ: bool) -> (FingerprintId, FingerprintId) {
        let fine = hashed(self.fine.text(), context);
        if !differ || self.fine.text() == self.coarse.text() {
            return (fine, fine);
        }
        (fine, hashed(self.coarse.text(), context))
    }
}

/// What the texts inside data are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Strings {
    /// The message of an error, which the coarse level keeps.
    Message,
    /// Values, which the coarse level masks.
    Quoted,
}

/// The structure around an error text.
#[derive(Default)]
struct Context {
    state: String,
    action: String,
}

/// JSON that an error text consists of, as HTTP services send it.
fn embedded_json(text: &str) -> Option<Value> {
    let text = text.trim();
    let looks_like = (text.starts_with('{') && text.ends_with('}'))
        || (text.starts_with('[') && text.ends_with(']'));
    if !looks_like || text.len() > JSON_MAX_BYTES {
        return None;
    }
    serde_json::from_str(text).ok()
}

fn hashed(identity: &str, context: &Context) -> FingerprintId {
    let mut hasher = Sha256::new();
    hasher.update([b'f', b'p', NORMALISER_VERSION as u8, 0]);
    hasher.update(identity);
    for part in [&context.state, &context.action] {
        // No piece holds a control character, so the parts cannot run into each other.
        hasher.update([0]);
        hasher.update(part);
    }
    let mut id = [0; 10];
    id.copy_from_slice(&hasher.finalize()[..10]);
    FingerprintId(id)
}

fn cut(id: FingerprintId, text: &str) -> Fingerprint {
    let end = text
        .char_indices()
        .nth(NORMALISED_MAX_CHARS)
        .map_or(text.len(), |(at, _)| at);
    Fingerprint {
        id,
        normalised: text[..end].to_owned(),
    }
}

/// The pieces of a normalised text as a sorted set; words of scripts without blanks become pairs.
pub fn pieces(normalised: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    for piece in normalised.split(' ').filter(|piece| !piece.is_empty()) {
        let chars: Vec<char> = piece.chars().collect();
        if chars.len() > 2 && chars.iter().all(|c| is_unspaced(*c)) {
            pieces.extend(chars.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else {
            pieces.push(piece.to_owned());
        }
    }
    pieces.sort_unstable();
    pieces.dedup();
    pieces
}

#[cfg(test)]
mod tests;
