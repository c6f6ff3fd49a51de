//! The standing of a caller: its identity by the credential, and the verbs it may call by the route alone.
//!
//! A credential determines the caller. A name that a request adds (`Hindlore-As`) may narrow that, never widen it. An
//! access without a standing is nobody's and is refused everything.

use std::sync::Arc;

use super::needs::Needs;
use super::problem::Problem;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::sharing::api_key::{KeyHolder, Rights};
use hindlore_domain::sharing::caller::{Caller, Party};
use hindlore_domain::sharing::subject::Principal;

/// The caller and its credential.
#[derive(Clone, Debug)]
pub struct Standing {
    party: Party,
    holder: Option<Arc<KeyHolder>>,
}

impl Standing {
    /// A caller without rights.
    pub fn nobody() -> Self {
        Self {
            party: Party::Nobody,
            holder: None,
        }
    }

    /// The operator; in the name of a principal, with the rights granted to it.
    pub fn operator(named: Option<Caller>) -> Self {
        Self {
            party: named.map_or(Party::Operator, Party::Principal),
            holder: None,
        }
    }

    /// The holder of a key or a token; in the name of a principal, with the rights of both.
    ///
    /// # Errors
    /// `not_allowed` for a name that the credential does not cover, or that it cannot be.
    pub fn holder(holder: Arc<KeyHolder>, named: Option<Principal>) -> Result<Self, Problem> {
        let refused = |why: String| {
            let message = format!("{} does not let you call: {why}", holder.shown());
            Problem::new("not_allowed", message).with_hint("nothing was read or changed")
        };
        let own = holder.principal().map_err(refused)?;
        let of = |principal: Principal| {
            Party::Principal(Caller {
                learner: holder.learner.clone(),
                ..Caller::new(&holder.tenant, principal)
            })
        };
        let party = match (own, named, &holder.learner) {
            (_, Some(named), None) => of(named),
            (_, None, None) => Party::Tenant {
                tenant: holder.tenant.clone(),
                name: holder.shown(),
            },
            (Some(own), named, Some(learner)) => {
                let covers = |named: &Principal| *named == own || named.is_learner(learner);
                if let Some(named) = named.filter(|named| !covers(named)) {
                    return Err(refused(format!("it is not `{named}`")));
                }
                of(own)
            }
            (None, _, Some(learner)) => of(Principal::of_learner(learner)),
        };
        Ok(Self {
            party,
            holder: Some(holder),
        })
    }

    /// The caller.
    pub fn party(&self) -> &Party {
        &self.party
    }

    /// The name of the credential's holder, for the history; `None` for the operator.
    pub fn signature(&self) -> Option<String> {
        self.holder.as_ref().map(|holder| holder.author())
    }

    /// Refuses an author that a request claims, where a credential signs changes by another name.
    ///
    /// # Errors
    /// `not_allowed`.
    pub fn check_author(&self, claimed: &str) -> Result<(), Problem> {
        let own = self.signature();
        let Some(own) = own.filter(|own| own != claimed) else {
            return Ok(());
        };
        let claimed = claimed.escape_debug();
        let message = format!("changes are signed as `{own}`, and the request claims `{claimed}`");
        Err(Problem::new("not_allowed", message)
            .with_hint("leave the author out; nothing was changed"))
    }

    /// The witness: an identity that the store, or the operator, has authenticated.
    ///
    /// In the name of another, the holder of a credential for a tenant is still itself.
    pub(super) fn witness(&self) -> Option<String> {
        let principal = self.party.caller();
        let principal = principal.map(|caller| caller.principal.to_string());
        match &self.holder {
            Some(holder) if holder.learner.is_none() => Some(holder.author()),
            Some(_) | None => principal,
        }
    }

    /// True for the operator itself.
    pub(super) fn is_operator(&self) -> bool {
        self.party == Party::Operator
    }

    /// How far its credential goes.
    pub(super) fn rights(&self) -> Rights {
        match (&self.holder, &self.party) {
            (Some(holder), _) => holder.rights,
            (None, Party::Nobody) => Rights::Read,
            (None, _) => Rights::Destroy,
        }
    }

    /// Refuses a verb that it may not call about any object of an owner, regardless of grants.
    ///
    /// # Errors
    /// `not_allowed`.
    pub(super) fn check(&self, needs: &Needs, owner: &LearnerId) -> Result<(), Problem> {
        if let Some(holder) = &self.holder {
            let why = if needs.is_of_operator {
                Some("only the operator may call this".to_owned())
            } else {
                holder.objection(owner.tenant(), needs.is_of_tenant(), needs.rights)
            };
            if let Some(why) = why {
                let (shown, verb) = (holder.shown(), needs.verb);
                let message = format!("{shown} does not let you call `{verb}`: {why}");
                return Err(Problem::new("not_allowed", message)
                    .with_hint("ask the operator for one that does; nothing was read or changed"));
            }
        }
        let is_enough = match &self.party {
            Party::Nobody => false,
            Party::Operator => true,
            Party::Tenant { tenant, .. } => tenant == owner.tenant() && !needs.is_of_operator,
            Party::Principal(caller) => {
                caller.tenant == owner.tenant() && !needs.is_of_operator && !needs.is_of_tenant()
            }
        };
        if is_enough {
            return Ok(());
        }
        let (verb, name) = (needs.verb, self.party.name());
        let message = format!("only the operator may call `{verb}`, not `{name}`");
        Err(Problem::new("not_allowed", message)
            .with_hint("ask them to call it; nothing was read or changed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hindlore_domain::sharing::api_key::Credential;

    fn holder(credential: Credential, learner: Option<&str>) -> Arc<KeyHolder> {
        Arc::new(KeyHolder {
            credential,
            name: "zoe".to_owned(),
            id: "1".to_owned(),
            tenant: "t".to_owned(),
            learner: learner.map(str::to_owned),
            rights: Rights::Write,
        })
    }

    #[test]
    fn the_credential_determines_the_caller() {
        use Credential::{Key, Token};
        for (credential, learner, named, expected) in [
            (Key, Some("bob"), None, Some("agent:bob as agent:bob")),
            (
                Key,
                Some("bob"),
                Some("agent:bob"),
                Some("agent:bob as agent:bob"),
            ),
            (Key, Some("bob"), Some("agent:ann"), None),
            (Key, Some("bob"), Some("user:bob"), None),
            (Key, None, None, Some("the API key `zoe` as key:zoe")),
            (Key, None, Some("user:ann"), Some("user:ann as key:zoe")),
            (Token, Some("bob"), None, Some("user:zoe as user:zoe")),
            (
                Token,
                Some("bob"),
                Some("agent:bob"),
                Some("user:zoe as user:zoe"),
            ),
            (Token, Some("bob"), Some("user:ann"), None),
            (Token, None, None, Some("the token of `zoe` as user:zoe")),
        ] {
            let named = named.map(|named: &str| named.parse().unwrap());
            let standing = Standing::holder(holder(credential, learner), named.clone());
            let shown = standing.ok().map(|standing| {
                let witness = standing.witness().unwrap();
                format!("{} as {witness}", standing.party().name())
            });
            assert_eq!(
                shown.as_deref(),
                expected,
                "{credential:?} {learner:?} {named:?}"
            );
        }
        assert_eq!(Standing::operator(None).witness(), None);
        assert_eq!(Standing::nobody().rights(), Rights::Read);
    }
}
