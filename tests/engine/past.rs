//! Reading a memory as it was: by revision, by clock, by time.

use hindlore::clock::WallClock;
use hindlore::{BulletFilter, Engine, EngineError, Moment, RetrieveRequest};
use hindlore_domain::memory::bullet::Status;
use hindlore_domain::memory::query::Query;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_testkit::TestMemory;

const FIRST: &str = "Retry a 429 with backoff and jitter.";
const SECOND: &str = "Retry a 503 after the time in its header.";

async fn texts(memory: &TestMemory, engine: &Engine) -> Vec<String> {
    let filter = BulletFilter {
        status: Some(Status::Active),
        learned_only: false,
        kind: None,
        limit: 10,
    };
    let page = engine.list_bullets(&memory.key, filter).await.unwrap();
    let all = page
        .bullets
        .iter()
        .map(|one| one.content.as_str().to_owned());
    all.collect()
}

#[tokio::test]
async fn a_memory_is_read_as_it_was_at_a_revision_a_clock_and_a_time() {
    let memory = TestMemory::embedded().unwrap();
    let engine = &memory.engine;
    memory.seed(&[FIRST]).await.unwrap();
    let then = memory.clock.now();
    memory.retrieve("how do I retry a 429").await.unwrap();
    memory
        .clock
        .set(Timestamp::from_millis(then.millis() + 60_000));
    memory.seed(&[SECOND]).await.unwrap();
    assert_eq!(texts(&memory, engine).await, [FIRST, SECOND]);
    for moment in [
        Moment::Revision(1),
        Moment::Clock(1),
        Moment::Clock(2),
        Moment::Time(Timestamp::from_millis(then.millis() + 59_999)),
    ] {
        let past = engine.at(&memory.key, moment).await.unwrap();
        assert_eq!(texts(&memory, &past).await, [FIRST], "{moment:?}");
        let request = RetrieveRequest::peek(Query::new("how do I retry"));
        let found = past.retrieve(&memory.key, request).await.unwrap();
        assert_eq!(found.bullets.len(), 1, "{moment:?}");
        let view = past.export(&memory.key, false).await.unwrap().view.unwrap();
        assert_eq!((view.revision, view.bullets.len()), (1, 1), "{moment:?}");
    }
    // The retrieval of the second tick is seen at its clock alone.
    let uses = async |moment| {
        let past = engine.at(&memory.key, moment).await.unwrap();
        past.view(&memory.key).await.unwrap().unwrap().clock
    };
    assert_eq!(
        (uses(Moment::Clock(1)).await, uses(Moment::Clock(2)).await),
        (1, 2)
    );
}

#[tokio::test]
async fn the_past_takes_no_writes_and_the_future_is_refused() {
    let memory = TestMemory::embedded().unwrap();
    memory.seed(&[FIRST]).await.unwrap();
    let past = memory
        .engine
        .at(&memory.key, Moment::Revision(1))
        .await
        .unwrap();
    past.add(&memory.key, SECOND).await.unwrap_err();
    assert_eq!(texts(&memory, &memory.engine).await, [FIRST]);
    for moment in [Moment::Revision(2), Moment::Clock(9)] {
        let refused = memory.engine.at(&memory.key, moment).await;
        assert!(
            matches!(refused, Err(EngineError::NoRevision { .. })),
            "{moment:?}"
        );
    }
    let early = Moment::Time(Timestamp::from_millis(0));
    let refused = memory.engine.at(&memory.key, early).await;
    assert!(matches!(refused, Err(EngineError::Invalid(_))));
}
