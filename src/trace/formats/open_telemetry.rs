//! Spans of OpenTelemetry that follow its conventions for generative AI: OTLP as JSON, or spans with flat attributes.
//!
//! A span of a tool is a step; conversation, else trace, is the run. A span of a model may hold the messages with calls
//! and results instead, all of them again in each later span. Exporters write spans when they end, a caller after its
//! callees, so the spans of a document are sorted by their start.

use hindlore_primitives::timestamp::Timestamp;
use serde_json::{Map, Value};

use super::shape::{Joiner, Place};
use super::shapes::{MESSAGES, SPANS};
use super::{Confidence, action_of, flat, has_list, name_of};
use crate::collector::Out;
use crate::json::{At, Values, content, text, unpacked};
use crate::step::{Run, Step};
use crate::verdict::{Answer, Call};

const NANOS_PER_MILLI: i64 = 1_000_000;

/// Attributes of a span, or of its events, that hold messages.
const MESSAGES_IN: &[&str] = &[
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "input.messages",
];
/// Attributes that make a span one of a tool, each with its value.
const TOOLS: &[(&str, &str)] = &[
    ("gen_ai.operation.name", "execute_tool"),
    ("mcp.method.name", "tools/call"),
    ("openinference.span.kind", "TOOL"),
    ("traceloop.span.kind", "tool"),
];

/// Reads spans.
#[derive(Default)]
pub(crate) struct OpenTelemetry {
    joiner: Joiner,
}

/// Rates how well a record fits.
pub(crate) fn looks_like(record: &Value) -> Confidence {
    if groups(record).is_some() {
        return Confidence::Certain;
    }
    let attributes = attributes(record);
    let has_messages = MESSAGES_IN
        .iter()
        .any(|name| attributes.contains_key(*name))
        || !flat::messages(&attributes).is_empty();
    if is_tool(&attributes) || has_messages {
        return Confidence::Likely;
    }
    Confidence::No
}

fn groups(record: &Value) -> Option<&Vec<Value>> {
    let names = ["resourceSpans", "resource_spans"];
    names.iter().find_map(|name| record.get(*name)?.as_array())
}

impl Values for OpenTelemetry {
    fn value(&mut self, record: &Value, at: At<'_>, out: &mut Out<'_>) {
        let mut spans = Vec::new();
        match groups(record) {
            Some(groups) => groups.iter().for_each(|group| collect(group, &mut spans)),
            None => spans.push(record),
        }
        // By start time; a stable sort leaves spans without a time in place.
        spans.sort_by_key(|span| time(span, true));
        for span in spans {
            let attributes = attributes(span);
            let run = run_of(span, &attributes);
            if !is_tool(&attributes) {
                let begun = Call {
                    run,
                    line: at.line,
                    at: time(span, false),
                    ..Call::default()
                };
                self.messages(span, &attributes, &begun, out);
                continue;
            }
            if let Some(id) = attributes
                .get("gen_ai.tool.call.id")
                .and_then(Value::as_str)
            {
                self.joiner.know(&run, id);
            }
            out.step(step(span, &attributes, run, at.line));
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.joiner.finish(out);
    }
}

impl OpenTelemetry {
    /// The calls in the messages of a span of a model.
    fn messages(
        &mut self,
        span: &Value,
        held: &Map<String, Value>,
        begun: &Call,
        out: &mut Out<'_>,
    ) {
        let events = span.get("events").and_then(Value::as_array);
        let events = events.into_iter().flatten().map(attributes);
        let holders = std::iter::once(held.clone()).chain(events);
        let lists = holders.flat_map(|holder| {
            let values = MESSAGES_IN.iter().filter_map(|name| holder.get(*name));
            values.map(unpacked).collect::<Vec<_>>()
        });
        let messages = lists.filter_map(into_list).flatten();
        let messages = messages.chain(flat::messages(held));
        for (position, message) in messages.enumerate() {
            let place = Place {
                begun: begun.clone(),
                position: Some(position),
            };
            let shapes = if SPANS.fit(&message) {
                &SPANS
            } else {
                &MESSAGES
            };
            self.joiner.entry(&message, shapes, &place, out);
        }
    }
}

fn into_list(value: Value) -> Option<Vec<Value>> {
    match value {
        Value::Array(list) => Some(list),
        _ => None,
    }
}

fn collect<'v>(group: &'v Value, spans: &mut Vec<&'v Value>) {
    let names = ["scopeSpans", "scope_spans", "instrumentationLibrarySpans"];
    let scopes = names
        .iter()
        .filter_map(|name| group.get(*name)?.as_array())
        .flatten();
    for scope in scopes {
        spans.extend(
            scope
                .get("spans")
                .and_then(Value::as_array)
                .into_iter()
                .flatten(),
        );
    }
}

/// The attributes of a span by name: a list of keys with typed values, or an object.
fn attributes(span: &Value) -> Map<String, Value> {
    match span.get("attributes") {
        Some(Value::Object(object)) => object.clone(),
        Some(Value::Array(list)) => list
            .iter()
            .filter_map(|pair| Some((text(pair, "key")?.to_owned(), typed(pair.get("value")?))))
            .collect(),
        _ => Map::new(),
    }
}

/// A value of OTLP without its type.
fn typed(value: &Value) -> Value {
    let Some(object) = value.as_object() else {
        return value.clone();
    };
    let Some((kind, inner)) = object.iter().next() else {
        return Value::Null;
    };
    let list = |inner: &Value| {
        inner
            .get("values")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default()
    };
    match kind.as_str() {
        "intValue" => inner
            .as_str()
            .and_then(|text| text.parse::<i64>().ok())
            .map_or(inner.clone(), Value::from),
        "arrayValue" => list(inner).iter().map(typed).collect(),
        "kvlistValue" => list(inner)
            .iter()
            .filter_map(|pair| Some((text(pair, "key")?.to_owned(), typed(pair.get("value")?))))
            .collect::<Map<_, _>>()
            .into(),
        _ => inner.clone(),
    }
}

fn is_tool(attributes: &Map<String, Value>) -> bool {
    let is = |name: &str, value: &str| attributes.get(name).and_then(Value::as_str) == Some(value);
    TOOLS.iter().any(|(name, value)| is(name, value))
        || (attributes.contains_key("gen_ai.tool.name")
            && !attributes.contains_key("gen_ai.request.model"))
}

/// The run of a span: its conversation, else its trace.
fn run_of(span: &Value, attributes: &Map<String, Value>) -> Run {
    let names = ["gen_ai.conversation.id", "session.id"];
    let mut conversations = names
        .iter()
        .filter_map(|name| attributes.get(*name)?.as_str());
    let context = span.get("context").unwrap_or(&Value::Null);
    let trace = || {
        let names = ["traceId", "trace_id"];
        let mut traces = names.iter();
        traces.find_map(|name| name_of(span, name).or_else(|| name_of(context, name)))
    };
    let name = conversations.next().map(str::to_owned).or_else(trace);
    name.map_or_else(Run::default, Run::Named)
}

fn step(span: &Value, attributes: &Map<String, Value>, run: Run, line: usize) -> Step {
    let attribute = |names: &[&str]| names.iter().find_map(|name| attributes.get(*name)).cloned();
    let named = attribute(&[
        "gen_ai.tool.name",
        "mcp.tool.name",
        "tool.name",
        "traceloop.entity.name",
    ]);
    let name = named.as_ref().and_then(Value::as_str);
    let name = name
        .or_else(|| text(span, "name"))
        .unwrap_or("tool")
        .trim_start_matches("execute_tool ");
    let arguments = attribute(&[
        "gen_ai.tool.call.arguments",
        "gen_ai.tool.arguments",
        "input.value",
        "traceloop.entity.input",
    ]);
    let call = Call {
        run,
        line,
        tool: Some(name.to_owned()),
        action: action_of(name, &arguments.unwrap_or(Value::Null)),
        ..Call::default()
    };
    let result = attribute(&[
        "gen_ai.tool.call.result",
        "gen_ai.tool.result",
        "output.value",
        "traceloop.entity.output",
    ]);
    let result = result
        .map(|result| content(&unpacked(&result)))
        .unwrap_or_default();
    let error = error(span, attributes);
    call.answered(Answer {
        failed: Some(error.is_some()),
        text: error.filter(|error| !error.is_empty()).unwrap_or(result),
        at: time(span, false),
        ..Answer::default()
    })
}

/// The message of a span that failed, empty where it has none; absent for one that did not.
fn error(span: &Value, attributes: &Map<String, Value>) -> Option<String> {
    let status = span.get("status").unwrap_or(&Value::Null);
    let code = status
        .get("code")
        .or_else(|| status.get("status_code"))
        .unwrap_or(status);
    let is_error = code.as_i64() == Some(2)
        || matches!(
            code.as_str(),
            Some("STATUS_CODE_ERROR" | "ERROR" | "Error" | "StatusCode.ERROR")
        );
    let kind = attributes.get("error.type").and_then(Value::as_str);
    if !is_error && kind.is_none() {
        return None;
    }
    let said = text(status, "message").or_else(|| text(status, "description"));
    let message = said
        .map(str::to_owned)
        .or_else(|| exception(span))
        .unwrap_or_default();
    match kind {
        // `_OTHER` means an unnamed kind.
        Some(kind) if kind != "_OTHER" && !message.contains(kind) => Some(
            format!("{kind}: {message}")
                .trim_end_matches([':', ' '])
                .to_owned(),
        ),
        _ => Some(message),
    }
}

/// The message of the exception that a span recorded.
fn exception(span: &Value) -> Option<String> {
    if !has_list(span, "events", |event| {
        text(event, "name") == Some("exception")
    }) {
        return None;
    }
    let events = span.get("events")?.as_array()?;
    let attributes = events
        .iter()
        .map(attributes)
        .find(|all| all.contains_key("exception.message"))?;
    attributes
        .get("exception.message")?
        .as_str()
        .map(str::to_owned)
}

/// When a span began or ended: nanoseconds since 1970, or RFC 3339.
fn time(span: &Value, began: bool) -> Option<Timestamp> {
    let names = if began {
        ["startTimeUnixNano", "start_time_unix_nano", "start_time"]
    } else {
        ["endTimeUnixNano", "end_time_unix_nano", "end_time"]
    };
    let value = names.iter().find_map(|name| span.get(*name))?;
    let nanos = value.as_i64().or_else(|| value.as_str()?.parse().ok());
    nanos
        .map(|nanos| Timestamp::from_millis(nanos / NANOS_PER_MILLI))
        .or_else(|| Timestamp::parse(value.as_str()?))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn typed_values_lose_their_types() {
        let value = json!({"kvlistValue": {"values": [
            {"key": "a", "value": {"intValue": "3"}},
            {"key": "b", "value": {"arrayValue": {"values": [{"stringValue": "x"}, {"boolValue": true}]}}},
        ]}});
        assert_eq!(typed(&value), json!({"a": 3, "b": ["x", true]}));
    }
}
