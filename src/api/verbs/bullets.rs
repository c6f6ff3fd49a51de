//! Verbs about bullets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::as_of::AsOf;
use crate::cursor::{CURSOR_MAX, cursor, foreign, place};
use crate::problem::Problem;
use crate::responses::{BulletsResponse, DeltaApplied, DetailResponse};
use crate::schema::Word;
use crate::verb::{Context, Verb, number, verb};
use hindlore::{BulletFilter, EngineError};
use hindlore_domain::memory::bullet::{BulletId, Kind, Status};

/// Show everything known about a bullet.
///
/// Its text, votes, present strength, and links, how often it was used, and every delta that changed it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowBullet {
    /// Id of the bullet, a unique beginning of it, or its id in another program.
    #[schemars(length(max = 256))]
    pub id: String,
}

impl Verb for ShowBullet {
    verb!("bullets.show", Memory, Reads, idempotent -> DetailResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let detail = context.engine.bullet(&context.key, &self.id).await?;
        Ok(DetailResponse::from(&detail))
    }
}

/// Keep a bullet from being pruned and from expiring.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PinBullet {
    /// Id of the bullet, a unique beginning of it, or its id in another program.
    #[schemars(length(max = 256))]
    pub id: String,
    /// Allow pruning and expiry again.
    #[serde(default)]
    pub off: bool,
}

impl Verb for PinBullet {
    verb!("bullets.pin", Memory, Writes, idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, author) = (&context.engine, context.author.clone());
        let pinned = engine.pin_bullet(&context.key, &self.id, !self.off, author);
        Ok(pinned.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// Reject a bullet: its text cannot come back by learning.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RejectBullet {
    /// Id of the bullet, a unique beginning of it, or its id in another program.
    #[schemars(length(max = 256))]
    pub id: String,
    /// Why, for the history.
    pub reason: String,
}

impl Verb for RejectBullet {
    verb!("bullets.reject", Memory, Writes, idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, author) = (&context.engine, context.author.clone());
        let rejected = engine.reject_bullet(&context.key, &self.id, self.reason, author);
        Ok(rejected.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// Which bullets to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusChoice {
    /// Active ones.
    #[default]
    Active,
    /// Archived ones.
    Archived,
    /// Rejected ones, which must not come back.
    Rejected,
    /// All.
    All,
}

impl StatusChoice {
    fn status(self) -> Option<Status> {
        match self {
            Self::Active => Some(Status::Active),
            Self::Archived => Some(Status::Archived),
            Self::Rejected => Some(Status::Rejected),
            Self::All => None,
        }
    }
}

/// List bullets in order of insertion.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListBullets {
    /// Which bullets to list.
    #[serde(default)]
    pub status: StatusChoice,
    /// Only those of this kind.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    pub kind: Option<Kind>,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// Maximum number of bullets.
    #[serde(default = "number::<1_000>")]
    pub limit: usize,
    /// Leave out seed bullets, the general advice that came with the memory.
    #[serde(default)]
    pub learned_only: bool,
    /// Read the memory as it was: a revision (`12`), a clock (`clock:40`), or a time (`2026-03-01T10:00:00Z`).
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

impl Verb for ListBullets {
    verb!("bullets.list", Memory, Reads, idempotent -> BulletsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let filter = BulletFilter {
            status: self.status.status(),
            kind: self.kind,
            learned_only: self.learned_only,
            limit: self.limit,
        };
        let after: Option<u64> = place(self.after.as_deref())?;
        let engine = context.engine_at(self.as_of.as_ref()).await?;
        let page = engine
            .list_bullets_after(&context.key, filter, after)
            .await?;
        Ok(BulletsResponse::new(&page, |last| cursor(&last.position)))
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.bullets.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.learned == 0 || answer.bullets.is_empty()
    }
}

/// Find bullets by words in their texts, tags, and sections; leaves no trace.
///
/// Ranked matches come first, then bullets that merely contain all words.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchBullets {
    /// Words to look for.
    #[schemars(length(max = 4_000))]
    pub words: String,
    /// Which bullets to search.
    #[serde(default)]
    pub status: StatusChoice,
    /// Only those of this kind.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    pub kind: Option<Kind>,
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// Maximum number of bullets.
    #[serde(default = "number::<20>")]
    pub limit: usize,
    /// Read the memory as it was: a revision (`12`), a clock (`clock:40`), or a time (`2026-03-01T10:00:00Z`).
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

impl Verb for SearchBullets {
    verb!("bullets.search", Memory, Reads, idempotent -> BulletsResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let filter = BulletFilter {
            status: self.status.status(),
            kind: self.kind,
            learned_only: false,
            limit: self.limit,
        };
        let engine = context.engine_at(self.as_of.as_ref()).await?;
        let key = &context.key;
        let after: Option<String> = place(self.after.as_deref())?;
        let after = after.map(|id| id.parse::<BulletId>().map_err(|_| foreign()));
        let found = engine.search_bullets_after(key, &self.words, (filter, after.transpose()?));
        let page = match found.await {
            Err(EngineError::NoBullet(_)) => return Err(foreign()),
            found => found?,
        };
        Ok(BulletsResponse::new(&page, |last| {
            cursor(&last.id.to_string())
        }))
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.bullets.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.bullets.is_empty()
    }
}
