//! Redacts all texts of one request: a secret found in one of them is removed from the others, too.

use serde_json::Value;

use super::announce;
use super::value::false_positives::is_placeholder;
use super::value::name;
use super::value::traits::Traits;
use super::value::{Form, is_secret};
use super::{MARK, Redactions, Redactor};
use hindlore_primitives::identity::{derived_hash, hex};

/// Secrets that are looked for in the other texts of a request.
const ECHOES_MAX: usize = 64;
/// Secrets of this many bytes are found inside of words, too.
const INSIDE_MIN: usize = 8;
/// Shorter ones are too likely to be something else.
const ECHO_MIN: usize = 4;
/// Levels of a document that are looked into.
const DEPTH_MAX: u8 = 64;

/// The rule of a secret found in another text.
const ECHO: &str = "echo";

/// Redacts the texts of one request, and counts.
#[derive(Debug)]
pub struct Sweep<'r> {
    redactor: &'r Redactor,
    counts: Redactions,
    /// The removed secrets, to be found where they are repeated.
    seen: Vec<String>,
}

impl<'r> Sweep<'r> {
    pub(super) fn new(redactor: &'r Redactor) -> Self {
        Self {
            redactor,
            counts: Redactions::default(),
            seen: Vec::new(),
        }
    }

    /// Redacts a text.
    pub fn text(&mut self, text: &mut String) {
        self.apply(text, false);
    }

    /// Redacts a text; true when that changed it.
    pub fn changes(&mut self, text: &mut String) -> bool {
        let before = self.counts.total();
        self.text(text);
        self.counts.total() > before
    }

    /// Redacts a text that is known to be a command line.
    pub fn command(&mut self, text: &mut String) {
        self.apply(text, true);
    }

    /// Replaces the secrets in a name by marks that are the same for the same secret, so that the name still matches.
    pub fn name(&mut self, name: &mut String) {
        if is_own_id(name) {
            return;
        }
        let spans = self.redactor.spans(name, false);
        let mut out = String::new();
        let mut done = 0;
        for span in &spans {
            let secret = &name[span.range.clone()];
            out.push_str(&name[done..span.range.start]);
            out.push_str(&named_mark(secret));
            done = span.range.end;
            self.counts.count(span.rule);
        }
        if done > 0 {
            out.push_str(&name[done..]);
            *name = out;
        }
    }

    /// Redacts an optional text.
    pub fn option(&mut self, text: &mut Option<String>) {
        if let Some(text) = text {
            self.text(text);
        }
    }

    /// Redacts every text of a document; the names of its fields announce their values.
    pub fn value(&mut self, value: &mut Value) {
        self.walk(value, (false, 0));
    }

    /// Redacts an action: a command line, its words as a list, or a call with its arguments.
    pub fn action(&mut self, value: &mut Value) {
        self.walk(value, (true, 0));
    }

    /// Removes the secrets of other texts of the request from a text.
    pub fn echo(&mut self, text: &mut String) {
        for at in 0..self.seen.len() {
            let secret = self.seen[at].clone();
            if let Some(other) = without(text, &secret) {
                *text = other;
                self.counts.count(ECHO);
            }
        }
    }

    /// Does so in every text of a document.
    pub fn echo_value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => self.echo(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.echo_value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.echo_value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// The removed secrets.
    pub fn finish(self) -> Redactions {
        self.counts
    }

    fn apply(&mut self, text: &mut String, is_command: bool) {
        let spans = self.redactor.spans(text, is_command);
        if spans.is_empty() {
            return;
        }
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for span in &spans {
            out.push_str(&text[done..span.range.start]);
            out.push_str(MARK);
            done = span.range.end;
            self.counts.count(span.rule);
            self.remember(&text[span.range.clone()]);
        }
        out.push_str(&text[done..]);
        *text = out;
    }

    fn remember(&mut self, secret: &str) {
        let is_new = !self.seen.iter().any(|known| known == secret);
        if is_new && secret.len() >= ECHO_MIN && is_telling(secret) && self.seen.len() < ECHOES_MAX
        {
            self.seen.push(secret.to_owned());
            // The longest first: one may be a part of another.
            self.seen.sort_by_key(|known| usize::MAX - known.len());
        }
    }

    fn walk(&mut self, value: &mut Value, (is_command, depth): (bool, u8)) {
        if depth > DEPTH_MAX || !self.redactor.is_on() {
            return;
        }
        match value {
            Value::String(text) => self.apply(text, is_command),
            Value::Array(items) => self.list(items, (is_command, depth)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    let says = name::says(name.as_bytes()).or_else(|| announce::says(name));
                    match (says, &mut *field) {
                        (Some(says), Value::String(text))
                            if is_secret(says, text, Form::Quoted) =>
                        {
                            self.take(text);
                        }
                        (_, field) => self.field(name, field, (is_command, depth)),
                    }
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn field(&mut self, name: &str, field: &mut Value, (is_command, depth): (bool, u8)) {
        let commands = ["command", "cmd", "argv", "args", "script", "line"];
        let is_command =
            is_command && depth == 0 || commands.contains(&name.to_ascii_lowercase().as_str());
        match field {
            // A header needs its name to be understood.
            Value::String(text) if super::header::kind(name.as_bytes()).is_some() => {
                let mut whole = format!("{name}: {text}");
                self.apply(&mut whole, false);
                *text = whole.split_off(name.len() + 2);
            }
            field => self.walk(field, (is_command, depth + 1)),
        }
    }

    /// A list of words is read as the command that it may be.
    fn list(&mut self, items: &mut [Value], (is_command, depth): (bool, u8)) {
        let are_words = items.iter().all(Value::is_string) && items.len() > 1;
        if !are_words {
            return items
                .iter_mut()
                .for_each(|item| self.walk(item, (is_command, depth + 1)));
        }
        let mut line = String::new();
        let mut places = Vec::with_capacity(items.len());
        for word in items.iter().filter_map(Value::as_str) {
            let start = line.len();
            line.push_str(&quoted(word));
            places.push(start..line.len());
            line.push(' ');
        }
        let spans = self.redactor.spans(&line, is_command || depth == 0);
        // Both are in order, so that each is read once.
        let mut rest = spans.as_slice();
        for (item, place) in items.iter_mut().zip(places) {
            let Value::String(text) = item else {
                continue;
            };
            while let [first, after @ ..] = rest
                && first.range.end <= place.start
            {
                rest = after;
            }
            let hits = rest
                .iter()
                .take_while(|span| span.range.start < place.end)
                .count();
            let before = text.clone();
            self.apply(text, is_command);
            if *text == before && hits > 0 {
                self.word(text, &line, &rest[..hits], &line[place]);
            }
        }
    }

    /// A word of a list that is a secret because of the words before it, or holds one.
    fn word(&mut self, text: &mut String, line: &str, spans: &[super::Span<'_>], written: &str) {
        let found = spans.iter().map(|span| &line[span.range.clone()]);
        let inside = found
            .filter(|secret| written.contains(secret))
            .max_by_key(|secret| secret.len());
        match inside.and_then(|secret| text.find(secret).map(|at| (at, secret.len()))) {
            Some((at, length)) => {
                let secret = text[at..at + length].to_owned();
                text.replace_range(at..at + length, MARK);
                self.counts.count("command-option");
                self.remember(&secret);
            }
            None => self.take(text),
        }
    }

    fn take(&mut self, text: &mut String) {
        if is_placeholder(text) {
            return;
        }
        let secret = std::mem::replace(text, MARK.to_owned());
        self.counts.count("field");
        self.remember(&secret);
    }
}

/// True for an id that the engine made: letters, `_`, and the digits of a hash.
fn is_own_id(name: &str) -> bool {
    name.split_once('_').is_some_and(|(kind, digits)| {
        kind.len() <= 4
            && kind.bytes().all(|b| b.is_ascii_lowercase())
            && digits.len() == 20
            && digits.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

/// The mark of a secret in a name: too short to find the secret by, long enough to distinguish two.
fn named_mark(secret: &str) -> String {
    let hash = derived_hash(&["secret in a name", secret]);
    format!("<secret:{}>", hex(&hash[..3]))
}

/// A word as a shell would read it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:=,+@%^$".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// True when a secret does not read like a common word.
fn is_telling(secret: &str) -> bool {
    let traits = Traits::of(secret);
    let common = [
        "postgres", "password", "changeme", "admin", "root", "guest", "test", "secret", "default",
        "public",
    ];
    let is_word = secret.bytes().all(|b| b.is_ascii_lowercase());
    !common.contains(&secret) && (!is_word || traits.length >= 6) && traits.digits != traits.length
        || traits.digits == traits.length && traits.length >= INSIDE_MIN
}

/// The text without a secret; absent when it does not hold it.
fn without(text: &str, secret: &str) -> Option<String> {
    if secret.is_empty() || MARK.contains(secret) {
        return None;
    }
    let is_word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let bytes = text.as_bytes();
    let plain = secret.bytes().all(|b| b.is_ascii_lowercase());
    let stands = |at: usize| {
        let alone = !is_word(at.checked_sub(1).and_then(|at| bytes.get(at)))
            && !is_word(bytes.get(at + secret.len()));
        alone || secret.len() >= INSIDE_MIN && !plain
    };
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in text.match_indices(secret).filter(|(at, _)| stands(*at)) {
        out.push_str(&text[done..at]);
        out.push_str(MARK);
        done = at + secret.len();
    }
    if done == 0 {
        return None;
    }
    out.push_str(&text[done..]);
    Some(out)
}
