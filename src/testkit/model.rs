//! A scripted model: a small server on loopback that speaks the protocols of all four vendors and answers by a script,
//! well or badly.
//!
//! ```no_run
//! use hindlore_testkit::{ModelAnswer, ScriptedModel};
//!
//! let model = ScriptedModel::start(|asked| match asked.text().contains("12 * 5") {
//!     true => ModelAnswer::text("60"),
//!     false => ModelAnswer::Status(500),
//! })?;
//! println!("{}", model.url());
//! # Ok::<(), std::io::Error>(())
//! ```

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Longest that a hanging answer holds its connection.
const HANG_MAX: Duration = Duration::from_secs(30);
/// Largest request that is read.
const BODY_MAX: usize = 8 * 1024 * 1024;

/// A request to the server.
#[derive(Clone, Debug)]
pub struct ModelAsked {
    /// Number of the request, from 0.
    pub number: usize,
    /// Path, by which the wire is known.
    pub path: String,
    /// Headers, with names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
}

impl ModelAsked {
    /// All texts of the messages, in order, one after another.
    pub fn text(&self) -> String {
        let mut texts = Vec::new();
        for at in ["/system", "/systemInstruction", "/messages", "/contents"] {
            collect(self.body.pointer(at), &mut texts);
        }
        texts.join("\n")
    }

    /// The text of the last message.
    pub fn last(&self) -> String {
        let mut texts = Vec::new();
        for at in ["/messages", "/contents"] {
            let list = self.body.pointer(at).and_then(Value::as_array);
            collect(list.and_then(|list| list.last()), &mut texts);
        }
        texts.join("\n")
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn collect(value: Option<&Value>, texts: &mut Vec<String>) {
    match value {
        Some(Value::String(text)) => texts.push(text.clone()),
        Some(Value::Array(items)) => items.iter().for_each(|item| collect(Some(item), texts)),
        Some(Value::Object(fields)) => {
            for key in ["content", "parts", "text"] {
                collect(fields.get(key), texts);
            }
        }
        _ => {}
    }
}

/// An answer of the server.
#[derive(Clone, Debug)]
pub enum ModelAnswer {
    /// A text, in the form of the wire that was asked, with its bill: tokens read and written.
    Text(String, u64, u64),
    /// A text that was cut at the limit of tokens.
    Cut(String),
    /// A status with the vendor's form of an error.
    Status(u16),
    /// 429, to come back after this many seconds.
    RateLimited(u64),
    /// Nothing, until the client gives up.
    Hang,
    /// A page with status 200, as of a proxy.
    Html,
    /// Half of the body that was announced, then the end of the connection.
    Truncated,
    /// The end of the connection without a byte.
    Dropped,
    /// An answer after this many milliseconds.
    Slow(u64, Box<ModelAnswer>),
    /// This body with status 200.
    Raw(Value),
}

impl ModelAnswer {
    /// A text with a bill of 10 tokens read and 5 written.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into(), 10, 5)
    }

    /// A JSON value as a text.
    pub fn json(value: &Value) -> Self {
        Self::text(value.to_string())
    }
}

type Script = Box<dyn FnMut(&ModelAsked) -> ModelAnswer + Send>;

/// The server; it ends when it is dropped.
pub struct ScriptedModel {
    shared: Arc<Shared>,
    address: std::net::SocketAddr,
}

struct Shared {
    script: Mutex<Script>,
    asked: Mutex<Vec<ModelAsked>>,
    is_over: AtomicBool,
}

impl ScriptedModel {
    /// Starts a server on a free port of loopback.
    ///
    /// # Errors
    /// If there is no free port.
    pub fn start(
        script: impl FnMut(&ModelAsked) -> ModelAnswer + Send + 'static,
    ) -> std::io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(Box::new(script)),
            asked: Mutex::default(),
            is_over: AtomicBool::new(false),
        });
        let served = shared.clone();
        thread::spawn(move || {
            for stream in listener.incoming() {
                if served.is_over.load(Ordering::Relaxed) {
                    return;
                }
                let Ok(stream) = stream else { continue };
                let shared = served.clone();
                thread::spawn(move || {
                    // A client that hangs up is no fault of the server.
                    let _ = serve(&stream, &shared);
                    let _ = stream.shutdown(Shutdown::Both);
                });
            }
        });
        Ok(Self { shared, address })
    }

    /// Starts a server that gives these answers in turn, and the last one for ever.
    ///
    /// # Errors
    /// If there is no free port.
    pub fn in_turn(answers: Vec<ModelAnswer>) -> std::io::Result<Self> {
        let mut answers = answers.into_iter().peekable();
        let mut last = ModelAnswer::Status(500);
        Self::start(move |_| {
            if let Some(next) = answers.next() {
                last = next;
            }
            last.clone()
        })
    }

    /// The base address.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that was asked so far.
    pub fn asked(&self) -> Vec<ModelAsked> {
        let asked = self.shared.asked.lock();
        asked.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::Relaxed);
        // Wakes the thread that accepts.
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(stream: &TcpStream, shared: &Shared) -> std::io::Result<()> {
    stream.set_read_timeout(Some(HANG_MAX))?;
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let Some(mut asked) = read(&mut reader)? else {
            return Ok(());
        };
        let answer = {
            let mut all = shared.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.number = all.len();
            all.push(asked.clone());
            drop(all);
            let mut script = shared.script.lock().unwrap_or_else(PoisonError::into_inner);
            script(&asked)
        };
        if !write(stream, &asked.path, answer)? {
            return Ok(());
        }
    }
}

fn read(reader: &mut BufReader<TcpStream>) -> std::io::Result<Option<ModelAsked>> {
    let mut line = String::new();
    if reader.read_line(&mut line)? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            let (name, value) = (name.trim().to_lowercase(), value.trim().to_owned());
            if name == "content-length" {
                length = value.parse().unwrap_or(0);
            }
            headers.push((name, value));
        }
    }
    let mut body = vec![0; length.min(BODY_MAX)];
    reader.read_exact(&mut body)?;
    Ok(Some(ModelAsked {
        number: 0,
        path,
        headers,
        body: serde_json::from_slice(&body).unwrap_or(Value::Null),
    }))
}

/// Writes an answer; false if the connection ends with it.
fn write(mut stream: &TcpStream, path: &str, answer: ModelAnswer) -> std::io::Result<bool> {
    let mut send = |status: u16, kind: &str, more: &str, body: &str| {
        let head = format!(
            "HTTP/1.1 {status} Scripted\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n{more}\r\n",
            body.len()
        );
        stream.write_all(format!("{head}{body}").as_bytes())?;
        stream.flush()
    };
    let json = "application/json";
    match answer {
        ModelAnswer::Text(text, read, written) => {
            send(
                200,
                json,
                "",
                &spoken(path, &text, (read, written), false).to_string(),
            )?;
        }
        ModelAnswer::Cut(text) => send(
            200,
            json,
            "",
            &spoken(path, &text, (10, 5), true).to_string(),
        )?,
        ModelAnswer::Status(status) => send(status, json, "", &error(path, status).to_string())?,
        ModelAnswer::RateLimited(seconds) => {
            let more = format!("Retry-After: {seconds}\r\n");
            send(429, json, &more, &error(path, 429).to_string())?;
        }
        ModelAnswer::Hang => {
            // Reads until the client gives up.
            let mut rest = [0; 64];
            while stream.read(&mut rest)? > 0 {}
            return Ok(false);
        }
        ModelAnswer::Html => send(
            200,
            "text/html",
            "",
            "<html><body>Sign in to the network</body></html>",
        )?,
        ModelAnswer::Truncated => {
            let body = spoken(path, "half of it", (10, 5), false).to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: {json}\r\nContent-Length: {}\r\n\r\n",
                body.len()
            );
            stream.write_all(head.as_bytes())?;
            stream.write_all(&body.as_bytes()[..body.len() / 2])?;
            stream.flush()?;
            return Ok(false);
        }
        ModelAnswer::Dropped => return Ok(false),
        ModelAnswer::Slow(millis, then) => {
            thread::sleep(Duration::from_millis(millis));
            return write(stream, path, *then);
        }
        ModelAnswer::Raw(body) => send(200, json, "", &body.to_string())?,
    }
    Ok(true)
}

/// A text as the wire of a path has it.
fn spoken(path: &str, text: &str, (read, written): (u64, u64), is_cut: bool) -> Value {
    if path.ends_with("/chat/completions") {
        let reason = if is_cut { "length" } else { "stop" };
        json!({
            "id": "chatcmpl-1", "object": "chat.completion", "model": "scripted",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}],
            "usage": {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written},
        })
    } else if path.ends_with("/messages") {
        let reason = if is_cut { "max_tokens" } else { "end_turn" };
        json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
            "content": [{"type": "text", "text": text}], "stop_reason": reason,
            "usage": {"input_tokens": read, "output_tokens": written},
        })
    } else if path.ends_with(":generateContent") {
        let reason = if is_cut { "MAX_TOKENS" } else { "STOP" };
        json!({
            "candidates": [{"content": {"parts": [{"text": text}], "role": "model"}, "finishReason": reason, "index": 0}],
            "usageMetadata": {"promptTokenCount": read, "candidatesTokenCount": written, "totalTokenCount": read + written},
        })
    } else {
        let reason = if is_cut { "length" } else { "stop" };
        json!({
            "model": "scripted", "message": {"role": "assistant", "content": text}, "done": true,
            "done_reason": reason, "prompt_eval_count": read, "eval_count": written,
        })
    }
}

fn error(path: &str, status: u16) -> Value {
    let said = format!("scripted failure {status}");
    if path.ends_with("/api/chat") {
        json!({"error": said})
    } else {
        json!({"error": {"message": said, "type": "scripted", "code": status}})
    }
}
