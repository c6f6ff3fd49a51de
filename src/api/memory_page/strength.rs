//! The strongest bullets from their last touch on, and how they fade without use.

use maud::{Markup, html};

use super::chart::{Chart, Line, draw};
use hindlore::MemoryView;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::decay::decayed_score;

/// Bullets drawn.
const LINES_MAX: usize = 12;
/// Points of a line.
const POINTS: u64 = 60;
/// Minimum ticks shown beyond the present; about the half-life of semantic memory.
const AHEAD_MIN: u64 = 70;
/// Characters of a bullet that name its line.
const NAME_CHARS: usize = 60;

pub(super) fn chart(view: &MemoryView) -> Markup {
    let rates = &view.policy.rates;
    let mut strongest: Vec<&Bullet> = view
        .bullets
        .iter()
        .filter(|bullet| bullet.is_active() && !bullet.is_seed())
        .collect();
    let now = |bullet: &Bullet| decayed_score(bullet, rates, view.clock);
    strongest.sort_by(|a, b| now(b).total_cmp(&now(a)));
    strongest.truncate(LINES_MAX);
    if strongest.is_empty() {
        return html! { p.none { "No bullet was written yet." } };
    }
    let end = view.clock + AHEAD_MIN.max(view.clock / 4);
    let lines: Vec<Line> = strongest
        .iter()
        .map(|bullet| {
            let start = bullet.access_index.unwrap_or(view.clock).min(view.clock);
            let ticks = (0..=POINTS).map(|at| start + (end - start) * at / POINTS);
            let points = ticks.map(|tick| [float(tick), decayed_score(bullet, rates, tick)]);
            Line {
                name: beginning(bullet.content.as_str()),
                points: points.collect(),
            }
        })
        .collect();
    html! {
        p {
            "Each line begins at the last touch of its bullet. Right of the present: what remains when nobody \
             needs it. The " (lines.len()) " strongest are shown."
        }
        (draw(&Chart {
            label: "Strength of the strongest bullets over ticks",
            x: "tick",
            y: "strength",
            mark: Some((float(view.clock), "now")),
            lines: &lines,
        }))
    }
}

fn beginning(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut name: String = line.chars().take(NAME_CHARS).collect();
    if name.len() < line.len() {
        name.push('…');
    }
    name
}

#[allow(clippy::cast_precision_loss)]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}
