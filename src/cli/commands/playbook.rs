//! Commands about playbooks: how they are typed, and the pages of those that people read.

use std::path::Path;

use serde_json::Value;

use super::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::input;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use hindlore_api::responses::playbooks::{
    PlaybookChangedResponse, StrategyChangeResponse, StrategyResponse, VersionResponse,
};
use hindlore_api::verb::Verb;
use hindlore_api::verbs::playbook_exchange::{ExportPlaybook, ImportPlaybook};
use hindlore_api::verbs::playbook_views::{
    DiffPlaybook, FindStrategies, ListVersions, ShowPlaybook,
};
use hindlore_domain::playbook::sentence;

const NAMED: (&str, Typed) = ("playbook", Typed::Word("PLAYBOOK"));
const STRATEGIES: (&str, Typed) = (
    "strategies",
    Typed::Json("Strategies: [{\"category\": \"helpful\", \"pattern\": …, \"context\": …}]"),
);

/// Commands whose answer needs no page of its own.
pub(super) const PLAIN: &[Form] = &[
    Form::new("playbook.delete", &[NAMED]),
    Form::new("playbook.use", &[NAMED]),
];

pub(super) const INTO_MEMORY: Form = Form::new("playbook.into-memory", &[NAMED]);

pub(super) const CREATE: Form = Form::new("playbook.create", &[NAMED, STRATEGIES]);
pub(super) const UPDATE: Form = Form::new("playbook.update", &[NAMED, STRATEGIES]);
pub(super) const RESTORE: Form = Form::new("playbook.restore", &[NAMED]);
pub(super) const FROM_MEMORY: Form = Form::new(
    "playbook.from-memory",
    &[NAMED, ("sections", Typed::Named("section"))],
);
pub(super) const SHOW: Form = Form::new("playbook.show", &[NAMED]);
pub(super) const VERSIONS: Form = Form::new("playbook.versions", &[NAMED]);
pub(super) const DIFF: Form = Form::new("playbook.diff", &[NAMED]);
pub(super) const FIND: Form = Form::new(
    "playbook.strategies",
    &[
        ("task", Typed::Words("TASK")),
        ("playbooks", Typed::Named("playbook")),
    ],
);
pub(super) const CURATE: Form = Form::new(
    "playbook.curate",
    &[
        NAMED,
        ("reflections", Typed::Named("reflection")),
        ("trajectories", Typed::Named("trajectory")),
    ],
);
pub(super) const IMPORT: Form = Form::new(
    "playbook.import",
    &[
        (
            "text",
            Typed::File("FILE", "File to import, or - for stdin"),
        ),
        ("playbook", Typed::Named("name")),
    ],
);
pub(super) const EXPORT: Form = Form::new("playbook.export", &[NAMED]);

/// Shows a playbook, or its prompt alone.
pub(super) async fn show(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ShowPlaybook>("reading", request).await?;
    if let Some(prompt) = shown.prompt.as_ref().filter(|_| !session.output.is_json()) {
        session.output.text(&prompt.text)?;
        return Ok(Outcome::Done);
    }
    session.output.show(&shown, |page| {
        let of = &shown.playbook;
        page.line(Tone::Heading, &of.name);
        if !of.description.is_empty() {
            page.field("for", &of.description);
        }
        page.field("scope", format_args!("{}, {}", of.scope, of.visibility));
        if let Some(version) = &shown.version {
            page.field(
                "version",
                format_args!("{}: {}", version.number, version.reason),
            );
        }
        if let Some(rate) = of.success_rate {
            page.field(
                "uses",
                format_args!("{}, success {rate:.2}", of.usage_count),
            );
        }
        page.gap();
        strategies(page, &shown.strategies);
    })?;
    Ok(Outcome::Done)
}

/// Lists versions.
pub(super) async fn versions(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListVersions>("reading", request).await?;
    session.output.show(&shown, |page| {
        let row = |one: &VersionResponse| {
            let mark = match (one.major, one.retired) {
                (true, _) => "major",
                (false, true) => "retired",
                (false, false) => "",
            };
            let digest = one.digest.chars().take(12).collect();
            vec![
                one.number.to_string(),
                page.moment(one.at),
                one.strategies.to_string(),
                mark.to_owned(),
                digest,
                one.reason.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = shown.versions.iter().map(row).collect();
        page.table(
            &["VERSION", "AT", "STRATEGIES", "KEPT", "DIGEST", "REASON"],
            &rows,
        );
    })?;
    Ok(Outcome::from_verb::<ListVersions>(&shown))
}

/// Shows the differences between two versions.
pub(super) async fn diff(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<DiffPlaybook>("comparing", request).await?;
    session.output.show(&shown, |page| {
        page.line(
            Tone::Heading,
            format_args!("{}: version {} to {}", shown.playbook, shown.from, shown.to),
        );
        for one in &shown.removed {
            page.line(Tone::Bad, format_args!("- {} {}", one.category, said(one)));
        }
        for one in &shown.added {
            page.line(Tone::Good, format_args!("+ {} {}", one.category, said(one)));
        }
        for one in &shown.changed {
            page.line(
                Tone::Plain,
                format_args!("~ {} {}", one.after.category, said(&one.after)),
            );
            let (before, after) = (&one.before, &one.after);
            let line = format_args!(
                "    worked {} -> {}, failed {} -> {}, confidence {:.2} -> {:.2}",
                before.worked,
                after.worked,
                before.failed,
                after.failed,
                before.confidence,
                after.confidence
            )
            .to_string();
            page.line(Tone::Faint, line);
        }
        if DiffPlaybook::is_empty(&shown) {
            page.line(Tone::Plain, "they are the same");
        }
    })?;
    Ok(Outcome::from_verb::<DiffPlaybook>(&shown))
}

/// Finds strategies for a task.
pub(super) async fn find(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<FindStrategies>("ranking", request).await?;
    session.output.show(&shown, |page| {
        for one in &shown.strategies {
            let of = &one.strategy;
            page.line(
                Tone::Plain,
                format_args!("{:.2}  {} {}", one.relevance, of.category, said(of)),
            );
            let line = format!(
                "      {}, confidence {:.2}, worked {} of {}",
                one.playbook,
                of.confidence,
                of.worked,
                of.worked + of.failed
            );
            page.line(Tone::Faint, line);
        }
    })?;
    Ok(Outcome::from_verb::<FindStrategies>(&shown))
}

/// Changes a playbook, and explains each changed strategy.
pub(super) async fn change<V>(session: &Session, request: Request) -> CommandResult
where
    V: Verb<Answer = PlaybookChangedResponse>,
{
    let shown = session
        .answer::<V>("changing the playbook", request)
        .await?;
    session.output.show(&shown, |page| changed(page, &shown))?;
    Ok(Outcome::Done)
}

/// Imports a file.
pub(super) async fn import(session: &Session, mut request: Request) -> CommandResult {
    let path = request
        .get("text")
        .and_then(Value::as_str)
        .unwrap_or("-")
        .to_owned();
    let text = input::text(Path::new(&path)).await?;
    request.set("text", text);
    let shown = session
        .answer::<ImportPlaybook>("importing", request)
        .await?;
    session.output.show(&shown, |page| changed(page, &shown))?;
    Ok(Outcome::Done)
}

/// Writes the text of the file to stdout.
pub(super) async fn export(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ExportPlaybook>("reading", request).await?;
    if session.output.is_json() {
        session.output.show(&shown, |_| ())?;
    } else {
        session.output.raw(shown.text.as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn changed(page: &mut Page, shown: &PlaybookChangedResponse) {
    let version = if shown.new_version {
        "new version"
    } else {
        "version"
    };
    page.line(
        Tone::Heading,
        format_args!("{}: {version} {}", shown.playbook, shown.version),
    );
    let lists: [(&str, &[StrategyChangeResponse]); 4] = [
        ("added", &shown.added),
        ("updated", &shown.updated),
        ("removed", &shown.removed),
        ("left out", &shown.left_out),
    ];
    for (word, list) in lists {
        for one in list {
            page.line(Tone::Plain, format_args!("{word}: {}", one.pattern));
            page.line(Tone::Faint, format_args!("    {}", one.reason));
        }
    }
    page.field("unchanged", shown.unchanged);
}

fn strategies(page: &mut Page, all: &[StrategyResponse]) {
    let row = |one: &StrategyResponse| {
        vec![
            one.category.word().to_owned(),
            format!("{:.2}", one.confidence),
            format!("{:.2}", one.consistency),
            format!("{}/{}", one.worked, one.failed),
            said(one),
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    page.table(&["CATEGORY", "SURE", "AT LEAST", "+/-", "STRATEGY"], &rows);
}

fn said(one: &StrategyResponse) -> String {
    sentence(&one.pattern, &one.context)
}
