//! A path is a name with `::`, written out in full: `use a::{b, c::d}` is the paths `a::b`, `a::c::d`.
//!
//! No spelling of an import is invisible to the rules about doors and circles.

use crate::source::Source;
use crate::token::Token;

/// A path with its module and its line.
#[derive(Debug)]
pub(crate) struct NamedPath {
    pub(crate) segments: Vec<String>,
    pub(crate) line: usize,
    /// Where the path ends among the tokens.
    pub(crate) token: usize,
    /// The name that a `use` gives it in its file.
    pub(crate) imported_as: Option<String>,
}

impl NamedPath {
    /// Names the outside crate, or the local name, that the path starts with.
    pub(crate) fn first(&self) -> &str {
        self.segments.first().map_or("", String::as_str)
    }
}

/// Collects every path of a source, imported or inline.
pub(crate) fn paths(source: &Source) -> Vec<NamedPath> {
    let tokens = &source.tokens;
    let mut collector = Collector {
        tokens,
        found: vec![],
    };
    let mut at = 0;
    while at < tokens.len() {
        at = collector.step(at);
    }
    collector.found
}

struct Collector<'a> {
    tokens: &'a [Token],
    found: Vec<NamedPath>,
}

impl Collector<'_> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn is_word(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::is_word)
    }

    fn step(&mut self, at: usize) -> usize {
        let token = &self.tokens[at];
        match token.text.as_str() {
            "use" if !self.is(at + 1, "<") => self.tree(at + 1, &[]),
            "extern" if self.is(at + 1, "crate") => {
                self.push(vec![self.tokens[at + 2].text.clone()], at + 2);
                at + 3
            }
            _ if token.is_word() && self.is(at + 1, "::") => self.inline(at),
            _ => at + 1,
        }
    }

    fn push(&mut self, segments: Vec<String>, token: usize) {
        self.found.push(NamedPath {
            segments,
            line: self.tokens[token].line,
            token,
            imported_as: None,
        });
    }

    fn import(&mut self, mut segments: Vec<String>, name: Option<String>, token: usize) {
        // `a::{self}` imports `a`.
        if segments.len() > 1 && segments.last().is_some_and(|last| last == "self") {
            segments.pop();
        }
        let name = name.or_else(|| segments.last().cloned());
        self.push(segments, token);
        if let Some(path) = self.found.last_mut() {
            path.imported_as = name;
        }
    }

    fn inline(&mut self, start: usize) -> usize {
        let continues_type = start >= 2 && self.is(start - 1, "::") && self.is(start - 2, ">");
        let mut segments = vec![self.tokens[start].text.clone()];
        let mut at = start + 1;
        while self.is(at, "::") && self.is_word(at + 1) {
            segments.push(self.tokens[at + 1].text.clone());
            at += 2;
        }
        if segments.len() > 1 && !continues_type {
            self.push(segments, start);
        }
        at
    }

    /// Reads one branch of a `use` tree and returns the place of the sign that ends it.
    fn tree(&mut self, start: usize, prefix: &[String]) -> usize {
        let mut segments = prefix.to_vec();
        let mut last = None;
        let mut name = None;
        let mut at = start;
        while let Some(token) = self.tokens.get(at) {
            match token.text.as_str() {
                ";" | "," | "}" => break,
                "{" => return self.group(at + 1, &segments),
                "as" => {
                    at += 1;
                    name = self.tokens.get(at).map(|token| token.text.clone());
                }
                word if token.is_word() || word == "*" => {
                    last = Some(at);
                    segments.push(word.to_owned());
                }
                _ => {}
            }
            at += 1;
        }
        if let Some(last) = last {
            self.import(segments, name, last);
        }
        at
    }

    fn group(&mut self, start: usize, prefix: &[String]) -> usize {
        let mut at = start;
        while at < self.tokens.len() && !self.is(at, "}") {
            at = self.tree(at, prefix);
            if self.is(at, ",") {
                at += 1;
            }
            if self.is(at, ";") {
                return at;
            }
        }
        at + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Vec<String> {
        let source = Source::new("src/engine/memory/retrieval/retrieve.rs", text);
        paths(&source)
            .iter()
            .map(|path| path.segments.join("::"))
            .collect()
    }

    #[test]
    fn nested_braces_are_written_out() {
        assert_eq!(
            named("use std::{io, time::{self, Duration as D}};\npub(crate) use crate::{a::*, b};"),
            [
                "std::io",
                "std::time",
                "std::time::Duration",
                "crate::a::*",
                "crate::b"
            ]
        );
    }

    #[test]
    fn inline_paths_are_found_and_methods_are_not() {
        assert_eq!(
            named(
                "fn f() -> crate::a::B { ::tokio::spawn(x.collect::<Vec<_>>()); Vec::<u8>::new(); <A as c::D>::e() }"
            ),
            ["crate::a::B", "tokio::spawn", "c::D"]
        );
    }

    #[test]
    fn attributes_and_macros_are_read_too() {
        assert_eq!(
            named("#[tokio::test] fn f() { assert!(crate::cli::ok()) }"),
            ["tokio::test", "crate::cli::ok"]
        );
    }
}
