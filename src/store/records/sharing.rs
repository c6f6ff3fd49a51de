//! Sharing as records: the grants on objects of a learner, and the groups of a tenant.
//!
//! The tuples of a learner's objects are kept with the learner, so that its lock orders all changes of its grants. A
//! principal is one record whose edges are its tuples; a shared thing is one record that counts the changes of its tuples
//! (its *epoch*). Groups, and the note of who was ever granted something by whom, belong to the tenant itself
//! ([`LearnerId::of_tenant`](hindlore_domain::lesson::lesson::LearnerId::of_tenant)).
//!
//! ```text
//! (Learner)-[SHARES]->(SharedObject {object, epoch})<-[VIEWER|EDITOR|OWNER {since, granted_by}]-(Principal)
//! (Principal)-[MEMBER_OF|LEADS]->(Group)       (Learner of the tenant)-[HAS_NOTE]->(ShareNote {subject, learner})
//! ```

use std::collections::BTreeMap;

use super::kind::{Direction, EdgeKind, Kind};
use super::learners::{Learners, Names, OWNER_ALONE};
use super::record::{Fields, Record, RecordKey};
use crate::order_key::{OrderKey, Range};
use hindlore_domain::sharing::access::Tuple;
use hindlore_domain::sharing::object::Object;
use hindlore_domain::sharing::relation::Relation;
use hindlore_domain::sharing::subject::{Group, Subject};
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::timestamp::Timestamp;

/// Longest text that is an id as it is; a longer one is replaced by its hash.
const ID_BYTES_MAX: usize = 200;

/// Subjects with their tuples.
pub static PRINCIPAL: Kind = Kind {
    label: "Principal",
    held_as: Some("HAS_PRINCIPAL"),
    caption: "subject",
    orders: &[BY_SUBJECT],
    references: &[],
    edges: &[
        outgoing("VIEWER", "SharedObject"),
        outgoing("EDITOR", "SharedObject"),
        outgoing("OWNER", "SharedObject"),
        outgoing(MEMBER_OF, "Group"),
    ],
    learners: Learners {
        names: &[
            Names::Owner,
            Names::Principal("subject"),
            Names::EdgeAuthor("granted_by"),
        ],
        listed_in: Some(BY_SUBJECT),
    },
};

/// Shared things.
pub static SHARED_OBJECT: Kind = Kind {
    label: "SharedObject",
    held_as: Some("SHARES"),
    caption: "object",
    orders: &[],
    references: &[],
    edges: &[],
    learners: OWNER_ALONE,
};

/// Groups of a tenant.
pub static GROUP: Kind = Kind {
    label: "Group",
    held_as: Some("HAS_GROUP"),
    caption: "name",
    orders: &[BY_NAME],
    references: &[],
    edges: &[EdgeKind {
        name: LEADS,
        other: "Principal",
        direction: Direction::Incoming,
    }],
    learners: Learners {
        names: &[
            Names::Owner,
            Names::EdgePrincipal("subject"),
            Names::EdgeAuthor("granted_by"),
        ],
        listed_in: Some(BY_NAME),
    },
};

/// Notes that a learner granted a subject something once; where a listing looks.
pub static SHARE_NOTE: Kind = Kind {
    label: "ShareNote",
    held_as: Some("HAS_NOTE"),
    caption: "learner",
    orders: &[OF_SUBJECT, OF_LEARNER],
    references: &[],
    edges: &[],
    learners: Learners {
        names: &[
            Names::Owner,
            Names::Learner("of_learner"),
            Names::Principal("subject"),
        ],
        listed_in: Some(OF_LEARNER),
    },
};

/// All subjects, ascending by their texts.
pub const BY_SUBJECT: &str = "by_subject";
/// All groups, by name.
pub const BY_NAME: &str = "by_name";
/// The notes of a subject, by learner.
pub const OF_SUBJECT: &str = "of_subject";
/// The notes of a learner, by subject.
pub const OF_LEARNER: &str = "of_learner";

const MEMBER_OF: &str = "MEMBER_OF";
const LEADS: &str = "LEADS";

const fn outgoing(name: &'static str, other: &'static str) -> EdgeKind {
    EdgeKind {
        name,
        other,
        direction: Direction::Outgoing,
    }
}

/// The edge of a relation.
fn edge_of(relation: Relation) -> &'static str {
    match relation {
        Relation::Viewer => "VIEWER",
        Relation::Editor => "EDITOR",
        Relation::Owner => "OWNER",
    }
}

/// The text itself, or its hash where it is too long for an id.
fn id_of(text: &str) -> String {
    if text.len() <= ID_BYTES_MAX {
        return text.to_owned();
    }
    format!("sha256:{}", hex(&derived_hash(&[text])))
}

/// The key of a subject.
pub fn principal_key(subject: &Subject) -> RecordKey {
    RecordKey::new(&PRINCIPAL, id_of(&subject.to_string()))
}

/// The key of a shared thing.
pub fn object_key(object: &Object) -> RecordKey {
    RecordKey::new(&SHARED_OBJECT, id_of(&object.to_string()))
}

/// The key of a group.
pub fn group_key(group: &Group) -> RecordKey {
    RecordKey::new(&GROUP, id_of(group.name()))
}

/// When something was granted, and by whom.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Granted {
    /// When.
    pub since: Timestamp,
    /// The principal that granted it, as text; `None` for the operator.
    pub granted_by: Option<String>,
}

impl Granted {
    fn to_fields(&self) -> Fields {
        let by = self.granted_by.as_deref();
        Fields::new()
            .with("since", self.since)
            .with_optional("granted_by", by)
    }

    fn from_fields(fields: &Fields) -> Result<Self, String> {
        Ok(Self {
            since: fields.read("since")?,
            granted_by: fields.read_optional("granted_by")?,
        })
    }
}

/// A subject with all that it was granted by one learner, or with its groups in a tenant.
#[derive(Clone, PartialEq, Debug)]
pub struct PrincipalRow {
    /// The subject.
    pub subject: Subject,
    /// Its tuples.
    pub tuples: BTreeMap<(Object, Relation), Granted>,
    /// The groups that hold it.
    pub groups: BTreeMap<Group, Granted>,
}

impl PrincipalRow {
    /// A subject without anything.
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            tuples: BTreeMap::new(),
            groups: BTreeMap::new(),
        }
    }

    /// True if nothing is left of it.
    pub fn is_empty(&self) -> bool {
        self.tuples.is_empty() && self.groups.is_empty()
    }

    /// Its tuples, as the domain takes them.
    pub fn relation_tuples(&self) -> impl Iterator<Item = Tuple> {
        self.tuples.keys().map(|(object, relation)| Tuple {
            object: object.clone(),
            relation: *relation,
            subject: self.subject.clone(),
        })
    }

    /// The subject as a record.
    pub fn to_record(&self) -> Record {
        let text = self.subject.to_string();
        let fields = Fields::new().with("subject", text.as_str());
        let mut record = Record::new(principal_key(&self.subject), fields)
            .in_order(BY_SUBJECT, OrderKey::new().name(&text));
        for ((object, relation), granted) in &self.tuples {
            // The edge repeats the object, because its key may be a hash.
            let fields = granted.to_fields().with("object", object.to_string());
            record = record.with_edge(edge_of(*relation), object_key(object), fields);
        }
        for (group, granted) in &self.groups {
            let fields = granted.to_fields().with("name", group.name());
            record = record.with_edge(MEMBER_OF, group_key(group), fields);
        }
        record
    }

    /// Reads a subject; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let subject: &str = record.fields.read("subject")?;
        let mut row = Self::new(subject.parse()?);
        for (edge, fields) in &record.edges {
            let granted = Granted::from_fields(fields)?;
            if edge.name == MEMBER_OF {
                row.groups
                    .insert(Group::new(fields.read("name")?)?, granted);
                continue;
            }
            let relation = Relation::ALL.iter().find(|one| edge_of(**one) == edge.name);
            let relation = relation.ok_or_else(|| format!("`{}` is no relation", edge.name))?;
            // A stored object always names its scope.
            let object = Object::parse(fields.read("object")?, "")?;
            row.tuples.insert((object, *relation), granted);
        }
        Ok(row)
    }
}

/// A shared thing and the number of changes of its tuples.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedObjectRow {
    /// The thing.
    pub object: Object,
    /// How often its tuples changed.
    pub epoch: i64,
    /// When they changed last.
    pub changed_at: Timestamp,
}

impl SharedObjectRow {
    /// The thing as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("object", self.object.to_string())
            .with("epoch", self.epoch)
            .with("changed_at", self.changed_at);
        Record::new(object_key(&self.object), fields)
    }

    /// Reads a thing; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let fields = &record.fields;
        Ok(Self {
            object: Object::parse(fields.read("object")?, "")?,
            epoch: fields.read("epoch")?,
            changed_at: fields.read("changed_at")?,
        })
    }
}

/// A group.
#[derive(Clone, PartialEq, Debug)]
pub struct GroupRow {
    /// Its name.
    pub group: Group,
    /// When it was made.
    pub created_at: Timestamp,
    /// The subjects that choose its members.
    pub leaders: BTreeMap<Subject, Granted>,
}

impl GroupRow {
    /// The group as a record.
    pub fn to_record(&self) -> Record {
        let fields = Fields::new()
            .with("name", self.group.name())
            .with("created_at", self.created_at);
        let mut record = Record::new(group_key(&self.group), fields)
            .in_order(BY_NAME, OrderKey::new().name(self.group.name()));
        for (leader, granted) in &self.leaders {
            // The edge repeats the leader, because its key may be a hash.
            let fields = granted.to_fields().with("subject", leader.to_string());
            record = record.with_edge(LEADS, principal_key(leader), fields);
        }
        record
    }

    /// Reads a group; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let mut row = Self {
            group: Group::new(record.fields.read("name")?)?,
            created_at: record.fields.read("created_at")?,
            leaders: BTreeMap::new(),
        };
        for fields in record.edges.values() {
            let leader: &str = fields.read("subject")?;
            row.leaders
                .insert(leader.parse()?, Granted::from_fields(fields)?);
        }
        Ok(row)
    }
}

/// A note that a learner once granted a subject something. The learner's grants decide the present rights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShareNoteRow {
    /// The subject.
    pub subject: Subject,
    /// The learner.
    pub learner: String,
}

impl ShareNoteRow {
    /// Its key.
    pub fn key(&self) -> RecordKey {
        let hash = derived_hash(&[&self.subject.to_string(), &self.learner]);
        RecordKey::new(&SHARE_NOTE, hex(&hash))
    }

    /// The note as a record.
    pub fn to_record(&self) -> Record {
        let subject = self.subject.to_string();
        let fields = Fields::new()
            .with("subject", subject.as_str())
            .with("of_learner", self.learner.as_str());
        let by_learner = OrderKey::new().exact(&self.learner);
        Record::new(self.key(), fields)
            .in_order(
                OF_SUBJECT,
                OrderKey::new().exact(&subject).name(&self.learner),
            )
            .in_order(OF_LEARNER, by_learner.name(&subject))
    }

    /// Reads a note; `Err` names the unreadable part.
    pub fn from_record(record: &Record) -> Result<Self, String> {
        let subject: &str = record.fields.read("subject")?;
        Ok(Self {
            subject: subject.parse()?,
            learner: record.fields.read("of_learner")?,
        })
    }
}

/// The notes of a subject, as a range of [`OF_SUBJECT`].
pub fn notes_of_subject(subject: &Subject) -> Range {
    Range::starting_with(&OrderKey::new().exact(&subject.to_string()))
}

/// All subjects, as a range of [`BY_SUBJECT`].
pub fn all_subjects() -> Range {
    Range::starting_with(&OrderKey::new())
}

#[cfg(test)]
mod tests;
