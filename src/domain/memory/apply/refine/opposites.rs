//! Links short texts that contradict each other, although they share too few words to be near duplicates.
//!
//! Candidates have the same subject. Only the newest of them are compared, so that a subject with thousands of
//! texts costs no more than one with a few.

use std::collections::{BTreeMap, BTreeSet};

use hindlore_topk::DocId;

use super::super::application::DeltaApplication;
use super::review::{Room, is_settled, room};
use super::same_topic;
use crate::memory::bullet::{Bullet, BulletId};
use crate::memory::link::{Link, LinkId, LinkKind};
use crate::memory::receipt::Linked;
use hindlore_text::similarity::jaccard;
use hindlore_text::words::Tokens;

/// Maximum texts about one subject that a text is compared with, newest first.
const COMPARED_MAX: usize = 64;

/// Links fresh bullets with their opposites about the same subject, newest first, if neither end has too many links.
pub(super) fn link_opposites(event: &mut DeltaApplication<'_, '_>, fresh: &BTreeSet<BulletId>) {
    let memory = event.draft.memory();
    let docs = fresh.iter().filter_map(|id| memory.doc_of(*id));
    let turns: BTreeSet<DocId> = docs
        .filter(|doc| memory.arena.header(*doc).is_active())
        .collect();
    let mut made: BTreeMap<LinkId, String> = BTreeMap::new();
    for doc in turns {
        let memory = event.draft.memory();
        let about = memory.about_subject_of(&event.tables.guard, memory.arena.text(doc));
        let others: Vec<DocId> = about
            .iter()
            .rev()
            .filter(|other| **other != doc)
            .take(COMPARED_MAX)
            .copied()
            .collect();
        if others.is_empty() {
            continue;
        }
        let bullet = memory.at(doc);
        for other in others {
            let other = event.draft.memory().at(other);
            if let Some((link, reason)) = opposite(event, &bullet, &other) {
                made.insert(link.id, reason);
                event.draft.link(link);
            }
        }
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

/// Returns a link between two texts that contradict each other, and its reason. `None` if they do not, if they
/// are linked already, or if one of them has too many links.
fn opposite(
    event: &DeltaApplication<'_, '_>,
    bullet: &Bullet,
    other: &Bullet,
) -> Option<(Link, String)> {
    let kind = LinkKind::ConflictsWith;
    let id = LinkId::new(kind, bullet.id, other.id);
    let known = event.draft.memory().link(id);
    let is_linked = known.is_some_and(|link| !link.removed);
    if is_linked
        || is_settled(event, bullet.id, other.id)
        || !same_topic(&event.policy, bullet, other)
    {
        return None;
    }
    let (ours, theirs) = (event.features(bullet), event.features(other));
    let reason = event
        .tables
        .guard
        .contradiction(&ours, &theirs)?
        .to_string();
    let words = |bullet: &Bullet| Tokens::Standard.set(bullet.content.as_str());
    let similarity = jaccard(&words(bullet), &words(other));
    let has_room = |end| room(event, end, kind, similarity) == Room::Free;
    let link = Link {
        id,
        reason: Some(reason.clone()),
        similarity: Some(similarity),
        changed_tick: 0,
        removed: false,
    };
    (has_room(bullet.id) && has_room(other.id)).then_some((link, reason))
}
