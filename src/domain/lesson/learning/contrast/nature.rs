//! The nature of a failure: whether it is evidence about the call.
//!
//! A linter that finds something did its job, a lock is released by itself, a container is gone, a person refused. Each
//! is an event of the run and no evidence that the call was wrong; a lesson of it would displace one that helps.

use super::answers::{TAKES_TEXT, is_answer, is_reader, is_search, runs_user_code};
use super::command::to_blame;
use super::phrases::{
    ABSENT_FILE, ABSENT_RECORD, CODE_AT_FAULT, DIAGNOSTIC, EXCEPTION, GONE, INTERRUPT,
    MISSING_SCRIPT, MISUSE, REFUSED, STATE_OF_WORK, TRANSIENT, UNKNOWN_OPTION, USE_AT_FAULT, says,
};
use super::related::offers_another_way;
use super::step_view::StepView;

/// The evidence of a failure about its call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Nature {
    /// The call may be wrong.
    Call,
    /// An object of the call is absent: another object is no other form.
    Object,
    /// The way was closed for a while: only another way is a cure.
    Transient,
    /// Nothing is known of the reason: only a repeated pair counts.
    Silent,
    /// It is no evidence about the call.
    Nothing,
}

/// Judges a failed step by the nature of its failure.
pub(super) fn nature(step: &StepView) -> Nature {
    let Some(failure) = &step.failure else {
        return Nature::Nothing;
    };
    if says(&INTERRUPT, &failure.raw) || says(&REFUSED, &failure.raw) || is_of_harness(step) {
        return Nature::Nothing;
    }
    let one = to_blame(step);
    let step = one.as_ref().unwrap_or(step);
    let message = &failure.message;
    let is_absent = says(&ABSENT_FILE, message) || says(&GONE, message);
    if is_search(step) && (message.is_empty() || says(&ABSENT_RECORD, message)) {
        return Nature::Nothing;
    }
    if message.is_empty() {
        return Nature::Silent;
    }
    let is_report = says(&STATE_OF_WORK, message) || says(&DIAGNOSTIC, message) || is_answer(step);
    let is_misuse = says(&MISUSE, message) || says(&MISSING_SCRIPT, message);
    if is_report && !is_misuse {
        return Nature::Nothing;
    }
    // The text that was to be written is the caller's own.
    if TAKES_TEXT.contains(&step.program()) && says(&CODE_AT_FAULT, message) {
        return Nature::Nothing;
    }
    if says(&TRANSIENT, message) && !says(&UNKNOWN_OPTION, message) {
        return Nature::Transient;
    }
    if runs_user_code(step) && !is_of_use(step, message) {
        return Nature::Nothing;
    }
    let is_of_record =
        step.is_tool_call() && says(&ABSENT_RECORD, message) && step.holds_case_value();
    if is_absent || is_of_record || (is_reader(step) && says(&ABSENT_RECORD, message)) {
        return Nature::Object;
    }
    Nature::Call
}

/// Returns true if a person or a rule refused the call.
pub(super) fn is_forbidden(step: &StepView) -> bool {
    let failure = step.failure.as_ref();
    failure.is_some_and(|failure| says(&REFUSED, &failure.raw))
}

/// Returns true if a program that runs the user's code reports on its use, and not on the code.
fn is_of_use(step: &StepView, message: &str) -> bool {
    let is_use = says(&USE_AT_FAULT, message) || says(&MISSING_SCRIPT, message);
    if is_use || offers_another_way(step) {
        return true;
    }
    !says(&EXCEPTION, message) && !says(&CODE_AT_FAULT, message)
}

/// The harness itself failed: it reports a program that the caller did not run.
fn is_of_harness(step: &StepView) -> bool {
    let message = step.failure.as_ref().map_or("", |failure| &failure.message);
    let reported = message.strip_prefix("Command failed: ");
    let program = reported.and_then(|reported| reported.split_whitespace().next());
    program.is_some_and(|program| !step.text.contains(program))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::lesson::learning::contrast::step_view::view_of;

    /// Failures that are no evidence about the call.
    #[rustfmt::skip]
    const SILENT: &[(&str, &str)] = &[
        ("git diff --exit-code", "diff --git a/x b/x"),
        ("cmp a.bin b.bin", "a.bin b.bin differ: byte 7, line 1"),
        ("npm outdated", "Package  Current  Wanted\nvite  5.0.0  5.1.0"),
        ("cargo fmt --check", "Diff in src/main.rs:1"),
        ("npx prettier --check src", "[warn] src/a.ts"),
        ("shellcheck x.sh", "In x.sh line 3:\nSC2086 Double quote"),
        ("uv run ruff check src", "src/a.py:1:8: F401 imported but unused"),
        ("isort --check .", "ERROR: a.py Imports are incorrectly sorted."),
        ("pre-commit run", "trailing whitespace......Failed"),
        ("git commit -m x", "trailing-whitespace...Failed\n- files were modified by this hook"),
        ("git merge origin/main", "CONFLICT (content): Merge conflict in a.go"),
        ("git rebase main", "error: could not apply 1f2e3d4... x"),
        ("gh pr checks 12", "lint\tfail\t24s\thttps://x"),
        ("terraform plan -detailed-exitcode", "Plan: 1 to add"),
        ("mise run lint", "[lint] ERROR task failed\n\nsrc/a_test.go:112:11: elseif"),
        ("mvn test", "[ERROR] ATest.adds:9 expected: <1> but was: <2>"),
        ("cargo test", "test a::b ... FAILED"),
        ("npm run build", "Module not found: ./foo"),
        ("npx vitest run", "FAIL src/poll.test.ts > polls > Test timed out in 5000ms."),
        ("npm audit", "3 high severity vulnerabilities"),
        ("go vet ./...", "a.go:3:2: unreachable code"),
        ("./check.sh", "src/a.c:4:5: error: expected expression"),
        ("grep -q needle hay.txt", "Exit code 1"),
        ("git push --force", "PreToolUse:Bash hook error: [guard]: force push is forbidden"),
        ("npm i", "sandbox: network access denied by policy"),
        ("make deploy", "Blocked by PreToolUse hook: deploys are made by people"),
        ("curl https://x.example", "exec denied: approval policy is never"),
        ("apt update", "User declined the command"),
        ("docker ps", "This command requires approval"),
        ("sleep 9", "[Request interrupted by user for tool use]"),
    ];

    #[rustfmt::skip]
    const JUDGED: &[(&str, &str, Nature)] = &[
        ("pip install rich", "ERROR: HTTP error 503 while getting https://x", Nature::Transient),
        ("apt-get install jq", "E: Could not get lock /var/lib/dpkg/lock", Nature::Transient),
        ("kubectl get pods", "The connection to the server x was refused", Nature::Transient),
        ("gh pr list", "API rate limit exceeded for user ID 1", Nature::Transient),
        ("sqlite3 a.db vacuum", "Error: database is locked", Nature::Transient),
        ("npm start", "Error: listen EADDRINUSE: address already in use :::3000", Nature::Transient),
        ("cargo build", "error: No space left on device (os error 28)", Nature::Transient),
        ("docker pull redis", "net/http: TLS handshake timeout", Nature::Transient),
        ("terraform apply", "Error: Error acquiring the state lock", Nature::Transient),
        ("git commit -m x", "fatal: Unable to create '.git/index.lock': File exists.", Nature::Transient),
        ("make -j8", "fork: Resource temporarily unavailable", Nature::Transient),
        ("kill 1234", "kill: (1234) - No such process", Nature::Object),
        ("docker rm web1", "Error response from daemon: No such container: web1", Nature::Object),
        ("git branch -d old", "error: branch 'old' not found", Nature::Object),
        ("git stash pop stash@{1}", "error: stash@{1} is not a valid reference", Nature::Object),
        ("docker exec api ls", "container api is not running", Nature::Object),
        ("systemctl restart foo", "Unit foo.service not found.", Nature::Object),
        ("gh pr view 12", "Could not resolve to a PullRequest with the number of 12.", Nature::Object),
        ("cat a.txt", "cat: a.txt: No such file or directory", Nature::Object),
        ("cargo test --lbi", "error: unexpected argument '--lbi' found", Nature::Call),
        ("eslint --fxi src", "Invalid option '--fxi' - perhaps you meant '--fix'?", Nature::Call),
        ("git diff --nmae-only", "error: invalid option: --nmae-only", Nature::Call),
        ("pip install x", "error: externally-managed-environment", Nature::Call),
        ("npm test", "npm error Missing script: \"test\"", Nature::Call),
        ("pytest", "bash: pytest: command not found", Nature::Call),
        ("git push", "fatal: The current branch x has no upstream branch.", Nature::Call),
        ("npm run e2e", "Error: DATABASE_URL is not set", Nature::Call),
        ("yarn lint", "error Command \"lint\" not found.", Nature::Call),
        ("./run.sh", "Exit code 1", Nature::Silent),
    ];

    fn of(action: &str, error: &str) -> Nature {
        nature(&view_of(json!(action), Some(error)))
    }

    #[test]
    fn the_state_of_the_work_and_a_refusal_are_no_evidence() {
        for (action, error) in SILENT {
            assert_eq!(of(action, error), Nature::Nothing, "{action}: {error}");
        }
    }

    #[test]
    fn a_fault_of_the_moment_and_an_absent_object_are_kept_apart_from_the_call() {
        for (action, error, expected) in JUDGED {
            assert_eq!(of(action, error), *expected, "{action}: {error}");
        }
    }
}
