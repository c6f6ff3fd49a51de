//! A verb: one operation offered to the outside, written once for all surfaces.
//!
//! A verb *is* its request: a type whose fields are the parameters. Its documentation becomes command line
//! help, OpenAPI text, and tool description, and the bounds in its schema are checked before anything reads it. The
//! caller and the subject are never part of the request: they are in the [`Context`], so that a surface can take them
//! from credentials. A field that names another learner is a [`Named`](super::named::Named).
//!
//! # How to add a verb
//!
//! 1. Write the use case as an engine verb, if there is none: `src/engine/<part>/<verb>.rs`, gather, decide, apply.
//! 2. In `src/api/verbs/<noun>.rs` write the request, with a sentence for the type and for each field; the first
//!    paragraph is the short help. Bounds are attributes: `#[schemars(range(min = 1, max = 100))]`,
//!    `#[schemars(length(max = 4000))]`. A field that may be left out has `#[serde(default)]`.
//! 3. Implement [`Verb`]: `verb!` states its facts, its name is noun and verb (`bullets.pin`), `call` parses, calls one engine verb and shapes its
//!    answer, in at most 20 lines. Answers live in `src/api/responses`; enums of the domain appear there as
//!    `#[schemars(with = "Word<…>")]`, ids and times as `#[schemars(with = "String")]`.
//!    A verb that may create a store declares it by `MISSING_STORE`.
//! 4. Add one line to the list in `catalog.rs`. Now the library, `hindlore call NAME JSON` and a command with the
//!    words of its name reach it; the options of the command, their types and their help come from the schema.
//! 5. Where people use it often, write `src/cli/commands/<command>.rs`: a form (which fields are positional, other
//!    names of options) and how the answer is shown, and add one line to `VERBS` in `src/cli/commands/mod.rs`.
//! 6. Add its part of the story to `tests/program/surface/parity.rs`; a verb that is in the list and not in the
//!    story fails.
//!
//! Errors with a remedy name verbs, fields, and the subject by markers (see [`hint`](super::hint)), so that
//! each surface can use its own words.

use std::future::Future;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::agents::Agents;
use super::hint::HintFormatter;
use super::needs::Needs;
pub use super::needs::{Effect, Subject};
use super::problem::Problem;
use super::standing::Standing;
use hindlore::Engine;
use hindlore::sharing::Admission;
use hindlore_agents::agent::{Agent, AgentOptions};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::api_key::Rights;
use hindlore_domain::sharing::caller::{Caller, Party};
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;

/// How a verb treats a missing store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingStore {
    /// Refuses it, if it was named for this call: there is nothing to show or change.
    Error,
    /// Treats it as empty, even if it was named for this call.
    Empty,
    /// Creates it.
    Create,
}

/// Hears of the steps of a verb while it runs, each as JSON.
pub type ProgressCallback = Arc<dyn Fn(&Value) + Send + Sync>;

/// The environment of a verb. Only the gate makes one (`Access`), so that no verb runs for a caller that was not
/// admitted.
#[derive(Clone)]
pub struct Context {
    /// The engine over the store.
    pub engine: Engine,
    /// The memory; a verb about a learner or tenant uses only that part of it.
    pub key: MemoryKey,
    /// Whether questions are also answered from the scopes that hold everywhere, where a request does not say.
    pub is_everywhere: bool,
    /// Author of changes, for the history, as the credential names it; absent: the engine's default.
    pub author: Option<String>,
    /// How the surface words the verbs that an answer names, where it is a text.
    pub voice: Arc<dyn HintFormatter + Send + Sync>,
    /// The model, where one is configured, and how agents work.
    pub agents: Arc<Agents>,
    /// The progress callback, if any.
    told: Option<ProgressCallback>,
    /// The caller and the reach of its credential.
    standing: Standing,
    /// The admitted caller and its relation.
    admission: Admission,
}

impl Context {
    /// The context of an admission.
    pub(super) fn of(
        (engine, key, is_everywhere): (Engine, MemoryKey, bool),
        author: Option<String>,
        (voice, agents, told): (
            Arc<dyn HintFormatter + Send + Sync>,
            Arc<Agents>,
            Option<ProgressCallback>,
        ),
        (standing, admission): (Standing, Admission),
    ) -> Self {
        Self {
            engine,
            key,
            is_everywhere,
            author,
            voice,
            agents,
            told,
            standing,
            admission,
        }
    }

    /// An agent on the memory.
    pub fn agent(&self, options: AgentOptions) -> Result<Agent, Problem> {
        self.agents.agent(&self.engine, &self.key, options)
    }

    /// Reports a step to the progress callback.
    pub fn tell(&self, step: &Value) {
        if let Some(told) = &self.told {
            told(step);
        }
    }

    /// The learner.
    pub fn owner(&self) -> Result<LearnerId, Problem> {
        Ok(LearnerId::new(self.key.tenant(), self.key.learner())?)
    }

    /// The caller.
    pub fn party(&self) -> &Party {
        self.admission.party()
    }

    /// The principal that calls, if it is one.
    pub fn caller(&self) -> Option<&Caller> {
        self.party().caller()
    }

    /// True for the operator itself.
    pub fn is_operator(&self) -> bool {
        self.standing.is_operator()
    }

    /// The witness: an identity that the store, or the operator, has authenticated.
    pub fn witness(&self) -> Option<String> {
        self.standing.witness()
    }

    /// Author of a grant, as its credential names it; `None` for the operator.
    pub fn granter(&self) -> Option<String> {
        let caller = self.caller().map(|caller| caller.principal.to_string());
        self.standing.signature().or(caller)
    }

    /// True if the caller has a relation to the object of the verb.
    pub fn may(&self, relation: Relation) -> bool {
        self.admission.may(relation)
    }

    /// The admission of a caller who may see all of the learner, beyond the object of the verb; absent for others. The verb
    /// confirms it after its last read.
    pub(super) async fn of_whole_learner(&self) -> Result<Option<Admission>, Problem> {
        let (owner, engine) = (self.owner()?, &self.engine);
        let admitted = engine.admit(self.party(), &owner, Object::Learner, Relation::Viewer);
        match admitted.await.map_err(Problem::from) {
            Ok(admission) => Ok(Some(admission)),
            Err(refused) if refused.code == "not_allowed" => Ok(None),
            Err(problem) => Err(problem),
        }
    }

    /// True if its reads may leave a trace: its credential lets it write, and it is an editor.
    pub fn leaves_traces(&self) -> bool {
        self.may(Relation::Editor) && self.standing.rights() >= Rights::Write
    }

    /// The author of a change that claims one: the credential's own name, where there is one.
    ///
    /// # Errors
    /// `not_allowed` for the holder of a credential that claims to be another.
    pub fn signed(&self, claimed: Option<String>) -> Result<Option<String>, Problem> {
        if let Some(claimed) = &claimed {
            self.standing.check_author(claimed)?;
        }
        Ok(self.author.clone().or(claimed))
    }
}

/// An operation offered to the outside. The implementing type is the request.
pub trait Verb: DeserializeOwned + JsonSchema + Send + 'static {
    /// Noun and verb, such as `bullets.pin`; command, route and tool are derived from it.
    const NAME: &'static str;
    /// Its subject.
    const SUBJECT: Subject;
    /// Its effect.
    const EFFECT: Effect;
    /// True if repeating the request changes nothing more.
    const IDEMPOTENT: bool;
    /// How it treats a missing store.
    const MISSING_STORE: MissingStore = MissingStore::Error;
    /// The relation to its object that a caller needs; by its effect: a viewer reads, an editor writes, an owner destroys.
    const NEEDS: Relation = match Self::EFFECT {
        Effect::Reads => Relation::Viewer,
        Effect::Writes => Relation::Editor,
        Effect::Destroys => Relation::Owner,
    };
    /// How far a credential must go; by its effect. A verb whose reading leaves a trace by default may be called by who
    /// only reads, and then leaves none.
    const RIGHTS: Rights = match Self::EFFECT {
        Effect::Reads => Rights::Read,
        Effect::Writes => Rights::Write,
        Effect::Destroys => Rights::Destroy,
    };
    /// The field by which a repeated request counts once, such as the id of a delta; an `Idempotency-Key` fills it over
    /// HTTP.
    const ONCE_BY: Option<&'static str> = None;
    /// Its answer.
    type Answer: Serialize + JsonSchema + Send + 'static;

    /// True for a verb about the caller itself, such as the grants to it; it needs no relation to anything.
    const SELF_SERVICE: bool = false;

    /// True for a verb that only the operator may call, for every right of an API key.
    const OPERATOR_ONLY: bool = false;

    /// The object of the learner; a verb about a store or a tenant is for the operator.
    fn object(&self, key: &MemoryKey) -> Object {
        Self::SUBJECT.object(key)
    }

    /// Records in an answer, where a verb finds or makes some; for spans.
    fn records(_answer: &Self::Answer) -> Option<usize> {
        None
    }

    /// True if nothing was found; a command line then ends with exit code 1.
    fn is_empty(_answer: &Self::Answer) -> bool {
        false
    }

    /// The problem if the answer is bad news; a command line shows the answer and ends with exit code 2.
    fn fault(_answer: &Self::Answer, _key: &MemoryKey) -> Option<Problem> {
        None
    }

    /// Runs it.
    fn call(self, context: &Context) -> impl Future<Output = Result<Self::Answer, Problem>> + Send;
}

/// Returns `N`; the default of a field.
pub(crate) fn number<const N: usize>() -> usize {
    N
}

/// States the facts that every verb has, in its `impl Verb`: name, subject, effect, whether it is idempotent, and answer.
macro_rules! verb {
    ($name:literal, $subject:ident, $effect:ident, idempotent -> $answer:ty) => {
        const IDEMPOTENT: bool = true;
        $crate::verb::verb!($name, $subject, $effect -> $answer);
    };
    ($name:literal, $subject:ident, $effect:ident, not idempotent -> $answer:ty) => {
        const IDEMPOTENT: bool = false;
        $crate::verb::verb!($name, $subject, $effect -> $answer);
    };
    ($name:literal, $subject:ident, $effect:ident -> $answer:ty) => {
        const NAME: &'static str = $name;
        const SUBJECT: $crate::needs::Subject = $crate::needs::Subject::$subject;
        const EFFECT: $crate::needs::Effect = $crate::needs::Effect::$effect;
        type Answer = $answer;
    };
}

pub(crate) use verb;

impl Needs {
    /// The needs of a verb.
    pub const fn of<V: Verb>() -> Self {
        Self {
            verb: V::NAME,
            effect: V::EFFECT,
            subject: V::SUBJECT,
            rights: V::RIGHTS,
            relation: V::NEEDS,
            is_of_operator: V::OPERATOR_ONLY || matches!(V::SUBJECT, Subject::Store),
            is_of_caller: V::SELF_SERVICE,
        }
    }
}
