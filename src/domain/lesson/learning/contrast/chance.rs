//! Failures and later actions that met by chance: none of them is a lesson.

use serde_json::json;

use super::everyday::rules;

/// A mistake, its error, and a later action that is no cure of it.
#[rustfmt::skip]
const CHANCE: &[(&str, &str, &str)] = &[
    // Another object.
    ("docker rm web1", "Error: No such container: web1", "docker rm web2"),
    ("git branch -d olds", "error: branch 'olds' not found", "git branch -d older"),
    ("git show abc1234", "fatal: ambiguous argument 'abc1234': unknown revision", "git show def5678"),
    ("kill 1234", "kill: (1234) - No such process", "kill 5678"),
    ("pytest -k test_a", "1 failed, 3 passed", "pytest -k test_b"),
    ("cat a.txt", "cat: a.txt: No such file or directory", "cat b.txt"),
    ("git add store.go", "fatal: pathspec 'store.go' did not match any files", "git add a/store.go a/b.go"),
    // A closed way.
    ("cargo build", "error: No space left on device", "cargo build --release"),
    ("apt-get install -y jq", "E: Could not get lock /var/lib/dpkg/lock", "apt-get install -yq jq"),
    ("kubectl get pods", "The connection to the server a:6443 was refused", "kubectl get pods -A"),
    ("npm start", "Error: listen EADDRINUSE: address already in use :::3000", "npm start -- --verbose"),
    ("git push", "fatal: unable to access: Could not resolve host: git.example", "git push --verbose"),
    ("git fetch origin", "fatal: unable to access: Operation timed out", "git remote -v && git fetch origin"),
    // A guard.
    ("git commit -m a", "sh: 1: lint: not found\nhusky - pre-commit hook exited", "git commit --no-verify -m a"),
    ("rm a", "rm: cannot remove 'a': Permission denied", "sudo rm a"),
    ("rm -rf out", "rm: cannot remove 'out': Operation not permitted", "sudo rm -rf out 2>/dev/null; ls ."),
    ("systemctl restart a", "Failed to restart: Access denied", "sudo systemctl restart a"),
    ("make gen", "make: gen: missing operand", "make gen || true"),
    // The result is unknown.
    ("tidy --wdth 80 a.md", "tidy: unknown option --wdth", "tidy --width 80 a.md; ls"),
    // The code failed.
    ("python3 run.py", "KeyError: user", "python3 run.py --fast"),
    ("npm run build", "Module not found: ./foo", "npm run build -- --mode dev"),
    ("bun test", "error: expect(received).toBe(expected)\n 1 fail", "bun test a.test.ts"),
    ("docker build .", "ERROR: process \"make\" did not complete successfully: exit code: 2", "docker build --no-cache ."),
    ("pytest", "E   ModuleNotFoundError: No module named 'requests'", "pytest tests/test_a.py"),
    ("go test ./... -run TestX", "--- FAIL: TestX (0.00s)", "go test ./... -run TestX_Disabled"),
    ("cargo clippy", "error: this loop could be written as a `for` loop\n  --> src/a.rs:3:5", "cargo clippy --fix"),
    ("golangci-lint run -v", "golangci-lint: no such file or directory", "golangci-lint cache clean"),
    // The folder failed, not the command after it.
    ("cd foo && git log --oneline a~3", "/bin/bash: line 0: cd: foo: No such file or directory", "git log --oneline -10"),
    // The next step of the work.
    ("npm test", "npm error Missing script: \"test\"", "npm run build"),
    ("./s.sh verify-rewind", "unknown state", "./s.sh cleanup"),
    ("golangci-lint run --enable=x --disable-all", "unknown flag: --disable-all", "golangci-lint run --new=false --fix"),
];

#[test]
fn a_pair_that_met_by_chance_gives_no_lesson() {
    for (wrong, error, right) in CHANCE {
        let learned = rules(&[(json!(wrong), Some(*error)), (json!(right), None)]);
        assert!(learned.is_empty(), "{wrong}: {learned:?}");
    }
    let error = Some("boxrun: unknown flag: --rmm");
    let failed = [
        (json!("boxrun --rmm"), error),
        (json!("boxrun --rm"), error),
    ];
    assert!(rules(&failed).is_empty(), "a step that failed is no cure");
}

#[test]
fn a_form_that_worked_in_the_same_run_is_not_called_wrong() {
    let lint = "mise run lint";
    let steps = [
        (json!("mise run fmt && mise run lint"), None),
        (json!(lint), Some("lint: unknown state")),
        (json!("mise run fmt"), None),
        (json!("mise run lint --fix"), None),
    ];
    assert!(rules(&steps).is_empty(), "{:?}", rules(&steps));
}
