//! The same action that failed works after another step: `make` after `make configure`, an edit after a read.
//!
//! That something happened in between proves nothing, since services come back by themselves. The step has
//! to be one that plausibly made the difference: the message names it, or it is about the very thing that
//! the message misses, or it prepares the same program.

use super::guards::gets_round;
use super::nature::Nature;
use super::related::only_looks;
use super::step_view::StepView;

/// Steps between a failure and its repetition that are looked at; the last ones.
const BETWEEN_MAX: usize = 12;

/// Words of a step that prepares later steps.
const PREPARING: &[&str] = &[
    "install",
    "configure",
    "config",
    "init",
    "login",
    "setup",
    "bootstrap",
    "build",
    "generate",
    "gen",
    "migrate",
    "fetch",
    "pull",
    "add",
    "start",
    "up",
    "sync",
    "restore",
    "update",
    "create",
    "enable",
    "auth",
    "get",
    "prepare",
    "compile",
    "ci",
    "i",
    "use",
    "open",
    "connect",
    "checkout",
    "mkdir",
    "download",
    "tidy",
    "clean",
    "unlock",
    "activate",
    "rebase",
    "merge",
    "lock",
];

/// Tools that write contents of their user: after them the same action is another one.
const WRITING: &[&str] = &[
    "edit",
    "write",
    "multiedit",
    "str_replace",
    "apply_patch",
    "patch",
    "create_file",
    "write_file",
    "edit_file",
    "notebookedit",
    "str_replace_editor",
    "str_replace_based_edit_tool",
    "insert",
    "replace",
    "sed",
    "tee",
    "vim",
    "nano",
    "search_replace",
    "update_file",
    "replace_in_file",
];

/// Words too common to tie a step to a message.
const COMMON_WORDS: &[&str] = &[
    "the", "and", "for", "run", "file", "error", "with", "not", "this", "that", "was", "has",
    "from", "use", "get", "add", "bash", "sh", "line", "command", "name", "path", "sudo", "src",
    "set", "new", "all", "can", "try", "please", "failed",
];

/// Of the steps between a failure and the same action that worked, the one that made it work.
pub(super) fn enabler<'a>(
    failed: &StepView,
    between: &'a [StepView],
    nature: Nature,
) -> Option<&'a StepView> {
    let between = &between[between.len().saturating_sub(BETWEEN_MAX)..];
    let succeeded = || {
        between
            .iter()
            .filter(|step| step.failure.is_none() && !step.text.is_empty())
    };
    // Code that was written in between is the reason, and no lesson.
    if succeeded().any(writes_code) {
        return None;
    }
    // A command that only looks changes nothing, and a closed way opens by itself.
    let can_help = |step: &&StepView| {
        let changes = step.is_tool_call() || !only_looks(step);
        let is_timely = nature != Nature::Transient || starts_a_service(step);
        step.text != failed.text
            && !only_keeps_work(failed, step)
            && changes
            && is_timely
            && !gets_round(failed, step)
    };
    let others = || succeeded().filter(can_help);
    let named = others().rfind(|step| is_named(failed, step));
    if named.is_some() {
        return named;
    }
    let changing: Vec<&StepView> = others().filter(|step| !only_looks(step)).collect();
    let about_the_object = changing
        .iter()
        .rev()
        .find(|step| provides_what_is_missing(failed, step));
    if let Some(step) = about_the_object {
        return Some(step);
    }
    match changing[..] {
        [only] if prepares_the_same(failed, only) => Some(only),
        _ => None,
    }
}

/// Returns true if a step changes the user's own code.
fn writes_code(step: &StepView) -> bool {
    let program = step.program().to_lowercase();
    let redirects = !step.is_tool_call() && (step.text.contains(" > ") || step.text.contains("<<"));
    WRITING.contains(&program.as_str()) || redirects || step.text.starts_with("git apply")
}

/// The message advises it: it names the tool, or the sub-command with its program.
fn is_named(failed: &StepView, step: &StepView) -> bool {
    if starts_a_service(step) {
        let silence = ["refused", "connect", "connection", "unreachable", "daemon"];
        return silence.iter().any(|word| failed.is_told(word));
    }
    let is_telling =
        |word: &str| word.len() > 2 && !COMMON_WORDS.contains(&word) && failed.is_told(word);
    if step.is_tool_call() {
        let tool = step.program().to_lowercase();
        return stems(&tool).iter().any(|part| {
            part.len() > 2 && failed.is_told(part) || told_in_another_form(failed, part)
        });
    }
    let mut words = step
        .words
        .iter()
        .skip(1)
        .filter(|word| !word.starts_with('-'));
    let Some(verb) = words.next() else {
        return failed.program() != step.program() && is_telling(&step.program().to_lowercase());
    };
    if failed.words.contains(verb) {
        return false;
    }
    let verb = verb.to_lowercase();
    let verb_told = is_telling(&verb) || told_in_another_form(failed, &verb);
    // `git pull` is named by "pull before pushing", `terraform init` by "please run terraform init".
    verb_told && (failed.program() == step.program() || failed.is_told(step.program()))
}

/// To keep one's work is the ordinary way of working, unless the program asks for it.
fn only_keeps_work(failed: &StepView, step: &StepView) -> bool {
    let verb = step.words.get(1).map(|verb| verb.to_lowercase());
    verb.is_some_and(|verb| {
        let keeps = matches!(verb.as_str(), "commit" | "add" | "stash");
        step.program() == "git" && keeps && !is_asked_for(failed, &verb)
    })
}

/// The message gives an order: `please commit your changes`, `use git stash`.
fn is_asked_for(failed: &StepView, verb: &str) -> bool {
    let Some(failure) = &failed.failure else {
        return false;
    };
    let asks = [
        "please", "git", "to", "or", "run", "use", "must", "first", "and",
    ];
    let object = ["your", "them", "it", "the", "or", "first", "before"];
    failure
        .words
        .windows(3)
        .any(|words| words[1] == verb && asks.contains(&&*words[0]) && object.contains(&&*words[2]))
        || failure.raw.to_lowercase().contains("uncommitted changes")
}

/// A service that did not answer was not there.
fn starts_a_service(step: &StepView) -> bool {
    let mut words = step.words.iter().take(3);
    let starts = |word: &String| matches!(word.as_str(), "up" | "start" | "restart" | "serve");
    !step.is_tool_call() && words.any(starts)
}

/// `read` is implied by "has not been read", `login` by "logged in".
fn told_in_another_form(failed: &StepView, verb: &str) -> bool {
    let forms: &[&str] = match verb {
        "login" | "auth" => &[
            "logged",
            "authenticate",
            "authenticated",
            "credentials",
            "unauthenticated",
            "unauthorized",
        ],
        "start" | "up" => &["running", "started"],
        "init" => &[
            "initialized",
            "initialised",
            "uninitialized",
            "initialization",
        ],
        "install" | "ci" => &["installed", "dependencies", "node_modules"],
        "migrate" => &["migrations", "migration", "migrated"],
        "build" => &["built"],
        "stash" | "commit" => &["stash", "uncommitted", "commit"],
        "configure" => &["configured", "configuration"],
        "open" | "connect" => &["opened", "open", "connected", "connection"],
        _ => &[],
    };
    forms.iter().any(|form| failed.is_told(form))
}

/// The parts of a tool's name: `read_file` reads.
fn stems(tool: &str) -> Vec<String> {
    tool.split(['_', '-', '.']).map(str::to_owned).collect()
}

/// The step names the thing that the message misses and the failed action does not hold.
fn provides_what_is_missing(failed: &StepView, step: &StepView) -> bool {
    let arguments: Vec<String> = if step.is_tool_call() {
        step.leaves().into_iter().map(|leaf| leaf.value).collect()
    } else {
        step.words
            .iter()
            .skip(1)
            .filter(|word| !word.starts_with('-'))
            .cloned()
            .collect()
    };
    let failed_words: Vec<String> = failed
        .words
        .iter()
        .map(|word| word.to_lowercase())
        .collect();
    let Some(failure) = &failed.failure else {
        return false;
    };
    arguments.iter().any(|argument| {
        let argument = argument.trim_matches(['"', '\'', '/', '.']).to_lowercase();
        let is_own = argument.len() > 2 && !COMMON_WORDS.contains(&argument.as_str());
        // A package is asked for by another name than it is imported by; its beginning is the same.
        let is_told = failure.words.iter().any(|word| {
            *word == argument
                || (argument.contains('/') && word.ends_with(argument.as_str()))
                || word.starts_with(&format!("{argument}/"))
        });
        is_own && is_told && !failed_words.contains(&argument)
    })
}

/// The only step in between prepares the program that failed.
fn prepares_the_same(failed: &StepView, step: &StepView) -> bool {
    let prepares = |word: &str| {
        let name = word.rsplit('/').next().unwrap_or(word);
        name.split([':', '-', '.'])
            .any(|part| PREPARING.contains(&part))
    };
    if step.is_tool_call() || failed.is_tool_call() {
        return false;
    }
    // A script of the project (`./configure`) is made to prepare later steps.
    if step.program().starts_with("./") {
        return prepares(step.program());
    }
    let mut verbs = step
        .words
        .iter()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .take(2);
    failed.program() == step.program() && verbs.any(|word| prepares(word))
}
