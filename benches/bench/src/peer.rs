//! Peers in Python: a child process that answers one JSON line for each that it is sent.
//!
//! The process stays alive between requests, so that blocks of ours and theirs can be interleaved and a
//! peer's start is never part of its time. It measures itself and answers in seconds. A peer that is not
//! installed is a reason and no failure.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Longest line that is taken from a peer, in bytes.
const LINE_MAX: usize = 64 << 20;

/// Times that a peer is looked at before it is made to end.
const PATIENCE: u32 = 40;

/// Where the scripts of peers are, and how long one request may take.
#[derive(Clone, Debug)]
pub struct Peers {
    folder: PathBuf,
    limit: Duration,
}

/// A running peer.
#[derive(Debug)]
pub struct Peer {
    name: String,
    child: Child,
    requests: Option<ChildStdin>,
    answers: Receiver<String>,
    limit: Duration,
}

impl Peers {
    /// Peers whose scripts are in `folder`; a request that takes longer than `limit` ends its peer.
    pub fn new(folder: impl Into<PathBuf>, limit: Duration) -> Self {
        Self {
            folder: folder.into(),
            limit,
        }
    }

    /// Starts a peer with the arguments given, or returns why there is none. `run NAME` in the folder finds the peer's
    /// own environment and starts its script.
    pub fn start(&self, name: &str, arguments: &[&str]) -> Result<Peer, String> {
        let mut peer = Peer::over(name, &mut self.command(name, arguments)?, self.limit)?;
        peer.ask(&json!({"do": "hello"}))?;
        Ok(peer)
    }

    /// The command that runs a peer, or why there is none.
    pub(crate) fn command(&self, name: &str, arguments: &[&str]) -> Result<Command, String> {
        let script = self.folder.join("run");
        if !script.is_file() {
            let folder = self.folder.display();
            return Err(format!(
                "no peers in `{folder}`; name their folder with --peers"
            ));
        }
        let mut command = Command::new(&script);
        command.arg(name).args(arguments);
        Ok(command)
    }

    /// The file of a peer that runs on the machine's own Python.
    pub(crate) fn script(&self, name: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(format!("{name}.py"));
        path.canonicalize().map_err(|_| {
            let folder = self.folder.display();
            format!("no {name} in `{folder}`; name the folder of the peers with --peers")
        })
    }

    /// The longest time that one request may take.
    pub(crate) fn limit(&self) -> Duration {
        self.limit
    }
}

impl Peer {
    /// Starts a command that answers one JSON line for each.
    pub(crate) fn over(name: &str, command: &mut Command, limit: Duration) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("{name} cannot be started: {error}"))?;
        let requests = child.stdin.take();
        let output = child.stdout.take();
        let (sender, answers) = channel();
        thread::spawn(move || {
            let Some(output) = output else { return };
            let lines = BufReader::new(output).lines();
            for line in lines.map_while(Result::ok) {
                if line.len() > LINE_MAX || sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            name: name.to_owned(),
            child,
            requests,
            answers,
            limit,
        })
    }

    /// Sends a request and waits for its answer. A line that is no JSON object is a word of the peer to
    /// people and is passed over; `{"absent": why}` is the reason that there is no figure.
    pub fn ask(&mut self, request: &Value) -> Result<Value, String> {
        if self.requests.is_none() {
            return Err(format!("{} takes no requests", self.name));
        }
        // A peer that has ended has printed the reason before.
        let is_gone = !self.send(request);
        loop {
            let line = match self.answers.recv_timeout(self.limit) {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = self.limit.as_secs();
                    self.stop();
                    return Err(format!("{} gave no answer within {seconds} s", self.name));
                }
            };
            let Ok(answer @ Value::Object(_)) = serde_json::from_str(&line) else {
                continue;
            };
            if let Some(why) = answer.get("absent").and_then(Value::as_str) {
                return Err(why.to_owned());
            }
            if is_gone {
                return Err(self.ended());
            }
            return Ok(answer);
        }
    }

    /// Sends a request, or a message that has no answer; false if the peer has ended.
    pub(crate) fn send(&mut self, message: &Value) -> bool {
        self.requests.as_mut().is_some_and(|requests| {
            let written = writeln!(requests, "{message}").and_then(|()| requests.flush());
            written.is_ok()
        })
    }

    /// The number of its process.
    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    fn ended(&mut self) -> String {
        self.requests = None;
        match self.child.wait() {
            Ok(status) => format!("{} ended with {status}", self.name),
            Err(error) => format!("{} ended: {error}", self.name),
        }
    }

    fn stop(&mut self) {
        self.requests = None;
        // Without requests it ends by itself, and takes its files away.
        for _ in 0..PATIENCE {
            if matches!(self.child.try_wait(), Ok(Some(_))) {
                return;
            }
            thread::sleep(Duration::from_millis(50));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    const SCRIPT: &str = "#!/bin/sh
[ \"$1\" = missing ] && echo '{\"absent\": \"missing is not installed\"}' && exit
echo 'loading'
echo '[1]'
while read -r line; do
    case \"$line\" in
    *add*) echo '{\"seconds\": [0.5]}' ;;
    *refuse*) echo '{\"absent\": \"no such index\"}' ;;
    *sleep*) sleep 20 ;;
    *end*) exit 3 ;;
    *) echo '{\"peer\": \"small\"}' ;;
    esac
done
";

    fn peers(limit: Duration) -> (TempDir, Peers) {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        fs::write(&run, SCRIPT).unwrap();
        fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
        let peers = Peers::new(folder.path(), limit);
        (folder, peers)
    }

    #[test]
    fn a_peer_answers_one_line_for_each_and_its_other_words_are_passed_over() {
        let (_folder, peers) = peers(Duration::from_secs(20));
        let mut peer = peers.start("small", &[]).unwrap();
        for _ in 0..3 {
            let answer = peer.ask(&json!({"do": "add"})).unwrap();
            assert_eq!(answer["seconds"][0], 0.5);
        }
        let refused = peer.ask(&json!({"do": "refuse"}));
        assert_eq!(refused.unwrap_err(), "no such index");
        assert!(
            peer.ask(&json!({"do": "add"})).is_ok(),
            "a refusal ends nothing"
        );
    }

    #[test]
    fn a_peer_that_is_missing_says_why() {
        let (folder, peers) = peers(Duration::from_secs(20));
        let why = peers.start("missing", &[]).unwrap_err();
        assert_eq!(why, "missing is not installed");
        let nowhere = Peers::new(folder.path().join("nowhere"), Duration::from_secs(1));
        let why = nowhere.start("small", &[]).unwrap_err();
        assert!(why.contains("nowhere") && why.contains("--peers"), "{why}");
    }

    #[test]
    fn a_peer_that_ends_or_takes_too_long_is_a_reason_and_stays_one() {
        let (_folder, quick) = peers(Duration::from_secs(20));
        let mut peer = quick.start("small", &[]).unwrap();
        let why = peer.ask(&json!({"do": "end"})).unwrap_err();
        assert!(why.contains("exit status: 3"), "{why}");
        assert!(peer.ask(&json!({"do": "add"})).is_err());
        let (_folder, slow) = peers(Duration::from_secs(1));
        let mut peer = slow.start("small", &[]).unwrap();
        let why = peer.ask(&json!({"do": "sleep"})).unwrap_err();
        assert!(why.contains("within 1 s"), "{why}");
        assert!(peer.ask(&json!({"do": "add"})).is_err());
    }
}
