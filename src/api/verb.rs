//! A verb: one thing that a stranger can ask for, written once for every surface.
//!
//! A verb *is* its request: a type whose fields are what is asked. Its documentation is the help of the command line,
//! the text of the OpenAPI document and the description of the tool, and the bounds in its schema are checked before
//! anything reads it. Who asks, and about whom, is never in the request: it stands in the [`Context`], so that a
//! surface can take it from credentials.
//!
//! # How to add a verb
//!
//! 1. Write the use case as an engine verb, if there is none: `src/engine/<verb>.rs`, gather, decide, apply.
//! 2. In `src/api/verbs/<noun>.rs` write the request, with a sentence for the type and for each field; the first
//!    paragraph is the short help. Bounds are attributes: `#[schemars(range(min = 1, max = 100))]`,
//!    `#[schemars(length(max = 4000))]`. A field that may be left out has `#[serde(default)]`.
//! 3. Implement [`Verb`]: `NAME` is noun and verb (`bullets.pin`), `call` parses, calls one engine verb and shapes its
//!    answer, in at most 20 lines. Answers live in `src/api/responses`; enums of the domain appear there as
//!    `#[schemars(with = "Word<…>")]`, ids and times as `#[schemars(with = "String")]`.
//!    A verb that may make a store says so by `MISSING_STORE`.
//! 4. Add one line to the list in `catalog.rs`. Now the library, `mnemograph call NAME JSON` and a command with the
//!    words of its name reach it; the options of the command, their types and their help come from the schema.
//! 5. Where people use it often, write `src/cli/commands/<command>.rs`: a form (which fields are positional, other
//!    names of options) and how the answer is shown, and add one line to `VERBS` in `src/cli/commands/mod.rs`.
//! 6. Tell its part of the story in `tests/program/surface/parity.rs`; a verb that is in the list and not in the
//!    story fails.
//!
//! An error that says what to do names verbs, fields and the subject by markers (see [`hint`](super::hint)), so that
//! every surface says it in its own words.

use std::future::Future;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use crate::domain::lesson::lesson::Owner;
use crate::domain::memory::key::MemoryKey;
use crate::engine::Engine;

/// What a verb is about, hence what a credential must cover.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// The whole store, all tenants of it.
    Store,
    /// One tenant with all its learners.
    Tenant,
    /// One learner: lessons, errors and runs, which belong to no scope.
    Learner,
    /// One memory: a learner's bullets in one scope.
    Memory,
}

/// What a verb does to its subject.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Effect {
    /// Leaves everything as it is.
    Reads,
    /// Adds and changes; what was there can be had back.
    Writes,
    /// Takes something away for good.
    Destroys,
}

/// What a verb makes of a store that is not there yet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MissingStore {
    /// Nothing can be shown or changed in it; one that was named for this call must be there.
    Refused,
    /// It knows nothing yet, which is an answer, whoever named it.
    Empty,
    /// The verb makes it.
    Made,
}

/// Who asks, and about whom.
#[derive(Clone)]
pub struct Context {
    /// The engine over the store.
    pub engine: Engine,
    /// The memory that is meant; a verb about a learner or a tenant reads only that part of it.
    pub key: MemoryKey,
    /// Who makes a change, for the history; absent: as the engine's options say.
    pub author: Option<String>,
}

impl Context {
    /// The learner that is meant.
    pub fn owner(&self) -> Result<Owner, Problem> {
        Ok(Owner::new(self.key.tenant(), self.key.learner())?)
    }
}

/// One thing that can be asked for. The type that implements it is the request.
pub trait Verb: DeserializeOwned + JsonSchema + Send + 'static {
    /// Noun and verb, such as `bullets.pin`; command, route and tool are derived from it.
    const NAME: &'static str;
    /// What it is about.
    const SUBJECT: Subject;
    /// What it does.
    const EFFECT: Effect;
    /// True when the same request again changes nothing more.
    const IDEMPOTENT: bool;
    /// What it makes of a store that is not there yet.
    const MISSING_STORE: MissingStore = MissingStore::Refused;
    /// What it answers.
    type Answer: Serialize + JsonSchema + Send + 'static;

    /// True when there was nothing of what was asked for; a command line ends with 1 then.
    fn is_empty(_answer: &Self::Answer) -> bool {
        false
    }

    /// Returns what is wrong where the answer is bad news; a command line shows the answer and ends with 2 then.
    fn fault(_answer: &Self::Answer, _context: &Context) -> Option<Problem> {
        None
    }

    /// Carries it out.
    fn call(self, context: &Context) -> impl Future<Output = Result<Self::Answer, Problem>> + Send;
}
