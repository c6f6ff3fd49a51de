//! Intake: the input of a client becomes a message of the protocol, or the error that answers it.
//!
//! The SDK drops input that it cannot parse, and its sender waits for ever. Here each request is answered: by the SDK,
//! if it is one, else by an error of JSON-RPC with the id of the request, if that can be found.

use rmcp::model::{ClientJsonRpcMessage, ErrorCode};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::id_scan::IdScan;
use hindlore_api::fields::described;
use hindlore_api::json::{complaint, replace_halves, strip_bom};

/// An error of JSON-RPC that answers a message.
#[derive(Debug)]
pub(crate) struct Fault {
    id: Option<Value>,
    code: ErrorCode,
    message: String,
}

impl Fault {
    /// The message is none of the protocol.
    pub(crate) fn invalid(id: Option<Value>, message: impl Into<String>) -> Self {
        let code = ErrorCode::INVALID_REQUEST;
        let message = message.into();
        Self { id, code, message }
    }

    /// A message of more than this many bytes.
    pub(super) fn too_large(id: Option<Value>, most: usize) -> Self {
        let message =
            format!("the message has more than {most} bytes; nothing was done, send less at once");
        Self::invalid(id, message)
    }

    /// The error as JSON. Without an id if none was found, as the protocol requires.
    pub(crate) fn value(&self) -> Value {
        let mut value = json!({
            "jsonrpc": "2.0",
            "error": { "code": self.code.0, "message": self.message },
        });
        if let (Some(id), Some(fields)) = (&self.id, value.as_object_mut()) {
            fields.insert("id".to_owned(), id.clone());
        }
        value
    }
}

/// Parses a line of standard input, with halves of surrogates and bytes that are no UTF-8 replaced. `None` for a blank
/// line.
pub(super) fn of_line(line: &[u8]) -> Result<Option<Value>, Fault> {
    let text = String::from_utf8_lossy(line);
    let text = strip_bom(&text).trim();
    if text.is_empty() {
        return Ok(None);
    }
    let parsed = serde_json::from_str(text).or_else(|error| {
        let mended = replace_halves(text);
        serde_json::from_str(&mended).map_err(|_| error)
    });
    parsed.map(Some).map_err(|error| unparsed(line, &error))
}

/// The body of a request over HTTP, as the SDK takes it.
///
/// # Errors
/// The answer, of the status 400.
pub(crate) fn of_body(body: &[u8]) -> Result<Vec<u8>, Fault> {
    let text = std::str::from_utf8(body).map_err(|error| Fault {
        id: IdScan::of(body),
        code: ErrorCode::PARSE_ERROR,
        message: format!("the body is not UTF-8: {error}"),
    })?;
    let value = serde_json::from_str(strip_bom(text)).map_err(|error| unparsed(body, &error))?;
    let (value, _) = message(value)?.ok_or_else(|| Fault::invalid(None, NO_MESSAGE))?;
    Ok(value.to_string().into_bytes())
}

const NO_MESSAGE: &str = "this is no message of JSON-RPC 2.0";

fn unparsed(bytes: &[u8], error: &serde_json::Error) -> Fault {
    let is_deep = complaint(error).contains("recursion limit");
    let (code, message) = if is_deep {
        let message = "the message is nested too deeply; the limit is 127 levels".to_owned();
        (ErrorCode::INVALID_REQUEST, message)
    } else {
        let message = format!("the message is not JSON: {error}");
        (ErrorCode::PARSE_ERROR, message)
    };
    Fault {
        id: IdScan::of(bytes),
        code,
        message,
    }
}

/// Reads a message; `None` for a notification of an unknown kind, which has no answer.
pub(super) fn message(mut value: Value) -> Result<Option<(Value, ClientJsonRpcMessage)>, Fault> {
    let Value::Object(fields) = &mut value else {
        let what = described(&value);
        return Err(Fault::invalid(
            None,
            format!("a message is an object, not {what}"),
        ));
    };
    let is_notification = fields.contains_key("method") && !fields.contains_key("id");
    if fields.get("method").and_then(Value::as_str) == Some("tools/call") {
        mend_arguments(fields)?;
    }
    match ClientJsonRpcMessage::deserialize(&value) {
        Ok(message) => Ok(Some((value, message))),
        Err(_) if is_notification => Ok(None),
        Err(_) => Err(Fault::invalid(id_of(&value), fault(&value))),
    }
}

/// The id of a message, as an answer repeats it.
pub(super) fn id_of(message: &Value) -> Option<Value> {
    let id = message.get("id").cloned();
    id.filter(|id| id.is_string() || id.is_number())
}

/// Some clients send the arguments of a tool as a text that holds JSON, and some null for none.
fn mend_arguments(fields: &mut Map<String, Value>) -> Result<(), Fault> {
    let id = fields.get("id").cloned();
    let params = fields.get_mut("params").and_then(Value::as_object_mut);
    let Some(params) = params else { return Ok(()) };
    let read = match params.get("arguments") {
        None | Some(Value::Object(_)) => return Ok(()),
        Some(Value::Null) => Some(Value::Object(Map::new())),
        Some(Value::String(text)) if text.trim().is_empty() => Some(Value::Object(Map::new())),
        Some(Value::String(text)) => serde_json::from_str(&replace_halves(text)).ok(),
        Some(_) => None,
    };
    if let Some(read @ Value::Object(_)) = read {
        params.insert("arguments".to_owned(), read);
        return Ok(());
    }
    let what = params.get("arguments").map(described).unwrap_or_default();
    Err(Fault {
        id,
        code: ErrorCode::INVALID_PARAMS,
        message: format!("`arguments` must be an object with the fields of the tool, not {what}"),
    })
}

/// The fault of a message that is an object.
fn fault(message: &Value) -> String {
    let has = |name: &str| message.get(name).is_some();
    let is_whole = |id: &Value| id.is_string() || id.as_i64().is_some();
    if message.get("jsonrpc") != Some(&json!("2.0")) {
        "`jsonrpc` must be \"2.0\"".to_owned()
    } else if !has("method") && !has("result") && !has("error") {
        "the message has no `method`".to_owned()
    } else if message
        .get("method")
        .is_some_and(|method| !method.is_string())
    {
        "`method` must be a text".to_owned()
    } else if message.get("id").is_some_and(|id| !is_whole(id)) {
        "`id` must be a text or a whole number".to_owned()
    } else {
        NO_MESSAGE.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &[u8]) -> Value {
        let read = of_line(line).and_then(|value| message(value.unwrap()));
        read.unwrap_err().value()
    }

    fn taken(line: &[u8]) -> Value {
        let read = of_line(line).and_then(|value| message(value.unwrap()));
        read.unwrap().unwrap().0
    }

    #[test]
    fn halves_of_characters_and_foreign_bytes_are_replaced() {
        for (line, text) in [
            (&br"half \ud83d emoji"[..], "half \u{fffd} emoji"),
            (br"\ude00 emoji", "\u{fffd} emoji"),
            (br"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}"),
            (b"caf\xe9", "caf\u{fffd}"),
            (b"\xf0\x9f\x98", "\u{fffd}"),
        ] {
            let mut message = b"{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\",\"params\":{\"name\":\"x\",\"arguments\":{\"query\":\"".to_vec();
            message.extend_from_slice(line);
            message.extend_from_slice(b"\"}}}\r\n");
            let taken = taken(&message);
            assert_eq!(taken["params"]["arguments"]["query"], text);
        }
        assert!(of_line(b" \r\n").unwrap().is_none());
        let with_mark = "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        assert_eq!(taken(with_mark.as_bytes())["id"], 1);
    }

    #[test]
    fn what_cannot_be_read_is_answered_with_its_id_where_it_has_one() {
        let deep = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\",\"params\":{}",
            "[".repeat(100_000)
        );
        for (line, code, id) in [
            ("not json", -32700, json!(null)),
            ("{\"id\": ", -32700, json!(null)),
            ("{\"id\":7,\"method\":\"tools/ca", -32700, json!(7)),
            (&deep, -32600, json!(7)),
            ("[]", -32600, json!(null)),
            ("12", -32600, json!(null)),
            ("{\"jsonrpc\":\"2.0\"}", -32600, json!(null)),
            ("{\"jsonrpc\":\"2.0\",\"id\":\"a\"}", -32600, json!("a")),
            ("{\"id\":7,\"method\":\"ping\"}", -32600, json!(7)),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}",
                -32600,
                json!(1.5),
            ),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
                -32600,
                json!(null),
            ),
            (
                "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":5}",
                -32600,
                json!(7),
            ),
        ] {
            let answer = answer(line.as_bytes());
            let short: String = line.chars().take(60).collect();
            assert_eq!(answer["error"]["code"], code, "{short}: {answer}");
            assert_eq!(answer["id"], id, "{short}");
            assert_eq!(answer.get("id").is_some(), !id.is_null(), "{short}");
        }
        let odd = json!({"jsonrpc": "2.0", "method": "notifications/odd", "params": 5});
        assert!(
            message(odd)
                .unwrap()
                .is_none_or(|(read, _)| read.get("id").is_none())
        );
    }

    #[test]
    fn arguments_as_text_are_read_and_others_are_refused() {
        let call = |arguments: Value| json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x", "arguments": arguments}});
        for (given, read) in [
            (json!("{\"query\": \"path\"}"), json!({"query": "path"})),
            (
                json!("{\"query\": \"\\ud83d\"}"),
                json!({"query": "\u{fffd}"}),
            ),
            (json!(null), json!({})),
            (json!(" "), json!({})),
            (json!({"a": 1}), json!({"a": 1})),
        ] {
            let (value, _) = message(call(given)).unwrap().unwrap();
            assert_eq!(value["params"]["arguments"], read);
        }
        for given in [
            json!([1]),
            json!("[1]"),
            json!("query"),
            json!(1),
            json!(true),
        ] {
            let answer = message(call(given)).unwrap_err().value();
            assert_eq!(
                (&answer["error"]["code"], &answer["id"]),
                (&json!(-32602), &json!(7))
            );
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(
                message.contains("`arguments` must be an object"),
                "{message}"
            );
        }
    }

    #[test]
    fn a_body_is_taken_as_it_is_or_refused() {
        let good = json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "x", "arguments": "{}"}});
        let body = of_body(good.to_string().as_bytes()).unwrap();
        let body: Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(body["params"]["arguments"], json!({}));
        for body in [
            &b""[..],
            b"not json",
            b"{\"id\":5,\"x\":\"\\ud83d\"}",
            b"\"\xff\"",
        ] {
            let code = of_body(body).unwrap_err().value()["error"]["code"].clone();
            assert_eq!(code, -32700);
        }
        assert_eq!(of_body(b"[]").unwrap_err().value()["error"]["code"], -32600);
    }
}
