//! Rules that users add: a name and a regular expression.

use regex::{Regex, RegexBuilder};

use super::span::Span;

/// Rules that may be added.
const RULES_MAX: usize = 200;
/// The longest pattern, in bytes.
const PATTERN_MAX: usize = 1_024;
/// Maximum size of a compiled pattern, in bytes.
const COMPILED_MAX: usize = 1 << 20;

/// A rule of a user's own. Where its pattern has a group, the first group is the secret.
#[derive(Clone, Debug)]
pub(super) struct OwnRule {
    name: String,
    pattern: Regex,
}

/// Why a rule cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the redaction rule `{}` {reason}", .name.escape_debug())]
pub struct BadRule {
    /// Its name.
    pub name: String,
    /// Its fault.
    pub reason: String,
}

/// Checks and compiles rules.
pub(super) fn compiled(rules: &[(String, String)]) -> Result<Vec<OwnRule>, BadRule> {
    let bad = |name: &str, reason: String| BadRule {
        name: name.to_owned(),
        reason,
    };
    if let Some((name, _)) = rules.get(RULES_MAX) {
        return Err(bad(
            name,
            format!("is one too many; {RULES_MAX} may be added"),
        ));
    }
    let one = |(name, pattern): &(String, String)| {
        let is_name = !name.is_empty() && name.len() <= 64 && !name.chars().any(char::is_control);
        if !is_name {
            return Err(bad(
                name,
                "has no usable name; give 1 to 64 visible characters".to_owned(),
            ));
        }
        if pattern.len() > PATTERN_MAX {
            return Err(bad(
                name,
                format!(
                    "has a pattern of {} bytes; the limit is {PATTERN_MAX}",
                    pattern.len()
                ),
            ));
        }
        let built = RegexBuilder::new(pattern)
            .size_limit(COMPILED_MAX)
            .dfa_size_limit(COMPILED_MAX)
            .build();
        let regex = built.map_err(|error| {
            let said = error.to_string();
            let words = said.split_whitespace().collect::<Vec<_>>().join(" ");
            bad(name, format!("has a pattern that cannot be used: {words}"))
        })?;
        if regex.is_match("") {
            return Err(bad(
                name,
                "matches the empty text, so it would match everywhere".to_owned(),
            ));
        }
        Ok(OwnRule {
            name: name.clone(),
            pattern: regex,
        })
    };
    rules.iter().map(one).collect()
}

impl OwnRule {
    /// Finds the matches of the pattern.
    pub(super) fn find<'r>(&'r self, text: &str, found: &mut Vec<Span<'r>>) {
        if self.pattern.captures_len() == 1 {
            let spans = self.pattern.find_iter(text);
            return found.extend(spans.map(|hit| Span::new(hit.range(), &self.name)));
        }
        let spans = self
            .pattern
            .captures_iter(text)
            .filter_map(|groups| groups.get(1).or_else(|| groups.get(0)));
        found.extend(spans.map(|hit| Span::new(hit.range(), &self.name)));
    }
}
