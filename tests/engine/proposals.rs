//! Corrections by a person on a file: they wait, and a second session or the person releases them.

use std::sync::Arc;

use hindlore::clock::SetClock;
use hindlore::proposals::{NewProposal, PROPOSAL_DAYS, Proposed};
use hindlore::{BulletFilter, Engine, EngineError, EngineOptions};
use hindlore_domain::memory::bullet::Source;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_embedded::{EmbeddedOptions, EmbeddedStore};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::DeltaPage;
use tempfile::TempDir;

struct World {
    engine: Engine,
    clock: Arc<SetClock>,
    key: MemoryKey,
    _folder: TempDir,
}

fn world() -> World {
    let folder = tempfile::tempdir().unwrap();
    let clock = Arc::new(SetClock::at(start()));
    let store =
        EmbeddedStore::open(folder.path().join("m.db"), EmbeddedOptions::default()).unwrap();
    World {
        engine: Engine::new(Arc::new(store), clock.clone(), EngineOptions::default()),
        clock,
        key: MemoryKey::new("t", "l", "repo").unwrap(),
        _folder: folder,
    }
}

fn start() -> Timestamp {
    Timestamp::from_millis(1_790_000_000_000)
}

impl World {
    async fn propose(&self, text: &str, session: &str) -> Proposed {
        let new = NewProposal {
            text: text.to_owned(),
            session: session.to_owned(),
            turn: Some(3),
        };
        self.engine.propose(&self.key, new).await.unwrap()
    }

    async fn waiting(&self) -> Vec<String> {
        let rows = self.engine.proposals(&self.key).await.unwrap();
        rows.into_iter().map(|row| row.text).collect()
    }

    async fn bullets(&self) -> Vec<(String, Source)> {
        let filter = BulletFilter {
            kind: None,
            status: None,
            learned_only: true,
            limit: 100,
        };
        match self
            .engine
            .list_bullets_after(&self.key, filter, None)
            .await
        {
            Err(EngineError::NoMemory(_)) => Vec::new(),
            page => {
                let bullets = page.unwrap().bullets.into_iter();
                let text = |content: &str| content.to_owned();
                bullets
                    .map(|one| (text(one.content.as_str()), one.source))
                    .collect()
            }
        }
    }
}

#[tokio::test]
async fn a_second_session_releases_a_correction_and_the_same_one_does_not() {
    let world = world();
    assert!(matches!(
        world.propose("use pnpm here", "one").await,
        Proposed::Waiting(_)
    ));
    assert!(matches!(
        world.propose("Use pnpm here", "one").await,
        Proposed::Waiting(_)
    ));
    assert!(matches!(
        world.propose("use yarn here", "two").await,
        Proposed::Waiting(_)
    ));
    assert_eq!(world.waiting().await.len(), 2);
    assert_eq!(world.bullets().await, []);
    let Proposed::Released(row, applied) = world.propose("use `pnpm` here", "two").await else {
        panic!("a second session releases it");
    };
    assert_eq!(
        (row.sessions.join(" "), applied.changes.bullets.len()),
        ("one two".to_owned(), 1)
    );
    assert_eq!(world.waiting().await, ["use yarn here"]);
    assert_eq!(
        world.bullets().await,
        [("use pnpm here".to_owned(), Source::Person)]
    );
    let page = DeltaPage {
        below_revision: None,
        limit: 10,
    };
    let log = world.engine.delta_log(&world.key, page).await.unwrap();
    let reasons: Vec<_> = log
        .iter()
        .filter_map(|one| one.record.reasoning.clone())
        .collect();
    assert!(
        reasons
            .iter()
            .any(|why| why.contains("the user, turn 3 of session one")),
        "{reasons:?}"
    );
    assert_eq!(
        world.propose("use pnpm here", "three").await,
        Proposed::Known
    );
    assert_eq!(world.waiting().await, ["use yarn here"]);
}

#[tokio::test]
async fn a_person_releases_or_dismisses_a_proposal() {
    let world = world();
    let Proposed::Waiting(row) = world.propose("never edit generated files", "one").await else {
        panic!("one session does not release it");
    };
    let beginning: String = row.id().chars().take(8).collect();
    let released = world
        .engine
        .release_proposal(&world.key, &beginning, None)
        .await;
    assert_eq!(released.unwrap().changes.bullets.len(), 1);
    assert_eq!(world.bullets().await.len(), 1);
    let Proposed::Waiting(row) = world.propose("our default branch is trunk", "one").await else {
        panic!("one session does not release it");
    };
    world
        .engine
        .dismiss_proposal(&world.key, &row.id())
        .await
        .unwrap();
    assert_eq!(
        (world.waiting().await, world.bullets().await.len()),
        (Vec::new(), 1)
    );
    for name in [row.id(), "p_".to_owned(), String::new()] {
        let refused = world.engine.release_proposal(&world.key, &name, None).await;
        assert_eq!(refused.unwrap_err().code(), "no_proposal", "{name}");
    }
}

#[tokio::test]
async fn a_proposal_expires_unless_it_is_stated_again_and_keeps_no_secret() {
    let world = world();
    world.propose("use pnpm here", "one").await;
    world
        .propose("always log in with password=hunter2secret", "one")
        .await;
    assert!(!world.waiting().await.join(" ").contains("hunter2secret"));
    world.clock.set(start().plus_days(PROPOSAL_DAYS - 1));
    world.propose("use pnpm here", "one").await;
    world.clock.set(start().plus_days(PROPOSAL_DAYS + 1));
    assert_eq!(world.waiting().await, ["use pnpm here"]);
    world.clock.set(start().plus_days(3 * PROPOSAL_DAYS));
    assert_eq!(world.waiting().await, Vec::<String>::new());
    // The sessions of an expired one no longer count.
    assert!(matches!(
        world.propose("use pnpm here", "two").await,
        Proposed::Waiting(_)
    ));
}
