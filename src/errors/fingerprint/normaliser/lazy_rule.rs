//! A pattern that is compiled when it is first needed: a set finds which of many fits, and a text needs one or two.

use std::sync::OnceLock;

use regex::Regex;

/// A pattern, and its compiled form.
pub(super) struct LazyRule {
    source: String,
    rule: OnceLock<Option<Regex>>,
}

impl LazyRule {
    /// Keeps a pattern.
    pub(super) fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            rule: OnceLock::new(),
        }
    }

    /// The compiled pattern; `None` if it is no pattern.
    pub(super) fn get(&self) -> Option<&Regex> {
        let compiled = || Regex::new(&self.source).ok();
        self.rule.get_or_init(compiled).as_ref()
    }
}
