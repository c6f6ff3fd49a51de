//! A memory as one HTML page that holds all it needs: no request leaves it, and it reads without its script.
//!
//! It shows patterns that tables hide: which bullets are strong and how fast they fade, contradictions, nearly equal
//! texts, the growth of the memory, and the recent runs of its learner. Texts of bullets are data: all of them are
//! escaped, and the page's own policy lets no script run but the one that filters.

mod bullets;
mod chart;
mod growth;
mod links;
mod playbooks;
mod strength;
mod timeline;

use maud::{Markup, PreEscaped, html};

use super::html_page::html_page;
use crate::responses::figures::{FiguresResponse, NamedCount};
use hindlore::MemoryPicture;

const SCRIPT: &str = include_str!("memory_page/page.js");
/// Nothing is fetched from anywhere; style and script are those of the page.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; \
                      base-uri 'none'; form-action 'none'";

/// Writes the page of a memory, complete from doctype to end.
pub fn memory_page(picture: &MemoryPicture, figures: &FiguresResponse) -> String {
    let view = &picture.figures.view;
    let title = format!("Memory {}", view.key);
    let body = html! {
        header {
            h1 { (title) }
            (head_figures(figures))
        }
        nav {
            @for (id, title) in PARTS { a href={ "#" (id) } { (title) } " " }
        }
        main {
            (part(0, &strength::chart(view)))
            (part(1, &growth::chart(view)))
            (part(2, &links::conflicts(view)))
            (part(3, &links::superseded(view)))
            (part(4, &links::families(view)))
            (part(5, &shares(figures)))
            (part(6, &timeline::timelines(&picture.trajectories)))
            (part(7, &playbooks::playbooks(&picture.playbooks, picture.now)))
            (part(8, &bullets::list(view)))
        }
        script { (PreEscaped(SCRIPT)) }
    };
    html_page(&title, POLICY, "", &body)
}

/// The parts of the page: anchor and title.
const PARTS: [(&str, &str); 9] = [
    ("strength", "Strength over ticks"),
    ("growth", "Growth"),
    ("conflicts", "Conflicts"),
    ("superseded", "Newer values"),
    ("families", "Families"),
    ("shares", "Sections, tags and kinds"),
    ("trajectories", "Trajectories"),
    ("playbooks", "Playbooks"),
    ("bullets", "Bullets"),
];

fn part(at: usize, body: &Markup) -> Markup {
    let (id, title) = PARTS[at];
    html! { section id=(id) { h2 { (title) } (body) } }
}

fn head_figures(figures: &FiguresResponse) -> Markup {
    let active = figures
        .by_status
        .iter()
        .find(|share| share.name == "active")
        .map_or(0, |share| share.count);
    html! {
        p.figures {
            b { (active) } " active of " b { (figures.bullets) } " bullets · clock " b { (figures.clock) }
            " · revision " b { (figures.revision) } " · retrievals " b { (figures.usage.retrievals) }
            @if let Some(rate) = figures.usage.hit_rate {
                " · " b { (format!("{:.0} %", rate * 100.0)) } " with a hit"
            }
        }
        p.digest { "content digest " code { (figures.content_digest) } }
    }
}

/// The subjects of the memory, as bars.
fn shares(figures: &FiguresResponse) -> Markup {
    let columns = [
        ("Section", &figures.by_section),
        ("Tag", &figures.top_tags),
        ("Topic", &figures.by_topic),
        ("Kind", &figures.by_kind),
        ("Type", &figures.by_type),
        ("Status", &figures.by_status),
    ];
    html! {
        div.columns {
            @for (title, shares) in columns.iter().filter(|(_, shares)| !shares.is_empty()) {
                (bars(title, shares))
            }
        }
    }
}

fn bars(title: &str, shares: &[NamedCount]) -> Markup {
    let most = shares
        .iter()
        .map(|share| share.count)
        .max()
        .unwrap_or(1)
        .max(1);
    html! {
        table.bars {
            caption { (title) }
            @for share in shares {
                tr {
                    th scope="row" { (share.name) }
                    td { meter min="0" max=(most) value=(share.count) {} }
                    td.number { (share.count) }
                }
            }
        }
    }
}
