//! The gate: whether a caller may do something with an object, asked before a verb and again before its answer.

use super::tuples::{Epochs, Gathered};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::playbook::Scope;
use hindlore_domain::sharing::access::{Tuple, relation_to, visible};
use hindlore_domain::sharing::caller::Party;
use hindlore_domain::sharing::closure::Closure;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;

/// The proof that a caller was let through; only the gate makes it.
#[derive(Clone, Debug)]
pub struct Admission {
    party: Party,
    owner: LearnerId,
    object: Object,
    needed: Relation,
    has: Relation,
    epochs: Epochs,
    /// The right rests on more than tuples, so epochs alone do not prove that it holds.
    is_by_visibility: bool,
    /// It is about the caller itself, which nothing can take away.
    is_of_caller: bool,
}

impl Admission {
    /// The admission to records about the caller itself, such as grants to it; it gives no relation to anything.
    pub fn of_caller(party: &Party, owner: &LearnerId) -> Self {
        Self {
            party: party.clone(),
            owner: owner.clone(),
            object: Object::Learner,
            needed: Relation::Viewer,
            has: if party.has_tenant(owner.tenant()) {
                Relation::Owner
            } else {
                Relation::Viewer
            },
            epochs: Epochs::default(),
            is_by_visibility: false,
            is_of_caller: true,
        }
    }

    /// The admitted caller.
    pub fn party(&self) -> &Party {
        &self.party
    }

    /// True if the party has a relation to the object.
    pub fn may(&self, relation: Relation) -> bool {
        self.has.includes(relation)
    }

    /// True if nothing can take the right away.
    fn is_lasting(&self) -> bool {
        self.is_of_caller || self.party.owns(&self.owner)
    }
}

impl Engine {
    /// Lets a party through to an object of a learner if it owns the learner or was granted the relation.
    ///
    /// # Errors
    ///
    /// `NotAllowed`, in the same words whether or not the object exists. Where the store fails, nothing is allowed.
    pub async fn admit(
        &self,
        party: &Party,
        owner: &LearnerId,
        object: Object,
        needed: Relation,
    ) -> EngineResult<Admission> {
        let mut admission = Admission {
            party: party.clone(),
            owner: owner.clone(),
            object,
            needed,
            has: Relation::Owner,
            epochs: Epochs::default(),
            is_by_visibility: false,
            is_of_caller: false,
        };
        if admission.is_lasting() {
            return Ok(admission);
        }
        let found = self.relation_of(&admission).await?;
        (admission.has, admission.epochs, admission.is_by_visibility) = found;
        Ok(admission)
    }

    /// Checks that an admission still holds, after everything in the answer was read.
    ///
    /// # Errors
    ///
    /// `NotAllowed` if the grant was revoked meanwhile.
    pub async fn confirm(&self, admission: &Admission) -> EngineResult<()> {
        if admission.is_lasting() {
            return Ok(());
        }
        // Equal epochs prove that no tuple and no group changed, so the walk need not be repeated.
        let is_same = self.epochs(&admission.owner, &admission.object).await? == admission.epochs;
        if is_same && !admission.is_by_visibility {
            return Ok(());
        }
        self.relation_of(admission).await.map(|_| ())
    }

    /// True if a party owns a learner, or was granted a relation to anything of it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn reaches(
        &self,
        party: &Party,
        owner: &LearnerId,
        needed: Relation,
    ) -> EngineResult<bool> {
        if party.owns(owner) {
            return Ok(true);
        }
        let caller = party.caller();
        let Some(caller) = caller.filter(|caller| caller.tenant == owner.tenant()) else {
            return Ok(false);
        };
        let closure = Closure::of(caller);
        let gathered = self.gather_tuples(owner, &Object::Learner, closure).await?;
        let suffices = |tuple: &Tuple| {
            tuple.relation.includes(needed) && gathered.closure.holds(&tuple.subject)
        };
        Ok(gathered.tuples.iter().any(suffices))
    }

    /// The relation that a caller has now, if it is enough.
    async fn relation_of(&self, asked: &Admission) -> EngineResult<(Relation, Epochs, bool)> {
        let (owner, object) = (&asked.owner, &asked.object);
        let refused = || EngineError::NotAllowed {
            caller: asked.party.name(),
            needed: asked.needed,
            object: format!("{object} of {}", owner.learner()),
        };
        let caller = asked.party.caller();
        let Some(caller) = caller.filter(|caller| caller.tenant == owner.tenant()) else {
            return Err(refused());
        };
        let gathered = self
            .gather_tuples(owner, object, Closure::of(caller))
            .await?;
        let Gathered {
            closure,
            tuples,
            epochs,
        } = gathered;
        let has = relation_to(owner, object, caller, &closure, &tuples);
        if let Some(has) = has.filter(|has| has.includes(asked.needed)) {
            return Ok((has, epochs, false));
        }
        let visible = self.visibility_of(owner, object).await?;
        match visible.filter(|has| has.includes(asked.needed)) {
            Some(has) => Ok((has, epochs, true)),
            None => Err(refused()),
        }
    }

    /// The relation that the visibility of a playbook gives to everyone else of its tenant.
    async fn visibility_of(
        &self,
        owner: &LearnerId,
        object: &Object,
    ) -> EngineResult<Option<Relation>> {
        let Object::Playbook(name) = object else {
            return Ok(None);
        };
        let playbook = self.playbook_or_none(owner, name).await?;
        let playbook = playbook.filter(|playbook| !playbook.archived);
        Ok(playbook.and_then(|playbook| {
            // Of an agent or a user there is one: the learner itself, which owns all it keeps.
            let is_member = matches!(playbook.scope, Scope::Tenant | Scope::Global);
            visible(playbook.visibility, is_member)
        }))
    }
}
