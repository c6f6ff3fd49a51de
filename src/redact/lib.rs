//! Redaction: secrets are removed from a text before anything is written, and counted by kind.
//!
//! A secret is recognised by its form (a table of shapes), by the name before it, by its place in a command line, an
//! address or a header, or by a rule that a user added. Only the value goes; the name stays. Every pass reads a text
//! once with bounded look-ahead, so the work grows with the length alone. Redacted text stays as it is, so that the
//! same input always gives the same text.
//!
//! # Example
//!
//! ```
//! use hindlore_redact::Redactor;
//!
//! let redactor = Redactor::default();
//! let mut sweep = redactor.sweep();
//! let mut text = "export DB_PASSWORD=Tr0ub4dor-and-3".to_owned();
//! sweep.text(&mut text);
//! assert_eq!(text, "export DB_PASSWORD=<secret>");
//! assert_eq!(sweep.finish().total(), 1);
//! ```

mod address;
mod announce;
mod assign;
mod block;
mod code;
mod columns;
mod command;
mod custom_rules;
mod header;
mod shapes;
mod span;
mod sweep;
mod value;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use custom_rules::BadRule;
use custom_rules::OwnRule;
use span::{Span, joined};
pub use sweep::Sweep;

/// The replacement of a secret.
pub const MARK: &str = "<secret>";

/// True for a mark, or for the inside of one.
fn is_mark(text: &str) -> bool {
    text == MARK || text.starts_with("<secret:") || text.starts_with("secret:") && text.len() <= 14
}

/// How many secrets were taken out, by the rule that found them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Redactions {
    by_rule: BTreeMap<String, u64>,
}

impl Redactions {
    /// True when nothing was taken out.
    pub fn is_empty(&self) -> bool {
        self.by_rule.is_empty()
    }

    /// How many secrets.
    pub fn total(&self) -> u64 {
        self.by_rule.values().sum()
    }

    /// How many, by rule.
    pub fn by_rule(&self) -> &BTreeMap<String, u64> {
        &self.by_rule
    }

    /// Adds the counts of another text.
    pub fn add(&mut self, other: &Self) {
        for (rule, count) in &other.by_rule {
            *self.by_rule.entry(rule.clone()).or_default() += count;
        }
    }

    fn count(&mut self, rule: &str) {
        match self.by_rule.get_mut(rule) {
            Some(count) => *count += 1,
            None => drop(self.by_rule.insert(rule.to_owned(), 1)),
        }
    }
}

/// Removes secrets from texts.
#[derive(Clone, Debug)]
pub struct Redactor {
    is_on: bool,
    own: Vec<OwnRule>,
}

impl Default for Redactor {
    fn default() -> Self {
        Self {
            is_on: true,
            own: Vec::new(),
        }
    }
}

impl Redactor {
    /// One that leaves every text as it is. To be chosen, never to be fallen back to.
    pub fn off() -> Self {
        Self {
            is_on: false,
            own: Vec::new(),
        }
    }

    /// A redactor with rules in addition to the shipped ones, each a name and a regular expression.
    pub fn with_rules(rules: &[(String, String)]) -> Result<Self, BadRule> {
        Ok(Self {
            is_on: true,
            own: custom_rules::compiled(rules)?,
        })
    }

    /// False if redaction is switched off.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Begins to redact the texts of one request.
    pub fn sweep(&self) -> Sweep<'_> {
        Sweep::new(self)
    }

    /// The places of secrets in a text, in order.
    fn spans(&self, text: &str, is_command: bool) -> Vec<Span<'_>> {
        if !self.is_on || text.len() < 3 {
            return Vec::new();
        }
        let mut shipped: Vec<Span<'static>> = Vec::new();
        assign::words(text, is_command, &mut shipped);
        command::lines(text, is_command, &mut shipped);
        address::logins(text, &mut shipped);
        block::keys(text, &mut shipped);
        announce::values(text, &mut shipped);
        let mut found: Vec<Span<'_>> = shipped;
        for rule in &self.own {
            rule.find(text, &mut found);
        }
        let mut found = joined(found);
        found.retain(|span| !is_mark(&text[span.range.clone()]));
        found
    }
}
