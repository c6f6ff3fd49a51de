//! Objects that a learner shares: all it keeps, one memory, or one playbook.

use std::fmt;

use hindlore_primitives::identity::parse_name;

/// The shared object of one learner.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    /// Everything of the learner: its memories, lessons, runs and playbooks.
    Learner,
    /// The memory of one scope.
    Memory(String),
    /// The playbook of one name.
    Playbook(String),
}

impl Object {
    /// Reads `learner`, `memory` (that of `scope`), `memory:SCOPE` or `playbook:NAME`; `Err` has the fault.
    pub fn parse(text: &str, scope: &str) -> Result<Self, String> {
        let name = |part, raw| parse_name(part, raw).map_err(|error| error.to_string());
        match text.trim().split_once(':') {
            None if text.trim() == "learner" => Ok(Self::Learner),
            None if text.trim() == "memory" => Ok(Self::Memory(name("scope", scope)?)),
            Some(("memory", raw)) => Ok(Self::Memory(name("scope", raw)?)),
            Some(("playbook", raw)) => Ok(Self::Playbook(name("playbook", raw)?)),
            _ => Err(format!(
                "`{}` cannot be shared; name `learner`, `memory`, `memory:SCOPE` or `playbook:NAME`",
                text.escape_debug()
            )),
        }
    }

    /// The object whose relations hold for this one, too.
    pub fn parent(&self) -> Option<Self> {
        match self {
            Self::Learner => None,
            Self::Memory(_) | Self::Playbook(_) => Some(Self::Learner),
        }
    }
}

impl fmt::Display for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Learner => f.write_str("learner"),
            Self::Memory(scope) => write!(f, "memory:{scope}"),
            Self::Playbook(name) => write!(f, "playbook:{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_from_its_own_text() {
        for (text, own) in [
            ("learner", "learner"),
            ("memory", "memory:here"),
            ("memory: s:t ", "memory:s:t"),
            ("playbook:default", "playbook:default"),
        ] {
            let object = Object::parse(text, "here").unwrap();
            assert_eq!(object.to_string(), own, "{text}");
            assert_eq!(Object::parse(own, "elsewhere").unwrap(), object, "{text}");
        }
        for text in [
            "",
            "memories",
            "memory:",
            "playbook",
            "playbook:\u{1}",
            "learner:x",
        ] {
            assert!(Object::parse(text, "here").is_err(), "{text}");
        }
    }
}
