//! All bullets by section, with a field to filter them by word and tag.

use maud::{Markup, html};

use hindlore::MemoryView;
use hindlore_domain::memory::bullet::{Bullet, Status};
use hindlore_domain::memory::decay::{decayed_score, retention};

/// Sections with more bullets than this are shown closed.
const OPEN_MAX: usize = 50;

pub(super) fn list(view: &MemoryView) -> Markup {
    let active: Vec<&Bullet> = of_status(view, Status::Active);
    let mut sections: Vec<(Option<&str>, Vec<&Bullet>)> = Vec::new();
    for bullet in active {
        let section = bullet.section.as_deref();
        match sections.iter_mut().find(|(name, _)| *name == section) {
            Some((_, own)) => own.push(bullet),
            None => sections.push((section, vec![bullet])),
        }
    }
    html! {
        p.filter hidden {
            label { "Filter " input type="search" id="filter" placeholder="words, tags or ids"; }
            " " output id="shown" {}
        }
        @for (name, bullets) in &sections {
            (group(name.unwrap_or("(no section)"), view, bullets, bullets.len() <= OPEN_MAX))
        }
        @for (status, name) in [(Status::Archived, "Archived"), (Status::Rejected, "Rejected by a person")] {
            @let put_away = of_status(view, status);
            @if !put_away.is_empty() { (group(name, view, &put_away, false)) }
        }
    }
}

fn of_status(view: &MemoryView, status: Status) -> Vec<&Bullet> {
    let of_status = view.bullets.iter().filter(|bullet| bullet.status == status);
    of_status.collect()
}

fn group(name: &str, view: &MemoryView, bullets: &[&Bullet], open: bool) -> Markup {
    html! {
        details.group open[open] {
            summary { (name) " (" (bullets.len()) ")" }
            @for bullet in bullets { (one(view, bullet)) }
        }
    }
}

fn one(view: &MemoryView, bullet: &Bullet) -> Markup {
    let rates = &view.policy.rates;
    let kept = retention(bullet, rates, view.clock);
    let strength = decayed_score(bullet, rates, view.clock);
    html! {
        article id=(bullet.id) {
            p.text { (bullet.content.as_str()) }
            p.about {
                meter min="0" max="1" value=(format!("{kept:.3}")) title="share of its strength that is left" {}
                " " (format!("{strength:.1}")) " · +" (bullet.counts.helpful) "/-" (bullet.counts.harmful)
                " · " (bullet.memory_type) " " (bullet.kind)
                @if bullet.pinned { " · pinned" }
                @for tag in &bullet.tags { " " span.tag { (tag) } }
                " " code { (bullet.id) }
                @if let Some(into) = bullet.merged_into { " · merged into " a href={ "#" (into) } { (into) } }
            }
        }
    }
}
