//! The wrong form of a rule, and the actions that have it, independent of wrappers.
//!
//! An agent runs `FOO=1 npm test`, `cd app && npm test 2>&1 | tail`, or passes the line to a tool; a rule may have been
//! learned from any of these. Both sides are compared bare: without the parts that only set where and how a command
//! runs. The part that a rule changes is never removed: of `WRONG npm test → CORRECT CI=1 npm test` the setting is the
//! cure.

use std::collections::HashSet;

use serde_json::Value;

use super::attempt::lines;
use super::call::{canonical, is_line_key, written_line};
use super::pattern::Reading;
use crate::lesson::rule::Rule;
use hindlore_errors::action::Action;
use hindlore_errors::shell::{is_setting, is_shell_tool, is_wrapper, prepares};

/// Forms of one action that are compared; of a longer script the first ones.
const FORMS_MAX: usize = 128;
/// Keys of one action that are looked up.
pub const KEYS_MAX: usize = 1_024;

/// The wrong form of a rule that knows the right one.
#[derive(Clone, PartialEq, Debug)]
pub struct WrongForm {
    wrong: Reading,
    correct: Reading,
}

impl WrongForm {
    /// Reads a rule; absent when it knows no form that works, or when its wrong side has no word of its own.
    pub fn of(rule: &Rule) -> Option<Self> {
        let (wrong, correct) = bare_sides(rule.wrong()?, rule.correct()?);
        let (wrong, correct) = (Reading::of(&wrong), Reading::of(&correct));
        wrong.key().is_some().then_some(Self { wrong, correct })
    }

    /// The key by which an index finds it: one of [`Proposed::keys`] of every action that has this form.
    pub fn key(&self) -> Option<String> {
        self.wrong.key()
    }

    /// Returns true if the wrong form is a program with any arguments: the program itself is at fault.
    pub fn is_of_program(rule: &Rule) -> bool {
        let mut words = rule.wrong().unwrap_or_default().split_whitespace();
        let (_, rest) = (words.next(), words.next());
        rest == Some("…") && words.next().is_none()
    }

    /// Returns true if a command of an action has the right form already.
    pub fn is_right_in(&self, action: &Proposed) -> bool {
        let mut forms = action.forms.iter();
        let is_whole = action.whole.iter().any(|whole| self.correct.fits(whole));
        is_whole || forms.any(|form| self.correct.fits(&form.said)) || action.has(&self.correct)
    }

    /// Returns true if a command of an action has this form, and the right form is known for it.
    pub fn is_of(&self, action: &Proposed) -> bool {
        let is_whole = action
            .whole
            .as_ref()
            .is_some_and(|whole| self.correct.fits(whole));
        !is_whole
            && action.forms.iter().any(|form| {
                // The right form may hold a value that the action does not give, as the name of a branch.
                let changes = |bare: &Reading| self.wrong.fits(bare) && !self.correct.fits(bare);
                // A setting in front may be the very cure: then the command has the right form.
                !self.correct.fits(&form.said) && form.bare.iter().any(changes)
            })
    }
}

/// An action that is about to be taken, in all forms in which a rule may know it.
#[derive(Clone, PartialEq, Debug)]
pub struct Proposed {
    /// The line with the folder to which it goes first, where it goes to one.
    whole: Option<Reading>,
    forms: Vec<Form>,
}

/// One command of an action.
#[derive(Clone, PartialEq, Debug)]
struct Form {
    /// As it is written.
    said: Reading,
    /// Its form without the parts that only set how it runs.
    bare: Vec<Reading>,
}

impl Proposed {
    /// Reads an action in any form in which a harness reports it.
    pub fn of(action: &Value) -> Self {
        let written = written_line(action);
        let action = Action::read(&canonical(action));
        let text = action.text_in_lines();
        // The folder to which a line goes first may be the wrong part of it.
        let with_folder = written
            .as_deref()
            .map(str::trim)
            .filter(|line| line.starts_with("cd "));
        let mut texts: Vec<&str> = with_folder.into_iter().collect();
        // A lesson of one project is no lesson of the next folder.
        let is_elsewhere = with_folder.is_some_and(|line| alone(line).next().is_none());
        let own = if is_elsewhere {
            Vec::new()
        } else {
            lines(&text)
        };
        for (at, line) in own.into_iter().enumerate() {
            texts.push(line);
            if matches!(action, Action::Command(_)) {
                texts.extend(alone(line));
            }
            // The first is the script as a whole.
            if at > 0 && commands(line).into_iter().any(prepares) {
                break;
            }
        }
        // A filter at the end of a pipe is left out of the action, and may be the wrong part of it.
        let piped = written.as_deref().filter(|line| line.contains('|'));
        texts.extend(piped.into_iter().flat_map(alone));
        let mut forms: Vec<Form> = Vec::new();
        for text in texts {
            let said = Reading::of(without_env(text));
            if forms.len() < FORMS_MAX && forms.iter().all(|form| form.said != said) {
                let bare = match action {
                    Action::Command(_) => bare_texts(text),
                    _ => vec![text.to_owned()],
                };
                let bare = bare.iter().map(|text| Reading::of(text)).collect();
                forms.push(Form { said, bare });
            }
        }
        let whole = with_folder.map(Reading::of);
        Self { whole, forms }
    }

    /// Returns true if a command of it has a form.
    pub fn has(&self, form: &Reading) -> bool {
        let mut bare = self.forms.iter().flat_map(|one| &one.bare);
        bare.any(|bare| form.fits(bare))
    }

    /// The keys of all wrong forms that it may have, at most [`KEYS_MAX`].
    pub fn keys(&self) -> Vec<String> {
        let bare = self.forms.iter().flat_map(|form| &form.bare);
        let mut keys: Vec<String> = Vec::new();
        let mut seen = HashSet::new();
        for key in bare.flat_map(|bare| bare.keys(KEYS_MAX)) {
            if keys.len() < KEYS_MAX && seen.insert(key.clone()) {
                keys.push(key);
            }
        }
        keys
    }
}

/// A command without the `env` in front of its settings: `env A=1 x` is `A=1 x`.
fn without_env(text: &str) -> &str {
    match text.trim_start().strip_prefix("env ") {
        Some(rest) if rest.split_whitespace().next().is_some_and(is_setting) => rest,
        _ => text,
    }
}

/// The two sides of a rule without the common parts around their commands.
fn bare_sides(wrong: &str, correct: &str) -> (String, String) {
    let (wrong, correct) = (handed_line(wrong), handed_line(correct));
    if is_call(wrong) || is_call(correct) {
        return (wrong.to_owned(), correct.to_owned());
    }
    let (wrong, correct) = differing_commands(wrong, correct);
    let (wrong_parts, correct_parts) = (Parts::of(wrong), Parts::of(correct));
    let has_same_tail = wrong_parts.tail == correct_parts.tail;
    let has_same_front = wrong_parts.wrappers() == correct_parts.wrappers();
    let bare = |parts: &Parts<'_>| {
        let front = if has_same_front {
            &[][..]
        } else {
            &parts.front
        };
        let front = front.iter().filter(|word| !is_setting(word)).copied();
        let tail = if has_same_tail { &[][..] } else { &parts.tail };
        let words = front.chain(parts.command.iter().copied());
        let words: Vec<&str> = words.chain(tail.iter().copied()).collect();
        words.join(" ")
    };
    let (bare_wrong, bare_correct) = (bare(&wrong_parts), bare(&correct_parts));
    if bare_wrong == bare_correct || Reading::of(&bare_wrong).key().is_none() {
        return (wrong.to_owned(), correct.to_owned());
    }
    (bare_wrong, bare_correct)
}

/// Of two lines of several commands the only one in which they differ; a change of folder counts only when nothing
/// else does.
fn differing_commands<'t>(wrong: &'t str, correct: &'t str) -> (&'t str, &'t str) {
    let without_folder = |line: &'t str| -> Vec<&'t str> {
        let all = commands(line).into_iter();
        all.skip_while(|command| *command == "cd" || command.starts_with("cd "))
            .collect()
    };
    let (left, right) = (without_folder(wrong), without_folder(correct));
    if left.len() != right.len() {
        return (wrong, correct);
    }
    let mut differing = left.into_iter().zip(right).filter(|(a, b)| a != b);
    match (differing.next(), differing.next()) {
        (Some(pair), None) => pair,
        _ => (wrong, correct),
    }
}

/// The line in a quoted call of a tool that only runs lines, as in `Bash(command=npm test)`.
fn handed_line(side: &str) -> &str {
    let inside = side
        .split_once('(')
        .filter(|(name, _)| is_shell_tool(name))
        .and_then(|(_, arguments)| arguments.strip_suffix(')'));
    let line = inside.and_then(|arguments| arguments.split_once('='));
    match line {
        Some((key, line)) if is_line_key(key) => line.trim(),
        _ => side,
    }
}

/// Returns true if a side of a rule quotes a call: `name(key=value)`.
fn is_call(side: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    side.ends_with(')')
        && side
            .split_once('(')
            .is_some_and(|(name, _)| !name.is_empty() && name.chars().all(is_name))
}

/// The commands of a line, one for each `&&`, `||`, `;` and `|` outside quotes.
fn commands(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut from, mut quote, mut skipped) = (0, None, false);
    for (at, c) in line.char_indices() {
        if std::mem::take(&mut skipped) {
            continue;
        }
        match (quote, c) {
            (_, '\\') => skipped = true,
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '|' | ';') => {
                found.push(&line[from..at]);
                from = at + c.len_utf8();
            }
            (None, '&') if line[at..].starts_with("&&") => {
                found.push(&line[from..at]);
                from = at + 2;
                skipped = true;
            }
            (None, _) => {}
        }
    }
    found.push(&line[from..]);
    let trimmed = found.into_iter().map(str::trim);
    trimmed.filter(|command| !command.is_empty()).collect()
}

/// The commands of a line before the first one that prepares others.
fn alone(line: &str) -> impl Iterator<Item = &str> {
    commands(line)
        .into_iter()
        .take_while(|command| !prepares(command))
}

/// A command with its settings and wrappers before it, and its redirections after it.
struct Parts<'t> {
    front: Vec<&'t str>,
    command: Vec<&'t str>,
    tail: Vec<&'t str>,
}

impl<'t> Parts<'t> {
    fn of(command: &'t str) -> Self {
        let words: Vec<&str> = command.split_whitespace().collect();
        let is_front = |word: &&&str| is_setting(word) || is_wrapper(word);
        let front = words.iter().take_while(is_front).count();
        let mut end = words.len();
        while end > front + 1 {
            let (last, before) = (words[end - 1], words[end - 2]);
            if is_redirection(last) == Some(true) {
                end -= 1;
            } else if end > front + 2 && is_redirection(before) == Some(false) {
                end -= 2;
            } else {
                break;
            }
        }
        // Nothing but settings is a command of its own.
        let front = if front == end { 0 } else { front };
        Self {
            front: words[..front].to_vec(),
            command: words[front..end].to_vec(),
            tail: words[end..].to_vec(),
        }
    }

    fn wrappers(&self) -> Vec<&'t str> {
        let wrappers = self.front.iter().filter(|word| !is_setting(word));
        wrappers.copied().collect()
    }
}

/// Returns true if a word redirects output, and whether it names the target: `2>&1` does, `>` leaves it to the next.
fn is_redirection(word: &str) -> Option<bool> {
    let from = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '&');
    // A pattern keeps no number: `2>&1` became `<1>>&<2>`.
    let from = match from.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        Some((name, rest)) if !name.is_empty() && rest.starts_with('>') => rest,
        _ => from,
    };
    let target = from.strip_prefix('>')?;
    let target = target.strip_prefix('>').unwrap_or(target);
    // `>=` and `->` compare and point.
    (!target.starts_with('=')).then_some(!target.is_empty())
}

/// A command as it is, and with less and less around it.
fn bare_texts(command: &str) -> Vec<String> {
    let parts = Parts::of(command);
    let without_settings: Vec<&str> = parts.wrappers();
    let program = parts.command.first().map(|word| without_folder(word));
    let named: Vec<&str> = program
        .into_iter()
        .chain(parts.command.iter().skip(1).copied())
        .collect();
    let mut texts = vec![command.trim().to_owned()];
    for front in [&parts.front, &without_settings, &Vec::new()] {
        for command in [&parts.command, &named] {
            for tail in [&parts.tail[..], &[]] {
                let words: Vec<&str> = [front, &command[..], tail].concat();
                let text = words.join(" ");
                if !text.is_empty() && !texts.contains(&text) {
                    texts.push(text);
                }
            }
        }
    }
    texts
}

/// The name of a program that is called by its whole path.
fn without_folder(program: &str) -> &str {
    if !program.starts_with('/') {
        return program;
    }
    let name = program.rsplit('/').next().unwrap_or(program);
    if name.is_empty() { program } else { name }
}

#[cfg(test)]
mod tests;
