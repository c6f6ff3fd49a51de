//! The gate: what a surface holds of a store, and how a caller gets from there to a verb.
//!
//! ```text
//!   surface -- Access -- admit -- Context -- verb -- confirm -- answer
//! ```
//!
//! A surface builds an [`Access`] and cannot make a [`Context`]; so there is no way to a verb but this one, whatever the
//! surface. An answer is given only if the right still holds after everything in it was read.

use std::future::Future;
use std::sync::Arc;

use tracing::Instrument;

use super::agents::Agents;
use super::audit::{Deed, SharedAuditor};
use super::hint::Voice;
use super::problem::Problem;
use super::span;
use super::verb::{Context, Effect, Subject, Told, Verb};
use crate::domain::lesson::lesson::Owner;
use crate::domain::memory::key::MemoryKey;
use crate::domain::sharing::api_key::{KeyHolder, Rights};
use crate::domain::sharing::caller::Caller;
use crate::domain::sharing::object::Object;
use crate::engine::sharing::Admission;
use crate::engine::{Engine, EngineOptions};
use crate::store::request::serving;

/// How a surface words verbs, shared between threads.
pub type SharedVoice = Arc<dyn Voice + Send + Sync>;

/// What a surface holds: a store, the subject of its verbs, and who calls.
#[derive(Clone)]
pub struct Access {
    engine: Engine,
    key: MemoryKey,
    author: Option<String>,
    voice: SharedVoice,
    agents: Arc<Agents>,
    told: Option<Told>,
    holder: Option<Arc<KeyHolder>>,
    auditor: Option<SharedAuditor>,
    request_id: Option<String>,
    caller: Option<Caller>,
}

impl Access {
    /// The access of whoever runs the store, who may do everything.
    pub fn new(engine: Engine, key: MemoryKey, voice: SharedVoice) -> Self {
        Self {
            engine,
            key,
            author: None,
            voice,
            agents: Arc::default(),
            told: None,
            holder: None,
            auditor: None,
            request_id: None,
            caller: None,
        }
    }

    /// The same with an author for changes.
    #[must_use]
    pub fn by(self, author: Option<String>) -> Self {
        Self { author, ..self }
    }

    /// The same with a model, and how agents work.
    #[must_use]
    pub fn with_agents(self, agents: Arc<Agents>) -> Self {
        Self { agents, ..self }
    }

    /// The same with somebody who is told of the steps of a verb while it runs.
    #[must_use]
    pub fn telling(self, told: Told) -> Self {
        Self {
            told: Some(told),
            ..self
        }
    }

    /// The same for the holder of a key or a token, who may do what that lets it.
    #[must_use]
    pub fn held_by(self, holder: Option<Arc<KeyHolder>>) -> Self {
        Self { holder, ..self }
    }

    /// The same with somebody who is told who called what.
    #[must_use]
    pub fn audited(self, auditor: Option<SharedAuditor>) -> Self {
        Self { auditor, ..self }
    }

    /// The same in a request that has an id.
    #[must_use]
    pub fn asked_in(self, request_id: Option<String>) -> Self {
        Self { request_id, ..self }
    }

    /// The same for a caller, who may do what it was granted.
    #[must_use]
    pub fn calling(self, caller: Option<Caller>) -> Self {
        Self { caller, ..self }
    }

    /// The same with other words for verbs.
    #[must_use]
    pub fn worded(self, voice: SharedVoice) -> Self {
        Self { voice, ..self }
    }

    /// The same about another memory.
    #[must_use]
    pub fn about(&self, key: MemoryKey) -> Self {
        Self {
            key,
            ..self.clone()
        }
    }

    /// The memory that its verbs are about.
    pub fn key(&self) -> &MemoryKey {
        &self.key
    }

    /// Its learner.
    ///
    /// # Errors
    /// `invalid_key` for names that cannot be.
    pub fn owner(&self) -> Result<Owner, Problem> {
        Ok(Owner::new(self.key.tenant(), self.key.learner())?)
    }

    /// That memory, as what a caller needs a relation to.
    pub fn memory(&self) -> Object {
        Object::Memory(self.key.scope().to_owned())
    }

    /// The options of the engine.
    pub fn options(&self) -> &EngineOptions {
        self.engine.options()
    }

    /// How much of what the engine counts is done, and how much there is.
    pub fn progress(&self) -> (u64, u64) {
        self.engine.progress()
    }

    /// The engine itself, for what is no verb; only for whoever runs the store.
    ///
    /// # Errors
    /// `not_as_another` if there is a caller.
    pub fn engine(&self) -> Result<&Engine, Problem> {
        match &self.caller {
            None => Ok(&self.engine),
            Some(caller) => Err(not_as_another(&caller.principal.to_string())),
        }
    }

    /// Answers a request: lets the caller through, runs the verb, and makes sure that the caller still may.
    ///
    /// # Errors
    /// `not_allowed`; else those of the verb.
    pub async fn answer<V: Verb>(&self, request: V) -> Result<V::Answer, Problem> {
        let object = request.object(&self.key);
        let work = |context: Context| async move { request.call(&context).await };
        let span = span::of::<V>(&self.key);
        let done = self.within::<V, _, _>(object, work);
        let done = done.instrument(span.clone()).await;
        span::end::<V>(&span, &done);
        done
    }

    /// As `answer`, for work that is a verb but for its request, such as reading a file first.
    ///
    /// # Errors
    /// `not_allowed`; else those of the work.
    pub async fn within<V: Verb, T, F>(
        &self,
        object: Object,
        work: impl FnOnce(Context) -> F,
    ) -> Result<T, Problem>
    where
        F: Future<Output = Result<T, Problem>>,
    {
        let requests = self.request_id.as_deref().map(|id| [Arc::from(id)].into());
        let confirmed = serving(requests, async {
            let admission = self.admit::<V>(object).await?;
            let done = work(self.context(admission.clone())).await?;
            self.engine.confirm(&admission).await?;
            Ok(done)
        });
        let Some(auditor) = &self.auditor else {
            return confirmed.await;
        };
        let deed = self.deed::<V>();
        if V::EFFECT != Effect::Reads {
            auditor.note(&deed, None)?;
        }
        let done = confirmed.await;
        let outcome = done
            .as_ref()
            .map_or_else(|problem| problem.code, |_| "done");
        let noted = auditor.note(&deed, Some(outcome));
        match V::EFFECT {
            // What was read is not given; what was changed is changed, and its beginning was noted.
            Effect::Reads => noted.and(done),
            _ => done,
        }
    }

    fn deed<V: Verb>(&self) -> Deed {
        let caller = self.caller.as_ref();
        Deed {
            holder: self.holder.as_ref().map(|holder| holder.author()),
            caller: caller.map(|caller| caller.principal.to_string()),
            verb: V::NAME,
            effect: V::EFFECT,
            request: self.request_id.clone(),
            key: self.key.clone(),
        }
    }

    async fn admit<V: Verb>(&self, object: Object) -> Result<Admission, Problem> {
        let owner = self.owner()?;
        self.let_in::<V>(&owner)?;
        let is_of_all = matches!(V::SUBJECT, Subject::Store | Subject::Tenant) && !V::OF_CALLER;
        if let Some(caller) = self.caller.as_ref().filter(|_| is_of_all) {
            return Err(Problem::new(
                "not_allowed",
                format!(
                    "`{}` is for whoever runs the store, not for `{}`",
                    V::NAME,
                    caller.principal
                ),
            )
            .with_hint("ask them to call it; nothing was read or changed"));
        }
        // A verb about the caller itself is answered from what the caller may see.
        let needed = if V::OF_CALLER { None } else { Some(V::NEEDS) };
        Ok(match needed {
            Some(needed) => {
                self.engine
                    .admit(self.caller.as_ref(), &owner, object, needed)
                    .await?
            }
            None => Admission::of_caller(self.caller.as_ref(), &owner),
        })
    }

    /// Refuses what its key or token does not let its holder do.
    fn let_in<V: Verb>(&self, owner: &Owner) -> Result<(), Problem> {
        let Some(holder) = &self.holder else {
            return Ok(());
        };
        let needed = match V::EFFECT {
            Effect::Reads => Rights::Read,
            Effect::Writes => Rights::Write,
            Effect::Destroys => Rights::Destroy,
        };
        let is_of_tenant = V::SUBJECT == Subject::Tenant;
        let objection = if V::SUBJECT == Subject::Store || V::OF_RUNNER {
            Some("this is for whoever runs the store".to_owned())
        } else {
            holder.objection((owner.tenant(), owner.learner()), is_of_tenant, needed)
        };
        match objection {
            None => Ok(()),
            Some(why) => Err(Problem::new(
                "not_allowed",
                format!(
                    "{} does not let you call `{}`: {why}",
                    holder.shown(),
                    V::NAME
                ),
            )
            .with_hint(
                "ask whoever runs the store for one that does; nothing was read or changed",
            )),
        }
    }

    /// The context of an admission; changes are those of the caller unless somebody else is named.
    fn context(&self, admission: Admission) -> Context {
        let caller = admission
            .caller()
            .map(|caller| caller.principal.to_string());
        let holder = || self.holder.as_ref().map(|holder| holder.author());
        let author = self.author.clone().or(caller).or_else(holder);
        Context::of(
            (self.engine.clone(), self.key.clone()),
            author,
            (self.voice.clone(), self.agents.clone(), self.told.clone()),
            admission,
        )
    }
}

/// The problem of a command that works on the store itself, called as somebody.
pub fn not_as_another(principal: &str) -> Problem {
    let message = format!("this works on the store itself, and `{principal}` may only call verbs");
    Problem::new("not_as_another", message)
        .with_hint("call it without --as, as whoever runs the store; nothing was read or changed")
}
