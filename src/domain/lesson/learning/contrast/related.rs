//! The same intent under another program: `pytest` that is not there, and `uv run pytest` that works.
//!
//! Two commands are tied by the tool's own suggestion, or by the arguments that they share. Two programs with the same
//! kind of work are not tied by that alone: it lets a weaker sign count.

use super::phrases::{NO_SUCH_PROGRAM, says};
use super::step_view::StepView;
use hindlore_text::similarity::edits_apart;

/// Steps after a failure in which its cure is looked for.
pub(super) const WINDOW: usize = 10;

/// Programs that do the same kind of work.
const FAMILIES: &[&[&str]] = &[
    &["npm", "pnpm", "yarn", "bun", "npx", "bunx", "corepack"],
    &[
        "python", "python2", "python3", "py", "uv", "poetry", "pipenv", "pdm", "hatch", "conda",
    ],
    &[
        "pip", "pip3", "pipx", "uv", "poetry", "conda", "mamba", "pdm",
    ],
    &[
        "docker",
        "docker-compose",
        "podman",
        "podman-compose",
        "nerdctl",
    ],
    &[
        "apt", "apt-get", "dnf", "yum", "apk", "brew", "pacman", "zypper",
    ],
    &["gradle", "gradlew", "mvn", "mvnw"],
    &["make", "gmake", "ninja", "just", "task"],
    &["service", "systemctl"],
    &["curl", "wget", "http", "https"],
    &["vim", "vi", "nvim", "nano"],
    &["ifconfig", "ip"],
    &["netstat", "ss", "lsof"],
    &["node", "nodejs", "deno", "bun", "tsx", "ts-node"],
    &["jest", "vitest", "mocha"],
    &["tox", "nox"],
];

/// Sub-commands and scripts of one purpose.
#[rustfmt::skip]
const VERBS: &[&[&str]] = &[
    &["install", "i", "ci", "add", "sync", "get", "in"],
    &[
        "test", "t", "tests", "pytest", "jest", "vitest", "unittest", "unit", "spec", "e2e", "mocha", "integration",
        "verify", "check",
    ],
    &["run", "exec", "start", "dev", "x", "dlx", "serve", "develop", "watch", "preview"],
    &["build", "compile", "assemble", "package", "bundle", "dist"],
    &["lint", "eslint", "check", "style"],
    &["format", "fmt", "prettier"],
    &["typecheck", "types", "tsc", "check"],
    &["remove", "uninstall", "rm", "un", "purge"],
    &["update", "upgrade", "up"],
    &["list", "ls", "ps"],
];

/// Returns true if `worked` does the work of `failed` with another program or sub-command.
pub(super) fn is_related(failed: &StepView, worked: &StepView, steps_between: usize) -> bool {
    let Some(failure) = &failed.failure else {
        return false;
    };
    if failed.is_tool_call() || worked.is_tool_call() {
        return false;
    }
    let (a, b) = (&failed.words, &worked.words);
    if a.is_empty() || b.is_empty() || (a == b) || is_lookup(a) || is_lookup(b) {
        return false;
    }
    // A step that installs a program does not do its work.
    if installs(b) && !installs(a) {
        return false;
    }
    let is_absent = says(&NO_SUCH_PROGRAM, &failure.message);
    suggests(failed, worked)
        || (is_absent && a[0] != b[0] && (holds_the_rest(a, b) || runs_through_another(a, b)))
        || (is_absent && a.len() == 1 && b.len() == 1 && is_family(&a[0], &b[0]))
        || is_misspelt(a, b)
        || (is_family(&a[0], &b[0])
            && (same_verb(a, b) || (a[0] != b[0] && holds_the_rest(a, b)))
            && steps_between <= 3)
}

/// Returns true if two scripts have one purpose, by any part of their names: `test`, `ci:unit`.
pub(super) fn is_same_purpose(a: &str, b: &str) -> bool {
    let parts = |name: &str| -> Vec<String> {
        let all = name.split([':', '-', '_', '.', '/']);
        all.map(str::to_lowercase).collect()
    };
    let theirs = parts(b);
    parts(a).iter().any(|part| {
        let mut groups = VERBS.iter().filter(|group| group.contains(&part.as_str()));
        theirs.contains(part)
            || groups.any(|group| theirs.iter().any(|other| group.contains(&other.as_str())))
    })
}

/// The message names the beginning of the other command, and the failed one did not hold it.
pub(super) fn suggests(failed: &StepView, worked: &StepView) -> bool {
    let news: Vec<&String> = worked
        .words
        .iter()
        .take(3)
        .filter(|word| !word.starts_with('-') && !failed.words.contains(word))
        .collect();
    // A suggested word has to be new, and to be at the place of a program or a sub-command.
    let Some(first) = news.first() else {
        return false;
    };
    let told = news.iter().filter(|word| failed.is_told(word)).count();
    let is_program = worked.words.first() == Some(*first);
    let shares = shared_words(&failed.words, &worked.words) > 0;
    told > 0
        && failed.is_told(first)
        && (shares || told == news.len())
        && (is_program || failed.program() == worked.program())
        && offers_another_way(failed)
}

/// A message that only reports events mentions many words; one that advises has marks of advice.
pub(super) fn offers_another_way(failed: &StepView) -> bool {
    let Some(failure) = &failed.failure else {
        return false;
    };
    let lower = failure.raw.to_lowercase();
    let advice = [
        "did you mean",
        "use ",
        "try ",
        "instead",
        "run ",
        "similar command",
        "replaced by",
        "renamed",
        "maybe",
        "consider",
        "perhaps",
        "available",
        "hint",
        "please",
        "suggest",
        "switch to",
        "in favor of",
        "in favour of",
        "superseded",
        "can be installed",
        "recommended",
        "configured to",
    ];
    advice.iter().any(|word| lower.contains(word))
}

/// All arguments of one program go to the other one, in the same order.
fn holds_the_rest(a: &[String], b: &[String]) -> bool {
    let rest = &a[1..];
    if rest.is_empty() {
        return false;
    }
    let mut others = b.iter().skip(1);
    rest.iter().all(|word| others.any(|other| other == word))
}

/// The whole command is handed to another program: `python -m pytest`, `npx tsc`, `./gradlew`.
fn runs_through_another(a: &[String], b: &[String]) -> bool {
    let bare = |word: &String| word.rsplit('/').next().unwrap_or(word).to_owned();
    let program = bare(&a[0]);
    let Some(at) = b
        .iter()
        .position(|word| stem_of(&bare(word)) == stem_of(&program))
    else {
        return false;
    };
    let mut others = b[at + 1..].iter();
    let is_plain = |word: &&String| !word.starts_with('-');
    let mut rest = a[1..].iter().filter(is_plain);
    rest.all(|word| others.any(|other| other == word))
}

/// `gradlew` is the wrapper of `gradle`.
fn stem_of(program: &str) -> String {
    program
        .strip_suffix(".cmd")
        .unwrap_or(program)
        .trim_end_matches('w')
        .to_owned()
}

/// The sub-command or the program is the other one with a letter or two changed, and the rest is equal.
fn is_misspelt(a: &[String], b: &[String]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let differing: Vec<usize> = (0..a.len()).filter(|at| a[*at] != b[*at]).collect();
    let [at] = differing[..] else {
        return false;
    };
    let (wrong, right) = (&a[at], &b[at]);
    let is_word =
        |word: &str| word.len() > 3 && word.chars().all(|c| c.is_ascii_alphabetic() || c == '-');
    at <= 1 && is_word(wrong) && is_word(right) && edits_apart(wrong, right) <= 2 && a.len() > 1
}

fn is_family(a: &str, b: &str) -> bool {
    let bare = |program: &str| program.rsplit('/').next().unwrap_or(program).to_owned();
    let (a, b) = (bare(a), bare(b));
    a == b
        || FAMILIES
            .iter()
            .any(|family| family.contains(&a.as_str()) && family.contains(&b.as_str()))
}

/// The two sub-commands mean the same, or one is a part of the other (`test`, `test:unit`).
fn same_verb(a: &[String], b: &[String]) -> bool {
    let plain = |words: &[String]| -> Vec<String> {
        let words = words.iter().skip(1).filter(|word| !word.starts_with('-'));
        words.take(2).cloned().collect()
    };
    let (ours, theirs) = (plain(a), plain(b));
    let Some(verb) = ours.first() else {
        return false;
    };
    let is_same_program = a[0] == b[0];
    let means_the_same = |other: &String| {
        let parts = other.split([':', '-', '.']);
        let is_part =
            other != verb && parts.clone().count() > 1 && parts.clone().any(|part| part == verb);
        let group = VERBS.iter().find(|group| group.contains(&verb.as_str()));
        // One program that has both words means two things by them.
        let is_synonym =
            !is_same_program && group.is_some_and(|group| group.contains(&other.as_str()));
        is_part || is_synonym || (!is_same_program && other == verb)
    };
    theirs.iter().any(means_the_same)
}

pub(super) fn installs(words: &[String]) -> bool {
    let verbs = VERBS.first().copied().unwrap_or_default();
    words
        .iter()
        .skip(1)
        .take(3)
        .any(|word| verbs.contains(&word.as_str()))
}

/// Commands that only look can follow any failure.
fn is_lookup(words: &[String]) -> bool {
    const LOOKS: &[&str] = &[
        "ls", "cat", "head", "tail", "echo", "pwd", "which", "grep", "rg", "find", "env", "whoami",
        "type", "stat", "file", "tree", "wc", "man", "less", "printenv", "command", "date", "ps",
        "whereis",
    ];
    let help = ["--help", "-h", "--version", "-V", "help", "version"];
    LOOKS.contains(&words[0].as_str())
        || words
            .iter()
            .skip(1)
            .any(|word| help.contains(&word.as_str()))
}

/// Returns true if a step only reads, and cannot change the result of later steps.
pub(super) fn only_looks(step: &StepView) -> bool {
    if step.words.is_empty() {
        return true;
    }
    let looking_verbs = [
        "status", "log", "diff", "show", "list", "ls", "ps", "get", "describe", "branch", "remote",
        "info",
    ];
    is_lookup(&step.words)
        || (!step.is_tool_call()
            && step.words.len() > 1
            && looking_verbs.contains(&step.words[1].as_str())
            && hindlore_errors::action::has_subcommands(&step.words[0])
            && step.words[0] != "go"
            && step.words[0] != "apt")
}

fn shared_words(a: &[String], b: &[String]) -> usize {
    a.iter().filter(|word| b.contains(word)).count()
}

/// True if both install, the same way, different things: the one is no other form of the other. A name that was
/// misspelt, or that the message offers, is another matter.
pub(super) fn installs_another(failed: &StepView, worked: &StepView) -> bool {
    let (a, b) = (&failed.words, &worked.words);
    if !installs(a) || !installs(b) || failed.program() != worked.program() {
        return false;
    }
    let only = |of: &[String], others: &[String]| -> Vec<String> {
        let own = of.iter().filter(|word| !others.contains(word));
        own.cloned().collect()
    };
    let (wrong, correct) = (only(a, b), only(b, a));
    let is_name = |word: &String| !word.starts_with('-');
    let are_names =
        !wrong.is_empty() && !correct.is_empty() && wrong.iter().chain(&correct).all(is_name);
    let is_meant = |name: &String| {
        (failed.is_told(name) && offers_another_way(failed))
            || wrong.iter().any(|other| edits_apart(other, name) <= 2)
    };
    are_names && !correct.iter().all(is_meant)
}
