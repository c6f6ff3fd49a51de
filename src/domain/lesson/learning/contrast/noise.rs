//! Failures that teach nothing: they are events, and no lesson comes of them.
//!
//! Someone pressed a key, a search found nothing, a test fails because the code is being written, a service reports
//! that this record does not exist. Each is true and useless to the next run; a lesson of it would displace one that
//! helps.

use super::command::{TAKES_TEXT, to_blame};
use super::phrases::{
    ABSENT_FILE, ABSENT_RECORD, CODE_AT_FAULT, EXCEPTION, INTERRUPT, USE_AT_FAULT, WAY_CLOSED, says,
};
use super::related::offers_another_way;
use super::step_view::StepView;
use crate::lesson::learning::pattern::names_a_place;

/// Programs that report with their exit code that nothing was found.
const SEARCHES: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "find", "fd", "diff", "cmp", "test", "[",
    "[[", "which", "pgrep", "pidof", "false", "expr", "command", "type",
];

/// Programs that only read their input: a missing input is no evidence about their use.
const READERS: &[&str] = &[
    "cat", "head", "tail", "less", "ls", "grep", "rg", "wc", "file", "stat", "bat", "jq", "diff",
    "open", "dir", "type", "find", "du", "readlink", "realpath", "cd",
];

/// Programs that run or judge the code of the user: their reports are mostly about that code.
const CODE_RUNNERS: &[&str] = &[
    "pytest",
    "tox",
    "nox",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "karma",
    "cypress",
    "playwright",
    "rspec",
    "phpunit",
    "tsc",
    "eslint",
    "ruff",
    "flake8",
    "mypy",
    "pyright",
    "pylint",
    "black",
    "prettier",
    "biome",
    "clippy-driver",
    "gcc",
    "g++",
    "cc",
    "c++",
    "clang",
    "clang++",
    "rustc",
    "javac",
    "kotlinc",
    "swiftc",
    "ghc",
    "ld",
    "ninja",
    "cmake",
    "python",
    "python2",
    "python3",
    "node",
    "deno",
    "ruby",
    "perl",
    "php",
    "java",
    "lua",
    "julia",
    "rscript",
    "ts-node",
    "tsx",
    "bats",
    "ctest",
    "gotestsum",
    "golangci-lint",
    "shellcheck",
    "rubocop",
    "checkstyle",
];
/// Words that make a run of the user's code of a program that does many things (`cargo test`, `npm run build`).
const CODE_VERBS: &[&str] = &[
    "test",
    "tests",
    "t",
    "build",
    "check",
    "clippy",
    "run",
    "lint",
    "compile",
    "typecheck",
    "type-check",
    "bench",
    "verify",
    "package",
    "assemble",
    "vet",
    "nextest",
    "watch",
    "start",
    "all",
    "unittest",
    "e2e",
    "ci",
];
/// Programs that those words are of.
const CODE_BUILDERS: &[&str] = &[
    "cargo", "go", "npm", "pnpm", "yarn", "bun", "npx", "make", "gmake", "mvn", "mvnw", "gradle",
    "gradlew", "dotnet", "mix", "sbt", "bazel", "rake", "rails", "swift", "stack", "cabal",
    "poetry", "uv", "pipenv", "hatch", "just", "task", "tox", "nx", "turbo", "flutter", "dart",
    "zig", "composer", "bundle",
];

/// How much a failure can teach.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Worth {
    /// A rule of its own, and its cure.
    Full,
    /// Its cure, but nothing without one.
    OnlyCure,
    /// Its cure, once the pair was seen again: the tool printed nothing that would tie the two.
    OnlyRecurring,
    /// Nothing.
    Nothing,
}

/// Judges a failed attempt by who is at fault.
pub(super) fn worth(step: &StepView) -> Worth {
    let Some(failure) = &step.failure else {
        return Worth::Nothing;
    };
    if says(&INTERRUPT, &failure.raw) || is_of_harness(step) {
        return Worth::Nothing;
    }
    let one = to_blame(step);
    let step = one.as_ref().unwrap_or(step);
    let program = step.program();
    if SEARCHES.contains(&program)
        && (failure.message.is_empty() || says(&ABSENT_RECORD, &failure.message))
    {
        return Worth::Nothing;
    }
    if failure.message.is_empty() {
        return Worth::OnlyRecurring;
    }
    let is_absent = says(&ABSENT_FILE, &failure.message);
    if is_absent && (READERS.contains(&program) || names_a_file(step)) {
        return Worth::OnlyCure;
    }
    // The text that was to be written is the caller's own.
    if TAKES_TEXT.contains(&program) && says(&CODE_AT_FAULT, &failure.message) {
        return Worth::Nothing;
    }
    if says(&WAY_CLOSED, &failure.message) {
        return Worth::OnlyCure;
    }
    if runs_user_code(step) && says(&EXCEPTION, &failure.message) {
        let is_of_use = says(&USE_AT_FAULT, &failure.message) || offers_another_way(step);
        return if is_of_use {
            Worth::OnlyCure
        } else {
            Worth::Nothing
        };
    }
    if says(&USE_AT_FAULT, &failure.message) {
        return Worth::Full;
    }
    if runs_user_code(step) && says(&CODE_AT_FAULT, &failure.message) {
        return Worth::Nothing;
    }
    if step.is_tool_call() && says(&ABSENT_RECORD, &failure.message) && step.holds_case_value() {
        return Worth::OnlyCure;
    }
    Worth::Full
}

/// The harness itself failed: it reports a program that the caller did not run.
fn is_of_harness(step: &StepView) -> bool {
    let message = step.failure.as_ref().map_or("", |failure| &failure.message);
    let told = message.strip_prefix("Command failed: ");
    let program = told.and_then(|told| told.split_whitespace().next());
    program.is_some_and(|program| !step.text.contains(program))
}

/// A call that is about a file.
fn names_a_file(step: &StepView) -> bool {
    step.is_tool_call() && step.leaves().iter().any(|leaf| names_a_place(&leaf.value))
}

fn runs_user_code(step: &StepView) -> bool {
    let program = step.program();
    let file = program.rsplit('/').next().unwrap_or(program);
    if CODE_RUNNERS.contains(&file)
        || program.starts_with("./")
        || file.ends_with(".py")
        || file.ends_with(".sh")
    {
        return true;
    }
    let mut words = step.words.iter().skip(1);
    CODE_BUILDERS.contains(&file)
        && words.any(|word| {
            let verb = word.split([':', '=']).next().unwrap_or(word);
            CODE_VERBS.contains(&verb) || CODE_RUNNERS.contains(&verb)
        })
}
