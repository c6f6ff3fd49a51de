//! Command `policy set`: changes policy fields of a memory.

use serde_json::{Map, Value};

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Tone, receipts};
use crate::session::Session;
use hindlore_api::problem::Problem;
use hindlore_api::verbs::policy::{SetPolicy, refuse_unknown};

pub(crate) const FORM: Form = Form::new(
    "policy.set",
    &[(
        "fields",
        Typed::Texts(
            "FIELD=VALUE",
            "Fields and their values, as JSON or as bare words: floor=0.2 rates.episodic=0.1 max_bullets=null",
        ),
    )],
);

/// Changes the policy.
pub(crate) async fn run(session: &Session, mut request: Request) -> CommandResult {
    let fields = fields(&request.take_texts("fields"))?;
    refuse_unknown(&fields)?;
    request.set("fields", fields);
    let request: SetPolicy = request.read(session)?;
    let access = session.access_to_write().await?;
    let shown = session
        .wait("changing the policy", access.answer(request))
        .await?;
    session.output.show(&shown, |page| {
        for change in &shown.changes {
            page.line(Tone::Heading, change);
        }
        receipts::applied(page, &shown.applied);
    })?;
    Ok(Outcome::Done)
}

/// Parses `name=value` pairs as policy fields; a dot leads into a field, and a value that is not JSON is a
/// string.
fn fields(pairs: &[String]) -> Result<Map<String, Value>, Problem> {
    let mut fields = Map::new();
    for pair in pairs {
        let (name, value) = pair.split_once('=').ok_or_else(|| {
            Problem::new("invalid_usage", format!("`{pair}` is not FIELD=VALUE"))
                .with_hint("for example floor=0.2")
        })?;
        let value = serde_json::from_str(value).unwrap_or_else(|_| Value::from(value));
        match name.trim().split_once('.') {
            None => drop(fields.insert(name.trim().to_owned(), value)),
            Some((field, part)) => {
                let nested = fields
                    .entry(field)
                    .or_insert_with(|| Value::Object(Map::new()));
                if let Value::Object(parts) = nested {
                    parts.insert(part.to_owned(), value);
                }
            }
        }
    }
    Ok(fields)
}
