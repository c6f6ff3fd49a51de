//! Verbs about sharing: grant, revoke, check, list.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::cursor::CURSOR_MAX;
use crate::named::{Grantee, Named, Reaching};
use crate::patterns::OBJECT;
use crate::problem::Problem;
use crate::responses::sharing::{
    CheckResponse, GrantResponse, SharedObjectsResponse, SharedSubjectsResponse,
};
use crate::schema::Word;
use crate::verb::{Context, Verb, number, verb};
use hindlore::sharing::Grant;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::{Principal, Subject};

/// Rows of all pages of a listing.
const LISTED_MAX: usize = 10_000;
/// Rows of a page, at most.
const ROWS_MAX: usize = 1_000;

fn memory() -> String {
    "memory".to_owned()
}

fn viewer() -> Relation {
    Relation::Viewer
}

fn object_of(text: &str, key: &MemoryKey) -> Result<Object, Problem> {
    Object::parse(text, key.scope()).map_err(|reason| {
        Problem::new("invalid_object", reason).with_hint("nothing was read or changed")
    })
}

/// The object that a text names, or the whole learner where it names none: a bad text is refused by the verb itself.
fn asked(text: &str, key: &MemoryKey) -> Object {
    Object::parse(text, key.scope()).unwrap_or(Object::Learner)
}

/// Grant a principal, a group or the tenant a relation to something of this learner.
///
/// A viewer reads; an editor reads and changes; an owner also destroys, and grants rights to others. A grant of the
/// whole learner holds for all its memories and playbooks.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GrantShare {
    /// To whom: `agent:NAME`, `user:NAME`, `group:NAME` or `tenant`.
    pub subject: Named<Grantee>,
    /// The relation.
    #[schemars(with = "Word<Relation>")]
    pub relation: Relation,
    /// Of what: `memory` (that of the scope), `memory:SCOPE`, `playbook:NAME` or `learner`.
    #[serde(default = "memory")]
    #[schemars(length(min = 1, max = 300), regex(pattern = OBJECT))]
    pub object: String,
}

impl Verb for GrantShare {
    verb!("share.grant", Learner, Writes, idempotent -> GrantResponse);
    const NEEDS: Relation = Relation::Owner;

    fn object(&self, key: &MemoryKey) -> Object {
        asked(&self.object, key)
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let subject = self.subject.open(context).await?;
        let object = object_of(&self.object, &context.key)?;
        let grant = Grant {
            owner: context.owner()?,
            object: object.clone(),
            relation: self.relation,
            subject: subject.clone(),
            by: context.granter(),
        };
        let changed = context.engine.grant(grant).await?;
        Ok(GrantResponse::new(
            subject.to_string(),
            object.to_string(),
            changed,
        ))
    }
}

/// Revoke a relation to something of this learner, or all that a subject has to it.
///
/// From then on the subject reads nothing that is written; an answer in progress is not given. Rights through its
/// groups, or through the whole learner, stay.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RevokeShare {
    /// From whom: `agent:NAME`, `user:NAME`, `group:NAME` or `tenant`.
    pub subject: Named<Grantee>,
    /// Of what: `memory` (that of the scope), `memory:SCOPE`, `playbook:NAME` or `learner`.
    #[serde(default = "memory")]
    #[schemars(length(min = 1, max = 300), regex(pattern = OBJECT))]
    pub object: String,
    /// Only this relation; by default all.
    #[serde(default)]
    #[schemars(with = "Option<Word<Relation>>")]
    pub relation: Option<Relation>,
}

impl Verb for RevokeShare {
    verb!("share.revoke", Learner, Writes, idempotent -> GrantResponse);
    const NEEDS: Relation = Relation::Owner;

    fn object(&self, key: &MemoryKey) -> Object {
        asked(&self.object, key)
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let subject = self.subject.open(context).await?;
        let object = object_of(&self.object, &context.key)?;
        let owner = context.owner()?;
        let changed = context
            .engine
            .revoke(&owner, object.clone(), self.relation, subject.clone())
            .await?;
        Ok(GrantResponse::new(
            subject.to_string(),
            object.to_string(),
            changed,
        ))
    }
}

/// Check which relation a subject has to something of this learner, over all its groups.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckShare {
    /// Subject: `agent:NAME`, `user:NAME`, `group:NAME` or `tenant`.
    pub subject: Named<Grantee>,
    /// What: `memory` (that of the scope), `memory:SCOPE`, `playbook:NAME` or `learner`.
    #[serde(default = "memory")]
    #[schemars(length(min = 1, max = 300), regex(pattern = OBJECT))]
    pub object: String,
}

impl Verb for CheckShare {
    verb!("share.check", Learner, Reads, idempotent -> CheckResponse);
    const NEEDS: Relation = Relation::Owner;

    fn object(&self, key: &MemoryKey) -> Object {
        asked(&self.object, key)
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let subject = self.subject.open(context).await?;
        let object = object_of(&self.object, &context.key)?;
        let checked = context
            .engine
            .check_relation(&context.owner()?, &object, &subject)
            .await?;
        Ok(CheckResponse::new(
            subject.to_string(),
            object.to_string(),
            &checked,
        ))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.relation.is_none()
    }
}

/// List who may reach something of this learner.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListSubjects {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// What: `memory` (that of the scope), `memory:SCOPE`, `playbook:NAME` or `learner`.
    #[serde(default = "memory")]
    #[schemars(length(min = 1, max = 300), regex(pattern = OBJECT))]
    pub object: String,
    /// Only those with at least this relation.
    #[serde(default = "viewer")]
    #[schemars(with = "Word<Relation>")]
    pub least: Relation,
    /// At most this many.
    #[serde(default = "number::<100>")]
    #[schemars(range(min = 1, max = ROWS_MAX))]
    pub limit: usize,
}

impl Verb for ListSubjects {
    verb!("share.subjects", Learner, Reads, idempotent -> SharedSubjectsResponse);
    const NEEDS: Relation = Relation::Owner;

    fn object(&self, key: &MemoryKey) -> Object {
        asked(&self.object, key)
    }

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let object = object_of(&self.object, &context.key)?;
        let owner = context.owner()?;
        let found = context
            .engine
            .list_subjects(&owner, &object, self.least, LISTED_MAX)
            .await?;
        SharedSubjectsResponse::new(found, (self.after.as_deref(), self.limit))
    }
}

/// List the objects that a subject may reach in this tenant; a caller asks about itself.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListObjects {
    /// Start of the page: `next` of the page before.
    #[serde(default)]
    #[schemars(length(max = CURSOR_MAX))]
    pub after: Option<String>,
    /// Subject: `agent:NAME`, `user:NAME`, `group:NAME` or `tenant`; by default the caller, else this learner.
    #[serde(default)]
    pub subject: Option<Named<Reaching>>,
    /// Only objects with at least this relation.
    #[serde(default = "viewer")]
    #[schemars(with = "Word<Relation>")]
    pub least: Relation,
    /// At most this many.
    #[serde(default = "number::<100>")]
    #[schemars(range(min = 1, max = ROWS_MAX))]
    pub limit: usize,
}

impl Verb for ListObjects {
    verb!("share.objects", Tenant, Reads, idempotent -> SharedObjectsResponse);
    const SELF_SERVICE: bool = true;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let own = || match context.caller() {
            Some(caller) => caller.principal.clone(),
            None => Principal::of_learner(context.key.learner()),
        };
        let subject = match &self.subject {
            Some(subject) => subject.open(context).await?,
            None => Subject::Principal(own()),
        };
        let found = context
            .engine
            .list_objects(context.key.tenant(), &subject, self.least, LISTED_MAX)
            .await?;
        SharedObjectsResponse::new(found, (self.after.as_deref(), self.limit))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.objects.is_empty()
    }
}
