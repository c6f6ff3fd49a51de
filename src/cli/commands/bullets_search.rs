//! Command `bullets search`: bullets by words in their texts, tags and sections.
//!
//! What ranks well for the words comes first, then what merely holds them; nothing is recorded.

use std::collections::HashSet;

use super::CommandResult;
use crate::api::problem::Problem;
use crate::cli::args::bullets::{SearchArgs, StatusChoice};
use crate::cli::output::bullets;
use crate::cli::session::{OpenMemory, Session};
use crate::domain::memory::bullet::{Bullet, BulletId};
use crate::domain::memory::query::{QUERY_MAX_CHARS, Query, TOP_K_MAX};
use crate::engine::RetrieveRequest;

/// Searches for bullets.
pub(crate) async fn run(session: &Session, args: SearchArgs) -> CommandResult {
    let words = args.words.join(" ");
    let memory = session.open_there()?;
    let view = memory.view().await?;
    let ranked = match args.status {
        StatusChoice::Archived | StatusChoice::Rejected => Vec::new(),
        StatusChoice::Active | StatusChoice::All => ranked(&memory, &words).await?,
    };
    let mut seen = HashSet::new();
    let by_rank = ranked
        .iter()
        .filter_map(|id| view.bullets.iter().find(|one| one.id == *id));
    let by_words = view.bullets.iter().filter(|bullet| holds(bullet, &words));
    let found: Vec<&Bullet> = by_rank
        .chain(by_words)
        .filter(|bullet| args.status.admits(bullet.status) && seen.insert(bullet.id))
        .collect();
    bullets::show(&session.output, &view, &found, args.limit)
}

/// What a look for the words returns, best first.
async fn ranked(memory: &OpenMemory, words: &str) -> Result<Vec<BulletId>, Problem> {
    if words.trim().is_empty() || words.chars().count() > QUERY_MAX_CHARS {
        return Ok(Vec::new());
    }
    let query = Query {
        // Enough for any page of results; a place in the ranking does not depend on it.
        top_k: TOP_K_MAX.min(1_000),
        ..Query::new(words)
    };
    let request = RetrieveRequest::peek(query);
    let retrieved = memory.engine.retrieve(&memory.key, request).await?;
    Ok(retrieved.bullets.iter().map(|found| found.hit.id).collect())
}

/// Tells whether the text, a tag or the section holds all of the words, in any order.
fn holds(bullet: &Bullet, words: &str) -> bool {
    let mut text = bullet.content.as_str().to_lowercase();
    for more in bullet.tags.iter().chain(&bullet.section) {
        text.push('\n');
        text.push_str(&more.to_lowercase());
    }
    let mut wanted = words.split_whitespace().peekable();
    wanted.peek().is_some() && wanted.all(|word| text.contains(&word.to_lowercase()))
}
