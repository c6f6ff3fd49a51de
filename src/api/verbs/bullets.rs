//! Verbs about bullets.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::api::problem::Problem;
use crate::api::responses::{BulletsResponse, DeltaApplied, DetailResponse};
use crate::api::verb::{Context, Effect, Subject, Verb};
use crate::domain::memory::bullet::Status;
use crate::engine::BulletFilter;

/// Show everything that is known about a bullet.
///
/// Its text, votes and strength now, how often it was used, its links, and every delta that changed it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowBullet {
    /// Id of the bullet, a beginning of it that is unique, or the id that another program gave it.
    #[schemars(length(max = 256))]
    pub id: String,
}

impl Verb for ShowBullet {
    const NAME: &'static str = "bullets.show";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Reads;
    const IDEMPOTENT: bool = true;
    type Answer = DetailResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let detail = context.engine.bullet(&context.key, &self.id).await?;
        Ok(DetailResponse::from(&detail))
    }
}

/// Keep a bullet from being pruned and from expiring.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PinBullet {
    /// Id of the bullet, a beginning of it that is unique, or the id that another program gave it.
    #[schemars(length(max = 256))]
    pub id: String,
    /// Let it be pruned and expire again.
    #[serde(default)]
    pub off: bool,
}

impl Verb for PinBullet {
    const NAME: &'static str = "bullets.pin";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = true;
    type Answer = DeltaApplied;

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
    /// Id of the bullet, a beginning of it that is unique, or the id that another program gave it.
    #[schemars(length(max = 256))]
    pub id: String,
    /// Why, for the history.
    pub reason: String,
}

impl Verb for RejectBullet {
    const NAME: &'static str = "bullets.reject";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = true;
    type Answer = DeltaApplied;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, author) = (&context.engine, context.author.clone());
        let rejected = engine.reject_bullet(&context.key, &self.id, self.reason, author);
        Ok(rejected.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// Which bullets are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum StatusChoice {
    /// Those that take part.
    #[default]
    Active,
    /// Those that were put away.
    Archived,
    /// Those that must not come back.
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

/// List bullets in the order in which they came.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListBullets {
    /// Which bullets.
    #[serde(default)]
    pub status: StatusChoice,
    /// At most this many.
    #[serde(default = "listed")]
    pub limit: usize,
    /// Leave out the general advice that was planted in the memory, which nobody here has learned.
    #[serde(default)]
    pub learned_only: bool,
}

fn listed() -> usize {
    1_000
}

impl Verb for ListBullets {
    const NAME: &'static str = "bullets.list";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Reads;
    const IDEMPOTENT: bool = true;
    type Answer = BulletsResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let filter = BulletFilter {
            status: self.status.status(),
            learned_only: self.learned_only,
            limit: self.limit,
        };
        let page = context.engine.list_bullets(&context.key, filter).await?;
        Ok(page.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.learned == 0 || answer.bullets.is_empty()
    }
}

/// Find bullets by words in their texts, tags and sections; leaves no trace.
///
/// What ranks well for the words comes first, then what merely holds all of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchBullets {
    /// What to look for.
    pub words: String,
    /// Which bullets.
    #[serde(default)]
    pub status: StatusChoice,
    /// At most this many.
    #[serde(default = "found")]
    pub limit: usize,
}

fn found() -> usize {
    20
}

impl Verb for SearchBullets {
    const NAME: &'static str = "bullets.search";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Reads;
    const IDEMPOTENT: bool = true;
    type Answer = BulletsResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let filter = BulletFilter {
            status: self.status.status(),
            learned_only: false,
            limit: self.limit,
        };
        let (engine, key) = (&context.engine, &context.key);
        let page = engine.search_bullets(key, &self.words, filter).await?;
        Ok(page.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.bullets.is_empty()
    }
}
