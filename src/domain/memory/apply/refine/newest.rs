//! Links a statement with the one whose value it replaces: the newest value of an attribute is current.
//!
//! Statements of one attribute form a chain from the newest to the first, so that each change is seen where it
//! happened. A repeated value is the newest again. The older bullets stay active: they were true, and a reader of the
//! past needs them.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use hindlore_topk::DocId;

use super::super::application::DeltaApplication;
use super::same_topic;
use crate::memory::bullet::{Bullet, BulletId};
use crate::memory::delta::{Meets, Operation};
use crate::memory::link::{Link, LinkId, LinkKind};
use crate::memory::receipt::Linked;
use hindlore_text::layout::dated::without_dates;
use hindlore_text::statement::Statement;

/// Maximum statements of one attribute that a statement is compared with, newest first.
const COMPARED_MAX: usize = 64;

/// Links fresh and restated bullets with those whose value they replace.
pub(super) fn link_newest(event: &mut DeltaApplication<'_, '_>, fresh: &BTreeSet<BulletId>) {
    for id in turns(event, fresh) {
        let doc = event.draft.memory().doc_of(id);
        doc.into_iter().for_each(|doc| link_one(event, doc));
    }
}

/// Returns the bullets to link, each at its last statement: those that no ADD names in insertion order, then the others
/// in the order of the operations.
fn turns(event: &DeltaApplication<'_, '_>, fresh: &BTreeSet<BulletId>) -> Vec<BulletId> {
    let memory = event.draft.memory();
    let said = said(event);
    let last: BTreeMap<BulletId, usize> = said.iter().copied().zip(0..).collect();
    let mut unsaid: Vec<BulletId> = fresh.iter().copied().collect();
    unsaid.retain(|id| !last.contains_key(id));
    unsaid.sort_by_key(|id| memory.doc_of(*id));
    let is_last = |(place, id): &(usize, BulletId)| last.get(id) == Some(place);
    let again = (0..).zip(said.iter().copied()).filter(is_last);
    let again = again.map(|(_, id)| id);
    let is_news = |id: &BulletId| fresh.contains(id) || memory.current_of(*id).is_some();
    let is_active = |id: &BulletId| memory.header_of(*id).is_some_and(|it| it.is_active());
    unsaid
        .into_iter()
        .chain(again.filter(is_news))
        .filter(is_active)
        .collect()
}

/// Returns the bullets with the statements of this delta's ADDs, in their order.
fn said(event: &DeltaApplication<'_, '_>) -> Vec<BulletId> {
    // A file's statements date from its writing, not from a later import.
    if event.delta.import || event.delta.meets != Meets::Sums {
        return Vec::new();
    }
    let results = event.delta.operations.iter().zip(&event.results);
    let added = results.filter(|(operation, _)| matches!(operation, Operation::Add(_)));
    let memory = event.draft.memory();
    added
        .filter_map(|(_, result)| memory.survivor((*result)?))
        .map(|bullet| bullet.id)
        .collect()
}

/// Makes a bullet the newest statement of its attribute.
fn link_one(event: &mut DeltaApplication<'_, '_>, doc: DocId) {
    let bullet = event.draft.memory().at(doc);
    leave_chain(event, bullet.id);
    let Some(statement) = Statement::read(bullet.content.as_str()) else {
        return;
    };
    let memory = event.draft.memory();
    let about = memory
        .search_indexes
        .statements(&memory.arena)
        .find(&statement);
    let compared: Vec<DocId> = about.iter().rev().take(COMPARED_MAX + 1).copied().collect();
    let replaced: Vec<(BulletId, String)> = compared
        .into_iter()
        .filter(|other| *other != doc)
        .filter_map(|other| {
            let other = event.draft.memory().at(other);
            let reason = replaces(event, (&bullet, &statement), &other)?;
            Some((other.id, reason))
        })
        .collect();
    for (older, reason) in replaced {
        link(event, bullet.id, older, reason);
    }
}

/// Returns how a statement changes the value of another bullet, which is the newest so far.
fn replaces(
    event: &DeltaApplication<'_, '_>,
    newer: (&Bullet, &Statement),
    older: &Bullet,
) -> Option<String> {
    let (bullet, statement) = newer;
    if !same_topic(&event.policy, bullet, older) || !is_same_place(bullet, older) {
        return None;
    }
    let before = Statement::read(older.content.as_str())?;
    let is_newest = event.draft.memory().current_of(older.id).is_none();
    (is_newest && statement.changes(&before))
        .then(|| format!("the value {} became {}", before.value(), statement.value()))
}

/// Returns true if two bullets may be about one place. Two headings are two subjects: the port under "Staging" is not that
/// under "Production". A heading that is a date is a time.
fn is_same_place(a: &Bullet, b: &Bullet) -> bool {
    let place = |bullet: &Bullet| bullet.section.as_deref().and_then(without_dates);
    let (a, b) = (place(a), place(b));
    a.is_none() || b.is_none() || a == b
}

/// Takes a bullet out of its chain of values, and joins its neighbours there.
fn leave_chain(event: &mut DeltaApplication<'_, '_>, id: BulletId) {
    let memory = event.draft.memory();
    let ends = |of: &HashMap<BulletId, BTreeSet<BulletId>>| -> Vec<BulletId> {
        of.get(&id).into_iter().flatten().copied().collect()
    };
    let (newer, older) = (ends(&memory.newer), ends(&memory.older));
    for after in &newer {
        for before in &older {
            let memory = event.draft.memory();
            let text = |id| memory.get(id).map(|bullet| bullet.content);
            let statement = |id| Statement::read(text(id)?.as_str());
            if let Some((now, then)) = statement(*after).zip(statement(*before))
                && now.changes(&then)
            {
                let reason = format!("the value {} became {}", then.value(), now.value());
                link(event, *after, *before, reason);
            }
        }
    }
    let kind = LinkKind::Supersedes;
    let ups = newer.into_iter().map(|after| LinkId::new(kind, after, id));
    let downs = older
        .into_iter()
        .map(|before| LinkId::new(kind, id, before));
    ups.chain(downs).for_each(|link| event.draft.unlink(link));
}

fn link(event: &mut DeltaApplication<'_, '_>, newer: BulletId, older: BulletId, reason: String) {
    let id = LinkId::new(LinkKind::Supersedes, newer, older);
    event.draft.link(Link {
        id,
        reason: Some(reason.clone()),
        similarity: None,
        changed_tick: 0,
        removed: false,
    });
    event
        .linked
        .retain(|linked| (linked.kind, linked.from, linked.to) != (id.kind, newer, older));
    event.linked.push(Linked {
        kind: id.kind,
        from: newer,
        to: older,
        reason,
    });
}

#[cfg(test)]
mod tests;
