//! Numbers of steps: given under the lock of the learner, and given back when a call is sent again.

use std::collections::BTreeMap;

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::clock::random_id;
use crate::error::{EngineError, EngineResult};
use crate::lessons::requests::StepInput;
use hindlore_domain::lesson::event::NEXT_STEP;
use hindlore_primitives::identity::{hex, parse_name};
use hindlore_primitives::timestamp::Timestamp;
use hindlore_store::lessons::rows::{OperationReceipt, RunRow, StepRow};
use hindlore_store::lessons::transaction::Gathered;

/// Text kept for a step that names no action.
const NO_ACTION: &str = "null";
/// The longest part of an action that a refusal shows, in bytes.
const SHOWN_MAX_BYTES: usize = 200;

/// A call that is known again when it is sent again.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Call {
    /// The name of its receipt.
    pub(super) operation: String,
    /// SHA-256 hex of its contents.
    digest: String,
}

impl Call {
    /// The call of a caller who named it, or one that only this call knows: the numbers that it is given must
    /// stay the same when its answer is lost. Absent where every step has its own.
    pub(super) fn of(id: Option<&str>, steps: &[StepInput]) -> EngineResult<Option<Self>> {
        let id = match id {
            Some(id) => {
                parse_name("call", id).map_err(|error| EngineError::Invalid(error.to_string()))?
            }
            None if steps.iter().all(is_known_again) => return Ok(None),
            None => random_id("call").map_err(|_| EngineError::Stopped)?,
        };
        let mut digest = Sha256::new();
        for step in steps {
            let report = &step.report;
            let evidence = &report.evidence;
            let says = (&report.run, report.step, report.exit_code, &evidence.reason);
            let parts = (
                &evidence.error,
                &evidence.state,
                &evidence.action,
                &evidence.state_after,
            );
            digest.update(format!("{says:?} {parts:?}\n"));
        }
        Ok(Some(Self {
            operation: format!("capture:{id}"),
            digest: hex(&digest.finalize()),
        }))
    }
}

/// Returns true if the number or the id identifies a repeated step.
fn is_known_again(step: &StepInput) -> bool {
    step.report.step != NEXT_STEP || step.detail.id.is_some()
}

/// The numbers of the steps of one call, in their order.
pub(super) struct Numbers<'a> {
    call: Option<&'a Call>,
    /// Those of the first time.
    before: Option<Vec<u32>>,
    given: Vec<u32>,
    /// Numbers and ids taken by stored steps and by this call.
    actions: BTreeMap<(String, u32), String>,
}

impl<'a> Numbers<'a> {
    /// Starts numbering, or repeats the numbers of an earlier call.
    pub(super) fn of(
        call: Option<&'a Call>,
        gathered: &Gathered,
        steps: usize,
    ) -> EngineResult<Self> {
        let before = match (call, &gathered.receipt) {
            (Some(call), Some(receipt)) => Some(numbers_in(receipt, call, steps)?),
            _ => None,
        };
        let known = gathered.steps.iter();
        Ok(Self {
            call,
            before,
            given: Vec::new(),
            actions: known
                .map(|row| ((row.run.clone(), row.step), row.action.clone()))
                .collect(),
        })
    }

    /// True when the call was made before.
    pub(super) fn were_given(&self) -> bool {
        self.before.is_some()
    }

    /// The number of the next step, which belongs to `run` and was reported with the number `reported`.
    pub(super) fn next(&mut self, run: &RunRow, reported: u32) -> EngineResult<u32> {
        let before = self.before.as_ref();
        let number = match before.and_then(|numbers| numbers.get(self.given.len())) {
            Some(number) => *number,
            None if reported != NEXT_STEP => reported,
            None => run.steps.checked_add(1).ok_or_else(|| {
                EngineError::Invalid(format!("the run `{}` has no number left", run.id))
            })?,
        };
        self.given.push(number);
        Ok(number)
    }

    /// The number of a step that is there.
    pub(super) fn known(&mut self, number: u32) -> u32 {
        self.given.push(number);
        number
    }

    /// Returns true if a step with this number exists.
    pub(super) fn has(&self, row: &StepRow) -> bool {
        self.actions.contains_key(&(row.run.clone(), row.step))
    }

    /// Returns the number of the previous step again, for its further diagnostics.
    pub(super) fn same(&mut self) -> u32 {
        // A further diagnostic always follows its step, so a number is there.
        let number = self.given.last().copied().unwrap_or(1);
        self.given.push(number);
        number
    }

    /// Refuses a step whose number another action has. A report that names no action adds to the step.
    pub(super) fn check_action(&mut self, row: &StepRow) -> EngineResult<()> {
        let place = (row.run.clone(), row.step);
        let Some(known) = self.actions.get(&place) else {
            self.actions.insert(place, row.action.clone());
            return Ok(());
        };
        if *known == row.action || row.action == NO_ACTION {
            return Ok(());
        }
        let shown = match serde_json::from_str(known) {
            Ok(Value::String(text)) => text,
            _ => known.clone(),
        };
        let end = shown.floor_char_boundary(SHOWN_MAX_BYTES);
        Err(EngineError::StepTaken {
            run: row.run.clone(),
            step: row.step,
            action: shown[..end].escape_debug().to_string(),
        })
    }

    /// The receipt of the call, the first time.
    pub(super) fn receipt(self, at: Timestamp) -> EngineResult<Option<OperationReceipt>> {
        let (Some(call), None) = (self.call, self.before) else {
            return Ok(None);
        };
        let answer = serde_json::to_string(&self.given).map_err(|_| EngineError::Stopped)?;
        Ok(Some(OperationReceipt {
            operation: call.operation.clone(),
            body_digest: call.digest.clone(),
            answer,
            at,
        }))
    }
}

fn numbers_in(receipt: &OperationReceipt, call: &Call, steps: usize) -> EngineResult<Vec<u32>> {
    if receipt.body_digest != call.digest {
        return Err(EngineError::OperationReused(receipt.operation.clone()));
    }
    // An unreadable answer yields no numbers and is refused below.
    let numbers: Vec<u32> = serde_json::from_str(&receipt.answer).unwrap_or_default();
    if numbers.len() == steps {
        Ok(numbers)
    } else {
        Err(EngineError::Invalid(format!(
            "the receipt of `{}` is damaged",
            receipt.operation
        )))
    }
}
