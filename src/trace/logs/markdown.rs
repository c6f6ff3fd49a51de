//! Sessions that were written as Markdown: AppWorld's interactions, SpecStory's exports, chat histories of aider.
//!
//! Each has a line that begins a call, then the call and its output as fences, as code within a line, or as a quotation.
//! A call whose output was not written down is a step with an unknown end.

use serde_json::json;

use super::TextLines;
use crate::collector::Out;
use crate::python_call;
use crate::step::{Action, Outcome};
use crate::verdict::{Answer, Call};

/// Bytes of a fence that are kept.
const FENCE_MAX_BYTES: usize = 4 << 20;
/// Languages of fences that hold a command line.
const SHELLS: &[&str] = &["bash", "sh", "shell", "zsh", "console", "powershell"];

/// Lines that only these writers write, each at the beginning of a line.
const SIGNS: &[&str] = &[
    "### Environment Interaction ",
    "<tool-use data-tool-type=",
    "# aider chat started at ",
];
/// Beginnings of the lines of aider that hold a command.
const AIDER: &[&str] = &[
    "#### /run ",
    "#### /test ",
    "#### /git ",
    "#### !",
    "> Running ",
];

/// Reads a session.
#[derive(Default)]
pub(crate) struct Markdown {
    block: Option<Block>,
    /// The fence that is open, and the marks that close it.
    fence: Option<(Fence, String)>,
}

/// A call while its lines arrive.
struct Block {
    line: usize,
    tool: String,
    kind: Kind,
    fences: Vec<Fence>,
    /// Code within a line.
    code: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The first fence is the call.
    Program,
    Shell,
    /// A tool whose arguments are described for people.
    Tool,
    /// The command is known, and its output is a quotation.
    Quoted,
}

#[derive(Default)]
struct Fence {
    language: String,
    text: String,
}

/// True for lines of such a session.
pub(crate) fn is_session<'l>(mut lines: impl Iterator<Item = &'l str>) -> bool {
    lines.any(|line| SIGNS.iter().any(|sign| line.starts_with(sign)))
}

impl TextLines for Markdown {
    fn line(&mut self, number: usize, line: &str, out: &mut Out<'_>) {
        if let Some((fence, marks)) = &mut self.fence {
            if line.trim() != marks.as_str() {
                push(&mut fence.text, line);
                return;
            }
            let fence = self.fence.take().map(|(fence, _)| fence);
            if let Some(block) = &mut self.block {
                block.fences.extend(fence);
            }
            return;
        }
        if let Some(block) = begun(number, line) {
            self.close(out);
            self.block = Some(block);
            return;
        }
        let Some(block) = &mut self.block else {
            return;
        };
        if let Some(rest) = line.trim_start().strip_prefix("```") {
            let language = rest.trim_start_matches('`').trim().to_owned();
            let marks = "`".repeat(3 + rest.len() - rest.trim_start_matches('`').len());
            self.fence = Some((
                Fence {
                    language,
                    ..Fence::default()
                },
                marks,
            ));
        } else if block.kind == Kind::Quoted {
            match line.strip_prefix("> ") {
                Some(quoted) => block.quote(quoted),
                None => self.close(out),
            }
        } else if line.contains("</tool-use>") {
            self.close(out);
        } else {
            block.code = block.code.take().or_else(|| code_in(line));
        }
    }

    fn end(&mut self, out: &mut Out<'_>) {
        if let (Some((fence, _)), Some(block)) = (self.fence.take(), &mut self.block) {
            block.fences.push(fence);
        }
        self.close(out);
    }
}

impl Markdown {
    fn close(&mut self, out: &mut Out<'_>) {
        let Some(block) = self.block.take() else {
            return;
        };
        let line = block.line;
        match block.step() {
            Some((call, answer)) => out.step(call.answered(answer)),
            None => out.skip(line, "the call is not written down"),
        }
    }
}

/// The block that a line begins.
fn begun(number: usize, line: &str) -> Option<Block> {
    let block = |tool: &str, kind| Block {
        line: number,
        tool: tool.to_owned(),
        kind,
        fences: Vec::new(),
        code: None,
    };
    if line.starts_with("### Environment Interaction ") {
        return Some(block("python", Kind::Program));
    }
    if line.starts_with("<tool-use ") {
        let kind = match attribute(line, "data-tool-type") {
            Some("shell") => Kind::Shell,
            _ => Kind::Tool,
        };
        let mut begun = block(attribute(line, "data-tool-name").unwrap_or("tool"), kind);
        begun.code = line
            .split_once("<summary>")
            .and_then(|(_, line)| code_in(line));
        return Some(begun);
    }
    let command = AIDER.iter().find_map(|head| line.strip_prefix(head))?;
    let mut begun = block("shell", Kind::Quoted);
    begun.code = Some(command.trim().to_owned());
    Some(begun)
}

impl Block {
    /// Adds a quoted line to the output.
    fn quote(&mut self, line: &str) {
        if self.fences.is_empty() {
            self.fences.push(Fence::default());
        }
        if let Some(fence) = self.fences.first_mut() {
            push(&mut fence.text, line.trim_end());
        }
    }

    fn step(mut self) -> Option<(Call, Answer)> {
        let at = self.fences.iter().position(|fence| self.is_call(fence));
        let mut call = at.map(|at| self.fences.remove(at).text);
        let mut output = (!self.fences.is_empty()).then(|| self.fences.remove(0).text);
        // One fence with a prompt holds both.
        if let Some((command, rest)) = call
            .as_deref()
            .and_then(prompted)
            .filter(|_| output.is_none())
        {
            (output, call) = (Some(rest), Some(command));
        }
        let words = call.or(self.code)?;
        let action = match self.kind {
            Kind::Tool => Action::Call {
                name: self.tool.clone(),
                arguments: json!({ "input": words.trim() }),
            },
            Kind::Program => python_call::of_program(&words)
                .unwrap_or_else(|| Action::Command(words.trim().to_owned())),
            _ => Action::Command(words.trim().to_owned()),
        };
        let answer = Answer {
            stopped: output.is_none().then_some(Outcome::Unknown),
            text: output.unwrap_or_default(),
            ..Answer::default()
        };
        let call = Call {
            line: self.line,
            tool: Some(self.tool),
            action,
            ..Call::default()
        };
        Some((call, answer))
    }

    fn is_call(&self, fence: &Fence) -> bool {
        match self.kind {
            Kind::Program => true,
            Kind::Shell => SHELLS.contains(&fence.language.as_str()),
            Kind::Tool | Kind::Quoted => false,
        }
    }
}

/// The command after a prompt, and the lines below it.
fn prompted(text: &str) -> Option<(String, String)> {
    let rest = text.strip_prefix("$ ")?;
    let (command, output) = rest.split_once('\n').unwrap_or((rest, ""));
    Some((command.to_owned(), output.to_owned()))
}

/// The first code within a line.
fn code_in(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('`')?;
    let (code, _) = rest.rsplit_once('`')?;
    Some(code.to_owned())
}

fn attribute<'l>(line: &'l str, name: &str) -> Option<&'l str> {
    let (_, rest) = line.split_once(&format!("{name}=\""))?;
    Some(rest.split('"').next().unwrap_or(rest))
}

fn push(text: &mut String, line: &str) {
    if text.len() < FENCE_MAX_BYTES {
        text.push_str(line);
        text.push('\n');
    }
}
