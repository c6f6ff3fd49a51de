//! The postings of a lesson: the lists in which it can be found, and its position in each.
//!
//! A store reads a list from the front until its limit: live lessons apart from the others, newest evidence first, ties
//! by id. Only this file decides which postings a lesson has; backends insert and delete them.

use crate::order_key::falling;
use hindlore_domain::lesson::learning::watched_form::WatchedForm;
use hindlore_domain::lesson::lesson::{Lesson, Place, Status};
use hindlore_domain::lesson::rule::Rule;
use hindlore_primitives::identity::{derived_hash, hex};
use hindlore_primitives::ids::{FingerprintId, LessonId};
use hindlore_primitives::timestamp::Timestamp;

/// Bytes of the digest of all postings of a lesson.
const PLACEMENT_BYTES: usize = 16;

/// A list of lessons.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PostingList {
    /// The lessons that a fingerprint triggers.
    Trigger(FingerprintId),
    /// Those with a tag.
    Tag(String),
    /// Those of a task.
    Task(String),
    /// Those of a domain.
    Domain(String),
    /// Those of a tool.
    Tool(String),
}

/// One lesson in one list.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Posting {
    /// The list.
    pub list: PostingList,
    /// False for suppressed and archived lessons, which are listed apart.
    pub is_live: bool,
    /// Time of the newest evidence; the list is newest first.
    pub evidence_at: Timestamp,
    /// The lesson; equal times are ascending by id.
    pub lesson: LessonId,
}

/// The lists of the task, the domain and the tool that a place names.
pub fn place_lists(place: &Place) -> impl Iterator<Item = PostingList> {
    let task = place.task.clone().map(PostingList::Task);
    let domain = place.domain.clone().map(PostingList::Domain);
    let tool = place.tool.clone().map(PostingList::Tool);
    [task, domain, tool].into_iter().flatten()
}

/// The postings of a lesson: by trigger, by tag, by task, domain and tool.
pub fn postings(lesson: &Lesson) -> Vec<Posting> {
    let triggers = lesson.triggers.iter().map(|id| PostingList::Trigger(*id));
    let tags = lesson.tags.iter().cloned().map(PostingList::Tag);
    let lists = triggers.chain(tags).chain(place_lists(&lesson.place));
    let posting = |list| Posting {
        list,
        is_live: lesson.status.is_live(),
        evidence_at: lesson.evidence_at,
        lesson: lesson.id,
    };
    lists.map(posting).collect()
}

/// The order key of a lesson in its lists: not live before live, newest evidence first, then by id.
pub fn posting_order(lesson: &Lesson) -> String {
    let live = if lesson.status.is_live() { LIVE } else { "0" };
    format!("{live}{}{}", falling(lesson.evidence_at), lesson.id)
}

/// The prefix of [`posting_order`] of a live lesson.
pub const LIVE: &str = "1";

/// The key under which a lesson is found by an action that is about to be taken, or that worked; absent when it is out
/// of use, or when its rule names no form of an action.
pub fn wrong_form(rule: &Rule, status: Status) -> Option<String> {
    WatchedForm::of(rule)
        .filter(|_| status.is_watched())
        .and_then(|form| form.key())
}

/// The order key of a lesson among those of one wrong form: by status as in [`Status::WATCHED`], newest evidence first, then by
/// id.
pub fn wrong_form_order(status: Status, evidence_at: Timestamp, id: LessonId) -> String {
    let rank = Status::WATCHED.iter().position(|one| *one == status);
    let rank = rank.unwrap_or(Status::WATCHED.len());
    format!("{rank}{}{id}", falling(evidence_at))
}

/// Digest of all postings of a lesson. Equal digests mean equal postings, so an unchanged lesson needs no rewrite.
pub fn placement(lesson: &Lesson) -> String {
    let (order, place) = (posting_order(lesson), &lesson.place);
    let triggers: Vec<String> = lesson.triggers.iter().map(ToString::to_string).collect();
    let mut parts = vec![order.as_str()];
    parts.extend(triggers.iter().map(String::as_str));
    // No tag and no name holds this character, so the lists cannot run into each other.
    parts.push("\u{1}tags");
    parts.extend(lesson.tags.iter().map(String::as_str));
    // An absent part is marked, so that a task and a domain of the same name differ.
    for part in [&place.task, &place.domain, &place.tool] {
        parts.push(part.as_deref().unwrap_or("\u{1}none"));
    }
    hex(&derived_hash(&parts)[..PLACEMENT_BYTES])
}
