//! A model that proposes lessons and insights from a run: they are checked, and start as observed.

use std::sync::Arc;

use hindlore::lessons::{EndRun, EndedRun, LessonRules, StepDetail, StepInput};
use hindlore::{Engine, EngineOptions};
use hindlore_agents::provider::Vendor;
use hindlore_agents::roles::run_proposer::RunProposer;
use hindlore_domain::lesson::event::StepReport;
use hindlore_domain::lesson::feedback::Feedback;
use hindlore_domain::lesson::learning::candidate::Origin;
use hindlore_domain::lesson::lesson::{LearnerId, Place, Status};
use hindlore_domain::playbook::Category;
use hindlore_errors::fingerprint::{Evidence, Fingerprinter};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::reading::LessonPage;
use hindlore_testkit::{ModelAnswer, ModelAsked, ScriptedModel, TestMemory};
use serde_json::{Value, json};

use crate::scene::client;

const ERROR: &str = "engine: no such gear in this mode";
const RULE: &str = "WRONG motor start → CORRECT motor shift park";

/// An engine that asks a scripted model about runs.
fn asking(memory: &TestMemory, server: &ScriptedModel) -> Engine {
    let proposer = |server: &ScriptedModel| -> Option<Arc<dyn hindlore::proposer::Proposer>> {
        let model = client(server, Vendor::OpenAi);
        Some(Arc::new(RunProposer::made_by(move || Some(model))))
    };
    let options = EngineOptions {
        lessons: Arc::new(LessonRules {
            proposer: proposer(server),
            reflector: proposer(server),
            ..LessonRules::default()
        }),
        ..EngineOptions::default()
    };
    Engine::new(memory.engine.store().clone(), memory.clock.clone(), options)
}

fn owner(memory: &TestMemory) -> LearnerId {
    LearnerId::new(memory.key.tenant(), memory.key.learner()).unwrap()
}

fn step(run: &str, number: u32, action: &str, error: &str) -> StepInput {
    let failed = !error.is_empty();
    StepInput {
        report: StepReport {
            run: run.to_owned(),
            step: number,
            allowed_steps: None,
            evidence: Evidence {
                action: json!(action),
                error: if failed { json!(error) } else { Value::Null },
                ..Evidence::default()
            },
            feedback: Feedback {
                hard_failure: failed,
                ..Feedback::default()
            },
            exit_code: Some(i32::from(failed)),
            unsafe_action: false,
            place: Place::default(),
            tags: Vec::new(),
            at: Timestamp::from_millis(0),
        },
        plan_step: None,
        followed: Vec::new(),
        detail: StepDetail::default(),
        scope: None,
    }
}

async fn ended(engine: &Engine, owner: &LearnerId, run: &str) -> EndedRun {
    for one in [
        step(run, 1, "motor start", ERROR),
        step(run, 2, "motor shift park", ""),
        step(run, 3, "lamp on", ""),
    ] {
        engine.capture_error(owner, one).await.unwrap();
    }
    let request = EndRun {
        run: run.to_owned(),
        ..EndRun::default()
    };
    engine.end_run(owner, request).await.unwrap()
}

fn fingerprint() -> String {
    let evidence = Evidence {
        action: json!("motor start"),
        error: json!(ERROR),
        ..Evidence::default()
    };
    Fingerprinter::default().of(&evidence).fine.id.to_string()
}

fn lesson(fingerprint: &str, rule: &str, steps: &[u32]) -> Value {
    json!({
        "trigger_fingerprints": [fingerprint], "rule_text": rule, "scope_hint": "domain", "evidence_steps": steps,
    })
}

#[tokio::test]
async fn a_lesson_of_a_model_starts_as_observed_and_a_second_run_confirms_it() {
    let script = |asked: &ModelAsked| {
        // The run is shown with the fingerprint of its failure.
        assert!(asked.text().contains(&fingerprint()));
        ModelAnswer::json(&json!({"lessons": [
            lesson(&fingerprint(), RULE, &[1, 2]),
            lesson(&fingerprint(), "Always be careful.", &[1]),
            lesson("fp_00000000000000000000", "Use the other motor first.", &[1]),
            lesson(&fingerprint(), "Use the third gear in a hall.", &[9]),
        ]}))
    };
    let server = ScriptedModel::start(script).unwrap();
    let memory = TestMemory::embedded().unwrap();
    let (engine, owner) = (asking(&memory, &server), owner(&memory));
    let first = ended(&engine, &owner, "r1").await;
    let learned: Vec<(&str, Status, Origin)> = first
        .learned
        .iter()
        .map(|one| (one.rule.as_str(), one.status, one.origin))
        .collect();
    assert_eq!(learned, [(RULE, Status::Observed, Origin::Model)]);
    assert_eq!(first.rejected.len(), 3, "{:?}", first.rejected);
    // The end is known, so that nothing is asked again.
    let asked = server.asked().len();
    let again = ended(&engine, &owner, "r1").await;
    assert_eq!(
        (again.learned, server.asked().len()),
        (first.learned, asked)
    );
    ended(&engine, &owner, "r2").await;
    let page = LessonPage {
        limit: 10,
        ..LessonPage::default()
    };
    let lessons = engine.lessons(&owner, page).await.unwrap().rows;
    let known: Vec<(&str, Status)> = lessons
        .iter()
        .map(|one| (one.rule.as_str(), one.status))
        .collect();
    assert_eq!(known, [(RULE, Status::Candidate)]);
}

#[tokio::test]
async fn a_model_that_breaks_the_form_leaves_the_run_to_the_rules() {
    let script = |_: &ModelAsked| ModelAnswer::json(&json!({"lessons": [{"rule_text": RULE}]}));
    let server = ScriptedModel::start(script).unwrap();
    let memory = TestMemory::embedded().unwrap();
    let (engine, owner) = (asking(&memory, &server), owner(&memory));
    let end = ended(&engine, &owner, "r1").await;
    assert_eq!((end.learned.len(), end.rejected.len()), (0, 0));
    assert!(end.notes[0].contains("the rules did"), "{:?}", end.notes);
    assert_eq!(server.asked().len(), 3, "it may try three times");
    let reflected = engine.reflect(&owner, "r1").await.unwrap().unwrap();
    assert_eq!(reflected.row.reflector, "rules");
    // A run without a failure asks nothing.
    let asked = server.asked().len();
    engine
        .capture_error(&owner, step("r2", 1, "lamp on", ""))
        .await
        .unwrap();
    let request = EndRun {
        run: "r2".to_owned(),
        ..EndRun::default()
    };
    engine.end_run(&owner, request).await.unwrap();
    assert_eq!(server.asked().len(), asked);
}

#[tokio::test]
async fn insights_of_a_model_are_kept_where_the_steps_show_them() {
    let script = |asked: &ModelAsked| {
        if !asked.text().contains("\"insights\"") {
            return ModelAnswer::json(&json!({"lessons": []}));
        }
        let insight = |pattern: &str, steps: &[u32]| json!({"category": "helpful", "pattern": pattern, "context": "", "steps": steps});
        ModelAnswer::json(&json!({"insights": [
            insight("Run `motor shift park` before `motor start`.", &[1, 2]),
            insight("Wait 30 seconds before a start.", &[1]),
        ]}))
    };
    let server = ScriptedModel::start(script).unwrap();
    let memory = TestMemory::embedded().unwrap();
    let (engine, owner) = (asking(&memory, &server), owner(&memory));
    ended(&engine, &owner, "r1").await;
    let row = engine.reflect(&owner, "r1").await.unwrap().unwrap().row;
    let kept: Vec<(Category, &str)> = row
        .insights
        .iter()
        .map(|one| (one.category, one.pattern.as_str()))
        .collect();
    assert_eq!(
        kept,
        [(
            Category::Helpful,
            "Run `motor shift park` before `motor start`."
        )]
    );
    assert_eq!(
        (row.reflector.as_str(), row.proposals.len()),
        ("scripted", 1)
    );
}
