//! `analyze interactive`: explore by typing commands, on a terminal or through a pipe.

use std::io::{IsTerminal, Write};

use tokio::io::{AsyncBufReadExt, BufReader, stdin};

use super::{search, summary};
use crate::commands::CommandResult;
use crate::output::wrap::beginning;
use crate::output::{Outcome, Page, Tone, explanation};
use crate::session::{OpenMemory, Session};
use hindlore::{BulletDetail, RetrieveRequest};
use hindlore_api::problem::Problem;
use hindlore_api::responses::figures::FiguresResponse;
use hindlore_domain::memory::bullet::Bullet;
use hindlore_domain::memory::query::Query;
use hindlore_store::DeltaPage;

/// Maximum bullets in a listing.
const LIST_MAX: usize = 200;
/// Maximum deltas in the history.
const DELTAS_MAX: usize = 20;
/// Maximum bullets in an explanation.
const EXPLAINED: usize = 5;

const HELP: &[(&str, &str)] = &[
    ("summary", "all figures of the memory"),
    ("top", "the strongest and the most helpful bullets"),
    (
        "categories",
        "how many bullets have each section, topic and tag",
    ),
    ("list", "the active bullets"),
    ("search WORDS", "bullets of every status with all the words"),
    ("show ID", "one bullet with its strength, use and history"),
    (
        "explain QUERY",
        "what would be retrieved, and why; leaves no trace",
    ),
    ("conflicts", "pairs that wait for review"),
    ("history", "the newest deltas"),
    ("help", "this list"),
    ("quit", "the end"),
];

/// Answers typed commands until input ends.
pub(crate) async fn run(session: &Session) -> CommandResult {
    if session.output.is_json() {
        let message = "`analyze interactive` talks to people and has no --json";
        return Err(Problem::new("invalid_usage", message)
            .with_hint("`analyze summary` and `analyze search` have it"));
    }
    let memory = session.open_there()?;
    let view = memory.view().await?;
    session.output.show(&(), |page| {
        let count = view.status_counts.active;
        let key = &memory.key;
        page.line(
            Tone::Heading,
            format_args!("{key}: {count} active bullets; `help` lists the commands"),
        );
    })?;
    let mut lines = BufReader::new(stdin()).lines();
    loop {
        prompt();
        let line = lines.next_line().await.map_err(|error| {
            Problem::new("unreadable_input", format!("stdin cannot be read: {error}"))
                .with_hint("type on a terminal, or pipe text in")
        })?;
        let Some(line) = line else { break };
        let (verb, rest) = split(&line);
        match verb.to_lowercase().as_str() {
            "quit" | "exit" | "q" => break,
            verb => answer(session, &memory, verb, rest).await?,
        }
    }
    Ok(Outcome::Done)
}

/// Prompts for the next line, if on a terminal.
fn prompt() {
    if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() {
        let mut out = std::io::stdout();
        // A lost prompt does no harm.
        let _ = write!(out, "> ").and_then(|()| out.flush());
    }
}

fn split(line: &str) -> (&str, &str) {
    let line = line.trim();
    match line.split_once(char::is_whitespace) {
        Some((verb, rest)) => (verb, rest.trim()),
        None => (line, ""),
    }
}

/// Answers one command; an error is shown, and the session continues.
async fn answer(
    session: &Session,
    memory: &OpenMemory,
    verb: &str,
    rest: &str,
) -> Result<(), Problem> {
    let mut page = session.output.new_page();
    let done = match verb {
        "" => Ok(()),
        "help" | "?" => {
            help(&mut page);
            Ok(())
        }
        "summary" | "top" | "categories" => figures(&mut page, memory, verb).await,
        "list" => list(&mut page, memory).await,
        "search" | "show" | "explain" if rest.is_empty() => Err(Problem::new(
            "invalid_usage",
            format!("`{verb}` needs to know what"),
        )
        .with_hint("`help` lists the commands")),
        "search" => find(&mut page, memory, rest).await,
        "show" => show(&mut page, memory, rest).await,
        "explain" => explain(&mut page, memory, rest).await,
        "conflicts" => conflicts(&mut page, memory).await,
        "history" => history(&mut page, memory).await,
        _ => {
            let name = beginning(verb, 40);
            Err(
                Problem::new("invalid_usage", format!("`{name}` is not a command"))
                    .with_hint("`help` lists the commands"),
            )
        }
    };
    if let Err(problem) = done {
        page.line(Tone::Bad, problem);
    }
    session.output.page(page)
}

fn help(page: &mut Page) {
    for (command, what) in HELP {
        page.line(Tone::Plain, format_args!("{command:<16}{what}"));
    }
}

/// Shows the figures of the memory, or a part of them.
async fn figures(page: &mut Page, memory: &OpenMemory, part: &str) -> Result<(), Problem> {
    let gathered = memory.engine.memory_figures(&memory.key).await?;
    let figures = FiguresResponse::from(&gathered);
    match part {
        "top" => summary::top(page, &figures),
        "categories" => summary::categories(page, &figures),
        _ => summary::write(page, &figures),
    }
    Ok(())
}

async fn list(page: &mut Page, memory: &OpenMemory) -> Result<(), Problem> {
    let view = memory.view().await?;
    let active: Vec<&Bullet> = view.bullets.iter().filter(|b| b.is_active()).collect();
    for bullet in active.iter().take(LIST_MAX) {
        let id = page.id(bullet.id);
        let text = page.beginning(bullet.content.as_str(), id.len() + 2);
        page.line(Tone::Plain, format_args!("{id}  {text}"));
    }
    let total = active.len();
    page.line(Tone::Faint, format_args!("{total} active bullets"));
    Ok(())
}

async fn find(page: &mut Page, memory: &OpenMemory, words: &str) -> Result<(), Problem> {
    let view = memory.view().await?;
    let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    let found = search::found(&view.bullets, &words);
    let first = &found[..found.len().min(LIST_MAX)];
    search::write(page, first, found.len());
    Ok(())
}

async fn show(page: &mut Page, memory: &OpenMemory, id: &str) -> Result<(), Problem> {
    let detail = memory.engine.bullet(&memory.key, id).await?;
    let bullet = &detail.bullet;
    let counts = bullet.counts;
    page.line(
        Tone::Heading,
        format_args!(
            "{}  {}  +{}/-{}  {}",
            bullet.id, bullet.status, counts.helpful, counts.harmful, bullet.memory_type
        ),
    );
    page.block(bullet.content.as_str());
    page.field("strength", format_args!("{:.1}", detail.decayed_score));
    page.field("kept", format_args!("{:.0}%", detail.retention * 100.0));
    page.field("helpfulness", format_args!("{:.2}", detail.helpfulness));
    let usage = detail.usage;
    page.field(
        "returned",
        format_args!(
            "{} times, {} used, {} helped, {} harmed",
            usage.retrieved, usage.used, usage.helped, usage.harmed
        ),
    );
    past(page, &detail);
    Ok(())
}

fn past(page: &mut Page, detail: &BulletDetail) {
    for link in &detail.links {
        let reason = link.reason.clone().unwrap_or_default();
        let (kind, from, to) = (link.id.kind, link.id.from, link.id.to);
        page.field("link", format_args!("{from} {kind} {to} {reason}"));
    }
    for later in &detail.history {
        page.field(
            &format!("revision {}", later.revision),
            format_args!("{} by {}", later.change.kind, later.delta),
        );
    }
}

async fn explain(page: &mut Page, memory: &OpenMemory, query: &str) -> Result<(), Problem> {
    let query = Query {
        top_k: EXPLAINED,
        ..Query::new(query)
    };
    let request = RetrieveRequest::peek(query);
    let retrieved = memory.engine.retrieve(&memory.key, request).await?;
    if retrieved.bullets.is_empty() {
        page.line(Tone::Faint, "nothing would be retrieved");
    }
    explanation::answer(page, &retrieved);
    Ok(())
}

async fn conflicts(page: &mut Page, memory: &OpenMemory) -> Result<(), Problem> {
    let gathered = memory.engine.memory_figures(&memory.key).await?;
    let figures = FiguresResponse::from(&gathered);
    if figures.conflicts.is_empty() && figures.duplicates.is_empty() {
        page.line(Tone::Faint, "nothing waits for review");
    }
    summary::pairs(page, "Opposites", &figures.conflicts);
    summary::pairs(page, "Near duplicates", &figures.duplicates);
    Ok(())
}

async fn history(page: &mut Page, memory: &OpenMemory) -> Result<(), Problem> {
    let newest = DeltaPage {
        below_revision: None,
        limit: DELTAS_MAX,
    };
    for delta in memory.engine.deltas(&memory.key, newest).await? {
        let why = delta.reasoning.clone().unwrap_or_default();
        let (revision, tick, at) = (delta.revision, delta.tick, delta.at);
        page.line(
            Tone::Plain,
            format_args!(
                "revision {revision}  tick {tick}  {at}  {}  {}",
                delta.id,
                beginning(&why, 60)
            ),
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_verb_and_the_rest() {
        assert_eq!(split("  show  b_1 "), ("show", "b_1"));
        assert_eq!(split("list"), ("list", ""));
        assert_eq!(split(" "), ("", ""));
        assert_eq!(
            split("explain how do I  retry"),
            ("explain", "how do I  retry")
        );
    }
}
