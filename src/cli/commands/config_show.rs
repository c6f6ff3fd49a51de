//! Command `config show`: all settings, their sources, and where a memory overrides them.

use std::path::Path;

use serde_json::Value;

use super::CommandResult;
use crate::output::{Outcome, Page, Tone};
use crate::session::Session;
use crate::{lesson_rules, policy};
use hindlore::Engine;
use hindlore_api::problem::Problem;
use hindlore_api::responses::policy_fields;
use hindlore_api::responses::settings::{ConfigResponse, PolicyDifference, SettingResponse};
use hindlore_config::{PlaceKind, kind_of_place};
use hindlore_domain::memory::policy::Policy;

/// Explanations of settings whose names do not suffice.
const ABOUT: &str = "seeds: new memories begin with three pieces of general advice, which nobody has learned; advice: \
    these go into answers and prompts without --with-advice; policy.*: for new memories, an old one keeps its own";

/// Shows the settings.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let local = session.engine_options()?.policy;
    let mut settings = plain_settings(session);
    settings.extend(policy_settings(session, &local));
    let file = session.settings.file();
    let shown = ConfigResponse {
        file: file.map(|path| path.to_string_lossy().into_owned()),
        faults: session.faults().iter().map(Into::into).collect(),
        settings,
        differences: differences(session, &local).await?,
    };
    session.output.show(&shown, |page| text(page, &shown))?;
    Ok(Outcome::Done)
}

/// Writes the rules of lessons in force.
pub(crate) fn lesson_rules(session: &Session) -> CommandResult {
    let text = lesson_rules::written(&session.settings)?;
    session.output.raw(format!("{text}\n").as_bytes())?;
    Ok(Outcome::Done)
}

/// Writes the table of memory types and topics in force.
pub(crate) fn type_rules(session: &Session) -> CommandResult {
    let tables = policy::tables(&session.settings)?;
    let text = serde_json::to_string_pretty(&tables.rules);
    let text = text.map_err(|error| {
        Problem::new(
            "internal_error",
            format!("the table has no JSON form: {error}"),
        )
    })?;
    session.output.raw(format!("{text}\n").as_bytes())?;
    Ok(Outcome::Done)
}

fn plain_settings(session: &Session) -> Vec<SettingResponse> {
    let shown = session.settings.shown();
    shown
        .filter(|(name, _)| !name.starts_with("policy."))
        .map(|(name, setting)| SettingResponse {
            name: name.to_owned(),
            value: setting.value,
            source: setting.origin.to_string(),
        })
        .collect()
}

/// The policy of new memories, field by field, with parts where a field has them.
fn policy_settings(session: &Session, local: &Policy) -> Vec<SettingResponse> {
    let mut shown = Vec::new();
    for (field, value) in policy_fields(local) {
        let parts = match value {
            Value::Object(parts) => parts
                .into_iter()
                .map(|(part, value)| (format!("{field}.{part}"), value))
                .collect(),
            value => vec![(field, value)],
        };
        shown.extend(parts.into_iter().map(|(path, value)| SettingResponse {
            source: session.settings.policy_origin(&path).to_string(),
            name: format!("policy.{path}"),
            value,
        }));
    }
    shown
}

/// Fields in which the stored policy of the selected memory differs; absent if none is selected or found.
async fn differences(
    session: &Session,
    local: &Policy,
) -> Result<Option<Vec<PolicyDifference>>, Problem> {
    if !session.settings.is_given("learner") {
        return Ok(None);
    }
    let Some(engine) = engine(session).await? else {
        return Ok(None);
    };
    let Some(head) = engine.head(&session.key()?).await? else {
        return Ok(None);
    };
    let stored = policy_fields(&head.policy);
    let differing = policy_fields(local)
        .into_iter()
        .filter_map(|(field, local)| {
            let stored = stored.get(&field).cloned().unwrap_or_default();
            (stored != local).then_some(PolicyDifference {
                field,
                stored,
                local,
            })
        });
    Ok(Some(differing.collect()))
}

/// The store if it exists: showing settings creates none.
async fn engine(session: &Session) -> Result<Option<Engine>, Problem> {
    let place = session.settings.text_or_empty("store");
    match kind_of_place(place) {
        PlaceKind::File if Path::new(place).exists() => Ok(Some(session.engine()?)),
        // Settings must be shown especially when the server cannot be reached.
        PlaceKind::Server => match session.engine_as_it_is().await {
            Ok(engine) => Ok(Some(engine)),
            Err(problem) => {
                let said = format!("the policy of the memory was not looked at: {problem}");
                session.output.note(&said);
                Ok(None)
            }
        },
        PlaceKind::File | PlaceKind::Unknown(_) => Ok(None),
    }
}

fn text(page: &mut Page, shown: &ConfigResponse) {
    let file = shown.file.as_deref().unwrap_or("none");
    page.field("file", file);
    for fault in &shown.faults {
        page.hanging(Tone::Bad, "not valid       ", &fault.message);
        if let Some(hint) = &fault.hint {
            page.hanging(Tone::Faint, "                ", hint);
        }
    }
    page.gap();
    let longest = shown.settings.iter().map(|one| one.name.len()).max();
    let width = longest.unwrap_or_default() + 2;
    for one in &shown.settings {
        // Values are not cut, because paths are there to be copied.
        let name = format!("{:<width$}", one.name);
        let who = match one.source.as_str() {
            "default" => String::new(),
            source => format!("  (from {source})"),
        };
        page.hanging(Tone::Plain, &name, &format!("{}{who}", plain(&one.value)));
    }
    page.gap();
    page.prose(Tone::Faint, 0, ABOUT);
    let Some(differences) = &shown.differences else {
        return;
    };
    page.gap();
    if differences.is_empty() {
        return page.line(Tone::Good, "the memory has the local policy");
    }
    page.line(
        Tone::Heading,
        "the memory decides by its own policy, which differs:",
    );
    let rows: Vec<Vec<String>> = differences
        .iter()
        .map(|one| vec![one.field.clone(), plain(&one.stored), plain(&one.local)])
        .collect();
    page.table(&["FIELD", "STORED", "LOCAL"], &rows);
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}
