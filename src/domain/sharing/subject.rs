//! Subjects of relation tuples, with the one text that storage and every surface use for each.

use std::fmt;
use std::str::FromStr;

use hindlore_primitives::identity::parse_name;
use hindlore_primitives::word_enum;

/// Separates a set of subjects from the name of its relation.
const SET: char = '#';
/// The relation of the members of a group or tenant.
const MEMBERS: &str = "member";

word_enum! {
    /// The kind of a principal.
    PrincipalKind {
        /// A program that learns; each learner is the agent of its name.
        Agent = "agent",
        /// A person.
        User = "user",
    }
}

/// An agent or a user of a tenant.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Principal {
    kind: PrincipalKind,
    name: String,
}

impl Principal {
    /// Checks and normalises the name; `Err` names the fault.
    pub fn new(kind: PrincipalKind, name: &str) -> Result<Self, String> {
        let name = parse_name(kind.word(), name).map_err(|error| error.to_string())?;
        Ok(Self { kind, name })
    }

    /// The agent that a learner is.
    pub fn of_learner(learner: &str) -> Self {
        Self {
            kind: PrincipalKind::Agent,
            name: learner.to_owned(),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> PrincipalKind {
        self.kind
    }

    /// Its name, without the kind.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if it is the agent that a learner is.
    pub fn is_learner(&self, learner: &str) -> bool {
        self.kind == PrincipalKind::Agent && self.name == learner
    }
}

impl fmt::Display for Principal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.name)
    }
}

impl FromStr for Principal {
    type Err = String;

    /// Reads `agent:NAME` or `user:NAME`.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || format!("`{}` is no principal", text.escape_debug());
        let (kind, name) = text.split_once(':').ok_or_else(refused)?;
        let kind = PrincipalKind::from_word(kind.trim()).ok_or_else(refused)?;
        Self::new(kind, name)
    }
}

/// The name of a group: checked, normalised, and without the sign that marks a set of subjects.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Group(String);

impl Group {
    /// Checks and normalises the name; `Err` names the fault.
    pub fn new(name: &str) -> Result<Self, String> {
        let name = parse_name("group", name).map_err(|error| error.to_string())?;
        if name.contains(SET) {
            return Err(format!(
                "the group name `{name}` holds `{SET}`; leave it out"
            ));
        }
        Ok(Self(name))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A subject: one principal, or a set of them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Subject {
    /// One agent or user.
    Principal(Principal),
    /// All members of a group, those of its member groups among them.
    Members(Group),
    /// Every principal of the tenant.
    Tenant,
}

impl Subject {
    /// Returns true if it is the principal that a learner is.
    pub fn is_learner(&self, learner: &str) -> bool {
        matches!(self, Self::Principal(one) if one.is_learner(learner))
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Principal(principal) => principal.fmt(f),
            Self::Members(group) => write!(f, "group:{group}{SET}{MEMBERS}"),
            Self::Tenant => write!(f, "tenant{SET}{MEMBERS}"),
        }
    }
}

impl FromStr for Subject {
    type Err = String;

    /// Reads `agent:NAME`, `user:NAME`, `group:NAME`, `tenant`; the latter two also with `#member`.
    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let set = text
            .strip_suffix(MEMBERS)
            .and_then(|set| set.strip_suffix(SET));
        if set.unwrap_or(text) == "tenant" {
            return Ok(Self::Tenant);
        }
        if let Some(name) = set.unwrap_or(text).strip_prefix("group:") {
            return Ok(Self::Members(Group::new(name)?));
        }
        let principal = Principal::from_str(text);
        principal.map(Self::Principal).map_err(|error| {
            format!("{error}; a subject is `agent:NAME`, `user:NAME`, `group:NAME` or `tenant`")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_is_read_from_its_own_text() {
        for (text, own) in [
            ("agent:a", "agent:a"),
            (" user: b ", "user:b"),
            ("agent:a#member", "agent:a#member"),
            ("user:a:b", "user:a:b"),
            ("group:eng", "group:eng#member"),
            ("group:eng#member", "group:eng#member"),
            ("tenant", "tenant#member"),
            ("tenant#member", "tenant#member"),
        ] {
            let subject: Subject = text.parse().unwrap();
            assert_eq!(subject.to_string(), own, "{text}");
            assert_eq!(own.parse::<Subject>().unwrap(), subject, "{text}");
        }
    }

    #[test]
    fn a_text_that_names_no_subject_is_refused_with_the_forms() {
        for text in [
            "",
            "bob",
            "robot:bob",
            "agent:",
            "user: ",
            "group:",
            "group:a#b",
            "agent:\u{7}",
        ] {
            let error = text.parse::<Subject>().unwrap_err();
            assert!(!error.is_empty(), "{text}");
        }
        let error = "bob".parse::<Subject>().unwrap_err();
        assert!(error.contains("`agent:NAME`"), "{error}");
    }
}
