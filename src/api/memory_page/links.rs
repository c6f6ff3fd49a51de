//! Pairs for a person to review: bullets that contradict each other, and families of nearly equal ones.

use std::collections::{BTreeMap, HashMap};

use maud::{Markup, html};

use hindlore::MemoryView;
use hindlore_domain::memory::bullet::{Bullet, BulletId};
use hindlore_domain::memory::link::{Link, LinkKind};

/// Pairs of active bullets that contradict each other, side by side.
pub(super) fn conflicts(view: &MemoryView) -> Markup {
    let active = view.active();
    let pairs: Vec<(&Link, &Bullet, &Bullet)> = of_kind(view, LinkKind::ConflictsWith)
        .filter_map(|link| Some((link, *active.get(&link.id.from)?, *active.get(&link.id.to)?)))
        .collect();
    if pairs.is_empty() {
        return html! { p.none { "No two bullets contradict each other." } };
    }
    html! {
        p { (pairs.len()) " pairs wait for a person." }
        @for (link, one, other) in pairs {
            div.pair {
                (side(one))
                (side(other))
                p.reason { (link.reason.as_deref().unwrap_or("opposite")) }
            }
        }
    }
}

/// Values that a newer one has replaced, each with the newer one.
pub(super) fn superseded(view: &MemoryView) -> Markup {
    let active = view.active();
    let pairs: Vec<(&Bullet, &Bullet)> = of_kind(view, LinkKind::Supersedes)
        .filter_map(|link| Some((*active.get(&link.id.from)?, *active.get(&link.id.to)?)))
        .collect();
    if pairs.is_empty() {
        return html! { p.none { "No bullet has a newer value than another." } };
    }
    html! {
        p { "The present value and the one before it, which is kept and ranks below." }
        @for (newer, older) in pairs {
            div.pair { (side(newer)) (side(older)) }
        }
    }
}

fn side(bullet: &Bullet) -> Markup {
    html! {
        div.side {
            p { (bullet.content.as_str()) }
            p.about { a href={ "#" (bullet.id) } { (bullet.id) } " +" (bullet.counts.helpful) "/-" (bullet.counts.harmful) }
        }
    }
}

/// Active bullets that are nearly the same and were kept apart, the largest family first.
pub(super) fn families(view: &MemoryView) -> Markup {
    let active = view.active();
    let families = grouped(view, &active);
    if families.is_empty() {
        return html! { p.none { "No bullets are nearly the same." } };
    }
    html! {
        p { "Texts that are nearly the same, which a number, a name or a negation keeps apart." }
        @for family in &families {
            details open[family.len() < 6] {
                summary { (family.len()) " bullets: " (family[0].content.as_str()) }
                ul {
                    @for bullet in family {
                        li { a href={ "#" (bullet.id) } { (bullet.content.as_str()) } }
                    }
                }
            }
        }
    }
}

/// The connected groups of at least two, by the links for near duplicates.
fn grouped<'v>(view: &MemoryView, active: &HashMap<BulletId, &'v Bullet>) -> Vec<Vec<&'v Bullet>> {
    let mut leaders: HashMap<BulletId, BulletId> = HashMap::new();
    for link in of_kind(view, LinkKind::SimilarTo) {
        if active.contains_key(&link.id.from) && active.contains_key(&link.id.to) {
            let one = leader(&mut leaders, link.id.from);
            let other = leader(&mut leaders, link.id.to);
            leaders.insert(one.max(other), one.min(other));
        }
    }
    let members: Vec<BulletId> = leaders.keys().copied().collect();
    let mut groups: BTreeMap<BulletId, Vec<&Bullet>> = BTreeMap::new();
    for member in members {
        let first = leader(&mut leaders, member);
        groups.entry(first).or_default().push(active[&member]);
    }
    let mut families: Vec<Vec<&Bullet>> = groups.into_values().collect();
    for family in &mut families {
        family.sort_by_key(|bullet| bullet.position);
    }
    families.sort_by_key(|family| (std::cmp::Reverse(family.len()), family[0].position));
    families
}

/// The representative of the group of `id`; the way to it is shortened for the next time.
fn leader(leaders: &mut HashMap<BulletId, BulletId>, id: BulletId) -> BulletId {
    let mut first = id;
    while let Some(next) = leaders.get(&first).filter(|next| **next != first) {
        first = *next;
    }
    leaders.insert(id, first);
    leaders.insert(first, first);
    first
}

fn of_kind(view: &MemoryView, kind: LinkKind) -> impl Iterator<Item = &Link> {
    view.links.iter().filter(move |link| link.id.kind == kind)
}
