//! Whether a command that worked resembles the one that failed: a word put in front, replaced, added or dropped, and
//! the rest equal.
//!
//! The nature of the failure limits the change. A closed way is cured by another way alone, and an absent object by no
//! other object. Values of one day are masked first, so that two runs with other values give one rule.

use super::command::{comparable, is_cure, is_requoted};
use super::nature::Nature;
use super::phrases::{ABSENT_FILE, ARITY, LIMIT, MISSING_SCRIPT, Phrase, says};
use super::related::{is_related, is_same_purpose, suggests};
use super::step_view::StepView;
use hindlore_errors::shell::is_setting;
use hindlore_text::similarity::edits_apart;

/// Words that a wrong number of arguments may lack.
const ARGUMENTS_MAX: usize = 2;
/// Letters in which a misspelt name differs.
const LETTERS_MAX: usize = 2;
/// Words by which a line is handed to another program: an option with its value, and `-c`.
const HANDED_WORDS_MAX: usize = 3;
/// Characters of a value that is a word of the tool's language.
const WORD_MAX_CHARS: usize = 20;

/// Parts of names of variables and options that set the way to a service.
#[rustfmt::skip]
const WAY_NAMES: &[&str] = &["port", "host", "url", "uri", "registry", "mirror", "proxy", "index", "addr", "address", "bind"];
/// Short options that set the way to a service (psql, mysql, ssh, rails, flask).
const WAY_OPTIONS: &[&str] = &["-p", "-P", "-h"];

/// Kinds of objects whose names belong to one day, where the message calls them so.
#[rustfmt::skip]
const OBJECT_KINDS: &[&str] = &[
    "branch", "container", "pod", "process", "pid", "user", "account", "order", "ticket", "commit", "revision", "tag",
    "session", "job", "port", "volume", "namespace", "cluster", "bucket", "instance", "deployment", "image",
];

/// Words between a runner and the script that it runs.
const RUN_WORDS: &[&str] = &["run", "run-script", "exec", "task"];

/// The two commands of two lines in which they differ, the second without values of one day; absent where it is not
/// certain which commands these are.
pub(super) fn compared(failed: &StepView, worked: &StepView) -> Option<(StepView, StepView)> {
    let (failed, worked) = comparable(failed, worked)?;
    let masked = without_day_values(&failed, &worked);
    let worked = if masked == worked.text {
        worked
    } else {
        worked.with_command(&masked)
    };
    Some((failed, worked))
}

/// Returns true if a compared command that worked is the right form of the one that failed.
pub(super) fn is_right_form(
    (failed, worked): &(StepView, StepView),
    nature: Nature,
    steps_between: usize,
) -> bool {
    if nature == Nature::Transient {
        return keeps_all(failed, worked) && goes_another_way(failed, worked);
    }
    if nature == Nature::Object
        && is_about_another_object(failed, worked)
        && !suggests(failed, worked)
        && !is_moved(failed, worked)
    {
        return false;
    }
    let intent = failed.action.intent();
    let means_the_same = intent.is_some() && intent == worked.action.intent();
    has_setting_in_front(failed, worked)
        || changes_the_arguments(failed, worked)
        || is_moved(failed, worked)
        || gives_a_word_to_an_option(failed, worked)
        || handed_on(failed, worked).is_some()
        || runs_another_script(failed, worked)
        || (means_the_same && is_cure(failed, worked))
        || is_related(failed, worked, steps_between)
}

/// The place of the script that a runner is asked for.
pub(super) fn script_at(words: &[String]) -> Option<usize> {
    let is_script = |(at, word): &(usize, &String)| {
        *at > 0 && !word.starts_with('-') && !RUN_WORDS.contains(&word.as_str())
    };
    let found = words.iter().enumerate().find(is_script);
    found.map(|(at, _)| at)
}

/// `npm test` → `npm run unit`: the runner has no such script, and one for the same purpose.
pub(super) fn runs_another_script(failed: &StepView, worked: &StepView) -> bool {
    let (Some(a), Some(b)) = (script_at(&failed.words), script_at(&worked.words)) else {
        return false;
    };
    let (wrong, right) = (&failed.words[a], &worked.words[b]);
    wrong != right
        && message_says(failed, &MISSING_SCRIPT)
        && failed.is_told(wrong)
        && failed.program() == worked.program()
        && failed.words[a + 1..] == worked.words[b + 1..]
        && (is_same_purpose(wrong, right)
            || edits_apart(wrong, right) <= LETTERS_MAX
            || suggests(failed, worked))
}

/// `pytest tests/` → `pytest backend/tests/`: the same folder at another place.
pub(super) fn is_moved(failed: &StepView, worked: &StepView) -> bool {
    let (a, b) = (&failed.words, &worked.words);
    let mut differing = a.iter().zip(b).filter(|(old, new)| old != new);
    let Some((old, new)) = differing.next() else {
        return false;
    };
    let folder = old.trim_end_matches('/').rsplit('/').next().unwrap_or(old);
    let is_folder = !folder.contains('.') && folder.len() > 1;
    a.len() == b.len()
        && differing.next().is_none()
        && is_folder
        && new.ends_with(&format!("/{old}"))
        && !new.starts_with('/')
        && message_says(failed, &ABSENT_FILE)
        && failed.is_told(old)
}

/// The two sides of a rule where the end of the failed line was handed on as one text:
/// `box img ls -l` → `box --entrypoint sh img -c "ls -l"`.
pub(super) fn handed_on(failed: &StepView, worked: &StepView) -> Option<(String, String)> {
    let mark = worked
        .text
        .chars()
        .last()
        .filter(|c| matches!(c, '"' | '\''))?;
    let front = worked.text.strip_suffix(mark)?;
    let (front, inside) = front.split_once(mark)?;
    let start = failed.text.strip_suffix(inside)?;
    let (a, b) = (pieces(start), pieces(front));
    let added = b.len().checked_sub(a.len())?;
    let owned = |words: &[&str]| {
        words
            .iter()
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let has_option = b
        .iter()
        .any(|word| word.starts_with('-') && !a.contains(word));
    (a.len() > 1
        && !inside.is_empty()
        && start.ends_with(' ')
        && has_option
        && added <= HANDED_WORDS_MAX
        && is_within(&owned(&a), &owned(&b)))
    .then(|| {
        (
            format!("{} …", a.join(" ")),
            format!("{} <str>", b.join(" ")),
        )
    })
}

/// `box img echo x` → `box --entrypoint echo img x`: a word becomes the value of an option that is added, and all other
/// words stay.
pub(super) fn gives_a_word_to_an_option(failed: &StepView, worked: &StepView) -> bool {
    let (a, b) = (&failed.words, &worked.words);
    let gives = |at: usize| {
        let (option, value) = (&b[at], &b[at + 1]);
        let is_added = option.starts_with('-') && !a.contains(option);
        let from = a.iter().position(|word| word == value);
        is_added
            && from.is_some_and(|from| {
                let left = a.iter().enumerate().filter(|(place, _)| *place != from);
                let kept = b
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| *place != at && *place != at + 1);
                from > 0 && left.map(|(_, word)| word).eq(kept.map(|(_, word)| word))
            })
    };
    a.len() > 2 && b.len() == a.len() + 1 && (1..b.len() - 1).any(gives)
}

/// `npm run dev` → `PORT=3001 npm run dev`.
pub(super) fn has_setting_in_front(failed: &StepView, worked: &StepView) -> bool {
    let (a, b) = (pieces(&failed.text), pieces(&worked.text));
    let front = b.len().saturating_sub(a.len());
    front > 0 && b.ends_with(&a) && b[..front].iter().all(|word| is_setting(word))
}

/// `cp a.txt` → `cp a.txt b.txt`: the program complains about the number of its arguments.
fn changes_the_arguments(failed: &StepView, worked: &StepView) -> bool {
    let (a, b) = (&failed.words, &worked.words);
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    let difference = long.len() - short.len();
    (1..=ARGUMENTS_MAX).contains(&difference)
        && failed.program() == worked.program()
        && message_says(failed, &ARITY)
        && is_within(short, long)
}

/// An option or a variable that sets the way to a service differs.
fn goes_another_way(failed: &StepView, worked: &StepView) -> bool {
    let known = pieces(&failed.text);
    let is_way = |piece: &&str| {
        let is_named = is_setting(piece) || piece.starts_with("--");
        let name = piece.split('=').next().unwrap_or(piece).to_lowercase();
        let mut parts = name.split(['-', '_']);
        WAY_OPTIONS.contains(piece) || (is_named && parts.any(|part| WAY_NAMES.contains(&part)))
    };
    let all = pieces(&worked.text);
    let mut own = all.iter().filter(|piece| !known.contains(piece));
    own.any(is_way)
}

/// Every word of the failed command is in the other, in its order.
fn keeps_all(failed: &StepView, worked: &StepView) -> bool {
    let owned = |text: &str| -> Vec<String> {
        let all = pieces(text).into_iter();
        all.filter(|piece| !is_setting(piece))
            .map(str::to_owned)
            .collect()
    };
    is_within(&owned(&failed.text), &owned(&worked.text))
}

/// Returns true if the commands of one program name other objects.
fn is_about_another_object(failed: &StepView, worked: &StepView) -> bool {
    if failed.program() != worked.program() || is_requoted(&failed.text, &worked.text) {
        return false;
    }
    let own = |of: &[String], others: &[String]| {
        let is_own = |word: &&String| !word.starts_with('-') && !others.contains(word);
        of.iter().any(|word| is_own(&word))
    };
    own(&failed.words, &worked.words) && own(&worked.words, &failed.words)
}

fn is_within(short: &[String], long: &[String]) -> bool {
    let mut rest = long.iter();
    short.iter().all(|word| rest.any(|other| other == word))
}

/// The text of the command that worked, with the values masked that another day has otherwise.
fn without_day_values(failed: &StepView, worked: &StepView) -> String {
    let known = pieces(&failed.text);
    let lacks_arguments = message_says(failed, &ARITY) && keeps_all(failed, worked);
    let mut in_quotes = false;
    let masked = worked.text.split(' ').map(|piece| {
        let quotes = piece.matches(['"', '\'']).count();
        let is_quoted = in_quotes || quotes > 0;
        in_quotes ^= quotes % 2 == 1;
        if is_quoted || known.contains(&piece) {
            return piece.to_owned();
        }
        let value = day_value(piece, failed);
        let argument = || {
            lacks_arguments
                .then(|| argument_kind(piece, failed))
                .flatten()
        };
        value.or_else(argument).unwrap_or_else(|| piece.to_owned())
    });
    masked.collect::<Vec<_>>().join(" ")
}

/// A line with the numbers inside quotes masked, for a cure that consists of the quotes.
pub(super) fn without_quoted_numbers(text: &str) -> String {
    let mut masked = String::new();
    let (mut quote, mut was_digit) = (None, false);
    for c in text.chars() {
        match quote {
            Some(open) if open == c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(c),
            _ => {}
        }
        let is_digit = quote.is_some() && c.is_ascii_digit();
        if !is_digit {
            masked.push(c);
        } else if !was_digit {
            masked.push_str("<num>");
        }
        was_digit = is_digit;
    }
    masked
}

/// A word with its value masked; absent for a word of the tool's language.
fn day_value(piece: &str, failed: &StepView) -> Option<String> {
    if let Some((name, value)) = piece.split_once('=')
        && (is_setting(piece) || name.starts_with("--"))
    {
        return Some(format!("{name}={}", value_kind(value, failed)?));
    }
    let is_number = piece.len() > 1 && piece.bytes().all(|byte| byte.is_ascii_digit());
    if is_number {
        let is_limit = failed.is_told(piece) && message_says(failed, &LIMIT);
        return (!is_limit).then(|| "<num>".to_owned());
    }
    object_kind(piece, failed).map(|kind| format!("<{kind}>"))
}

fn value_kind(value: &str, failed: &StepView) -> Option<&'static str> {
    let is_word = value.len() <= WORD_MAX_CHARS
        && value
            .chars()
            .all(|c| c.is_ascii_lowercase() || matches!(c, '-' | '_'));
    if is_word || value.len() < 2 || failed.is_told(value) {
        return None;
    }
    Some(match value {
        _ if value.bytes().all(|byte| byte.is_ascii_digit()) => "<num>",
        _ if value.contains("://") => "<url>",
        _ if value.starts_with(['/', '~', '.']) => "<path>",
        _ if value.contains(|c: char| c.is_ascii_digit() || c == ':') => "<value>",
        _ => return None,
    })
}

/// The kind of an object that the message names: `The current branch topic has no upstream`.
fn object_kind(piece: &str, failed: &StepView) -> Option<&'static str> {
    let name = piece.to_lowercase();
    let words = &failed.failure.as_ref()?.words;
    let kind_of = |word: &String| OBJECT_KINDS.iter().find(|kind| *kind == word).copied();
    words.windows(2).find_map(|pair| {
        let [left, right] = pair else {
            return None;
        };
        match (left == &name, right == &name) {
            (true, false) => kind_of(right),
            (false, true) => kind_of(left),
            _ => None,
        }
    })
}

/// The kind of an argument that the failed command lacked.
fn argument_kind(piece: &str, failed: &StepView) -> Option<String> {
    if piece.starts_with('-') || failed.is_told(piece) {
        return None;
    }
    let is_path = piece.contains(['/', '.']);
    Some(if is_path { "<path>" } else { "<arg>" }.to_owned())
}

fn pieces(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn message_says(failed: &StepView, phrase: &Phrase) -> bool {
    let failure = failed.failure.as_ref();
    failure.is_some_and(|failure| says(phrase, &failure.message))
}
