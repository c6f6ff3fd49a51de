//! Sharing: changes, present rights, and reachable objects.

use schemars::JsonSchema;
use serde::Serialize;

use crate::cursor::page;
use crate::problem::Problem;
use crate::schema::{Time, Word};
use hindlore::sharing::{
    Checked, GroupChanged, GroupMembers, ShareChanged, SharedSubject, SharedThing, Shares,
};
use hindlore_domain::sharing::evidence::Support;
use hindlore_domain::sharing::relation::Relation;
use hindlore_primitives::timestamp::Timestamp;

/// A changed grant.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GrantResponse {
    /// The subject.
    pub subject: String,
    /// The object.
    pub object: String,
    /// False if everything was so already.
    pub changed: bool,
    /// Relations that the subject itself has to it now, weakest first.
    #[schemars(with = "Vec<Word<Relation>>")]
    pub relations: Vec<Relation>,
    /// How often the grants of the object have changed.
    pub epoch: i64,
}

impl GrantResponse {
    /// A change of a subject's grants of an object.
    pub fn new(subject: String, object: String, changed: ShareChanged) -> Self {
        Self {
            subject,
            object,
            changed: changed.changed,
            relations: changed.relations,
            epoch: changed.epoch,
        }
    }
}

/// The rights of a subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CheckResponse {
    /// The subject.
    pub subject: String,
    /// The object.
    pub object: String,
    /// The strongest relation, over all groups; null allows nothing.
    #[schemars(with = "Option<Word<Relation>>")]
    pub relation: Option<Relation>,
    /// How often the grants of the object have changed.
    pub epoch: i64,
    /// True if a bound ended the walk over groups; rights beyond it are denied.
    pub cut: bool,
}

impl CheckResponse {
    /// The rights of a subject on an object.
    pub fn new(subject: String, object: String, checked: &Checked) -> Self {
        Self {
            subject,
            object,
            relation: checked.relation,
            epoch: checked.epoch,
            cut: checked.is_cut,
        }
    }
}

/// Objects that a subject may reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SharedObjectsResponse {
    /// Ascending by learner.
    pub objects: Vec<SharedObjectResponse>,
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
    /// True if there are more.
    pub more: bool,
}

/// An object that a subject may reach.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SharedObjectResponse {
    /// Learner whose it is.
    pub learner: String,
    /// The object.
    pub object: String,
    /// The strongest relation to it.
    #[schemars(with = "Word<Relation>")]
    pub relation: Relation,
}

impl SharedObjectsResponse {
    /// A page of the objects, and its cursor.
    ///
    /// `invalid_cursor` as in [`page`].
    pub fn new(
        shares: Shares<SharedThing>,
        wanted: (Option<&str>, usize),
    ) -> Result<Self, Problem> {
        let shown = |one: SharedThing| SharedObjectResponse {
            learner: one.learner,
            object: one.object.to_string(),
            relation: one.relation,
        };
        let rows = shares.rows.into_iter().map(shown).collect();
        let name = |one: &SharedObjectResponse| format!("{}\n{}", one.learner, one.object);
        let (objects, next) = page(rows, wanted, name)?;
        Ok(Self {
            objects,
            more: shares.is_cut || next.is_some(),
            next,
        })
    }
}

/// Subjects that may reach an object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SharedSubjectsResponse {
    /// The learner itself first, then ascending by their texts.
    pub subjects: Vec<SharedSubjectResponse>,
    /// Start of the next page, for `after`; null if there is none.
    pub next: Option<String>,
    /// True if there are more.
    pub more: bool,
}

/// A subject that may reach an object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct SharedSubjectResponse {
    /// The subject; groups are named, not taken apart.
    pub subject: String,
    /// Its relation.
    #[schemars(with = "Word<Relation>")]
    pub relation: Relation,
    /// The granted object, or the whole learner.
    pub object: String,
    /// Since when; null for the learner itself.
    #[schemars(with = "Option<Time>")]
    pub since: Option<Timestamp>,
    /// Author of the grant; null for the operator.
    pub granted_by: Option<String>,
}

impl SharedSubjectsResponse {
    /// A page of the subjects, and its cursor.
    ///
    /// `invalid_cursor` as in [`page`].
    pub fn new(
        shares: Shares<SharedSubject>,
        wanted: (Option<&str>, usize),
    ) -> Result<Self, Problem> {
        let shown = |one: SharedSubject| SharedSubjectResponse {
            subject: one.subject.to_string(),
            relation: one.relation,
            object: one.object.to_string(),
            since: one.since,
            granted_by: one.granted_by,
        };
        let rows = shares.rows.into_iter().map(shown).collect();
        let name = |one: &SharedSubjectResponse| {
            format!("{}\n{}\n{}", one.subject, one.relation, one.object)
        };
        let (subjects, next) = page(rows, wanted, name)?;
        Ok(Self {
            subjects,
            more: shares.is_cut || next.is_some(),
            next,
        })
    }
}

/// A changed group.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GroupChangedResponse {
    /// The group.
    pub group: String,
    /// False if everything was so already.
    pub changed: bool,
    /// How often the groups of the tenant have changed.
    pub epoch: i64,
}

impl GroupChangedResponse {
    /// A change of a group.
    pub fn new(group: String, changed: &GroupChanged) -> Self {
        Self {
            group,
            changed: changed.changed,
            epoch: changed.epoch,
        }
    }
}

/// A group with those in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct GroupResponse {
    /// The group.
    pub group: String,
    /// Those who choose its members.
    pub leaders: Vec<String>,
    /// Its direct members.
    pub members: Vec<String>,
    /// True if members may be missing.
    pub cut: bool,
}

impl GroupResponse {
    /// A group; one that never had a member is empty.
    pub fn new(group: String, found: Option<GroupMembers>) -> Self {
        let texts = |subjects: Vec<hindlore_domain::sharing::subject::Subject>| {
            subjects.iter().map(ToString::to_string).collect()
        };
        match found {
            None => Self {
                group,
                leaders: Vec::new(),
                members: Vec::new(),
                cut: false,
            },
            Some(found) => Self {
                group,
                leaders: texts(found.leaders),
                members: texts(found.members),
                cut: found.is_cut,
            },
        }
    }
}

/// Verdicts of readers on a bullet.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "VerdictsResponse")]
pub struct SupportResponse {
    /// The bullet.
    pub bullet: String,
    /// Principals whom it helped.
    pub principals: usize,
    /// Runs in which it helped.
    pub runs: usize,
    /// Runs in which it did harm.
    pub harmed: usize,
    /// True if it may be passed on.
    pub suffices: bool,
}

impl SupportResponse {
    /// Verdicts of readers on a bullet.
    pub fn new(bullet: String, support: Support) -> Self {
        Self {
            bullet,
            principals: support.principals,
            runs: support.runs,
            harmed: support.harmed,
            suffices: support.suffices(),
        }
    }
}
