//! Command `policy show`: the policy of a memory, or that of one that would be made now.

use serde_json::Value;

use super::CommandResult;
use crate::api::responses::{PolicyResponse, policy_fields};
use crate::cli::output::{Outcome, Tone};
use crate::cli::policy_words::meaning;
use crate::cli::session::Session;
use crate::cli::whereabouts;
use crate::domain::memory::policy::Policy;

/// Shows the policy.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let head = memory.engine.store().head(&memory.key).await?;
    let shown = match head {
        Some(head) => PolicyResponse {
            policy: head.policy,
            stored: true,
            revision: Some(head.position.revision),
        },
        None => PolicyResponse {
            policy: memory.engine.options().policy.clone(),
            stored: false,
            revision: None,
        },
    };
    session.output.show(&shown, |page| {
        if shown.stored {
            page.line(Tone::Heading, format_args!("policy of {}", memory.key))
        } else {
            page.line(
                Tone::Heading,
                format_args!("there is no memory {} yet; it would begin with", memory.key),
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
    whereabouts::note_absent(session).await?;
    Ok(Outcome::Done)
}

/// A field of a policy, or a part of one.
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

/// A value for people; of a hash, the beginning.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) if text.len() == 64 => format!("{}…", &text[..12]),
        Value::String(text) => text.clone(),
        Value::Object(parts) => {
            let parts = parts.iter();
            let parts: Vec<String> = parts
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            parts.join(" ")
        }
        value => value.to_string(),
    }
}
