//! Corrections in a person's prompts: proposed at the prompt, and reported to the person when the agent rests.
//!
//! Nothing of it is sent to the model, which has the prompt already.

use super::reply::Said;
use super::run_name::{LastCall, SessionRuns};
use crate::session::Session;
use crate::shell::quoted;
use hindlore_api::problem::Problem;
use hindlore_api::responses::proposals::ProposedResponse;
use hindlore_api::verbs::proposals::ProposeBullet;
use hindlore_domain::correction::{TurnContext, correction};
use hindlore_text::layout::invisible::marked;

/// The setting that turns proposals off.
const SETTING: &str = "learn.from_user";
/// Characters of an id in a notice: a beginning that is unique among the few that wait.
const ID_CHARS: usize = 10;

/// Proposes the correction in a prompt, if there is one.
pub(super) async fn take(
    session: &Session,
    runs: &mut SessionRuns,
    prompt: &str,
) -> Result<(), Problem> {
    let (turn, last_call) = runs.take_turn();
    let context = match last_call {
        LastCall::Worked => TurnContext::Ordinary,
        LastCall::Failed => TurnContext::AfterFailure,
        LastCall::Refused => TurnContext::AfterRefusal,
    };
    if !session.settings.switch(SETTING) {
        return Ok(());
    }
    let Some(text) = correction(prompt, context) else {
        return Ok(());
    };
    let request = ProposeBullet {
        text,
        session: runs.session().to_owned(),
        turn: Some(turn),
    };
    let proposed = session.access_served()?.answer(request).await?;
    if let Some(notice) = notice(session, &proposed) {
        runs.put_notice(notice);
    }
    Ok(())
}

/// The line for the person; absent for a correction that a bullet states already.
fn notice(session: &Session, proposed: &ProposedResponse) -> Option<String> {
    let proposal = proposed.proposal.as_ref()?;
    let text = marked(&proposal.text);
    if proposed.released.is_some() {
        return Some(format!(
            "hindlore remembers from you, from two sessions: \"{text}\""
        ));
    }
    // The person types the command outside of the hook, which took the scope from the repository.
    let settings = &session.settings;
    let scope = settings.text("scope").filter(|_| settings.is_flag("scope"));
    let scope = scope
        .map(|scope| format!(" --scope {}", quoted(scope)))
        .unwrap_or_default();
    let id: String = proposal.id.chars().take(ID_CHARS).collect();
    Some(format!(
        "hindlore noted from you: \"{text}\" - release with: hindlore bullets release {id}{scope}"
    ))
}

/// The message of a moment with the notices that wait, each on a line of its own.
pub(super) fn with_notices(said: Said, runs: &mut SessionRuns) -> Said {
    let mut lines = runs.take_notices();
    lines.extend(said.notice);
    Said {
        notice: (!lines.is_empty()).then(|| lines.join("\n")),
        ..said
    }
}
