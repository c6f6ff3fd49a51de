//! Verbs about groups of a tenant: members, leaders, and who is in them.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::named::{Member, Named};
use crate::patterns::NAME;
use crate::problem::Problem;
use crate::responses::sharing::{GroupChangedResponse, GroupResponse};
use crate::verb::{Context, MissingStore, Verb, verb};
use hindlore_domain::sharing::subject::{Group, Principal, Subject};

fn group_of(name: &str) -> Result<Group, Problem> {
    Group::new(name)
        .map_err(|reason| Problem::new("invalid_group", reason).with_hint("nothing was changed"))
}

/// The acting principal: the caller, else the agent of the learner.
fn actor(context: &Context) -> Principal {
    match context.caller() {
        Some(caller) => caller.principal.clone(),
        None => Principal::of_learner(context.key.learner()),
    }
}

/// Put a subject into a group of the tenant, or take it out.
///
/// The first to add a member leads the group. Only its leaders and the operator change it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetMember {
    /// Name of the group.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub group: String,
    /// The subject: `agent:NAME`, `user:NAME` or `group:NAME`.
    pub member: Named<Member>,
    /// Take it out.
    #[serde(default)]
    pub remove: bool,
}

impl Verb for SetMember {
    verb!("groups.member", Tenant, Writes, idempotent -> GroupChangedResponse);
    const SELF_SERVICE: bool = true;
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let group = group_of(&self.group)?;
        let member = self.member.open(context).await?;
        let by = (context.party().clone(), actor(context));
        let of = (context.key.tenant(), group);
        let changed = context
            .engine
            .set_member(of, member, !self.remove, by)
            .await?;
        Ok(GroupChangedResponse::new(self.group, &changed))
    }
}

/// Make a principal a leader of a group, or no longer one; the last leader stays.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetLeader {
    /// Name of the group.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub group: String,
    /// The principal: `agent:NAME` or `user:NAME`.
    pub leader: Named<Member>,
    /// Let it lead no longer.
    #[serde(default)]
    pub remove: bool,
}

impl Verb for SetLeader {
    verb!("groups.leader", Tenant, Writes, idempotent -> GroupChangedResponse);
    const SELF_SERVICE: bool = true;
    const MISSING_STORE: MissingStore = MissingStore::Create;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let group = group_of(&self.group)?;
        let Subject::Principal(leader) = self.leader.open(context).await? else {
            return Err(
                Problem::new("invalid_principal", "a set of subjects leads no group")
                    .with_hint("name `agent:NAME` or `user:NAME`; nothing was changed"),
            );
        };
        let by = (context.party().clone(), actor(context));
        let of = (context.key.tenant(), group);
        let changed = context
            .engine
            .set_leader(of, leader, !self.remove, by)
            .await?;
        Ok(GroupChangedResponse::new(self.group, &changed))
    }
}

/// Show who leads a group, and who is in it.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ShowGroup {
    /// Name of the group.
    #[schemars(length(min = 1, max = 256), regex(pattern = NAME))]
    pub group: String,
}

impl Verb for ShowGroup {
    verb!("groups.show", Tenant, Reads, idempotent -> GroupResponse);
    const SELF_SERVICE: bool = true;

    async fn call(self, context: &Context) -> Result<Self::Answer, Problem> {
        let group = group_of(&self.group)?;
        let found = context.engine.group(context.key.tenant(), &group).await?;
        let found = found.filter(|found| {
            // A stranger gets the same answer for a group as for a missing one.
            let Some(caller) = context.caller() else {
                return context.party().has_tenant(context.key.tenant());
            };
            let own = Subject::Principal(caller.principal.clone());
            found.leaders.contains(&own) || found.members.contains(&own)
        });
        Ok(GroupResponse::new(self.group, found))
    }

    fn is_empty(answer: &Self::Answer) -> bool {
        answer.leaders.is_empty() && answer.members.is_empty()
    }
}
