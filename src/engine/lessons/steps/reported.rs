//! A report before it is recorded: checked, without secrets, cut, and split by its diagnostics.

use std::collections::BTreeMap;

use serde_json::Value;

use super::diagnosed::diagnosed;
use super::names::{checked_place, optional_name, run_name};
use crate::error::{EngineError, EngineResult};
use crate::lessons::redact;
use crate::lessons::requests::{StepDetail, StepInput};
use crate::lessons::rules::LessonRules;
use hindlore_domain::lesson::event::{
    Before, ErrorEvent, NEXT_STEP, PART_MAX_BYTES, StepReport, capture, capture_known,
};
use hindlore_domain::lesson::lesson::{LINKS_MAX, LearnerId};
use hindlore_errors::fingerprint::Evidence;
use hindlore_primitives::ids::{EventId, FingerprintId};
use hindlore_redact::{Redactions, Redactor};

/// The longest part of a report that is looked at, in bytes: the beginning and the end.
pub(crate) const INPUT_MAX_BYTES: usize = 256 * 1_024;

/// The largest metadata of a step, in bytes of JSON.
const METADATA_MAX_BYTES: usize = 64 * 1_024;

/// Where a run first raised a fingerprint.
pub(super) type FirstRaised = BTreeMap<(String, FingerprintId), u32>;

/// A report, checked and read: the event that it is when its error is new in the run, and the one that it is
/// when the run knows it. Which of the two holds is known under the lock.
pub(super) struct Read {
    pub(super) run: String,
    pub(super) input: StepInput,
    /// It is a further diagnostic of the previous step.
    pub(super) continues: bool,
    if_new: Option<ErrorEvent>,
    if_seen: Option<ErrorEvent>,
    pub(super) notes: Vec<String>,
    pub(super) redacted: Redactions,
}

impl Read {
    /// Reads a report: one for each of its diagnostics.
    pub(super) fn all_of(
        owner: &LearnerId,
        mut input: StepInput,
        rules: &LessonRules,
        redactor: &Redactor,
    ) -> EngineResult<Vec<Self>> {
        let mut notes = Vec::new();
        // Before anything is cut: half a secret has no shape any more.
        let redacted = redact::step(redactor, &mut input);
        let report = &mut input.report;
        report.run = run_name(redactor, &report.run)?;
        report.place = checked_place(std::mem::take(&mut report.place))?;
        notes.extend(cut_evidence(&mut report.evidence));
        notes.extend(checked_detail(&mut input.detail)?);
        input.followed.truncate(LINKS_MAX);
        let mut all = Vec::new();
        for part in diagnosed(input.report.clone()) {
            let input = StepInput {
                report: part.report,
                ..input.clone()
            };
            let mut one = Self::of(owner, input, rules);
            one.continues = !all.is_empty();
            // Notes and secrets belong to the whole report, so only its first part carries them.
            if all.is_empty() {
                one.notes = std::mem::take(&mut notes);
                one.redacted = redacted.clone();
            }
            one.notes.extend(part.notes);
            all.push(one);
        }
        // A step that worked is one step, for any output.
        if all.iter().all(|one| one.if_seen.is_none()) {
            all.truncate(1);
        }
        Ok(all)
    }

    fn of(owner: &LearnerId, input: StepInput, rules: &LessonRules) -> Self {
        let mut placed = input.report.clone();
        if placed.step == NEXT_STEP {
            // Every channel counts at the highest number, so that the fingerprints of all are known.
            placed.step = u32::MAX;
        }
        let event = |seen: bool| capture(owner, placed.clone(), &rules.tags, |_| seen);
        let if_seen = event(true);
        Self {
            run: input.report.run.clone(),
            if_new: if_seen.as_ref().and_then(|_| event(false)),
            if_seen,
            continues: false,
            notes: Vec::new(),
            redacted: Redactions::default(),
            input,
        }
    }

    /// The event that it is as a step of this number, when fingerprints were first raised in their runs at
    /// these steps, and the run made no progress before.
    pub(super) fn event(
        &self,
        (step, stalled): (u32, bool),
        first: &FirstRaised,
        (owner, rules): (&LearnerId, &LessonRules),
    ) -> Option<ErrorEvent> {
        let before = |id: FingerprintId| {
            let first = first.get(&(self.run.clone(), id));
            first.is_some_and(|first| *first < step)
        };
        let seen = self.fingerprints().into_iter().any(before);
        let stalled = stalled && self.input.report.feedback.stalled();
        if self.input.report.step != NEXT_STEP && !stalled {
            let event = if seen { &self.if_seen } else { &self.if_new };
            return event.clone();
        }
        let known = self.if_seen.as_ref()?.fingerprints.clone();
        let report = StepReport {
            step,
            ..self.input.report.clone()
        };
        capture_known(
            owner,
            report,
            &rules.tags,
            (known, Before { seen, stalled }),
        )
    }

    /// The run and the id of the step, where it has one; a further diagnostic is no step.
    pub(super) fn step_id(&self) -> Option<(String, String)> {
        let id = self.input.detail.id.clone().filter(|_| !self.continues)?;
        Some((self.run.clone(), id))
    }

    /// The event's id, where it has one.
    pub(super) fn event_id(&self) -> Option<EventId> {
        self.if_seen.as_ref().map(|event| event.id)
    }

    pub(super) fn fingerprints(&self) -> Vec<FingerprintId> {
        let event = self.if_seen.as_ref();
        event.map_or_else(Vec::new, |event| event.fingerprints.ids())
    }
}

/// Checks the texts and the data of a step, cuts those that are too long, and notes it.
fn checked_detail(detail: &mut StepDetail) -> EngineResult<Option<String>> {
    detail.id = optional_name("step id", detail.id.take())?;
    detail.metadata = detail.metadata.take().filter(|data| !data.is_null());
    let bytes = detail.metadata.as_ref().map(|data| data.to_string().len());
    if let Some(bytes) = bytes.filter(|bytes| *bytes > METADATA_MAX_BYTES) {
        return Err(EngineError::Invalid(format!(
            "the metadata of a step has {bytes} bytes as JSON; give at most {METADATA_MAX_BYTES}"
        )));
    }
    let text = &mut detail.description;
    *text = text.trim().to_owned();
    let bytes = text.len();
    if bytes <= PART_MAX_BYTES {
        return Ok(None);
    }
    text.truncate(text.floor_char_boundary(PART_MAX_BYTES));
    Ok(Some(format!(
        "`description` has {bytes} bytes; its first {} are kept",
        text.len()
    )))
}

/// Cuts every part that is too long, and notes which.
pub(crate) fn cut_evidence(evidence: &mut Evidence) -> Vec<String> {
    let parts = [
        ("error", &mut evidence.error),
        ("state", &mut evidence.state),
        ("action", &mut evidence.action),
        ("state_after", &mut evidence.state_after),
    ];
    let cut = parts
        .into_iter()
        .filter_map(|(name, part)| cut_value(name, part));
    let mut notes: Vec<String> = cut.collect();
    notes.extend(cut_text("reason", &mut evidence.reason));
    notes
}

/// Cuts a text in the middle, and notes it.
pub(crate) fn cut_text(name: &str, text: &mut String) -> Option<String> {
    if text.len() <= INPUT_MAX_BYTES {
        return None;
    }
    let bytes = text.len();
    let head = text.floor_char_boundary(INPUT_MAX_BYTES / 2);
    let tail = text.ceil_char_boundary(bytes - INPUT_MAX_BYTES / 2);
    *text = format!("{}\n…\n{}", &text[..head], &text[tail..]);
    Some(format!(
        "`{name}` has {bytes} bytes; its first and last {} were read",
        INPUT_MAX_BYTES / 2
    ))
}

pub(crate) fn cut_value(name: &str, value: &mut Value) -> Option<String> {
    match value {
        Value::String(text) => cut_text(name, text),
        Value::Array(_) | Value::Object(_) => {
            let mut text = value.to_string();
            let note = cut_text(name, &mut text)?;
            *value = Value::String(text);
            Some(note)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}
