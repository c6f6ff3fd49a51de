//! Command `policy show`: the policy of a memory, or that of one that would be made now.

use super::CommandResult;
use crate::api::shapes::{PolicyShown, policy_fields};
use crate::cli::output::{Outcome, Tone};
use crate::cli::session::Session;

/// Shows the policy.
pub(crate) async fn run(session: &Session) -> CommandResult {
    let memory = session.open_there()?;
    let head = memory.engine.store().head(&memory.key).await?;
    let shown = match head {
        Some(head) => PolicyShown {
            policy: head.policy,
            stored: true,
            revision: Some(head.position.revision),
        },
        None => PolicyShown {
            policy: memory.engine.options().policy.clone(),
            stored: false,
            revision: None,
        },
    };
    session.output.show(&shown, |page| {
        match shown.stored {
            true => page.line(Tone::Heading, format_args!("policy of {}", memory.key)),
            false => page.line(
                Tone::Heading,
                format_args!("there is no memory {} yet; it would begin with", memory.key),
            ),
        }
        for (field, value) in policy_fields(&shown.policy) {
            page.field(&field, value);
        }
    })?;
    Ok(Outcome::Done)
}
