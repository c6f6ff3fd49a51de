//! A server of tools over standard input and output, called as an agent calls it.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::child;
use crate::peer::Peer;

/// A running server.
pub(super) struct Mcp {
    peer: Peer,
    calls: u64,
}

impl Mcp {
    /// Starts a server and agrees on the protocol; the reason if there is none.
    pub(super) fn start(
        name: &str,
        command: &mut Command,
        limit: Duration,
    ) -> Result<Self, String> {
        let mut mcp = Self {
            peer: Peer::over(name, command, limit)?,
            calls: 0,
        };
        let client = json!({"name": "bench", "version": "1"});
        mcp.call(
            "initialize",
            &json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}),
        )?;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        mcp.peer.send(&ready);
        Ok(mcp)
    }

    /// Seconds of a call to a tool, which must not fail.
    pub(super) fn tool(&mut self, name: &str, arguments: &Value) -> Result<f64, String> {
        let began = Instant::now();
        let result = self.call("tools/call", &json!({"name": name, "arguments": arguments}))?;
        let seconds = began.elapsed().as_secs_f64();
        if result["isError"] == true {
            return Err(format!("`{name}` answers {result}"));
        }
        Ok(seconds)
    }

    /// Highest resident memory so far, in megabytes.
    pub(super) fn peak(&self) -> Result<f64, String> {
        child::peak(self.peer.process()).ok_or_else(|| "its memory is not known".to_owned())
    }

    fn call(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.calls += 1;
        let id = self.calls;
        let mut answer = self
            .peer
            .ask(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        if answer["id"] != id || !answer["error"].is_null() {
            return Err(format!("`{method}` answers {answer}"));
        }
        Ok(answer["result"].take())
    }
}
