//! Verbs: grant a relation to something of a learner, and revoke it.
//!
//! The note about a subject with grants is written before the grant and never removed by a revocation: it only shows
//! listings where to look. So an interrupted grant leaves at worst a superfluous note.

use super::tuples::{epoch_in, principal, tenant_of};
use crate::error::{EngineError, EngineResult};
use crate::handle::Engine;
use crate::playbooks::Which;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::memory::key::MemoryKey;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::Subject;
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::record::EDGES_MAX;
use hindlore_store::records::sharing::{
    Granted, PrincipalRow, ShareNoteRow, SharedObjectRow, object_key, principal_key,
};
use hindlore_store::records::{DecideRecords, Record, RecordCommit, RecordReads, RecordsRead};

/// A change of a learner's grants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Grant {
    /// The learner whose object it is.
    pub owner: LearnerId,
    /// The granted object.
    pub object: Object,
    /// The relation to it.
    pub relation: Relation,
    /// To whom.
    pub subject: Subject,
    /// The author of the grant, as text; `None` for the operator.
    pub by: Option<String>,
}

/// The result of a grant or a revocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShareChanged {
    /// False if everything was so already.
    pub changed: bool,
    /// The relations that the subject itself has to the object now, weakest first; those of its groups are not counted.
    pub relations: Vec<Relation>,
    /// How often the tuples of the object have changed.
    pub epoch: i64,
}

/// Changes the tuples of a subject; returns false if nothing was to change.
type Change = Box<dyn Fn(&mut PrincipalRow, Timestamp) -> bool + Send>;

impl Engine {
    /// Grants a relation to something of a learner.
    ///
    /// # Errors
    ///
    /// `NoMemory` and `NoPlaybook` for an object that is not there; `Invalid` for the learner itself, which owns all it keeps, and for a
    /// subject with too many grants.
    pub async fn grant(&self, grant: Grant) -> EngineResult<ShareChanged> {
        refuse_itself(&grant.owner, &grant.subject)?;
        // A grant of something unknown would look granted, and a slip in a name would stay unnoticed.
        match &grant.object {
            Object::Memory(scope) => self.must_have_memory(&grant.owner, scope).await?,
            Object::Playbook(name) => {
                self.playbook(&grant.owner, name, Which::Newest).await?;
            }
            Object::Learner => {}
        }
        self.note_share(&grant.owner, &grant.subject).await?;
        let tuple = (grant.object.clone(), grant.relation);
        let by = grant.by.clone();
        let change: Change = Box::new(move |row, at| {
            let granted = Granted {
                since: at,
                granted_by: by.clone(),
            };
            let is_new = !row.tuples.contains_key(&tuple);
            // A repeated grant keeps the time and the author of the first.
            row.tuples.entry(tuple.clone()).or_insert(granted);
            is_new
        });
        self.change_tuples(&grant.owner, &grant.object, grant.subject.clone(), change)
            .await
    }

    /// Revokes a relation to an object of a learner, or all relations of a subject to it. Rights through its groups, or
    /// through the whole learner, stay.
    ///
    /// # Errors
    ///
    /// `LastOwner` for the learner itself.
    pub async fn revoke(
        &self,
        owner: &LearnerId,
        object: Object,
        relation: Option<Relation>,
        subject: Subject,
    ) -> EngineResult<ShareChanged> {
        if subject.is_learner(owner.learner()) {
            return Err(EngineError::LastOwner(format!(
                "the learner {}",
                owner.learner()
            )));
        }
        let of = object.clone();
        let change: Change = Box::new(move |row, _| {
            let before = row.tuples.len();
            row.tuples.retain(|(object, has), _| {
                *object != of || relation.is_some_and(|relation| relation != *has)
            });
            row.tuples.len() < before
        });
        self.change_tuples(owner, &object, subject, change).await
    }

    async fn must_have_memory(&self, owner: &LearnerId, scope: &str) -> EngineResult<()> {
        let key = MemoryKey::new(owner.tenant(), owner.learner(), scope);
        let key = key.map_err(|error| EngineError::Invalid(error.to_string()))?;
        match self.store().head(&key).await? {
            Some(_) => Ok(()),
            None => Err(EngineError::NoMemory(key)),
        }
    }

    async fn note_share(&self, owner: &LearnerId, subject: &Subject) -> EngineResult<()> {
        let tenant = tenant_of(owner.tenant())?;
        let note = ShareNoteRow {
            subject: subject.clone(),
            learner: owner.learner().to_owned(),
        };
        let reads = RecordReads {
            keys: vec![note.key()],
            ..RecordReads::default()
        };
        let decide: DecideRecords = Box::new(move |read| RecordCommit {
            puts: if read.records.is_empty() {
                vec![note.to_record()]
            } else {
                Vec::new()
            },
            ..RecordCommit::default()
        });
        Ok(self
            .store()
            .transact_records(&tenant, reads, decide)
            .await?)
    }

    async fn change_tuples(
        &self,
        owner: &LearnerId,
        object: &Object,
        subject: Subject,
        change: Change,
    ) -> EngineResult<ShareChanged> {
        let reads = RecordReads {
            keys: vec![principal_key(&subject), object_key(object)],
            ..RecordReads::default()
        };
        let (object, at) = (object.clone(), self.now());
        self.decide_records(owner, reads, move |read| {
            changed(&read, &object, &subject, &change, at)
        })
        .await
    }
}

fn refuse_itself(owner: &LearnerId, subject: &Subject) -> EngineResult<()> {
    if subject.is_learner(owner.learner()) {
        return Err(EngineError::Invalid(format!(
            "{subject} is the learner itself and owns everything that it keeps"
        )));
    }
    Ok(())
}

/// Decides a change of a subject's tuples, given its record and that of the object.
fn changed(
    read: &RecordsRead,
    object: &Object,
    subject: &Subject,
    change: &Change,
    at: Timestamp,
) -> EngineResult<(ShareChanged, RecordCommit)> {
    let key = principal_key(subject);
    let record: Option<&Record> = read.records.iter().find(|record| record.key == key);
    let before = record.map(principal).transpose()?;
    let mut row = before.unwrap_or_else(|| PrincipalRow::new(subject.clone()));
    let has_changed = change(&mut row, at);
    if row.tuples.len() > EDGES_MAX {
        return Err(EngineError::Invalid(format!(
            "{subject} has {EDGES_MAX} grants of this learner; revoke some, or grant the whole learner"
        )));
    }
    let mut epoch = epoch_in(&read.records, &object_key(object))?;
    let mut commit = RecordCommit::default();
    if has_changed {
        epoch += 1;
        let changed = SharedObjectRow {
            object: object.clone(),
            epoch,
            changed_at: at,
        };
        commit.puts.push(changed.to_record());
        if row.is_empty() {
            commit.deletes.push(key);
        } else {
            commit.puts.push(row.to_record());
        }
    }
    let relations = row.tuples.keys().filter(|(of, _)| of == object);
    let answer = ShareChanged {
        changed: has_changed,
        relations: relations.map(|(_, relation)| *relation).collect(),
        epoch,
    };
    Ok((answer, commit))
}
