//! The gate: the access of a surface to a store, and the way of a caller to a verb.
//!
//! ```text
//!   surface -- Access -- may_call -- admit -- Context -- verb -- confirm -- answer
//! ```
//!
//! A surface builds an [`Access`] and cannot make a [`Context`]; so this is the only way to a verb. An access without a
//! [`Standing`] may do nothing. Calls that the route alone forbids are refused before a request is read. An answer is
//! given only if the right still holds after everything in it was read.

use std::future::Future;
use std::sync::Arc;

use tracing::Instrument;

use super::agents::Agents;
use super::audit::{Deed, SharedAuditor};
use super::hint::HintFormatter;
use super::names;
use super::needs::Needs;
use super::problem::Problem;
use super::span;
use super::standing::Standing;
use super::verb::{Context, Effect, ProgressCallback, Verb};
use hindlore::sharing::Admission;
use hindlore::{Engine, EngineOptions};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::caller::Party;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_store::request::serving;

/// How a surface words verbs, shared between threads.
pub type SharedVoice = Arc<dyn HintFormatter + Send + Sync>;

/// The access of a surface: a store, the subject of its verbs, and the caller.
#[derive(Clone)]
pub struct Access {
    engine: Engine,
    key: MemoryKey,
    author: Option<String>,
    voice: SharedVoice,
    agents: Arc<Agents>,
    told: Option<ProgressCallback>,
    standing: Standing,
    is_everywhere: bool,
    auditor: Option<SharedAuditor>,
    request_id: Option<String>,
}

impl Access {
    /// An access without rights; a surface adds the standing of its caller.
    pub fn new(engine: Engine, key: MemoryKey, voice: SharedVoice) -> Self {
        Self {
            key: names::redacted_key(&engine.options().redactor, key),
            engine,
            author: None,
            voice,
            agents: Arc::default(),
            told: None,
            standing: Standing::nobody(),
            is_everywhere: false,
            auditor: None,
            request_id: None,
        }
    }

    /// Sets the author of changes; the holder of a credential signs its changes itself.
    #[must_use]
    pub fn by(self, author: Option<String>) -> Self {
        Self { author, ..self }
    }

    /// Sets the model and the options of agents.
    #[must_use]
    pub fn with_agents(self, agents: Arc<Agents>) -> Self {
        Self { agents, ..self }
    }

    /// Sets the progress callback.
    #[must_use]
    pub fn telling(self, told: ProgressCallback) -> Self {
        Self {
            told: Some(told),
            ..self
        }
    }

    /// Sets whether questions are also answered from the scopes that hold everywhere.
    #[must_use]
    pub fn everywhere(self, is_everywhere: bool) -> Self {
        Self {
            is_everywhere,
            ..self
        }
    }

    /// Sets the caller, as its credential determines it.
    #[must_use]
    pub fn of(self, standing: Standing) -> Self {
        Self { standing, ..self }
    }

    /// Sets the audit log.
    #[must_use]
    pub fn audited(self, auditor: Option<SharedAuditor>) -> Self {
        Self { auditor, ..self }
    }

    /// Sets the id of the request.
    #[must_use]
    pub fn asked_in(self, request_id: Option<String>) -> Self {
        Self { request_id, ..self }
    }

    /// Sets the names of verbs in hints.
    #[must_use]
    pub fn worded(self, voice: SharedVoice) -> Self {
        Self { voice, ..self }
    }

    /// Returns the access to another memory.
    #[must_use]
    pub fn about(&self, key: MemoryKey) -> Self {
        Self {
            key: names::redacted_key(&self.options().redactor, key),
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
    pub fn owner(&self) -> Result<LearnerId, Problem> {
        Ok(LearnerId::new(self.key.tenant(), self.key.learner())?)
    }

    /// That memory, as the object of a relation.
    pub fn memory(&self) -> Object {
        Object::Memory(self.key.scope().to_owned())
    }

    /// The options of the engine.
    pub fn options(&self) -> &EngineOptions {
        self.engine.options()
    }

    /// The finished and the total work, in the engine's units.
    pub fn progress(&self) -> (u64, u64) {
        self.engine.progress()
    }

    /// The engine itself, for work that is no verb; only for the operator.
    ///
    /// # Errors
    /// `not_as_another` for any other caller.
    pub fn engine(&self) -> Result<&Engine, Problem> {
        match self.standing.party() {
            Party::Operator => Ok(&self.engine),
            other => Err(not_as_another(&other.name())),
        }
    }

    /// Refuses a verb that the caller may not call about this learner for any request. It needs the head of a request
    /// and the verb alone, so a server asks before it reads a body.
    ///
    /// # Errors
    /// `not_allowed`; those of the store.
    pub async fn may_call(&self, needs: &Needs) -> Result<(), Problem> {
        let open = self.is_open(needs).await;
        open.map_err(|refused| self.counted(needs, refused))
    }

    /// The fault of a request, for who may call the verb at all; another one is refused in the same words whether or not
    /// its request is right.
    pub(super) async fn fault(&self, needs: &Needs, fault: Problem) -> Problem {
        let admitted = self.admit(needs, needs.object(&self.key)).await;
        admitted.err().unwrap_or(fault)
    }

    async fn is_open(&self, needs: &Needs) -> Result<(), Problem> {
        let (owner, party) = (self.owner()?, self.standing.party());
        self.standing.check(needs, &owner)?;
        match needs.relation() {
            // Who is no viewer of anything else may be one of a public playbook, which the request names.
            Some(Relation::Viewer) if needs.object(&self.key) == Object::Learner => Ok(()),
            Some(needed) if !self.engine.reaches(party, &owner, needed).await? => {
                // In the words in which an object is refused.
                let object = needs.object(&self.key);
                self.engine.admit(party, &owner, object, needed).await?;
                Ok(())
            }
            _ => Ok(()),
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
        let needs = Needs::of::<V>();
        serving(requests, async {
            let admission = match self.admit(&needs, object).await {
                Ok(admission) => admission,
                Err(refused) => return Err(self.counted(&needs, refused)),
            };
            self.audited_work(&needs, async {
                let done = work(self.context(admission.clone())).await?;
                self.engine.confirm(&admission).await?;
                Ok(done)
            })
            .await
        })
        .await
    }

    /// A refusal, counted in the audit log.
    fn counted(&self, needs: &Needs, refused: Problem) -> Problem {
        let Some(auditor) = &self.auditor else {
            return refused;
        };
        let holder = self.standing.signature();
        let noted = auditor.refused(holder.as_deref(), needs.verb, refused.code);
        noted.err().unwrap_or(refused)
    }

    async fn audited_work<T>(
        &self,
        needs: &Needs,
        work: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let Some(auditor) = &self.auditor else {
            return work.await;
        };
        let deed = self.deed(needs);
        if needs.effect != Effect::Reads {
            auditor.note(&deed, None)?;
        }
        let done = work.await;
        let outcome = done
            .as_ref()
            .map_or_else(|problem| problem.code, |_| "done");
        let noted = auditor.note(&deed, Some(outcome));
        match needs.effect {
            // A read is not answered; a change stays, and its beginning was noted.
            Effect::Reads => noted.and(done),
            _ => done,
        }
    }

    fn deed(&self, needs: &Needs) -> Deed {
        let caller = self.standing.party().caller();
        Deed {
            holder: self.standing.signature(),
            caller: caller.map(|caller| caller.principal.to_string()),
            verb: needs.verb,
            effect: needs.effect,
            request: self.request_id.clone(),
            key: self.key.clone(),
        }
    }

    async fn admit(&self, needs: &Needs, object: Object) -> Result<Admission, Problem> {
        let (owner, party) = (self.owner()?, self.standing.party());
        self.standing.check(needs, &owner)?;
        Ok(match needs.relation() {
            Some(needed) => self.engine.admit(party, &owner, object, needed).await?,
            // A verb about the caller itself is answered from the objects that the caller may see.
            None => Admission::of_caller(party, &owner),
        })
    }

    /// The context of an admission. A credential signs changes; without one, the author that is named, or the caller.
    fn context(&self, admission: Admission) -> Context {
        let caller = admission.party().caller();
        let caller = || caller.map(|caller| caller.principal.to_string());
        let own = || self.author.clone().or_else(caller);
        let author = self.standing.signature().or_else(own);
        Context::of(
            (self.engine.clone(), self.key.clone(), self.is_everywhere),
            author,
            (self.voice.clone(), self.agents.clone(), self.told.clone()),
            (self.standing.clone(), admission),
        )
    }
}

/// The problem of a command that works on the store itself, called for a principal.
pub fn not_as_another(principal: &str) -> Problem {
    let message = format!("this works on the store itself, and `{principal}` may only call verbs");
    Problem::new("not_as_another", message)
        .with_hint("call it without --as, as the operator; nothing was read or changed")
}
