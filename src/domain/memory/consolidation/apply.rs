//! CONSOLIDATE: makes one bullet of several, which stay archived.
//!
//! The plan was made earlier, outside of the lock. So each source is compared with its state in the plan, and the
//! operation is refused if one has changed since.

use std::collections::BTreeSet;

use super::super::apply::add::absorb;
use super::super::apply::application::DeltaApplication;
use super::super::apply::refine::LINKS_MAX;
use super::super::bullet::{Bullet, BulletId, Kind, Status};
use super::super::content::{Content, ContentHash};
use super::super::decay::finalised_strength;
use super::super::delta::Consolidation;
use super::super::link::{Link, LinkId, LinkKind};
use super::super::receipt::Merged;
use super::SOURCES_MAX;
use super::candidates::seen;

impl DeltaApplication<'_, '_> {
    /// Runs one CONSOLIDATE; returns the new bullet.
    pub(in super::super) fn consolidate(
        &mut self,
        number: usize,
        plan: &Consolidation,
    ) -> Result<BulletId, String> {
        if self.policy.is_classic() {
            return Err("a memory in classic mode is not consolidated".to_owned());
        }
        let sources = self.sources(plan)?;
        let key = self.draft.memory().key();
        let id = BulletId::derive(key, self.delta.id.as_str(), number as u64);
        self.check_free(id)?;
        let content = Content::parse(&plan.content, self.policy.max_content_chars)
            .map_err(|error| error.to_string())?;
        let hash = content.hash_in(self.policy.identity());
        self.free_text(hash, id, plan)?;
        let bullet = self.united(id, content, &sources);
        for source in &sources {
            self.draft.edit(source.id, |bullet| {
                bullet.status = Status::Archived;
                bullet.merged_into = Some(id);
                bullet.holds_hash &= bullet.content_hash() != hash;
            });
        }
        self.put_back.insert(id);
        self.draft.add(bullet);
        for source in &sources {
            self.link_plainly(LinkKind::ConsolidatedFrom, id, source.id);
            self.link_merge(source.id, id);
            self.merged.push(Merged {
                into: id,
                from: source.id,
            });
        }
        self.take_over_reviews(id, plan);
        Ok(id)
    }

    /// Returns the sources as they are, if the plan saw the same.
    fn sources(&self, plan: &Consolidation) -> Result<Vec<Bullet>, String> {
        let distinct: BTreeSet<BulletId> = plan.from.iter().map(|source| source.id).collect();
        if !(2..=SOURCES_MAX).contains(&distinct.len()) || distinct.len() != plan.from.len() {
            return Err(format!(
                "a consolidation has 2 to {SOURCES_MAX} sources, each once"
            ));
        }
        let source = |planned: &super::super::delta::ConsolidationSource| {
            let bullet = self.bullet(planned.id)?;
            if !bullet.is_active() || bullet.pinned || seen(&bullet) != planned.seen {
                return Err(format!(
                    "`{}` changed after the plan was made; consolidate again",
                    planned.id
                ));
            }
            Ok(bullet)
        };
        plan.from.iter().map(source).collect()
    }

    /// Makes sure that the new text can be held: it is that of a source, that of an archived bullet, or new.
    fn free_text(
        &mut self,
        hash: ContentHash,
        id: BulletId,
        plan: &Consolidation,
    ) -> Result<(), String> {
        let Some(holder) = self.draft.memory().holder(hash) else {
            return Ok(());
        };
        if plan.from.iter().any(|source| source.id == holder.id) {
            return Ok(());
        }
        if holder.status != Status::Archived {
            return Err(format!(
                "the new text belongs to `{}`, which is {}",
                holder.id, holder.status
            ));
        }
        self.draft.edit(holder.id, |bullet| {
            bullet.holds_hash = false;
            bullet.merged_into = Some(id);
        });
        self.link_merge(holder.id, id);
        Ok(())
    }

    /// Builds the new bullet: the fields of the first source, with votes and tags of all. It neither ages nor grows
    /// young: its strength is that of the strongest, its last use that of the last.
    fn united(&self, id: BulletId, content: Content, sources: &[Bullet]) -> Bullet {
        let mut bullet = sources[0].clone();
        for source in &sources[1..] {
            absorb(&self.policy, &mut bullet, source);
            bullet.strength = bullet.strength.max(source.strength);
            if source.access_index > bullet.access_index {
                bullet.access_index = source.access_index;
                bullet.last_access = source.last_access;
                bullet.last_used = source.last_used;
            }
        }
        Bullet {
            id,
            other_hash: content.hash_by(self.policy.identity()),
            holds_hash: true,
            legacy_id: None,
            kind: Kind::Consolidated,
            status: Status::Active,
            pinned: false,
            strength: finalised_strength(bullet.strength, &self.policy, bullet.counts),
            created_tick: self.draft.tick,
            merged_into: None,
            // It encodes another text.
            embedding: None,
            content,
            ..bullet
        }
    }

    /// Links the new bullet for review with the most similar bullets that its sources were to be reviewed with.
    fn take_over_reviews(&mut self, id: BulletId, plan: &Consolidation) {
        let memory = self.draft.memory();
        let mut links: Vec<(Link, BulletId)> = Vec::new();
        for source in &plan.from {
            let ids = memory.reviews.get(&source.id).into_iter().flatten();
            let review = ids.filter(|link| link.kind == LinkKind::SimilarTo);
            links.extend(review.filter_map(|link| {
                let other = link.other_end(source.id);
                let is_active = memory.header_of(other).is_some_and(|it| it.is_active());
                Some((memory.link(*link)?.clone(), other)).filter(|_| is_active)
            }));
        }
        let strength = |link: &Link| link.similarity.unwrap_or_default();
        links.sort_by(|(a, _), (b, _)| strength(b).total_cmp(&strength(a)).then(a.id.cmp(&b.id)));
        let mut others = BTreeSet::new();
        links.retain(|(_, other)| others.insert(*other));
        for (link, other) in links.into_iter().take(LINKS_MAX) {
            self.draft.unlink(link.id);
            self.draft.link(Link {
                id: LinkId::new(LinkKind::SimilarTo, id, other),
                ..link
            });
        }
    }
}
