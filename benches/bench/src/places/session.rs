//! Made-up sessions of Claude Code: reads, searches, edits and commands, some of which fail and are then corrected.
//!
//! A call and its result take 9 kB in the mean, as in sessions of people; names repeat, as those of a project do.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};

use crate::chance::Chance;
use crate::memory::Texts;

/// A failed command, its error, and the command that worked; `{}` is a name.
const FAILURES: [[&str; 3]; 8] = [
    [
        "npm test -- {}",
        "Exit code 1\nnpm error Missing script: \"test\"\nnpm error To see a list of scripts, run: npm run",
        "npm run unit -- {}",
    ],
    [
        "python {}.py",
        "Exit code 127\n/bin/bash: line 1: python: command not found",
        "python3 {}.py",
    ],
    [
        "cargo test --workspce {}",
        "Exit code 1\nerror: unexpected argument '--workspce' found\n\n  tip: a similar argument exists: '--workspace'",
        "cargo test --workspace {}",
    ],
    [
        "git push origin {}",
        "Exit code 1\n ! [rejected]        {} -> {} (fetch first)\nerror: failed to push some refs",
        "git pull --rebase origin {} && git push origin {}",
    ],
    [
        "psql -p 5432 {}",
        "Exit code 2\npsql: error: connection to server at \"localhost\", port 5432 failed: Connection refused",
        "psql -p 5434 {}",
    ],
    [
        "pytest tests/{}.py",
        "Exit code 2\nE   ModuleNotFoundError: No module named '{}'",
        "PYTHONPATH=src pytest tests/{}.py",
    ],
    [
        "docker compose up {}",
        "Exit code 1\nError response from daemon: Bind for 0.0.0.0:8081 failed: port is already allocated",
        "docker compose up --no-deps {}",
    ],
    [
        "make {}",
        "Exit code 2\nmake: *** No rule to make target '{}'.  Stop.",
        "just {}",
    ],
];
const COMMANDS: [&str; 5] = [
    "git diff --stat {}",
    "cargo check -p {}",
    "ls -la src/{}",
    "just build {}",
    "git log --oneline -n 40 -- {}",
];
/// Different names in a project.
const NAMES: usize = 200;
/// Seconds between two records.
const PAUSE: u64 = 5;
const DAY: u64 = 86_400;

/// Writes a session of at least this many bytes.
pub(super) fn write(path: &Path, bytes: u64) -> std::io::Result<()> {
    let mut session = Session::new(BufWriter::new(File::create(path)?));
    session.record(
        "user",
        json!("Make the tests of the project pass."),
        Value::Null,
    )?;
    while session.bytes < bytes {
        match session.chance.below(100) {
            0..30 => session.read()?,
            30..62 => session.command()?,
            62..70 => session.failure()?,
            70..87 => session.edit()?,
            _ => session.search()?,
        }
    }
    session.out.flush()
}

/// A session that is being written.
struct Session<W> {
    out: W,
    bytes: u64,
    records: u64,
    texts: Texts,
    chance: Chance,
    names: Vec<String>,
}

impl<W: Write> Session<W> {
    fn new(out: W) -> Self {
        let mut texts = Texts::new(8);
        let names = (0..NAMES).map(|number| {
            let question = texts.question();
            let word = question.split(' ').next().unwrap_or_default();
            format!("{word}{number}")
        });
        let names = names.collect();
        Self {
            out,
            bytes: 0,
            records: 0,
            texts,
            chance: Chance::new(8),
            names,
        }
    }

    fn read(&mut self) -> std::io::Result<()> {
        let path = format!("/home/me/shop/src/{}.rs", self.name());
        let count = 15 + self.chance.below(120);
        let lines = self.lines(count);
        let beside = json!({"type": "text", "file": {"filePath": path, "content": lines, "numLines": count}});
        self.call("Read", json!({"file_path": path}), &lines, beside)
    }

    fn command(&mut self) -> std::io::Result<()> {
        let command = COMMANDS[self.chance.below(COMMANDS.len())].replace("{}", &self.name());
        let count = 2 + self.chance.below(60);
        self.worked(&command, count)
    }

    fn worked(&mut self, command: &str, lines: usize) -> std::io::Result<()> {
        let said = self.lines(lines);
        let beside = json!({"stdout": said, "stderr": "", "interrupted": false, "isImage": false});
        let input = json!({"command": command, "description": self.texts.question()});
        self.call("Bash", input, &said, beside)
    }

    /// A failed command, which is mostly corrected by the next one.
    fn failure(&mut self) -> std::io::Result<()> {
        let name = self.name();
        let kind = &FAILURES[self.chance.below(FAILURES.len())];
        let [wrong, error, right] = kind.map(|text| text.replace("{}", &name));
        let input = json!({"command": wrong, "description": self.texts.question()});
        self.call("Bash", input, &error, json!(format!("Error: {error}")))?;
        if self.chance.below(10) < 7 {
            self.worked(&right, 12)?;
        }
        Ok(())
    }

    fn edit(&mut self) -> std::io::Result<()> {
        let path = format!("/home/me/shop/src/{}.rs", self.name());
        let (old, new) = (self.lines(6), self.lines(8));
        let said = format!("The file {path} has been updated.\n{}", self.lines(10));
        let beside =
            json!({"filePath": path, "oldString": old, "newString": new, "userModified": false});
        let input = json!({"file_path": path, "old_string": old, "new_string": new});
        self.call("Edit", input, &said, beside)
    }

    fn search(&mut self) -> std::io::Result<()> {
        let pattern = self.name();
        let count = 1 + self.chance.below(30);
        let said = self.lines(count);
        let beside = json!({"mode": "content", "numLines": count, "content": said});
        self.call("Grep", json!({"pattern": pattern}), &said, beside)
    }

    /// Writes a call and its result, which failed if the record's field next to it is an error.
    fn call(&mut self, tool: &str, input: Value, said: &str, beside: Value) -> std::io::Result<()> {
        let id = format!("toolu_{:024}", self.records);
        let text = json!({"type": "text", "text": self.texts.text()});
        let call = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        self.record("assistant", json!([text, call]), Value::Null)?;
        let mut result = json!({"type": "tool_result", "tool_use_id": id, "content": said});
        if beside.is_string() {
            result["is_error"] = json!(true);
        }
        self.record("user", json!([result]), beside)
    }

    fn record(&mut self, role: &str, content: Value, beside: Value) -> std::io::Result<()> {
        let (number, seconds) = (self.records, self.records * PAUSE);
        let (day, second) = (1 + seconds / DAY % 28, seconds % DAY);
        let time = format!(
            "2026-03-{day:02}T{:02}:{:02}:{:02}.000Z",
            second / 3_600,
            second / 60 % 60,
            second % 60
        );
        let mut record = json!({
            "parentUuid": number.checked_sub(1).map(uuid), "uuid": uuid(number), "isSidechain": false,
            "userType": "external", "cwd": "/home/me/shop", "sessionId": "5f0c2c5e-0000-4000-8000-000000000008",
            "version": "2.1.0", "gitBranch": "main", "type": role, "timestamp": time,
            "message": {"role": role, "content": content},
        });
        if role == "assistant" {
            record["message"]["usage"] =
                json!({"input_tokens": 9, "output_tokens": 210, "cache_read_input_tokens": 61_000});
        }
        if !beside.is_null() {
            record["toolUseResult"] = beside;
        }
        let line = record.to_string();
        writeln!(self.out, "{line}")?;
        self.bytes += line.len() as u64 + 1;
        self.records += 1;
        Ok(())
    }

    fn name(&mut self) -> String {
        self.names[self.chance.below(NAMES)].clone()
    }

    fn lines(&mut self, count: usize) -> String {
        let line = |number| format!("{number:>5}  {}", self.texts.question());
        let lines: Vec<String> = (1..=count).map(line).collect();
        lines.join("\n")
    }
}

fn uuid(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_its_size_and_failures_with_their_cures() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("session.jsonl");
        write(&path, 400_000).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!((400_000..450_000).contains(&text.len()), "{}", text.len());
        let records: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let results = records.iter().filter(|it| it["type"] == "user").count() - 1;
        let is_failed = |it: &&Value| it["message"]["content"][0]["is_error"] == true;
        let failures = records.iter().filter(is_failed).count();
        assert!(
            failures > 0 && failures * 4 < results,
            "{failures} of {results}"
        );
        let each = text.len() / results;
        assert!((6_000..12_000).contains(&each), "{each} bytes a call");
    }
}
