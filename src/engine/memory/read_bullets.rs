//! Verbs: list the bullets of a memory, and search them by words.
//!
//! Ranked matches come first, then bullets that merely contain the words. Nothing is recorded.

use std::collections::HashSet;

use super::retrieval::RetrieveRequest;
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::memory::aggregate::Memory;
use hindlore_domain::memory::bullet::{Bullet, BulletId, Kind, Status};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query};
use hindlore_primitives::steps;

/// Ranked matches at the head of a search. The limit does not change their order.
const RANKED_MAX: usize = 1_000;

/// Filter of a list or search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BulletFilter {
    /// Only this status; absent: all.
    pub status: Option<Status>,
    /// Only this kind; absent: all.
    pub kind: Option<Kind>,
    /// Leave out seed bullets.
    pub learned_only: bool,
    /// Maximum number of bullets.
    pub limit: usize,
}

/// A page of bullets at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct BulletPage {
    /// The first matching bullets.
    pub bullets: Vec<Bullet>,
    /// Number of matching bullets, beyond the limit as well.
    pub total: usize,
    /// How many of all matching bullets were learned.
    pub learned: usize,
    /// Number of seed bullets left out.
    pub seeds_left_out: usize,
    /// Revision of the memory.
    pub revision: u64,
    /// Clock of the memory.
    pub clock: u64,
    /// The last bullet of the page, if more follow.
    pub next: Option<Bullet>,
}

impl BulletFilter {
    fn admits(&self, bullet: &Bullet) -> bool {
        steps::add(1);
        self.status.is_none_or(|status| bullet.status == status)
            && self.kind.is_none_or(|kind| bullet.kind == kind)
    }

    /// The page of chosen bullets that begins at one of them.
    fn page(&self, chosen: Vec<Bullet>, start: usize, memory: &Memory) -> BulletPage {
        let seeds = chosen.iter().filter(|one| one.is_seed()).count();
        let learned = chosen.len() - seeds;
        let seeds_left_out = if self.learned_only { seeds } else { 0 };
        let is_wanted = |one: &Bullet| !self.learned_only || !one.is_seed();
        let total = chosen.len() - seeds_left_out;
        let mut wanted = chosen.into_iter().skip(start).filter(is_wanted);
        let bullets: Vec<Bullet> = wanted.by_ref().take(self.limit).collect();
        // One bullet more is looked for, so that a next page is announced only if it holds something.
        let has_more = wanted.next().is_some();
        BulletPage {
            total,
            next: bullets.last().filter(|_| has_more).cloned(),
            bullets,
            learned,
            seeds_left_out,
            revision: memory.revision(),
            clock: memory.clock(),
        }
    }
}

impl Engine {
    /// Lists the first bullets in order of insertion.
    pub async fn list_bullets(
        &self,
        key: &MemoryKey,
        filter: BulletFilter,
    ) -> EngineResult<BulletPage> {
        self.list_bullets_after(key, filter, None).await
    }

    /// Lists bullets in order of insertion, from the one after a position on.
    pub async fn list_bullets_after(
        &self,
        key: &MemoryKey,
        filter: BulletFilter,
        after: Option<u64>,
    ) -> EngineResult<BulletPage> {
        self.read_memory(key, |memory| {
            let bullets = memory.bullets().into_iter();
            let chosen: Vec<Bullet> = bullets.filter(|bullet| filter.admits(bullet)).collect();
            // The list is ordered by position, which a binary search needs.
            let start = after.map_or(0, |after| {
                chosen.partition_point(|bullet| bullet.position <= after)
            });
            filter.page(chosen, start, memory)
        })
        .await
    }

    /// Searches bullets by words in their texts, tags, and sections.
    pub async fn search_bullets(
        &self,
        key: &MemoryKey,
        words: &str,
        filter: BulletFilter,
    ) -> EngineResult<BulletPage> {
        self.search_bullets_after(key, words, (filter, None)).await
    }

    /// Searches from the match after a bullet on.
    ///
    /// # Errors
    /// `NoBullet` if that bullet is no match any more.
    pub async fn search_bullets_after(
        &self,
        key: &MemoryKey,
        words: &str,
        (filter, after): (BulletFilter, Option<BulletId>),
    ) -> EngineResult<BulletPage> {
        let is_ranked = filter.status.is_none_or(|status| status == Status::Active);
        let ranked = if is_ranked {
            self.ranked_bullets(key, words).await?
        } else {
            Vec::new()
        };
        let wanted = Wanted::of(words);
        self.read_memory(key, |memory| {
            let mut seen = HashSet::new();
            let by_rank = ranked.iter().filter_map(|id| memory.get(*id));
            let by_words = memory.bullets_with(|text, labels| wanted.are_in(text, labels));
            let found = by_rank.chain(by_words);
            let found = found.filter(|bullet| filter.admits(bullet) && seen.insert(bullet.id));
            let found: Vec<Bullet> = found.collect();
            let place = |id: BulletId| {
                let place = found.iter().position(|bullet| bullet.id == id);
                place.ok_or_else(|| EngineError::NoBullet(id.to_string()))
            };
            let start = after.map(place).transpose()?.map_or(0, |place| place + 1);
            Ok(filter.page(found, start, memory))
        })
        .await?
    }

    /// Returns the active bullets that a ranking finds for the words, the best first, 1,000 at most. Nothing is recorded.
    pub async fn ranked_bullets(
        &self,
        key: &MemoryKey,
        words: &str,
    ) -> EngineResult<Vec<BulletId>> {
        // A retrieval would refuse such words; a plain search still answers.
        if words.trim().is_empty() || words.chars().count() > QUERY_MAX_CHARS {
            return Ok(Vec::new());
        }
        let query = Query {
            top_k: RANKED_MAX,
            ..Query::new(words)
        };
        let retrieved = self.retrieve(key, RetrieveRequest::peek(query)).await?;
        Ok(retrieved.bullets.iter().map(|found| found.hit.id).collect())
    }
}

/// The words of a search: each once, in lower case, the longest first, since it is in the fewest bullets.
struct Wanted(Vec<String>);

impl Wanted {
    fn of(words: &str) -> Self {
        let mut wanted: Vec<String> = words.split_whitespace().map(str::to_lowercase).collect();
        wanted.sort_unstable_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        wanted.dedup();
        Self(wanted)
    }

    /// True if text, tags or section contain all of the words, in any order.
    fn are_in(&self, text: &str, labels: &mut dyn Iterator<Item = &str>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let mut text = text.to_lowercase();
        for more in labels {
            text.push('\n');
            text.push_str(&more.to_lowercase());
        }
        self.0.iter().all(|word| {
            steps::add(text.len());
            text.contains(word.as_str())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_lowered_once_and_the_longest_is_looked_for_first() {
        let Wanted(words) = Wanted::of(" ÄB  b äb ccc B ");
        assert_eq!(words, ["ccc", "äb", "b"]);
        let long = "a".repeat(60_000);
        assert_eq!(Wanted::of(&format!("{long} {long}")).0, [long]);
        assert!(Wanted::of(" \n ").0.is_empty());
    }
}
