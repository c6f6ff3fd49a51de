//! Commands `bullets propose`, `proposed`, `release` and `dismiss`: corrections by a person that wait for their release.

use crate::commands::CommandResult;
use crate::form::{Form, Request, Typed};
use crate::output::{Outcome, Page, Tone, receipts};
use crate::session::Session;
use hindlore_api::responses::proposals::ProposalResponse;
use hindlore_api::verbs::proposals::{DismissProposal, ListProposals, ReleaseProposal};

pub(crate) const PROPOSE: Form = Form::new("bullets.propose", &[("text", Typed::Words("TEXT"))]);
pub(crate) const LIST: Form = Form::new("bullets.proposed", &[]);
pub(crate) const RELEASE: Form = Form::new("bullets.release", &[("id", Typed::Word("ID"))]);
pub(crate) const DISMISS: Form = Form::new("bullets.dismiss", &[("id", Typed::Word("ID"))]);

/// Lists the proposals.
pub(crate) async fn list(session: &Session, request: Request) -> CommandResult {
    let shown = session.answer::<ListProposals>("listing", request).await?;
    session.output.show(&shown, |page| {
        if shown.proposals.is_empty() {
            page.line(Tone::Faint, "nothing found");
        }
        for proposal in &shown.proposals {
            line(page, proposal);
        }
    })?;
    Ok(Outcome::from_verb::<ListProposals>(&shown))
}

/// Makes a proposal a bullet.
pub(crate) async fn release(session: &Session, request: Request) -> CommandResult {
    let applied = session
        .answer::<ReleaseProposal>("releasing", request)
        .await?;
    session
        .output
        .show(&applied, |page| receipts::applied(page, &applied))?;
    Ok(Outcome::from_verb::<ReleaseProposal>(&applied))
}

/// Deletes a proposal.
pub(crate) async fn dismiss(session: &Session, request: Request) -> CommandResult {
    let shown = session
        .answer::<DismissProposal>("dismissing", request)
        .await?;
    session.output.show(&shown, |page| {
        page.line(Tone::Good, "dismissed");
        line(page, &shown.dismissed);
    })?;
    Ok(Outcome::Done)
}

fn line(page: &mut Page, proposal: &ProposalResponse) {
    let id = page.id(&proposal.id);
    let last = proposal.last_at;
    page.line(
        Tone::Plain,
        format_args!("{id}  {}  ({last})", proposal.text),
    );
}
