//! Verbs: check the rights of a subject, list the objects it may reach, and list the subjects that may reach an object.

use std::collections::{BTreeMap, BTreeSet};

use super::tuples::{principal, tenant_of, unreadable};
use crate::error::EngineResult;
use crate::handle::Engine;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_domain::sharing::access::granted;
use hindlore_domain::sharing::closure::Closure;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::{Principal, Subject};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::records::sharing::{
    OF_SUBJECT, SHARE_NOTE, ShareNoteRow, all_subjects, notes_of_subject, principal_key,
};
use hindlore_store::records::{RecordKey, Scan};

/// Learners that one listing of objects asks.
const LEARNERS_MAX: usize = 1_000;

/// The rights of a subject on an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The strongest relation; `None` allows nothing.
    pub relation: Option<Relation>,
    /// How often the tuples of the object have changed.
    pub epoch: i64,
    /// True if a bound ended the walk over groups; rights beyond it are denied.
    pub is_cut: bool,
}

/// Something that a subject may reach.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct SharedThing {
    /// The learner whose it is.
    pub learner: String,
    /// The object.
    pub object: Object,
    /// The strongest relation to it.
    pub relation: Relation,
}

/// A subject that may reach something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SharedSubject {
    /// The subject.
    pub subject: Subject,
    /// Its relation.
    pub relation: Relation,
    /// The object of the tuple: the one asked for, or the whole learner.
    pub object: Object,
    /// Since when; `None` for the learner itself.
    pub since: Option<Timestamp>,
    /// Author of the grant; `None` for the operator.
    pub granted_by: Option<String>,
}

/// Rows of a listing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// True if there are more.
    pub is_cut: bool,
}

impl Engine {
    /// Checks the strongest relation of a subject to something of a learner, over all its groups.
    pub async fn check_relation(
        &self,
        owner: &LearnerId,
        object: &Object,
        subject: &Subject,
    ) -> EngineResult<Checked> {
        let gathered = self
            .gather_tuples(owner, object, Closure::of_subject(subject))
            .await?;
        let is_itself = subject.is_learner(owner.learner());
        let found = granted(object, &gathered.closure, &gathered.tuples);
        Ok(Checked {
            relation: if is_itself {
                Some(Relation::Owner)
            } else {
                found
            },
            epoch: gathered.epochs.object,
            is_cut: gathered.closure.was_cut(),
        })
    }

    /// Lists the objects that a subject may reach in a tenant with at least a relation, ascending by learner; at most
    /// `limit`.
    pub async fn list_objects(
        &self,
        tenant: &str,
        subject: &Subject,
        least: Relation,
        limit: usize,
    ) -> EngineResult<Shares<SharedThing>> {
        let mut closure = Closure::of_subject(subject);
        self.climb(tenant, &mut closure).await?;
        let (learners, mut is_cut) = self.noted_learners(tenant, &closure).await?;
        is_cut |= closure.was_cut();
        let keys: Vec<RecordKey> = closure.subjects().map(principal_key).collect();
        let mut rows = BTreeSet::new();
        if let Subject::Principal(principal) = subject
            && *principal == Principal::of_learner(principal.name())
        {
            rows.insert(SharedThing {
                learner: principal.name().to_owned(),
                object: Object::Learner,
                relation: Relation::Owner,
            });
        }
        for learner in learners {
            let Ok(owner) = LearnerId::new(tenant, &learner) else {
                continue;
            };
            let mut strongest: BTreeMap<Object, Relation> = BTreeMap::new();
            for record in self.store().records(&owner, &keys).await? {
                for tuple in principal(&record)?.relation_tuples() {
                    let best = strongest.entry(tuple.object).or_insert(tuple.relation);
                    *best = (*best).max(tuple.relation);
                }
            }
            let enough = strongest
                .into_iter()
                .filter(|(_, relation)| relation.includes(least));
            rows.extend(enough.map(|(object, relation)| SharedThing {
                learner: learner.clone(),
                object,
                relation,
            }));
        }
        is_cut |= rows.len() > limit;
        Ok(Shares {
            rows: rows.into_iter().take(limit).collect(),
            is_cut,
        })
    }

    /// The learners that ever granted something to a subject of the closure, ascending.
    async fn noted_learners(
        &self,
        tenant: &str,
        closure: &Closure,
    ) -> EngineResult<(BTreeSet<String>, bool)> {
        let owner = tenant_of(tenant)?;
        let (mut learners, mut is_cut) = (BTreeSet::new(), false);
        for subject in closure.subjects() {
            let scan = Scan {
                kind: &SHARE_NOTE,
                order: OF_SUBJECT,
                range: notes_of_subject(subject),
                limit: LEARNERS_MAX,
            };
            let page = self.store().scan_records(&owner, scan).await?;
            is_cut |= page.len() >= LEARNERS_MAX;
            for record in &page {
                learners.insert(
                    ShareNoteRow::from_record(record)
                        .map_err(unreadable)?
                        .learner,
                );
            }
        }
        is_cut |= learners.len() > LEARNERS_MAX;
        Ok((learners.into_iter().take(LEARNERS_MAX).collect(), is_cut))
    }

    /// Lists the subjects with at least a relation to something of a learner: the learner itself first, then ascending
    /// by their texts. Groups are named, not taken apart; at most `limit`.
    pub async fn list_subjects(
        &self,
        owner: &LearnerId,
        object: &Object,
        least: Relation,
        limit: usize,
    ) -> EngineResult<Shares<SharedSubject>> {
        let mut rows = vec![SharedSubject {
            subject: Subject::Principal(Principal::of_learner(owner.learner())),
            relation: Relation::Owner,
            object: Object::Learner,
            since: None,
            granted_by: None,
        }];
        let (parent, mut next) = (object.parent(), Some(all_subjects()));
        while let Some(range) = next.filter(|_| rows.len() <= limit) {
            let (page, after) = self.principals(owner, range).await?;
            for row in page {
                let of_object = row.tuples.into_iter().filter(|((of, relation), _)| {
                    (of == object || Some(of) == parent.as_ref()) && relation.includes(least)
                });
                rows.extend(
                    of_object.map(|((object, relation), granted)| SharedSubject {
                        subject: row.subject.clone(),
                        relation,
                        object,
                        since: Some(granted.since),
                        granted_by: granted.granted_by,
                    }),
                );
            }
            next = after;
        }
        let is_cut = rows.len() > limit;
        rows.truncate(limit);
        Ok(Shares { rows, is_cut })
    }
}
