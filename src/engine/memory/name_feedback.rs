//! Verb: give feedback by the names a reader has for bullets.
//!
//! A prompt numbers its bullets, other programs have their own ids, and people type the beginning of an id;
//! all are looked up here, never guessed.

use super::feedback::{Feedback, FeedbackGiven, Verdict};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::id_prefix::{is_beginning, only};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::key::MemoryKey;

/// Digits of the largest place in an answer; a longer number is another program's id.
const PLACE_DIGITS: usize = 4;
/// Newest retrievals searched for the beginning of an id.
const LOOKED_MAX: usize = 100_000;

/// Feedback by the names a reader has for bullets.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NamedFeedback {
    /// The retrieval, by its id or a unique beginning.
    pub retrieval: String,
    /// Bullets with their verdicts; named by id, a unique beginning of it, another program's id, or place in
    /// the answer from 1.
    pub verdicts: Vec<(String, Verdict)>,
    /// Author of the feedback.
    pub author: Option<String>,
}

impl Engine {
    /// Gives feedback by name; returns the id of the retrieval it was for.
    pub async fn give_named_feedback(
        &self,
        key: &MemoryKey,
        named: NamedFeedback,
    ) -> EngineResult<(String, FeedbackGiven)> {
        let retrieval = self.find_retrieval(key, &named.retrieval).await?;
        let mut verdicts = Vec::with_capacity(named.verdicts.len());
        for (name, verdict) in &named.verdicts {
            verdicts.push((self.named(key, &retrieval, name).await?, *verdict));
        }
        let feedback = Feedback {
            retrieval: retrieval.clone(),
            verdicts,
            author: named.author,
        };
        Ok((retrieval, self.give_feedback(key, feedback).await?))
    }

    async fn named(&self, key: &MemoryKey, retrieval: &str, name: &str) -> EngineResult<BulletId> {
        match (name.parse(), place(name)) {
            (Ok(bullet), _) => Ok(bullet),
            (_, Some(place)) => self.bullet_at(key, retrieval, place).await,
            (Err(_), None) => Ok(self.find_bullet(key, name).await?.id),
        }
    }

    /// The bullet at a place in an answer.
    async fn bullet_at(
        &self,
        key: &MemoryKey,
        retrieval: &str,
        place: usize,
    ) -> EngineResult<BulletId> {
        let found = self.store().retrieval(key, retrieval).await?;
        let found = found.ok_or_else(|| EngineError::NoRetrieval(retrieval.to_owned()))?;
        // No underflow: a place of 0 is no place.
        let bullet = found.returned.get(place - 1).map(|one| one.bullet);
        bullet.ok_or_else(|| EngineError::NoPlace {
            retrieval: retrieval.to_owned(),
            place,
            returned: found.returned.len(),
        })
    }

    /// Finds the id of a retrieval by its unique beginning; returns an unknown name unchanged.
    async fn find_retrieval(&self, key: &MemoryKey, name: &str) -> EngineResult<String> {
        if !is_beginning(name, "r_") {
            return Ok(name.to_owned());
        }
        let found = self.store().retrievals(key, None, LOOKED_MAX).await?;
        let found = only("retrieval", name, found.into_iter().map(|one| one.id))?;
        Ok(found.unwrap_or_else(|| name.to_owned()))
    }
}

/// A name read as the number of a bullet in an answer, from 1.
fn place(name: &str) -> Option<usize> {
    let place = name.parse().ok().filter(|place| *place > 0);
    place.filter(|_| name.len() <= PLACE_DIGITS)
}
