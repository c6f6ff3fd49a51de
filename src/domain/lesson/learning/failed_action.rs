//! An action that failed, compared with the rules that its error calls for: a similar message is no proof that a rule is
//! about this action.

use std::collections::HashSet;

use serde_json::Value;

use super::pattern::Reading;
use super::watched_form::{WatchedForm, texts_of};
use super::wrong_form::{Proposed, WrongForm};
use crate::lesson::rule::Rule;

/// An action that failed, read once to be compared with many rules.
#[derive(Clone, PartialEq, Debug)]
pub struct FailedAction {
    proposed: Proposed,
    texts: Vec<Reading>,
    words: HashSet<String>,
}

impl FailedAction {
    /// Reads an action.
    pub fn of(action: &Value) -> Self {
        let texts = texts_of(action);
        let words = texts.iter().flat_map(|text| text.split_whitespace());
        Self {
            proposed: Proposed::of(action),
            words: words.map(str::to_owned).collect(),
            texts: texts.iter().map(|text| Reading::of(text)).collect(),
        }
    }

    /// Returns true if a rule is about the action: it has the form that the rule calls wrong, or is the one that the rule
    /// prepares. A free text is about every action.
    pub fn is_subject_of(&self, rule: &Rule) -> bool {
        match WatchedForm::of(rule) {
            None => rule.wrong().is_none(),
            Some(WatchedForm::Wrong(form)) => form.is_of(&self.proposed),
            Some(WatchedForm::Forbidden(form)) => self.proposed.has(&form),
            Some(WatchedForm::Prepared { action: form, .. }) => {
                self.texts.iter().any(|text| form.fits(text))
            }
        }
    }

    /// Returns true if the action has the right form of a rule already, so that the rule cannot help it.
    pub fn follows(&self, rule: &Rule) -> bool {
        let form = WrongForm::of(rule);
        form.is_some_and(|form| !form.is_of(&self.proposed) && form.is_right_in(&self.proposed))
    }

    /// Returns true if the action can have the fault of a rule although it has another form: it names the program of the
    /// wrong form, and every option that the right form leaves out.
    pub fn may_have_the_fault_of(&self, rule: &Rule) -> bool {
        let Some(wrong) = rule.wrong() else {
            return true;
        };
        let kept: HashSet<&str> = rule
            .correct()
            .into_iter()
            .flat_map(str::split_whitespace)
            .collect();
        let program = wrong.split(['(', ' ']).next().unwrap_or_default();
        let is_open = program.contains(['<', '…']);
        let names = |word: &str| self.words.contains(word);
        let mut options = wrong
            .split_whitespace()
            .filter(|word| word.starts_with('-'));
        (is_open || names(program)) && options.all(|word| kept.contains(word) || names(word))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_failed_action_is_compared_with_the_fault_of_a_rule() {
        let rule = Rule::parse("WRONG ./a --colour … → CORRECT ./a --color …").unwrap();
        for (line, is_subject, follows, may_have) in [
            ("./a --colour x", true, false, true),
            ("cd b && ./a -v --colour x", false, false, true),
            ("./a --color x", false, true, false),
            ("./a --size x", false, false, false),
            ("./b --colour x", false, false, false),
        ] {
            let action = FailedAction::of(&json!(line));
            let found = (
                action.is_subject_of(&rule),
                action.follows(&rule),
                action.may_have_the_fault_of(&rule),
            );
            assert_eq!(found, (is_subject, follows, may_have), "{line}");
        }
        let call = json!({"tool": "Edit", "arguments": {"file": "a"}});
        let call = FailedAction::of(&call);
        let before = Rule::parse("Before `Edit`, run `Read`").unwrap();
        assert!(call.is_subject_of(&before) && !call.follows(&before));
        let free = Rule::parse("Quote file names.").unwrap();
        assert!(call.is_subject_of(&free) && call.may_have_the_fault_of(&free));
        for (rule, expected) in [
            ("WRONG Edit(f=…) → CORRECT Edit(file=…)", true),
            ("WRONG Read(f=…) → CORRECT Read(file=…)", false),
        ] {
            let rule = Rule::parse(rule).unwrap();
            assert_eq!(call.may_have_the_fault_of(&rule), expected, "{rule:?}");
        }
    }
}
