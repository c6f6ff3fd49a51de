//! Verb: give feedback in the words of whoever read the answer.
//!
//! A prompt numbers its bullets, other programs have ids of their own, and people type the beginning of an id; all
//! are looked up here, never guessed.

use super::error::{EngineError, EngineResult};
use super::feedback::{Feedback, FeedbackGiven, Verdict};
use super::handle::Engine;
use super::id_beginning::{is_beginning, only};
use crate::domain::memory::bullet::BulletId;
use crate::domain::memory::key::MemoryKey;

/// Digits of the largest place of an answer; a longer number is another program's id.
const PLACE_DIGITS: usize = 4;
/// Retrievals that a beginning is looked for among, the newest.
const LOOKED_MAX: usize = 100_000;

/// Feedback in the words of whoever read the answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct NamedFeedback {
    /// The retrieval: its id, or a unique beginning of it.
    pub retrieval: String,
    /// Bullets by id, by a unique beginning of it, by another program's id, or by their place in the answer from 1,
    /// each with what became of it.
    pub verdicts: Vec<(String, Verdict)>,
    /// Who says so.
    pub author: Option<String>,
}

impl Engine {
    /// Gives feedback by names; the answer says which retrieval was meant.
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

    /// The bullet at a place of an answer.
    async fn bullet_at(
        &self,
        key: &MemoryKey,
        retrieval: &str,
        place: usize,
    ) -> EngineResult<BulletId> {
        let found = self.store().retrieval(key, retrieval).await?;
        let found = found.ok_or_else(|| EngineError::NoRetrieval(retrieval.to_owned()))?;
        let bullet = found.returned.get(place - 1).map(|one| one.bullet);
        bullet.ok_or_else(|| EngineError::NoPlace {
            retrieval: retrieval.to_owned(),
            place,
            returned: found.returned.len(),
        })
    }

    /// Finds the id of a retrieval by its unique beginning; one that is not there stays as it was given.
    async fn find_retrieval(&self, key: &MemoryKey, name: &str) -> EngineResult<String> {
        if !is_beginning(name, "r_") {
            return Ok(name.to_owned());
        }
        let found = self.store().retrievals(key, None, LOOKED_MAX).await?;
        let found = only("retrieval", name, found.into_iter().map(|one| one.id))?;
        Ok(found.unwrap_or_else(|| name.to_owned()))
    }
}

/// The number of a bullet in an answer, from 1.
fn place(name: &str) -> Option<usize> {
    let place = name.parse().ok().filter(|place| *place > 0);
    place.filter(|_| name.len() <= PLACE_DIGITS)
}
