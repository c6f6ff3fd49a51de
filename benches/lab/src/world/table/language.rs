//! The definition of a command language, and the lines that one who knows it would write.

use std::collections::BTreeMap;

use serde_json::Value;

use super::text_of;
use crate::error::{LabError, LabResult};
use crate::tokens::{Token, tokens};
use crate::tool::PlanStep;

/// The kind of a command.
pub(super) const OPERATIONS: &[&str] = &[
    "load", "filter", "exclude", "group", "sort", "select", "derive", "join", "show",
];
/// The comparisons, aggregations and orders.
const OPERATORS: &[&str] = &["eq", "neq", "gt", "lt", "gte", "lte"];
const FUNCTIONS: &[&str] = &["sum", "count", "avg", "min", "max"];
const DIRECTIONS: &[&str] = &["asc", "desc"];
const PLACES: &[&str] = &[
    "path",
    "column",
    "operator",
    "value",
    "group",
    "aggregates",
    "direction",
    "columns",
    "name",
    "expression",
    "count",
    "alias",
    "function",
];

/// A part of a pattern.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Part {
    /// These pieces, as they are.
    Literal(Vec<Token>),
    /// A place, and whether it may be left out.
    Place { name: String, is_optional: bool },
}

/// How something is written.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Pattern {
    pub(super) text: String,
    pub(super) parts: Vec<Part>,
}

/// A command language.
#[derive(Clone, PartialEq, Debug)]
pub struct Language {
    pub(super) commands: BTreeMap<String, Pattern>,
    pub(super) aggregate: Pattern,
    pub(super) separator: String,
    pub(super) terminator: String,
    pub(super) quote: String,
    pub(super) must_quote_values: bool,
    /// From the word of the language to its meaning.
    pub(super) operators: BTreeMap<String, String>,
    pub(super) functions: BTreeMap<String, String>,
    pub(super) directions: BTreeMap<String, String>,
}

impl Language {
    /// Reads the key `language` of `tool.json`.
    pub(crate) fn parse(tool: &Value) -> LabResult<Self> {
        let language = tool
            .get("language")
            .ok_or_else(|| wrong("`language` is missing"))?;
        let text = |key: &str| language.get(key).and_then(Value::as_str).map(str::to_owned);
        let mut commands = BTreeMap::new();
        for operation in OPERATIONS {
            let written = language.get("commands").and_then(|all| all.get(operation));
            let written = written.and_then(Value::as_str);
            let written = written.ok_or_else(|| wrong(format!("no command for `{operation}`")))?;
            let pattern = Pattern::parse(written)?;
            if !matches!(pattern.parts.first(), Some(Part::Literal(_))) {
                return Err(wrong(format!(
                    "`{written}` does not begin with a word of its own"
                )));
            }
            commands.insert((*operation).to_owned(), pattern);
        }
        Ok(Self {
            commands,
            aggregate: Pattern::parse(
                &text("aggregate").ok_or_else(|| wrong("`aggregate` is missing"))?,
            )?,
            separator: text("separator").unwrap_or_else(|| ",".to_owned()),
            terminator: text("terminator").unwrap_or_default(),
            quote: text("quote").unwrap_or_else(|| "\"".to_owned()),
            must_quote_values: language
                .get("must_quote_values")
                .and_then(Value::as_bool)
                .unwrap_or(false),
            operators: words(language, "operators", OPERATORS)?,
            functions: words(language, "functions", FUNCTIONS)?,
            directions: words(language, "directions", DIRECTIONS)?,
        })
    }

    /// Writes a step of a plan as one who knows the language would.
    pub(crate) fn line(&self, step: &PlanStep) -> LabResult<String> {
        let pattern = self.commands.get(&step.intent);
        let pattern = pattern.ok_or_else(|| wrong(format!("`{}` is no operation", step.intent)))?;
        let line = self.filled(pattern, &Value::Object(step.data.clone()))?;
        Ok(format!("{}{}", line.trim(), self.terminator))
    }

    fn filled(&self, pattern: &Pattern, data: &Value) -> LabResult<String> {
        let mut line = pattern.text.clone();
        for part in &pattern.parts {
            let Part::Place { name, is_optional } = part else {
                continue;
            };
            let value = data.get(name);
            let said = match (value, is_optional) {
                (None, true) => String::new(),
                (None, false) => return Err(wrong(format!("`{}` needs `{name}`", pattern.text))),
                (Some(value), _) => self.said(name, value)?,
            };
            let mark = if *is_optional { "?" } else { "" };
            line = line.replacen(&format!("<{name}{mark}>"), &said, 1);
        }
        Ok(line)
    }

    fn said(&self, name: &str, value: &Value) -> LabResult<String> {
        let word = |words: &BTreeMap<String, String>| {
            let meant = value.as_str();
            let found = words
                .iter()
                .find(|(_, meaning)| Some(meaning.as_str()) == meant);
            found.map(|(word, _)| word.clone())
        };
        let said = match (name, value) {
            ("operator", _) => word(&self.operators),
            ("function", _) => word(&self.functions),
            ("direction", _) => word(&self.directions),
            ("path", _) | ("value", Value::String(_)) => {
                text_of(value).map(|text| format!("{0}{text}{0}", self.quote))
            }
            ("aggregates", Value::Array(items)) => {
                let each = items.iter().map(|item| self.filled(&self.aggregate, item));
                Some(
                    each.collect::<LabResult<Vec<_>>>()?
                        .join(&format!("{} ", self.separator)),
                )
            }
            (_, Value::Array(items)) => {
                let texts: Option<Vec<String>> = items.iter().map(text_of).collect();
                texts.map(|texts| texts.join(&format!("{} ", self.separator)))
            }
            _ => text_of(value),
        };
        said.ok_or_else(|| wrong(format!("`{value}` cannot stand for `{name}`")))
    }
}

impl Pattern {
    fn parse(text: &str) -> LabResult<Self> {
        let mut parts = Vec::new();
        let mut literal = String::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            let place = rest
                .strip_prefix('<')
                .and_then(|inner| inner.split_once('>'))
                .map(|(name, after)| {
                    (
                        name.strip_suffix('?').unwrap_or(name),
                        name.ends_with('?'),
                        after,
                    )
                });
            match place {
                Some((name, is_optional, after)) if PLACES.contains(&name) => {
                    push_literal(&mut parts, &mut literal);
                    parts.push(Part::Place {
                        name: name.to_owned(),
                        is_optional,
                    });
                    rest = after;
                }
                _ => {
                    literal.push(c);
                    rest = &rest[c.len_utf8()..];
                }
            }
        }
        push_literal(&mut parts, &mut literal);
        if parts.is_empty() {
            return Err(wrong("a pattern is empty"));
        }
        Ok(Self {
            text: text.to_owned(),
            parts,
        })
    }

    /// The first piece that is written as it is.
    pub(super) fn head(&self) -> &str {
        match self.parts.first() {
            Some(Part::Literal(pieces)) => pieces.first().map_or("", |token| &token.text),
            _ => "",
        }
    }
}

/// The lines of text in a JSON list.
pub(super) fn lines(json: &Value) -> Vec<String> {
    let items = json.as_array().into_iter().flatten();
    items
        .filter_map(|line| Some(line.as_str()?.to_owned()))
        .collect()
}

fn push_literal(parts: &mut Vec<Part>, literal: &mut String) {
    let pieces = tokens(literal);
    if !pieces.is_empty() {
        parts.push(Part::Literal(pieces));
    }
    literal.clear();
}

fn words(language: &Value, key: &str, meanings: &[&str]) -> LabResult<BTreeMap<String, String>> {
    let mut words = BTreeMap::new();
    for meaning in meanings {
        let word = language
            .get(key)
            .and_then(|all| all.get(meaning))
            .and_then(Value::as_str);
        let word = word.ok_or_else(|| wrong(format!("`{key}` has no word for `{meaning}`")))?;
        if words
            .insert(word.to_owned(), (*meaning).to_owned())
            .is_some()
        {
            return Err(wrong(format!("`{word}` has two meanings in `{key}`")));
        }
    }
    Ok(words)
}

fn wrong(what: impl std::fmt::Display) -> LabError {
    LabError::definition("tool.json", what)
}
