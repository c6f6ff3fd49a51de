//! Contents worth reading outside the memory: strong bullets by section, and promoted lessons.
//!
//! A rule file speaks with authority, so nothing unproved goes in: a bullet needs votes or a person as its source, and
//! one that was replaced, or that a better supported one contradicts, stays out.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::prompt::as_notes;
use crate::responses::PromptResponse;
use hindlore::MemoryView;
use hindlore_domain::lesson::lesson::{Lesson, Status};
use hindlore_domain::memory::bullet::{Bullet, BulletId, Source};
use hindlore_domain::memory::decay::decayed_score;
use hindlore_domain::memory::link::LinkKind;
use hindlore_text::layout::invisible::marked;

/// The group of lessons that no tool is named for.
const NO_TOOL: &str = "Failures";

/// A heading and the text below it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Group {
    /// The section, or the tool.
    pub(super) heading: Option<String>,
    /// Texts, in order.
    pub(super) texts: Vec<String>,
    /// Whether they are lessons from failures.
    pub(super) is_learned: bool,
}

/// Groups the strong bullets by section and the promoted lessons by tool, each in order of first appearance.
pub(super) fn groups(view: Option<&MemoryView>, lessons: &[Lesson]) -> Vec<Group> {
    let strong = view.map(strong_bullets).unwrap_or_default();
    let bullets = strong.into_iter().map(|bullet| {
        let section = bullet.section.as_deref().map(one_line);
        (
            section.filter(|section| !section.is_empty()),
            bullet.content.as_str(),
        )
    });
    let promoted = lessons
        .iter()
        .filter(|lesson| lesson.status == Status::Promoted);
    let rules = promoted.map(|lesson| {
        let tool = lesson.place.tool.as_deref().map(one_line);
        (
            Some(tool.unwrap_or_else(|| NO_TOOL.to_owned())),
            lesson.rule.as_str(),
        )
    });
    let mut found = grouped(bullets, false);
    found.extend(grouped(rules, true));
    found
}

fn grouped<'t>(
    texts: impl Iterator<Item = (Option<String>, &'t str)>,
    is_learned: bool,
) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut places: HashMap<Option<String>, usize> = HashMap::new();
    let mut seen: HashSet<String> = HashSet::new();
    for (heading, text) in texts {
        let text = marked(text.trim()).into_owned();
        if !seen.insert(text.clone()) {
            continue;
        }
        let place = *places.entry(heading.clone()).or_insert_with(|| {
            groups.push(Group {
                heading,
                texts: Vec::new(),
                is_learned,
            });
            groups.len() - 1
        });
        groups[place].texts.push(text);
    }
    // Below a heading they would seem to belong to it.
    groups.sort_by_key(|group| group.heading.is_some());
    groups
}

fn strong_bullets(view: &MemoryView) -> Vec<&Bullet> {
    let active = view.active();
    let support =
        |bullet: &Bullet| i128::from(bullet.counts.helpful) - i128::from(bullet.counts.harmful);
    let mut beaten: BTreeSet<BulletId> = BTreeSet::new();
    for link in &view.links {
        let (Some(from), Some(to)) = (active.get(&link.id.from), active.get(&link.id.to)) else {
            continue;
        };
        match link.id.kind {
            LinkKind::Supersedes => drop(beaten.insert(to.id)),
            LinkKind::ConflictsWith if support(from) < support(to) => drop(beaten.insert(from.id)),
            LinkKind::ConflictsWith if support(to) < support(from) => drop(beaten.insert(to.id)),
            _ => {}
        }
    }
    let is_strong = |bullet: &&Bullet| {
        let is_stored = bullet.pinned || bullet.is_stored() || bullet.source == Source::Import;
        let stands = support(bullet) > 0 || (is_stored && support(bullet) >= 0);
        bullet.is_active() && !bullet.is_seed() && stands && !beaten.contains(&bullet.id)
    };
    view.bullets.iter().filter(is_strong).collect()
}

/// The strong bullets of several memories as text for a prompt within a budget of tokens: pinned ones first, then those
/// that were stored on purpose, each group with the strongest first, and each text once. A file that was imported leaves
/// them room. Bullets whose text is in `known`, which the reader has, are left out.
pub(crate) fn strong_prompt(views: &[MemoryView], budget: usize, known: &str) -> PromptResponse {
    let mut strong: Vec<(&MemoryView, &Bullet)> = Vec::new();
    for view in views {
        strong.extend(
            strong_bullets(view)
                .into_iter()
                .map(|bullet| (view, bullet)),
        );
    }
    let strength =
        |view: &MemoryView, bullet: &Bullet| decayed_score(bullet, &view.policy.rates, view.clock);
    let rank = |bullet: &Bullet| (bullet.pinned, bullet.is_stored());
    // Stable, so equal ones keep the order of the memories, and their own in each.
    strong.sort_by(|(a_view, a), (b_view, b)| {
        let by_strength = strength(b_view, b).total_cmp(&strength(a_view, a));
        rank(b).cmp(&rank(a)).then(by_strength)
    });
    let mut seen: HashSet<String> = HashSet::new();
    let known = one_line(known).to_lowercase();
    strong.retain(|(_, bullet)| {
        let text = one_line(bullet.content.as_str()).to_lowercase();
        !known.contains(&text) && seen.insert(text)
    });
    let texts: Vec<&str> = strong
        .iter()
        .map(|(_, bullet)| bullet.content.as_str())
        .collect();
    let prompt = as_notes(&texts, Some(budget));
    PromptResponse {
        ids: prompt
            .kept
            .iter()
            .map(|one| strong[one.place].1.id)
            .collect(),
        ..PromptResponse::from(prompt)
    }
}

/// A text on one line.
pub(super) fn one_line(text: &str) -> String {
    marked(text)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}
