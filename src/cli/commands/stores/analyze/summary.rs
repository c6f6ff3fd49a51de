//! `analyze summary`: the figures of a memory on one page.

use crate::commands::CommandResult;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::figures::{
    BulletStrength, FiguresResponse, Growth, LinkedPair, NamedCount, UsageFigures,
};
use hindlore_api::verbs::memory::ShowFigures;

/// Maximum pairs shown in full.
const PAIRS_MAX: usize = 10;

/// Shows the summary.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let access = session.access_there()?;
    let figures = access.answer(ShowFigures {}).await?;
    session
        .output
        .show(&figures, |page| write(page, &figures))?;
    Ok(Outcome::Done)
}

/// Writes the summary.
pub(super) fn write(page: &mut Page, figures: &FiguresResponse) {
    page.line(Tone::Heading, format_args!("Memory {}", figures.memory));
    page.field("bullets", figures.bullets);
    if figures.advice > 0 {
        page.field("general advice", figures.advice);
    }
    page.field("clock", figures.clock);
    page.field("revision", figures.revision);
    page.field("content digest", &figures.content_digest);
    for (name, shares) in [
        ("By status", &figures.by_status),
        ("Active by type", &figures.by_type),
        ("Active by kind", &figures.by_kind),
    ] {
        counts(page, name, shares);
    }
    categories(page, figures);
    top(page, figures);
    bullets(page, "Fading most", &figures.fading);
    bullets(page, "Most harmful", &figures.most_harmful);
    pairs(page, "Opposites that wait for review", &figures.conflicts);
    pairs(
        page,
        "Near duplicates that wait for review",
        &figures.duplicates,
    );
    usage(page, &figures.usage);
    growth(page, figures);
}

/// Writes how many bullets have each section, topic and tag.
pub(super) fn categories(page: &mut Page, figures: &FiguresResponse) {
    for (name, shares) in [
        ("Active by section", &figures.by_section),
        ("Active by topic", &figures.by_topic),
        ("Most frequent tags", &figures.top_tags),
    ] {
        counts(page, name, shares);
    }
}

/// Writes the strongest and the most helpful bullets.
pub(super) fn top(page: &mut Page, figures: &FiguresResponse) {
    bullets(page, "Strongest", &figures.strongest);
    bullets(page, "Most helpful", &figures.most_helpful);
}

fn heading(page: &mut Page, name: &str) {
    page.gap();
    page.line(Tone::Heading, name);
}

fn counts(page: &mut Page, name: &str, shares: &[NamedCount]) {
    if shares.is_empty() {
        return;
    }
    heading(page, name);
    for share in shares {
        page.line(
            Tone::Plain,
            format_args!("  {:>6}  {}", share.count, page.beginning(&share.name, 10)),
        );
    }
}

fn bullets(page: &mut Page, name: &str, standings: &[BulletStrength]) {
    if standings.is_empty() {
        return;
    }
    heading(page, name);
    page.line(Tone::Faint, "strength  kept  votes    bullet");
    for one in standings {
        let votes = format!("+{}/-{}", one.helpful, one.harmful);
        let text = page.beginning(&one.content, 27);
        let kept = one.retention * 100.0;
        page.line(
            Tone::Plain,
            format_args!(
                "  {:>6.1}  {kept:>3.0}%  {votes:<7}  {text}",
                one.decayed_score
            ),
        );
    }
}

/// Shows pairs of bullets with the difference that kept them apart.
pub(super) fn pairs(page: &mut Page, name: &str, pairs: &[LinkedPair]) {
    if pairs.is_empty() {
        return;
    }
    heading(page, &format!("{name} ({})", pairs.len()));
    for pair in pairs.iter().take(PAIRS_MAX) {
        page.hanging(
            Tone::Plain,
            &format!("  {}  ", page.id(pair.from)),
            &pair.from_content,
        );
        page.hanging(
            Tone::Plain,
            &format!("  {}  ", page.id(pair.to)),
            &pair.to_content,
        );
        page.prose(Tone::Bad, 4, &pair.reason);
    }
    if pairs.len() > PAIRS_MAX {
        let more = pairs.len() - PAIRS_MAX;
        page.line(
            Tone::Faint,
            format_args!("  and {more} more; --json has all"),
        );
    }
}

fn usage(page: &mut Page, usage: &UsageFigures) {
    heading(page, "Retrieval");
    let percent = |share: Option<f64>| match share {
        Some(share) => format!("{:.0}%", share * 100.0),
        None => "-".to_owned(),
    };
    page.field("retrievals", usage.retrievals);
    page.field("with a hit", percent(usage.hit_rate));
    page.field("with harm", percent(usage.harm_rate));
    let mean = usage.returned_mean.map(|mean| format!("{mean:.1}"));
    page.field("bullets each", mean.unwrap_or_else(|| "-".to_owned()));
    page.field("returned", usage.returned);
    page.field("injected", usage.injected);
    page.field("used", usage.used);
    page.field("helped", usage.helped);
    page.field("harmed", usage.harmed);
    page.field("never returned", usage.never_returned);
    page.prose(
        Tone::Faint,
        2,
        "a hit is a retrieval with a bullet that was used or helped; one that returns nothing \
         leaves no record",
    );
}

fn growth(page: &mut Page, figures: &FiguresResponse) {
    if figures.growth.is_empty() {
        return;
    }
    heading(page, "Newest deltas");
    let row = |one: &Growth| {
        vec![
            one.revision.to_string(),
            one.added.to_string(),
            one.merged.to_string(),
            one.updated.to_string(),
            one.archived.to_string(),
            one.reasoning.clone().unwrap_or_else(|| one.delta.clone()),
        ]
    };
    let rows: Vec<Vec<String>> = figures.growth.iter().map(row).collect();
    page.table(
        &["REVISION", "ADDED", "MERGED", "UPDATED", "ARCHIVED", "WHY"],
        &rows,
    );
}
