//! Command `policy show`: the policy of a memory, or the one a new memory would get.

use serde_json::Value;

use crate::commands::CommandResult;
use crate::form::{Form, Request};
use crate::output::{Outcome, Tone};
use crate::policy_words::meaning;
use crate::session::Session;
use crate::session::unknown_names;
use hindlore::plain;
use hindlore_api::responses::policy_fields;
use hindlore_api::verbs::policy::ShowPolicy;
use hindlore_domain::memory::policy::Policy;

pub(crate) const FORM: Form = Form::new("policy.show", &[]);

/// Shows the policy.
pub(crate) async fn run(session: &Session, request: Request) -> CommandResult {
    let request: ShowPolicy = request.read(session)?;
    let access = session.access_there()?;
    let shown = session
        .wait("reading the policy", access.answer(request))
        .await?;
    session.output.show(&shown, |page| {
        if shown.stored {
            page.line(Tone::Heading, format_args!("policy of {}", access.key()))
        } else {
            page.line(
                Tone::Heading,
                format_args!(
                    "there is no memory {} yet; it would begin with",
                    access.key()
                ),
            )
        }
        let parts = parts(&shown.policy);
        let width = |cell: fn(&Part) -> &String| {
            let sizes = parts.iter().map(|part| cell(part).chars().count());
            sizes.max().unwrap_or_default() + 2
        };
        let (names, values) = (width(|part| &part.name), width(|part| &part.value));
        for part in &parts {
            let mark = format!("{:<names$}{:<values$}", part.name, part.value);
            page.hanging(Tone::Plain, &mark, part.meaning);
        }
    })?;
    unknown_names::note_absent(session).await?;
    Ok(Outcome::Done)
}

/// A policy field, or a part of one.
struct Part {
    name: String,
    value: String,
    meaning: &'static str,
}

fn parts(policy: &Policy) -> Vec<Part> {
    let mut all = Vec::new();
    for (field, value) in policy_fields(policy) {
        let meaning = meaning(&field);
        let named = match value {
            Value::Object(parts) => parts
                .into_iter()
                .map(|(part, value)| (format!("{field}.{part}"), value))
                .collect(),
            value => vec![(field, value)],
        };
        all.extend(named.into_iter().map(|(name, value)| Part {
            name,
            value: plain(&value),
            meaning,
        }));
    }
    all
}
