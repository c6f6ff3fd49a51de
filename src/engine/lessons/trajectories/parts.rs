//! The runs that the steps of a trace belong to.
//!
//! A run that ended stays as it is, because its lessons were judged by its contents: the new part of a session that
//! continued becomes a run of its own. So does the next part of a run that is too long to be judged as a whole. Each is
//! named after the number of its first step, so that the same file gives the same runs however often it is learned from.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::error::EngineResult;
use crate::handle::Engine;
use crate::lessons::requests::StepInput;
use hindlore_domain::lesson::event::NEXT_STEP;
use hindlore_domain::lesson::lesson::LearnerId;
use hindlore_primitives::identity::{content_name, parse_name};
use hindlore_store::lessons::rows::{RunContents, StepRow};

/// Steps of one part: lessons are learned from no more.
const STEPS_MAX: u32 = 2_000;
/// Bytes of one part. The end of a run holds it as a whole.
const BYTES_MAX: usize = 8 << 20;
/// Parts of one run that had ended before; a session that is learned from more often is refused.
const ENDED_MAX: usize = 1_000;

/// The runs of a trace with their parts.
#[derive(Default)]
pub(super) struct Parts {
    of: BTreeMap<String, Parted>,
}

/// A run, from its first part to the one that is open.
#[derive(Default)]
struct Parted {
    parts: Vec<Part>,
    /// Its steps are known from another record, under numbers of their own.
    is_recorded: bool,
}

/// A part of a run.
struct Part {
    name: String,
    /// The number of the last step before it.
    after: u32,
    /// It had ended before the trace came.
    had_ended: bool,
    /// Number of the last step of this trace that belongs to it.
    last: Option<u32>,
    bytes: usize,
}

/// The result of placing all steps of a trace.
#[derive(Default)]
pub(super) struct Partition {
    /// The runs that hold new parts, with the names of the whole.
    pub(super) continued: BTreeMap<String, String>,
    /// Parts with a part after them. A statement about a run applies to its last part.
    pub(super) superseded: BTreeSet<String>,
    /// Runs whose steps were left out, since they are known from another record.
    pub(super) recorded: Vec<String>,
}

impl Parts {
    /// Moves each step into the part of its run that it belongs to; removes those that are known from another record.
    pub(super) async fn place(
        &mut self,
        (engine, owner): (&Engine, &LearnerId),
        steps: &mut Vec<StepInput>,
        stays_open: Option<&str>,
    ) -> EngineResult<()> {
        for step in steps.iter_mut() {
            let report = &step.report;
            // A step without a number gets a free one, so it cannot be recognised as new.
            if report.step == NEXT_STEP || stays_open == Some(report.run.as_str()) {
                continue;
            }
            if !self.of.contains_key(&report.run) {
                let parted = Parted::find(engine, owner, step).await?;
                self.of.insert(report.run.clone(), parted);
            }
            if let Some(parted) = self.of.get_mut(&report.run) {
                parted.place((engine, owner), step).await?;
            }
        }
        let recorded = |step: &StepInput| {
            let parted = self.of.get(&step.report.run);
            parted.is_some_and(|parted| parted.is_recorded)
        };
        steps.retain(|step| !recorded(step));
        Ok(())
    }

    /// Describes the runs after the last step.
    pub(super) fn partition(&self) -> Partition {
        let mut all = Partition::default();
        for (run, parted) in &self.of {
            if parted.is_recorded {
                all.recorded.push(run.clone());
                continue;
            }
            let Some(last) = parted.parts.iter().rposition(|part| part.last.is_some()) else {
                continue;
            };
            let before = parted.parts[..last].iter().map(|part| part.name.clone());
            all.superseded.extend(before);
            if last > 0 {
                let name = parted.parts[last].name.clone();
                all.continued.insert(name, run.clone());
            }
        }
        all
    }
}

impl Parted {
    /// Reads the known parts of the run of a step.
    async fn find(engine: &Engine, owner: &LearnerId, step: &StepInput) -> EngineResult<Self> {
        let run = &step.report.run;
        let known = engine.store().run(owner, run).await?;
        let mut found = Self {
            is_recorded: known.as_ref().is_some_and(|known| is_other(known, step)),
            parts: Vec::new(),
        };
        if !found.is_recorded {
            found.follow((engine, owner), run, (0, known)).await?;
        }
        Ok(found)
    }

    /// Adds the part that begins after a step, and those after it, up to one that has not ended.
    async fn follow(
        &mut self,
        (engine, owner): (&Engine, &LearnerId),
        run: &str,
        (mut after, mut known): (u32, Option<RunContents>),
    ) -> EngineResult<()> {
        for _ in 0..ENDED_MAX {
            let mut name = run.to_owned();
            if !self.parts.is_empty() {
                name = part_name(run, after);
                known = engine.store().run(owner, &name).await?;
            }
            let ended = known.take().filter(|known| known.row.end.is_some());
            let steps = ended.as_ref().map(|known| known.row.steps);
            let is_first = self.parts.is_empty();
            self.parts.push(Part {
                name,
                after,
                had_ended: ended.is_some(),
                last: None,
                bytes: 0,
            });
            match steps {
                Some(steps) if steps > 0 || is_first => after = after.saturating_add(steps),
                _ => break,
            }
        }
        Ok(())
    }

    async fn place(&mut self, at: (&Engine, &LearnerId), step: &mut StepInput) -> EngineResult<()> {
        let (number, bytes) = (step.report.step, bytes_of(step));
        if let Some(last) = self.parts.last()
            && last.is_full(number, bytes)
            && let Some(after) = last.last
        {
            self.follow(at, &step.report.run.clone(), (after, None))
                .await?;
        }
        let mut parts = self.parts.iter_mut().rev();
        if let Some(part) = parts.find(|part| part.after < number) {
            part.last = part.last.max(Some(number));
            part.bytes = part.bytes.saturating_add(bytes);
            step.report.run.clone_from(&part.name);
            step.report.step -= part.after;
        }
        Ok(())
    }
}

impl Part {
    /// Returns true if a step no longer fits into it.
    fn is_full(&self, number: u32, bytes: usize) -> bool {
        let is_new = self.last.is_some_and(|last| last < number);
        let is_long = number.saturating_sub(self.after) > STEPS_MAX;
        let is_large = self.bytes.saturating_add(bytes) > BYTES_MAX;
        is_new && !self.had_ended && (is_long || is_large)
    }
}

/// Returns true if a run is known from a record that numbers its steps in another way, as hooks do while it runs: none
/// of its steps has the number and the moment of a step of the trace.
fn is_other(known: &RunContents, step: &StepInput) -> bool {
    let report = &step.report;
    let is_same = |row: &StepRow| row.step == report.step && row.at == report.at;
    step.detail.is_dated && !known.steps.is_empty() && !known.steps.iter().any(is_same)
}

/// The length of the texts of a step.
fn bytes_of(step: &StepInput) -> usize {
    let evidence = &step.report.evidence;
    let values = [
        &evidence.error,
        &evidence.state,
        &evidence.action,
        &evidence.state_after,
    ];
    let length = |value: &Value| match value {
        Value::Null => 0,
        Value::String(text) => text.len(),
        other => other.to_string().len(),
    };
    values.into_iter().map(length).sum()
}

/// The name of the part of a run that begins after a step.
fn part_name(run: &str, after: u32) -> String {
    let name = format!("{run}+{}", after.saturating_add(1));
    match parse_name("run", &name) {
        Ok(name) => name,
        // The name of the run is as long as a name may be.
        Err(_) => content_name("run-", name.as_bytes()),
    }
}
