//! Reads the input of a check: the groups of a caller, and the tuples of an object for them.

use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::sharing::access::Tuple;
use hindlore_domain::sharing::closure::Closure;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::subject::{Group, Subject};
use hindlore_store::lessons::PAGE_MAX;
use hindlore_store::order_key::Range;
use hindlore_store::records::sharing::{
    BY_SUBJECT, PRINCIPAL, PrincipalRow, SharedObjectRow, object_key, principal_key,
};
use hindlore_store::records::{Record, RecordKey, Scan};

/// The change counts of the tuples of a check: those of the tenant's groups, of the object, and of its parent.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Epochs {
    pub(super) groups: i64,
    pub(super) object: i64,
    pub(super) parent: i64,
}

impl Epochs {
    /// The epochs of an object and its parent among records, with that of the groups.
    fn among(records: &[Record], object: &Object, groups: i64) -> EngineResult<Self> {
        let parent = object.parent();
        let of_parent = parent.map(|parent| epoch_in(records, &object_key(&parent)));
        Ok(Self {
            groups,
            object: epoch_in(records, &object_key(object))?,
            parent: of_parent.transpose()?.unwrap_or_default(),
        })
    }
}

/// The tuples of an object and its parent that concern a closure.
pub(super) struct Gathered {
    pub(super) closure: Closure,
    pub(super) tuples: Vec<Tuple>,
    pub(super) epochs: Epochs,
}

/// The record that counts the changes of a tenant's groups.
pub(super) fn groups_key() -> RecordKey {
    object_key(&Object::Learner)
}

/// The owner of records that belong to a tenant itself.
pub(crate) fn tenant_of(tenant: &str) -> EngineResult<LearnerId> {
    LearnerId::of_tenant(tenant).map_err(|error| EngineError::Invalid(error.to_string()))
}

/// A row that a newer or damaged store holds and this engine cannot read.
pub(super) fn unreadable(reason: String) -> EngineError {
    EngineError::damaged("read a grant", reason)
}

/// Reads a subject.
pub(super) fn principal(record: &Record) -> EngineResult<PrincipalRow> {
    PrincipalRow::from_record(record).map_err(unreadable)
}

/// The epoch of a shared thing among records; 0 for one whose tuples never changed.
pub(super) fn epoch_in(records: &[Record], key: &RecordKey) -> EngineResult<i64> {
    let found = records.iter().find(|record| record.key == *key);
    let row = found.map(SharedObjectRow::from_record).transpose();
    Ok(row.map_err(unreadable)?.map_or(0, |row| row.epoch))
}

impl Engine {
    /// Climbs from the subjects of a closure to the groups above them. Returns how often the groups had changed
    /// before the climb, so that a change during it is seen later.
    pub(super) async fn climb(&self, tenant: &str, closure: &mut Closure) -> EngineResult<i64> {
        let owner = tenant_of(tenant)?;
        let mut epoch = None;
        while !closure.frontier().is_empty() {
            let mut keys: Vec<RecordKey> = closure.frontier().iter().map(principal_key).collect();
            keys.push(groups_key());
            let records = self.store().records(&owner, &keys).await?;
            if epoch.is_none() {
                epoch = Some(epoch_in(&records, &groups_key())?);
            }
            let mut groups: Vec<Group> = Vec::new();
            for record in records
                .iter()
                .filter(|record| record.key.kind == &PRINCIPAL)
            {
                groups.extend(principal(record)?.groups.into_keys());
            }
            closure.climb(groups);
        }
        Ok(epoch.unwrap_or_default())
    }

    /// Gathers the tuples of an object of a learner that concern a closure, which is climbed first.
    pub(super) async fn gather_tuples(
        &self,
        owner: &LearnerId,
        object: &Object,
        mut closure: Closure,
    ) -> EngineResult<Gathered> {
        let groups = self.climb(owner.tenant(), &mut closure).await?;
        let parent = object.parent();
        let subjects: Vec<&Subject> = closure.subjects().collect();
        let mut keys: Vec<RecordKey> = subjects.into_iter().map(principal_key).collect();
        keys.push(object_key(object));
        keys.extend(parent.as_ref().map(object_key));
        let records = self.store().records(owner, &keys).await?;
        let mut tuples = Vec::new();
        for record in records
            .iter()
            .filter(|record| record.key.kind == &PRINCIPAL)
        {
            tuples.extend(principal(record)?.relation_tuples());
        }
        Ok(Gathered {
            closure,
            tuples,
            epochs: Epochs::among(&records, object, groups)?,
        })
    }

    /// Reads a page of the subjects that an owner keeps, ascending by their texts, and the start of the next page.
    pub(super) async fn principals(
        &self,
        owner: &LearnerId,
        range: Range,
    ) -> EngineResult<(Vec<PrincipalRow>, Option<Range>)> {
        let scan = Scan {
            kind: &PRINCIPAL,
            order: BY_SUBJECT,
            range: range.clone(),
            limit: PAGE_MAX,
        };
        let page = self.store().scan_records(owner, scan).await?;
        let last = page.last().filter(|_| page.len() >= PAGE_MAX);
        let after = last.and_then(|last| last.position(BY_SUBJECT));
        let rows = page.iter().map(principal).collect::<EngineResult<_>>()?;
        Ok((rows, after.map(|after| range.after(&after))))
    }

    /// Reads the present change counts of the tuples of a check.
    pub(super) async fn epochs(&self, owner: &LearnerId, object: &Object) -> EngineResult<Epochs> {
        let tenant = tenant_of(owner.tenant())?;
        let groups = self.store().records(&tenant, &[groups_key()]).await?;
        let mut keys = vec![object_key(object)];
        keys.extend(object.parent().as_ref().map(object_key));
        let records = self.store().records(owner, &keys).await?;
        Epochs::among(&records, object, epoch_in(&groups, &groups_key())?)
    }
}
