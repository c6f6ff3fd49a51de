//! The places where records of a kind name learners.
//!
//! An erase deletes everything that the learner owns. Its name may also be in records of others: the other end of a
//! grant, a member of a group, the learner of a key, the author of a verdict. Each kind declares those places, without
//! a default, so that a new kind does not compile until its author has thought of them. The effect on a record follows
//! from the places alone.

/// The learners that the records of a kind name.
#[derive(Debug)]
pub struct Learners {
    /// The places of the names.
    pub names: &'static [Names],
    /// An order that lists all records of the kind; `None` for a kind that names its owner alone.
    pub listed_in: Option<&'static str>,
}

/// A place where a record names a learner. A text is the name of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Names {
    /// The learner that holds the record, which goes with it.
    Owner,
    /// The learner that the record is about, by its name: the record goes.
    Learner(&'static str),
    /// The only learner that a key lets in to, by its name: the key goes, and its token opens nothing any more.
    Confined(&'static str),
    /// The learner that the record is about, as a principal: the record goes.
    Principal(&'static str),
    /// The learner at the other end of an edge, as a principal: the edge goes.
    EdgePrincipal(&'static str),
    /// The learner that made an edge, as a principal: the name is replaced.
    EdgeAuthor(&'static str),
}

/// The declaration of a kind that names no learner but its owner.
pub const OWNER_ALONE: Learners = Learners {
    names: &[Names::Owner],
    listed_in: None,
};
