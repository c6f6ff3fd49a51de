//! The output of readers: numbers the steps of each run, and keeps calls until their results come.
//!
//! Calls and results are apart in nearly every format, and several calls may be under way at once. At most
//! [`PENDING_MAX`] wait; the oldest is then reported as one without a result, so that a damaged file cannot fill the
//! memory of the process.

use std::collections::{HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use hindlore_primitives::timestamp::Timestamp;

use crate::step::{Item, Outcome, Run, STATED, Skipped, Step};
use crate::verdict::{Answer, Call};

/// Calls that may wait for their results at once.
pub const PENDING_MAX: usize = 1_024;

/// Steps that are remembered to know their copies.
const REMEMBERED_MAX: usize = 1 << 16;

/// Takes items and numbers steps.
pub(crate) struct Out<'a> {
    take: &'a mut dyn FnMut(Item),
    numbers: HashMap<Run, u32>,
    /// Entries that were read.
    entries: usize,
    /// Steps and skipped places that were handed out.
    handed_out: usize,
    /// Digests of the dated steps of late, the oldest first.
    known: HashSet<u64>,
    order: VecDeque<u64>,
}

impl<'a> Out<'a> {
    pub(crate) fn new(take: &'a mut dyn FnMut(Item)) -> Self {
        Self {
            take,
            numbers: HashMap::new(),
            entries: 0,
            handed_out: 0,
            known: HashSet::new(),
            order: VecDeque::new(),
        }
    }

    /// Hands a step out; a second copy of it in the file is passed over.
    pub(crate) fn step(&mut self, mut step: Step) {
        if self.is_copy(&step) {
            self.skip(
                step.line,
                "a copy of a step above: the same action at the same moment",
            );
            return;
        }
        let number = self.numbers.entry(step.run.clone()).or_default();
        *number = number.saturating_add(1);
        step.number = *number;
        self.handed_out += 1;
        (self.take)(Item::Step(Box::new(step)));
    }

    /// Returns true if a step of the same run, moment, action and result came before. Without a moment it may be a
    /// repetition.
    fn is_copy(&mut self, step: &Step) -> bool {
        let Some(at) = step.at else {
            return false;
        };
        let mut digest = DefaultHasher::new();
        (&step.run, at, &step.tool, &step.output).hash(&mut digest);
        step.action.to_value().to_string().hash(&mut digest);
        let digest = digest.finish();
        if !self.known.insert(digest) {
            return true;
        }
        self.order.push_back(digest);
        if self.order.len() > REMEMBERED_MAX
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        false
    }

    /// Reports a skipped place.
    pub(crate) fn skip(&mut self, line: usize, reason: impl Into<String>) {
        let reason = reason.into();
        self.handed_out += 1;
        (self.take)(Item::Skipped(Skipped { line, reason }));
    }

    /// Counts entries that were read.
    pub(crate) fn count(&mut self, entries: usize) {
        self.entries += entries;
    }

    /// Reports that no entry held a step, so that a file without steps is not passed over in silence.
    pub(crate) fn account(&mut self) {
        if self.handed_out == 0 && self.entries > 0 {
            let entries = self.entries;
            let reason = format!("none of the {entries} entries holds a call with its result");
            self.skip(1, reason);
        }
    }

    /// Hands out a reply of the agent that may state a lesson.
    pub(crate) fn reply(&mut self, run: Run, reply: &str) {
        if reply.contains(STATED) {
            let reply = reply.to_owned();
            (self.take)(Item::Stated { run, reply });
        }
    }

    /// Reports how a run ended.
    pub(crate) fn ended(&mut self, run: Run, passed: bool) {
        (self.take)(Item::Ended { run, passed });
    }
}

/// Calls that wait for their results, the oldest first.
#[derive(Default, Debug)]
pub(crate) struct Pending {
    calls: VecDeque<Call>,
    /// Results that come before their calls: harnesses write both at once, in any order.
    early: VecDeque<Early>,
}

#[derive(Debug)]
struct Early {
    id: String,
    line: usize,
    answer: Answer,
}

impl Pending {
    /// Lets a call wait, unless its result is there.
    pub(crate) fn add(&mut self, call: Call, out: &mut Out<'_>) {
        let is_its = |early: &Early| call.id.as_ref() == Some(&early.id);
        if let Some(at) = self.early.iter().position(is_its)
            && let Some(early) = self.early.remove(at)
        {
            out.step(call.answered(early.answer));
            return;
        }
        if self.calls.len() >= PENDING_MAX
            && let Some(oldest) = self.calls.pop_front()
        {
            without_result(&oldest, out);
        }
        self.calls.push_back(call);
    }

    /// Takes the call of an id; without an id the oldest that has none, since such calls are answered in order.
    pub(crate) fn take(&mut self, id: Option<&str>) -> Option<Call> {
        let at = self
            .calls
            .iter()
            .position(|call| call.id.as_deref() == id)?;
        self.calls.remove(at)
    }

    /// Takes the call that has waited longest.
    pub(crate) fn take_oldest(&mut self) -> Option<Call> {
        self.calls.pop_front()
    }

    /// True while the call of an id waits.
    pub(crate) fn has(&self, id: &str) -> bool {
        self.calls.iter().any(|call| call.id.as_deref() == Some(id))
    }

    /// Answers a call.
    pub(crate) fn answer(
        &mut self,
        id: Option<&str>,
        line: usize,
        answer: Answer,
        out: &mut Out<'_>,
    ) {
        if let Some(call) = self.take(id) {
            out.step(call.answered(answer));
            return;
        }
        let Some(id) = id else {
            out.skip(line, "the result names no call, and none waits for one");
            return;
        };
        if self.early.len() >= PENDING_MAX
            && let Some(oldest) = self.early.pop_front()
        {
            without_call(&oldest, out);
        }
        let id = id.to_owned();
        self.early.push_back(Early { id, line, answer });
    }

    /// Ends all that wait as interrupted.
    pub(crate) fn interrupt(&mut self, at: Option<Timestamp>, out: &mut Out<'_>) {
        for call in self.calls.drain(..) {
            let answer = Answer {
                stopped: Some(Outcome::Interrupted),
                at,
                ..Answer::default()
            };
            let step = call.answered(answer);
            debug_assert_eq!(step.outcome, Outcome::Interrupted);
            out.step(step);
        }
    }

    /// Reports all that still wait.
    pub(crate) fn finish(&mut self, out: &mut Out<'_>) {
        for early in self.early.drain(..) {
            without_call(&early, out);
        }
        for call in self.calls.drain(..) {
            without_result(&call, out);
        }
    }
}

fn without_result(call: &Call, out: &mut Out<'_>) {
    let tool = call.tool.as_deref().unwrap_or("tool");
    out.skip(call.line, format!("the call of `{tool}` has no result"));
}

fn without_call(early: &Early, out: &mut Out<'_>) {
    let reason = format!("the result `{}` belongs to no call of this file", early.id);
    out.skip(early.line, reason);
}
