//! A client by hand: messages a line, over the pipes of the program.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use crate::world::World;

/// The newest protocol that begins with `initialize`.
pub(super) const WITH_SESSIONS: &str = "2025-11-25";
/// The protocol without sessions.
pub(super) const WITHOUT_SESSIONS: &str = "2026-07-28";

/// A program that offers tools; gone when the test ends, however that is.
pub(super) struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    /// The protocol fields of each request, in the age without sessions.
    meta: Option<Value>,
    next: u64,
}

impl Agent {
    /// Starts the program and sends nothing yet.
    pub(super) fn silent(world: &World, options: &[&str]) -> Self {
        let mut command = world.command();
        command.arg("mcp").args(options);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self {
            child,
            input,
            output,
            meta: None,
            next: 1,
        }
    }

    /// A client of the age with sessions.
    pub(super) fn start(world: &World, options: &[&str]) -> Self {
        let mut agent = Self::silent(world, options);
        let told = agent.ask("initialize", initialize());
        assert_eq!(told["result"]["protocolVersion"], WITH_SESSIONS, "{told}");
        agent.tell("notifications/initialized", json!({}));
        agent
    }

    /// A client of the age without sessions.
    pub(super) fn without_sessions(world: &World, options: &[&str]) -> Self {
        let mut agent = Self::silent(world, options);
        agent.meta = Some(meta());
        agent
    }

    /// Sends bytes as they are, with the end of the line.
    pub(super) fn send(&mut self, line: impl AsRef<[u8]>) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_ref()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    /// Sends a text without the end of a line.
    pub(super) fn send_unended(&mut self, text: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(text.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Sends a request; returns its id.
    pub(super) fn send_request(&mut self, method: &str, mut params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        if let Some(meta) = &self.meta {
            params["_meta"] = meta.clone();
        }
        let request = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(request.to_string());
        id
    }

    /// Sends a notification.
    pub(super) fn tell(&mut self, method: &str, params: Value) {
        let said = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.send(said.to_string());
    }

    /// The next line; every line must be a message of the protocol.
    pub(super) fn heard(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        let message: Value = serde_json::from_str(&line)
            .unwrap_or_else(|error| panic!("no message: {error}: {line:?}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Sends a request and waits for its answer.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        let answer = self.heard();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// Calls a tool; returns its result.
    pub(super) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        answer["result"].clone()
    }

    /// Calls a tool that must succeed; returns the structured part.
    pub(super) fn done(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{tool}: {result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must be refused; returns the problem that the model reads.
    pub(super) fn refused(&mut self, tool: &str, arguments: Value, code: &str) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{tool}: {result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        let problem: Value = serde_json::from_str(text).unwrap();
        assert_eq!(problem["error"]["code"], code, "{problem}");
        problem["error"].clone()
    }

    /// The names of the tools, in their order.
    pub(super) fn tools(&mut self) -> Vec<Value> {
        let listed = self.ask("tools/list", json!({}));
        listed["result"]["tools"].as_array().unwrap().clone()
    }

    /// Closes the input; returns the output after that and the exit code.
    pub(super) fn end(mut self) -> (Vec<String>, Option<i32>) {
        drop(self.input.take());
        let lines = self.output.by_ref().lines().map(Result::unwrap);
        (lines.collect(), self.child.wait().unwrap().code())
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Makes the folder of a world a repository whose scope is `example.org/team/shop`.
pub(super) fn repository(world: &World) {
    let git = world.path(".git");
    for folder in ["objects", "refs"] {
        fs::create_dir_all(git.join(folder)).unwrap();
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    let origin = "[remote \"origin\"]\n\turl = git@example.org:team/shop.git\n";
    fs::write(git.join("config"), origin).unwrap();
}

/// The first message of a client in the age with sessions.
pub(super) fn initialize() -> Value {
    json!({
        "protocolVersion": WITH_SESSIONS,
        "capabilities": {},
        "clientInfo": {"name": "tests", "version": "1"},
    })
}

/// The protocol fields of each request in the age without.
pub(super) fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": WITHOUT_SESSIONS,
        "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}
