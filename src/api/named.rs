//! Names of other learners or principals in a request: unreadable until the gate has opened them.
//!
//! A field of type [`Named`] has no accessor. [`Named::open`] asks the rule of its kind, with the caller that the
//! credential determines, and returns the named object: a memory that the caller may change, a witness that it is. So a
//! verb cannot reach an object before its caller was found to have a right to it. A test finds all of them by
//! `Registered::named`, and forges each.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer};

use super::patterns::{NAME, NOT_BLANK, SUBJECT};
use super::problem::Problem;
use super::schema::NAMES;
use super::verb::Context;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::{Principal, Subject};
use hindlore_primitives::identity::parse_name;

/// A kind of name, and the rule by which it is opened.
pub trait Kind: Send + Sync + 'static {
    /// The kind of name, in schemas.
    const NAMES: &'static str;
    /// Longest name, in characters.
    const CHARS_MAX: u32;
    /// The pattern of a name.
    const PATTERN: &'static str = NAME;
    /// The meaning of an opened name.
    type Opened;

    /// Opens a name for the caller of a context.
    fn open(
        name: &str,
        context: &Context,
    ) -> impl Future<Output = Result<Self::Opened, Problem>> + Send;
}

/// A name of a kind.
pub struct Named<K: Kind> {
    name: String,
    kind: PhantomData<K>,
}

impl<K: Kind> Named<K> {
    /// Opens it for the caller of a verb.
    ///
    /// `not_allowed` if the caller has no right to the named object; else the fault of the name.
    pub async fn open(&self, context: &Context) -> Result<K::Opened, Problem> {
        K::open(&self.name, context).await
    }
}

impl<K: Kind> Clone for Named<K> {
    fn clone(&self) -> Self {
        self.name.clone().into()
    }
}

impl<K: Kind> std::fmt::Debug for Named<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Named({})", K::NAMES)
    }
}

impl<K: Kind> From<String> for Named<K> {
    fn from(name: String) -> Self {
        Self {
            name,
            kind: PhantomData,
        }
    }
}

impl<'de, K: Kind> Deserialize<'de> for Named<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}

impl<K: Kind> JsonSchema for Named<K> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        K::NAMES.into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = json_schema!({
            "type": "string",
            "minLength": 1,
            "maxLength": K::CHARS_MAX,
            "pattern": K::PATTERN,
        });
        schema.insert(NAMES.to_owned(), K::NAMES.into());
        schema
    }
}

fn refused(message: String, hint: &str) -> Problem {
    Problem::new("not_allowed", message).with_hint(format!("{hint}; nothing was changed"))
}

fn principal(text: &str) -> Result<Principal, Problem> {
    text.parse().map_err(|reason: String| {
        Problem::new("invalid_principal", reason)
            .with_hint("name `agent:NAME` or `user:NAME`; nothing was changed")
    })
}

fn subject(text: &str) -> Result<Subject, Problem> {
    text.parse().map_err(|reason: String| {
        Problem::new("invalid_subject", reason).with_hint(
            "name `agent:NAME`, `user:NAME`, `group:NAME` or `tenant`; nothing was changed",
        )
    })
}

/// A learner that takes something: the caller must be an editor of its memory in the scope of the call.
#[derive(Clone, Copy)]
pub enum Taker {}

impl Kind for Taker {
    const NAMES: &'static str = "learner";
    const CHARS_MAX: u32 = 256;
    type Opened = MemoryKey;

    async fn open(name: &str, context: &Context) -> Result<MemoryKey, Problem> {
        let key = MemoryKey::new(context.key.tenant(), name, context.key.scope())?;
        let owner = LearnerId::new(key.tenant(), key.learner())?;
        let object = Object::Memory(key.scope().to_owned());
        context
            .engine
            .admit(context.party(), &owner, object, Relation::Editor)
            .await?;
        Ok(key)
    }
}

/// A learner that limits a listing or a key: for callers who reach the whole tenant.
#[derive(Clone, Copy)]
pub enum AnyLearner {}

impl Kind for AnyLearner {
    const NAMES: &'static str = "learner";
    const CHARS_MAX: u32 = 256;
    const PATTERN: &'static str = NOT_BLANK;
    type Opened = String;

    async fn open(name: &str, context: &Context) -> Result<String, Problem> {
        if context.party().has_tenant(context.key.tenant()) {
            return Ok(name.to_owned());
        }
        let message = format!("`{}` reaches one learner only", context.party().name());
        Err(refused(message, "ask the operator"))
    }
}

/// The learner of the call, named again so that no mistaken default destroys anything.
#[derive(Clone, Copy)]
pub enum SameLearner {}

impl Kind for SameLearner {
    const NAMES: &'static str = "learner";
    const CHARS_MAX: u32 = 256;
    type Opened = ();

    async fn open(name: &str, context: &Context) -> Result<(), Problem> {
        consents("learner", name, context.key.learner())
    }
}

/// The scope of the call, named again.
#[derive(Clone, Copy)]
pub enum SameScope {}

impl Kind for SameScope {
    const NAMES: &'static str = "scope";
    const CHARS_MAX: u32 = 256;
    type Opened = ();

    async fn open(name: &str, context: &Context) -> Result<(), Problem> {
        consents("scope", name, context.key.scope())
    }
}

/// Refuses a request that does not repeat the call's subject.
fn consents(part: &'static str, repeated: &str, meant: &str) -> Result<(), Problem> {
    if parse_name(part, repeated)? == meant {
        return Ok(());
    }
    let repeated = repeated.escape_debug();
    let message = format!("the request names the {part} `{repeated}`, and it is about `{meant}`");
    Err(Problem::new("needs_consent", message).with_hint(format!(
        "repeat the {part} of what is to go in <field:{part}>; <subject:{part}> says what that is; nothing was erased"
    )))
}

/// A principal that is claimed to speak: the caller itself, or one that the operator names.
#[derive(Clone, Copy)]
pub enum Speaker {}

impl Kind for Speaker {
    const NAMES: &'static str = "principal";
    const CHARS_MAX: u32 = 300;
    const PATTERN: &'static str = SUBJECT;
    type Opened = Principal;

    async fn open(name: &str, context: &Context) -> Result<Principal, Problem> {
        let named = principal(name)?;
        match context.witness() {
            None if context.is_operator() => Ok(named),
            Some(own) if own == named.to_string() => Ok(named),
            own => {
                let own = own.unwrap_or_else(|| context.party().name());
                let message = format!("`{own}` cannot speak for `{named}`");
                Err(refused(message, "leave <field:by> out"))
            }
        }
    }
}

/// A subject to which something of the learner is granted: for who owns that.
#[derive(Clone, Copy)]
pub enum Grantee {}

impl Kind for Grantee {
    const NAMES: &'static str = "subject";
    const CHARS_MAX: u32 = 300;
    const PATTERN: &'static str = SUBJECT;
    type Opened = Subject;

    async fn open(name: &str, context: &Context) -> Result<Subject, Problem> {
        let named = subject(name)?;
        if context.may(Relation::Owner) {
            return Ok(named);
        }
        let message = format!("`{}` does not own it", context.party().name());
        Err(refused(message, "ask its owner"))
    }
}

/// A subject whose reach is asked for: the caller's own, or any for who reaches the whole tenant.
#[derive(Clone, Copy)]
pub enum Reaching {}

impl Kind for Reaching {
    const NAMES: &'static str = "subject";
    const CHARS_MAX: u32 = 300;
    const PATTERN: &'static str = SUBJECT;
    type Opened = Subject;

    async fn open(name: &str, context: &Context) -> Result<Subject, Problem> {
        let named = subject(name)?;
        let is_own = context.caller().is_some_and(|caller| {
            let learner = caller.learner.as_deref();
            named == Subject::Principal(caller.principal.clone())
                || learner.is_some_and(|learner| named.is_learner(learner))
        });
        if is_own || context.party().has_tenant(context.key.tenant()) {
            return Ok(named);
        }
        let own = context.party().name();
        let message = format!("`{own}` may list its own reachable objects, not those of `{named}`");
        Err(refused(message, "leave <field:subject> out"))
    }
}

/// A subject that is put into a group, or leads it: the group's leaders choose it, and the engine asks for that in the
/// transaction of the change.
#[derive(Clone, Copy)]
pub enum Member {}

impl Kind for Member {
    const NAMES: &'static str = "subject";
    const CHARS_MAX: u32 = 300;
    const PATTERN: &'static str = SUBJECT;
    type Opened = Subject;

    async fn open(name: &str, _: &Context) -> Result<Subject, Problem> {
        subject(name)
    }
}
