//! Transcripts of a shell: a prompt with a command, then its output.
//!
//! Exit codes are not in them, unless the person asked with `echo $?`; else the words of the command decide.

use super::TextLines;
use crate::collector::Out;
use crate::step::{Action, Outcome};
use crate::verdict::{Answer, Call};

/// Bytes of an output that are kept while it is read; a step keeps both ends of this.
const OUTPUT_MAX_BYTES: usize = 4 << 20;
/// Commands that ask for the exit code of the one before.
const ASKS_FOR_CODE: &[&str] = &[
    "echo $?",
    "echo \"$?\"",
    "echo $LASTEXITCODE",
    "$LASTEXITCODE",
    "echo %ERRORLEVEL%",
];

/// Reads a transcript.
#[derive(Default)]
pub(crate) struct Transcript {
    command: Option<Command>,
    /// A command whose exit code is being asked for.
    asked: Option<Command>,
    before: usize,
}

struct Command {
    line: usize,
    text: String,
    output: String,
}

/// The prompts among some lines, and whether the first one that is not empty is one.
pub(crate) fn prompts<'l>(lines: impl Iterator<Item = &'l str>) -> (usize, bool) {
    let mut lines = lines.filter(|line| !line.trim().is_empty()).peekable();
    let is_first = lines.peek().is_some_and(|line| prompted(line).is_some());
    (
        lines.filter(|line| prompted(line).is_some()).count(),
        is_first,
    )
}

impl TextLines for Transcript {
    fn line(&mut self, number: usize, line: &str, out: &mut Out<'_>) {
        if let Some(text) = prompted(line) {
            self.close(out);
            if !text.is_empty() {
                self.open(number, text);
            }
            return;
        }
        let Some(command) = &mut self.command else {
            self.before += usize::from(!line.trim().is_empty() && self.asked.is_none());
            return;
        };
        let goes_on = command.output.is_empty() && command.text.ends_with('\\');
        if let Some(rest) = line.strip_prefix("> ").or(Some(line)).filter(|_| goes_on) {
            command.text.pop();
            command.text.push_str(rest.trim());
        } else if command.output.len() < OUTPUT_MAX_BYTES {
            command.output.push_str(line);
            command.output.push('\n');
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        self.close(out);
        if let Some(command) = self.asked.take() {
            tell(command, None, out);
        }
        if self.before > 0 {
            let lines = self.before;
            out.skip(
                1,
                format!("no command printed what stands before the first prompt ({lines})"),
            );
        }
    }
}

impl Transcript {
    fn open(&mut self, line: usize, text: &str) {
        self.command = Some(Command {
            line,
            text: text.to_owned(),
            output: String::new(),
        });
    }

    /// Ends the command. One whose exit code may be asked for next waits for that.
    fn close(&mut self, out: &mut Out<'_>) {
        let Some(command) = self.command.take() else {
            return;
        };
        let asks = ASKS_FOR_CODE.contains(&command.text.trim());
        let code = command.output.trim().parse().ok().filter(|_| asks);
        match (self.asked.take(), code) {
            (Some(asked), Some(code)) => tell(asked, Some(code), out),
            (asked, _) => {
                if let Some(asked) = asked {
                    tell(asked, None, out);
                }
                self.asked = Some(command);
            }
        }
    }
}

fn tell(command: Command, exit_code: Option<i32>, out: &mut Out<'_>) {
    let call = Call {
        line: command.line,
        tool: Some("shell".to_owned()),
        action: Action::Command(command.text),
        ..Call::default()
    };
    let mut output = command.output;
    // Ctrl-C leaves this on the screen.
    let interrupted = output.lines().any(|line| line.starts_with("^C"));
    if interrupted {
        output = output.replace("^C", "");
    }
    out.step(call.answered(Answer {
        text: output,
        exit_code,
        stopped: interrupted.then_some(Outcome::Interrupted),
        ..Answer::default()
    }));
}

/// The command after a prompt; absent for a line without one.
fn prompted(line: &str) -> Option<&str> {
    let line = line
        .strip_prefix("(")
        .and_then(|rest| rest.split_once(") "))
        .map_or(line, |(name, rest)| {
            // The name of a virtual environment before the prompt.
            if name.contains([' ', '(']) {
                line
            } else {
                rest
            }
        });
    for sign in ["$ ", "❯ ", "➜ "] {
        if let Some(command) = line.strip_prefix(sign) {
            return Some(command.trim());
        }
    }
    if line == "$" || line == "❯" {
        return Some("");
    }
    let (prompt, command) = ["$ ", "# ", "% ", "> ", ">"]
        .iter()
        .filter_map(|sign| {
            line.split_once(sign)
                .filter(|(prompt, _)| is_prompt(prompt, sign))
        })
        .min_by_key(|(prompt, _)| prompt.len())?;
    debug_assert!(prompt.len() < line.len());
    Some(command.trim())
}

/// True for `user@host:path`, `[user@host path]`, `bash-5.1`, `PS C:\path` and `C:\path`, with the sign of each.
fn is_prompt(prompt: &str, sign: &str) -> bool {
    let is_windows = |path: &str| {
        let bytes = path.as_bytes();
        // Characters that no path may hold distinguish a diagnostic from a prompt.
        bytes.len() >= 2
            && bytes[0].is_ascii_alphabetic()
            && bytes[1] == b':'
            && !path[2..].contains([':', '>', '<', '|', '"', '?', '*', '`'])
    };
    if sign.starts_with('>') {
        let path = prompt.strip_prefix("PS ");
        return path.is_some_and(|path| is_windows(path) || path.starts_with('/'))
            || (is_windows(prompt) && prompt.contains('\\'));
    }
    let is_shell = ["bash-", "sh-", "zsh-"]
        .iter()
        .any(|name| prompt.starts_with(name));
    let inner = prompt.trim_start_matches('[').trim_end_matches(']');
    let (user, place) = inner.split_once('@').unwrap_or_default();
    let is_name = |text: &str| !text.is_empty() && !text.contains([' ', '"', '\'', '/', '=']);
    let host = place.split([':', ' ']).next().unwrap_or_default();
    let has_path = place.contains([':', ' ']);
    (is_shell && !prompt.contains(' '))
        || (is_name(user) && is_name(host) && has_path && prompt.len() < 120)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_of_all_shells_are_told_from_output() {
        for (line, command) in [
            ("$ make test", Some("make test")),
            ("ann@box:~/src$ git push", Some("git push")),
            ("[ann@box src]$ ls -l", Some("ls -l")),
            ("root@box:/etc# cat a", Some("cat a")),
            ("(venv) ann@box:~$ pip list", Some("pip list")),
            ("(venv) $ pip list", Some("pip list")),
            ("PS C:\\w> npm test", Some("npm test")),
            ("C:\\w>dir", Some("dir")),
            ("bash-5.1$ id", Some("id")),
            ("❯ cargo run", Some("cargo run")),
            ("$", Some("")),
            ("price is 5$ each", None),
            ("mail ann@box.org # later", None),
            ("a > b", None),
            ("error: x", None),
            ("", None),
        ] {
            assert_eq!(prompted(line), command, "{line}");
        }
    }
}
