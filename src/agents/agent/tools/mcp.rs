//! An MCP server as a source of tools: a child process that speaks JSON-RPC over its stdin and stdout, a line a message.
//!
//! The process is started when a turn first needs it, and stays. After a fault it is ended, and the next call starts
//! another: a server that hangs costs one call its time limit and never the turn.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Stdio};
use std::sync::{Arc, mpsc as threads};
use std::thread;
use std::time::Duration;

use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::sync::{Mutex, mpsc};
use tokio::time::timeout;

use super::process::shell;
use super::{Tool, arguments};

/// The version of the protocol that is asked for; servers answer with theirs.
const PROTOCOL: &str = "2025-06-18";
/// Bytes of a message.
const LINE_MAX: u64 = 4 * 1024 * 1024;
/// Messages that wait to be read or written.
const WAITING_MAX: usize = 64;
/// Pages of a list of tools.
const PAGES_MAX: usize = 10;
/// Characters of a description.
const ABOUT_CHARS: usize = 400;

/// A server.
pub struct McpServer {
    name: String,
    command: String,
    /// The time of one request.
    limit: Duration,
    /// Absent before the first request and after a fault. Held during a request, since messages are answered in turn.
    link: Mutex<Option<Link>>,
}

impl McpServer {
    /// A server that a command of the shell starts. Nothing runs yet.
    pub fn new(name: &str, command: &str, limit: Duration) -> Self {
        Self {
            name: name.to_owned(),
            command: command.to_owned(),
            limit,
            link: Mutex::default(),
        }
    }

    /// Its name, with which the names of its tools begin.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tools that it lists.
    ///
    /// # Errors
    /// Why it does not list them, in words.
    pub async fn tools(self: &Arc<Self>) -> Result<Vec<Arc<dyn Tool>>, String> {
        let mut tools: Vec<Arc<dyn Tool>> = Vec::new();
        let mut parameters = json!({});
        for _ in 0..PAGES_MAX {
            let page = self.ask("tools/list", parameters).await?;
            let listed = page["tools"].as_array().into_iter().flatten();
            let listed = listed.filter_map(|tool| McpTool::read(self, tool));
            tools.extend(listed.map(|tool| Arc::new(tool) as Arc<dyn Tool>));
            let Some(next) = page["nextCursor"].as_str() else {
                break;
            };
            parameters = json!({ "cursor": next });
        }
        Ok(tools)
    }

    async fn ask(&self, method: &str, parameters: Value) -> Result<Value, String> {
        let mut held = self.link.lock().await;
        let mut link = match held.take() {
            Some(link) => link,
            None => Link::start(&self.command, self.limit).await?,
        };
        // Put back only after an answer: a link in an unknown state is dropped, which ends the process.
        let answer = link.ask(method, parameters, self.limit).await?;
        *held = Some(link);
        match answer.get("error") {
            Some(error) => Err(error["message"].as_str().unwrap_or("an error").to_owned()),
            None => Ok(answer["result"].clone()),
        }
    }
}

/// A running server.
struct Link {
    child: Child,
    /// Lines for its stdin, which a thread writes, because a server that does not read would block a task.
    to: threads::SyncSender<String>,
    from: mpsc::Receiver<Value>,
    next: u64,
}

impl Drop for Link {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Link {
    async fn start(command: &str, limit: Duration) -> Result<Self, String> {
        let mut child = shell(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("the server cannot be started: {error}"))?;
        let (to, lines) = threads::sync_channel::<String>(WAITING_MAX);
        let (messages, from) = mpsc::channel(WAITING_MAX);
        if let (Some(mut stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) {
            thread::spawn(move || {
                while let Ok(line) = lines.recv() {
                    if stdin.write_all(line.as_bytes()).is_err() {
                        return;
                    }
                }
            });
            thread::spawn(move || read(BufReader::new(stdout), &messages));
        }
        let mut link = Self {
            child,
            to,
            from,
            next: 1,
        };
        let about = json!({
            "protocolVersion": PROTOCOL, "capabilities": {},
            "clientInfo": {"name": "hindlore", "version": env!("CARGO_PKG_VERSION")},
        });
        link.ask("initialize", about, limit).await?;
        link.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(link)
    }

    fn send(&self, message: &Value) -> Result<(), String> {
        self.to
            .try_send(format!("{message}\n"))
            .map_err(|_| "the server reads no more".to_owned())
    }

    async fn ask(
        &mut self,
        method: &str,
        parameters: Value,
        limit: Duration,
    ) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters}))?;
        match timeout(limit, self.answer(id)).await {
            Ok(answer) => answer,
            Err(_) => Err(format!("the server did not answer within {limit:?}")),
        }
    }

    async fn answer(&mut self, id: u64) -> Result<Value, String> {
        while let Some(message) = self.from.recv().await {
            let method = message["method"].as_str();
            match (method, message.get("id")) {
                (None, Some(answered)) if *answered == json!(id) => return Ok(message),
                (Some("ping"), Some(asked)) => {
                    self.send(&json!({"jsonrpc": "2.0", "id": asked, "result": {}}))?;
                }
                (Some(_), Some(asked)) => {
                    let error = json!({"code": -32601, "message": "this client offers nothing"});
                    self.send(&json!({"jsonrpc": "2.0", "id": asked, "error": error}))?;
                }
                // A notification, or a late answer.
                _ => {}
            }
        }
        Err("the server ended".to_owned())
    }
}

/// Reads messages until the stream ends, or holds a line that is too long.
fn read(mut stream: impl BufRead, to: &mpsc::Sender<Value>) {
    loop {
        let mut line = Vec::new();
        let count = (&mut stream).take(LINE_MAX).read_until(b'\n', &mut line);
        if !matches!(count, Ok(1..)) || line.last() != Some(&b'\n') {
            return;
        }
        // A server may print other lines.
        let Ok(message) = serde_json::from_slice(&line) else {
            continue;
        };
        if to.blocking_send(message).is_err() {
            return;
        }
    }
}

/// One tool of a server.
struct McpTool {
    server: Arc<McpServer>,
    /// Its name at the server.
    tool: String,
    name: String,
    about: String,
    /// The field that takes input which is no JSON object.
    field: String,
}

impl McpTool {
    fn read(server: &Arc<McpServer>, tool: &Value) -> Option<Self> {
        let own = tool["name"].as_str()?;
        let word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
        let fields = tool["inputSchema"]["properties"].as_object();
        let required = tool["inputSchema"]["required"].as_array();
        let first = required.and_then(|all| all.first()?.as_str());
        let names: Vec<&str> = fields
            .into_iter()
            .flatten()
            .map(|(name, _)| name.as_str())
            .collect();
        let described = tool["description"].as_str().unwrap_or(own);
        let line: String = described.split_whitespace().collect::<Vec<_>>().join(" ");
        let line: String = line.chars().take(ABOUT_CHARS).collect();
        let input = match names[..] {
            [] => "it takes no input".to_owned(),
            _ => format!(
                "its input is a JSON object with any of {}",
                names.join(", ")
            ),
        };
        Some(Self {
            server: server.clone(),
            tool: own.to_owned(),
            name: format!(
                "{}_{}",
                server.name,
                own.chars().map(word).collect::<String>()
            ),
            about: format!("{line}; {input}"),
            field: first
                .or(names.first().copied())
                .unwrap_or("input")
                .to_owned(),
        })
    }
}

#[async_trait]
impl Tool for McpTool {
    fn name(&self) -> &str {
        &self.name
    }

    fn about(&self) -> &str {
        &self.about
    }

    async fn call(&self, input: &str) -> Result<String, String> {
        let given = if input.trim().is_empty() {
            json!({})
        } else {
            arguments(input, &self.field)
        };
        let parameters = json!({"name": self.tool, "arguments": given});
        let result = self.server.ask("tools/call", parameters).await?;
        let parts = result["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = parts.filter_map(|part| part["text"].as_str()).collect();
        let text = texts.join("\n");
        if result["isError"] == json!(true) {
            return Err(text);
        }
        Ok(text)
    }
}
