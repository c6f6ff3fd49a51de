//! The rule of a lesson: a text that a person can read, and that a program can apply.
//!
//! The forms are `WRONG a → CORRECT b`, `WRONG a — why`, and free text. Upper and lower case stay: "use
//! sum, not SUM" and its contrary differ in nothing else.

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization;

use super::learning::pattern;

/// The longest rule, in characters.
pub const RULE_MAX_CHARS: usize = 420;

/// The longest reason of a rule, in characters: the rest is left for the action.
const REASON_MAX_CHARS: usize = 300;
/// Characters of the mark before a reason.
const REASON_MARK_CHARS: usize = 3;

/// The mark between the two patterns of a rule.
const ARROWS: &[&str] = &[" → CORRECT ", " -> CORRECT ", " => CORRECT "];

/// A rule text that was checked: not empty, not too long, on one line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Rule(String);

impl TryFrom<String> for Rule {
    type Error = NotARule;

    fn try_from(text: String) -> Result<Self, NotARule> {
        Self::parse(&text)
    }
}

impl From<Rule> for String {
    fn from(rule: Rule) -> Self {
        rule.0
    }
}

/// Why a text is no rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotARule {
    /// It holds nothing but blanks.
    #[error("the rule is empty")]
    Empty,
    /// It is longer than [`RULE_MAX_CHARS`].
    #[error("the rule has {0} characters; the limit is {limit}", limit = RULE_MAX_CHARS)]
    TooLong(usize),
}

impl Rule {
    /// Checks a text; blanks are squeezed.
    pub fn parse(text: &str) -> Result<Self, NotARule> {
        let visible: String = text
            .nfc()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let squeezed = visible.split_whitespace().collect::<Vec<_>>().join(" ");
        match squeezed.chars().count() {
            0 => Err(NotARule::Empty),
            chars if chars > RULE_MAX_CHARS => Err(NotARule::TooLong(chars)),
            _ => Ok(Self(squeezed)),
        }
    }

    /// `WRONG a → CORRECT b`; absent when it would be too long.
    pub fn contrast(wrong: &str, correct: &str) -> Option<Self> {
        Self::parse(&format!("WRONG {wrong} → CORRECT {correct}")).ok()
    }

    /// `WRONG a → CORRECT b — why`, the reason cut so that the patterns fit; absent when those alone are too
    /// long.
    pub fn contrast_because(wrong: &str, correct: &str, message: &str) -> Option<Self> {
        let patterns = Self::contrast(wrong, correct)?;
        let room = RULE_MAX_CHARS - patterns.0.chars().count();
        let reason = clipped(message, room.saturating_sub(REASON_MARK_CHARS));
        if reason.is_empty() {
            return Some(patterns);
        }
        Self::parse(&format!("{} — {reason}", patterns.0)).ok()
    }

    /// ``Before `a`, run `b` — why``: for an action that works only after another one.
    ///
    /// It has no WRONG side, since the action itself is right. Absent where both are written alike.
    pub fn before(action: &str, enabler: &str, message: &str) -> Option<Self> {
        if action == enabler {
            return None;
        }
        let text = format!("Before `{action}`, run `{enabler}`");
        let room = RULE_MAX_CHARS.saturating_sub(text.chars().count() + REASON_MARK_CHARS);
        let reason = clipped(message, room);
        let mark = if reason.is_empty() { "" } else { " — " };
        Self::parse(&format!("{text}{mark}{reason}")).ok()
    }

    /// `WRONG a — why`; of a long action the beginning and `…`, because the reason is the useful part.
    pub fn failure(wrong: &str, message: &str) -> Option<Self> {
        let message = clipped(message, REASON_MAX_CHARS);
        let taken = "WRONG ".len() + REASON_MARK_CHARS + message.chars().count();
        let wrong = clipped(wrong, RULE_MAX_CHARS - taken);
        Self::parse(&format!("WRONG {wrong} — {message}")).ok()
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The pattern that is wrong, in rules of either form.
    pub fn wrong(&self) -> Option<&str> {
        let body = self.0.strip_prefix("WRONG ")?;
        let end = ARROWS
            .iter()
            .chain(&[" — "])
            .filter_map(|mark| body.find(mark))
            .min();
        Some(body[..end.unwrap_or(body.len())].trim())
    }

    /// The pattern that is right.
    pub fn correct(&self) -> Option<&str> {
        let body = self.0.strip_prefix("WRONG ")?;
        let (at, arrow) = ARROWS
            .iter()
            .filter_map(|arrow| body.find(arrow).map(|at| (at, arrow)))
            .min()?;
        let correct = &body[at + arrow.len()..];
        Some(correct.split(" — ").next().unwrap_or(correct).trim())
    }

    /// Returns true if this rule names a form or a step that works.
    pub fn names_a_cure(&self) -> bool {
        self.correct().is_some() || self.preparation().is_some()
    }

    /// The action that needs another before it, and that other one.
    pub fn preparation(&self) -> Option<(&str, &str)> {
        let (action, rest) = self.0.strip_prefix("Before `")?.split_once("`, run `")?;
        let (preparation, _) = rest.split_once("` — ").or_else(|| rest.rsplit_once('`'))?;
        Some((action, preparation))
    }

    /// The rule without the words of the error after its dash.
    #[must_use]
    pub fn without_reason(&self) -> Self {
        let patterns = self.0.split(" — ").next().unwrap_or_default();
        Self::parse(patterns).unwrap_or_else(|_| self.clone())
    }

    /// The words of the error after its dash.
    pub fn explanation(&self) -> Option<&str> {
        let patterns_end = match self.correct() {
            Some(correct) => self.0.find(correct).map(|at| at + correct.len())?,
            None => 0,
        };
        let (_, reason) = self.0[patterns_end..].split_once(" — ")?;
        Some(reason.trim()).filter(|_| self.wrong().is_some() || self.preparation().is_some())
    }

    /// Returns true if this rule names a wrong form and no working one.
    pub fn only_forbids(&self) -> bool {
        self.wrong().is_some() && self.correct().is_none()
    }

    /// The quotation of the error in a rule without a right pattern, after its dash.
    pub fn message(&self) -> Option<&str> {
        let (wrong, message) = self.0.strip_prefix("WRONG ")?.split_once(" — ")?;
        let is_contrast = ARROWS.iter().any(|arrow| wrong.contains(arrow));
        (!is_contrast).then(|| message.trim())
    }

    /// The action as this rule would have it; absent when the rule does not speak of it.
    pub fn rewrite(&self, action: &str) -> Option<String> {
        pattern::rewritten(self.wrong()?, self.correct()?, action)
    }

    /// Returns true if this rule only reports that such an action fails.
    pub fn forbids(&self, action: &str) -> bool {
        self.correct().is_none()
            && self
                .wrong()
                .is_some_and(|wrong| pattern::fits(wrong, action))
    }

    /// The form by which two rules are the same: NFKC, no quotes around and no full stop at the end.
    pub fn normalised(&self) -> String {
        let text: String = self.0.nfkc().collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        text.trim_matches(['"', '\'', '`'])
            .trim_end_matches(['.', '!', ',', ';', ' '])
            .to_owned()
    }
}

/// A text cut between two words, with `…` where something is missing.
pub fn clipped(text: &str, chars_max: usize) -> String {
    if text.chars().count() <= chars_max {
        return text.to_owned();
    }
    let mut kept = String::new();
    let mut chars = 0;
    for word in text.split_whitespace() {
        let more = word.chars().count() + usize::from(!kept.is_empty());
        // Two characters for the blank and the mark after it.
        if chars + more + 2 > chars_max {
            break;
        }
        if !kept.is_empty() {
            kept.push(' ');
        }
        kept.push_str(word);
        chars += more;
    }
    if kept.is_empty() {
        // Scripts that write no blanks have no other place to be cut.
        kept = text.chars().take(chars_max.saturating_sub(2)).collect();
    }
    if kept.is_empty() { kept } else { kept + " …" }
}

/// The normalised rule of the original program: lower case, nothing but letters, digits and `_`.
pub fn classic_rule(text: &str) -> String {
    let keep = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' {
            c
        } else {
            ' '
        }
    };
    let plain: String = text.to_lowercase().chars().map(keep).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_of_a_rule_are_found() {
        let rule = Rule::contrast("RANK DESC <1>", "RANK <1> desc").unwrap();
        assert_eq!(
            (rule.wrong(), rule.correct()),
            (Some("RANK DESC <1>"), Some("RANK <1> desc"))
        );
        assert_eq!(rule.rewrite("RANK DESC n").as_deref(), Some("RANK n desc"));
        assert_eq!(rule.message(), None);
        assert!(!rule.forbids("RANK DESC n"));
        let rule = Rule::failure("rm <path>", "permission denied").unwrap();
        assert_eq!((rule.wrong(), rule.correct()), (Some("rm <path>"), None));
        assert_eq!(rule.message(), Some("permission denied"));
        assert!(rule.forbids("rm /x") && !rule.forbids("ls /x") && rule.rewrite("rm /x").is_none());
        let free = Rule::parse("Use  lower case\n names.").unwrap();
        assert_eq!(
            (free.as_str(), free.wrong()),
            ("Use lower case names.", None)
        );
        assert_eq!(free.normalised(), "Use lower case names");
        for (message, names) in [("no `config`", true), ("", true)] {
            let rule = Rule::before("make", "make `x`", message).unwrap();
            let sides = Some(("make", "make `x`"));
            assert_eq!((rule.preparation(), rule.names_a_cure()), (sides, names));
        }
    }

    #[test]
    fn case_is_kept_and_limits_hold() {
        let (a, b) = (
            Rule::parse("use sum not SUM").unwrap(),
            Rule::parse("use SUM not sum").unwrap(),
        );
        assert_ne!(a.normalised(), b.normalised());
        assert_eq!(
            classic_rule("Use  Lowercase sum() not SUM()."),
            "use lowercase sum not sum"
        );
        assert_eq!(Rule::parse(" \n"), Err(NotARule::Empty));
        assert!(Rule::parse(&"é".repeat(420)).is_ok());
        assert_eq!(Rule::parse(&"é".repeat(421)), Err(NotARule::TooLong(421)));
        let long = Rule::failure(&"arg ".repeat(300), "the total does not add up").unwrap();
        assert!(
            long.as_str().ends_with("arg … — the total does not add up"),
            "{long:?}"
        );
        assert!(long.as_str().chars().count() <= RULE_MAX_CHARS);
    }

    #[test]
    fn nothing_is_cut_inside_a_word() {
        let cut = clipped(&"word ".repeat(100), 42);
        assert!(
            cut.chars().count() <= 42 && cut.ends_with("word …"),
            "{cut}"
        );
        assert_eq!(clipped("short", 42), "short");
        assert_eq!(clipped("逐字显示", 3), "逐 …");
    }
}
