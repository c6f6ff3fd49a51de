//! Every shape of an action against the rules of every origin.

use serde_json::json;

use super::*;

fn form(rule: &str) -> WrongForm {
    WrongForm::of(&Rule::parse(rule).unwrap()).unwrap()
}

/// An index must find every pair that is compared, or the rule never applies.
fn is_met(rule: &str, action: &Value) -> bool {
    let (form, action) = (form(rule), Proposed::of(action));
    let is_of = form.is_of(&action);
    let is_found = action.keys().contains(&form.key().unwrap());
    assert!(!is_of || is_found, "{rule} is not found: {action:?}");
    is_of
}

#[test]
fn every_shape_of_an_action_meets_the_rule_of_every_origin() {
    for rule in [
        "WRONG npm test → CORRECT npm run test:unit",
        "WRONG cd <path> && npm test → CORRECT cd <path> && npm run test:unit",
        "WRONG FOO=<1> npm test → CORRECT FOO=<1> npm run test:unit",
        "WRONG FOO=<num> npm test → CORRECT npm run test:unit",
        "WRONG sudo npm test → CORRECT sudo npm run test:unit",
        "WRONG npm test <1>>&<2> → CORRECT npm run test:unit <1>>&<2>",
        "WRONG npm test | tail → CORRECT npm run test:unit | tail",
        "WRONG Bash(command=npm test) → CORRECT Bash(command=npm run test:unit)",
    ] {
        for action in [
            json!("npm test"),
            json!("cd x && npm test"),
            json!("cd x; npm test"),
            json!("FOO=1 npm test"),
            json!("FOO=1 BAR=2 npm test 2>&1"),
            json!("cd x && FOO=1 npm test > out.txt 2>&1 | tail -20"),
            json!("sudo npm test"),
            json!("/usr/local/bin/npm test"),
            json!("npm ci && npm test"),
            json!("npm ci\nnpm test || true"),
            json!(["npm", "test"]),
            json!(["bash", "-lc", "npm test"]),
            json!("[\"bash\", \"-lc\", \"cd x && npm test\"]"),
            json!("bash -lc 'npm test'"),
            json!({"name": "Bash", "arguments": {"command": "cd x && npm test"}}),
            json!({"tool": "shell", "input": {"command": ["bash", "-lc", "npm test"]}}),
            json!("{\"name\": \"Bash\", \"arguments\": {\"command\": \"npm test\"}}"),
        ] {
            assert!(is_met(rule, &action), "{rule}: {action}");
        }
        for action in [
            json!("npm run test:unit"),
            json!("npm test --silent"),
            json!("npm testing"),
            json!("echo 'npm test'"),
            json!("FOO=1 npm run test:unit 2>&1"),
            json!({"name": "Bash", "arguments": {"command": "npm run test:unit"}}),
            json!(null),
        ] {
            assert!(!is_met(rule, &action), "{rule}: {action}");
        }
    }
}

#[test]
fn what_a_rule_changes_stays_even_when_it_only_says_how() {
    for (rule, wrong, right) in [
        (
            "WRONG npm test → CORRECT CI=1 npm test",
            "npm test",
            "CI=1 npm test",
        ),
        (
            "WRONG systemctl restart <1> → CORRECT sudo systemctl restart <1>",
            "systemctl restart nginx",
            "sudo systemctl restart nginx",
        ),
        (
            "WRONG MODE=dev npm start → CORRECT MODE=prod npm start",
            "MODE=dev npm start",
            "MODE=prod npm start",
        ),
        (
            "WRONG make → CORRECT cd build && make",
            "make",
            "cd build && make",
        ),
        (
            "WRONG KEEP <1> > <2> → CORRECT KEEP <1> gt <2>",
            "KEEP amount > 100",
            "KEEP amount",
        ),
        (
            "WRONG tool <1> > <2> → CORRECT tool <1> >> <2>",
            "tool a > b",
            "tool a >> b",
        ),
    ] {
        assert!(is_met(rule, &json!(wrong)), "{rule}");
        assert!(!is_met(rule, &json!(right)), "{rule}");
    }
}

#[test]
fn calls_are_compared_by_their_arguments() {
    let rule = "WRONG search(q=<1>) → CORRECT search(query=<1>)";
    for action in [
        json!({"tool": "search", "arguments": {"q": "rust"}}),
        json!({"name": "search", "arguments": "{\"q\": \"rust\"}"}),
        json!("search({\"q\": \"rust\"})"),
    ] {
        assert!(is_met(rule, &action), "{action}");
    }
    for action in [
        json!({"tool": "search", "arguments": {"query": "rust"}}),
        json!({"tool": "search", "arguments": {"q": "rust", "n": 2}}),
        json!({"tool": "find", "arguments": {"q": "search"}}),
    ] {
        assert!(!is_met(rule, &action), "{action}");
    }
}

#[test]
fn a_rule_that_knows_no_right_form_has_none() {
    for rule in [
        "WRONG npm test — Missing script",
        "Use lower case names",
        "WRONG <1> … → CORRECT <1>",
    ] {
        assert_eq!(WrongForm::of(&Rule::parse(rule).unwrap()), None, "{rule}");
    }
}

#[test]
fn a_command_that_another_one_prepared_is_not_met() {
    let program = "WRONG pytest … → CORRECT uv run pytest …";
    let setting = "WRONG npm run e2e → CORRECT DATABASE_URL=<url> npm run e2e";
    let push = "WRONG git push → CORRECT git push --set-upstream origin <branch>";
    for (rule, line, expected) in [
        (program, "pytest tests", true),
        (program, "cd api && pytest tests", true),
        (program, "ls && pytest tests", true),
        (
            program,
            "pip install -e . | tail -1; uv sync && pytest",
            false,
        ),
        (program, "uv sync && pytest tests", true),
        (program, "source .venv/bin/activate && pytest tests", false),
        (
            program,
            ". .venv/bin/activate; pytest tests | tail -5",
            false,
        ),
        (program, "export PATH=~/bin:$PATH && pytest", false),
        (program, "conda activate x && pytest", false),
        (program, "pip install pytest && pytest", false),
        (program, "command -v pytest && pytest", false),
        (program, "set -e\npytest tests", true),
        (
            program,
            "set -e\nsource .venv/bin/activate\npytest tests",
            false,
        ),
        (setting, "npm run e2e", true),
        (
            setting,
            "env DATABASE_URL=postgres://a/b npm run e2e",
            false,
        ),
        (
            setting,
            "export DATABASE_URL=postgres://a/b && npm run e2e",
            false,
        ),
        (setting, "set -a; source .env; npm run e2e", false),
        (push, "git push", true),
        (push, "cd ../other && git push", false),
    ] {
        assert_eq!(is_met(rule, &json!(line)), expected, "{line}");
    }
    let python = "WRONG python … → CORRECT python3 …";
    let data = "cat <<'END' > run.sh\npython manage.py migrate\nEND\nls";
    assert!(!is_met(python, &json!(data)));
    let after = "cat <<'END' > a\nx\nEND\npython manage.py";
    assert!(is_met(python, &json!(after)));
}
