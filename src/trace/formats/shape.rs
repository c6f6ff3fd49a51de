//! The interpreter of the table of formats: finds calls and results in an entry and joins them to steps.
//!
//! A row names the places of a format's runs, entries, calls and results. The marks of a failure have the same names
//! nearly everywhere, so that a row only names the objects that may hold them. Each entry is forgotten once it is read.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use hindlore_primitives::timestamp::Timestamp;
use serde_json::Value;

use super::path::{Sign, first, select};
use super::{Action, action_of, tags};
use crate::collector::{Out, Pending};
use crate::json::{content, text, unpacked};
use crate::marks;
use crate::step::{Outcome, Run};
use crate::streams::Streams;
use crate::verdict::{Answer, Call};
use crate::wrapper;

/// Calls that are remembered in a format that repeats them.
const SEEN_MAX: usize = 65_536;
/// Numbers from here on are milliseconds, below seconds.
const MILLIS_FROM: f64 = 1e11;
/// Fields of the time of an entry.
const TIMES: &[&str] = &[
    "timestamp",
    "created_at",
    "createdAt",
    "time",
    "ts",
    "created",
    "start_time",
    "startTime",
    "info.time.created",
];
/// Fields that hold the message of an error, or only its flag.
const ERRORS: &[&str] = &["error", "errorText", "error_message", "errorMessage"];

/// Where the calls of an entry are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CallAt {
    /// Path of the objects that are calls.
    pub(crate) at: &'static str,
    pub(crate) when: &'static [Sign],
    pub(crate) id: &'static [&'static str],
    pub(crate) name: &'static [&'static str],
    pub(crate) arguments: &'static [&'static str],
}

/// Where the results of an entry are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ResultAt {
    /// Path of the objects that are results.
    pub(crate) at: &'static str,
    pub(crate) when: &'static [Sign],
    pub(crate) of: Of,
    pub(crate) text: &'static [&'static str],
    /// Further objects that may hold a mark of failure.
    pub(crate) marks: &'static [&'static str],
}

/// The calls that a result answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Of {
    /// The one that a field names; without such a field the oldest one.
    Id(&'static [&'static str]),
    /// Every one that waits.
    All,
    /// The oldest one, for each part of the text below a title of Cline.
    Titles,
}

/// The calls and results of a format; of each, the first that fits an entry is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Shapes {
    pub(crate) calls: &'static [CallAt],
    pub(crate) results: &'static [ResultAt],
}

impl Shapes {
    /// True for an entry with a call or a result.
    pub(crate) fn fit(&self, entry: &Value) -> bool {
        !self.calls_in(entry).is_empty() || self.results_in(entry).is_some()
    }

    fn calls_in(&self, entry: &Value) -> Vec<Found> {
        let mut found = self.calls.iter().map(|shape| shape.find(entry));
        found.find(|calls| !calls.is_empty()).unwrap_or_default()
    }

    fn results_in<'v>(&self, entry: &'v Value) -> Option<(&ResultAt, Vec<&'v Value>)> {
        self.results.iter().find_map(|shape| {
            let mut found = select(entry, shape.at);
            found.retain(|value| shape.when.iter().all(|sign| sign.fits(value)));
            (!found.is_empty()).then_some((shape, found))
        })
    }
}

/// A call that was found.
struct Found {
    id: Option<String>,
    name: String,
    action: Action,
}

impl CallAt {
    fn find(&self, entry: &Value) -> Vec<Found> {
        let mut found = select(entry, self.at);
        found.retain(|value| self.when.iter().all(|sign| sign.fits(value)));
        let calls = found.into_iter().flat_map(|value| match value {
            Value::String(words) => tags::calls(words)
                .into_iter()
                .map(|(name, arguments)| Found {
                    id: None,
                    action: action_of(&name, &arguments),
                    name,
                })
                .collect(),
            object => self.call(object).into_iter().collect::<Vec<_>>(),
        });
        calls.collect()
    }

    fn call(&self, object: &Value) -> Option<Found> {
        let name = first(object, self.name)?.as_str()?;
        // Parts of user interfaces have types such as `tool-search`.
        let name = name.strip_prefix("tool-").unwrap_or(name);
        let arguments = first(object, self.arguments).unwrap_or(&Value::Null);
        Some(Found {
            id: first(object, self.id).and_then(id_of),
            name: name.to_owned(),
            action: action_of(name, &unpacked(arguments)),
        })
    }
}

impl ResultAt {
    fn answer(&self, result: &Value, at: Option<Timestamp>) -> Answer {
        let mut places = vec![result];
        places.extend(self.marks.iter().flat_map(|path| select(result, path)));
        let ended = marks::of(&places);
        let error = places.iter().find_map(|place| error_of(place));
        let words = first(result, self.text).map(content).unwrap_or_default();
        let stream = |name: &str| places.iter().find_map(|place| text(place, name));
        let streams = (stream("stdout").or(stream("stderr"))).map(|_| Streams {
            stdout: stream("stdout").unwrap_or_default().to_owned(),
            stderr: stream("stderr").unwrap_or_default().to_owned(),
        });
        let has_words = !words.trim().is_empty();
        Answer {
            text: if has_words {
                words
            } else {
                error.clone().unwrap_or_default()
            },
            streams: streams.filter(|_| !has_words),
            exit_code: ended.exit_code,
            failed: error.is_some().then_some(true).or(ended.failed),
            stopped: ended.stopped,
            at,
        }
    }
}

/// The message of an error that an object records; empty where it only records that there is one.
fn error_of(place: &Value) -> Option<String> {
    let error = ERRORS.iter().find_map(|name| place.get(*name))?;
    match error {
        Value::Bool(true) => Some(String::new()),
        Value::String(words) if !words.is_empty() => Some(words.clone()),
        Value::Object(object) => {
            let message = text(error, "message").map(str::to_owned);
            (!object.is_empty()).then(|| message.unwrap_or_else(|| content(error)))
        }
        _ => None,
    }
}

fn id_of(value: &Value) -> Option<String> {
    match value {
        Value::String(id) if !id.is_empty() => Some(id.clone()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}

/// The time of an entry: RFC 3339, or a number of seconds or milliseconds.
pub(crate) fn time_of(entry: &Value) -> Option<Timestamp> {
    let value = first(entry, TIMES)?;
    if let Some(text) = value.as_str() {
        return Timestamp::parse(text);
    }
    let number = value.as_f64()?;
    let millis = if number < MILLIS_FROM {
        number * 1e3
    } else {
        number
    };
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a time has no fractions of milliseconds"
    )]
    Some(Timestamp::from_millis(millis as i64))
}

/// Joins the calls and results of entries.
#[derive(Default)]
pub(crate) struct Joiner {
    pending: Pending,
    seen: HashSet<u64>,
}

/// The place of an entry.
pub(crate) struct Place {
    /// Run, line and task of its calls.
    pub(crate) begun: Call,
    /// The format repeats entries; one call in the same position is one step.
    pub(crate) position: Option<usize>,
}

impl Joiner {
    /// Takes an entry.
    pub(crate) fn entry(
        &mut self,
        entry: &Value,
        shapes: &Shapes,
        place: &Place,
        out: &mut Out<'_>,
    ) {
        let begun = &place.begun;
        let at = time_of(entry).or(begun.at);
        for (index, found) in shapes.calls_in(entry).into_iter().enumerate() {
            let id = found.id.clone();
            if self.is_known(place, index, id.as_deref(), &found.action) {
                continue;
            }
            let call = Call {
                id,
                tool: Some(found.name),
                action: found.action,
                at,
                ..begun.clone()
            };
            // A later state of a call that still waits has more of its arguments.
            if place.position.is_some() && call.id.is_some() {
                self.pending.take(call.id.as_deref());
            }
            self.pending.add(call, out);
        }
        let Some((shape, results)) = shapes.results_in(entry) else {
            return;
        };
        for result in results {
            let answer = shape.answer(result, at);
            match shape.of {
                Of::All => self.answer_all(&answer, out),
                Of::Titles => {
                    for text in wrapper::titled(&answer.text) {
                        let answer = Answer {
                            text,
                            ..answer.clone()
                        };
                        self.answer(None, place, answer, out);
                    }
                }
                Of::Id(paths) => {
                    let id = first(result, paths).and_then(id_of);
                    self.answer(id.as_deref(), place, answer, out);
                }
            }
        }
    }

    /// Remembers a call that is a step already.
    pub(crate) fn know(&mut self, run: &Run, id: &str) {
        let known = hash(&(run, id));
        if self.seen.len() < SEEN_MAX {
            self.seen.insert(known);
        }
    }

    /// Reports all that still wait.
    pub(crate) fn finish(&mut self, out: &mut Out<'_>) {
        self.pending.finish(out);
    }

    /// True for a call that was read before, in a format that repeats them.
    fn is_known(&mut self, place: &Place, index: usize, id: Option<&str>, action: &Action) -> bool {
        let Some(position) = place.position else {
            return false;
        };
        let run = &place.begun.run;
        if id.is_some_and(|id| self.seen.contains(&hash(&(run, id)))) {
            return true;
        }
        let position = id.is_none().then_some((position, index));
        let known = hash(&(run, id, position, action.to_value().to_string()));
        if self.seen.len() >= SEEN_MAX {
            self.seen.clear();
        }
        !self.seen.insert(known)
    }

    fn answer(&mut self, id: Option<&str>, place: &Place, answer: Answer, out: &mut Out<'_>) {
        let is_repeated = place.position.is_some();
        match id {
            // The result of a call that is a step already.
            Some(id) if is_repeated && !self.pending.has(id) => {}
            Some(id) => self.pending.answer(Some(id), place.begun.line, answer, out),
            None => match self.pending.take_oldest() {
                Some(call) => out.step(call.answered(answer)),
                None if is_repeated => {}
                None => self.pending.answer(None, place.begun.line, answer, out),
            },
        }
    }

    /// Of several calls with one result, it is unknown which one failed.
    fn answer_all(&mut self, answer: &Answer, out: &mut Out<'_>) {
        let calls: Vec<Call> = std::iter::from_fn(|| self.pending.take_oldest()).collect();
        let is_shared = calls.len() > 1 && answer.failed == Some(true);
        for call in calls {
            let stopped = is_shared.then_some(Outcome::Unknown).or(answer.stopped);
            out.step(call.answered(Answer {
                stopped,
                ..answer.clone()
            }));
        }
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
