//! A diagnostic while its lines are read.

use super::marks::is_blank_or_indented;

/// Lines that one diagnostic keeps; later ones still belong to it.
const LINES_MAX: usize = 200;

/// How the diagnostics of a tool look.
#[derive(Debug)]
pub(super) struct Rule {
    /// The tool; empty where the form is that of several.
    pub(super) tool: &'static str,
    /// True if a line begins one.
    pub(super) begins: fn(&str) -> bool,
    /// True if a line belongs to the lines before.
    pub(super) goes_on: fn(&[String], &str) -> bool,
    /// The text of its lines; absent when it is no failure after all.
    pub(super) text: fn(&[String]) -> Option<String>,
}

/// A diagnostic.
#[derive(Debug)]
pub(super) struct Block {
    rule: &'static Rule,
    pub(super) line: usize,
    lines: Vec<String>,
}

impl Block {
    pub(super) fn new(rule: &'static Rule, line: usize, first: &str) -> Self {
        Self {
            rule,
            line,
            lines: vec![first.to_owned()],
        }
    }

    /// Takes a line that belongs to it.
    pub(super) fn takes(&mut self, line: &str) -> bool {
        let goes_on = (self.rule.goes_on)(&self.lines, line);
        if goes_on && self.lines.len() < LINES_MAX {
            self.lines.push(line.to_owned());
        }
        goes_on
    }

    /// True for the line by which a playbook allows the failure before it.
    pub(super) fn is_taken_back(&self, line: &str) -> bool {
        self.rule.tool == "ansible" && line.trim() == "...ignoring"
    }

    /// Its text; absent when it is no failure.
    pub(super) fn text(&self) -> Option<String> {
        let text = (self.rule.text)(&self.lines)?;
        let text = text.trim_end().to_owned();
        (!text.trim().is_empty()).then_some(text)
    }

    /// The tool that printed it, where that is known.
    pub(super) fn tool(&self) -> Option<&'static str> {
        let has = |part: &str| self.lines.iter().any(|line| line.contains(part));
        match self.rule.tool {
            "" if has("--> ") => Some("rustc"),
            "" if has(".tf line ") => Some("terraform"),
            "" if self
                .lines
                .iter()
                .skip(1)
                .any(|line| line.trim_start().starts_with("at ")) =>
            {
                Some("node")
            }
            "" => None,
            tool => Some(tool),
        }
    }

    /// Its tool as its rule names it, and its lines.
    pub(super) fn parts(&self) -> (&'static str, &[String]) {
        (self.rule.tool, &self.lines)
    }
}

/// The lines as they are.
pub(super) fn whole(lines: &[String]) -> Option<String> {
    Some(lines.join("\n"))
}

/// Nothing belongs to it but its first line.
pub(super) fn ends(_: &[String], _: &str) -> bool {
    false
}

/// Indented lines belong to it.
pub(super) fn indented(_: &[String], line: &str) -> bool {
    !line.trim().is_empty() && is_blank_or_indented(line)
}
