//! Programs whose failure is mostly an answer: searches, comparisons, checks, and runners of the user's code.
//!
//! The tables hold documented behaviour, so that no message has to be guessed.

use super::related::installs;
use super::step_view::StepView;

/// Programs whose first line is the command, and whose other lines are a text of the caller's.
pub(super) const TAKES_TEXT: &[&str] = &["edit", "insert", "write", "str_replace", "apply_patch"];

/// Programs that report with their status that nothing was found (POSIX grep, test and cmp; manuals of rg and pgrep).
#[rustfmt::skip]
const SEARCHES: &[&str] = &[
    "grep", "egrep", "fgrep", "zgrep", "rg", "ag", "ack", "find", "fd", "diff", "cmp", "test", "[", "[[", "which", "pgrep",
    "pidof", "false", "expr", "command", "type",
];

/// Programs that only read their input: a missing input is no evidence about their use.
#[rustfmt::skip]
const READERS: &[&str] = &[
    "cat", "head", "tail", "less", "ls", "grep", "rg", "wc", "file", "stat", "bat", "jq", "diff", "open", "dir", "type",
    "find", "du", "readlink", "realpath", "cd",
];

/// Programs whose non-zero status is an answer, each with the words that ask for it; without words every line does.
#[rustfmt::skip]
const ANSWERS: &[(&str, &[&str])] = &[
    // POSIX: 1 means that the inputs differ.
    ("diff", &[]), ("cmp", &[]), ("comm", &[]),
    // Manuals of git: --exit-code and --quiet; grep, check-ignore and is-ancestor answer with 1.
    ("git", &["diff", "grep", "merge-base", "check-ignore", "show-ref", "ls-remote", "fsck"]),
    // gh pr checks: "non-zero exit code if any checks failed"; gh run watch --exit-status.
    ("gh", &["checks", "--exit-status"]),
    // npm outdated, npm audit, npm ls: 1 if there is something to list; the same for yarn, pnpm, composer, bundler.
    ("npm", &["outdated", "audit", "ls"]), ("pnpm", &["outdated", "audit"]), ("yarn", &["outdated", "audit"]),
    ("composer", &["outdated", "audit"]), ("bundle", &["outdated", "audit"]), ("pip-audit", &[]), ("pip", &["check"]),
    ("cargo", &["fmt", "audit", "deny", "clippy", "outdated"]), ("trivy", &[]), ("grype", &[]),
    // Formatters that only check: rustfmt, black, isort, prettier, gofmt, clang-format, terraform fmt.
    ("rustfmt", &["--check"]), ("black", &["--check"]), ("isort", &["--check", "--check-only", "-c"]),
    ("prettier", &["--check", "-c", "-l", "--list-different"]), ("gofmt", &[]), ("clang-format", &[]),
    // terraform plan -detailed-exitcode: 2 means that there is a difference.
    ("terraform", &["-detailed-exitcode", "-check", "validate"]), ("tofu", &["-detailed-exitcode", "-check", "validate"]),
    ("kubectl", &["diff"]), ("helm", &["lint"]), ("buf", &["lint", "breaking"]),
    // Linters and type checkers: 1 means findings.
    ("ruff", &[]), ("flake8", &[]), ("pylint", &[]), ("mypy", &[]), ("pyright", &[]), ("eslint", &[]), ("stylelint", &[]),
    ("biome", &[]), ("tsc", &[]), ("vue-tsc", &[]), ("shellcheck", &[]), ("hadolint", &[]), ("yamllint", &[]),
    ("markdownlint", &[]), ("actionlint", &[]), ("golangci-lint", &[]), ("staticcheck", &[]), ("go", &["vet"]),
    ("rubocop", &[]), ("ktlint", &[]), ("checkstyle", &[]), ("swiftlint", &[]), ("clang-tidy", &[]), ("cppcheck", &[]),
    ("tflint", &[]), ("ansible-lint", &[]), ("semgrep", &[]), ("pre-commit", &[]), ("lint-staged", &[]), ("typos", &[]),
    ("codespell", &[]), ("bandit", &[]), ("phpstan", &[]), ("psalm", &[]), ("dotnet", &["format"]), ("mix", &["credo"]),
    // systemctl(1): 3 means inactive.
    ("systemctl", &["is-active", "is-enabled", "is-failed", "status"]), ("service", &["status"]),
];
/// Words and programs that are followed by the program that they run.
#[rustfmt::skip]
const RUN_WORDS: &[&str] = &[
    "run", "exec", "-m", "--", "npx", "bunx", "pnpx", "dlx", "x", "yarn", "pnpm", "bun", "uvx", "pipx", "poetry",
];
/// Words of a line in which the program that is run can be.
const PROGRAM_WITHIN: usize = 6;

/// Programs that run or judge the code of the user: their reports are mostly about that code.
#[rustfmt::skip]
const CODE_RUNNERS: &[&str] = &[
    "pytest", "tox", "nox", "jest", "vitest", "mocha", "ava", "karma", "cypress", "playwright", "rspec", "phpunit", "tsc",
    "eslint", "ruff", "flake8", "mypy", "pyright", "pylint", "black", "prettier", "biome", "clippy-driver", "gcc", "g++",
    "cc", "c++", "clang", "clang++", "rustc", "javac", "kotlinc", "swiftc", "ghc", "ld", "ninja", "cmake", "python",
    "python2", "python3", "node", "deno", "ruby", "perl", "php", "java", "lua", "julia", "rscript", "ts-node", "tsx",
    "bats", "ctest", "gotestsum", "golangci-lint", "shellcheck", "rubocop", "checkstyle",
];
/// Words that make a run of the user's code of a program that does many things (`cargo test`, `npm run build`).
#[rustfmt::skip]
const CODE_VERBS: &[&str] = &[
    "test", "tests", "t", "build", "check", "clippy", "run", "lint", "compile", "typecheck", "type-check", "bench",
    "verify", "package", "assemble", "vet", "nextest", "watch", "start", "all", "unittest", "e2e", "ci", "fmt", "format",
];
/// Programs that those words are of.
#[rustfmt::skip]
const CODE_BUILDERS: &[&str] = &[
    "cargo", "go", "npm", "pnpm", "yarn", "bun", "npx", "make", "gmake", "mvn", "mvnw", "gradle", "gradlew", "dotnet",
    "mix", "sbt", "bazel", "rake", "rails", "swift", "stack", "cabal", "poetry", "uv", "pipenv", "hatch", "just", "task",
    "tox", "nx", "turbo", "flutter", "dart", "zig", "composer", "bundle", "mise", "moon",
];

/// Returns true if a status other than 0 reports that nothing was found.
pub(super) fn is_search(step: &StepView) -> bool {
    SEARCHES.contains(&step.program())
}

/// Returns true if a program only reads its input.
pub(super) fn is_reader(step: &StepView) -> bool {
    READERS.contains(&step.program())
}

/// Returns true if a status other than 0 answers the question that the line asks.
pub(super) fn is_answer(step: &StepView) -> bool {
    let words: Vec<&str> = step.words.iter().map(String::as_str).collect();
    if step.is_tool_call() || installs(&step.words) {
        return false;
    }
    let places = 0..words.len().min(PROGRAM_WITHIN);
    places.into_iter().any(|at| {
        let is_run = at == 0 || words.get(at - 1).is_some_and(|it| RUN_WORDS.contains(it));
        let file = file_name(words[at]);
        let asks = |asking: &[&str]| {
            let mut rest = words[at + 1..].iter();
            asking.is_empty() || rest.any(|word| asking.contains(word))
        };
        let is_known = |(name, asking): &(&str, &[&str])| *name == file && asks(asking);
        is_run && ANSWERS.iter().any(is_known)
    })
}

/// Returns true if a program runs or judges the code of the user.
pub(super) fn runs_user_code(step: &StepView) -> bool {
    let program = step.program();
    let file = file_name(program);
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

/// Returns true if a program is in one of the tables.
pub(super) fn is_known_program(program: &str) -> bool {
    let is_listed = |(name, _): &(&str, &[&str])| *name == program;
    CODE_BUILDERS.contains(&program)
        || CODE_RUNNERS.contains(&program)
        || ANSWERS.iter().any(is_listed)
}

fn file_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}
