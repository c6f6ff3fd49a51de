//! How many bullets the memory held at each tick, and how many it was ever given.

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::chart::{Chart, Line, draw};
use super::strength::float;
use hindlore::MemoryView;
use hindlore_domain::memory::bullet::Bullet;

/// Ticks drawn at most; between them lines are straight.
const POINTS_MAX: usize = 400;

pub(super) fn chart(view: &MemoryView) -> Markup {
    if view.clock == 0 {
        return html! { p.none { "Nothing has happened in this memory yet." } };
    }
    // A bullet that is no longer active left at the last event that changed it.
    let came = |bullet: &Bullet| Some(bullet.created_tick);
    let left = |bullet: &Bullet| (!bullet.is_active()).then_some(bullet.changed_tick);
    let given = totals(&view.bullets, came);
    let gone = totals(&view.bullets, left);
    let at = |totals: &BTreeMap<u64, u64>, tick: u64| {
        let before = totals.range(..=tick).next_back();
        before.map_or(0, |(_, total)| *total)
    };
    let mut ticks: Vec<u64> = given.keys().chain(gone.keys()).copied().collect();
    ticks.extend([0, view.clock]);
    ticks.sort_unstable();
    ticks.dedup();
    let every = ticks.len().div_ceil(POINTS_MAX).max(1);
    let last = ticks.len() - 1;
    let shown = ticks.iter().enumerate();
    let shown: Vec<u64> = shown
        .filter(|(place, _)| place % every == 0 || *place == last)
        .map(|(_, tick)| *tick)
        .collect();
    let line = |name: &str, value: &dyn Fn(u64) -> u64| Line {
        name: name.to_owned(),
        points: shown
            .iter()
            .map(|tick| [float(*tick), float(value(*tick))])
            .collect(),
    };
    let lines = [
        line("active", &|tick| at(&given, tick) - at(&gone, tick)),
        line("ever written", &|tick| at(&given, tick)),
    ];
    draw(&Chart {
        label: "Bullets over ticks",
        x: "tick",
        y: "bullets",
        mark: None,
        lines: &lines,
    })
}

/// For each tick at which something happened: how often it had happened by then.
fn totals(bullets: &[Bullet], when: impl Fn(&Bullet) -> Option<u64>) -> BTreeMap<u64, u64> {
    let mut totals: BTreeMap<u64, u64> = BTreeMap::new();
    for tick in bullets.iter().filter_map(when) {
        *totals.entry(tick).or_default() += 1;
    }
    let mut total = 0;
    for count in totals.values_mut() {
        total += *count;
        *count = total;
    }
    totals
}
