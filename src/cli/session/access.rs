//! The access to verbs: the opened store, its subject, the author, and who calls.

use std::path::Path;
use std::sync::Arc;

use super::{About, OpenMemory, Session, unknown_names};
use crate::form::Request;
use crate::repository::recalls_everywhere;
use crate::shell::{Spoken, quoted};
use hindlore::Engine;
use hindlore_api::access::{Access, not_as_another};
use hindlore_api::catalog::Registered;
use hindlore_api::problem::Problem;
use hindlore_api::standing::Standing;
use hindlore_api::verb::{MissingStore, Subject, Verb};
use hindlore_config::{PlaceKind, kind_of_place};
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::caller::Caller;
use hindlore_domain::sharing::subject::Principal;

impl Session {
    /// For a verb about a memory that creates nothing.
    pub(crate) fn access_there(&self) -> Result<Access, Problem> {
        self.access_of_memory(self.memory_there()?)
    }

    /// For a query about a memory.
    pub(crate) fn access_to_ask(&self) -> Result<Access, Problem> {
        self.access_of_memory(self.memory_to_ask()?)
    }

    /// For a verb that may create a memory.
    pub(crate) async fn access_to_write(&self) -> Result<Access, Problem> {
        self.access_about(Subject::Memory, MissingStore::Create)
            .await
    }

    /// For all verbs that a surface which stays will call, with the store made where there is none.
    pub(crate) fn access_served(&self) -> Result<Access, Problem> {
        self.access_of_memory(self.memory()?)
    }

    /// For any verb, by its subject and by how it treats a missing store.
    pub(crate) async fn access_for(&self, verb: &Registered) -> Result<Access, Problem> {
        self.access_about(verb.subject, verb.missing_store).await
    }

    /// As `access_for`, for a verb whose type is known.
    pub(crate) async fn access_of<V: Verb>(&self) -> Result<Access, Problem> {
        self.access_about(V::SUBJECT, V::MISSING_STORE).await
    }

    /// Answers a typed request: checks it, opens the store as the verb needs it, and waits.
    pub(crate) async fn answer<V: Verb>(
        &self,
        what: &str,
        request: Request,
    ) -> Result<V::Answer, Problem> {
        let request: V = request.read(self)?;
        let access = self.access_of::<V>().await?;
        self.wait(what, access.answer(request)).await
    }

    async fn access_about(
        &self,
        subject: Subject,
        missing_store: MissingStore,
    ) -> Result<Access, Problem> {
        let key = self.key()?;
        let new_folder = self
            .missing_folder()
            .filter(|_| missing_store == MissingStore::Create);
        let engine = match missing_store {
            MissingStore::Error => self.engine_there()?,
            MissingStore::Empty => self.engine_to_ask()?,
            MissingStore::Create => self.engine()?,
        };
        let about = match subject {
            Subject::Learner => About::Lessons,
            Subject::Store | Subject::Tenant | Subject::Memory => About::Memory,
        };
        self.mean(&engine, &key, about);
        if missing_store == MissingStore::Create {
            self.note_new().await?;
        }
        if let Some(store) = new_folder {
            self.warn(
                "new_store",
                format!("made a new store, with its folder: `{store}`"),
            );
        }
        self.access(engine, key)
    }

    /// The named store, if its folder does not exist yet: it may be a slip.
    fn missing_folder(&self) -> Option<String> {
        let store = self
            .settings
            .text("store")
            .filter(|_| self.settings.is_given("store"))?;
        let folder = Path::new(store).parent()?;
        let is_file = kind_of_place(store) == PlaceKind::File;
        let is_missing = is_file && !folder.as_os_str().is_empty() && !folder.exists();
        is_missing.then(|| store.to_owned())
    }

    /// Warns of similar names; a caller does not learn names that it may not see.
    async fn note_new(&self) -> Result<(), Problem> {
        match self.caller()? {
            None => unknown_names::note_new(self).await,
            Some(_) => Ok(()),
        }
    }

    fn access_of_memory(&self, memory: OpenMemory) -> Result<Access, Problem> {
        self.access(memory.engine, memory.key)
    }

    /// To a memory of an opened store.
    pub(crate) fn access(&self, engine: Engine, key: MemoryKey) -> Result<Access, Problem> {
        let caller = self.caller()?;
        Ok(Access::new(engine, key, Arc::new(self.voice()))
            .with_agents(self.agents())
            .everywhere(caller.is_none() && recalls_everywhere(&self.settings))
            .by(self.typed_author())
            .of(Standing::operator(caller)))
    }

    /// The caller; `None` for the operator.
    fn caller(&self) -> Result<Option<Caller>, Problem> {
        let Some(named) = self
            .settings
            .text("as")
            .filter(|named| !named.trim().is_empty())
        else {
            return Ok(None);
        };
        let principal: Principal = named.parse().map_err(|reason: String| {
            Problem::new("invalid_principal", reason)
                .with_hint("name `agent:NAME` or `user:NAME` by --as")
        })?;
        Ok(Some(Caller::new(self.key()?.tenant(), principal)))
    }

    /// Refuses commands that are no verbs to all callers but the operator.
    pub(super) fn must_run_the_store(&self) -> Result<(), Problem> {
        match self.caller()? {
            None => Ok(()),
            Some(caller) => Err(not_as_another(&caller.principal.to_string())),
        }
    }

    /// The form of commands in answers: with the store and the learner that were typed.
    pub(crate) fn voice(&self) -> Spoken {
        let typed = ["store", "tenant", "learner"].into_iter();
        let typed = typed.filter(|name| self.settings.is_flag(name));
        let flags = typed.filter_map(|name| {
            let value = self.settings.text(name)?;
            Some(format!(" --{name} {}", quoted(value)))
        });
        Spoken::with_flags(flags.collect())
    }
}
