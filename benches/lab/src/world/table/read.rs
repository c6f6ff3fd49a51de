//! Reading one line: its command, and the values of its places.

use std::collections::BTreeMap;

use super::Fault;
use super::expression::Expression;
use super::language::{Language, Part, Pattern};
use crate::tokens::{Kind, Token, tokens};

/// The values of the places of a line.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Arguments {
    texts: BTreeMap<String, String>,
    lists: BTreeMap<String, Vec<String>>,
    pub(super) aggregates: Vec<Aggregate>,
    pub(super) expression: Option<Expression>,
}

/// One column of a grouping.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Aggregate {
    pub(super) alias: String,
    pub(super) function: String,
    pub(super) column: String,
}

impl Arguments {
    /// The value of a place; empty when there is none.
    pub(super) fn text(&self, name: &str) -> &str {
        self.texts.get(name).map_or("", String::as_str)
    }

    /// The names in a place.
    pub(super) fn list(&self, name: &str) -> &[String] {
        self.lists.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Reads a line: the operation and its arguments.
pub(super) fn read<'a>(language: &'a Language, line: &str) -> Result<(&'a str, Arguments), Fault> {
    let mut pieces = tokens(line);
    let word = pieces
        .first()
        .map_or(String::new(), |token| token.text.clone());
    let command = language
        .commands
        .iter()
        .find(|(_, pattern)| pattern.head() == word);
    let Some((operation, pattern)) = command else {
        let heads: Vec<&str> = language.commands.values().map(Pattern::head).collect();
        return Err(Fault::new(
            "unknown_command",
            &[("found", &word), ("commands", &heads.join(", "))],
        ));
    };
    take_terminator(language, &mut pieces)?;
    let mut reader = Reader {
        language,
        pattern,
        pieces: &pieces,
        at: 0,
    };
    let arguments = reader.parts(pattern)?;
    match reader.peek() {
        None => Ok((operation, arguments)),
        Some(token) => {
            let found = token.text.clone();
            Err(reader.fault("extra", &found, "the end"))
        }
    }
}

fn take_terminator(language: &Language, pieces: &mut Vec<Token>) -> Result<(), Fault> {
    if language.terminator.is_empty() {
        return Ok(());
    }
    match pieces.last() {
        Some(last) if last.is(&language.terminator) => {
            pieces.pop();
            Ok(())
        }
        last => {
            let found = last.map_or("", |token| &token.text);
            Err(Fault::new(
                "terminator",
                &[("terminator", &language.terminator), ("found", found)],
            ))
        }
    }
}

struct Reader<'a> {
    language: &'a Language,
    pattern: &'a Pattern,
    pieces: &'a [Token],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.pieces.get(self.at)
    }

    fn next(&mut self, wanted: &str) -> Result<&'a Token, Fault> {
        let Some(token) = self.peek() else {
            return Err(self.fault("missing", "", wanted));
        };
        self.at += 1;
        Ok(token)
    }

    fn fault(&self, kind: &'static str, found: &str, wanted: &str) -> Fault {
        let values = [
            ("found", found),
            ("expected", wanted),
            ("command", self.pattern.head()),
            ("usage", &self.pattern.text),
        ];
        Fault::new(kind, &values)
    }

    fn parts(&mut self, pattern: &Pattern) -> Result<Arguments, Fault> {
        let mut arguments = Arguments::default();
        for (at, part) in pattern.parts.iter().enumerate() {
            match part {
                Part::Literal(pieces) => self.literal(pieces)?,
                Part::Place {
                    is_optional: true, ..
                } if self.peek().is_none() => {}
                Part::Place { name, .. } => {
                    self.place(name, pattern.parts.get(at + 1), &mut arguments)?
                }
            }
        }
        Ok(arguments)
    }

    fn literal(&mut self, pieces: &[Token]) -> Result<(), Fault> {
        for piece in pieces {
            let token = self.next(&piece.text)?;
            if !token.same(piece) {
                return Err(self.fault("expected", &token.text, &piece.text));
            }
        }
        Ok(())
    }

    fn place(
        &mut self,
        name: &str,
        after: Option<&Part>,
        into: &mut Arguments,
    ) -> Result<(), Fault> {
        match name {
            "aggregates" => into.aggregates = self.aggregates()?,
            "expression" => into.expression = Some(self.expression(after)?),
            "columns" | "group" => {
                let names = self.names(name)?;
                into.lists.insert(name.to_owned(), names);
            }
            _ => {
                let text = self.single(name)?;
                into.texts.insert(name.to_owned(), text);
            }
        }
        Ok(())
    }

    fn single(&mut self, name: &str) -> Result<String, Fault> {
        let language = self.language;
        match name {
            "path" => self.quoted(true),
            "value" => self.quoted(false),
            "operator" => self.word_of(&language.operators, "unknown_operator", "operators"),
            "function" => self.function(),
            "direction" => self.word_of(&language.directions, "unknown_direction", "directions"),
            "count" => {
                let token = self.next("a count")?;
                let is_count = token.text.parse::<usize>().is_ok();
                is_count
                    .then(|| token.text.clone())
                    .ok_or_else(|| self.fault("bad_count", &token.text, "a count"))
            }
            _ => self.name(name),
        }
    }

    fn name(&mut self, wanted: &str) -> Result<String, Fault> {
        let token = self.next(wanted)?;
        match token.kind {
            Kind::Word => Ok(token.text.clone()),
            _ => Err(self.fault("expected", &token.text, wanted)),
        }
    }

    fn names(&mut self, wanted: &str) -> Result<Vec<String>, Fault> {
        let mut names = vec![self.name(wanted)?];
        while self.takes_separator() {
            names.push(self.name(wanted)?);
        }
        Ok(names)
    }

    fn takes_separator(&mut self) -> bool {
        let is_there = self
            .peek()
            .is_some_and(|token| token.is(&self.language.separator));
        self.at += usize::from(is_there);
        is_there
    }

    fn aggregates(&mut self) -> Result<Vec<Aggregate>, Fault> {
        let mut found = Vec::new();
        loop {
            let read = self.parts(&self.language.aggregate)?;
            found.push(Aggregate {
                alias: read.text("alias").to_owned(),
                function: read.text("function").to_owned(),
                column: read.text("column").to_owned(),
            });
            if !self.takes_separator() {
                return Ok(found);
            }
        }
    }

    fn expression(&mut self, after: Option<&Part>) -> Result<Expression, Fault> {
        let rest = &self.pieces[self.at..];
        let end = match after {
            Some(Part::Literal(pieces)) => {
                let mark = pieces.first();
                rest.iter()
                    .position(|token| mark.is_some_and(|mark| token.same(mark)))
            }
            _ => None,
        };
        let end = end.unwrap_or(rest.len());
        self.at += end;
        Expression::read(&rest[..end])
    }

    fn quoted(&mut self, is_required: bool) -> Result<String, Fault> {
        let quote = &self.language.quote;
        let wanted = format!("a text in {quote}");
        let token = self.next(&wanted)?;
        if token.kind != Kind::Quote {
            let is_plain = matches!(token.kind, Kind::Word | Kind::Number);
            let must_quote =
                is_required || (self.language.must_quote_values && token.kind == Kind::Word);
            return match (is_plain, must_quote) {
                (true, false) => Ok(token.text.clone()),
                (true, true) => Err(Fault::new(
                    "unquoted",
                    &[("found", &token.text), ("quote", quote)],
                )),
                (false, _) => Err(self.fault("expected", &token.text, &wanted)),
            };
        }
        if token.text != *quote {
            return Err(Fault::new(
                "wrong_quote",
                &[("found", &token.text), ("quote", quote)],
            ));
        }
        let inner = self.next(&wanted)?;
        if inner.kind == Kind::Quote {
            return Ok(String::new());
        }
        self.next(quote)?;
        Ok(inner.text.clone())
    }

    fn word_of(
        &mut self,
        words: &BTreeMap<String, String>,
        kind: &'static str,
        list: &'static str,
    ) -> Result<String, Fault> {
        let token = self.next(list)?;
        words.get(&token.text).cloned().ok_or_else(|| {
            let known: Vec<&str> = words.keys().map(String::as_str).collect();
            Fault::new(kind, &[("found", &token.text), (list, &known.join(", "))])
        })
    }

    fn function(&mut self) -> Result<String, Fault> {
        let functions = &self.language.functions;
        let found = self
            .peek()
            .map_or(String::new(), |token| token.text.clone());
        let right = functions
            .keys()
            .find(|word| word.eq_ignore_ascii_case(&found) && **word != found);
        if let Some(right) = right {
            return Err(Fault::new(
                "function_case",
                &[("found", &found), ("right", right)],
            ));
        }
        self.word_of(functions, "unknown_function", "functions")
    }
}
