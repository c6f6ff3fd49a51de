//! Command `policy set`: changes fields of the policy of a memory.

use serde_json::{Map, Value};

use super::CommandResult;
use super::policy_show::plain;
use crate::api::problem::Problem;
use crate::api::responses::{DeltaApplied, policy_fields};
use crate::cli::args::memory::SetArgs;
use crate::cli::output::{Outcome, Tone, receipts};
use crate::cli::policy;
use crate::cli::session::Session;
use crate::domain::memory::delta::{Delta, Operation, PolicyChange};
use crate::domain::memory::policy::Policy;
use crate::engine::Engine;

/// Changes the policy.
pub(crate) async fn run(session: &Session, args: SetArgs) -> CommandResult {
    let mut fields = fields(&args.fields)?;
    policy::known(&fields)?;
    let memory = session.open_to_write().await?;
    let head = memory.engine.store().head(&memory.key).await?;
    let now = head.map_or_else(
        || memory.engine.options().policy.clone(),
        |head| head.policy,
    );
    policy::complete_weights(&mut fields, &now);
    let then = now
        .patched(&fields)
        .map_err(|reason| Problem::new("invalid_policy", reason))?;
    let changes = changes(&now, &then);
    let change = Operation::Policy(PolicyChange { fields });
    let mut delta = Delta::new(Engine::fresh_delta_id()?, vec![change]);
    delta.reasoning = Some(if changes.is_empty() {
        "policy: as it was".to_owned()
    } else {
        format!("policy: {}", changes.join(", "))
    });
    delta.origin.author = session.typed_author();
    let applied = memory.engine.apply_delta(&memory.key, delta).await?;
    let shown = DeltaApplied::from(applied);
    session.output.show(&shown, |page| {
        for change in &changes {
            page.line(Tone::Heading, change);
        }
        receipts::applied(page, &shown);
    })?;
    Ok(Outcome::Done)
}

/// What a change of policy does, field by field: `floor 0.15 -> 0.2`.
fn changes(now: &Policy, then: &Policy) -> Vec<String> {
    let old = policy_fields(now);
    let changed = now.changed_in(then).into_iter();
    let said = changed.map(|(field, value)| {
        let before = old.get(&field).map(plain).unwrap_or_default();
        format!("{field} {before} -> {}", plain(&value))
    });
    said.collect()
}

/// `name=value` pairs as policy fields; a dot leads into a field, a value that is no JSON is a word.
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
