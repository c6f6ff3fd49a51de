//! `analyze export`: a report to read, print, or send.

use std::path::Path;

use super::summary;
use crate::args::analyze::ExportArgs;
use crate::commands::CommandResult;
use crate::confirm;
use crate::output::words::plural;
use crate::output::{Outcome, Page, Tone, file};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_api::responses::BulletResponse;
use hindlore_api::responses::analyzed::{ReportFileResponse, ReportResponse};
use hindlore_api::responses::figures::FiguresResponse;
use hindlore_domain::memory::bullet::{Bullet, Status};

/// Writes the report.
pub(crate) async fn run(session: &Session, args: ExportArgs) -> CommandResult {
    let memory = session.open_there()?;
    let gathered = memory.engine.memory_figures(&memory.key).await?;
    let view = &gathered.view;
    let report = ReportResponse {
        summary: FiguresResponse::from(&gathered),
        bullets: view.bullets.iter().map(BulletResponse::from).collect(),
    };
    let write = |page: &mut Page| {
        summary::write(page, &report.summary);
        sections(page, &view.bullets);
        put_away(page, &view.bullets);
    };
    let Some(path) = &args.file else {
        session.output.show(&report, write)?;
        return Ok(Outcome::Done);
    };
    let text = if session.output.is_json() {
        let text = serde_json::to_string(&report);
        text.map_err(not_json)? + "\n"
    } else {
        let mut page = Page::new(None);
        write(&mut page);
        page.plain()
    };
    write_over(session, path, &text, args.yes).await?;
    told(session, path, view.bullets.len())
}

/// Writes a file whole, after a question when one is there.
pub(super) async fn write_over(
    session: &Session,
    path: &Path,
    text: &str,
    yes: bool,
) -> Result<(), Problem> {
    file::must_not_hold_a_store(path, session.settings.text("store").unwrap_or_default())?;
    if path.is_file() {
        let question = format!("write over `{}`, which is there", path.display());
        confirm::ask(question, yes).await?;
    }
    file::replace(path, text.as_bytes())
}

/// Reports the written files.
pub(super) fn told(session: &Session, path: &Path, bullets: usize) -> CommandResult {
    let told = ReportFileResponse {
        file: path.display().to_string(),
        bullets,
    };
    session.output.show(&told, |page| {
        let (count, path) = (plural(bullets, "bullet"), path.display());
        page.line(Tone::Good, format_args!("wrote {count} to {path}"));
    })?;
    Ok(Outcome::Done)
}

fn not_json(error: serde_json::Error) -> Problem {
    Problem::new("internal_error", format!("the report is not JSON: {error}"))
}

/// Writes the active bullets by section, in order of insertion.
fn sections(page: &mut Page, bullets: &[Bullet]) {
    let active: Vec<&Bullet> = bullets.iter().filter(|bullet| bullet.is_active()).collect();
    let mut names: Vec<Option<&str>> = Vec::new();
    for bullet in &active {
        let name = bullet.section.as_deref();
        if !names.contains(&name) {
            names.push(name);
        }
    }
    for name in names {
        page.gap();
        page.line(Tone::Heading, name.unwrap_or("(no section)"));
        let own = active.iter().filter(|b| b.section.as_deref() == name);
        own.for_each(|bullet| one(page, bullet));
    }
}

fn one(page: &mut Page, bullet: &Bullet) {
    let counts = bullet.counts;
    let mark = format!("  [+{}/-{}] ", counts.helpful, counts.harmful);
    page.hanging(Tone::Plain, &mark, bullet.content.as_str());
    let tags = if bullet.tags.is_empty() {
        String::new()
    } else {
        format!(", {}", bullet.tags.join(", "))
    };
    let pinned = if bullet.pinned { ", pinned" } else { "" };
    let about = format!("{}, {}{tags}{pinned}", bullet.id, bullet.memory_type);
    page.prose(Tone::Faint, 4, &about);
}

/// Writes the bullets kept only for audit.
fn put_away(page: &mut Page, bullets: &[Bullet]) {
    for (status, name) in [
        (Status::Archived, "Archived"),
        (Status::Rejected, "Rejected by a person"),
    ] {
        let own: Vec<&Bullet> = bullets.iter().filter(|b| b.status == status).collect();
        if own.is_empty() {
            continue;
        }
        page.gap();
        page.line(Tone::Heading, format_args!("{name} ({})", own.len()));
        for bullet in own {
            one(page, bullet);
            if let Some(into) = bullet.merged_into {
                page.line(Tone::Faint, format_args!("    merged into {into}"));
            }
        }
    }
}
