//! Command `bullets show`: everything known about a bullet.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::{BulletResponse, ChangeResponse, DetailResponse};
use hindlore_api::verbs::bullets::ShowBullet;

pub(crate) const FORM: Form = Form::new("bullets.show", &[("id", Typed::Word("ID"))]);

/// Shows one bullet.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: ShowBullet = request.read(session)?;
    let access = session.access_there()?;
    let shown = session
        .wait("reading the bullet", access.answer(request))
        .await?;
    session.output.show(&shown, |page| {
        about(page, &shown.bullet);
        now(page, &shown);
        links(page, &shown);
        history(page, &shown.history);
    })?;
    Ok(Outcome::Done)
}

fn about(page: &mut Page, bullet: &BulletResponse) {
    page.line(Tone::Heading, bullet.id);
    if bullet.planted {
        page.line(
            Tone::Faint,
            "general advice that came with the memory; it was not learned here",
        );
    }
    page.block(&bullet.content);
    page.gap();
    page.field("status", bullet.status);
    if bullet.pinned {
        page.field("pinned", "yes");
    }
    page.field("type", bullet.memory_type);
    page.field("kind", bullet.kind);
    page.field(
        "votes",
        format_args!(
            "helpful {}, harmful {}, neutral {}",
            bullet.helpful, bullet.harmful, bullet.neutral
        ),
    );
    for (name, text) in [
        ("section", &bullet.section),
        ("topic", &bullet.topic),
        ("concept", &bullet.concept),
        ("legacy id", &bullet.legacy_id),
    ] {
        if let Some(text) = text {
            page.field(name, text);
        }
    }
    if !bullet.tags.is_empty() {
        page.field("tags", bullet.tags.join(", "));
    }
    page.field("source", bullet.source);
    page.field("importance", bullet.importance);
    page.field(
        "created",
        format_args!("{} at tick {}", bullet.created_at, bullet.created_tick),
    );
    if let Some(days) = bullet.ttl_days {
        page.field("expires", format_args!("{days} days after that"));
    }
    if let Some(into) = bullet.merged_into {
        page.field("merged into", into);
    }
}

fn now(page: &mut Page, shown: &DetailResponse) {
    let touched = match shown.bullet.access_index {
        Some(tick) => format!("last touched at tick {tick}"),
        None => "never touched".to_owned(),
    };
    page.gap();
    page.line(Tone::Heading, format_args!("at tick {}", shown.clock));
    page.field(
        "strength",
        format_args!(
            "{:.3} of {:.3} left, {touched}",
            shown.decayed_score, shown.bullet.strength
        ),
    );
    page.field("retention", format_args!("{:.3}", shown.retention));
    page.field("helpfulness", format_args!("{:.3}", shown.helpfulness));
    page.field("importance", format_args!("{:.1}", shown.importance_now));
    let usage = &shown.usage;
    page.field(
        "usage",
        format_args!(
            "retrieved {}, injected {}, used {}, helped {}, harmed {}, ignored {}",
            usage.retrieved, usage.injected, usage.used, usage.helped, usage.harmed, usage.ignored
        ),
    );
}

fn links(page: &mut Page, shown: &DetailResponse) {
    if shown.links.is_empty() {
        return;
    }
    page.gap();
    let rows: Vec<Vec<String>> = shown
        .links
        .iter()
        .map(|link| {
            vec![
                link.kind.to_string(),
                page.id(link.from),
                page.id(link.to),
                link.reason.clone().unwrap_or_default(),
            ]
        })
        .collect();
    page.table(&["LINK", "FROM", "TO", "REASON"], &rows);
}

fn history(page: &mut Page, history: &[ChangeResponse]) {
    if history.is_empty() {
        return;
    }
    page.gap();
    let rows: Vec<Vec<String>> = history
        .iter()
        .map(|one| {
            let counts = one.counts;
            vec![
                one.revision.to_string(),
                one.change.to_string(),
                format!(
                    "{:+}/{:+}/{:+}",
                    counts.helpful, counts.harmful, counts.neutral
                ),
                page.id(&one.delta),
            ]
        })
        .collect();
    page.table(&["REVISION", "CHANGE", "VOTES", "DELTA"], &rows);
}
