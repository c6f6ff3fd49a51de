//! Verbs about proposals: corrections by a person that wait for their release as bullets.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::{CURSOR_MAX, page};
use crate::problem::Problem;
use crate::responses::DeltaApplied;
use crate::responses::proposals::{
    DismissedResponse, ProposalResponse, ProposalsResponse, ProposedResponse,
};
use crate::verb::{Context, MissingStore, Verb, number, verb};
use hindlore::proposals::NewProposal;

/// Propose a correction by a person as a bullet, in the person's words.
///
/// It waits for its release by a person. The same correction in a second session releases it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposeBullet {
    /// The person's words.
    #[schemars(length(min = 1, max = 300))]
    pub text: String,
    /// The session that stated it.
    #[schemars(length(min = 1, max = 256))]
    pub session: String,
    /// The turn of the session, counted from 1.
    #[serde(default)]
    pub turn: Option<u32>,
}

impl Verb for ProposeBullet {
    verb!("bullets.propose", Memory, Writes, idempotent -> ProposedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let new = NewProposal {
            text: self.text,
            session: self.session,
            turn: self.turn,
        };
        Ok(context.engine.propose(&context.key, new).await?.into())
    }
}

/// List corrections by a person that wait for their release as bullets, newest first.
///
/// A proposal is in the person's words. The same words in a second session release it, and it expires after 60 days.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListProposals {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// At most this many.
    #[serde(default = "number::<1_000>")]
    #[schemars(range(min = 1, max = 10_000))]
    pub limit: usize,
}

impl Verb for ListProposals {
    verb!("bullets.proposed", Memory, Reads, idempotent -> ProposalsResponse);
    const MISSING_STORE: MissingStore = MissingStore::Empty;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let rows = context.engine.proposals(&context.key).await?;
        let rows = rows.into_iter().map(ProposalResponse::from).collect();
        let wanted = (self.after.as_deref(), self.limit);
        let (proposals, next) = page(rows, wanted, |row: &ProposalResponse| row.id.clone())?;
        Ok(ProposalsResponse { proposals, next })
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.proposals.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.proposals.is_empty()
    }
}

/// Release a proposal: it becomes a bullet, and its text is recalled from now on.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseProposal {
    /// Id of the proposal, or a unique beginning of it.
    #[schemars(length(max = 256))]
    pub id: String,
}

impl Verb for ReleaseProposal {
    verb!("bullets.release", Memory, Writes, not idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, author) = (&context.engine, context.author.clone());
        let released = engine.release_proposal(&context.key, &self.id, author);
        Ok(released.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// Dismiss a proposal: it goes without becoming a bullet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DismissProposal {
    /// Id of the proposal, or a unique beginning of it.
    #[schemars(length(max = 256))]
    pub id: String,
}

impl Verb for DismissProposal {
    verb!("bullets.dismiss", Memory, Writes, not idempotent -> DismissedResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let dismissed = context.engine.dismiss_proposal(&context.key, &self.id);
        Ok(DismissedResponse::new(dismissed.await?))
    }
}
