//! The form of an action that is evidence about a lesson, and the actions of a run that surely worked.
//!
//! A wrong form that works refutes its lesson, wherever it occurs. Only a sure success counts: of `a; b` that ended
//! with 0 the result of `a` is unknown, and so is that of `a | b`.

use std::collections::HashSet;

use serde_json::Value;

use super::call::{canonical, written_line};
use super::pattern::{Reading, names_a_place};
use super::wrong_form::{Proposed, WrongForm};
use crate::lesson::rule::Rule;
use crate::lesson::trace::TraceStep;
use hindlore_errors::action::{Action, leaves};
use hindlore_errors::shell::prepares;
use hindlore_primitives::ids::FingerprintId;

/// Steps of a run that are compared; the last ones.
const STEPS_MAX: usize = 2_000;

/// The form of an action that is evidence about a lesson.
#[derive(Clone, PartialEq, Debug)]
pub enum WatchedForm {
    /// The wrong form of a contrast.
    Wrong(WrongForm),
    /// The action that a rule without a right form forbids.
    Forbidden(Reading),
    /// An action that needs another before it.
    Prepared {
        /// The action.
        action: Reading,
        /// The action before it.
        preparation: Reading,
    },
}

impl WatchedForm {
    /// Reads a rule; absent when it names no form that an action could have.
    pub fn of(rule: &Rule) -> Option<Self> {
        if let Some((action, preparation)) = rule.preparation() {
            let (action, preparation) = (Reading::of(action), Reading::of(preparation));
            return action.key().is_some().then_some(Self::Prepared {
                action,
                preparation,
            });
        }
        if rule.only_forbids() {
            let action = Reading::of(rule.wrong()?);
            return action.key().is_some().then_some(Self::Forbidden(action));
        }
        WrongForm::of(rule).map(Self::Wrong)
    }

    /// The action that needs another before it, and that other one.
    fn prepared(&self) -> Option<(&Reading, &Reading)> {
        match self {
            Self::Prepared {
                action,
                preparation,
            } => Some((action, preparation)),
            Self::Wrong(_) | Self::Forbidden(_) => None,
        }
    }

    /// The key by which an index finds it: one of [`WorkedActions::keys`] of every run that speaks about it.
    pub fn key(&self) -> Option<String> {
        match self {
            Self::Wrong(form) => form.key(),
            Self::Forbidden(action) | Self::Prepared { action, .. } => action.key(),
        }
    }
}

/// An action as text, and of a call the name of its tool.
pub(super) fn texts_of(action: &Value) -> Vec<String> {
    let action = Action::read(&canonical(action));
    let mut texts = vec![action.text_in_lines()];
    if let Action::Tool { name, .. } = action {
        texts.push(name);
    }
    texts
}

/// One step of a run.
struct Step {
    /// Its sure successes; empty for a step that failed.
    worked: Vec<Proposed>,
    /// Its action as text, and of a call the name of its tool.
    texts: Vec<Reading>,
    /// The places among files that its call names.
    objects: Vec<String>,
    /// The fingerprints that it raised.
    raised: Vec<FingerprintId>,
}

/// The actions of a run, read once to be compared with many lessons.
pub struct WorkedActions(Vec<Step>);

impl WorkedActions {
    /// Reads the steps of a run.
    pub fn of(trace: &[TraceStep]) -> Self {
        let last = &trace[trace.len().saturating_sub(STEPS_MAX)..];
        Self(last.iter().map(Step::of).collect())
    }

    /// The keys of all forms that its successes may have, at most `most`.
    pub fn keys(&self, most: usize) -> Vec<String> {
        let mut seen = HashSet::new();
        self.worked()
            .flat_map(Proposed::keys)
            .filter(|key| seen.insert(key.clone()))
            .take(most)
            .collect()
    }

    fn worked(&self) -> impl Iterator<Item = &Proposed> {
        self.0.iter().flat_map(|step| &step.worked)
    }

    /// Returns true if the wrong form of a lesson worked, or an action without the preparation that the lesson asks for. An
    /// action that is right by itself counts only after it raised the error: elsewhere it needed no preparation.
    pub fn contradict(&self, form: &WatchedForm, triggers: &[FingerprintId]) -> bool {
        match form {
            WatchedForm::Wrong(form) => self.worked().any(|action| form.is_of(action)),
            WatchedForm::Forbidden(form) => self.worked().any(|action| action.has(form)),
            WatchedForm::Prepared {
                action,
                preparation,
            } => self.raised(action, triggers).any(|(at, failed)| {
                let later = self.0[at + 1..].iter();
                let until_prepared = later.take_while(|step| !step.is_of(preparation));
                let mut tries = until_prepared.filter(|step| step.is_again(failed, action));
                tries.any(|step| !step.worked.is_empty())
            }),
        }
    }

    /// Returns true if an action worked without its preparation in a run that never raised the error: there it was not
    /// needed.
    pub fn needed_no_preparation(&self, form: &WatchedForm, triggers: &[FingerprintId]) -> bool {
        let Some((action, preparation)) = form.prepared() else {
            return false;
        };
        let mut unprepared = self.0.iter().take_while(|step| !step.is_of(preparation));
        unprepared.any(|step| !step.worked.is_empty() && step.is_of(action))
            && self.raised(action, triggers).next().is_none()
    }

    /// Returns true if an action raised one of the triggers again after its preparation.
    pub fn came_anyway(&self, form: &WatchedForm, triggers: &[FingerprintId]) -> bool {
        let Some((action, preparation)) = form.prepared() else {
            return false;
        };
        self.raised(action, triggers).any(|(at, failed)| {
            let later = self.0[at + 1..].iter();
            let mut prepared = later.skip_while(|step| !step.is_of(preparation));
            let next = prepared.find(|step| step.is_again(failed, action));
            next.is_some_and(|next| next.has_raised(triggers))
        })
    }

    /// The steps of an action that raised one of the triggers, with their places.
    fn raised<'s>(
        &'s self,
        action: &'s Reading,
        triggers: &'s [FingerprintId],
    ) -> impl Iterator<Item = (usize, &'s Step)> {
        let steps = self.0.iter().enumerate();
        steps.filter(|(_, step)| step.has_raised(triggers) && step.is_of(action))
    }
}

impl Step {
    fn of(step: &TraceStep) -> Self {
        let action = Action::read(&canonical(&step.action));
        let texts = texts_of(&step.action);
        let texts = texts.iter().map(|text| Reading::of(text)).collect();
        let mut objects = Vec::new();
        if let Action::Tool { arguments, .. } = &action {
            let values = leaves(arguments).into_iter().map(|leaf| leaf.value);
            objects.extend(values.filter(|value| names_a_place(value)));
        }
        // The line as it was written: `bare` lines hide what decided about their result.
        let worked = match (&step.failure, written_line(&step.action)) {
            (Some(_), _) => Vec::new(),
            (None, Some(line)) => {
                let sure = sure_commands(&line).into_iter();
                // A command that worked after a preparation might have failed alone.
                let alone = sure.take_while(|command| !prepares(command));
                alone
                    .map(|command| Proposed::of(&Value::from(command)))
                    .collect()
            }
            (None, None) if action == Action::None => Vec::new(),
            (None, None) => vec![Proposed::of(&step.action)],
        };
        let raised = step.failure.iter();
        Self {
            worked,
            texts,
            objects,
            raised: raised
                .flat_map(|failure| [failure.fingerprint, failure.coarse])
                .collect(),
        }
    }

    fn is_of(&self, form: &Reading) -> bool {
        self.texts.iter().any(|text| form.fits(text))
    }

    fn has_raised(&self, triggers: &[FingerprintId]) -> bool {
        self.raised.iter().any(|id| triggers.contains(id))
    }

    /// Returns true if it is another try at what failed: the same action, about the same files.
    fn is_again(&self, failed: &Self, action: &Reading) -> bool {
        self.is_of(action) && self.objects == failed.objects
    }
}

/// The commands of a line that must have worked when it ended with 0.
fn sure_commands(line: &str) -> Vec<&str> {
    // Cut inside a quoted text, a piece matches no form: the mistake only loses evidence.
    let last = line
        .rsplit([';', '\n'])
        .find(|piece| !piece.trim().is_empty());
    let last = last.unwrap_or_default();
    if last.contains("||") {
        return Vec::new();
    }
    let commands = last.split("&&").map(str::trim);
    commands
        .filter(|command| !command.is_empty() && !command.contains('|'))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lesson::trace::TraceFailure;

    const ERROR: FingerprintId = FingerprintId([7; 10]);

    fn run(steps: &[(Value, bool)]) -> WorkedActions {
        let step = |(at, (action, works)): (usize, &(Value, bool))| TraceStep {
            step: at as u32 + 1,
            action: action.clone(),
            plan_step: None,
            failure: (!works).then(|| TraceFailure {
                fingerprint: ERROR,
                coarse: ERROR,
                message: "no".to_owned(),
            }),
        };
        let trace: Vec<TraceStep> = steps.iter().enumerate().map(step).collect();
        WorkedActions::of(&trace)
    }

    fn form(rule: &str) -> WatchedForm {
        WatchedForm::of(&Rule::parse(rule).unwrap()).unwrap()
    }

    #[test]
    fn only_a_sure_success_of_the_wrong_form_contradicts() {
        let wrong = form("WRONG npm test → CORRECT npm run unit");
        for (line, works, expected) in [
            ("npm test", true, true),
            ("cd web && npm test", true, true),
            ("npm test && git push", true, true),
            ("ls; npm test", true, true),
            ("CI=1 npm test", true, true),
            ("npm test", false, false),
            ("npm test; true", true, false),
            ("npm test || true", true, false),
            ("npm test | tail", true, false),
            ("npm run unit", true, false),
            ("npm tests", true, false),
        ] {
            let worked = run(&[(json!(line), works)]);
            assert_eq!(worked.contradict(&wrong, &[]), expected, "{line}");
            if expected {
                let key = wrong.key().unwrap();
                assert!(worked.keys(100).contains(&key), "{line}");
            }
        }
    }

    #[test]
    fn a_forbidden_action_that_works_contradicts() {
        let ban = form("WRONG LOAD <1> — this never works");
        let worked = run(&[(json!("LOAD \"a.csv\""), true)]);
        assert!(worked.contradict(&ban, &[]) && worked.keys(100).contains(&ban.key().unwrap()));
        assert!(!run(&[(json!("LOAD \"a.csv\""), false)]).contradict(&ban, &[]));
        assert!(!run(&[(json!("KEEP a"), true)]).contradict(&ban, &[]));
    }

    #[test]
    fn an_action_that_comes_right_without_its_preparation_contradicts() {
        let lesson = form("Before `Edit`, run `Read`");
        let call = |tool: &str, file: &str| json!({"tool": tool, "arguments": {"file": file}});
        let (edit, read) = (|file| call("Edit", file), |file| call("Read", file));
        for (steps, contradicts, came_anyway) in [
            // It needed no preparation.
            (vec![(edit("/a.rs"), true)], false, false),
            (
                vec![(edit("/a.rs"), false), (edit("/a.rs"), true)],
                true,
                false,
            ),
            (
                vec![(edit("/a.rs"), false), (edit("/b.rs"), true)],
                false,
                false,
            ),
            (
                vec![
                    (edit("/a.rs"), false),
                    (read("/a.rs"), true),
                    (edit("/a.rs"), true),
                ],
                false,
                false,
            ),
            (
                vec![
                    (edit("/a.rs"), false),
                    (read("/a.rs"), true),
                    (edit("/a.rs"), false),
                ],
                false,
                true,
            ),
            // A read before the error was none of the advice.
            (
                vec![(read("/a.rs"), true), (edit("/a.rs"), false)],
                false,
                false,
            ),
        ] {
            let actions = run(&steps);
            let found = (
                actions.contradict(&lesson, &[ERROR]),
                actions.came_anyway(&lesson, &[ERROR]),
            );
            assert_eq!(found, (contradicts, came_anyway), "{steps:?}");
        }
    }
}
