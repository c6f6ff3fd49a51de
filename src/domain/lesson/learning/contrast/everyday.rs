//! Everyday mistakes with their cures, and the next actions that the lesson must find or must leave alone.

use serde_json::{Value, json};

use super::learn;
use super::step_view::view_of;
use crate::lesson::learning::wrong_form::{Proposed, WrongForm};
use crate::lesson::rule::Rule;
use crate::lesson::trace::{TraceFailure, TraceStep};
use hindlore_primitives::ids::FingerprintId;

/// A mistake, its error, the steps up to the cure, the actions that are warned of, and those that are not.
type Mistake = (
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
);

#[rustfmt::skip]
const MISTAKES: &[Mistake] = &[
    // A missing script.
    (
        "npm test", "npm error Missing script: \"test\"", &["cat package.json", "npm run unit"],
        &["npm test", "npm test -- --watch", "cd web && npm test 2>&1 | tail"],
        &["npm run dev", "npm run unit", "npm run test:e2e", "npm install"],
    ),
    (
        "just test", "error: Justfile does not contain recipe `test`", &["just --list", "just ci-unit"],
        &["just test"], &["just lint", "just ci-unit"],
    ),
    (
        "yarn build", "error Command \"build\" not found.", &["yarn compile:all"],
        &["yarn build"], &["yarn build:docs", "yarn add x"],
    ),
    (
        "yarn lint", "error Command \"lint\" not found.", &["yarn eslint"], &["yarn lint"], &["yarn eslint", "yarn lint:css"],
    ),
    (
        "mise run biuld", "mise ERROR no task named `biuld` found", &["mise run build"],
        &["mise run biuld"], &["mise run build", "mise install"],
    ),
    // A word of the call becomes the value of an option.
    (
        "docker run --rm img echo hello", "/opt/run.sh: line 22: missing env URL", &["docker run --rm --entrypoint echo img hello"],
        &["docker run --rm img echo bye"], &["docker run --rm --entrypoint echo img hello"],
    ),
    // The last program of a pipe.
    (
        "sed -n 1,2p a.txt | cat -A", "cat: illegal option -- A", &["sed -n 1,2p a.txt | cat -vet"],
        &["sed -n 3,4p b.txt | cat -A"], &["cat -vet b.txt", "cat b.txt"],
    ),
    // A program that is not there.
    (
        "python manage.py migrate", "/bin/bash: line 1: python: command not found", &["python3 manage.py migrate"],
        &["python manage.py test", "python -c 'print(1)'", "cd a && python b.py"], &["python3 a.py", "ls python"],
    ),
    (
        "pytest tests/", "/bin/bash: line 1: pytest: command not found", &["ls", "uv run pytest tests/"],
        &["pytest", "pytest -k x tests/a"], &["uv run pytest", "pip install pytest", "pytest-watch"],
    ),
    (
        "docker-compose up -d", "/bin/bash: docker-compose: command not found", &["docker compose up -d"],
        &["docker-compose logs api", "docker-compose"], &["docker-compose-viewer", "docker compose logs api"],
    ),
    (
        "python -c \"import a\"", "bash: python: command not found", &["python3 -c \"import a\""],
        &["python b.py"], &["python3 -c \"import a\""],
    ),
    (
        "tsc --noEmit", "sh: tsc: command not found", &["npx tsc --noEmit"],
        &["tsc -p .", "tsc"], &["npx tsc", "tsc-watch"],
    ),
    // An unknown option.
    (
        "cargo test --lbi", "error: unexpected argument '--lbi' found", &["cargo test --lib"],
        &["cargo test --lbi store", "cargo test -p a --lbi"], &["cargo test --lib store", "cargo test"],
    ),
    (
        "frob list --colour", "frob: unknown flag: --colour", &["frob list --color"],
        &["frob list --colour", "frob list a --colour=never"], &["frob list --color", "frob list"],
    ),
    (
        "grep -P 'a' f", "grep: invalid option -- P", &["grep -E 'a' f"], &["grep -P 'b' g"], &["grep -E 'a' f", "grep a f"],
    ),
    // Something in front.
    (
        "npm run e2e", "Error: DATABASE_URL is not set",
        &["cat README.md", "DATABASE_URL=postgres://localhost:5433/shop npm run e2e"],
        &["npm run e2e"], &["npm run build", "DATABASE_URL=postgres://db/x npm run e2e"],
    ),
    (
        "npm run dev", "Error: listen EADDRINUSE: address already in use :::3000",
        &["lsof -i :3000", "PORT=3001 npm run dev"],
        &["npm run dev"], &["npm test", "PORT=3002 npm run dev"],
    ),
    (
        "flask run", "Address already in use\nPort 5000 is in use by another program.", &["flask run --port 5001"],
        &["flask run"], &["flask routes", "flask run --port 5002"],
    ),
    (
        "gh pr create", "must provide `--title` and `--body` (or `--fill`) when not running interactively",
        &["gh pr create --fill"], &["gh pr create"], &["gh pr list", "gh pr create --fill"],
    ),
    // Another folder.
    (
        "pytest tests/", "ERROR: file or directory not found: tests/", &["ls", "pytest backend/tests/"],
        &["pytest tests/ -x", "pytest -k a tests/"], &["pytest backend/tests/", "pytest src/"],
    ),
    (
        "cd web && npm run build", "/bin/bash: line 0: cd: web: No such file or directory",
        &["ls", "cd apps/web && npm run build"],
        &["cd web && npm run lint", "cd web"], &["cd apps/web && npm run lint", "cd website && ls", "npm run build"],
    ),
    // The tool prints it, or it is one option more.
    (
        "git push", "fatal: The current branch feature-x has no upstream branch.",
        &["git push --set-upstream origin feature-x"],
        &["git push"], &["git push origin main", "git push --set-upstream origin y", "git pull"],
    ),
    (
        "sed -i \"s/a/b/\" conf.yml", "sed: 1: \"conf.yml\": command c expects \\ followed by text",
        &["sed -i '' \"s/a/b/\" conf.yml"],
        &["sed -i \"s/x/y/\" other.yml"], &["sed -i '' \"s/x/y/\" other.yml", "sed -n 3p a"],
    ),
    (
        "cp a.txt", "cp: missing destination file operand after 'a.txt'", &["cp a.txt b.txt"],
        &["cp c.txt"], &["cp a.txt c.txt", "cp -r a b"],
    ),
    (
        "yarn add zod", "error This project's package.json defines \"packageManager\": \"pnpm@9\". Use pnpm instead.",
        &["pnpm add zod"], &["yarn add left-pad -D"], &["pnpm add zod", "yarn build"],
    ),
    (
        "git brnach -a", "git: 'brnach' is not a git command.\n\nThe most similar command is\n\tbranch", &["git branch -a"],
        &["git brnach"], &["git branch"],
    ),
    // The rest of the line is handed on as one text.
    (
        "boxrun --rm tools:1 echo hi", "/entry.sh: line 9: missing env TASK_URL",
        &["boxrun --rm --entrypoint bash tools:1 -c \"echo hi\""],
        &["boxrun --rm tools:1 ls -l"], &["boxrun --rm --entrypoint bash tools:1 -c \"ls\"", "boxrun --help"],
    ),
    // A continued line is one line.
    (
        "boxrun --rm tools:1 echo hi", "/entry.sh: line 9: missing env TASK_URL",
        &["boxrun --rm \\\n  --entrypoint bash \\\n  tools:1 echo hi"],
        &["boxrun --rm tools:1 echo hi"], &["boxrun --rm --entrypoint bash tools:1 echo hi"],
    ),
];

fn trace(steps: &[(Value, Option<&str>)]) -> Vec<TraceStep> {
    let numbered = steps.iter().zip(1..);
    let read = |((action, error), step): (&(Value, Option<&str>), u32)| TraceStep {
        step,
        action: action.clone(),
        plan_step: None,
        failure: error.map(|message| TraceFailure {
            fingerprint: FingerprintId([step as u8; 10]),
            coarse: FingerprintId([step as u8; 10]),
            message: message.to_owned(),
        }),
    };
    numbered.map(read).collect()
}

pub(super) fn rules(steps: &[(Value, Option<&str>)]) -> Vec<Rule> {
    let learned = learn(&trace(steps), |_| 0);
    learned.into_iter().map(|one| one.rule).collect()
}

fn is_met(rule: &Rule, action: &str) -> bool {
    let Some(form) = WrongForm::of(rule) else {
        return false;
    };
    let action = Proposed::of(&json!(action));
    let is_found = action.keys().contains(&form.key().unwrap());
    form.is_of(&action) && is_found
}

#[test]
fn a_lesson_is_as_wide_as_the_failing_part() {
    let mut faults = Vec::new();
    for (wrong, error, later, warned, ordinary) in MISTAKES {
        let mut steps = vec![(json!(wrong), Some(*error))];
        steps.extend(later.iter().map(|action| (json!(action), None)));
        let learned = rules(&steps);
        let [rule] = &learned[..] else {
            faults.push(format!("{wrong}: {learned:?}"));
            continue;
        };
        println!("{}", rule.as_str());
        for action in *warned {
            if !is_met(rule, action) {
                faults.push(format!("{} is silent before {action}", rule.as_str()));
            }
        }
        for action in *ordinary {
            if is_met(rule, action) {
                faults.push(format!("{} warns of {action}", rule.as_str()));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

#[test]
fn a_line_that_works_in_another_folder_has_no_wrong_form() {
    let error =
        "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory";
    let learned = rules(&[
        (json!("npm run build"), Some(error)),
        (json!("cd apps/web && npm run build"), None),
    ]);
    let [rule] = &learned[..] else {
        panic!("{learned:?}");
    };
    assert!(
        rule.as_str()
            .starts_with("Before `npm run build`, run `cd apps/web`"),
        "{rule:?}"
    );
}

fn call(name: &str, arguments: Value) -> Value {
    json!({"name": name, "arguments": arguments})
}

fn read(path: &str) -> Value {
    call("Read", json!({"file_path": path}))
}

fn returned() -> Value {
    call(
        "mcp__shop__return_item",
        json!({"order": "A1", "item": "11"}),
    )
}

fn glob() -> Value {
    call("Glob", json!({"pattern": "**/auth/*.go"}))
}

#[test]
fn calls_are_cured_by_another_tool_or_by_looking_first() {
    let changed = call(
        "mcp__shop__change_item",
        json!({"order": "A1", "item": "11"}),
    );
    let edit = |old: &str| {
        call(
            "Edit",
            json!({"file_path": "/w/a.go", "old_string": old, "new_string": "b"}),
        )
    };
    for (failed, error, later, expected) in [
        (
            returned(),
            "order is not delivered",
            vec![changed],
            "WRONG mcp__shop__return_item(…) → CORRECT mcp__shop__change_item(…) — order is not delivered",
        ),
        (
            read("/w/lib/auth/client.go"),
            "<tool_use_error>File does not exist.</tool_use_error>",
            vec![glob(), read("/w/lib/auth/auth.go")],
            "Before `Read`, run `Glob`",
        ),
        (
            edit("x"),
            "String to replace not found in file.",
            vec![read("/w/a.go"), edit("y")],
            "Before `Edit`, run `Read`",
        ),
        (
            call("get_order", json!({"order_id": "#W77123"})),
            "Error: order not found",
            vec![
                call("list_orders", json!({"user": "u"})),
                call("get_order", json!({"order_id": "#W77124"})),
            ],
            "Before `get_order`, run `list_orders`",
        ),
        (
            glob(),
            "spawn rg EACCES",
            vec![json!("find . -path '*auth*' -name '*.go'")],
            "WRONG Glob(…) → CORRECT find … — spawn rg EACCES",
        ),
        (
            json!("docker exec api ls"),
            "Error response from daemon: No such container: api",
            vec![json!("docker ps"), json!("docker exec shop-api ls")],
            "Before `docker exec`, run `docker ps`",
        ),
    ] {
        let mut steps = vec![(failed, Some(error))];
        steps.extend(later.into_iter().map(|action| (action, None)));
        let learned = rules(&steps);
        let texts: Vec<&str> = learned.iter().map(Rule::as_str).collect();
        assert_eq!(texts, [expected]);
    }
}

#[test]
fn a_call_about_another_object_and_an_unrelated_tool_are_no_cure() {
    for (failed, error, worked) in [
        (
            returned(),
            "order is not delivered",
            call(
                "mcp__shop__change_item",
                json!({"order": "A2", "item": "2"}),
            ),
        ),
        (
            returned(),
            "order is not delivered",
            call("mcp__mail__send", json!({"order": "A1", "item": "11"})),
        ),
        (
            call("get_user", json!({"id": "u1"})),
            "internal error",
            call("get_orders", json!({"id": "u1"})),
        ),
        (
            call("Grep", json!({"pattern": "a", "path": "/w/x"})),
            "Path does not exist: /w/x",
            call("Grep", json!({"pattern": "a"})),
        ),
        (read("/w/a.go"), "File does not exist.", read("/w/b.go")),
        (
            glob(),
            "Directory does not exist: /w/auth",
            json!("find auth -name x"),
        ),
    ] {
        let learned = rules(&[(failed, Some(error)), (worked, None)]);
        assert!(learned.is_empty(), "{learned:?}");
    }
}

#[test]
fn the_program_stays_and_a_value_of_one_day_does_not() {
    for (failed, error, worked, gone) in [
        (
            "fetchr get items/77/notes?page=2 --jq .[0]",
            "(eval):1: no matches found: items/77/notes?page=2",
            "fetchr get \"items/77/notes?page=2\" --jq .[0]",
            "77",
        ),
        (
            "go build -o ./tool ./cmd/tool && TOOL_DEBUG=1 time ./tool help",
            "(eval):1: parse error near `time'",
            "go build -o ./tool ./cmd/tool && TOOL_DEBUG=1 ./tool help 2>&1 | head -10",
            "<4>",
        ),
        (
            "serve",
            "Error: listen EADDRINUSE: port 3000 is in use",
            "serve --port 3001",
            "3001",
        ),
        (
            "cp a.txt",
            "cp: missing destination file operand after 'a.txt'",
            "cp a.txt out/b.txt",
            "b.txt",
        ),
    ] {
        let learned = rules(&[(json!(failed), Some(error)), (json!(worked), None)]);
        for rule in &learned {
            println!("{}", rule.as_str());
            assert!(!rule.as_str().contains(gone), "{rule:?}");
            let program = view_of(json!(failed), None);
            let text = rule.as_str();
            assert!(
                program.commands.iter().any(|command| {
                    let name = hindlore_errors::shell::program(command);
                    text.contains(name)
                }),
                "{rule:?}"
            );
        }
    }
}
