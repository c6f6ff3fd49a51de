//! `analyze search`: bullets of any status that contain all words.

use crate::args::analyze::SearchArgs;
use crate::commands::CommandResult;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::BulletResponse;
use hindlore_api::responses::analyzed::FoundResponse;
use hindlore_domain::memory::bullet::Bullet;

/// Shows the matches.
pub(crate) async fn run(session: &Session, args: SearchArgs) -> CommandResult {
    let view = session.open_there()?.view().await?;
    let all = found(&view.bullets, &args.words);
    let first: Vec<&Bullet> = all.iter().copied().take(args.limit).collect();
    let bullets = first.iter().map(|bullet| BulletResponse::from(*bullet));
    let answer = FoundResponse {
        bullets: bullets.collect(),
        total: all.len(),
        words: args.words,
    };
    session
        .output
        .show(&answer, |page| write(page, &first, all.len()))?;
    Ok(Outcome::found(!all.is_empty()))
}

/// Bullets that contain all words, ignoring case; active ones first.
pub(super) fn found<'b>(bullets: &'b [Bullet], words: &[String]) -> Vec<&'b Bullet> {
    let words: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let has_all = |bullet: &&Bullet| {
        let text = searched(bullet);
        words.iter().all(|word| text.contains(word))
    };
    let mut found: Vec<&Bullet> = bullets.iter().filter(has_all).collect();
    found.sort_by_key(|bullet| !bullet.is_active());
    found
}

/// All texts of a bullet in one.
fn searched(bullet: &Bullet) -> String {
    let id = bullet.id.to_string();
    let others = [
        bullet.section.as_deref(),
        bullet.topic.as_deref(),
        bullet.concept.as_deref(),
        bullet.legacy_id.as_deref(),
    ];
    let mut parts = vec![bullet.content.as_str(), &id];
    parts.extend(others.into_iter().flatten());
    parts.extend(bullet.tags.iter().map(String::as_str));
    parts.join("\n").to_lowercase()
}

/// Writes bullets with status, votes, and section.
pub(super) fn write(page: &mut Page, bullets: &[&Bullet], total: usize) {
    for bullet in bullets {
        let section = bullet.section.as_deref().unwrap_or("no section");
        let tone = if bullet.is_active() {
            Tone::Heading
        } else {
            Tone::Faint
        };
        page.line(
            tone,
            format_args!(
                "{}  {}  +{}/-{}  {}  {section}",
                page.id(bullet.id),
                bullet.status,
                bullet.counts.helpful,
                bullet.counts.harmful,
                bullet.memory_type
            ),
        );
        page.prose(Tone::Plain, 2, bullet.content.as_str());
    }
    let more = total.saturating_sub(bullets.len());
    match (total, more) {
        (0, _) => page.nothing_found(),
        (_, 0) => page.line(Tone::Faint, format_args!("{total} found")),
        _ => page.line(Tone::Faint, format_args!("{total} found, {more} not shown")),
    }
}
