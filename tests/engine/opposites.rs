//! Where the original programs were defective, the opposite holds here; where they were right, the same.
//!
//! One test for each statement about bullets that the notes on the vectors mark as opposite, and worked
//! numbers of decay, ranking, pruning and loading.

use std::collections::BTreeMap;
use std::sync::Arc;

use hindlore::clock::SystemClock;
use hindlore::{
    Engine, EngineError, EngineOptions, EngineResult, ImportDelta, ImportRequest, MemoryView,
    RetrieveRequest,
};
use hindlore_api::delta_input::parse_delta;
use hindlore_api::import::{Format, kayba_legacy_id, parse};
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{BulletId, MemoryType, Status};
use hindlore_domain::memory::decay::{decayed, decayed_score};
use hindlore_domain::memory::delta::{
    BulletRef, Delta, DeltaId, NewBullet, Operation, Patch, Removal, TagCounts,
};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::{Policy, Profile};
use hindlore_domain::memory::query::Query;
use hindlore_domain::memory::rank::rank;
use hindlore_domain::memory::receipt::Receipt;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_testkit::TemporaryStore;

/// An engine over a file of its own.
struct Scene {
    engine: Engine,
    _place: TemporaryStore,
}

fn key(learner: &str, scope: &str) -> MemoryKey {
    MemoryKey::new("t", learner, scope).unwrap()
}

impl Scene {
    fn new() -> Self {
        let place = TemporaryStore::new().unwrap();
        let options = EngineOptions {
            seeds: false,
            ..EngineOptions::default()
        };
        Self {
            engine: Engine::new(place.store().unwrap(), Arc::new(SystemClock), options),
            _place: place,
        }
    }

    async fn try_delta(
        &self,
        key: &MemoryKey,
        id: &str,
        operations: Vec<Operation>,
    ) -> EngineResult<Receipt> {
        let delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
        Ok(self.engine.apply_delta(key, delta).await?.receipt)
    }

    async fn delta(&self, key: &MemoryKey, id: &str, operations: Vec<Operation>) -> Receipt {
        self.try_delta(key, id, operations).await.unwrap()
    }

    async fn view(&self, key: &MemoryKey) -> MemoryView {
        self.engine.view(key).await.unwrap().unwrap()
    }

    async fn texts(&self, key: &MemoryKey) -> Vec<String> {
        let view = self.view(key).await;
        let active = view.bullets.iter().filter(|bullet| bullet.is_active());
        active
            .map(|bullet| bullet.content.as_str().to_owned())
            .collect()
    }
}

fn add(text: &str) -> Operation {
    Operation::Add(Box::new(NewBullet {
        content: text.to_owned(),
        helpful: 1,
        ..NewBullet::default()
    }))
}

fn tag(id: impl Into<BulletRef>, helpful: i64, harmful: i64) -> Operation {
    Operation::Tag(TagCounts {
        id: id.into(),
        helpful,
        harmful,
        neutral: 0,
    })
}

fn set_helpful(id: BulletId, helpful: u64) -> Operation {
    Operation::Update(Box::new(Patch {
        helpful: Some(helpful),
        ..Patch::new(id)
    }))
}

const ELEVEN: &str = "check the units of every long column in this table carefully";
const TEN: &str = "check the units of every long column in this table";

#[tokio::test]
async fn opposite_an_equal_text_of_another_learner_stays_apart() {
    let scene = Scene::new();
    for learner in ["u1", "u2"] {
        let receipt = scene.delta(&key(learner, "s"), "d1", vec![add(TEN)]).await;
        assert_eq!(
            (receipt.added.len(), receipt.merged.len()),
            (1, 0),
            "{learner}"
        );
        assert_eq!(scene.texts(&key(learner, "s")).await, [TEN]);
    }
}

#[tokio::test]
async fn opposite_ten_of_eleven_words_of_two_learners_stay_two_bullets() {
    let scene = Scene::new();
    for (learner, text) in [("u1", ELEVEN), ("u2", TEN)] {
        scene.delta(&key(learner, "s"), "d1", vec![add(text)]).await;
    }
    assert_eq!(scene.texts(&key("u1", "s")).await, [ELEVEN]);
    assert_eq!(scene.texts(&key("u2", "s")).await, [TEN]);
    let merged = scene.delta(&key("u1", "s"), "d2", vec![add(TEN)]).await;
    assert_eq!(merged.merged.len(), 1, "of one learner they do merge");
}

#[tokio::test]
async fn opposite_two_scopes_stay_apart() {
    let scene = Scene::new();
    for scope in ["s1", "s2"] {
        scene
            .delta(
                &key("u", scope),
                "d1",
                vec![add(TEN), tag(BulletRef("#0".into()), 2, 0)],
            )
            .await;
    }
    for scope in ["s1", "s2"] {
        let view = scene.view(&key("u", scope)).await;
        assert_eq!(
            (view.bullets.len(), view.bullets[0].counts.helpful),
            (1, 3),
            "{scope}"
        );
    }
}

#[tokio::test]
async fn opposite_an_unknown_id_refuses_the_delta_and_takes_no_tick() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    scene.delta(&key, "d1", vec![add(TEN)]).await;
    let before = scene.view(&key).await;
    let unknown = BulletRef("b_00000000000000000000".to_owned());
    let refused = scene
        .try_delta(&key, "d2", vec![add("another"), tag(unknown, 1, 0)])
        .await;
    assert!(
        matches!(refused, Err(EngineError::Refused(_))),
        "{refused:?}"
    );
    assert_eq!(scene.view(&key).await, before);
}

#[tokio::test]
async fn opposite_harmful_votes_lower_a_rank() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let texts = vec![
        add("sort the invoices by date"),
        add("sort the receipts by date"),
    ];
    let added = scene.delta(&key, "d1", texts).await.added;
    let peek = || RetrieveRequest::peek(Query::new("sort by date"));
    let before = scene.engine.retrieve(&key, peek()).await.unwrap();
    let best = before.bullets[0].bullet.id;
    scene.delta(&key, "d2", vec![tag(best, 0, 1)]).await;
    let after = scene.engine.retrieve(&key, peek()).await.unwrap();
    assert_eq!(after.bullets[1].bullet.id, best);
    assert_eq!(after.bullets.len(), added.len());
}

#[tokio::test]
async fn opposite_pruned_and_removed_bullets_remain_and_can_be_restored() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let kept = scene
        .delta(&key, "d1", vec![add("read first"), add("then write")])
        .await
        .added;
    let remove = Operation::Remove(Removal {
        id: kept[0].into(),
        reason: None,
    });
    let prune = serde_json::from_str(r#"{"op":"POLICY","max_bullets":0}"#).unwrap();
    scene.delta(&key, "d2", vec![remove]).await;
    scene.delta(&key, "d3", vec![prune]).await;
    let view = scene.view(&key).await;
    assert!(
        view.bullets
            .iter()
            .all(|bullet| bullet.status == Status::Archived)
    );
    for delta in ["d3", "d2"] {
        let id = DeltaId::parse(delta).unwrap();
        scene
            .engine
            .undo_delta(&key, &id, None, false)
            .await
            .unwrap();
    }
    assert_eq!(scene.texts(&key).await, ["read first", "then write"]);
}

#[tokio::test]
async fn opposite_an_exact_duplicate_adds_its_helpful_votes() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    scene.delta(&key, "d1", vec![add(TEN)]).await;
    scene.delta(&key, "d2", vec![add(TEN)]).await;
    assert_eq!(scene.view(&key).await.bullets[0].counts.helpful, 2);
}

#[tokio::test]
async fn opposite_ten_returned_bullets_take_one_tick() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let texts = (0..10)
        .map(|at| add(&format!("rule {at} about tables")))
        .collect();
    let clock = scene.delta(&key, "d1", texts).await.clock;
    let request = RetrieveRequest::new(Query::new("tables"));
    let found = scene.engine.retrieve(&key, request).await.unwrap();
    assert_eq!(
        (found.bullets.len(), found.memories[0].tick),
        (10, Some(clock + 1))
    );
    let view = scene.view(&key).await;
    assert_eq!(view.clock, clock + 1);
    assert!(
        view.bullets
            .iter()
            .all(|bullet| bullet.access_index == Some(clock + 1))
    );
}

#[tokio::test]
async fn opposite_a_tag_of_minus_nine_on_one_vote_is_refused() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let id = scene.delta(&key, "d1", vec![add(TEN)]).await.added[0];
    let refused = scene
        .try_delta(&key, "d2", vec![tag(id, -9, 0)])
        .await
        .unwrap_err();
    assert!(refused.to_string().contains("-8"), "{refused}");
    assert_eq!(scene.view(&key).await.bullets[0].counts.helpful, 1);
}

#[tokio::test]
async fn opposite_two_adds_of_one_text_are_one_bullet() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let receipt = scene.delta(&key, "d1", vec![add(TEN), add(TEN)]).await;
    assert_eq!((receipt.added.len(), receipt.merged.len()), (1, 1));
    assert_eq!(scene.view(&key).await.bullets[0].counts.helpful, 2);
}

#[tokio::test]
async fn opposite_a_batch_with_a_bad_middle_changes_nothing() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let id = scene.delta(&key, "d1", vec![add(TEN)]).await.added[0];
    let before = scene.view(&key).await;
    let batch = format!(
        r#"{{"reasoning": "r", "operations": [
            {{"type": "ADD", "section": "a", "content": "the first"}},
            {{"type": "TAG", "bullet_id": "{id}", "metadata": {{"good": 1}}}},
            {{"type": "ADD", "section": "a", "content": "the third"}}]}}"#
    );
    let operations = parse_delta(&batch).unwrap().operations;
    assert_eq!(operations.len(), 3);
    let refused = scene.try_delta(&key, "d2", operations).await.unwrap_err();
    assert!(refused.to_string().contains("good"), "{refused}");
    assert_eq!(scene.view(&key).await, before);
}

#[tokio::test]
async fn kept_an_update_sets_the_votes() {
    let (scene, key) = (Scene::new(), key("u", "s"));
    let id = scene.delta(&key, "d1", vec![add(TEN)]).await.added[0];
    for (delta, helpful) in [("d2", 3), ("d3", 1)] {
        scene
            .delta(&key, delta, vec![set_helpful(id, helpful)])
            .await;
        assert_eq!(scene.view(&key).await.bullets[0].counts.helpful, helpful);
    }
}

#[tokio::test]
async fn kept_sections_give_legacy_ids_with_one_counter() {
    assert_eq!(
        kayba_legacy_id("File Operations Best Practices", 1),
        "file-00001"
    );
    let (scene, key) = (Scene::new(), key("u", "s"));
    let file = br#"{"bullets": {
        "": {"section": "File Operations Best Practices", "content": "close what you open"},
        " ": {"section": "errors", "content": "read the whole message"}}}"#;
    let delta = DeltaId::from_import(file, "kayba", &key);
    let import = parse(Format::Kayba, file, &key, &delta).unwrap();
    assert_eq!(import.bad, []);
    let request = ImportRequest {
        file: None,
        is_known_file: false,
        delta: ImportDelta::first(delta),
        operations: import
            .records
            .into_iter()
            .map(|record| record.operation)
            .collect(),
        policy: None,
        is_whole_memory: false,
        lenient: false,
        author: None,
        reasoning: None,
    };
    scene.engine.import(&key, request.clone()).await.unwrap();
    let view = scene.view(&key).await;
    let ids: Vec<_> = view
        .bullets
        .iter()
        .filter_map(|b| b.legacy_id.as_deref())
        .collect();
    assert_eq!(ids, ["file-00001", "errors-00002"]);
    assert!(
        scene
            .engine
            .import(&key, request)
            .await
            .unwrap()
            .applied
            .repeated
    );
    assert_eq!(
        scene.view(&key).await,
        view,
        "the same import again changes nothing"
    );
}

#[test]
fn ten_ticks_fade_each_type_at_its_own_rate() {
    let rates = Policy::default().rates;
    for (memory_type, left) in [
        (MemoryType::Semantic, 90.438_207_500_880_44),
        (MemoryType::Episodic, 59.873_693_923_837_87),
        (MemoryType::Procedural, 98.017_904_335_194_94),
    ] {
        let ours = decayed(100.0, rates.rate(memory_type), 10);
        assert!((ours - left).abs() < 1e-12, "{memory_type}: {ours}");
    }
}

fn typed(text: &str, memory_type: MemoryType, helpful: u64, tags: &[&str]) -> Operation {
    Operation::Add(Box::new(NewBullet {
        content: text.to_owned(),
        memory_type: Some(memory_type),
        helpful,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        ..NewBullet::default()
    }))
}

fn apply(memory: &mut Memory, id: &str, operations: Vec<Operation>) -> Receipt {
    let delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
    let applied = apply_delta(memory, &delta, Timestamp::default(), &Tables::standard());
    applied.unwrap().receipt
}

#[test]
fn four_bullets_rank_as_in_the_worked_example() {
    let policy = Policy::default();
    let mut memory = Memory::new(key("u", "s"), policy.clone());
    let bullets = vec![
        typed("check units before summing", MemoryType::Semantic, 1, &[]),
        typed("user prefers short answers", MemoryType::Episodic, 1, &[]),
        typed(
            "first step read the constraints",
            MemoryType::Procedural,
            5,
            &[],
        ),
        typed(
            "draw a diagram first",
            MemoryType::Semantic,
            0,
            &["diagram"],
        ),
    ];
    let ids = apply(&mut memory, "d1", bullets).added;
    memory.stand_at(8, 1, 0, policy);
    let names: BTreeMap<BulletId, char> = ids.into_iter().zip("SEPD".chars()).collect();
    let faded = [
        ('S', 94.1386),
        ('E', 70.532_067),
        ('P', 103.538_791),
        ('D', 93.206_535),
    ];
    for (profile, order, combined) in [
        (
            Profile::Original,
            Some("SDPE"),
            [0.797_762, 0.527_926, 0.769_463, 0.792_636],
        ),
        (
            Profile::ClBench,
            None,
            [0.755_347, 0.316_330, 0.458_847, 0.513_016],
        ),
    ] {
        let query = Query {
            needs_visual: true,
            persona_request: Some("coach".to_owned()),
            profile: Some(profile),
            ..Query::new("check units before summing")
        };
        let hits = rank(&memory, &query, Timestamp::default()).hits;
        let ranked: String = hits.iter().map(|hit| names[&hit.id]).collect();
        assert!(order.is_none_or(|order| order == ranked), "{ranked}");
        for hit in &hits {
            let at = "SEPD".find(names[&hit.id]).unwrap();
            assert!(
                (hit.score - combined[at]).abs() < 1e-6,
                "{profile} {at}: {}",
                hit.score
            );
            let ours = hit.parts.strength * 100.0;
            assert!((ours - faded[at].1).abs() < 1e-4, "{profile} {at}: {ours}");
        }
    }
}

#[test]
fn prune_at_three_keeps_the_strongest() {
    use MemoryType::{Episodic, Procedural, Semantic};
    for policy in [Policy::default(), Policy::classic()] {
        let policy = Policy {
            max_bullets: Some(3),
            ..policy
        };
        let mut memory = Memory::new(key("u", "s"), policy);
        let types = [Semantic, Episodic, Procedural, Semantic, Episodic];
        for (at, memory_type) in types.into_iter().enumerate() {
            let text = format!("u{at} v{at}");
            apply(
                &mut memory,
                &format!("d{at}"),
                vec![typed(&text, memory_type, 1, &[])],
            );
        }
        let rates = memory.policy().rates;
        let live = memory.active_bullets();
        let left: Vec<(MemoryType, f64)> = live
            .map(|bullet| {
                (
                    bullet.memory_type,
                    decayed_score(&bullet, &rates, memory.clock()),
                )
            })
            .collect();
        let expected = [(Procedural, 100.5964), (Semantic, 99.99), (Episodic, 101.0)];
        assert_eq!(left.len(), 3);
        for (ours, theirs) in left.iter().zip(expected) {
            let near = (ours.1 - theirs.1).abs() < 1e-4;
            assert!(ours.0 == theirs.0 && near, "{ours:?} is not {theirs:?}");
        }
    }
}

#[test]
fn a_load_without_indices_follows_the_clock_or_the_number_of_bullets() {
    for (file, clock) in [
        (r#"{"bullets": [{"content": "a"}], "access_clock": 50}"#, 50),
        (r#"{"bullets": [{"content": "a"}, {"content": "b"}]}"#, 2),
    ] {
        let key = key("u", "s");
        let delta = DeltaId::from_import(file.as_bytes(), "classic", &key);
        let import = parse(Format::Classic, file.as_bytes(), &key, &delta).unwrap();
        assert_eq!(import.clock, Some(clock));
        let mut memory = Memory::new(key, Policy::classic());
        let operations = import
            .records
            .into_iter()
            .map(|record| record.operation)
            .collect();
        apply(&mut memory, "d1", operations);
        assert_eq!((memory.origin_clock(), memory.clock()), (clock, clock + 1));
        assert!(
            memory
                .bullets()
                .iter()
                .all(|bullet| bullet.access_index == Some(clock))
        );
    }
}
