//! Verbs about retrievals: query a memory, and give feedback on its answer.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::as_of::AsOf;
use crate::problem::Problem;
use crate::prompt::{Prompt, PromptBullet, PromptForm, PromptLimits, fitting};
use crate::responses::playbooks::RankedStrategyResponse;
use crate::responses::{FeedbackResponse, RetrievalResponse};
use crate::schema::{Id, Word};
use crate::verb::{Context, Effect, MissingStore, Subject, Verb, verb};
use hindlore::{
    ChooseBullets, Fit, Injection, NamedFeedback, RetrieveRequest, Retrieved, Shown, Verdict,
};
use hindlore_domain::memory::bullet::{BulletId, MemoryType};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::memory::policy::Profile;
use hindlore_domain::memory::query::{
    QUERY_MAX_CHARS, Query, Speaker, TOP_K_DEFAULT, TOP_K_MAX, TopicMode,
};
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;

/// Retrieve the bullets that answer a query, with the reasons.
///
/// Ask before you act: it returns bullets that helped earlier in similar situations, best first, each with its score
/// and the reasons. Unless `peek` is set, the result is recorded: the bullets grow stronger, and the retrieval id is
/// for later feedback. A caller who may only read leaves no trace; then `peek` in the answer is true.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Retrieve {
    /// What to look for, in your own words.
    #[schemars(length(max = QUERY_MAX_CHARS))]
    pub query: String,
    /// Maximum number of bullets.
    #[serde(default = "top_k")]
    #[schemars(range(min = 1, max = TOP_K_MAX))]
    pub top_k: usize,
    /// Scoring profile; by default that of the policy.
    #[serde(default)]
    #[schemars(with = "Option<Word<Profile>>")]
    pub profile: Option<Profile>,
    /// Only bullets with one of these tags.
    #[serde(default)]
    pub tags: Vec<String>,
    /// Only bullets of one of these memory types.
    #[serde(default)]
    #[schemars(with = "Vec<Word<MemoryType>>")]
    pub memory_types: Vec<MemoryType>,
    /// Only bullets of this topic, or of none.
    #[serde(default)]
    pub topic: Option<String>,
    /// Effect of the topic: exclude others, or rank its own higher.
    #[serde(default)]
    pub topic_mode: TopicChoice,
    /// Minimum strength, in 0..=1: the strength part of the score, not the strength of `bullets show`.
    #[serde(default)]
    #[schemars(range(max = 1))]
    pub min_score: f64,
    /// Rank bullets about pictures higher: those with the tag `visual`, `diagram`, or `visual:…`.
    #[serde(default)]
    pub visual: bool,
    /// Rank bullets for this persona higher: those with the tag of its name, or `persona:NAME`.
    #[serde(default)]
    pub persona: Option<String>,
    /// Query for the next step.
    #[serde(default)]
    pub next_step: bool,
    /// Whether the writer of a bullet counts: in a talk an agent's words count half, unless this is `any`, as for a summary.
    #[serde(default)]
    #[schemars(with = "Option<Word<Speaker>>")]
    pub speaker: Option<Speaker>,
    /// Maximum tokens. A bullet that does not fit is left out, and one larger than the budget is cut to its best
    /// passage.
    #[serde(default)]
    pub budget: Option<usize>,
    /// Include the learner's scopes `shared` and `default`, which hold everywhere. Absent: in a repository whose scope
    /// was not named.
    #[serde(default)]
    pub include_shared: Option<bool>,
    /// Bullets that the reader has already: they are neither shown nor recorded.
    #[serde(default)]
    #[schemars(with = "Vec<Id>", length(max = 1_000))]
    pub seen: Vec<BulletId>,
    /// Rank on exactly the state at which the tick is taken.
    #[serde(default)]
    pub strict: bool,
    /// Leave no trace: record nothing, and strengthen nothing.
    #[serde(default)]
    pub peek: bool,
    /// Include the general advice that came with the memory.
    #[serde(default)]
    pub with_advice: bool,
    /// Also the strategies of the learner's playbooks that fit the query, at most this many.
    #[serde(default)]
    #[schemars(range(max = 100))]
    pub strategies: usize,
    /// Include the answer as text for a prompt, fenced as data; its first line names the retrieval for
    /// feedback.
    #[serde(default)]
    pub prompt: Option<PromptForm>,
    /// Rank the memory as it was, without a trace: a revision (`12`), a clock (`clock:40`), or a time (`2026-03-01T10:00:00Z`).
    #[serde(default)]
    pub as_of: Option<AsOf>,
}

/// Effect of a query's topic.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TopicChoice {
    /// Excludes other topics.
    #[default]
    Filter,
    /// Ranks its own higher.
    Boost,
}

fn top_k() -> usize {
    TOP_K_DEFAULT
}

impl Retrieve {
    /// The strategies that fit the query, where they are asked for.
    async fn strategies(
        &self,
        context: &Context,
    ) -> Result<Option<Vec<RankedStrategyResponse>>, Problem> {
        if self.strategies == 0 {
            return Ok(None);
        }
        let owner = context.owner()?;
        let found = context
            .engine
            .strategies_for(&owner, &self.query, &[], self.strategies)
            .await?;
        Ok(Some(found.into_iter().map(Into::into).collect()))
    }
}

impl Verb for Retrieve {
    const NAME: &'static str = "retrieve";
    const SUBJECT: Subject = Subject::Memory;
    const EFFECT: Effect = Effect::Writes;
    const IDEMPOTENT: bool = false;
    const MISSING_STORE: MissingStore = MissingStore::Empty;
    /// A caller with read rights leaves no trace.
    const NEEDS: Relation = Relation::Viewer;
    const RIGHTS: Rights = Rights::Read;
    type Answer = RetrievalResponse;

    fn object(&self, key: &MemoryKey) -> Object {
        if self.include_shared == Some(true) || self.strategies > 0 {
            Object::Learner
        } else {
            Object::Memory(key.scope().to_owned())
        }
    }

    async fn call(mut self, context: &Context) -> Result<Self::Answer, Problem> {
        // The past is read only.
        self.peek |= !context.leaves_traces() || self.as_of.is_some();
        self.include_shared = Some(self.include_shared.unwrap_or(context.is_everywhere));
        let (peek, form, budget) = (self.peek, self.prompt, self.budget);
        let question = self.query.clone();
        let strategies = self.strategies(context).await?;
        let engine = context.engine_at(self.as_of.as_ref()).await?;
        let retrieved = engine.retrieve(&context.key, self.into()).await?;
        let limits = PromptLimits {
            budget,
            retrieval: retrieved.retrieval.as_deref(),
            question: &question,
        };
        let prompt = prompt(&retrieved, form.unwrap_or_default(), limits);
        let mut answer = RetrievalResponse::from_retrieved(&retrieved, peek);
        answer.cut_to(&prompt.kept);
        answer.prompt = form.map(|_| prompt.into());
        answer.strategies = strategies;
        Ok(answer)
    }

    fn records(answer: &Self::Answer) -> Option<usize> {
        Some(answer.results.len())
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.results.is_empty()
    }
}

impl From<Retrieve> for RetrieveRequest {
    fn from(asked: Retrieve) -> Self {
        let form = asked.prompt.unwrap_or_default();
        let question = asked.query.clone();
        let (budget, seen) = (asked.budget, asked.seen);
        let is_limited = budget.is_some() || !seen.is_empty();
        let choose = move |retrieval: Option<&str>, shown: &[Shown<'_>]| {
            let limits = PromptLimits {
                budget,
                retrieval,
                question: &question,
            };
            let new = |at: &usize| !seen.contains(&shown[*at].0.id);
            let new: Vec<usize> = (0..shown.len()).filter(new).collect();
            let chosen = fitting(new.len(), |places| {
                let some: Vec<Shown<'_>> = places.iter().map(|at| shown[new[*at]]).collect();
                form.write(&PromptBullet::beside_each_other(&some), limits)
            });
            chosen.iter().map(|at| new[*at]).collect()
        };
        let choose: Arc<ChooseBullets> = Arc::new(choose);
        let fit = is_limited.then(|| Fit::new(choose));
        Self {
            query: Query {
                top_k: asked.top_k,
                tags: asked.tags,
                memory_types: asked.memory_types,
                topic: asked.topic,
                topic_mode: match asked.topic_mode {
                    TopicChoice::Filter => TopicMode::Filter,
                    TopicChoice::Boost => TopicMode::Boost,
                },
                min_score: asked.min_score,
                needs_visual: asked.visual,
                persona_request: asked.persona,
                next_step: asked.next_step,
                speaker: asked.speaker.unwrap_or(Speaker::Weighted),
                profile: asked.profile,
                ..Query::new(asked.query)
            },
            peek: asked.peek,
            strict: asked.strict,
            include_shared: asked.include_shared.unwrap_or_default(),
            inject: match asked.prompt {
                Some(_) => Injection::All,
                None => Injection::Nothing,
            },
            fit,
            with_advice: asked.with_advice,
        }
    }
}

/// Returns the ranked bullets, then the seed bullets if the request includes them.
fn prompt(retrieved: &Retrieved, form: PromptForm, limits: PromptLimits<'_>) -> Prompt {
    let found = retrieved.bullets.iter();
    let shown: Vec<Shown<'_>> = found.map(|found| (&found.bullet, &found.beside)).collect();
    let mut bullets = PromptBullet::beside_each_other(&shown);
    bullets.extend(
        retrieved
            .meta_strategies
            .iter()
            .map(PromptBullet::from_bullet),
    );
    form.write(&bullets, limits)
}

/// Report which bullets of a retrieval were used, helped, harmed or ignored.
///
/// Bullets are named by id, a unique beginning of it, another program's id, or their number in the answer. A
/// verdict given before changes nothing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GiveFeedback {
    /// Id of the retrieval, or a unique beginning of it.
    #[schemars(length(max = 256))]
    pub retrieval: String,
    /// Bullets that were used: ids, or numbers in the answer.
    #[serde(default)]
    pub used: Vec<String>,
    /// Bullets that helped: ids, or numbers in the answer.
    #[serde(default)]
    pub helped: Vec<String>,
    /// Bullets that did harm: ids, or numbers in the answer.
    #[serde(default)]
    pub harmed: Vec<String>,
    /// Bullets that were ignored: ids, or numbers in the answer.
    #[serde(default)]
    pub ignored: Vec<String>,
}

impl Verb for GiveFeedback {
    verb!("feedback", Memory, Writes, idempotent -> FeedbackResponse);

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let lists = [
            (Verdict::Used, self.used),
            (Verdict::Helped, self.helped),
            (Verdict::Harmed, self.harmed),
            (Verdict::Ignored, self.ignored),
        ];
        let verdicts = lists
            .into_iter()
            .flat_map(|(verdict, names)| names.into_iter().map(move |name| (name, verdict)));
        let named = NamedFeedback {
            retrieval: self.retrieval,
            verdicts: verdicts.collect(),
            author: context.author.clone(),
        };
        let given = context.engine.give_named_feedback(&context.key, named);
        let (retrieval, given) = given.await?;
        Ok(FeedbackResponse::new(retrieval, given))
    }
}
