//! The results of a retrieval and their reasons, for people.

use super::page::{Page, Tone};
use super::redacted::redacted;
use super::words::plural;
use hindlore_api::responses::{NearMissResponse, ResultResponse, RetrievalResponse};
use hindlore_domain::memory::bullet::BulletId;
use hindlore_domain::memory::content::vectors::COSINE_WEIGHT;

/// Writes the answer to a retrieval, with near misses.
pub(crate) fn answer(page: &mut Page, shown: &RetrievalResponse) {
    if shown.results.is_empty() && shown.beyond_budget == 0 {
        page.line(Tone::Faint, "nothing found");
    }
    for result in &shown.results {
        one(page, result, shown);
    }
    for one in shown.strategies.iter().flatten() {
        let of = &one.strategy;
        let text = format_args!(
            "strategy of {}: {} ({})",
            one.playbook, of.pattern, of.category
        );
        page.line(Tone::Plain, text);
    }
    for advice in &shown.meta_strategies {
        let text = format_args!("general advice: {}", advice.content);
        page.line(Tone::Faint, text);
    }
    if !shown.near_misses.is_empty() {
        nearly(page, shown);
        page.gap();
    }
    // A missing memory has no figures to show.
    if !shown.results.is_empty() || shown.revision > 0 {
        standing(page, shown);
    }
}

fn nearly(page: &mut Page, shown: &RetrievalResponse) {
    page.line(Tone::Heading, "nearly returned");
    let row = |miss: &NearMissResponse| {
        let score = format!("{:.3}", miss.score);
        vec![
            page.id(miss.id),
            score,
            miss.reason.clone(),
            miss.content.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = shown.near_misses.iter().map(row).collect();
    page.table(&["ID", "SCORE", "LEFT OUT BECAUSE", "CONTENT"], &rows);
}

fn standing(page: &mut Page, shown: &RetrievalResponse) {
    if let Some(retrieval) = &shown.retrieval {
        page.field("retrieval", page.id(retrieval));
    }
    page.field(
        "ranked at",
        format_args!(
            "clock {}, revision {}, profile {}",
            shown.clock, shown.revision, shown.profile
        ),
    );
    if let Some(ranked) = &shown.embeddings {
        page.field("embeddings", ranked);
    }
    redacted(page, shown.redacted.as_ref());
}

fn one(page: &mut Page, result: &ResultResponse, shown: &RetrievalResponse) {
    let (parts, weights) = (result.parts, shown.weights);
    let (rank, id, score) = (result.rank, page.id(result.id), result.score);
    page.line(
        Tone::Heading,
        format_args!(
            "{rank}. {id}  {score:.3}  [+{}/-{}]",
            result.helpful, result.harmful
        ),
    );
    page.block(&result.content);
    let meaning = parts.cosine.map_or_else(String::new, |cosine| {
        format!(" (+ {COSINE_WEIGHT} x cosine {cosine:.3})")
    });
    let why = format!(
        "relevance {:.3}{meaning} x {}, strength {:.3} x {}, type {:.1} x {}, bonus {:.1}; {} old",
        parts.relevance,
        weights.relevance,
        parts.strength,
        weights.strength,
        parts.memory_type,
        weights.memory_type,
        parts.bonus,
        plural(result.decay_ticks, "tick")
    );
    page.line(Tone::Faint, format_args!("   {why}"));
    if let Some(id) = result.superseded_by {
        let current = named(result, id, shown);
        page.line(Tone::Bad, format_args!("   superseded by {current}"));
    }
    if !result.conflicts_with.is_empty() {
        let others = result
            .conflicts_with
            .iter()
            .map(|id| named(result, *id, shown));
        let others = others.collect::<Vec<_>>().join(", ");
        page.line(Tone::Bad, format_args!("   conflicts with {others}"));
    }
    if !result.matched.is_empty() {
        page.line(
            Tone::Faint,
            format_args!("   matched: {}", result.matched.join(", ")),
        );
    }
    page.gap();
}

/// Names a related bullet of a result: by its number in the answer, else by its text.
fn named(result: &ResultResponse, id: BulletId, shown: &RetrievalResponse) -> String {
    if let Some(place) = shown.results.iter().find(|other| other.id == id) {
        return format!("{id} ({})", place.rank);
    }
    let text = result.beside.iter().find(|beside| beside.id == id);
    text.map_or_else(
        || id.to_string(),
        |text| format!("{id} \"{}\"", text.content),
    )
}
