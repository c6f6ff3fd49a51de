//! Verbs: the members and the leaders of a group of a tenant.
//!
//! The first to name a group leads it, and only its leaders and the operator change it: a group open to all would give
//! away its grants. The last leader stays.

use super::tuples::{epoch_in, groups_key, principal, tenant_of, unreadable};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::sharing::access::has_lasting_owner;
use hindlore_domain::sharing::caller::Party;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::{Group, Principal, Subject};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::record::EDGES_MAX;
use hindlore_store::records::sharing::{
    Granted, GroupRow, PrincipalRow, SharedObjectRow, all_subjects, group_key, principal_key,
};
use hindlore_store::records::{Record, RecordCommit, RecordKey, RecordReads, RecordsRead};

/// Subjects of a tenant that are looked at for the members of a group.
const LOOKED_AT_MAX: usize = 20_000;

/// The result of a change of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GroupChanged {
    /// False if everything was so already.
    pub changed: bool,
    /// How often the groups of the tenant have changed.
    pub epoch: i64,
}

/// A group with those in it.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupMembers {
    /// The group.
    pub group: Group,
    /// Those who choose its members.
    pub leaders: Vec<Subject>,
    /// Its direct members, ascending by their texts.
    pub members: Vec<Subject>,
    /// True if the tenant has more subjects than were read, so that members may be missing.
    pub is_cut: bool,
}

/// A change of a group: who makes it, and of which group.
struct Ask {
    group: Group,
    party: Party,
    /// The party reaches all of the tenant, so that it needs not lead.
    has_tenant: bool,
    /// The leader of the group from its first member on.
    first_leader: Principal,
    at: Timestamp,
}

/// The change.
#[derive(Clone)]
enum Change {
    Member { subject: Subject, is_in: bool },
    Leader { principal: Principal, leads: bool },
}

impl Change {
    fn subject(&self) -> Subject {
        match self {
            Self::Member { subject, .. } => subject.clone(),
            Self::Leader { principal, .. } => Subject::Principal(principal.clone()),
        }
    }
}

impl Engine {
    /// Puts a subject into a group, or takes it out. The first change makes the group, led by `first_leader`.
    ///
    /// # Errors
    ///
    /// `NotAllowed` unless the party leads the group or reaches all of the tenant.
    pub async fn set_member(
        &self,
        (tenant, group): (&str, Group),
        subject: Subject,
        is_in: bool,
        by: (Party, Principal),
    ) -> EngineResult<GroupChanged> {
        if subject == Subject::Members(group.clone()) {
            return Err(EngineError::Invalid(format!(
                "the group {group} cannot be its own member"
            )));
        }
        self.change_group(tenant, group, Change::Member { subject, is_in }, by)
            .await
    }

    /// Makes a principal a leader of a group, or no longer one.
    ///
    /// # Errors
    ///
    /// `LastOwner` for the last leader; `NotAllowed` as for members.
    pub async fn set_leader(
        &self,
        (tenant, group): (&str, Group),
        principal: Principal,
        leads: bool,
        by: (Party, Principal),
    ) -> EngineResult<GroupChanged> {
        self.change_group(tenant, group, Change::Leader { principal, leads }, by)
            .await
    }

    /// Reads a group; `None` if it never had a member.
    pub async fn group(&self, tenant: &str, group: &Group) -> EngineResult<Option<GroupMembers>> {
        let owner = tenant_of(tenant)?;
        let found = self.store().records(&owner, &[group_key(group)]).await?;
        let Some(record) = found.first() else {
            return Ok(None);
        };
        let row = GroupRow::from_record(record).map_err(unreadable)?;
        let (mut members, mut seen) = (Vec::new(), 0);
        let mut next = Some(all_subjects());
        while let Some(range) = next.filter(|_| seen < LOOKED_AT_MAX) {
            let (page, after) = self.principals(&owner, range).await?;
            seen += page.len();
            let is_in = |one: &PrincipalRow| one.groups.contains_key(group);
            members.extend(page.into_iter().filter(is_in).map(|one| one.subject));
            next = after;
        }
        Ok(Some(GroupMembers {
            group: row.group,
            leaders: row.leaders.into_keys().collect(),
            members,
            is_cut: seen >= LOOKED_AT_MAX,
        }))
    }

    async fn change_group(
        &self,
        tenant: &str,
        group: Group,
        change: Change,
        (party, first_leader): (Party, Principal),
    ) -> EngineResult<GroupChanged> {
        let leader = Subject::Principal(first_leader.clone());
        let ask = Ask {
            group,
            has_tenant: party.has_tenant(tenant),
            party,
            first_leader,
            at: self.now(),
        };
        let reads = RecordReads {
            keys: vec![
                group_key(&ask.group),
                principal_key(&change.subject()),
                principal_key(&leader),
                groups_key(),
            ],
            ..RecordReads::default()
        };
        let decide = move |read: RecordsRead| changed(&read, &ask, &change);
        self.decide_records(&tenant_of(tenant)?, reads, decide)
            .await
    }
}

fn find<'r>(read: &'r RecordsRead, key: &RecordKey) -> Option<&'r Record> {
    read.records.iter().find(|record| record.key == *key)
}

fn row_of(read: &RecordsRead, subject: &Subject) -> EngineResult<PrincipalRow> {
    let row = find(read, &principal_key(subject))
        .map(principal)
        .transpose()?;
    Ok(row.unwrap_or_else(|| PrincipalRow::new(subject.clone())))
}

fn changed(
    read: &RecordsRead,
    ask: &Ask,
    change: &Change,
) -> EngineResult<(GroupChanged, RecordCommit)> {
    let granted = || Granted {
        since: ask.at,
        granted_by: Some(ask.first_leader.to_string()),
    };
    let stored = find(read, &group_key(&ask.group)).map(GroupRow::from_record);
    let stored = stored.transpose().map_err(unreadable)?;
    let is_new = stored.is_none();
    let mut group = stored.unwrap_or_else(|| GroupRow {
        group: ask.group.clone(),
        created_at: ask.at,
        leaders: [(Subject::Principal(ask.first_leader.clone()), granted())].into(),
    });
    must_lead(&group, ask)?;
    let mut row = row_of(read, &change.subject())?;
    let has_changed = match change {
        Change::Member { is_in: true, .. } => {
            let is_new = !row.groups.contains_key(&ask.group);
            row.groups.entry(ask.group.clone()).or_insert_with(granted);
            is_new
        }
        Change::Member { is_in: false, .. } => row.groups.remove(&ask.group).is_some(),
        Change::Leader { leads: true, .. } => {
            let is_new = !group.leaders.contains_key(&row.subject);
            group
                .leaders
                .entry(row.subject.clone())
                .or_insert_with(granted);
            is_new
        }
        Change::Leader { leads: false, .. } => {
            let did_lead = group.leaders.remove(&row.subject).is_some();
            if did_lead && !has_lasting_owner(group.leaders.keys()) {
                return Err(EngineError::LastOwner(format!("the group {}", ask.group)));
            }
            did_lead
        }
    };
    must_fit(&row, &group)?;
    let mut epoch = epoch_in(&read.records, &groups_key())?;
    let mut commit = RecordCommit::default();
    // Taking a subject out of a group that does not exist must not make the group.
    let makes_something = !is_new
        || matches!(
            change,
            Change::Member { is_in: true, .. } | Change::Leader { leads: true, .. }
        );
    if has_changed && makes_something {
        epoch += 1;
        let first = Subject::Principal(ask.first_leader.clone());
        if is_new && first != row.subject {
            commit.puts.push(row_of(read, &first)?.to_record());
        }
        let counted = SharedObjectRow {
            object: Object::Learner,
            epoch,
            changed_at: ask.at,
        };
        commit
            .puts
            .extend([row.to_record(), group.to_record(), counted.to_record()]);
    }
    let changed = !commit.is_empty();
    Ok((GroupChanged { changed, epoch }, commit))
}

fn must_fit(row: &PrincipalRow, group: &GroupRow) -> EngineResult<()> {
    if row.groups.len() <= EDGES_MAX && group.leaders.len() <= EDGES_MAX {
        return Ok(());
    }
    Err(EngineError::Invalid(format!(
        "{EDGES_MAX} groups of one subject and leaders of one group at most; put groups into groups"
    )))
}

fn must_lead(group: &GroupRow, ask: &Ask) -> EngineResult<()> {
    let leads = |principal: &Principal| {
        let subject = Subject::Principal(principal.clone());
        group.leaders.contains_key(&subject)
    };
    let caller = ask.party.caller();
    if ask.has_tenant || caller.is_some_and(|caller| leads(&caller.principal)) {
        return Ok(());
    }
    Err(EngineError::NotAllowed {
        caller: ask.party.name(),
        needed: Relation::Owner,
        object: format!("the group {}", ask.group),
    })
}
