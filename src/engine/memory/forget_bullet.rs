//! Verb: archive the bullet that a text means, if it means only one.
//!
//! A caller who remembers the words and not the id must not lose another bullet: a text that fits several archives none.

use std::collections::BTreeSet;

use super::answers::AppliedDelta;
use super::retrieval::RetrieveRequest;
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::Query;

/// Bullets that are offered in place of one that the text does not fit.
const NEAR_MAX: usize = 3;

/// The result of forgetting by a text.
#[derive(Clone, PartialEq, Debug)]
pub enum Forgotten {
    /// The only bullet that the text fits, and the delta that archived it.
    Archived(Box<Bullet>, Box<AppliedDelta>),
    /// Nothing was archived; the bullets that the text may mean, the likeliest first.
    Unclear(Vec<Bullet>),
}

impl Engine {
    /// Archives the active bullet with a text, or the only one that holds its words.
    pub async fn forget_bullet(
        &self,
        key: &MemoryKey,
        text: &str,
        author: Option<String>,
    ) -> EngineResult<Forgotten> {
        let fitting = self.read_memory(key, |memory| fitting(text, memory.bullets()));
        let mut fitting = fitting.await?;
        if fitting.len() > 1 {
            return Ok(Forgotten::Unclear(fitting));
        }
        let Some(only) = fitting.pop() else {
            return Ok(Forgotten::Unclear(self.near(key, text).await?));
        };
        let id = only.id.to_string();
        let removed = self.remove_bullet(key, &id, None, author).await?;
        Ok(Forgotten::Archived(Box::new(only), Box::new(removed)))
    }

    async fn near(&self, key: &MemoryKey, text: &str) -> EngineResult<Vec<Bullet>> {
        let query = Query {
            top_k: NEAR_MAX,
            ..Query::new(text)
        };
        let found = self.retrieve(key, RetrieveRequest::peek(query)).await?;
        Ok(found.bullets.into_iter().map(|one| one.bullet).collect())
    }
}

/// The active bullets with the words of a text in their order, else those with all of its words.
fn fitting(text: &str, bullets: Vec<Bullet>) -> Vec<Bullet> {
    let wanted = words(text);
    let all: BTreeSet<&String> = wanted.iter().collect();
    let active = bullets.into_iter().filter(Bullet::is_active);
    let (mut equal, mut fitting) = (Vec::new(), Vec::new());
    for bullet in active {
        let own = words(bullet.content.as_str());
        if own == wanted {
            equal.push(bullet);
        } else if !all.is_empty() && all.is_subset(&own.iter().collect()) {
            fitting.push(bullet);
        }
    }
    if equal.is_empty() { fitting } else { equal }
}

/// The words of a text in lower case, without punctuation.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_no_case_and_no_punctuation() {
        assert_eq!(words("Use pnpm, never `npm`!"), words("use PNPM never npm"));
        assert!(words(" … \n").is_empty());
    }
}
