//! Playbooks on a file: versions under curators at once, histories of random changes, and retention.

use std::sync::Arc;

use fastrand::Rng;
use hindlore::clock::SetClock;
use hindlore::playbooks::{About, Curation, NewPlaybook, PlaybookUpdate, UpdateMode, Which};
use hindlore::reflections::{Execution, Task};
use hindlore::{Engine, EngineError, EngineOptions};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::{
    Category, Evidence, Proposal, RetentionRules, Strategy, apply, content_digest, diff,
};
use hindlore_domain::trajectory::{Metrics, Status};
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_primitives::timestamp::Timestamp;
use tempfile::TempDir;

struct World {
    engine: Engine,
    clock: Arc<SetClock>,
    owner: LearnerId,
    folder: TempDir,
}

fn world(rules: RetentionRules) -> World {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(SetClock::at(Timestamp::from_millis(1_790_000_000_000)));
    let options = EngineOptions {
        playbooks: rules,
        ..EngineOptions::default()
    };
    let store =
        EmbeddedStore::open(folder.path().join("m.db"), EmbeddedOptions::default()).unwrap();
    World {
        engine: Engine::new(Arc::new(store), clock.clone(), options),
        clock,
        owner: LearnerId::new("t", "l").unwrap(),
        folder,
    }
}

fn proposal(category: Category, number: usize, evidence: Vec<Evidence>) -> Proposal {
    const WORDS: [&str; 6] = ["anchor", "brush", "candle", "drum", "engine", "funnel"];
    Proposal {
        category,
        pattern: format!(
            "Take the {} before the {}.",
            WORDS[number % 6],
            WORDS[(number / 6) % 6]
        ),
        context: String::new(),
        evidence,
        stated: None,
    }
}

fn evidence(trajectory: usize, worked: bool) -> Evidence {
    Evidence {
        trajectory: format!("run-{trajectory}"),
        worked,
        at: Timestamp::from_millis(1_780_000_000_000 + trajectory as i64),
    }
}

fn curation(proposals: Vec<Proposal>) -> Curation {
    Curation {
        proposals,
        analysed: 1,
        source: "test".to_owned(),
        author: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_have_no_gap_under_eight_curators_at_once() {
    const CURATORS: usize = 8;
    const ROUNDS: usize = 12;
    let world = world(RetentionRules::default());
    let path = world.folder.path().join("m.db");
    let mut working = Vec::new();
    for curator in 0..CURATORS {
        let store = EmbeddedStore::open(&path, EmbeddedOptions::default()).unwrap();
        let engine = Engine::new(
            Arc::new(store),
            world.clock.clone(),
            EngineOptions::default(),
        );
        let owner = world.owner.clone();
        working.push(tokio::spawn(async move {
            for round in 0..ROUNDS {
                let number = curator * ROUNDS + round;
                let one = proposal(Category::Helpful, number % 7, vec![evidence(number, true)]);
                engine
                    .curate_playbook(&owner, "p", curation(vec![one]))
                    .await
                    .unwrap();
            }
        }));
    }
    for one in working {
        one.await.unwrap();
    }
    let versions = world
        .engine
        .playbook_versions(&world.owner, "p")
        .await
        .unwrap();
    let numbers: Vec<u32> = versions
        .iter()
        .rev()
        .map(|version| version.number)
        .collect();
    assert_eq!(numbers, (1..=96).collect::<Vec<u32>>());
    let view = world
        .engine
        .playbook(&world.owner, "p", Which::Newest)
        .await
        .unwrap();
    let counted: usize = view.strategies.iter().map(|one| one.evidence.len()).sum();
    assert_eq!(counted, CURATORS * ROUNDS, "each trajectory once");
}

/// Random changes; the strategies of each version.
async fn lived(world: &World, rng: &mut Rng, seed: u64) -> Vec<Vec<Strategy>> {
    let mut known: Vec<Vec<Strategy>> = Vec::new();
    for _ in 0..25 {
        let category = Category::ALL[rng.usize(0..3)];
        let given: Vec<Evidence> = (0..rng.usize(1..4))
            .map(|_| evidence(rng.usize(0..9), rng.bool()))
            .collect();
        let proposals = vec![proposal(category, rng.usize(0..36), given)];
        let (engine, owner) = (&world.engine, &world.owner);
        let changed = match rng.usize(0..4) {
            0 if !known.is_empty() => {
                let number = rng.u32(1..=u32::try_from(known.len()).unwrap());
                let changed = engine
                    .restore_playbook(owner, "p", number, None)
                    .await
                    .unwrap();
                let restored = &known[number as usize - 1];
                assert_eq!(
                    content_digest(&changed.view.strategies),
                    content_digest(restored),
                    "seed {seed}"
                );
                changed
            }
            1 if !known.is_empty() => {
                let update = PlaybookUpdate {
                    about: About::default(),
                    proposals: Some(proposals),
                    mode: if rng.bool() {
                        UpdateMode::Merge
                    } else {
                        UpdateMode::Replace
                    },
                    major: false,
                    reason: None,
                    author: None,
                };
                engine.update_playbook(owner, "p", update).await.unwrap()
            }
            _ => engine
                .curate_playbook(owner, "p", curation(proposals))
                .await
                .unwrap(),
        };
        if changed.is_new_version {
            known.push(changed.view.strategies.clone());
        }
        assert_eq!(
            changed.view.playbook.version as usize,
            known.len(),
            "seed {seed}"
        );
    }
    known
}

/// Random changes: every version stays unchanged, the differences lead from one to the other, a restored one is equal.
#[tokio::test]
async fn histories_of_random_changes_can_be_gone_through_both_ways() {
    for seed in 0..12 {
        let world = world(RetentionRules::default());
        let mut rng = Rng::with_seed(seed);
        let known = lived(&world, &mut rng, seed).await;
        for (number, strategies) in (1..).zip(&known) {
            let view = world
                .engine
                .playbook(&world.owner, "p", Which::Number(number))
                .await
                .unwrap();
            assert_eq!(
                &view.strategies, strategies,
                "seed {seed}, version {number}"
            );
            let other = &known[rng.usize(0..known.len())];
            assert_eq!(
                &apply(&diff(strategies, other), strategies),
                other,
                "seed {seed}"
            );
        }
    }
}

#[tokio::test]
async fn what_changes_nothing_makes_no_version() {
    let world = world(RetentionRules::default());
    let one = || {
        curation(vec![proposal(
            Category::Helpful,
            1,
            vec![evidence(1, true)],
        )])
    };
    let first = world
        .engine
        .curate_playbook(&world.owner, "p", one())
        .await
        .unwrap();
    assert!(first.is_new_version);
    let again = world
        .engine
        .curate_playbook(&world.owner, "p", one())
        .await
        .unwrap();
    assert_eq!((again.is_new_version, again.unchanged), (false, 1));
    assert_eq!(again.view, first.view, "not even a time");
    let nothing = world
        .engine
        .curate_playbook(&world.owner, "p", curation(Vec::new()))
        .await
        .unwrap();
    assert!(!nothing.is_new_version);
}

#[tokio::test]
async fn old_versions_lose_their_strategies_and_keep_number_digest_and_reason() {
    let rules = RetentionRules { latest: 2, days: 1 };
    let world = world(rules);
    let (engine, owner) = (&world.engine, &world.owner);
    for number in 0..6 {
        let update = PlaybookUpdate {
            about: About::default(),
            proposals: Some(vec![proposal(
                Category::Helpful,
                number,
                vec![evidence(number, true)],
            )]),
            mode: UpdateMode::Replace,
            major: number == 1,
            reason: Some(format!("change {number}")),
            author: None,
        };
        if number == 0 {
            let new = NewPlaybook {
                name: "p".to_owned(),
                about: About::default(),
                proposals: Vec::new(),
                revive: false,
                author: None,
            };
            engine.create_playbook(owner, new).await.unwrap();
        }
        engine.update_playbook(owner, "p", update).await.unwrap();
        let now = engine.now().millis();
        world
            .clock
            .set(Timestamp::from_millis(now + 2 * 86_400_000));
    }
    let versions = engine.playbook_versions(owner, "p").await.unwrap();
    let kept: Vec<u32> = versions
        .iter()
        .filter(|version| !version.retired)
        .map(|version| version.number)
        .collect();
    assert_eq!(kept, [6, 5, 2], "the newest two, and the major one");
    assert!(
        versions
            .iter()
            .all(|version| version.digest.len() == 64 && version.strategies == 1)
    );
    let gone = engine
        .playbook(owner, "p", Which::Number(1))
        .await
        .unwrap_err();
    assert!(matches!(gone, EngineError::NoVersion { .. }), "{gone}");
    let refused = engine
        .restore_playbook(owner, "p", 3, None)
        .await
        .unwrap_err();
    assert_eq!(refused.code(), "no_version");
    assert_eq!(
        engine
            .playbook(owner, "p", Which::Number(2))
            .await
            .unwrap()
            .strategies
            .len(),
        1
    );
}

#[tokio::test]
async fn the_learning_loop_returns_what_the_work_returned_and_learns_from_it() {
    let world = world(RetentionRules::default());
    let (engine, owner) = (&world.engine, &world.owner);
    let task = Task {
        description: "build it".to_owned(),
        playbook: Some("p".to_owned()),
        ..Task::default()
    };
    let logged = engine.clone();
    let of = owner.clone();
    let learnt = engine
        .execute_with_learning(owner, task, async |id: Option<String>| {
            let id = id.unwrap();
            for (action, error) in [
                ("cargo biuld", Some("error: no such command: `biuld`")),
                ("cargo build", None),
            ] {
                let step = hindlore::lessons::StepLog {
                    description: action.to_owned(),
                    error: error.map(str::to_owned),
                    ..hindlore::lessons::StepLog::default()
                };
                logged.log_step(&of, &id, step).await.unwrap();
            }
            Execution {
                value: Err::<(), &str>("its own error"),
                status: Status::Success,
                success_score: None,
                error: None,
                metrics: Metrics::default(),
            }
        })
        .await;
    assert_eq!(learnt.value, Err("its own error"), "returned as it is");
    assert!(learnt.failed.is_none() && learnt.reflected.is_some());
    let curated = learnt.curated.unwrap();
    assert!(
        curated
            .view
            .strategies
            .iter()
            .any(|one| one.pattern.contains("cargo build")),
        "{curated:?}"
    );
    // A parent that is not there: nothing can be started, and the work runs all the same.
    let about = hindlore::lessons::About {
        parent: Some("nobody".to_owned()),
        ..Default::default()
    };
    let task = Task {
        about,
        ..Task::default()
    };
    let learnt = engine
        .execute_with_learning(owner, task, async |id: Option<String>| Execution {
            value: id,
            status: Status::Success,
            success_score: None,
            error: None,
            metrics: Metrics::default(),
        })
        .await;
    assert_eq!((learnt.value, learnt.trajectory), (None, None));
    assert!(learnt.failed.is_some());
}
