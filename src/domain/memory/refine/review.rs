//! Links for review: who is shown beside a bullet because the two look alike and mean different things.
//!
//! A person can look at a few, not at each pair of a thousand texts from one template. So a bullet has at most
//! [`LINKS_MAX`] links of a kind, the strongest ones: a stronger link takes the place of the weakest. The kinds
//! have each their own room, so that a contradiction is not lost behind texts that merely look alike.
//!
//! The bullets of a delta have their turns in insertion order and each looks at those before it, as if they
//! had come one by one.

use std::collections::{BTreeMap, BTreeSet};

use mnemograph_topk::DocId;

use super::super::application::DeltaApplication;
use super::super::bullet::{Bullet, BulletId};
use super::super::link::{Link, LinkId, LinkKind};
use super::super::receipt::Linked;
use super::neighbours::Neighbours;
use super::{Kept, topics_meet};

/// Links of a kind that a bullet has at most.
pub(super) const LINKS_MAX: usize = 8;

/// Whether an end has room for one more link of a kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Room {
    Free,
    /// In place of this weaker one.
    For(LinkId),
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
        link_one(event, doc, (neighbours, &mut made));
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

/// The turn of one bullet.
fn link_one(
    event: &mut DeltaApplication<'_, '_>,
    doc: DocId,
    (neighbours, made): (&Neighbours, &mut BTreeMap<LinkId, String>),
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
        if !topics_meet(&event.policy, &bullet, &other) {
            continue;
        }
        let Some((kept, rooms)) = kept_apart(event, (&bullet, &other), similar.similarity) else {
            continue;
        };
        let id = LinkId::new(kept.kind, bullet.id, other.id);
        for weaker in rooms {
            if let Room::For(weaker) = weaker {
                event.draft.part(weaker);
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

/// What keeps two bullets apart that are to be linked for it, and the room at both ends; nothing where there
/// is none, or where they are linked already.
fn kept_apart(
    event: &DeltaApplication<'_, '_>,
    (bullet, other): (&Bullet, &Bullet),
    similarity: f64,
) -> Option<(Kept, [Room; 2])> {
    let (ours, theirs) = (event.features(bullet), event.features(other));
    // What kind of link it would be is known at little cost, and mostly there is no room for it.
    let conflict = event.tables.guard.check_conflict(&ours, &theirs);
    let kind = if conflict.is_some() {
        LinkKind::ConflictsWith
    } else {
        LinkKind::SimilarTo
    };
    let id = LinkId::new(kind, bullet.id, other.id);
    let known = event.draft.memory().link(id);
    if known.is_some_and(|link| !link.removed) {
        return None;
    }
    let rooms = [bullet.id, other.id].map(|end| room(event, (end, kind), similarity));
    if rooms.contains(&Room::None) {
        return None;
    }
    let kept = event.apart((bullet, &ours), (other, &theirs))?;
    Some((kept, rooms))
}

/// The room that a bullet has for a link of a kind and of this strength.
pub(super) fn room(
    event: &DeltaApplication<'_, '_>,
    (end, kind): (BulletId, LinkKind),
    similarity: f64,
) -> Room {
    let memory = event.draft.memory();
    let links = memory.reviews.get(&end).into_iter().flatten();
    let own: Vec<&LinkId> = links.filter(|id| id.kind == kind).collect();
    if own.len() < LINKS_MAX {
        return Room::Free;
    }
    // A link to a bullet that takes no part is the weakest, and of equals the one to the latest bullet.
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
