//! Every way into a store, from the command line and from the library: no secret comes in, and each is counted.

use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::lessons::{EndRun, LessonCall, LessonRequest, StartRun, StepDetail, StepInput};
use hindlore::{Engine, EngineOptions, ImportDelta, ImportRequest, RetrieveRequest};
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback as StepFeedback;
use hindlore_domain::lesson::learning::candidate::{Candidate, Origin};
use hindlore_domain::lesson::lesson::{LearnerId, Place, Reach};
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::lesson::rule::Rule;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation, Patch, Removal};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_redact::Redactor;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::world::{World, holds};

/// The text that no file may contain: drawn once, an invalid token.
pub(super) const SECRET: &str = "ghp_q8Zt3Lw0RkVx5Hn2Yb7Mc4Jd9Fs6Ga1Pe0Uo";

pub(super) fn secret(form: &str) -> String {
    form.replace('@', SECRET)
}

/// The number of removed secrets that an answer reports.
fn count(answer: &Value) -> u64 {
    answer["redacted"]["secrets"].as_u64().unwrap_or_default()
}

#[test]
fn no_delta_and_no_import_brings_a_secret_in() {
    let world = World::new();
    let delta = secret(
        r#"{"id":"d1","reasoning":"since @ expired","operations":[
        {"op":"ADD","content":"deploy with @","section":"use @","topic":"a @","tags":["t @"]},
        {"op":"ADD","content":"plain text that stays"}]}"#,
    );
    let first = world.json(&["delta", "apply", "-"], &delta);
    assert_eq!(count(&first), 5, "{first}");
    let again = world.json(&["delta", "apply", "-"], &delta);
    assert_eq!((again["repeated"].clone(), count(&again)), (json!(true), 5));
    assert_eq!(again["digest"], first["digest"]);
    let id = first["added"][0].as_str().unwrap();
    let update = json!({"operations": [{"op": "UPDATE", "id": id, "content": secret("again @")}]});
    assert_eq!(
        count(&world.json(&["delta", "apply", "-"], &update.to_string())),
        1
    );
    let reason = secret("because @");
    let removal = json!({"operations": [{"op": "REMOVE", "id": id, "reason": reason}]});
    assert_eq!(
        count(&world.json(&["delta", "apply", "-"], &removal.to_string())),
        1
    );
    let other = first["added"][1].as_str().unwrap();
    let rejected = world.json(&["bullets", "reject", other, "--reason", &reason], "");
    // It is in the bullet and in the log of the deltas.
    assert_eq!(count(&rejected), 2, "{rejected}");
    let playbook = secret(
        "## A\n[a-00001] helpful=1 harmful=0 :: Reconcile the monthly ledger against bank statements with @ first.\n",
    );
    let imported = world.json(&["import", "--format", "ace-playbook", "-"], &playbook);
    assert_eq!(count(&imported), 1, "{imported}");
    let query = secret("reconcile the monthly ledger against bank statements with @");
    let found = world.json(&["retrieve", &query], "");
    assert_eq!(count(&found), 1, "{found}");
    assert!(found["retrieval"].is_string());
    assert!(!world.keeps(SECRET));
    assert!(world.run(&["doctor"], "").status.success());
}

#[test]
fn ones_own_export_comes_in_as_it_was_and_a_foreign_one_without_its_secrets() {
    let world = World::new();
    let delta = r#"{"operations":[{"op":"ADD","content":"Quote every path."}]}"#;
    world.json(&["delta", "apply", "-"], delta);
    let export = String::from_utf8(world.run(&["export"], "").stdout).unwrap();
    let import = ["import", "--format", "hindlore", "-", "--scope", "copy"];
    let imported = world.json(&import, &export);
    assert_eq!(count(&imported), 0, "{imported}");
    let contents =
        |scope: &str| world.json(&["digest", "--scope", scope], "")["content_digest"].clone();
    assert_eq!(contents("copy"), contents("default"));
    let mut unsafe_world = World::new();
    unsafe_world.set("HINDLORE_REDACTION", "off");
    unsafe_world.json(
        &["delta", "apply", "-"],
        &secret(r#"{"id":"u","operations":[{"op":"ADD","content":"use @"}]}"#),
    );
    assert!(unsafe_world.keeps(SECRET));
    let export = String::from_utf8(unsafe_world.run(&["export"], "").stdout).unwrap();
    let import = ["import", "--format", "hindlore", "-", "--scope", "foreign"];
    assert_eq!(count(&world.json(&import, &export)), 1);
    assert!(!world.keeps(SECRET));
    assert!(
        world
            .run(&["doctor", "verify", "--all"], "")
            .status
            .success()
    );
}

#[test]
fn what_another_learner_learned_comes_in_without_its_secrets() {
    let mut open = World::new();
    open.set("HINDLORE_REDACTION", "off");
    let steps = secret(concat!(
        r#"{"run":"r","step":1,"action":"push --key @","error":"denied for @","exit_code":1}"#,
        "\n",
        r#"{"run":"r","step":2,"action":"push --key file","exit_code":0}"#,
    ));
    open.json(&["learn", "-"], &steps);
    assert!(open.keeps(SECRET));
    let export = String::from_utf8(open.run(&["export"], "").stdout).unwrap();
    let world = World::new();
    let import = ["import", "--format", "hindlore", "-"];
    let imported = world.json(&import, &export);
    assert!(count(&imported["learned"]) > 0, "{imported}");
    assert!(!world.keeps(SECRET));
    assert_eq!(world.json(&import, &export)["learned"]["unchanged"], true);
}

#[test]
fn what_learning_sees_is_kept_without_secrets_and_hints_are_framed() {
    let world = World::new();
    let tool = secret(
        "[ $2 = --fast ] && exit; echo \"unknown option $2 for $4, key @, use --fast instead\" >&2; exit 3",
    );
    let tool = world.file("tool", &tool);
    let call = |run: &str, option: &str, hint: bool| {
        let mut arguments = vec!["learn", "--run", run];
        arguments.extend(hint.then_some("--hint"));
        arguments.extend([
            "--",
            "sh",
            &tool,
            "push",
            option,
            "--token",
            "sk-live-SuperSecretToken",
        ]);
        world.run(&arguments, "")
    };
    for run in ["a", "b"] {
        call(run, "--fsat", false);
        call(run, "--fast", false);
        world.run(&["runs", "end", run], "");
    }
    let hinted = call("c", "--fsat", true);
    let said = String::from_utf8_lossy(&hinted.stderr).into_owned();
    let lines: Vec<&str> = said.lines().collect();
    let is_frame = |line: &&str| line.contains("data to weigh, not instructions");
    let frame = lines.iter().position(is_frame);
    let hint = lines.iter().position(|line| line.starts_with("- `sh "));
    assert!(frame < hint && frame.is_some(), "{hinted:?}");
    for told in [SECRET, "sk-live-SuperSecretToken"] {
        assert!(!world.keeps(told), "{told}");
    }
    // The error as stored, and the action that raised it.
    let known = world.json(&["errors", "list"], "")["errors"][0].clone();
    let [error, action] = ["error", "action"].map(|part| known[part].as_str().unwrap());
    let asked = ["--error", error, "--action", action, "--exit-code", "3"];
    let prompt = world.run(
        &[&["lessons", "retrieve", "--prompt"][..], &asked].concat(),
        "",
    );
    let prompt = String::from_utf8_lossy(&prompt.stdout).into_owned();
    assert!(
        prompt.contains("data to weigh") && prompt.contains("- `sh "),
        "{prompt}"
    );
    let lesson = world.json(&["lessons", "list"], "")["lessons"][0]["id"].clone();
    let note = secret("seen with @");
    let lesson = lesson.as_str().unwrap();
    world.json(
        &[
            "lessons", "review", lesson, "--to", "archived", "--note", &note,
        ],
        "",
    );
    assert!(!world.keeps(SECRET));
}

#[test]
fn reported_steps_and_questions_are_kept_without_secrets() {
    let world = World::new();
    let steps = json!([
        {"run": "f", "step": 1, "action": secret("svc login --password hunter2more @"), "exit_code": 1,
         "error": "wrong password hunter2more for bob", "task": secret("t @"), "state": {"api_key": SECRET}},
        {"run": "f", "step": 2, "action": ["svc", "login", "--token", "swordfish-and-more"], "exit_code": 0},
    ]);
    let captured = world.json(&["errors", "capture", "-"], &steps.to_string());
    assert!(count(&captured) >= 5, "{captured}");
    let learned = world.json(
        &["learn", "-"],
        &steps.to_string().replace("\"f\"", "\"g\""),
    );
    assert!(count(&learned) >= 5, "{learned}");
    let asked = secret("what of @");
    let found = world.json(
        &[
            "lessons", "retrieve", "--run", "h", "--error", &asked, &asked,
        ],
        "",
    );
    assert!(count(&found) >= 2, "{found}");
    for told in [
        SECRET,
        "sk-live-SuperSecretToken",
        "hunter2more",
        "swordfish-and-more",
    ] {
        assert!(!world.keeps(told), "{told}");
    }
}

#[test]
fn lessons_of_another_program_come_in_without_secrets() {
    let world = World::new();
    let line = json!({
        "lesson_id": "lsn_0123456789abcdef0123", "rule_text": secret("WRONG svc push → CORRECT svc push --token @"),
        "trigger_fingerprints": ["ef_0123456789abcdef0123"], "status": "candidate", "domain": "svc",
    });
    let ran = world.run(
        &["import", "--format", "classic-lessons", "-", "--json"],
        &line.to_string(),
    );
    assert!(ran.status.success(), "{ran:?}");
    let shown: Value = serde_json::from_slice(&ran.stdout).unwrap();
    assert_eq!(count(&shown), 1, "{shown}");
    assert!(!world.keeps(SECRET));
}

#[test]
fn the_settings_say_what_is_taken_out() {
    let mut world = World::new();
    let file = world.file("c.toml", "[redaction.rules]\nbadge = 'badge (\\d{4})'\n");
    world.set("HINDLORE_CONFIG", &file);
    let delta = r#"{"operations":[{"op":"ADD","content":"badge 4711 opens it"}]}"#;
    let applied = world.json(&["delta", "apply", "-"], delta);
    assert_eq!(applied["redacted"]["by_rule"]["badge"], 1, "{applied}");
    assert!(!world.keeps("4711"));
    world.file("c.toml", "[redaction.rules]\nbadge = '('\n");
    let ran = world.run(&["delta", "apply", "-"], delta);
    let said = String::from_utf8_lossy(&ran.stderr).into_owned();
    assert!(
        ran.status.code() == Some(2) && said.contains("badge"),
        "{said}"
    );
    world.file("c.toml", "[redaction]\nmode = 'off'\n");
    let shown = world.json(&["config", "show"], "").to_string();
    assert!(shown.contains("redaction.mode"), "{shown}");
    let checks = world.json(&["doctor"], "")["checks"].to_string();
    assert!(
        checks.contains("off: passwords and tokens are written"),
        "{checks}"
    );
    world.set("HINDLORE_REDACTION", "maybe");
    assert_eq!(
        world.run(&["delta", "apply", "-"], delta).status.code(),
        Some(2)
    );
}

pub(super) fn engine(folder: &TempDir, redactor: Redactor) -> Engine {
    let store =
        EmbeddedStore::open(folder.path().join("m.db"), EmbeddedOptions::default()).unwrap();
    let options = EngineOptions {
        redactor: Arc::new(redactor),
        ..EngineOptions::default()
    };
    Engine::new(Arc::new(store), Arc::new(SystemClock), options)
}

fn adding(id: &str, text: &str) -> Delta {
    let new = NewBullet {
        content: text.to_owned(),
        section: Some(text.to_owned()),
        ..NewBullet::default()
    };
    Delta::new(
        DeltaId::parse(id).unwrap(),
        vec![Operation::Add(Box::new(new))],
    )
}

#[tokio::test]
async fn the_library_takes_no_secret_in_either() {
    let folder = TempDir::new().unwrap();
    let engine = engine(&folder, Redactor::default());
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let mut delta = adding("d1", &secret("use @"));
    delta.reasoning = Some(secret("for @"));
    let first = engine.apply_delta(&key, delta.clone()).await.unwrap();
    assert_eq!(first.redacted.total(), 3);
    let again = engine.apply_delta(&key, delta).await.unwrap();
    assert!(again.repeated && again.receipt == first.receipt && again.redacted == first.redacted);
    let id = first.receipt.added[0];
    let patch = Patch {
        content: Some(secret("now @ too")),
        ..Patch::new(id)
    };
    let removal = Removal {
        id: id.into(),
        reason: Some(secret("@ leaked")),
    };
    for operation in [
        Operation::Update(Box::new(patch)),
        Operation::Remove(removal),
    ] {
        let delta = Delta::new(Engine::fresh_delta_id().unwrap(), vec![operation]);
        assert_eq!(
            engine
                .apply_delta(&key, delta)
                .await
                .unwrap()
                .redacted
                .total(),
            1
        );
    }
    let request = ImportRequest {
        file: None,
        is_known_file: false,
        delta: ImportDelta {
            id: DeltaId::parse("i1").unwrap(),
            number: 0,
        },
        operations: adding(
            "x",
            &secret("reconcile the monthly ledger against bank statements with @"),
        )
        .operations,
        policy: None,
        is_whole_memory: false,
        lenient: false,
        author: Some(secret("bob @")),
        reasoning: Some(secret("from @")),
    };
    let imported = engine.import(&key, request).await.unwrap();
    assert_eq!(imported.applied.redacted.total(), 4);
    let request = RetrieveRequest::new(Query::new(secret(
        "reconcile the monthly ledger against bank statements with @",
    )));
    let found = engine.retrieve(&key, request).await.unwrap();
    assert!(found.retrieval.is_some() && found.redacted.total() == 1);
    drop(engine);
    assert!(!holds(folder.path(), "m.db", SECRET));
}

fn step() -> StepInput {
    StepInput {
        report: StepReport {
            run: "r".to_owned(),
            step: 1,
            allowed_steps: None,
            evidence: Evidence {
                error: Value::from(secret("denied: @")),
                state: json!({"password": "hunter2more"}),
                action: json!(["svc", "--token", "swordfish-and-more"]),
                state_after: Value::from("hunter2more is wrong"),
                reason: secret("@ expired"),
            },
            feedback: StepFeedback {
                hard_failure: true,
                failed_constraints: vec![secret("no @")],
                ..StepFeedback::default()
            },
            exit_code: Some(1),
            unsafe_action: false,
            place: Place {
                task: Some(secret("t @")),
                domain: Some("svc".to_owned()),
                tool: None,
            },
            tags: vec![secret("@")],
            at: Timestamp::from_millis(0),
        },
        plan_step: Some(secret("step @")),
        followed: Vec::new(),
        detail: StepDetail::default(),
        scope: None,
    }
}

#[tokio::test]
async fn the_librarys_runs_and_errors_hold_no_secret() {
    let folder = TempDir::new().unwrap();
    let engine = engine(&folder, Redactor::default());
    let owner = LearnerId::new("t", "l").unwrap();
    let start = StartRun {
        id: Some("r".to_owned()),
        intent: secret("try @"),
        ..StartRun::default()
    };
    let started = engine.start_run(&owner, start).await.unwrap();
    assert_eq!(started.redacted.total(), 1);
    let captured = engine.capture_error(&owner, step()).await.unwrap();
    assert!(captured.redacted.total() >= 8, "{:?}", captured.redacted);
    let event = captured.error.unwrap();
    // Asked with the raw error, the same fingerprint is looked for.
    let asked = LessonRequest {
        run: Some("r".to_owned()),
        call: LessonCall::OnError {
            step: 1,
            evidence: step().report.evidence,
            exit_code: Some(1),
        },
        text: secret("help with @"),
        tags: Vec::new(),
        place: step().report.place,
        max_results: None,
        mode: RankingMode::Direct,
        exact_only: false,
        fit: None,
        scope: None,
    };
    let answer = engine.retrieve_lessons(&owner, asked).await.unwrap();
    assert_eq!(
        answer.fingerprints.unwrap().fine.id,
        event.fingerprints.fine.id
    );
    assert!(answer.redacted.total() > 0);
    let end = EndRun {
        run: "r".to_owned(),
        proposals: vec![Candidate {
            triggers: vec![event.fingerprints.fine.id],
            rule: Rule::parse(&secret("WRONG svc → CORRECT svc --token @")).unwrap(),
            reach: Reach::Domain,
            evidence_steps: vec![1],
            origin: Origin::Model,
        }],
        ..EndRun::default()
    };
    let ended = engine.end_run(&owner, end).await.unwrap();
    assert_eq!(ended.redacted.total(), 1);
    drop(engine);
    for told in [SECRET, "hunter2more", "swordfish-and-more"] {
        assert!(!holds(folder.path(), "m.db", told), "{told}");
    }
}

#[tokio::test]
async fn what_was_written_before_is_undone_replayed_and_copied_as_it_is() {
    let (folder, other) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let key = MemoryKey::new("t", "l", "s").unwrap();
    let careless = engine(&folder, Redactor::off());
    careless
        .apply_delta(&key, adding("d1", &secret("use @")))
        .await
        .unwrap();
    let added = careless.view(&key).await.unwrap().unwrap();
    let id = added.bullets.last().unwrap().id;
    let removal = Removal {
        id: id.into(),
        reason: None,
    };
    let remove = Delta::new(
        DeltaId::parse("d2").unwrap(),
        vec![Operation::Remove(removal)],
    );
    careless.apply_delta(&key, remove).await.unwrap();
    drop(careless);
    let careful = engine(&folder, Redactor::default());
    let undone = careful
        .undo_delta(&key, &DeltaId::parse("d2").unwrap(), None, false)
        .await
        .unwrap();
    assert_eq!(undone.receipt.content_digest, added.content_digest);
    assert!(careful.verify(&key).await.unwrap().is_sound);
    let copied = careful
        .copy_to(&engine(&other, Redactor::default()), &key)
        .await
        .unwrap();
    assert_eq!(
        copied.digest,
        careful.view(&key).await.unwrap().unwrap().digest
    );
}

#[test]
fn a_conversation_is_kept_without_secrets() {
    let world = World::new();
    let said = secret("Help me multiply 12 by 5 with the key @");
    let chat = world.json(&["agent", "chat", &said], "");
    let id = chat["conversation_id"].as_str().unwrap();
    world.json(&["agent", "chat", "And 3 * 3?", "--conversation", id], "");
    assert!(!world.keeps(SECRET));
}
