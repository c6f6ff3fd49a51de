//! Keys of what a learner owns, and the texts by which lists of it are ordered.
//!
//! Both begin with whose they are, so that one learner's part of an index is one piece of it. A moment
//! is written with a fixed number of digits, rising or falling, and an id stands last: the front of such a
//! piece is the front of the list, ties and all, and the id can be read off again without its node.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::str::FromStr;

use crate::error::{Failure, Result};
use crate::values::{Map, owner_key, part_key, title};
use mnemograph_domain::lesson::ids::{FingerprintId, LessonId};
use mnemograph_domain::lesson::lesson::Owner;
use mnemograph_store::lessons::postings::PostingList;

/// Between the key of a tag and the posting of a lesson.
pub(super) const OF_LESSON: &str = "l";
/// The same for a live lesson.
pub(super) const OF_LIVE_LESSON: &str = "l1";
/// Between the key of a tag and the id of a fingerprint that triggers a live lesson.
pub(super) const OF_SIBLING: &str = "f";
/// Behind every letter and digit that an order goes on with.
const BEHIND: &str = "~";
/// Characters of the id of a fingerprint, and of a lesson.
pub(super) const FINGERPRINT_CHARS: usize = 23;
pub(super) const LESSON_CHARS: usize = 22;
/// Characters of a name that take part in an order: an index takes about 8 kB.
const NAME_CHARS: usize = 256;
/// Between two names in one order: before every character that a name can have.
const GAP: char = '\u{1}';

/// The learner that keys belong to.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    pub(crate) owner: Owner,
    /// The key of the learner.
    pub(crate) key: String,
}

impl Keys {
    pub(crate) fn new(owner: &Owner) -> Self {
        Self {
            owner: owner.clone(),
            key: owner_key(owner.tenant(), owner.learner()),
        }
    }

    /// The parameters of a statement about the learner, to be gone on with.
    pub(crate) fn owned(&self) -> Map {
        Map::new().with("owner", self.key.as_str())
    }

    /// The key of what has an id of its own.
    pub(super) fn id(&self, id: impl Display) -> String {
        format!("{}{id}", self.key)
    }

    /// The key of what has a name that somebody chose.
    fn named(&self, sort: &str, name: &str) -> String {
        self.id(part_key(&self.key, &format!("{sort}:{name}")))
    }

    pub(super) fn run(&self, run: &str) -> String {
        self.named("run", run)
    }

    pub(super) fn step(&self, run: &str, step: u32) -> String {
        format!("{}{step:08x}", self.run(run))
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

    /// The key of a tag, which lessons, fingerprints and bullets of a learner share.
    pub(super) fn tag(&self, tag: &str) -> String {
        part_key(&self.key, &format!("tag:{tag}"))
    }

    /// The properties of a tag as it is made.
    pub(super) fn tag_node(&self, tag: &str) -> Map {
        self.node(self.tag(tag), tag)
            .with("owner", self.key.as_str())
            .with("name", tag)
    }

    /// The properties of a task, a domain or a tool as it is made; `start` is where its list begins.
    pub(super) fn place_node(&self, start: String, name: &str) -> Map {
        self.node(start, name).with("name", name)
    }

    /// The properties that every node has.
    pub(super) fn node(&self, key: String, caption: &str) -> Map {
        Map::new()
            .with("key", key)
            .with("tenant", self.owner.tenant())
            .with("learner", self.owner.learner())
            .with("title", title(caption))
    }

    /// Where the runs and errors of a task begin.
    pub(super) fn of_task(&self, task: &str) -> String {
        self.named("of_task", task)
    }

    /// Where the runs and errors of a domain with a tool, or with none, begin.
    pub(super) fn of_domain(&self, domain: &str, tool: Option<&str>) -> String {
        let length = domain.len();
        match tool {
            Some(tool) => self.named("of_domain", &format!("{length}:{domain}:{tool}")),
            None => self.named("of_domain", &format!("{length}:{domain}")),
        }
    }

    /// Where a word of a list of all that a learner has begins.
    pub(super) fn word(&self, word: &str) -> String {
        format!("{}.{word}.", self.key)
    }

    /// Where a list of lessons begins in its index.
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

/// What stands behind everything that begins with `start`.
pub(crate) fn behind(start: &str) -> String {
    format!("{start}{BEHIND}")
}

/// A name as part of an order.
pub(super) fn ordered(name: &str) -> String {
    name.chars().take(NAME_CHARS).collect()
}

/// Two names as part of an order.
pub(super) fn ordered_both(first: &str, second: &str) -> String {
    format!("{}{GAP}{second}", ordered(first))
}

/// The lesson of a posting.
pub(super) fn posted(posting: &str) -> Result<LessonId> {
    let id = posting.len().checked_sub(LESSON_CHARS);
    read_id(id.and_then(|at| posting.get(at..)).unwrap_or(posting))
}

/// What of a posting says where in the list it stands.
pub(super) fn place_of(posting: &str, key_length: usize) -> &str {
    posting.get(key_length..).unwrap_or_default()
}

/// Reads an id or a word.
pub(super) fn read_id<T: FromStr>(text: &str) -> Result<T>
where
    T::Err: Display,
{
    text.parse()
        .map_err(|error| Failure::Damaged(format!("an id or a word that cannot be: {error}")))
}

/// The keys of what is named, each once.
pub(super) fn keys_of<T>(names: &[T], key: impl Fn(&T) -> String) -> Vec<String> {
    let keys: BTreeSet<String> = names.iter().map(key).collect();
    keys.into_iter().collect()
}
