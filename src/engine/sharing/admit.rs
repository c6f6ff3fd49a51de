//! The gate: whether a caller may do something with an object, asked before a verb and again before its answer.

use super::tuples::{Epochs, Gathered};
use crate::domain::lesson::lesson::Owner;
use crate::domain::sharing::access::relation_to;
use crate::domain::sharing::caller::Caller;
use crate::domain::sharing::closure::Closure;
use crate::domain::sharing::object::Object;
use crate::domain::sharing::relation::Relation;
use crate::engine::error::{EngineError, EngineResult};
use crate::engine::handle::Engine;

/// The proof that a caller was let through; only the gate makes it.
#[derive(Clone, Debug)]
pub struct Admission {
    /// `None` for whoever runs the store.
    caller: Option<Caller>,
    owner: Owner,
    object: Object,
    needed: Relation,
    has: Relation,
    epochs: Epochs,
}

impl Admission {
    /// Who was let through; `None` for whoever runs the store.
    pub fn caller(&self) -> Option<&Caller> {
        self.caller.as_ref()
    }

    /// True if the caller has a relation to the object, or runs the store.
    pub fn may(&self, relation: Relation) -> bool {
        self.has.includes(relation)
    }

    /// True if nothing can take the right away: the caller runs the store, or is the learner itself.
    fn is_lasting(&self) -> bool {
        let is_itself = |caller: &Caller| caller.is_learner(&self.owner);
        self.caller.as_ref().is_none_or(is_itself)
    }
}

impl Engine {
    /// Lets a caller through to an object of a learner if it has the relation; without a caller, whoever runs the
    /// store is let through to everything.
    ///
    /// # Errors
    ///
    /// `NotAllowed`, in the same words whether or not the object exists. Where the store fails, nothing is allowed.
    pub async fn admit(
        &self,
        caller: Option<&Caller>,
        owner: &Owner,
        object: Object,
        needed: Relation,
    ) -> EngineResult<Admission> {
        let mut admission = Admission {
            caller: caller.cloned(),
            owner: owner.clone(),
            object,
            needed,
            has: Relation::Owner,
            epochs: Epochs::default(),
        };
        if admission.is_lasting() {
            return Ok(admission);
        }
        (admission.has, admission.epochs) = self.relation_of(&admission).await?;
        Ok(admission)
    }

    /// Makes sure that an admission still holds, after everything that the answer tells was read.
    ///
    /// # Errors
    ///
    /// `NotAllowed` if the grant was revoked meanwhile.
    pub async fn confirm(&self, admission: &Admission) -> EngineResult<()> {
        if admission.is_lasting() {
            return Ok(());
        }
        if self.epochs(&admission.owner, &admission.object).await? == admission.epochs {
            return Ok(());
        }
        self.relation_of(admission).await.map(|_| ())
    }

    /// The relation that a caller has now, if it is enough.
    async fn relation_of(&self, asked: &Admission) -> EngineResult<(Relation, Epochs)> {
        let (owner, object) = (&asked.owner, &asked.object);
        let Some(caller) = &asked.caller else {
            return Ok((Relation::Owner, Epochs::default()));
        };
        let refused = || EngineError::NotAllowed {
            caller: caller.principal.to_string(),
            needed: asked.needed,
            object: format!("{object} of {}", owner.learner()),
        };
        if caller.tenant != owner.tenant() {
            return Err(refused());
        }
        let gathered = self
            .gather_tuples(owner, object, Closure::of(caller))
            .await?;
        let Gathered {
            closure,
            tuples,
            epochs,
        } = gathered;
        let has = relation_to(owner, object, caller, &closure, &tuples);
        match has.filter(|has| has.includes(asked.needed)) {
            Some(has) => Ok((has, epochs)),
            None => Err(refused()),
        }
    }
}
