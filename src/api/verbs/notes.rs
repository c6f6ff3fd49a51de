//! Verbs in three words for anyone who keeps notes: remember a sentence, recall what answers a question, forget a note.
//!
//! They are the short forms of adding, retrieving and removing bullets: few fields, short answers, and no reasons, so that
//! a model can use them without reading more.

use schemars::JsonSchema;
use serde::Deserialize;

use super::bullet_changes::AddBullet;
use crate::patterns::TEXT;
use crate::problem::Problem;
use crate::responses::notes::{ForgottenResponse, RecalledResponse, RememberedResponse};
use crate::verb::{Context, Effect, MissingStore, Subject, Verb, number, verb};
use hindlore::lessons::{LessonCall, LessonRequest};
use hindlore::{Forgotten, Injection, RetrieveRequest};
use hindlore_domain::lesson::lesson::Place;
use hindlore_domain::lesson::retrieval::query::RankingMode;
use hindlore_domain::memory::content::CONTENT_MAX_CHARS_OF_ANY;
use hindlore_domain::memory::query::{QUERY_MAX_CHARS, Query};
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::relation::Relation;

/// Remember one sentence of a person or an agent.
///
/// It becomes a bullet that is shown at the start of the next session. A known text, in these or nearly these words,
/// strengthens that bullet instead.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Remember {
    /// The sentence: a rule, a fact, or an experience, understandable on its own.
    #[schemars(length(min = 1, max = CONTENT_MAX_CHARS_OF_ANY), regex(pattern = TEXT))]
    pub text: String,
    /// Tags, by which bullets can be chosen.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Importance in 0..=1; by default 0.8.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub importance: Option<f64>,
}

impl Verb for Remember {
    verb!("remember", Memory, Writes, not idempotent -> RememberedResponse);
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let add = AddBullet {
            text: self.text,
            tags: self.tags,
            importance: self.importance,
            ..AddBullet::default()
        };
        let mut remembered = RememberedResponse::from(add.call(context).await?);
        if let Some(id) = remembered.id {
            let id = id.to_string();
            let bullet = context.engine.find_bullet(&context.key, &id).await?;
            remembered.text = Some(bullet.content.as_str().to_owned());
        }
        Ok(remembered)
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.id.is_none()
    }
}

/// Recall the bullets and lessons that answer a question, each in short.
///
/// The bullets include those of the learner's shared scope. Unless the caller may only read, the result is recorded: the
/// bullets grow stronger, and `retrieval` is for later feedback.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Recall {
    /// The question or the task, in your own words.
    #[schemars(length(max = QUERY_MAX_CHARS))]
    pub question: String,
    /// Maximum number of bullets, and of lessons.
    #[serde(default = "number::<5>")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: usize,
}

impl Verb for Recall {
    const NAME: &'static str = "recall";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = false;
    const MISSING_STORE: MissingStore = MissingStore::Empty;
    /// A caller with read rights leaves no trace.
    const NEEDS: Relation = Relation::Viewer;
    const RIGHTS: Rights = Rights::Read;
    type Answer = RecalledResponse;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, owner) = (&context.engine, context.owner()?);
        // Lessons and the shared scope are the learner's; a viewer of this memory alone gets its bullets alone.
        let whole = context.of_whole_learner().await?;
        let request = RetrieveRequest {
            peek: !context.leaves_traces(),
            include_shared: whole.is_some(),
            inject: Injection::All,
            ..RetrieveRequest::new(Query {
                top_k: self.limit,
                ..Query::new(self.question.clone())
            })
        };
        let bullets = engine.retrieve(&context.key, request).await?;
        let lessons = match whole {
            None => Vec::new(),
            Some(whole) => {
                let found = engine
                    .retrieve_lessons(&owner, self.lessons(context))
                    .await?;
                engine.confirm(&whole).await?;
                found.lessons
            }
        };
        Ok(RecalledResponse::new(
            &bullets,
            &lessons,
            context.key.scope(),
        ))
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.bullets.len() + answer.lessons.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.bullets.is_empty() && answer.lessons.is_empty()
    }
}

impl Recall {
    /// The question for lessons; it is of no run, so nothing is written down.
    fn lessons(self, context: &Context) -> LessonRequest {
        LessonRequest {
            run: None,
            call: LessonCall::PreRun,
            text: self.question,
            tags: Vec::new(),
            place: Place::default(),
            max_results: Some(self.limit),
            mode: RankingMode::Direct,
            exact_only: false,
            fit: None,
            scope: Some(context.key.scope().to_owned()),
        }
    }
}

/// Forget a bullet, named by its id or by its text: it is archived.
///
/// The text may be a part of the bullet's words. Where it fits several bullets, or none, the likely ones are listed and
/// nothing is archived. `delta.undo`, or the text remembered again, restores the bullet.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Forget {
    /// Id of the bullet, or a unique beginning of it.
    #[serde(default)]
    #[schemars(length(max = 256))]
    pub id: Option<String>,
    /// Text of the bullet, or some of its words; instead of the id.
    #[serde(default)]
    #[schemars(length(max = QUERY_MAX_CHARS))]
    pub text: Option<String>,
}

impl Verb for Forget {
    verb!("forget", Memory, Writes, idempotent -> ForgottenResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, key, author) = (&context.engine, &context.key, context.author.clone());
        let text = self.text.filter(|text| !text.trim().is_empty());
        let forgotten = match (self.id, text) {
            (Some(id), None) => {
                let bullet = engine.find_bullet(key, &id).await?;
                let removed = engine.remove_bullet(key, &id, None, author).await?;
                Forgotten::Archived(Box::new(bullet), Box::new(removed))
            }
            (None, Some(text)) => engine.forget_bullet(key, &text, author).await?,
            _ => {
                let message = "a bullet to forget has either an id or a text";
                return Err(Problem::new("invalid_request", message).with_hint(
                    "give <field:id>, or <field:text> without it; nothing was changed",
                ));
            }
        };
        Ok(forgotten.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.forgotten.is_none()
    }
}
