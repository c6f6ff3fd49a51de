//! The settings about the moment before an action: whether it may be refused, and the actions that nothing is said about.

use hindlore_api::problem::Problem;
use hindlore_config::Settings;
use hindlore_trace::Action;

/// How the hook answers before an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answers {
    /// A proved lesson refuses the action once; all others are context.
    RefuseOnce,
    /// Lessons are context.
    Context,
    /// Nothing is said.
    Off,
}

/// The settings about the moment before an action.
pub(super) struct BeforeAction {
    answers: Answers,
    /// Beginnings of commands that a person allows.
    allowed: Vec<String>,
}

impl BeforeAction {
    /// Reads the settings `hooks.before` and `hooks.allow`.
    pub(super) fn read(settings: &Settings) -> Result<Self, Problem> {
        let answers = match settings.text_or_empty("hooks.before") {
            "refuse_once" => Answers::RefuseOnce,
            "context" => Answers::Context,
            "off" => Answers::Off,
            other => {
                let message = format!("`hooks.before` is `{other}`");
                return Err(Problem::new("invalid_config", message)
                    .with_hint("set it to `refuse_once`, `context` or `off`"));
            }
        };
        let allowed = settings.text_or_empty("hooks.allow").split(',');
        let allowed = allowed.map(str::trim).filter(|start| !start.is_empty());
        Ok(Self {
            answers,
            allowed: allowed.map(str::to_owned).collect(),
        })
    }

    /// Returns true if a lesson may refuse an action.
    pub(super) fn may_refuse(&self) -> bool {
        self.answers == Answers::RefuseOnce
    }

    /// Returns true if lessons about an action are wanted.
    pub(super) fn speaks_of(&self, action: &Action) -> bool {
        let is_allowed = |line: &str| {
            let mut starts = self.allowed.iter();
            starts.any(|start| {
                let rest = line.trim_start().strip_prefix(start.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace))
            })
        };
        let text = hindlore_errors::action::Action::read(&action.to_value()).text_in_lines();
        self.answers != Answers::Off && !is_allowed(&text)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    fn settings(values: &[(&'static str, &str)]) -> Settings {
        let mut settings = Settings::read(std::iter::empty()).unwrap();
        for (name, value) in values {
            settings.set_flag(name, "--test", Value::from(*value));
        }
        settings
    }

    #[test]
    fn an_allowed_beginning_is_not_spoken_of() {
        let given = settings(&[
            ("hooks.before", "context"),
            ("hooks.allow", "git push, npm test"),
        ]);
        let read = BeforeAction::read(&given).unwrap();
        assert!(!read.may_refuse());
        for (line, speaks) in [
            ("git push", false),
            ("git push origin main", false),
            ("npm test -- --watch", false),
            ("git pushx", true),
            ("npm run test", true),
        ] {
            let action = Action::Command(line.to_owned());
            assert_eq!(read.speaks_of(&action), speaks, "{line}");
        }
    }

    #[test]
    fn an_unknown_answer_is_refused() {
        let problem = BeforeAction::read(&settings(&[("hooks.before", "never")]));
        assert_eq!(
            problem.err().map(|problem| problem.code),
            Some("invalid_config")
        );
    }
}
