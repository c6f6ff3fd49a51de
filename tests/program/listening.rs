//! A program that listens, such as `serve` and `browser`.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A running server; gone when the test ends, however that is.
pub(crate) struct Listening {
    pub(crate) child: Child,
    pub(crate) port: u16,
    /// Its first line.
    pub(crate) told: Value,
}

impl Listening {
    /// Starts a command that prints its port in a JSON document on its first line.
    pub(crate) fn start(command: &mut Command) -> Self {
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let port = u16::try_from(told["port"].as_u64().unwrap()).unwrap();
        Self { child, port, told }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(("127.0.0.1", self.port)).unwrap()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
