//! Keys of a learner's nodes, and the order keys of its lists.
//!
//! Both begin with the owner, so that one learner's entries are contiguous in an index. Timestamps have a fixed number of
//! digits, rising or falling, and the id comes last: the front of such a range is the front of the list, ties included,
//! and the id can be cut off the key without reading the node.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use crate::bolt::values::{Map, owner_key, part_key, title};
use crate::error::{Failure, Result};
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_store::lessons::postings::PostingList;

/// Separates the key of a tag from the posting of a lesson.
pub(super) const OF_LESSON: &str = "l";
/// Separates the key of a tag from the posting of a live lesson.
pub(super) const OF_LIVE_LESSON: &str = "l1";
/// Separates the key of a tag from the id of a fingerprint that triggers a live lesson.
pub(super) const OF_SIBLING: &str = "f";
/// Sorts after every character that can follow in an order key.
const BEHIND: &str = "~";
/// Length of the id of a fingerprint, and of a lesson, in characters.
pub(super) const FINGERPRINT_CHARS: usize = 23;
pub(super) const LESSON_CHARS: usize = 22;
/// Characters of a name that take part in an order: an index entry is limited to about 8 kB.
const NAME_CHARS: usize = 256;
/// Separates two names in an order key; sorts before every character of a name.
const GAP: char = '\u{1}';

/// Makes the keys of one learner.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub(crate) owner: LearnerId,
    /// The key of the learner.
    pub(crate) key: String,
}

impl Keys {
    pub(crate) fn new(owner: &LearnerId) -> Self {
        Self {
            owner: owner.clone(),
            key: owner_key(owner.tenant(), owner.learner()),
        }
    }

    /// The parameters common to all statements about the learner.
    pub(crate) fn owned(&self) -> Map {
        Map::new().with("owner", self.key.as_str())
    }

    /// The key of a node with a derived id.
    pub(super) fn id(&self, id: impl Display) -> String {
        format!("{}{id}", self.key)
    }

    /// The key of a node with a name chosen by a caller, which is hashed.
    fn named(&self, sort: &str, name: &str) -> String {
        self.id(part_key(&self.key, &format!("{sort}:{name}")))
    }

    /// The key of a run.
    pub(crate) fn run(&self, run: &str) -> String {
        self.named("run", run)
    }

    pub(super) fn step(&self, run: &str, step: u32) -> String {
        format!("{}{step:08x}", self.run(run))
    }

    /// The key of an id of a step.
    pub(super) fn step_id(&self, run: &str, id: &str) -> String {
        self.named("step_id", &format!("{}:{run}:{id}", run.len()))
    }

    /// The key of the body of a step.
    pub(super) fn step_body(&self, hash: &str) -> String {
        self.id(format!("sb_{hash}"))
    }

    /// The prefix of the runs of an agent, a user, a type of task, or a parent, as `list` selects.
    pub(super) fn runs_of(&self, list: &str, name: &str) -> String {
        self.named(&format!("runs_of_{list}"), name)
    }

    pub(super) fn operation(&self, operation: &str) -> String {
        self.named("operation", operation)
    }

    pub(super) fn review(&self, review: &str) -> String {
        self.named("review", review)
    }

    pub(super) fn source(&self, lesson: LessonId, run: &str, origin: &str) -> String {
        self.named("source", &format!("{lesson}{origin}:{run}"))
    }

    pub(super) fn meeting(&self, run: &str, fingerprint: FingerprintId) -> String {
        format!("{}{fingerprint}", self.run(run))
    }

    pub(super) fn pair(&self, first: LessonId, second: LessonId) -> String {
        format!("{}{first}{second}", self.key)
    }

    /// The key of a tag, which a learner's lessons, fingerprints and bullets share.
    pub(super) fn tag(&self, tag: &str) -> String {
        part_key(&self.key, &format!("tag:{tag}"))
    }

    /// The properties of a new tag.
    pub(super) fn tag_node(&self, tag: &str) -> Map {
        self.node(self.tag(tag), tag)
            .with("hindlore_owner", self.key.as_str())
            .with("name", tag)
    }

    /// The properties of a new task, domain or tool; `start` is the prefix of its list.
    pub(super) fn place_node(&self, start: String, name: &str) -> Map {
        self.node(start, name).with("name", name)
    }

    /// The properties common to all nodes.
    pub(super) fn node(&self, key: String, caption: &str) -> Map {
        Map::new()
            .with("hindlore_key", key)
            .with("tenant", self.owner.tenant())
            .with("learner", self.owner.learner())
            .with("title", title(caption))
    }

    /// The prefix of the runs and errors of a task.
    pub(super) fn of_task(&self, task: &str) -> String {
        self.named("of_task", task)
    }

    /// The prefix of the runs and errors of a domain with a tool, or without one.
    pub(super) fn of_domain(&self, domain: &str, tool: Option<&str>) -> String {
        let length = domain.len();
        match tool {
            Some(tool) => self.named("of_domain", &format!("{length}:{domain}:{tool}")),
            None => self.named("of_domain", &format!("{length}:{domain}")),
        }
    }

    /// The prefix of one word in a list of all nodes of a learner.
    pub(super) fn word(&self, word: &str) -> String {
        format!("{}.{word}.", self.key)
    }

    /// The prefix of the lessons of a wrong form.
    pub(super) fn of_wrong_form(&self, key: &str) -> String {
        self.named("wrong_form", key)
    }

    /// The prefix of a list of lessons.
    pub(super) fn list(&self, list: &PostingList) -> String {
        match list {
            PostingList::Trigger(id) => self.id(id),
            PostingList::Tag(tag) => format!("{}{OF_LESSON}", self.tag(tag)),
            PostingList::Task(name) => self.named("task", name),
            PostingList::Domain(name) => self.named("domain", name),
            PostingList::Tool(name) => self.named("tool", name),
        }
    }
}

/// The end of the range of all keys with the prefix `start`.
pub(crate) fn behind(start: &str) -> String {
    format!("{start}{BEHIND}")
}

/// A name as part of an order key.
pub(super) fn ordered(name: &str) -> String {
    name.chars().take(NAME_CHARS).collect()
}

/// Two names as part of an order key.
pub(super) fn ordered_both(first: &str, second: &str) -> String {
    format!("{}{GAP}{second}", ordered(first))
}

/// The lesson of a posting.
pub(super) fn posted(posting: &str) -> Result<LessonId> {
    let id = posting.len().checked_sub(LESSON_CHARS);
    read_id(id.and_then(|at| posting.get(at..)).unwrap_or(posting))
}

/// The part of a posting that gives its position in the list.
pub(super) fn place_of(posting: &str, key_length: usize) -> &str {
    posting.get(key_length..).unwrap_or_default()
}

/// Parses an id or a word.
pub(super) fn read_id<T: FromStr>(text: &str) -> Result<T>
where
    T::Err: Display,
{
    text.parse()
        .map_err(|error| Failure::Damaged(format!("an id or a word that cannot be: {error}")))
}

/// The keys of names, sorted and without duplicates.
pub(super) fn keys_of<T>(names: &[T], key: impl Fn(&T) -> String) -> Vec<String> {
    let keys: BTreeSet<String> = names.iter().map(key).collect();
    keys.into_iter().collect()
}
