//! A shell with imitations of real programs, which refuse in the words of the real ones.
//!
//! ```text
//! does       for each intent the command lines that do it, with <places> for the data of the step
//! refuses    command lines that a program refuses, the first that fits: like, exit, says
//! otherwise  by program, and "" for any other: exit, says
//! ```
//!
//! In `like` a `<place>` is any one word and `...` any number of them; in `says` places are filled with their matches,
//! else with the data of the step, and `<0>`, `<1>`, … with the words of the command line. A shell does not reveal the
//! intent: a hook around it sees command lines, texts and exit codes, and no plan.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::World;
use crate::error::{LabError, LabResult};
use crate::feedback::{Feedback, Intent, Verdict};
use crate::tool::{PlanStep, Setting, Task};

/// The sign of a pattern for any number of words.
const REST: &str = "...";

/// The definitions of a shell.
#[derive(Clone, PartialEq, Debug)]
pub struct Shell {
    does: BTreeMap<String, Vec<String>>,
    refuses: Vec<(Vec<String>, Refusal)>,
    otherwise: BTreeMap<String, Refusal>,
}

/// How a program refuses.
#[derive(Clone, PartialEq, Debug)]
struct Refusal {
    exit: i32,
    says: String,
}

/// The matches of the places of a pattern.
type Places = BTreeMap<String, String>;

impl Shell {
    /// Reads the part of `tool.json` for a shell.
    pub fn parse(tool: &Value) -> LabResult<Self> {
        let shell = tool.get("shell");
        let part = |name: &str| shell.and_then(|shell| shell.get(name));
        let does = part("does").and_then(Value::as_object);
        let does = does.ok_or_else(|| wrong("`shell` has no object `does`"))?;
        let does = does.iter().map(|(intent, lines)| {
            let lines = lines.as_array().into_iter().flatten();
            let lines: Vec<String> = lines.filter_map(Value::as_str).map(str::to_owned).collect();
            if lines.is_empty() {
                return Err(wrong(format!("`does` has no list of lines for `{intent}`")));
            }
            Ok((intent.clone(), lines))
        });
        let refuses = part("refuses").and_then(Value::as_array);
        let refuses = refuses.into_iter().flatten().map(|refusal| {
            let like = refusal.get("like").and_then(Value::as_str);
            let like = like.ok_or_else(|| wrong("a refusal has no `like`"))?;
            Ok((words(like), Refusal::parse(refusal)?))
        });
        let otherwise = part("otherwise").and_then(Value::as_object);
        let otherwise = otherwise.into_iter().flatten();
        let otherwise =
            otherwise.map(|(program, refusal)| Ok((program.clone(), Refusal::parse(refusal)?)));
        let shell = Self {
            does: does.collect::<LabResult<_>>()?,
            refuses: refuses.collect::<LabResult<_>>()?,
            otherwise: otherwise.collect::<LabResult<_>>()?,
        };
        if !shell.otherwise.contains_key("") {
            return Err(wrong(
                "`otherwise` says nothing of unknown programs, under \"\"",
            ));
        }
        Ok(shell)
    }

    /// Checks that every step of a task can be done.
    pub fn check(&self, task: &Task) -> LabResult<()> {
        task.plan
            .iter()
            .try_for_each(|step| self.line(step).map(drop))
    }

    /// The commands of an expert of the programs.
    pub fn line(&self, step: &PlanStep) -> LabResult<String> {
        let lines = self.does.get(&step.intent);
        let first = lines.and_then(|lines| lines.first());
        let first = first.ok_or_else(|| wrong(format!("nothing does `{}`", step.intent)))?;
        let line = filled(first, &Places::new(), &step.data);
        if line.contains('<') {
            let what = format!("`{}` gives no data for `{line}`", step.intent);
            return Err(LabError::definition("tasks.json", what));
        }
        Ok(line)
    }

    /// Returns true if a command line does a step.
    fn does(&self, step: &PlanStep, action: &[String]) -> bool {
        let lines = self.does.get(&step.intent).into_iter().flatten();
        let mut lines = lines.map(|line| words(&filled(line, &Places::new(), &step.data)));
        lines.any(|line| line == action)
    }

    /// Returns true if a command line does anything at all.
    fn does_something(&self, action: &[String]) -> bool {
        let mut lines = self.does.values().flatten();
        lines.any(|line| matched(&words(line), action).is_some())
    }

    fn refusal(&self, action: &[String]) -> Option<(&Refusal, Places)> {
        let mut refuses = self.refuses.iter();
        let known = refuses.find_map(|(like, refusal)| Some((refusal, matched(like, action)?)));
        known.or_else(|| {
            let program = action.first().map_or("", String::as_str);
            let refusal = self
                .otherwise
                .get(program)
                .or_else(|| self.otherwise.get(""))?;
            Some((refusal, Places::new()))
        })
    }
}

impl Refusal {
    fn parse(json: &Value) -> LabResult<Self> {
        let exit = json.get("exit").and_then(Value::as_i64);
        let exit = exit
            .and_then(|exit| i32::try_from(exit).ok())
            .filter(|exit| *exit != 0);
        let says = json.get("says").and_then(Value::as_str);
        Ok(Self {
            exit: exit.ok_or_else(|| wrong("a refusal has no `exit` other than 0"))?,
            says: says
                .ok_or_else(|| wrong("a refusal has no `says`"))?
                .to_owned(),
        })
    }
}

/// A task at a shell.
#[derive(Debug)]
pub struct ShellWorld {
    shell: Arc<Shell>,
    setting: Setting,
    done: usize,
}

impl ShellWorld {
    /// A fresh one.
    pub fn new(shell: Arc<Shell>, setting: Setting) -> Self {
        Self {
            shell,
            setting,
            done: 0,
        }
    }

    fn step(&self) -> Option<&PlanStep> {
        self.setting.task.plan.get(self.done)
    }
}

impl World for ShellWorld {
    fn next(&self) -> Option<Intent> {
        self.step().map(|step| Intent {
            name: step.intent.clone(),
            data: step.data.clone(),
        })
    }

    fn state(&self) -> String {
        String::new()
    }

    fn act(&mut self, action: &str) -> Feedback {
        let typed = words(action);
        let Some(step) = self.step() else {
            return Feedback::broken("there was nothing left to do", 0.0);
        };
        if self.shell.does(step, &typed) {
            self.done += 1;
            return Feedback::done(1.0 / self.setting.task.plan.len() as f64, "");
        }
        // An unintended action that works has done something else.
        if self.shell.does_something(&typed) {
            return Feedback::broken("not what was meant", 0.0);
        }
        let Some((refusal, mut places)) = self.shell.refusal(&typed) else {
            return Feedback::broken("nobody answered", 0.0);
        };
        places.extend(
            typed
                .into_iter()
                .enumerate()
                .map(|(at, word)| (at.to_string(), word)),
        );
        let said = filled(&refusal.says, &places, &step.data);
        Feedback {
            exit_code: Some(refusal.exit),
            ..Feedback::refused(said)
        }
    }

    fn verdict(&self) -> Verdict {
        let plan = self.setting.task.plan.len();
        Verdict {
            passed: self.done == plan,
            score: self.done as f64 / plan.max(1) as f64,
        }
    }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// The name of a place: a word in angle brackets.
fn place(word: &str) -> Option<&str> {
    word.strip_prefix('<')?.strip_suffix('>')
}

/// The matches of the places of a pattern in a command line; absent when it does not fit.
fn matched(like: &[String], action: &[String]) -> Option<Places> {
    let Some((first, rest)) = like.split_first() else {
        return action.is_empty().then(Places::new);
    };
    if first == REST {
        return (0..=action.len()).find_map(|from| matched(rest, &action[from..]));
    }
    let (word, left) = action.split_first()?;
    let mut places = matched(rest, left)?;
    match place(first) {
        Some(name) => {
            let known = places.insert(name.to_owned(), word.clone());
            known.is_none_or(|known| known == *word).then_some(places)
        }
        None => (first == word).then_some(places),
    }
}

/// A text with its places filled; those that nothing is known of stay.
fn filled(text: &str, places: &Places, data: &Map<String, Value>) -> String {
    let mut filled = text.to_owned();
    for (name, value) in data {
        if places.contains_key(name) {
            continue;
        }
        let value = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        filled = filled.replace(&format!("<{name}>"), &value);
    }
    for (name, value) in places {
        filled = filled.replace(&format!("<{name}>"), value);
    }
    filled
}

fn wrong(what: impl std::fmt::Display) -> LabError {
    LabError::definition("tool.json", what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_names_words_and_skips_any_number_of_them() {
        for (like, action, found) in [
            ("git push", "git push", Some("")),
            ("git push", "git push -u", None),
            (
                "git log ... --one-line ...",
                "git log -n 5 --one-line",
                Some(""),
            ),
            ("docker run ... <image>", "docker run --rm app", Some("app")),
            ("cp <image> <image>", "cp a b", None),
            ("cp <image> <image>", "cp a a", Some("a")),
        ] {
            let places = matched(&words(like), &words(action));
            let image = places.map(|places| places.get("image").cloned().unwrap_or_default());
            assert_eq!(image.as_deref(), found, "{like}: {action}");
        }
    }
}
