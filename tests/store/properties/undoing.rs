//! Undo: the content digest is the earlier one, for every delta, and no later work is lost.

use hindlore::{AppliedDelta, EngineError, EngineResult};
use hindlore_domain::memory::bullet::Status;
use hindlore_domain::memory::delta::{
    CountChange, Delta, DeltaId, NewBullet, Operation, Patch, PolicyChange, Removal, Restoration,
    TagCounts,
};
use hindlore_domain::memory::policy::Policy;
use serde_json::json;

use super::chance::cases;
use super::world::World;

async fn undo(world: &World, delta: &DeltaId, force: bool) -> EngineResult<AppliedDelta> {
    world
        .engine
        .undo_delta(&world.key, delta, None, force)
        .await
}

async fn content_digest(world: &World) -> Option<String> {
    world.view().await.map(|view| view.content_digest)
}

#[tokio::test]
async fn the_undo_of_the_last_delta_restores_the_contents_and_its_undo_the_delta() {
    let mut undone = 0;
    for (_case, rng) in cases(4, 20) {
        let mut world = World::new(rng);
        for _ in 0..25 {
            let before = content_digest(&world).await;
            let Some(applied) = world.apply().await else {
                continue;
            };
            let Some(before) = before else { continue };
            let after = applied.receipt.content_digest.clone();
            if world.rng.bool() {
                world.retrieve().await;
            }
            let back = undo(&world, &applied.receipt.delta, false).await.unwrap();
            assert_eq!(back.receipt.content_digest, before, "undo of {applied:#?}");
            if back.receipt.revision == applied.receipt.revision {
                // The delta had changed nothing, so its undo is no event.
                assert_eq!(applied.changes.bullets.len(), 0);
                continue;
            }
            let again = undo(&world, &applied.receipt.delta, false).await.unwrap();
            assert!(again.repeated && again.receipt == back.receipt);
            let redone = undo(&world, &back.receipt.delta, false).await.unwrap();
            assert_eq!(redone.receipt.content_digest, after, "undo of {back:#?}");
            undone += 1;
            world.wait();
        }
        let verified = world.engine.verify(&world.key).await;
        assert!(verified.is_err() || verified.is_ok_and(|verified| verified.is_sound));
    }
    assert!(undone > 100, "only {undone} undos");
}

fn add(text: &str) -> Operation {
    Operation::Add(Box::new(NewBullet {
        content: text.to_owned(),
        helpful: 1,
        ..NewBullet::default()
    }))
}

fn retext(id: &str, text: &str) -> Operation {
    Operation::Update(Box::new(Patch {
        content: Some(text.to_owned()),
        ..Patch::new(hindlore_domain::memory::delta::BulletRef(id.to_owned()))
    }))
}

/// An engine world with deltas given one by one.
struct Story(World);

impl Story {
    fn begin() -> Self {
        Self::under(Policy::default())
    }

    fn under(policy: Policy) -> Self {
        Self(World::with(fastrand::Rng::with_seed(1), policy))
    }

    async fn delta(&self, id: &str, operations: Vec<Operation>) -> AppliedDelta {
        let delta = Delta::new(DeltaId::parse(id).unwrap(), operations);
        self.0.engine.apply_delta(&self.0.key, delta).await.unwrap()
    }

    async fn texts(&self) -> Vec<String> {
        let bullets = self.0.bullets().await;
        let own = bullets
            .iter()
            .filter(|b| b.is_active() && !b.is_meta_strategy());
        own.map(|b| b.content.as_str().to_owned()).collect()
    }

    async fn undo(&self, id: &str, force: bool) -> EngineResult<AppliedDelta> {
        undo(&self.0, &DeltaId::known(id).unwrap(), force).await
    }
}

#[tokio::test]
async fn an_undo_is_refused_with_the_names_of_later_deltas_and_force_restores_all_the_same() {
    let story = Story::begin();
    let made = story
        .delta("d_make", vec![add("read the question twice")])
        .await;
    let id = made.receipt.added[0].to_string();
    story
        .delta("d_one", vec![retext(&id, "read the question once")])
        .await;
    let tag = TagCounts {
        id: made.receipt.added[0].into(),
        helpful: 2,
        harmful: 0,
        neutral: 0,
    };
    story.delta("d_vote", vec![Operation::Tag(tag)]).await;
    story
        .delta("d_two", vec![retext(&id, "answer at once")])
        .await;
    let before = content_digest(&story.0).await;
    let Err(EngineError::Undo(refusal)) = story.undo("d_one", false).await else {
        panic!("the undo was not refused");
    };
    let names: Vec<&str> = refusal.later.iter().map(DeltaId::as_str).collect();
    assert_eq!(names, ["d_two"]);
    assert!(refusal.to_string().contains("d_two"));
    assert_eq!(content_digest(&story.0).await, before);
    story.undo("d_one", true).await.unwrap();
    assert_eq!(story.texts().await, ["read the question twice"]);
    let bullets = story.0.bullets().await;
    let bullet = bullets.iter().find(|b| b.id.to_string() == id).unwrap();
    assert_eq!(bullet.counts.helpful, 3, "votes of later deltas stay");
}

#[tokio::test]
async fn a_text_that_went_to_a_new_bullet_in_the_same_delta_comes_back() {
    let story = Story::begin();
    let made = story
        .delta("d1", vec![add("read the question twice")])
        .await;
    let id = made.receipt.added[0].to_string();
    let swap = vec![
        retext(&id, "answer at once"),
        add("read the question twice"),
    ];
    story.delta("d2", swap).await;
    assert_eq!(
        story.texts().await,
        ["answer at once", "read the question twice"]
    );
    let undone = story.undo("d2", false).await.unwrap();
    assert_eq!(undone.receipt.content_digest, made.receipt.content_digest);
    let again = story
        .delta("d3", vec![add("read the question twice")])
        .await;
    assert_eq!(again.receipt.merged[0].into.to_string(), id);
}

fn policy(fields: &serde_json::Value) -> Operation {
    let fields = fields.as_object().cloned().unwrap();
    Operation::Policy(PolicyChange { fields })
}

#[tokio::test]
async fn a_text_that_another_bullet_has_by_now_goes_back_by_force_only() {
    let story = Story::begin();
    let made = story
        .delta("d_make", vec![add("read the question twice")])
        .await;
    let first = made.receipt.added[0];
    let edit = vec![retext(&first.to_string(), "answer at once")];
    story.delta("d_edit", edit).await;
    let again = story
        .delta("d_again", vec![add("read the question twice")])
        .await;
    let second = again.receipt.added[0];
    let votes = TagCounts {
        id: second.into(),
        helpful: 3,
        harmful: 1,
        neutral: 0,
    };
    let before = story.delta("d_vote", vec![Operation::Tag(votes)]).await;
    let Err(EngineError::Undo(refusal)) = story.undo("d_edit", false).await else {
        panic!("the undo was not refused");
    };
    assert_eq!(
        (refusal.later.len(), &refusal.texts),
        (0, &vec![(first, second)])
    );
    assert!(
        refusal.to_string().contains(&second.to_string()),
        "{refusal}"
    );
    let undone = story.undo("d_edit", true).await.unwrap();
    let bullets = story.0.bullets().await;
    let of = |id| bullets.iter().find(|one| one.id == id).unwrap();
    assert_eq!(of(first).content.as_str(), "read the question twice");
    // Each was written with one vote.
    assert_eq!((of(first).counts.helpful, of(first).counts.harmful), (5, 1));
    assert_eq!(
        (of(second).is_active(), of(second).merged_into),
        (false, Some(first))
    );
    // A repeated text reinforces the bullet that has it, and the undo can be undone.
    let more = story
        .delta("d_more", vec![add("read the question twice")])
        .await;
    assert_eq!(more.receipt.merged[0].into, first);
    story.undo("d_more", false).await.unwrap();
    let back = story
        .undo(undone.receipt.delta.as_str(), false)
        .await
        .unwrap();
    assert_eq!(back.receipt.content_digest, before.receipt.content_digest);
}

#[tokio::test]
async fn the_undo_of_a_policy_change_leaves_later_ones_alone() {
    let story = Story::begin();
    let made = |name: &'static str, fields: serde_json::Value| {
        let story = &story;
        async move { story.delta(name, vec![policy(&fields)]).await }
    };
    let now = || async {
        let view = story.0.engine.view(&story.0.key).await.unwrap().unwrap();
        let policy = view.policy;
        (
            policy.floor,
            policy.base_strength,
            policy.max_bullets,
            policy.expiry,
        )
    };
    story
        .delta("d_make", vec![add("read the question twice")])
        .await;
    let first = now().await;
    made("d_floor", json!({"floor": 0.4, "expiry": !first.3})).await;
    made("d_base", json!({"base_strength": 80.0, "max_bullets": 7})).await;
    story.undo("d_floor", false).await.unwrap();
    assert_eq!(now().await, (first.0, 80.0, Some(7), first.3));
    // Values set by a later delta are named, and are undone by force only.
    made("d_more", json!({"max_bullets": 9})).await;
    let Err(EngineError::Undo(refusal)) = story.undo("d_base", false).await else {
        panic!("the undo was not refused");
    };
    let names: Vec<&str> = refusal.later.iter().map(DeltaId::as_str).collect();
    assert_eq!(names, ["d_more"]);
    story.undo("d_base", true).await.unwrap();
    assert_eq!(now().await, first);
    // A mode brings its defaults with it; its undo restores neither them nor later values.
    made("d_mode", json!({"mode": "classic"})).await;
    assert_eq!(now().await.2, Some(100));
    made("d_after", json!({"base_strength": 60.0})).await;
    story.undo("d_mode", false).await.unwrap();
    assert_eq!(now().await, (first.0, 60.0, first.2, first.3));
}

#[tokio::test]
async fn the_undo_of_a_policy_change_merges_nothing() {
    for mode in ["engine", "classic"] {
        let story = Story::under(match mode {
            "classic" => Policy::classic(),
            _ => Policy::default(),
        });
        let thresholds = json!({"dedup_threshold": 1.0, "merge_threshold": 1.0});
        story.delta("d1", vec![policy(&thresholds)]).await;
        let texts = vec![
            add("one two three four five six seven eight nine ten"),
            add("one two three four five six seven eight nine ten eleven"),
        ];
        let before = story.delta("d2", texts).await;
        assert_eq!(story.texts().await.len(), 2);
        let undone = story.undo("d1", false).await.unwrap();
        assert_eq!(
            undone.receipt.content_digest, before.receipt.content_digest,
            "{mode}"
        );
        assert_eq!(story.texts().await.len(), 2, "{mode}");
    }
}

#[tokio::test]
async fn a_bullet_that_takes_no_part_cannot_take_the_place_of_one_that_does() {
    let story = Story::begin();
    let made = story
        .delta(
            "d1",
            vec![add("read the question twice"), add("answer at once")],
        )
        .await;
    let (first, second) = (made.receipt.added[0], made.receipt.added[1]);
    for (step, retire) in [Operation::Remove, Operation::Reject]
        .into_iter()
        .enumerate()
    {
        let removal = Removal {
            id: first.into(),
            reason: None,
        };
        story
            .delta(&format!("d_retire_{step}"), vec![retire(removal)])
            .await;
        let update = Delta::new(
            DeltaId::parse("d_update").unwrap(),
            vec![retext(&first.to_string(), "Answer at  once")],
        );
        let refused = story.0.engine.apply_delta(&story.0.key, update).await;
        assert!(matches!(refused, Err(EngineError::Refused(_))));
        assert_eq!(story.texts().await, ["answer at once"]);
        let bullets = story.0.bullets().await;
        let kept = bullets.iter().find(|b| b.id == second).unwrap();
        assert_eq!((kept.status, kept.counts.helpful), (Status::Active, 1));
    }
}

#[tokio::test]
async fn a_classic_undo_that_cannot_restore_everything_is_refused_as_a_whole() {
    let story = Story::under(Policy::classic());
    let made = story
        .delta("d1", vec![add("read the question twice")])
        .await;
    let removal = Removal {
        id: made.receipt.added[0].into(),
        reason: None,
    };
    story.delta("d2", vec![Operation::Remove(removal)]).await;
    story
        .delta("d3", vec![add("read the question twice")])
        .await;
    let before = story.0.view().await.unwrap();
    let refused = story.undo("d2", false).await;
    let Err(EngineError::Undo(refusal)) = refused else {
        panic!("{refused:?}");
    };
    assert_eq!((refusal.later.len(), refusal.texts.len()), (0, 1));
    assert_eq!(story.0.view().await.unwrap(), before);
}

/// The first histories gave an undo an id that callers could take, and named its delta in the reasoning alone.
#[tokio::test]
async fn an_undo_of_the_first_histories_is_known_and_what_took_its_id_is_none() {
    for is_undo in [true, false] {
        let story = Story::begin();
        let made = story.delta("one", vec![add("read the question")]).await;
        let mut first = Delta::new(DeltaId::parse("x").unwrap(), vec![add("an innocent note")]);
        first.id = made.receipt.delta.first_undo(&story.0.key);
        first.reasoning = Some("undo of one".to_owned());
        if is_undo {
            first.undo = true;
            first.operations = vec![Operation::Restore(Box::new(Restoration {
                id: made.receipt.added[0],
                counts: CountChange::default(),
                fields: None,
                archive: true,
                exact: false,
            }))];
        }
        let id = first.id.clone();
        story
            .0
            .engine
            .apply_delta(&story.0.key, first)
            .await
            .unwrap();
        let undone = story.undo("one", false).await.unwrap();
        assert_eq!(
            (undone.repeated, undone.receipt.delta == id),
            (is_undo, is_undo)
        );
        assert!(
            !story
                .texts()
                .await
                .contains(&"read the question".to_owned())
        );
        story
            .undo(undone.receipt.delta.as_str(), false)
            .await
            .unwrap();
        assert!(
            story
                .texts()
                .await
                .contains(&"read the question".to_owned())
        );
        let again = story.undo("one", false).await.unwrap();
        assert!(!again.repeated && again.receipt.delta != undone.receipt.delta);
    }
}
