//! A collection as a memory of this engine: imported by one delta, ranked by the shipped rules.

use std::collections::{BTreeSet, HashMap};

use crate::error::EvalError;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::apply::{Tables, apply_delta};
use hindlore_domain::memory::bullet::{Bullet, BulletId, MemoryType, Status};
use hindlore_domain::memory::content::Content;
use hindlore_domain::memory::delta::{BulletRef, Delta, DeltaId, NewBullet, Operation};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::{Policy, Profile};
use hindlore_domain::memory::query::{Query, Speaker};
use hindlore_domain::memory::rank::{Hit, rank};
use hindlore_primitives::timestamp::Timestamp;

use super::collection::Collection;

/// Nothing expires in a measurement.
const NOW: i64 = 0;

/// A memory made of a collection, and which text became which bullet.
#[derive(Debug)]
pub struct MemoryOf {
    memory: Memory,
    /// By place of the text; equal texts share one bullet.
    bullets: Vec<BulletId>,
    texts: HashMap<BulletId, Vec<usize>>,
}

impl MemoryOf {
    /// Imports a collection under the shipped policy without limit.
    pub fn new(collection: &Collection) -> Result<Self, EvalError> {
        let wrong = |why: String| {
            let message = format!("`{}` cannot become a memory: {why}", collection.name);
            EvalError::new(message, "check the texts of the data")
        };
        let key = MemoryKey::new("bench", "reader", "dialogue");
        let key = key.map_err(|error| wrong(error.to_string()))?;
        let mut memory = Memory::new(key, unlimited());
        let id = DeltaId::parse("import").map_err(wrong)?;
        let mut delta = Delta::new(id, operations(collection));
        delta.import = true;
        let now = Timestamp::from_millis(NOW);
        let applied = apply_delta(&mut memory, &delta, now, &Tables::standard());
        applied.map_err(|refusal| wrong(format!("{refusal:?}")))?;
        let mut bullets = Vec::new();
        let mut texts: HashMap<BulletId, Vec<usize>> = HashMap::new();
        for (place, text) in collection.texts.iter().enumerate() {
            let content = Content::parse(text, memory.policy().max_content_chars);
            let content = content.map_err(|error| wrong(error.to_string()))?;
            let holder = memory.holder(content.hash()).map(|bullet| bullet.id);
            let home = holder.and_then(|id| memory.survivor(id));
            let home = home.ok_or_else(|| wrong(format!("text {place} was lost")))?;
            bullets.push(home.id);
            texts.entry(home.id).or_default().push(place);
        }
        Ok(Self {
            memory,
            bullets,
            texts,
        })
    }

    /// The policy that it is ranked under.
    pub fn policy(&self) -> &Policy {
        self.memory.policy()
    }

    /// Ranks under another policy from now on.
    pub fn set_policy(&mut self, policy: Policy) {
        let (clock, revision) = (self.memory.clock(), self.memory.revision());
        let origin = self.memory.origin_clock();
        self.memory.stand_at(clock, revision, origin, policy);
    }

    /// The best ten bullets for a question.
    pub fn hits(&self, question: &str, profile: Profile) -> Vec<Hit> {
        let mut query = Query::new(question);
        query.profile = Some(profile);
        rank(&self.memory, &query, Timestamp::from_millis(NOW)).hits
    }

    /// The best ten as places of texts.
    pub fn ranking(&self, question: &str, profile: Profile) -> Vec<Vec<usize>> {
        self.places(self.hits(question, profile).iter().map(|hit| hit.id))
    }

    /// The best ten of the engine profile as places of texts, where speakers count alike.
    pub fn ranking_of_any_speaker(&self, question: &str) -> Vec<Vec<usize>> {
        let query = Query {
            speaker: Speaker::Any,
            profile: Some(Profile::Engine),
            ..Query::new(question)
        };
        let hits = rank(&self.memory, &query, Timestamp::from_millis(NOW)).hits;
        self.places(hits.iter().map(|hit| hit.id))
    }

    /// The places of the texts of bullets.
    pub fn places(&self, bullets: impl Iterator<Item = BulletId>) -> Vec<Vec<usize>> {
        let places = bullets.map(|id| self.texts.get(&id).cloned().unwrap_or_default());
        places.collect()
    }

    /// Does something while some texts are not there.
    pub fn without<T>(&mut self, texts: &BTreeSet<usize>, work: impl FnOnce(&Self) -> T) -> T {
        let ids: BTreeSet<BulletId> = texts.iter().map(|place| self.bullets[*place]).collect();
        let gone = ids.iter().filter_map(|id| self.memory.get(*id));
        let gone: Vec<Bullet> = gone.collect();
        for bullet in &gone {
            self.memory.put(&Bullet {
                status: Status::Archived,
                ..bullet.clone()
            });
        }
        let done = work(self);
        gone.iter().for_each(|bullet| self.memory.put(bullet));
        done
    }

    /// Changes every active bullet, in the order of the texts.
    pub fn change_all(&mut self, mut change: impl FnMut(&mut Bullet)) {
        let bullets: Vec<Bullet> = self.memory.bullets();
        for mut bullet in bullets.into_iter().filter(Bullet::is_active) {
            change(&mut bullet);
            self.memory.put(&bullet);
        }
    }

    /// Moves the clock of the memory.
    pub fn set_clock(&mut self, clock: u64) {
        let (revision, origin) = (self.memory.revision(), self.memory.origin_clock());
        let policy = self.memory.policy().clone();
        self.memory.stand_at(clock, revision, origin, policy);
    }

    /// The strength part of every bullet that a ranking may return is read from its hits; this returns the bullet of
    /// one.
    pub fn bullet(&self, id: BulletId) -> Option<Bullet> {
        self.memory.get(id)
    }
}

/// The shipped policy; no text is pruned.
pub(super) fn unlimited() -> Policy {
    Policy {
        max_bullets: None,
        ..Policy::default()
    }
}

fn operations(collection: &Collection) -> Vec<Operation> {
    let add = |(place, text): (usize, &String)| {
        let before = place.checked_sub(1).filter(|_| collection.follows[place]);
        let section = &collection.sections[place];
        Operation::Add(Box::new(NewBullet {
            content: text.clone(),
            memory_type: Some(MemoryType::Episodic),
            source: Some(collection.sources[place]),
            created_at: collection.days[place],
            section: Some(section.clone()).filter(|section| !section.is_empty()),
            follows: before.map(|before| BulletRef(format!("#{before}"))),
            ..NewBullet::default()
        }))
    };
    collection.texts.iter().enumerate().map(add).collect()
}
