//! Feedback: a vote counts once for each retrieval, from any number of callers, in any combination.

use std::sync::Arc;

use hindlore::{
    Durability, Engine, EngineError, Feedback, FeedbackGiven, RetrieveRequest, Verdict,
};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::delta::{Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;
use tokio::task::JoinSet;

use super::grouped::engine;
use crate::subject::{Subject, fresh};

/// A retrieval that returned a few bullets.
struct Scene {
    engine: Engine,
    key: MemoryKey,
    retrieval: String,
    ids: Vec<BulletId>,
}

async fn scene(subject: &Subject) -> Scene {
    let engine = engine(subject.store.clone(), Durability::Durable);
    let key = subject.key("learner", &fresh("scope"));
    let texts = ["one", "two", "three", "four"].map(|word| format!("warm kettle {word}"));
    let add = |content: String| {
        let bullet = NewBullet {
            content,
            ..NewBullet::default()
        };
        Operation::Add(Box::new(bullet))
    };
    let id = DeltaId::parse(&fresh("d")).unwrap();
    let delta = Delta::new(id, texts.into_iter().map(add).collect());
    engine.apply_delta(&key, delta).await.unwrap();
    let request = RetrieveRequest::new(Query::new("warm kettle"));
    let answer = engine.retrieve(&key, request).await.unwrap();
    let ids: Vec<BulletId> = answer.bullets.iter().map(|one| one.bullet.id).collect();
    assert_eq!(ids.len(), 4);
    Scene {
        engine,
        key,
        retrieval: answer.retrieval.unwrap(),
        ids,
    }
}

impl Scene {
    /// The engine's results of verdicts on bullets, by their numbers.
    async fn say(
        &self,
        engine: &Engine,
        verdicts: &[(usize, Verdict)],
    ) -> Result<FeedbackGiven, EngineError> {
        let verdicts = verdicts.iter().map(|(at, what)| (self.ids[*at], *what));
        let feedback = Feedback {
            retrieval: self.retrieval.clone(),
            verdicts: verdicts.collect(),
            author: None,
        };
        engine.give_feedback(&self.key, feedback).await
    }

    /// Helpful and harmful counts of each bullet.
    async fn counts(&self) -> Vec<(u64, u64)> {
        let view = self.engine.view(&self.key).await.unwrap().unwrap();
        let count = |id: &BulletId| {
            let bullet = view.bullets.iter().find(|one| one.id == *id).unwrap();
            (bullet.counts.helpful, bullet.counts.harmful)
        };
        self.ids.iter().map(count).collect()
    }

    /// The marks of each bullet: used, helped, harmed.
    async fn marks(&self) -> Vec<(bool, bool, bool)> {
        let store = self.engine.store();
        let record = store.retrieval(&self.key, &self.retrieval).await.unwrap();
        let returned = record.unwrap().returned;
        returned
            .iter()
            .map(|one| (one.used, one.helped, one.harmed))
            .collect()
    }
}

pub(crate) async fn a_vote_counts_once_beside_others_too(subject: &Subject) {
    use Verdict::{Harmed, Helped, Used};
    let scene = scene(subject).await;
    let engine = &scene.engine;
    let first = scene.say(engine, &[(0, Helped)]).await.unwrap();
    assert!(!first.applied[0].repeated);
    let wider = [(0, Helped), (1, Helped), (2, Harmed), (3, Used)];
    let second = scene.say(engine, &wider).await.unwrap();
    assert_eq!((second.marked, second.applied.len()), (4, 1));
    assert_eq!(scene.counts().await, [(1, 0), (1, 0), (0, 1), (0, 0)]);
    // A repeated report, whole or in part, finds nothing to do; the last one also finds its delta.
    let (repeated, part) = (&wider[1..], &wider[..1]);
    for said in [&wider, part, &[(1, Helped), (3, Used)]] {
        let again = scene.say(engine, said).await.unwrap();
        assert!(again.applied.iter().all(|delta| delta.repeated));
        assert_eq!(scene.counts().await, [(1, 0), (1, 0), (0, 1), (0, 0)]);
    }
    let again = scene.say(engine, repeated).await.unwrap();
    assert_eq!(again.applied[0].receipt, second.applied[0].receipt);
    let marks = [
        (false, true, false),
        (false, true, false),
        (false, false, true),
        (true, false, false),
    ];
    assert_eq!(scene.marks().await, marks);
}

pub(crate) async fn the_opposite_of_a_vote_is_refused_beside_it(subject: &Subject) {
    use Verdict::{Harmed, Helped};
    let scene = scene(subject).await;
    let both = [(1, Helped), (0, Helped), (1, Harmed)];
    let refused = scene.say(&scene.engine, &both).await;
    let EngineError::Invalid(reason) = refused.unwrap_err() else {
        panic!("another error");
    };
    assert!(reason.contains(&scene.ids[1].to_string()), "{reason}");
    assert_eq!(scene.counts().await, [(0, 0); 4]);
    assert_eq!(scene.marks().await, [(false, false, false); 4]);
}

pub(crate) async fn votes_of_many_at_once_count_once(subject: &Subject) {
    use Verdict::{Helped, Used};
    let scene = Arc::new(scene(subject).await);
    let mut tasks = JoinSet::new();
    for number in 0..15_usize {
        let store = match number % 2 {
            0 => subject.store.clone(),
            _ => subject.reopen().await,
        };
        let scene = scene.clone();
        tasks.spawn(async move {
            let engine = engine(store, Durability::Durable);
            // Each subset of the four, and a mark in addition.
            let mut said: Vec<_> = (0..4)
                .filter(|bit| (number + 1) >> bit & 1 == 1)
                .map(|bit| (bit, Helped))
                .collect();
            said.push((number % 4, Used));
            scene.say(&engine, &said).await.unwrap();
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
    assert_eq!(scene.counts().await, [(1, 0); 4]);
    assert_eq!(scene.marks().await, [(true, true, false); 4]);
}
