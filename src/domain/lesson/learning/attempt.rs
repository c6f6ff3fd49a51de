//! The attempts of a run: the intent, form and failure of each step.
//!
//! Whether advice was taken can only be seen on the next attempt at the same thing. An attempt is known by its
//! intents (the step of the plan, else program and sub-command, or tool with its argument names); runs keep the
//! coarser *subjects* (program with sub-command, or tool), because a run is compared with others long after its
//! steps are out of sight.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::call::{canonical, written_line};
use super::pattern::Reading;
use crate::lesson::rule::Rule;
use crate::lesson::run::Occurrence;
use crate::lesson::trace::TraceStep;
use hindlore_errors::action::{Action, Intent};

/// Subjects that an ended run keeps.
pub const SUBJECTS_MAX: usize = 64;
/// Characters of a subject.
const SUBJECT_MAX_CHARS: usize = 80;

/// One step of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Attempt {
    /// Its number.
    pub step: u32,
    /// Its intent.
    pub intents: Vec<Intent>,
    /// The action; of an action of several lines the whole and each line.
    pub forms: Vec<Reading>,
    /// How it failed; empty when it worked.
    pub failures: Vec<Occurrence>,
}

impl Attempt {
    /// Returns true if it failed.
    pub fn failed(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Returns true if it raised one of these fingerprints, which are sorted.
    pub fn raised(&self, triggers: &[hindlore_primitives::ids::FingerprintId]) -> bool {
        self.failures.iter().any(|one| one.is_of(triggers))
    }

    /// Returns true if the action, or a line of it, has a form.
    pub fn has(&self, form: &Reading) -> bool {
        self.forms.iter().any(|action| form.fits(action))
    }

    /// Returns true if it has the intent of another.
    pub fn shares_intent(&self, other: &Self) -> bool {
        self.intents
            .iter()
            .any(|intent| other.intents.contains(intent))
    }
}

/// The attempts of a trace, by step; several failures of one step are one failed attempt.
pub fn attempts(trace: &[TraceStep]) -> Vec<Attempt> {
    let mut by_step: BTreeMap<u32, Attempt> = BTreeMap::new();
    for step in trace {
        let attempt = by_step.entry(step.step).or_insert_with(|| Attempt {
            step: step.step,
            intents: intents_of(step),
            forms: forms_of(step),
            failures: Vec::new(),
        });
        let failure = step.failure.as_ref().map(|failure| Occurrence {
            step: step.step,
            fine: failure.fingerprint,
            coarse: failure.coarse,
        });
        attempt.failures.extend(failure);
    }
    by_step.into_values().collect()
}

/// The intent of a step.
pub(crate) fn intents_of(step: &TraceStep) -> Vec<Intent> {
    // Where the plan is known it decides alone: two steps of a plan may use the same program.
    match &step.plan_step {
        Some(name) => vec![Intent::PlanStep(name.clone())],
        None => {
            let action = Action::read(&canonical(&step.action));
            action.intent().into_iter().collect()
        }
    }
}

/// The action of a step as text, in its one form.
pub(crate) fn text_of(step: &TraceStep) -> String {
    Action::read(&canonical(&step.action)).text_in_lines()
}

/// The forms of a step: its text, each line of it, and the line with the folder to which it goes first, which a rule may
/// be about.
fn forms_of(step: &TraceStep) -> Vec<Reading> {
    let text = text_of(step);
    let written = written_line(&step.action);
    let with_folder = written
        .as_deref()
        .filter(|line| line.trim().starts_with("cd ") && *line != text);
    let all = lines(&text).into_iter().chain(with_folder);
    all.map(Reading::of).collect()
}

/// An action, and each of its lines where it has several.
pub(crate) fn lines(action: &str) -> Vec<&str> {
    let mut all = vec![action.trim()];
    if action.lines().nth(1).is_some() {
        all.extend(lines_run(action));
    }
    all.retain(|text| !text.is_empty());
    all
}

/// The lines of a script, without the texts of its here-documents, which are data.
fn lines_run(script: &str) -> Vec<&str> {
    let mut run = Vec::new();
    let mut end: Option<&str> = None;
    for line in script.lines().map(str::trim) {
        match end {
            Some(mark) if line == mark => end = None,
            Some(_) => {}
            None => {
                end = here_document(line);
                run.push(line);
            }
        }
    }
    run
}

/// The mark that ends the here-document which a line begins: `cat <<'EOF' > a`.
fn here_document(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<<")?;
    let rest = rest.strip_prefix('-').unwrap_or(rest).trim_start();
    let rest = rest.trim_start_matches(['\'', '"', '\\']);
    let is_mark = |c: char| c.is_alphanumeric() || c == '_';
    let length = rest.find(|c| !is_mark(c)).unwrap_or(rest.len());
    (length > 0).then(|| &rest[..length])
}

/// The subjects of the actions of a run, sorted, at most [`SUBJECTS_MAX`].
pub fn subjects<'a>(actions: impl IntoIterator<Item = &'a Value>) -> Vec<String> {
    let mut all = BTreeSet::new();
    for action in actions {
        match Action::read(&canonical(action)) {
            Action::Command(text) => all.extend(lines(&text).into_iter().filter_map(subject_of)),
            other => all.extend(other.intent().as_ref().and_then(subject)),
        }
    }
    all.into_iter().take(SUBJECTS_MAX).collect()
}

/// The subjects of a rule, of either side; empty for a free text, and where a side begins with a gap.
pub fn subjects_of_rule(rule: &Rule) -> Vec<String> {
    let sides = [rule.wrong(), rule.correct()];
    let all: BTreeSet<String> = sides.into_iter().flatten().filter_map(subject_of).collect();
    all.into_iter().collect()
}

/// The subject of an action that is quoted as text. A call of a tool is quoted as `name(key=value)`.
fn subject_of(text: &str) -> Option<String> {
    let name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    if let Some((tool, _)) = text.split_once('(')
        && !tool.is_empty()
        && tool.chars().all(name)
    {
        return Some(cut(tool));
    }
    subject(&Action::Command(text.to_owned()).intent()?)
}

fn subject(intent: &Intent) -> Option<String> {
    let said = match intent {
        Intent::Tool { name, .. } => name.clone(),
        Intent::Command {
            program,
            subcommand: Some(subcommand),
        } => format!("{program} {subcommand}"),
        Intent::Command {
            program,
            subcommand: None,
        } => program.clone(),
        Intent::PlanStep(_) => return None,
    };
    // A placeholder or a gap matches anything, so that the rule is about no program in particular.
    let is_open = said.contains('<') || said.contains('…') || said.is_empty();
    (!is_open).then(|| cut(&said))
}

fn cut(text: &str) -> String {
    text.chars().take(SUBJECT_MAX_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_run_and_a_rule_name_the_same_subjects() {
        for (action, rule, subject) in [
            (
                json!("git push origin main"),
                "WRONG git push <1> main → CORRECT git push <1> HEAD:x",
                "git push",
            ),
            (
                json!("cd app && /usr/bin/make all"),
                "WRONG make <1> — no rule",
                "make all",
            ),
            (
                json!({"tool": "search", "arguments": {"q": "x"}}),
                "WRONG search(q=<1>) → CORRECT search(query=<1>)",
                "search",
            ),
            (
                json!("cd a\nKEEP x = 5"),
                "WRONG KEEP <1> = <2> → CORRECT KEEP <1> eq <2>",
                "KEEP",
            ),
        ] {
            let run = subjects([&action]);
            assert!(run.contains(&subject.to_owned()), "{run:?}");
            let rule = subjects_of_rule(&Rule::parse(rule).unwrap());
            if subject != "make all" {
                assert_eq!(rule, [subject]);
            }
        }
        for free in [
            "Use lower case names",
            "WRONG <path> run → CORRECT … run it",
        ] {
            assert!(
                subjects_of_rule(&Rule::parse(free).unwrap()).is_empty(),
                "{free}"
            );
        }
    }

    #[test]
    fn an_attempt_has_the_form_of_its_line_with_and_without_its_folder() {
        let step = TraceStep {
            step: 1,
            action: json!({"name": "Bash", "arguments": {"command": "cd web && npm test 2>&1 | tail"}}),
            plan_step: None,
            failure: None,
        };
        let found = attempts(&[step]);
        for form in ["npm test", "cd web …"] {
            assert!(found[0].has(&Reading::of(form)), "{form}");
        }
        assert!(!found[0].has(&Reading::of("cd …/web")));
    }

    #[test]
    fn a_step_with_two_errors_is_one_attempt() {
        let failure = |n: u8| crate::lesson::trace::TraceFailure {
            fingerprint: hindlore_primitives::ids::FingerprintId([n; 10]),
            coarse: hindlore_primitives::ids::FingerprintId([n; 10]),
            message: String::new(),
        };
        let step = |step: u32, failure| TraceStep {
            step,
            action: json!("make it"),
            plan_step: None,
            failure,
        };
        let trace = [
            step(2, Some(failure(1))),
            step(2, Some(failure(2))),
            step(3, None),
        ];
        let found = attempts(&trace);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].failures.len(), found[1].failed()), (2, false));
        assert!(found[0].shares_intent(&found[1]));
        assert!(found[0].raised(&[hindlore_primitives::ids::FingerprintId([2; 10])]));
    }
}
