//! The questions about playbooks, reflections and grants, on a playbook of two versions that one person may read.

use hindlore::Engine;
use hindlore::lessons::{CompleteTrajectory, StartRun, StepLog};
use hindlore::playbooks::Curation;
use hindlore::sharing::Grant;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::{Category, Evidence, Proposal};
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::trajectory::{Metrics, Status};
use hindlore_primitives::timestamp::Timestamp;
use serde_json::{Value, json};

use crate::analyst::Known;
use crate::answers::{Check, columns};

const QUOTE: &str = "Quote the name before the upload.";
const GUESS: &str = "Guess the name of the folder.";

/// Every question about advice with its expectation.
pub(crate) const ALL: &[(&str, Check)] = &[
    ("analyst/playbooks/playbooks", playbooks),
    ("analyst/playbooks/strategies", strategies),
    ("analyst/playbooks/versions", versions),
    ("analyst/playbooks/evidence", evidence),
    ("analyst/playbooks/reflections", reflections),
    ("analyst/playbooks/grants", grants),
];

fn proposal(category: Category, pattern: String, evidence: &[(&str, bool)]) -> Proposal {
    let evidence = evidence.iter().map(|(trajectory, worked)| Evidence {
        trajectory: (*trajectory).to_owned(),
        worked: *worked,
        at: Timestamp::from_millis(1_000),
    });
    Proposal {
        category,
        pattern,
        context: String::new(),
        evidence: evidence.collect(),
        stated: None,
    }
}

/// Two curations, a reflection, and a grant.
pub(crate) async fn advise_and_share(engine: &Engine, owner: &LearnerId, mark: &str) {
    let helpful = proposal(
        Category::Helpful,
        format!("{mark}{QUOTE}"),
        &[("r2", true), ("r1", false)],
    );
    let harmful = proposal(
        Category::Harmful,
        format!("{mark}{GUESS}"),
        &[("r1", false)],
    );
    for (proposals, source) in [
        (vec![helpful], "trajectory r2"),
        (vec![harmful], "trajectory r1"),
    ] {
        let curation = Curation {
            proposals,
            analysed: 1,
            source: source.to_owned(),
            author: Some("eve".to_owned()),
        };
        engine
            .curate_playbook(owner, "uploads", curation)
            .await
            .unwrap();
    }
    reflected_upon(engine, owner, mark).await;
    let grant = Grant {
        owner: owner.clone(),
        object: Object::Playbook("uploads".to_owned()),
        relation: Relation::Viewer,
        subject: "user:zoe".parse().unwrap(),
        by: Some("agent:ann".to_owned()),
    };
    engine.grant(grant).await.unwrap();
}

/// A trajectory of another learner, whose queue of those to learn from again stays as it is here.
async fn reflected_upon(engine: &Engine, owner: &LearnerId, mark: &str) {
    let cal = LearnerId::new(owner.tenant(), "cal").unwrap();
    let start = StartRun {
        id: Some("w1".to_owned()),
        ..StartRun::default()
    };
    engine.start_run(&cal, start).await.unwrap();
    for (action, error) in [
        ("npm tset", Some("npm error Missing script: tset")),
        ("npm test", None),
    ] {
        let step = StepLog {
            description: action.to_owned(),
            error: error.map(|error| format!("{mark}{error}")),
            ..StepLog::default()
        };
        engine.log_step(&cal, "w1", step).await.unwrap();
    }
    let end = CompleteTrajectory {
        id: "w1".to_owned(),
        status: Status::Success,
        success_score: None,
        error: None,
        metrics: Metrics::default(),
    };
    engine.complete_trajectory(&cal, end).await.unwrap();
    engine.reflect(&cal, "w1").await.unwrap().unwrap();
}

fn asked(known: &Known, name: &str, names: &str) -> Value {
    let rows = known.rows(&format!("analyst/playbooks/{name}"), json!({}));
    columns(&rows, names)
}

fn playbooks(known: &Known) {
    let names = "playbook version strategies scope visibility uses success analysed archived";
    let expected = json!([["uploads", 2, 2, "agent", "private", 0, null, 2, false]]);
    assert_eq!(asked(known, "playbooks", names), expected);
}

fn strategies(known: &Known) {
    let expected = json!([
        ["uploads", "helpful", QUOTE, "", 1, 1],
        ["uploads", "harmful", GUESS, "", 0, 1],
    ]);
    assert_eq!(
        asked(
            known,
            "strategies",
            "playbook category strategy context worked failed"
        ),
        expected
    );
}

fn versions(known: &Known) {
    let expected = json!([
        ["uploads", 2, "trajectory r1: 1 added", "eve", 2, [GUESS]],
        ["uploads", 1, "trajectory r2: 1 added", "eve", 1, [QUOTE]],
    ]);
    assert_eq!(
        asked(
            known,
            "versions",
            "playbook version reason author strategies new"
        ),
        expected
    );
}

fn evidence(known: &Known) {
    let expected = json!([
        [GUESS, "for", "r1", "scout", "failure"],
        [QUOTE, "for", "r2", "porter", "success"],
        [QUOTE, "against", "r1", "scout", "failure"],
    ]);
    assert_eq!(
        asked(known, "evidence", "strategy speaks trajectory agent status"),
        expected
    );
}

fn reflections(known: &Known) {
    let rows = known.rows("analyst/playbooks/reflections", json!({"learner": "cal"}));
    assert_eq!(
        columns(&rows, "about trajectories avoid"),
        json!([[["w1"], 1, []]])
    );
    assert!(
        rows[0]["do"][0].as_str().unwrap().contains("npm test"),
        "{rows:?}"
    );
}

fn grants(known: &Known) {
    let expected = json!([["playbook:uploads", "viewer", "user:zoe", "agent:ann", 1]]);
    assert_eq!(
        asked(
            known,
            "grants",
            "object relation subject granted_by changes"
        ),
        expected
    );
}
