//! Links bullets for review that look alike but mean different things.
//!
//! A person can review a few links, not every pair of a thousand texts from one template. So a bullet has at
//! most [`LINKS_MAX`] links of a kind, and a stronger link replaces the weakest. Kinds are limited separately,
//! so that a contradiction is not lost among texts that merely look alike.
//!
//! The bullets of a delta take turns in insertion order, each compared with those before it, as if they had
//! come one by one; so the links do not depend on how operations are grouped into deltas.

use std::collections::{BTreeMap, BTreeSet};

use hindlore_topk::DocId;

use super::super::application::DeltaApplication;
use super::super::separation::{Compared, Separation};
use super::neighbours::Neighbours;
use super::same_topic;
use crate::memory::bullet::{Bullet, BulletId};
use crate::memory::link::{Link, LinkId, LinkKind};
use crate::memory::receipt::Linked;

/// Maximum links of a kind per bullet.
pub(crate) const LINKS_MAX: usize = 8;

/// Whether a bullet can take one more link of a kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Room {
    /// It has fewer than [`LINKS_MAX`].
    Free,
    /// It can replace this weaker one.
    For(LinkId),
    /// All of its links are at least as strong.
    None,
}

/// Links the bullets that the guard kept apart.
pub(super) fn link_kept_apart(
    event: &mut DeltaApplication<'_, '_>,
    fresh: &BTreeSet<BulletId>,
    neighbours: &Neighbours,
) {
    let memory = event.draft.memory();
    let docs = fresh.iter().filter_map(|id| memory.doc_of(*id));
    let turns: BTreeSet<DocId> = docs
        .filter(|doc| memory.arena.header(*doc).is_active())
        .collect();
    let mut made: BTreeMap<LinkId, String> = BTreeMap::new();
    for doc in turns {
        link_one(event, doc, neighbours, &mut made);
    }
    for (id, reason) in made {
        event.linked.push(Linked {
            kind: id.kind,
            from: id.from,
            to: id.to,
            reason,
        });
    }
}

/// Links one bullet in its turn; `made` are the links of all turns so far, with their reasons.
fn link_one(
    event: &mut DeltaApplication<'_, '_>,
    doc: DocId,
    neighbours: &Neighbours,
    made: &mut BTreeMap<LinkId, String>,
) {
    let near = neighbours.review(event, doc);
    if near.is_empty() {
        return;
    }
    let bullet = event.draft.memory().at(doc);
    for similar in near {
        let memory = event.draft.memory();
        if !memory.arena.header(similar.doc).is_active() {
            continue;
        }
        let other = memory.at(similar.doc);
        if !same_topic(&event.policy, &bullet, &other) {
            continue;
        }
        let Some((kept, rooms)) = kept_apart(event, &bullet, &other, similar.similarity) else {
            continue;
        };
        let id = LinkId::new(kept.kind, bullet.id, other.id);
        for weaker in rooms {
            if let Room::For(weaker) = weaker {
                event.draft.unlink(weaker);
                made.remove(&weaker);
            }
        }
        made.insert(id, kept.reason.clone());
        event.draft.link(Link {
            id,
            reason: Some(kept.reason),
            similarity: Some(similar.similarity),
            changed_tick: 0,
            removed: false,
        });
    }
}

/// Returns why two bullets are kept apart, and the room for a link at both ends. `None` if they are not, if they
/// are linked already, or if one end has no room.
fn kept_apart(
    event: &DeltaApplication<'_, '_>,
    bullet: &Bullet,
    other: &Bullet,
    similarity: f64,
) -> Option<(Separation, [Room; 2])> {
    let (ours, theirs) = (event.features(bullet), event.features(other));
    // The kind of link is cheap to find, and usually there is no room for it, so the full check is skipped.
    let conflict = event.tables.guard.check_conflict(&ours, &theirs);
    let kind = if conflict.is_some() {
        LinkKind::ConflictsWith
    } else {
        LinkKind::SimilarTo
    };
    let id = LinkId::new(kind, bullet.id, other.id);
    let known = event.draft.memory().link(id);
    let is_linked = known.is_some_and(|link| !link.removed);
    if is_linked || is_settled(event, bullet.id, other.id) {
        return None;
    }
    let rooms = [bullet.id, other.id].map(|end| room(event, end, kind, similarity));
    if rooms.contains(&Room::None) {
        return None;
    }
    let bullet = Compared {
        bullet,
        features: &ours,
    };
    let other = Compared {
        bullet: other,
        features: &theirs,
    };
    let kept = event.separation(bullet, other)?;
    Some((kept, rooms))
}

/// Returns true if a person found that both of two texts hold.
pub(super) fn is_settled(event: &DeltaApplication<'_, '_>, a: BulletId, b: BulletId) -> bool {
    let id = LinkId::new(LinkKind::ReconciledWith, a, b);
    let link = event.draft.memory().link(id);
    link.is_some_and(|link| !link.removed)
}

/// Revokes the decisions about bullets whose text changed since: they were about another text.
pub(super) fn forget_settled(event: &mut DeltaApplication<'_, '_>, fresh: &BTreeSet<BulletId>) {
    let is_rewritten = |id: &BulletId| {
        let change = event.draft.change(*id);
        change.is_some_and(|(old, new)| old.is_some_and(|old| old.content != new.content))
    };
    let rewritten: Vec<BulletId> = fresh.iter().copied().filter(is_rewritten).collect();
    for id in rewritten {
        let links = event.draft.memory().reviews.get(&id).into_iter().flatten();
        let settled = links.filter(|link| link.kind == LinkKind::ReconciledWith);
        let settled: Vec<LinkId> = settled.copied().collect();
        settled
            .into_iter()
            .for_each(|link| event.draft.unlink(link));
    }
}

/// Returns whether a bullet can take a link of a kind and of this similarity, 0..=1.
pub(super) fn room(
    event: &DeltaApplication<'_, '_>,
    end: BulletId,
    kind: LinkKind,
    similarity: f64,
) -> Room {
    let memory = event.draft.memory();
    let links = memory.reviews.get(&end).into_iter().flatten();
    let own: Vec<&LinkId> = links.filter(|id| id.kind == kind).collect();
    if own.len() < LINKS_MAX {
        return Room::Free;
    }
    // Links to inactive bullets are the weakest; of equals, the one to the latest bullet.
    let strength = |id: &LinkId| {
        let doc = memory.doc_of(id.other_end(end));
        let takes_part = doc.is_some_and(|doc| memory.arena.header(doc).is_active());
        let similarity = memory.link(*id).and_then(|link| link.similarity);
        (takes_part, similarity.unwrap_or_default(), doc)
    };
    let weakest = own.into_iter().min_by(|a, b| {
        let (a, b) = (strength(a), strength(b));
        let by_part = a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        by_part.then(b.2.cmp(&a.2))
    });
    match weakest {
        Some(weakest) if strength(weakest).0 && strength(weakest).1 >= similarity => Room::None,
        Some(weakest) => Room::For(*weakest),
        None => Room::None,
    }
}
