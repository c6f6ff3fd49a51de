//! What a retrieval returned and why, for people.

use super::page::{Page, Tone};
use crate::api::shapes::{ResultShown, RetrievalShown};

/// Shows the answer to a retrieval.
pub(crate) fn answer(page: &mut Page, shown: &RetrievalShown) {
    if shown.results.is_empty() {
        page.line(Tone::Faint, "nothing found");
    }
    for result in &shown.results {
        one(page, result, shown);
    }
    if !shown.near_misses.is_empty() {
        page.line(Tone::Heading, "nearly returned");
        let rows: Vec<Vec<String>> = shown
            .near_misses
            .iter()
            .map(|miss| {
                let score = format!("{:.3}", miss.score);
                vec![
                    miss.id.to_string(),
                    score,
                    miss.reason.clone(),
                    miss.content.clone(),
                ]
            })
            .collect();
        page.table(&["ID", "SCORE", "LEFT OUT BECAUSE", "CONTENT"], &rows);
    }
    for advice in &shown.meta_strategies {
        page.line(
            Tone::Faint,
            format_args!("general advice: {}", advice.content),
        );
    }
    page.gap();
    if let Some(retrieval) = &shown.retrieval {
        page.field("retrieval", retrieval);
    }
    page.field(
        "ranked at",
        format_args!(
            "clock {}, revision {}, profile {}",
            shown.clock, shown.revision, shown.profile
        ),
    );
}

fn one(page: &mut Page, result: &ResultShown, shown: &RetrievalShown) {
    let (parts, weights) = (result.parts, shown.weights);
    let (rank, id, score) = (result.rank, result.id, result.score);
    page.line(
        Tone::Heading,
        format_args!(
            "{rank}. {id}  {score:.3}  [+{}/-{}]",
            result.helpful, result.harmful
        ),
    );
    page.block(&result.content);
    let why = format!(
        "relevance {:.3} x {}, strength {:.3} x {}, type {:.1} x {}, bonus {:.1}; {} ticks old",
        parts.relevance,
        weights.relevance,
        parts.strength,
        weights.strength,
        parts.memory_type,
        weights.memory_type,
        parts.bonus,
        result.decay_ticks
    );
    page.line(Tone::Faint, format_args!("   {why}"));
    if !result.matched.is_empty() {
        page.line(
            Tone::Faint,
            format_args!("   matched: {}", result.matched.join(", ")),
        );
    }
    page.gap();
}
