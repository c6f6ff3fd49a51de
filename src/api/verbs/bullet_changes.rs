//! Verbs that put a text in, change it, and take it out: each is one operation of an ordinary delta.

use schemars::JsonSchema;
use serde::Deserialize;

use super::deltas::apply;
use crate::delta_input::DeltaInput;
use crate::patterns::{NAME, TEXT};
use crate::problem::Problem;
use crate::responses::DeltaApplied;
use crate::schema::Word;
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_domain::memory::bullet::{Kind, MemoryType, Source};
use hindlore_domain::memory::content::CONTENT_MAX_CHARS_OF_ANY;
use hindlore_domain::memory::delta::{DeltaId, NewBullet, Operation, Patch};

/// Add one text to a memory.
///
/// A known text, in these or nearly these words, strengthens that bullet instead; one that contradicts another bullet
/// is kept and linked to it.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddBullet {
    /// The text: a rule, a fact, or an experience.
    #[schemars(length(min = 1, max = CONTENT_MAX_CHARS_OF_ANY), regex(pattern = TEXT))]
    pub text: String,
    /// Id of the change; sent again with the same id, the text is added once. By default a fresh one.
    #[serde(default)]
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub id: Option<String>,
    /// Free tags, by which a retrieval can choose.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Heading of the text; it is searched like the text.
    #[serde(default)]
    pub section: Option<String>,
    /// Kind of the bullet; by default derived from the memory type.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    pub kind: Option<Kind>,
    /// How fast it fades; by default derived from the kind, then from the words.
    #[serde(default)]
    #[schemars(with = "Option<Word<MemoryType>>")]
    pub memory_type: Option<MemoryType>,
    /// Topic; bullets of different topics never merge.
    #[serde(default)]
    pub topic: Option<String>,
    /// Days until it expires; by default never.
    #[serde(default)]
    pub ttl_days: Option<u32>,
    /// Importance in 0..=1; by default 0.8, that of a person's notes.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub importance: Option<f64>,
    /// Keep it from being pruned and from expiring.
    #[serde(default)]
    pub pinned: bool,
}

impl Verb for AddBullet {
    verb!("bullets.add", Memory, Writes, not idempotent -> DeltaApplied);
    const MISSING_STORE: MissingStore = MissingStore::Create;
    const ONCE_BY: Option<&'static str> = Some("id");

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        if self.text.trim().is_empty() {
            let problem = Problem::new("invalid_request", "the text to add is empty");
            return Err(problem.with_hint("give the sentence to remember"));
        }
        let new = NewBullet {
            content: self.text,
            tags: self.tags,
            section: self.section,
            kind: self.kind,
            memory_type: self.memory_type,
            topic: self.topic,
            ttl_days: self.ttl_days,
            importance: self.importance,
            pinned: self.pinned,
            source: Some(Source::Person),
            ..NewBullet::default()
        };
        let id = self.id.as_deref().map(DeltaId::parse).transpose();
        let delta = DeltaInput {
            id: id.map_err(|reason| Problem::new("invalid_delta_id", reason))?,
            operations: vec![Operation::Add(Box::new(new))],
            ..DeltaInput::default()
        };
        apply(context, delta).await.map_err(of_one_text)
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// The refusal of a delta in the words of its only text.
fn of_one_text(problem: Problem) -> Problem {
    match problem.message.split_once("operation 0: ") {
        Some((_, reason)) if problem.code == "delta_refused" => {
            Problem::new("delta_refused", format!("it cannot be added: {reason}"))
                .with_hint("change the text; nothing was written")
        }
        _ => problem,
    }
}

/// Change a bullet: its text, or its properties.
///
/// Fields that are not given stay. A text that another bullet has merges the two; the votes are kept.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EditBullet {
    /// Id of the bullet, a unique beginning of it, or its id in another program.
    #[schemars(length(max = 256))]
    pub id: String,
    /// The new text.
    #[serde(default)]
    #[schemars(length(max = CONTENT_MAX_CHARS_OF_ANY), regex(pattern = TEXT))]
    pub text: Option<String>,
    /// All tags that it is to have, instead of its own.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// The new heading; an empty one takes it away.
    #[serde(default)]
    pub section: Option<String>,
    /// Kind of the bullet.
    #[serde(default)]
    #[schemars(with = "Option<Word<Kind>>")]
    pub kind: Option<Kind>,
    /// How fast it fades.
    #[serde(default)]
    #[schemars(with = "Option<Word<MemoryType>>")]
    pub memory_type: Option<MemoryType>,
    /// The new topic; an empty one takes it away.
    #[serde(default)]
    pub topic: Option<String>,
    /// Days from its birth until it expires.
    #[serde(default)]
    pub ttl_days: Option<u32>,
    /// Importance in 0..=1.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1))]
    pub importance: Option<f64>,
}

impl EditBullet {
    fn changes_nothing(&self) -> bool {
        let is_worded = self.text.is_some() || self.section.is_some() || self.topic.is_some();
        let is_typed = self.kind.is_some() || self.memory_type.is_some();
        let is_tagged = self.tags.is_some() || self.ttl_days.is_some() || self.importance.is_some();
        !(is_worded || is_typed || is_tagged)
    }
}

impl Verb for EditBullet {
    verb!("bullets.edit", Memory, Writes, idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        if self.changes_nothing() {
            let message = "nothing is named that is to change";
            return Err(Problem::new("invalid_request", message)
                .with_hint("give <field:text>, <field:tags>, <field:section> or another field"));
        }
        let name = self.id.clone();
        let patch = |id| Patch {
            content: self.text,
            tags: self.tags,
            section: self.section,
            kind: self.kind,
            memory_type: self.memory_type,
            topic: self.topic,
            ttl_days: self.ttl_days,
            importance: self.importance,
            ..Patch::new(id)
        };
        let (engine, author) = (&context.engine, context.author.clone());
        let edited = engine.edit_bullet(&context.key, &name, patch, author);
        Ok(edited.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}

/// Remove a bullet: it is archived, and `delta.undo` or a repetition of its text restores it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RemoveBullet {
    /// Id of the bullet, a unique beginning of it, or its id in another program.
    #[schemars(length(max = 256))]
    pub id: String,
    /// Why, for the history.
    #[serde(default)]
    pub reason: Option<String>,
}

impl Verb for RemoveBullet {
    verb!("bullets.remove", Memory, Writes, idempotent -> DeltaApplied);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let (engine, author) = (&context.engine, context.author.clone());
        let removed = engine.remove_bullet(&context.key, &self.id, self.reason, author);
        Ok(removed.await?.into())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.is_refused
    }
}
