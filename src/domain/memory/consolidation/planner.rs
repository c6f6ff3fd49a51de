//! The planner: groups candidates one step at a time, so that its caller can apply, show and stop in between.
//!
//! The richest text leads. It is compared with the most similar ones of the same kind, type, topic and section, takes in
//! those that it may, and is done. So each candidate is in at most one group, and a family of thousands of texts from
//! one template costs each of them a bounded number of comparisons.

use std::collections::HashMap;
use std::sync::Arc;

use super::super::bullet::BulletId;
use super::super::content::{Content, ContentHash};
use super::candidates::{Candidate, Candidates};
use super::loss::{Loss, loss};
use super::merging::Text;
use super::{Choice, Group, LOSS_MAX, PlannedSource, RefusedGroup, SAVING_MIN, SOURCES_MAX};
use hindlore_text::guard::MergeGuard;
use hindlore_text::similar::{Bound, Similar, SimilarityIndex};
use hindlore_text::words::Tokens;

/// Similar texts that one leader is compared with, at most.
const COMPARED_MAX: usize = 64;
/// Texts kept in units, at most.
const READ_MAX: usize = 2_048;

/// The result of one step of a plan for one leader.
#[derive(Clone, PartialEq, Debug)]
pub enum Step {
    /// It leads a group that becomes one bullet.
    Group(Group),
    /// It has similar ones, and stays apart from all of them.
    Refused(RefusedGroup),
    /// Nothing is similar to it, or it is in a group already.
    Alone,
}

/// A plan in progress over the candidates of one memory.
#[derive(Debug)]
pub struct Planner {
    pub(crate) guard: MergeGuard,
    pub(crate) choice: Choice,
    pub(crate) candidates: Candidates,
    /// Candidates in the order in which they lead: the richest first.
    order: Vec<u32>,
    next: usize,
    /// Whether each candidate is in a group.
    is_taken: Vec<bool>,
    /// Candidates that did not lead yet and are in no group.
    open: SimilarityIndex,
    read: HashMap<u32, Arc<Text>>,
    comparisons: u64,
}

/// A group while it grows.
struct Growing {
    members: Vec<u32>,
    text: Text,
    loss: Loss,
}

impl Planner {
    /// Begins a plan.
    pub fn new(candidates: Candidates, choice: Choice, guard: MergeGuard) -> Self {
        let texts = (0..).zip(&candidates.list);
        let texts = texts.map(|(doc, candidate)| (doc, candidate.content.as_str()));
        let open = SimilarityIndex::build(&Tokens::Standard, texts);
        let words = |at: &u32| {
            Tokens::Standard
                .set(&candidates.list[*at as usize].content)
                .len()
        };
        let mut order: Vec<u32> = (0..).take(candidates.list.len()).collect();
        order.sort_by_cached_key(|at| {
            let candidate = &candidates.list[*at as usize];
            (std::cmp::Reverse((words(at), candidate.balance)), *at)
        });
        Self {
            is_taken: vec![false; candidates.list.len()],
            guard,
            choice,
            candidates,
            order,
            next: 0,
            open,
            read: HashMap::new(),
            comparisons: 0,
        }
    }

    /// Returns the number of candidates that were looked at, and that of all.
    pub fn progress(&self) -> (u64, u64) {
        (self.next as u64, self.order.len() as u64)
    }

    /// Returns how many pairs of a group and a text were compared so far.
    pub fn comparisons(&self) -> u64 {
        self.comparisons
    }

    /// Looks at the next candidate; `None` when all were.
    pub fn step(&mut self) -> Option<Step> {
        let leader = *self.order.get(self.next)?;
        self.next += 1;
        if self.is_taken[leader as usize] {
            return Some(Step::Alone);
        }
        let near = self.near(leader);
        self.close(leader);
        Some(match self.grown(leader, &near) {
            Some(Ok(group)) => Step::Group(self.take(group)),
            Some(Err(refused)) => Step::Refused(refused),
            None => Step::Alone,
        })
    }

    /// Returns the open candidates that are similar to a leader and may merge with it by their fields, the most
    /// similar first.
    fn near(&self, leader: u32) -> Vec<u32> {
        let own = self.at(leader);
        let words = Tokens::Standard.set(&own.content);
        let prepared = self.open.prepare(words.iter().map(String::as_str));
        let bound = Bound::AtLeast(self.choice.similarity);
        let near = self.open.find_near(&prepared, bound, COMPARED_MAX).similar;
        let mut near: Vec<Similar> = near
            .into_iter()
            .filter(|it| it.doc != leader && own.has_same_fields(self.at(it.doc)))
            .collect();
        near.sort_by(|a, b| {
            b.similarity
                .total_cmp(&a.similarity)
                .then(a.doc.cmp(&b.doc))
        });
        near.truncate(COMPARED_MAX);
        near.into_iter().map(|it| it.doc).collect()
    }

    /// Grows a group around a leader; `None` if nothing is similar to it.
    fn grown(&mut self, leader: u32, near: &[u32]) -> Option<Result<Growing, RefusedGroup>> {
        // Most texts have nothing similar, and their details need not be read.
        if near.is_empty() {
            return None;
        }
        let text = self.text(leader);
        let mut group = Growing {
            members: vec![leader],
            text: Text::read(&text.content, &self.guard),
            loss: Loss::default(),
        };
        let mut refused = None;
        for member in near {
            if group.members.len() == SOURCES_MAX {
                break;
            }
            match self.with(&group, *member) {
                Ok(larger) => group = larger,
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        if group.members.len() > 1 {
            return Some(Ok(group));
        }
        refused.map(Err)
    }

    /// Returns the group with one more member; `Err` has the reason why that one stays apart.
    fn with(&mut self, group: &Growing, member: u32) -> Result<Growing, RefusedGroup> {
        self.comparisons += 1;
        let other = self.text(member);
        let members: Vec<u32> = group.members.iter().copied().chain([member]).collect();
        let apart = |reason: String, loss: Option<Loss>| RefusedGroup {
            sources: vec![self.at(group.members[0]).id, self.at(member).id],
            reason,
            loss,
        };
        let text = group
            .text
            .with(&other, &self.guard)
            .map_err(|reason| apart(reason, None))?;
        let originals = members.iter().flat_map(|it| &self.at(*it).originals);
        let lost = loss(originals.map(String::as_str), &text.content);
        self.check(&members, &text.content, &lost)
            .map_err(|reason| apart(reason, Some(lost.clone())))?;
        Ok(Growing {
            members,
            text,
            loss: lost,
        })
    }

    /// Checks that a group keeps all details; `Err` names the missing ones.
    pub(crate) fn check(&self, members: &[u32], content: &str, loss: &Loss) -> Result<(), String> {
        if let Some(detail) = loss.details().next() {
            return Err(format!(
                "the {} `{}` would be lost",
                detail.kind, detail.value
            ));
        }
        if loss.share() > LOSS_MAX {
            let words: Vec<&str> = loss.lost.iter().map(|it| it.value.as_str()).collect();
            return Err(format!(
                "{:.1} % of details and words would be lost: {}",
                loss.share() * 100.0,
                words.join(", ")
            ));
        }
        let most = self.candidates.max_content_chars as usize;
        if content.chars().count() > most {
            return Err(format!("the text would be longer than {most} characters"));
        }
        if self.is_held(content, members) {
            return Err("another bullet has the text that they would become".to_owned());
        }
        let before: usize = members.iter().map(|it| self.at(*it).content.len()).sum();
        #[allow(clippy::cast_precision_loss)]
        let most = before as f64 * (1.0 - SAVING_MIN);
        #[allow(clippy::cast_precision_loss)]
        let is_short = content.len() as f64 <= most;
        if is_short {
            Ok(())
        } else {
            Err("together they would save less than a tenth".to_owned())
        }
    }

    /// Returns true if a bullet outside of a group holds a text.
    fn is_held(&self, content: &str, members: &[u32]) -> bool {
        let Some(hash) = self.hash(content) else {
            return false;
        };
        let is_own = || members.iter().any(|member| self.at(*member).hash == hash);
        self.candidates.held.contains(&hash) && !is_own()
    }

    fn hash(&self, content: &str) -> Option<ContentHash> {
        let content = Content::parse(content, u32::MAX).ok()?;
        Some(content.hash_in(self.candidates.identity))
    }

    /// Closes the members of a finished group and returns it.
    fn take(&mut self, group: Growing) -> Group {
        self.taken(&group.members, group.text.content, group.loss)
    }

    /// Closes members and returns the group that they become.
    pub(crate) fn taken(&mut self, members: &[u32], content: String, loss: Loss) -> Group {
        if let Some(hash) = self.hash(&content) {
            self.candidates.held.insert(hash);
        }
        for member in members {
            self.is_taken[*member as usize] = true;
            self.close(*member);
        }
        let planned = |member: &u32| {
            let Candidate { id, seen, .. } = self.at(*member);
            PlannedSource {
                id: *id,
                seen: seen.clone(),
            }
        };
        let bytes = members.iter().map(|it| self.at(*it).content.len() as u64);
        Group {
            sources: members.iter().map(planned).collect(),
            loss,
            bytes_before: bytes.sum(),
            bytes_after: content.len() as u64,
            content,
        }
    }

    fn close(&mut self, at: u32) {
        let words = Tokens::Standard.set(&self.at(at).content);
        self.open.remove(at, &words);
        self.read.remove(&at);
    }

    /// Returns a candidate's text in units.
    pub(crate) fn text(&mut self, at: u32) -> Arc<Text> {
        if let Some(known) = self.read.get(&at) {
            return Arc::clone(known);
        }
        if self.read.len() >= READ_MAX {
            self.read.clear();
        }
        let text = Arc::new(Text::read(&self.at(at).content, &self.guard));
        self.read.insert(at, Arc::clone(&text));
        text
    }

    pub(crate) fn at(&self, at: u32) -> &Candidate {
        &self.candidates.list[at as usize]
    }

    /// Returns the number of a bullet that is a candidate and in no group.
    pub(crate) fn open_number(&self, id: BulletId) -> Option<u32> {
        let place = self.candidates.list.iter().position(|it| it.id == id)?;
        let number = u32::try_from(place).ok()?;
        (!self.is_taken[place]).then_some(number)
    }
}

impl Candidate {
    /// Returns true if two bullets may become one by their kind, regardless of their texts.
    pub(crate) fn has_same_fields(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.memory_type == other.memory_type
            && self.topic == other.topic
            && self.section == other.section
    }
}
